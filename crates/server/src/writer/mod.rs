//! The desk: drives campaigns, one writer per server.
//!
//! Whatever changes a campaign is a [turn](Turn) at its [room](room::Room). The writer takes all turns that
//! wait, serves them in one transaction, commits, and only then answers: what arrives meanwhile shares the
//! next commit. If anything fails nothing has happened: the rooms are dropped and read again from the
//! database, and everybody who waits is told to try again.
//!
//! Strategies that fit a model are asked beside the writer, by the [planner](planner::Planner).

mod job;
pub(crate) mod log_buffer;
mod scheduler;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use partita_judging::campaign::log::{Stamp, Timestamp};
use partita_judging::campaign::{Schedule, ScheduleSnapshot};
use tokio::sync::{mpsc, oneshot, watch};

use crate::auth::ServerSecret;
use crate::campaign::state::CampaignState;
use crate::http::problem::HttpProblem;
use crate::store::{Store, StoreError, Transaction};
use job::{CampaignJob, Job, JobOutcome, PendingReply, StoreJob};
use scheduler::Scheduler;

/// A future that is kept in a box.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Why a turn came to nothing.
pub(crate) enum JobError {
    /// The request was wrong: nothing was written for it.
    Problem(HttpProblem),
    /// The database failed: nothing of the whole transaction happened.
    Store(StoreError),
    /// There may be something after the next plan: nothing was written, and the turn is taken again then.
    RetryAfterSchedule(watch::Receiver<u64>),
}

impl From<HttpProblem> for JobError {
    fn from(problem: HttpProblem) -> Self {
        Self::Problem(problem)
    }
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A request whose turn it is.
pub(crate) struct JobContext<'a> {
    /// The campaign.
    pub(crate) campaign: &'a mut CampaignState,
    /// The transaction that all turns of this time share.
    pub(crate) transaction: &'a mut dyn Transaction,
    /// The secret of the server.
    pub(crate) secret: &'a ServerSecret,
    /// The time.
    pub(crate) now: UnixMillis,
    /// Whether whoever asks waits for plans that are being worked out.
    may_wait: bool,
}

impl JobContext<'_> {
    /// Puts the turn off until after the next plan, if there is one to come and whoever asks waits for it.
    ///
    /// # Errors
    /// The turn is to be taken again.
    pub(crate) fn wait_for_schedule(&self) -> Result<(), JobError> {
        let plans = self
            .may_wait
            .then(|| self.campaign.subscribe_to_schedules());
        plans
            .flatten()
            .map_or(Ok(()), |plans| Err(JobError::RetryAfterSchedule(plans)))
    }
}

/// The time of a turn, in thousandths of a second since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnixMillis(pub(crate) i64);

impl UnixMillis {
    /// The time by the clock of this machine.
    pub(crate) fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self(since.map_or(0, |since| since.as_millis() as i64))
    }

    pub(crate) fn seconds(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    pub(crate) fn to_timestamp(self) -> Timestamp {
        Timestamp::from_seconds(self.seconds()).expect("the clock shows a time of our era")
    }

    /// As text (RFC 3339).
    pub(crate) fn to_rfc3339(self) -> String {
        self.to_timestamp().to_string()
    }

    pub(crate) fn to_stamp(self, author: &str) -> Stamp {
        Stamp {
            at: self.to_timestamp(),
            author: author.to_owned(),
        }
    }
}

/// What happened at the desk so far.
#[derive(Default)]
pub(crate) struct WriterMetrics {
    /// Answers that were saved.
    pub(crate) answers: AtomicU64,
    /// Transactions that were committed.
    pub(crate) commits: AtomicU64,
}

/// Where turns are asked for.
#[derive(Clone)]
pub(crate) struct WriterHandle {
    jobs: mpsc::Sender<Box<dyn Job>>,
    pub(crate) counts: Arc<WriterMetrics>,
}

/// The most turns that wait; whoever comes then is told to try again.
const QUEUE_CAPACITY: usize = 10_000;

/// The most turns of one transaction.
const MAX_JOBS_PER_TRANSACTION: usize = 500;

/// How long somebody waits for plans in all before they are told how things are without them.
const MAX_SCHEDULE_WAIT: Duration = Duration::from_secs(10);

impl WriterHandle {
    /// Opens the desk of a database; its writer ends when all who can ask are gone.
    pub(crate) fn start(
        store: Arc<dyn Store>,
        secret: ServerSecret,
    ) -> (Self, impl Future<Output = ()> + Send) {
        Self::start_with_scheduler(store, secret, ScheduleSnapshot::compute)
    }

    /// The same, with plans worked out like this.
    fn start_with_scheduler(
        store: Arc<dyn Store>,
        secret: ServerSecret,
        work: impl Fn(ScheduleSnapshot) -> Schedule + Send + 'static,
    ) -> (Self, impl Future<Output = ()> + Send) {
        let (jobs, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let counts = Arc::new(WriterMetrics::default());
        let writer = Writer {
            store,
            secret,
            campaigns: HashMap::new(),
            counts: counts.clone(),
            planner: Scheduler::start(jobs.downgrade(), work),
        };
        (Self { jobs, counts }, writer.run(waiting))
    }

    /// Takes a turn at a campaign.
    pub(crate) async fn run_job<T, F>(&self, campaign: &str, run: F) -> Result<T, HttpProblem>
    where
        T: Send + 'static,
        F: for<'a, 'b> FnOnce(&'a mut JobContext<'b>) -> BoxFuture<'a, Result<T, JobError>>
            + Send
            + 'static,
    {
        let (job, reply) = CampaignJob::new(campaign, false, run);
        expect_finished(self.enqueue(Box::new(job), reply).await?)
    }

    /// Takes a turn at a campaign, and takes it again if it is put off until [after a
    /// plan](Turn::after_plan). Others go on meanwhile.
    pub(crate) async fn run_job_after_scheduling<T, F>(
        &self,
        campaign: &str,
        run: F,
    ) -> Result<T, HttpProblem>
    where
        T: Send + 'static,
        F: for<'a, 'b> Fn(&'a mut JobContext<'b>) -> BoxFuture<'a, Result<T, JobError>>
            + Clone
            + Send
            + 'static,
    {
        let end = tokio::time::Instant::now() + MAX_SCHEDULE_WAIT;
        loop {
            let patient = tokio::time::Instant::now() < end;
            let (job, reply) = CampaignJob::new(campaign, patient, run.clone());
            match self.enqueue(Box::new(job), reply).await? {
                JobOutcome::RetryAfterSchedule(mut plans) => {
                    // A room that is gone is read again.
                    let _ = tokio::time::timeout_at(end, plans.changed()).await;
                }
                served => return expect_finished(served),
            }
        }
    }

    /// Writes something that belongs to no campaign, or to one that is yet to be.
    pub(crate) async fn run_transaction<T, F>(&self, run: F) -> Result<T, HttpProblem>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(
                &'a mut dyn Transaction,
                UnixMillis,
            ) -> BoxFuture<'a, Result<T, JobError>>
            + Send
            + 'static,
    {
        let (job, reply) = StoreJob::new(run);
        expect_finished(self.enqueue(Box::new(job), reply).await?)
    }

    async fn enqueue<T>(
        &self,
        job: Box<dyn Job>,
        reply: oneshot::Receiver<JobOutcome<T>>,
    ) -> Result<JobOutcome<T>, HttpProblem> {
        (self.jobs.try_send(job)).map_err(|_| HttpProblem::unavailable())?;
        // A reply that never comes means that nothing was saved.
        reply.await.map_err(|_| HttpProblem::unavailable())
    }
}

/// What came of a turn that was not put off.
fn expect_finished<T>(served: JobOutcome<T>) -> Result<T, HttpProblem> {
    match served {
        JobOutcome::Finished(result) => result,
        JobOutcome::RetryAfterSchedule(_) => unreachable!("only who is patient is put off"),
    }
}

struct Writer {
    store: Arc<dyn Store>,
    secret: ServerSecret,
    campaigns: HashMap<String, CampaignState>,
    counts: Arc<WriterMetrics>,
    planner: Scheduler,
}

impl Writer {
    async fn run(mut self, mut waiting: mpsc::Receiver<Box<dyn Job>>) {
        while let Some(first) = waiting.recv().await {
            let mut jobs = vec![first];
            // Whoever is about to ask shares the commit.
            tokio::task::yield_now().await;
            while jobs.len() < MAX_JOBS_PER_TRANSACTION
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
            if let Err(error) = self.run_batch(&names, jobs).await {
                crate::log_error(&error);
                self.drop_campaigns(&names);
                continue;
            }
            // What takes a model is worked out while the next are served.
            for name in &names {
                let plans = self
                    .campaigns
                    .get_mut(name)
                    .map(CampaignState::take_schedule_snapshots);
                for basis in plans.into_iter().flatten() {
                    self.planner.request(name, basis);
                }
            }
        }
        self.store.close().await;
    }

    fn drop_campaigns(&mut self, names: &BTreeSet<String>) {
        for name in names {
            self.campaigns.remove(name);
        }
    }

    /// Serves these jobs in one transaction.
    async fn run_batch(
        &mut self,
        names: &BTreeSet<String>,
        jobs: Vec<Box<dyn Job>>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.store.begin_write().await?;
        // In the order of their names, so that two servers never wait for each other.
        for name in names {
            self.load_and_lock(transaction.as_mut(), name).await?;
        }
        let now = UnixMillis::now();
        let mut replies: Vec<PendingReply> = Vec::with_capacity(jobs.len());
        for job in jobs {
            let room = job.campaign().map(|name| self.campaigns.get_mut(name));
            replies.push(
                job.run(room, transaction.as_mut(), &self.secret, now)
                    .await?,
            );
        }
        for name in names {
            if let Some(room) = self.campaigns.get_mut(name) {
                room.schedule_now(now);
            }
        }
        self.flush_and_commit(transaction, names, now).await?;
        for deliver in replies {
            deliver(&self.counts);
        }
        Ok(())
    }

    /// Locks a campaign and sees to it that its room is as the database has it.
    async fn load_and_lock(
        &mut self,
        transaction: &mut dyn Transaction,
        name: &str,
    ) -> Result<(), StoreError> {
        match self.campaigns.get_mut(name) {
            Some(room) => room.catch_up(transaction).await,
            None => {
                if let Some(room) = CampaignState::open(transaction, name).await? {
                    self.campaigns.insert(name.to_owned(), room);
                }
                Ok(())
            }
        }
    }

    /// Writes what happened in these campaigns, and commits.
    async fn flush_and_commit(
        &mut self,
        mut transaction: Box<dyn Transaction>,
        names: &BTreeSet<String>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        for name in names {
            if let Some(room) = self.campaigns.get_mut(name) {
                room.flush(transaction.as_mut(), now).await?;
            }
        }
        transaction.commit().await?;
        self.counts.commits.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}
