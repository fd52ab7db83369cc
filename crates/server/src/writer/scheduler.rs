//! Scheduler thread: computes the schedules (choices of the next questions) of strategies that fit
//! a model and passes them to the writer as jobs, so that answers need not wait for a model fit.

use std::sync::{Arc, mpsc as threads};
use std::time::Instant;

use partita::judging::campaign::{Schedule, ScheduleSnapshot};
use tokio::sync::mpsc;

use super::WriterMetrics;
use super::job::{Job, PendingReply};

/// Handle to the scheduler thread, which computes one schedule at a time. The thread ends when the
/// writer does.
pub(super) struct Scheduler {
    requests: threads::Sender<(String, ScheduleSnapshot)>,
}

impl Scheduler {
    /// Starts the scheduler thread. `compute` computes a schedule from a snapshot of a campaign; a
    /// job that records the schedule is then sent to `jobs`.
    pub(super) fn start(
        jobs: mpsc::WeakSender<Job>,
        metrics: Arc<WriterMetrics>,
        compute: impl Fn(ScheduleSnapshot) -> Schedule + Send + 'static,
    ) -> Self {
        let (sender, requests) = threads::channel::<(String, ScheduleSnapshot)>();
        // The thread is never joined, so that a shutdown does not wait for a model fit.
        std::thread::spawn(move || {
            for (campaign, snapshot) in requests {
                let started = Instant::now();
                let schedule = compute(snapshot);
                metrics.plan_durations.record(started.elapsed());
                let Some(jobs) = jobs.upgrade() else { return };
                let job = Job::new(Some(&campaign), move |batch| {
                    let schedule = schedule.clone();
                    Box::pin(async move {
                        if let Some(Ok(campaign)) = batch.campaign {
                            campaign.record_schedule(schedule, batch.now);
                        }
                        let reply: PendingReply = Box::new(|_| ());
                        Ok(reply)
                    })
                });
                if jobs.blocking_send(job).is_err() {
                    return;
                }
            }
        });
        Self { requests: sender }
    }

    /// Queues the computation of a schedule from a snapshot of a campaign.
    pub(super) fn request(&self, campaign: &str, snapshot: ScheduleSnapshot) {
        if self.requests.send((campaign.to_owned(), snapshot)).is_err() {
            // Answers are still saved without schedules, so keep the server running.
            crate::log_error(&"the scheduler thread has ended: restart the server");
        }
    }
}
