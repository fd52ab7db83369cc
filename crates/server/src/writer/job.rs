//! Jobs in the queue of the writer, the single task that changes campaigns.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use tokio::sync::{oneshot, watch};

use super::{BoxFuture, JobContext, JobError, UnixMillis, WriterMetrics};
use crate::auth::ServerSecret;
use crate::campaign::state::CampaignState;
use crate::http::problem::HttpProblem;
use crate::operation::request_observer::RequestContext;
use crate::store::{StoreError, Transaction};

/// Callback that sends the reply of a job. Called only after the commit of its transaction.
pub(super) type PendingReply = Box<dyn FnOnce(&WriterMetrics) + Send>;

/// Outcome of running a job.
pub(super) enum JobOutcome<T> {
    /// The job has finished, with its result or the problem to report to the client.
    Finished(Result<T, HttpProblem>),
    /// The job has not finished and is to be retried after the next schedule (choice of questions)
    /// is finished.
    RetryAfterSchedule(watch::Receiver<u64>),
}

/// Resources that the writer lends to a job while it runs.
pub(super) struct BatchContext<'a> {
    /// Campaign of the job; `None` if the job needs none. The problem tells why the job cannot use
    /// its campaign.
    pub(super) campaign: Option<Result<&'a mut CampaignState, HttpProblem>>,
    /// Transaction that all jobs of the batch share.
    pub(super) transaction: &'a mut dyn Transaction,
    pub(super) secret: &'a ServerSecret,
    /// Time when the batch started.
    pub(super) now: UnixMillis,
}

/// Function that does the work of a job. That of a job on a campaign may be called again if its
/// transaction failed; that of a job without a campaign is called once.
type JobFn =
    dyn for<'a> FnMut(BatchContext<'a>) -> BoxFuture<'a, Result<PendingReply, StoreError>> + Send;

/// Sender of the outcome of a job. A job may run several times; the run that is committed takes the
/// sender. If the job is dropped, the receiver reports that nothing was saved.
type ReplySender<T> = Arc<Mutex<Option<oneshot::Sender<JobOutcome<T>>>>>;

/// Creates the sender of an outcome, and its receiver.
fn reply_channel<T>() -> (ReplySender<T>, oneshot::Receiver<JobOutcome<T>>) {
    let (sender, receiver) = oneshot::channel();
    (Arc::new(Mutex::new(Some(sender))), receiver)
}

/// What a job does with its campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobAccess {
    /// It changes nothing, so it can also use a damaged campaign.
    Read,
    /// It may change the campaign.
    Change,
}

/// Unit of work for the writer: a change that runs within a transaction.
pub(super) struct Job {
    /// Name of the campaign that the job needs, if any. A job without a campaign runs in a
    /// transaction of its own.
    pub(super) campaign: Option<String>,
    pub(super) access: JobAccess,
    /// Id of the request that the job belongs to, for the log of failures.
    pub(super) request: Option<String>,
    pub(super) run: Box<JobFn>,
}

impl Job {
    pub(super) fn new<F>(campaign: Option<&str>, run: F) -> Self
    where
        F: for<'a> FnMut(BatchContext<'a>) -> BoxFuture<'a, Result<PendingReply, StoreError>>
            + Send
            + 'static,
    {
        Self {
            campaign: campaign.map(str::to_owned),
            access: JobAccess::Change,
            request: RequestContext::current().map(|request| request.id.clone()),
            run: Box::new(run),
        }
    }

    /// Creates a job on a campaign, and the receiver of its outcome. `may_wait` allows the job to
    /// stop and be retried after the next schedule.
    pub(super) fn on_campaign<T, F>(
        campaign: &str,
        access: JobAccess,
        may_wait: bool,
        run: F,
    ) -> (Self, oneshot::Receiver<JobOutcome<T>>)
    where
        T: Send + 'static,
        F: for<'a, 'b> FnOnce(&'a mut JobContext<'b>) -> BoxFuture<'a, Result<T, JobError>>
            + Clone
            + Send
            + 'static,
    {
        let (reply, receiver) = reply_channel();
        let mut job = Self::new(Some(campaign), move |batch| {
            let (run, reply) = (run.clone(), reply.clone());
            Box::pin(async move {
                let campaign = (batch.campaign).expect("the writer finds the campaign of a job");
                let campaign = match campaign {
                    Ok(campaign) => campaign,
                    Err(problem) => return pending_reply(reply, Err(problem.into()), 0),
                };
                if campaign.damage().is_none() {
                    campaign.expire_leases(batch.now)?;
                }
                let before = campaign.answers_saved();
                let mut context = JobContext {
                    campaign,
                    transaction: batch.transaction,
                    secret: batch.secret,
                    now: batch.now,
                    may_wait,
                };
                let result = run(&mut context).await;
                let answers = context.campaign.answers_saved() - before;
                pending_reply(reply, result, answers)
            })
        });
        job.access = access;
        (job, receiver)
    }

    /// Creates a job that needs no campaign state, and the receiver of its outcome. Unlike a job on
    /// a campaign it is never repeated, so it may own large data.
    pub(super) fn in_transaction<T, F>(run: F) -> (Self, oneshot::Receiver<JobOutcome<T>>)
    where
        T: Send + 'static,
        F: for<'a> FnOnce(
                &'a mut dyn Transaction,
                UnixMillis,
            ) -> BoxFuture<'a, Result<T, JobError>>
            + Send
            + 'static,
    {
        let (reply, receiver) = reply_channel();
        let mut run = Some(run);
        let job = Self::new(None, move |batch| {
            let (run, reply) = (run.take(), reply.clone());
            Box::pin(async move {
                let run = run.expect("the only job of a transaction is not repeated");
                let result = run(batch.transaction, batch.now).await;
                pending_reply(reply, result, 0)
            })
        });
        (job, receiver)
    }
}

/// Prepares the reply to a job that saved `answers` answers. A database error is passed on, because
/// it aborts the whole batch.
fn pending_reply<T: Send + 'static>(
    reply: ReplySender<T>,
    result: Result<T, JobError>,
    answers: u64,
) -> Result<PendingReply, StoreError> {
    let outcome = match result {
        Ok(value) => JobOutcome::Finished(Ok(value)),
        Err(JobError::Problem(problem)) => JobOutcome::Finished(Err(problem)),
        Err(JobError::RetryAfterSchedule(schedules)) => JobOutcome::RetryAfterSchedule(schedules),
        Err(JobError::Store(error)) => return Err(error),
    };
    Ok(Box::new(move |metrics| {
        metrics.answers.fetch_add(answers, Ordering::Relaxed);
        let reply = (reply
            .lock()
            .expect("no thread panics while it holds the lock"))
        .take();
        let reply = reply.expect("a committed job replies once");
        // Ignore a missing receiver: the client may have disconnected.
        let _ = reply.send(outcome);
    }))
}
