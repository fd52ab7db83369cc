//! Scheduler thread: computes the schedules of strategies that fit a model and passes them to the
//! writer as jobs, so that answers need not wait for a model fit.

use std::sync::mpsc as threads;

use async_trait::async_trait;
use partita_judging::campaign::{Schedule, ScheduleSnapshot};
use tokio::sync::mpsc;

use super::job::{Job, PendingReply};
use super::{ServerSecret, UnixMillis};
use crate::campaign::state::CampaignState;
use crate::store::{StoreError, Transaction};

/// Handle to the scheduler thread, which computes one schedule at a time. The thread ends when the
/// writer does.
pub(crate) struct Scheduler {
    wanted: threads::Sender<(String, ScheduleSnapshot)>,
}

impl Scheduler {
    /// Starts the thread. `work` computes a schedule from a snapshot; a job that records the
    /// schedule is then sent to `jobs`.
    pub(crate) fn start(
        jobs: mpsc::WeakSender<Box<dyn Job>>,
        work: impl Fn(ScheduleSnapshot) -> Schedule + Send + 'static,
    ) -> Self {
        let (wanted, bases) = threads::channel::<(String, ScheduleSnapshot)>();
        // The thread is never joined, so that a shutdown does not wait for a model fit.
        std::thread::spawn(move || {
            for (campaign, snapshot) in bases {
                let schedule = work(snapshot);
                let Some(jobs) = jobs.upgrade() else { return };
                let job = ScheduleJob { campaign, schedule };
                if jobs.blocking_send(Box::new(job)).is_err() {
                    return;
                }
            }
        });
        Self { wanted }
    }

    /// Queues the computation of a schedule from a snapshot of a campaign.
    pub(crate) fn request(&self, campaign: &str, snapshot: ScheduleSnapshot) {
        if self.wanted.send((campaign.to_owned(), snapshot)).is_err() {
            // Answers are still saved without schedules, so keep the server running.
            crate::log_error(&"the scheduler thread has ended: restart the server");
        }
    }
}

/// Job that records a computed schedule.
struct ScheduleJob {
    campaign: String,
    schedule: Schedule,
}

#[async_trait]
impl Job for ScheduleJob {
    fn campaign(&self) -> Option<&str> {
        Some(&self.campaign)
    }

    async fn run(
        self: Box<Self>,
        state: Option<&mut CampaignState>,
        _transaction: &mut dyn Transaction,
        _secret: &ServerSecret,
        now: UnixMillis,
    ) -> Result<PendingReply, StoreError> {
        if let Some(state) = state {
            state.record_schedule(self.schedule, now);
        }
        Ok(Box::new(|_| ()))
    }
}
