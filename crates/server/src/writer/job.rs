//! Jobs in the queue of the writer.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use tokio::sync::{oneshot, watch};

use super::{BoxFuture, JobContext, JobError, UnixMillis, WriterMetrics};
use crate::auth::ServerSecret;
use crate::campaign::state::CampaignState;
use crate::http::problem::HttpProblem;
use crate::store::{StoreError, Transaction};

/// Callback that sends the reply. Called only after the commit.
pub(crate) type PendingReply = Box<dyn FnOnce(&WriterMetrics) + Send>;

/// Unit of work for the writer.
#[async_trait]
pub(crate) trait Job: Send {
    /// Returns the name of the campaign that the job needs, if any.
    fn campaign(&self) -> Option<&str>;

    /// Runs the job. `state` is `None` if the job needs no campaign or its campaign does not exist.
    async fn run(
        self: Box<Self>,
        state: Option<&mut CampaignState>,
        transaction: &mut dyn Transaction,
        secret: &ServerSecret,
        now: UnixMillis,
    ) -> Result<PendingReply, StoreError>;
}

/// Outcome of a job.
pub(crate) enum JobOutcome<T> {
    /// The job has finished, with its result or the problem to report.
    Finished(Result<T, HttpProblem>),
    /// The job has not finished and is to be retried after the next schedule is recorded.
    RetryAfterSchedule(watch::Receiver<u64>),
}

fn pending_reply<T: Send + 'static>(
    reply: oneshot::Sender<JobOutcome<T>>,
    result: Result<T, JobError>,
    answers: u64,
) -> Result<PendingReply, StoreError> {
    let result = match result {
        Ok(value) => JobOutcome::Finished(Ok(value)),
        Err(JobError::Problem(problem)) => JobOutcome::Finished(Err(problem)),
        Err(JobError::RetryAfterSchedule(schedules)) => JobOutcome::RetryAfterSchedule(schedules),
        Err(JobError::Store(error)) => return Err(error),
    };
    Ok(Box::new(move |counts| {
        counts.answers.fetch_add(answers, Ordering::Relaxed);
        // The receiver is gone if the client disconnected.
        let _ = reply.send(result);
    }))
}

/// Job on a campaign.
pub(crate) struct CampaignJob<T, F> {
    campaign: String,
    may_wait: bool,
    run: F,
    reply: oneshot::Sender<JobOutcome<T>>,
}

impl<T, F> CampaignJob<T, F> {
    pub(crate) fn new(
        campaign: &str,
        may_wait: bool,
        run: F,
    ) -> (Self, oneshot::Receiver<JobOutcome<T>>) {
        let (reply, receiver) = oneshot::channel();
        let campaign = campaign.to_owned();
        (
            Self {
                campaign,
                may_wait,
                run,
                reply,
            },
            receiver,
        )
    }
}

#[async_trait]
impl<T, F> Job for CampaignJob<T, F>
where
    T: Send + 'static,
    F: for<'a, 'b> FnOnce(&'a mut JobContext<'b>) -> BoxFuture<'a, Result<T, JobError>>
        + Send
        + 'static,
{
    fn campaign(&self) -> Option<&str> {
        Some(&self.campaign)
    }

    async fn run(
        self: Box<Self>,
        state: Option<&mut CampaignState>,
        transaction: &mut dyn Transaction,
        secret: &ServerSecret,
        now: UnixMillis,
    ) -> Result<PendingReply, StoreError> {
        let Some(state) = state else {
            let problem = HttpProblem::not_found("campaign");
            return pending_reply(self.reply, Err(problem.into()), 0);
        };
        state.expire_leases(now)?;
        let before = state.answers_saved();
        let mut context = JobContext {
            campaign: state,
            transaction,
            secret,
            now,
            may_wait: self.may_wait,
        };
        let result = (self.run)(&mut context).await;
        let answers = context.campaign.answers_saved() - before;
        pending_reply(self.reply, result, answers)
    }
}

/// Job that needs no campaign state.
pub(crate) struct StoreJob<T, F> {
    run: F,
    reply: oneshot::Sender<JobOutcome<T>>,
}

impl<T, F> StoreJob<T, F> {
    pub(crate) fn new(run: F) -> (Self, oneshot::Receiver<JobOutcome<T>>) {
        let (reply, receiver) = oneshot::channel();
        (Self { run, reply }, receiver)
    }
}

#[async_trait]
impl<T, F> Job for StoreJob<T, F>
where
    T: Send + 'static,
    F: for<'a> FnOnce(&'a mut dyn Transaction, UnixMillis) -> BoxFuture<'a, Result<T, JobError>>
        + Send
        + 'static,
{
    fn campaign(&self) -> Option<&str> {
        None
    }

    async fn run(
        self: Box<Self>,
        _state: Option<&mut CampaignState>,
        transaction: &mut dyn Transaction,
        _secret: &ServerSecret,
        now: UnixMillis,
    ) -> Result<PendingReply, StoreError> {
        let result = (self.run)(transaction, now).await;
        pending_reply(self.reply, result, 0)
    }
}
