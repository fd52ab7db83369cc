//! Plans that take a model: worked out on a thread of their own, and handed to the writer as another turn.
//! Nobody who answers waits for them.

use std::sync::mpsc as threads;

use async_trait::async_trait;
use partita_judging::campaign::{Schedule, ScheduleSnapshot};
use tokio::sync::mpsc;

use super::job::{Job, PendingReply};
use super::{ServerSecret, UnixMillis};
use crate::campaign::state::CampaignState;
use crate::store::{StoreError, Transaction};

/// The thread that works out plans, one after the other. It ends with the writer.
pub(crate) struct Scheduler {
    wanted: threads::Sender<(String, ScheduleSnapshot)>,
}

impl Scheduler {
    /// Starts the thread, which works plans out like this and hands them in here.
    pub(crate) fn start(
        jobs: mpsc::WeakSender<Box<dyn Job>>,
        work: impl Fn(ScheduleSnapshot) -> Schedule + Send + 'static,
    ) -> Self {
        let (wanted, bases) = threads::channel::<(String, ScheduleSnapshot)>();
        // It is never waited for: a server that is to end does not wait for a fit.
        std::thread::spawn(move || {
            for (campaign, basis) in bases {
                let plan = work(basis);
                let Some(jobs) = jobs.upgrade() else { return };
                let job = ScheduleJob { campaign, plan };
                if jobs.blocking_send(Box::new(job)).is_err() {
                    return;
                }
            }
        });
        Self { wanted }
    }

    /// Asks for a plan of a list of a campaign.
    pub(crate) fn request(&self, campaign: &str, basis: ScheduleSnapshot) {
        if self.wanted.send((campaign.to_owned(), basis)).is_err() {
            // Answers are saved all the same.
            crate::log_error(&"the scheduler thread has ended: restart the server");
        }
    }
}

/// A plan that was worked out.
struct ScheduleJob {
    campaign: String,
    plan: Schedule,
}

#[async_trait]
impl Job for ScheduleJob {
    fn campaign(&self) -> Option<&str> {
        Some(&self.campaign)
    }

    async fn run(
        self: Box<Self>,
        room: Option<Option<&mut CampaignState>>,
        _transaction: &mut dyn Transaction,
        _secret: &ServerSecret,
        now: UnixMillis,
    ) -> Result<PendingReply, StoreError> {
        if let Some(room) = room.flatten() {
            room.record_schedule(self.plan, now);
        }
        Ok(Box::new(|_| ()))
    }
}
