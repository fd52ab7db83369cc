//! What waits for its turn.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use tokio::sync::{oneshot, watch};

use super::{BoxFuture, JobContext, JobError, UnixMillis, WriterMetrics};
use crate::auth::ServerSecret;
use crate::campaign::state::CampaignState;
use crate::http::problem::HttpProblem;
use crate::store::{StoreError, Transaction};

/// Tells whoever waits what came of it, once it is kept.
pub(crate) type PendingReply = Box<dyn FnOnce(&WriterMetrics) + Send>;

/// Something that waits for its turn.
#[async_trait]
pub(crate) trait Job: Send {
    /// The campaign that it is about.
    fn campaign(&self) -> Option<&str>;

    /// Does it; with a campaign, its room if there is such a campaign.
    async fn run(
        self: Box<Self>,
        room: Option<Option<&mut CampaignState>>,
        transaction: &mut dyn Transaction,
        secret: &ServerSecret,
        now: UnixMillis,
    ) -> Result<PendingReply, StoreError>;
}

/// What came of a turn.
pub(crate) enum JobOutcome<T> {
    /// This, or a problem.
    Finished(Result<T, HttpProblem>),
    /// Nothing yet: it is to be tried again after the next plan.
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
        Err(JobError::RetryAfterSchedule(plans)) => JobOutcome::RetryAfterSchedule(plans),
        Err(JobError::Store(error)) => return Err(error),
    };
    Ok(Box::new(move |counts| {
        counts.answers.fetch_add(answers, Ordering::Relaxed);
        // Whoever has gone meanwhile asks again.
        let _ = reply.send(result);
    }))
}

/// A turn at a campaign.
pub(crate) struct CampaignJob<T, F> {
    campaign: String,
    patient: bool,
    run: F,
    reply: oneshot::Sender<JobOutcome<T>>,
}

impl<T, F> CampaignJob<T, F> {
    pub(crate) fn new(
        campaign: &str,
        patient: bool,
        run: F,
    ) -> (Self, oneshot::Receiver<JobOutcome<T>>) {
        let (reply, receiver) = oneshot::channel();
        let campaign = campaign.to_owned();
        (
            Self {
                campaign,
                patient,
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
        room: Option<Option<&mut CampaignState>>,
        transaction: &mut dyn Transaction,
        secret: &ServerSecret,
        now: UnixMillis,
    ) -> Result<PendingReply, StoreError> {
        let Some(room) = room.flatten() else {
            let problem = HttpProblem::not_found("campaign");
            return pending_reply(self.reply, Err(problem.into()), 0);
        };
        room.expire_leases(now)?;
        let before = room.answers_saved();
        let mut turn = JobContext {
            campaign: room,
            transaction,
            secret,
            now,
            may_wait: self.patient,
        };
        let result = (self.run)(&mut turn).await;
        let answers = turn.campaign.answers_saved() - before;
        pending_reply(self.reply, result, answers)
    }
}

/// Something that belongs to no campaign.
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
        _room: Option<Option<&mut CampaignState>>,
        transaction: &mut dyn Transaction,
        _secret: &ServerSecret,
        now: UnixMillis,
    ) -> Result<PendingReply, StoreError> {
        let result = (self.run)(transaction, now).await;
        pending_reply(self.reply, result, 0)
    }
}
