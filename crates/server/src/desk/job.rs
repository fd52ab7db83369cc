//! What waits for its turn.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use tokio::sync::{oneshot, watch};

use super::room::Room;
use super::{Boxed, Counts, Now, Refused, Turn};
use crate::guard::Secret;
use crate::problem::Problem;
use crate::store::{StoreError, Transaction};

/// Tells whoever waits what came of it, once it is kept.
pub(super) type Deliver = Box<dyn FnOnce(&Counts) + Send>;

/// Something that waits for its turn.
#[async_trait]
pub(super) trait Job: Send {
    /// The campaign that it is about.
    fn campaign(&self) -> Option<&str>;

    /// Does it; with a campaign, its room if there is such a campaign.
    async fn run(
        self: Box<Self>,
        room: Option<Option<&mut Room>>,
        transaction: &mut dyn Transaction,
        secret: &Secret,
        now: Now,
    ) -> Result<Deliver, StoreError>;
}

/// What came of a turn.
pub(super) enum Served<T> {
    /// This, or a problem.
    Done(Result<T, Problem>),
    /// Nothing yet: it is to be tried again after the next plan.
    AfterPlan(watch::Receiver<u64>),
}

fn deliver<T: Send + 'static>(
    reply: oneshot::Sender<Served<T>>,
    result: Result<T, Refused>,
    answers: u64,
) -> Result<Deliver, StoreError> {
    let result = match result {
        Ok(value) => Served::Done(Ok(value)),
        Err(Refused::Problem(problem)) => Served::Done(Err(problem)),
        Err(Refused::AfterPlan(plans)) => Served::AfterPlan(plans),
        Err(Refused::Store(error)) => return Err(error),
    };
    Ok(Box::new(move |counts| {
        counts.answers.fetch_add(answers, Ordering::Relaxed);
        // Whoever has gone meanwhile asks again.
        let _ = reply.send(result);
    }))
}

/// A turn at a campaign.
pub(super) struct OfCampaign<T, F> {
    campaign: String,
    patient: bool,
    run: F,
    reply: oneshot::Sender<Served<T>>,
}

impl<T, F> OfCampaign<T, F> {
    pub(super) fn new(
        campaign: &str,
        patient: bool,
        run: F,
    ) -> (Self, oneshot::Receiver<Served<T>>) {
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
impl<T, F> Job for OfCampaign<T, F>
where
    T: Send + 'static,
    F: for<'a, 'b> FnOnce(&'a mut Turn<'b>) -> Boxed<'a, Result<T, Refused>> + Send + 'static,
{
    fn campaign(&self) -> Option<&str> {
        Some(&self.campaign)
    }

    async fn run(
        self: Box<Self>,
        room: Option<Option<&mut Room>>,
        transaction: &mut dyn Transaction,
        secret: &Secret,
        now: Now,
    ) -> Result<Deliver, StoreError> {
        let Some(room) = room.flatten() else {
            let problem = Problem::not_found("campaign");
            return deliver(self.reply, Err(problem.into()), 0);
        };
        room.expire(now)?;
        let before = room.answers();
        let mut turn = Turn {
            room,
            transaction,
            secret,
            now,
            patient: self.patient,
        };
        let result = (self.run)(&mut turn).await;
        let answers = turn.room.answers() - before;
        deliver(self.reply, result, answers)
    }
}

/// Something that belongs to no campaign.
pub(super) struct Plain<T, F> {
    run: F,
    reply: oneshot::Sender<Served<T>>,
}

impl<T, F> Plain<T, F> {
    pub(super) fn new(run: F) -> (Self, oneshot::Receiver<Served<T>>) {
        let (reply, receiver) = oneshot::channel();
        (Self { run, reply }, receiver)
    }
}

#[async_trait]
impl<T, F> Job for Plain<T, F>
where
    T: Send + 'static,
    F: for<'a> FnOnce(&'a mut dyn Transaction, Now) -> Boxed<'a, Result<T, Refused>>
        + Send
        + 'static,
{
    fn campaign(&self) -> Option<&str> {
        None
    }

    async fn run(
        self: Box<Self>,
        _room: Option<Option<&mut Room>>,
        transaction: &mut dyn Transaction,
        _secret: &Secret,
        now: Now,
    ) -> Result<Deliver, StoreError> {
        let result = (self.run)(transaction, now).await;
        deliver(self.reply, result, 0)
    }
}
