//! The desk: drives campaigns, one writer per server.
//!
//! Whatever changes a campaign is a [turn](Turn) at its [room](room::Room). The writer takes all turns that
//! wait, serves them in one transaction, commits, and only then answers: what arrives meanwhile shares the
//! next commit. If anything fails nothing has happened: the rooms are dropped and read again from the
//! database, and everybody who waits is told to try again.
//!
//! Strategies that fit a model are asked beside the writer, by the [planner](planner::Planner).

mod job;
pub(crate) mod pending;
mod planner;
pub(crate) mod room;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use partita_judging::campaign::log::{Moment, Stamp};
use partita_judging::campaign::{PlanBasis, WorkedPlan};
use tokio::sync::{mpsc, oneshot, watch};

use crate::guard::Secret;
use crate::problem::Problem;
use crate::store::{Store, StoreError, Transaction};
use job::{Deliver, Job, OfCampaign, Plain, Served};
use planner::Planner;
use room::Room;

/// A future that is kept in a box.
pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Why a turn came to nothing.
pub(crate) enum Refused {
    /// The request was wrong: nothing was written for it.
    Problem(Problem),
    /// The database failed: nothing of the whole transaction happened.
    Store(StoreError),
    /// There may be something after the next plan: nothing was written, and the turn is taken again then.
    AfterPlan(watch::Receiver<u64>),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A request whose turn it is.
pub(crate) struct Turn<'a> {
    /// The campaign.
    pub(crate) room: &'a mut Room,
    /// The transaction that all turns of this time share.
    pub(crate) transaction: &'a mut dyn Transaction,
    /// The secret of the server.
    pub(crate) secret: &'a Secret,
    /// The time.
    pub(crate) now: Now,
    /// Whether whoever asks waits for plans that are being worked out.
    patient: bool,
}

impl Turn<'_> {
    /// Puts the turn off until after the next plan, if there is one to come and whoever asks waits for it.
    ///
    /// # Errors
    /// The turn is to be taken again.
    pub(crate) fn after_plan(&self) -> Result<(), Refused> {
        let plans = self.patient.then(|| self.room.plans_to_come());
        plans
            .flatten()
            .map_or(Ok(()), |plans| Err(Refused::AfterPlan(plans)))
    }
}

/// The time of a turn, in thousandths of a second since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now(pub(crate) i64);

impl Now {
    /// The time by the clock of this machine.
    pub(crate) fn clock() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self(since.map_or(0, |since| since.as_millis() as i64))
    }

    pub(crate) fn seconds(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    pub(crate) fn moment(self) -> Moment {
        Moment::from_seconds(self.seconds()).expect("the clock shows a time of our era")
    }

    /// As text (RFC 3339).
    pub(crate) fn text(self) -> String {
        self.moment().to_string()
    }

    pub(crate) fn stamp(self, author: &str) -> Stamp {
        Stamp {
            at: self.moment(),
            author: author.to_owned(),
        }
    }
}

/// What happened at the desk so far.
#[derive(Default)]
pub(crate) struct Counts {
    /// Answers that were saved.
    pub(crate) answers: AtomicU64,
    /// Transactions that were committed.
    pub(crate) commits: AtomicU64,
}

/// Where turns are asked for.
#[derive(Clone)]
pub(crate) struct Desk {
    jobs: mpsc::Sender<Box<dyn Job>>,
    pub(crate) counts: Arc<Counts>,
}

/// The most turns that wait; whoever comes then is told to try again.
const MOST_WAITING: usize = 10_000;

/// The most turns of one transaction.
const MOST_TURNS: usize = 500;

/// How long somebody waits for plans in all before they are told how things are without them.
const PATIENCE: Duration = Duration::from_secs(10);

impl Desk {
    /// Opens the desk of a database; its writer ends when all who can ask are gone.
    pub(crate) fn open(
        store: Arc<dyn Store>,
        secret: Secret,
    ) -> (Self, impl Future<Output = ()> + Send) {
        Self::planning_by(store, secret, PlanBasis::work)
    }

    /// The same, with plans worked out like this.
    fn planning_by(
        store: Arc<dyn Store>,
        secret: Secret,
        work: impl Fn(PlanBasis) -> WorkedPlan + Send + 'static,
    ) -> (Self, impl Future<Output = ()> + Send) {
        let (jobs, waiting) = mpsc::channel(MOST_WAITING);
        let counts = Arc::new(Counts::default());
        let writer = Writer {
            store,
            secret,
            rooms: HashMap::new(),
            counts: counts.clone(),
            planner: Planner::start(jobs.downgrade(), work),
        };
        (Self { jobs, counts }, writer.work(waiting))
    }

    /// Takes a turn at a campaign.
    pub(crate) async fn turn<T, F>(&self, campaign: &str, run: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: for<'a, 'b> FnOnce(&'a mut Turn<'b>) -> Boxed<'a, Result<T, Refused>> + Send + 'static,
    {
        let (job, reply) = OfCampaign::new(campaign, false, run);
        done(self.wait(Box::new(job), reply).await?)
    }

    /// Takes a turn at a campaign, and takes it again if it is put off until [after a
    /// plan](Turn::after_plan). Others go on meanwhile.
    pub(crate) async fn patient_turn<T, F>(&self, campaign: &str, run: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: for<'a, 'b> Fn(&'a mut Turn<'b>) -> Boxed<'a, Result<T, Refused>>
            + Clone
            + Send
            + 'static,
    {
        let end = tokio::time::Instant::now() + PATIENCE;
        loop {
            let patient = tokio::time::Instant::now() < end;
            let (job, reply) = OfCampaign::new(campaign, patient, run.clone());
            match self.wait(Box::new(job), reply).await? {
                Served::AfterPlan(mut plans) => {
                    // A room that is gone is read again.
                    let _ = tokio::time::timeout_at(end, plans.changed()).await;
                }
                served => return done(served),
            }
        }
    }

    /// Writes something that belongs to no campaign, or to one that is yet to be.
    pub(crate) async fn write<T, F>(&self, run: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut dyn Transaction, Now) -> Boxed<'a, Result<T, Refused>>
            + Send
            + 'static,
    {
        let (job, reply) = Plain::new(run);
        done(self.wait(Box::new(job), reply).await?)
    }

    async fn wait<T>(
        &self,
        job: Box<dyn Job>,
        reply: oneshot::Receiver<Served<T>>,
    ) -> Result<Served<T>, Problem> {
        (self.jobs.try_send(job)).map_err(|_| Problem::unavailable())?;
        // A reply that never comes means that nothing was saved.
        reply.await.map_err(|_| Problem::unavailable())
    }
}

/// What came of a turn that was not put off.
fn done<T>(served: Served<T>) -> Result<T, Problem> {
    match served {
        Served::Done(result) => result,
        Served::AfterPlan(_) => unreachable!("only who is patient is put off"),
    }
}

struct Writer {
    store: Arc<dyn Store>,
    secret: Secret,
    rooms: HashMap<String, Room>,
    counts: Arc<Counts>,
    planner: Planner,
}

impl Writer {
    async fn work(mut self, mut waiting: mpsc::Receiver<Box<dyn Job>>) {
        while let Some(first) = waiting.recv().await {
            let mut jobs = vec![first];
            // Whoever is about to ask shares the commit.
            tokio::task::yield_now().await;
            while jobs.len() < MOST_TURNS
                && let Ok(job) = waiting.try_recv()
            {
                jobs.push(job);
            }
            let mut names = BTreeSet::new();
            for name in jobs.iter().filter_map(|job| job.campaign()) {
                if !names.contains(name) {
                    names.insert(name.to_owned());
                }
            }
            if let Err(error) = self.serve(&names, jobs).await {
                crate::trouble(&error);
                self.forget(&names);
                continue;
            }
            // What takes a model is worked out while the next are served.
            for name in &names {
                let plans = self.rooms.get_mut(name).map(Room::plans_to_work_out);
                for basis in plans.into_iter().flatten() {
                    self.planner.want(name, basis);
                }
            }
        }
        self.store.close().await;
    }

    fn forget(&mut self, names: &BTreeSet<String>) {
        for name in names {
            self.rooms.remove(name);
        }
    }

    /// Serves these jobs in one transaction.
    async fn serve(
        &mut self,
        names: &BTreeSet<String>,
        jobs: Vec<Box<dyn Job>>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.store.write().await?;
        // In the order of their names, so that two servers never wait for each other.
        for name in names {
            self.enter(transaction.as_mut(), name).await?;
        }
        let now = Now::clock();
        let mut replies: Vec<Deliver> = Vec::with_capacity(jobs.len());
        for job in jobs {
            let room = job.campaign().map(|name| self.rooms.get_mut(name));
            replies.push(
                job.run(room, transaction.as_mut(), &self.secret, now)
                    .await?,
            );
        }
        for name in names {
            if let Some(room) = self.rooms.get_mut(name) {
                room.plan_at_once(now);
            }
        }
        self.leave(transaction, names, now).await?;
        for deliver in replies {
            deliver(&self.counts);
        }
        Ok(())
    }

    /// Locks a campaign and sees to it that its room is as the database has it.
    async fn enter(
        &mut self,
        transaction: &mut dyn Transaction,
        name: &str,
    ) -> Result<(), StoreError> {
        match self.rooms.get_mut(name) {
            Some(room) => room.catch_up(transaction).await,
            None => {
                if let Some(room) = Room::open(transaction, name).await? {
                    self.rooms.insert(name.to_owned(), room);
                }
                Ok(())
            }
        }
    }

    /// Writes what happened in these campaigns, and commits.
    async fn leave(
        &mut self,
        mut transaction: Box<dyn Transaction>,
        names: &BTreeSet<String>,
        now: Now,
    ) -> Result<(), StoreError> {
        for name in names {
            if let Some(room) = self.rooms.get_mut(name) {
                room.flush(transaction.as_mut(), now).await?;
            }
        }
        transaction.commit().await?;
        self.counts.commits.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}
