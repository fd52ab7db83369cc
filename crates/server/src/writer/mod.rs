//! Writer: the single task that changes campaigns.
//!
//! Each change is a [job](Job) that runs on a [`CampaignState`]. The writer takes the queued jobs,
//! at most 500 at a time, runs them in one transaction, commits, and then replies. Jobs that arrive
//! meanwhile share the next commit. If the transaction fails, nothing is changed: the writer drops
//! the affected campaign states, which are loaded from the database again when needed. If the
//! database cannot be used, the clients receive status 503. If it refuses one job, only the client
//! of this job does, and the writer repeats the other jobs.
//!
//! Schedules of strategies that fit a model are computed on a separate thread by the [`Scheduler`].

mod health;
mod job;
pub(crate) mod log_buffer;
mod scheduler;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use partita::judging::campaign::log::{Stamp, Timestamp};
use partita::judging::campaign::{Event, Schedule, ScheduleSnapshot};
use tokio::sync::{mpsc, oneshot, watch};

use crate::auth::ServerSecret;
use crate::campaign::integrity::{DamagedCampaigns, IntegrityError};
use crate::campaign::state::{AssessorRecord, CampaignState, OpenTask};
use crate::http::problem::HttpProblem;
use crate::operation::failure_log::{FailurePlace, log_failure};
use crate::operation::histogram::Histogram;
use crate::store::statement as sql;
use crate::store::{SqlRow, SqlValue, Statement, Store, StoreError, Transaction};
pub(crate) use health::WriteHealth;
pub(crate) use job::JobAccess;
use job::{BatchContext, Job, JobOutcome, PendingReply};
use scheduler::Scheduler;

/// Boxed future that can be sent to other threads.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Reason why a job did not give a result.
pub(crate) enum JobError {
    /// The request was rejected. The writer still commits what the job wrote before.
    Problem(HttpProblem),
    /// The database failed; the whole transaction is rolled back.
    Store(StoreError),
    /// The result may change with the next schedule (choice of questions), so the job is to be
    /// retried after that schedule is finished.
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

/// Context of a running job on a campaign.
pub(crate) struct JobContext<'a> {
    /// State of the campaign that the job works on.
    pub(crate) campaign: &'a mut CampaignState,
    /// Transaction that all jobs of the batch share.
    pub(crate) transaction: &'a mut dyn Transaction,
    /// Secret of the server, from which completion codes are derived.
    pub(crate) secret: &'a ServerSecret,
    /// Time when the batch of jobs started.
    pub(crate) now: UnixMillis,
    /// True if the client may be kept waiting for schedules that are being computed.
    may_wait: bool,
}

impl JobContext<'_> {
    /// Interrupts the job until the next schedule (choice of questions) is finished, if one is due
    /// or being computed and the client may be kept waiting.
    ///
    /// # Errors
    /// Returns [`JobError::RetryAfterSchedule`], which the job must pass on, if it is to be
    /// retried.
    pub(crate) fn wait_for_schedule(&self) -> Result<(), JobError> {
        let schedules = self
            .may_wait
            .then(|| self.campaign.subscribe_to_schedules());
        schedules.flatten().map_or(Ok(()), |schedules| {
            Err(JobError::RetryAfterSchedule(schedules))
        })
    }

    /// Refuses the request of an assessor whose personal data were erased. Their token may have been
    /// checked before the erasure, by this server or by another one.
    pub(crate) fn refuse_erased(&self, assessor: &str) -> Result<(), HttpProblem> {
        match self.campaign.assessors.get(assessor) {
            Some(person) if person.erased.is_some() => Err(HttpProblem::invalid_token()),
            _ => Ok(()),
        }
    }

    /// Executes a statement in the transaction and returns the number of affected rows.
    pub(crate) async fn execute(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<u64, StoreError> {
        self.transaction.execute(statement, values).await
    }

    /// Executes a query in the transaction that returns at most one row.
    pub(crate) async fn fetch_optional(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<Option<SqlRow>, StoreError> {
        self.transaction.fetch_optional(statement, values).await
    }

    /// Writes the buffered rows of the campaign to the database, so that queries find them.
    pub(crate) async fn flush_rows(&mut self) -> Result<(), StoreError> {
        self.campaign.flush_rows(self.transaction, self.now).await
    }

    /// Adds an assessor to the campaign.
    pub(crate) async fn add_assessor(&mut self, person: AssessorRecord) -> Result<(), StoreError> {
        let (transaction, now) = (&mut *self.transaction, self.now);
        self.campaign.add_assessor(transaction, person, now).await
    }

    /// Replaces the record of an assessor in memory and in the database.
    pub(crate) async fn update_assessor(
        &mut self,
        person: AssessorRecord,
    ) -> Result<(), StoreError> {
        self.campaign
            .update_assessor(self.transaction, person)
            .await
    }

    /// Saves a text that an assessor wrote about a task. `kind` is `comment` or `report`. Blank
    /// texts are ignored.
    pub(crate) async fn insert_remark(
        &mut self,
        task: &OpenTask,
        kind: &str,
        text: Option<String>,
    ) -> Result<(), StoreError> {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            return Ok(());
        };
        let values = vec![
            self.campaign.name.as_str().into(),
            task.person.as_str().into(),
            task.row_key.into(),
            kind.into(),
            self.now.0.into(),
            text.into(),
        ];
        self.execute(&sql::REMARK_ADD, values).await?;
        Ok(())
    }

    /// Records an event in the log of the campaign.
    pub(crate) fn record(&mut self, author: &str, event: Event) -> Result<(), HttpProblem> {
        self.campaign.record(self.now, author, event)
    }
}

/// Time in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnixMillis(pub(crate) i64);

impl UnixMillis {
    /// Returns the current time of the system clock.
    pub(crate) fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self(since.map_or(0, |since| since.as_millis() as i64))
    }

    /// Returns the time in seconds since the Unix epoch.
    pub(crate) fn seconds(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    pub(crate) fn to_timestamp(self) -> Timestamp {
        Timestamp::from_seconds(self.seconds()).expect("the time is within the range of timestamps")
    }

    /// Formats the time in RFC 3339, in UTC.
    pub(crate) fn to_rfc3339(self) -> String {
        self.to_timestamp().to_string()
    }

    /// Returns the time with the author of an event, for the log.
    pub(crate) fn to_stamp(self, author: &str) -> Stamp {
        Stamp {
            at: self.to_timestamp(),
            author: author.to_owned(),
        }
    }
}

/// Counters of the writer, exported as metrics.
#[derive(Default)]
pub(crate) struct WriterMetrics {
    /// Number of answers saved since the server started.
    pub(crate) answers: AtomicU64,
    /// Number of transactions committed since the server started.
    pub(crate) commits: AtomicU64,
    /// Number of transactions that failed since the server started.
    pub(crate) commit_failures: AtomicU64,
    /// Result of the last transaction, for the readiness probe.
    pub(crate) health: WriteHealth,
    /// Time to write the rows of each transaction and to commit it.
    pub(crate) commit_durations: Histogram,
    /// Time to compute each schedule (choice of the next questions) in the background.
    pub(crate) plan_durations: Histogram,
    /// Leases of the campaigns that were used since the server started, by name.
    leases: Mutex<HashMap<String, LeaseCount>>,
}

/// Leases of a campaign after its last transaction.
#[derive(Clone, Copy, Default)]
struct LeaseCount {
    /// Number of leases.
    count: usize,
    /// Time in Unix milliseconds when the last of them expires.
    last_expiry: i64,
}

impl WriterMetrics {
    fn leases(&self) -> MutexGuard<'_, HashMap<String, LeaseCount>> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the leases of a campaign, or that there is no such campaign.
    fn record_leases(&self, name: &str, campaign: Option<&CampaignState>) {
        let mut leases = self.leases();
        let Some(campaign) = campaign else {
            leases.remove(name);
            return;
        };
        let current = LeaseCount {
            count: campaign.lease_count(),
            last_expiry: campaign.last_lease_expiry().unwrap_or(0),
        };
        match leases.get_mut(name) {
            Some(known) => *known = current,
            None => _ = leases.insert(name.to_owned(), current),
        }
    }

    /// Returns the number of leases of a campaign; 0 if it was not used since the server started.
    pub(crate) fn lease_count(&self, campaign: &str) -> usize {
        let leases = self.leases().get(campaign).copied().unwrap_or_default();
        let is_current = leases.last_expiry > UnixMillis::now().0;
        if is_current { leases.count } else { 0 }
    }

    /// Returns true if a campaign of this name was used since the server started.
    pub(crate) fn knows_campaign(&self, name: &str) -> bool {
        self.leases().contains_key(name)
    }
}

/// Handle through which jobs are sent to the queue of the writer.
#[derive(Clone)]
pub(crate) struct WriterHandle {
    jobs: mpsc::Sender<Job>,
    pub(crate) metrics: Arc<WriterMetrics>,
    /// Campaigns in which nothing can be saved.
    pub(crate) damaged: Arc<DamagedCampaigns>,
}

/// Maximum number of queued jobs. Requests that find the queue full are answered with 503.
const QUEUE_CAPACITY: usize = 10_000;

/// Key of the database row that [`WriterHandle::probe`] writes.
const PROBE_KEY: &str = "write_probe";

/// Maximum number of jobs per transaction.
const MAX_JOBS_PER_TRANSACTION: usize = 500;

/// Maximum total time that a job waits for schedules. After it, the client gets a reply based on
/// the schedules recorded so far.
const MAX_SCHEDULE_WAIT: Duration = Duration::from_secs(10);

impl WriterHandle {
    /// Creates the writer of a database. Returns its handle, and the future that runs the writer
    /// until all handles are dropped.
    pub(crate) fn start(
        store: Arc<dyn Store>,
        secret: ServerSecret,
    ) -> (Self, impl Future<Output = ()> + Send) {
        Self::start_with_scheduler(store, secret, ScheduleSnapshot::compute)
    }

    /// Creates the writer like [`start`](Self::start). `compute` computes a schedule from a
    /// snapshot; tests replace this function.
    fn start_with_scheduler(
        store: Arc<dyn Store>,
        secret: ServerSecret,
        compute: impl Fn(ScheduleSnapshot) -> Schedule + Send + 'static,
    ) -> (Self, impl Future<Output = ()> + Send) {
        let (jobs, queue) = mpsc::channel(QUEUE_CAPACITY);
        let metrics = Arc::new(WriterMetrics::default());
        let damaged = Arc::new(DamagedCampaigns::default());
        let writer = Writer {
            store,
            secret,
            campaigns: HashMap::new(),
            damaged: damaged.clone(),
            unreadable: BTreeSet::new(),
            metrics: metrics.clone(),
            scheduler: Scheduler::start(jobs.downgrade(), metrics.clone(), compute),
        };
        let handle = Self {
            jobs,
            metrics,
            damaged,
        };
        (handle, writer.run(queue))
    }

    /// Runs a job that changes nothing and returns its result. Unlike other jobs, it can also use a
    /// damaged campaign, whose state then ends before the fault.
    pub(crate) async fn run_read_job<T, F>(&self, campaign: &str, run: F) -> Result<T, HttpProblem>
    where
        T: Send + 'static,
        F: for<'a, 'b> FnOnce(&'a mut JobContext<'b>) -> BoxFuture<'a, Result<T, JobError>>
            + Clone
            + Send
            + 'static,
    {
        let (job, reply) = Job::on_campaign(campaign, JobAccess::Read, false, run);
        expect_finished(self.enqueue(job, reply).await?)
    }

    /// Runs a job on a campaign and returns its result after the commit.
    pub(crate) async fn run_job<T, F>(&self, campaign: &str, run: F) -> Result<T, HttpProblem>
    where
        T: Send + 'static,
        F: for<'a, 'b> FnOnce(&'a mut JobContext<'b>) -> BoxFuture<'a, Result<T, JobError>>
            + Clone
            + Send
            + 'static,
    {
        let (job, reply) = Job::on_campaign(campaign, JobAccess::Change, false, run);
        expect_finished(self.enqueue(job, reply).await?)
    }

    /// Runs a job on a campaign, and retries it after the next schedule if it [asks for
    /// that](JobContext::wait_for_schedule), for at most [`MAX_SCHEDULE_WAIT`]. Other jobs run
    /// meanwhile.
    pub(crate) async fn run_job_after_scheduling<T, F>(
        &self,
        campaign: &str,
        access: JobAccess,
        run: F,
    ) -> Result<T, HttpProblem>
    where
        T: Send + 'static,
        F: for<'a, 'b> Fn(&'a mut JobContext<'b>) -> BoxFuture<'a, Result<T, JobError>>
            + Clone
            + Send
            + 'static,
    {
        let deadline = tokio::time::Instant::now() + MAX_SCHEDULE_WAIT;
        loop {
            let may_wait = tokio::time::Instant::now() < deadline;
            let (job, reply) = Job::on_campaign(campaign, access, may_wait, run.clone());
            match self.enqueue(job, reply).await? {
                JobOutcome::RetryAfterSchedule(mut schedules) => {
                    // If the campaign state was dropped, the retry loads it again.
                    let _ = tokio::time::timeout_at(deadline, schedules.changed()).await;
                }
                outcome => return expect_finished(outcome),
            }
        }
    }

    /// Runs a job that needs no campaign state, for example the creation of a campaign.
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
        let (job, reply) = Job::in_transaction(run);
        expect_finished(self.enqueue(job, reply).await?)
    }

    /// Writes a row that nobody reads, so that the result shows whether the database takes writes
    /// again.
    pub(crate) async fn probe(&self) {
        let written = self.run_transaction(|transaction, now| {
            Box::pin(async move {
                let values = vec![PROBE_KEY.into(), now.to_rfc3339().into()];
                transaction.execute(&sql::META_SET, values).await?;
                Ok(())
            })
        });
        // The writer records the result.
        let _ = written.await;
    }

    /// Returns the number of jobs that wait for the writer.
    pub(crate) fn queued_jobs(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    /// Sends a job to the writer and waits for its outcome.
    async fn enqueue<T>(
        &self,
        job: Job,
        reply: oneshot::Receiver<JobOutcome<T>>,
    ) -> Result<JobOutcome<T>, HttpProblem> {
        (self.jobs.try_send(job)).map_err(|_| HttpProblem::unavailable())?;
        // A dropped reply means that nothing was saved.
        reply.await.map_err(|_| HttpProblem::unavailable())
    }
}

/// Returns the result of a finished job. Panics if the job waits for a schedule to be computed,
/// which only jobs that may wait do.
fn expect_finished<T>(outcome: JobOutcome<T>) -> Result<T, HttpProblem> {
    match outcome {
        JobOutcome::Finished(result) => result,
        JobOutcome::RetryAfterSchedule(_) => {
            unreachable!("a job that may not wait is never deferred")
        }
    }
}

/// State of the writer: the campaigns in memory and the database.
struct Writer {
    store: Arc<dyn Store>,
    secret: ServerSecret,
    campaigns: HashMap<String, CampaignState>,
    damaged: Arc<DamagedCampaigns>,
    /// Names of damaged campaigns of which nothing can be read. They are not read again.
    unreadable: BTreeSet<String>,
    metrics: Arc<WriterMetrics>,
    scheduler: Scheduler,
}

/// Failure of a batch of jobs, whose transaction was rolled back.
struct BatchError {
    error: StoreError,
    /// Position of the job that failed, if it is known that no other job is the cause.
    job: Option<usize>,
}

impl BatchError {
    /// Creates the error of the job at a position in the batch.
    fn in_job(place: usize, error: StoreError) -> Self {
        // A job may have to write the rows that earlier jobs buffered.
        let job = (!error.is_of_buffered_rows()).then_some(place);
        Self { error, job }
    }
}

impl From<StoreError> for BatchError {
    fn from(error: StoreError) -> Self {
        Self { error, job: None }
    }
}

/// Finds the campaign of a job.
///
/// # Errors
/// Returns the problem of a campaign that does not exist, or that is damaged and cannot be used as
/// the job needs.
fn find_campaign<'a>(
    campaigns: &'a mut HashMap<String, CampaignState>,
    damaged: &DamagedCampaigns,
    name: &str,
    access: JobAccess,
) -> Result<&'a mut CampaignState, HttpProblem> {
    let problem = damaged.problem(name);
    match (campaigns.get_mut(name), problem) {
        (Some(campaign_state), None) => Ok(campaign_state),
        (Some(campaign_state), Some(_)) if access == JobAccess::Read => Ok(campaign_state),
        (_, Some(problem)) => Err(problem),
        (None, None) => Err(HttpProblem::not_found("campaign")),
    }
}

impl Writer {
    /// Runs jobs in batches until all handles are dropped.
    async fn run(mut self, mut queue: mpsc::Receiver<Job>) {
        while let Some(first) = queue.recv().await {
            let mut jobs = vec![first];
            // Yield once, so that jobs that are about to be queued share this commit.
            tokio::task::yield_now().await;
            while jobs.len() < MAX_JOBS_PER_TRANSACTION
                && let Ok(job) = queue.try_recv()
            {
                jobs.push(job);
            }
            // A job without a campaign is not repeated, so it must not share a transaction.
            let (shared, alone): (Vec<Job>, Vec<Job>) =
                jobs.into_iter().partition(|job| job.campaign.is_some());
            self.run_jobs(shared).await;
            for job in alone {
                self.run_jobs(vec![job]).await;
            }
        }
        self.store.close().await;
    }

    /// Runs jobs in one transaction. If the database works but refuses one of the jobs, the others
    /// are repeated without it. Jobs that fail are dropped, and their clients receive status 503.
    async fn run_jobs(&mut self, jobs: Vec<Job>) {
        let mut batches = vec![jobs];
        while let Some(mut jobs) = batches.pop() {
            if jobs.is_empty() {
                continue;
            }
            let mut names = BTreeSet::new();
            for name in jobs.iter().filter_map(|job| job.campaign.as_ref()) {
                if !names.contains(name) {
                    names.insert(name.clone());
                }
            }
            let Err(BatchError { error, job }) = self.run_batch(&names, &mut jobs).await else {
                self.request_schedules(&names);
                continue;
            };
            log_failure(&error, self.failure_place(&names, &jobs));
            self.metrics.commit_failures.fetch_add(1, Ordering::Relaxed);
            if error.is_outage() {
                self.metrics.health.record_failure(&error);
            }
            // The states contain changes that were rolled back. They are loaded again when needed.
            for name in &names {
                self.campaigns.remove(name);
            }
            if error.is_outage() || jobs.len() == 1 {
                continue;
            }
            match job {
                Some(place) => drop(jobs.remove(place)),
                None => batches.push(jobs.split_off(jobs.len() / 2)),
            }
            batches.push(jobs);
        }
    }

    /// Returns the campaigns of a failed batch of jobs, and the request of its first job. Names that
    /// a client may have invented are left out.
    fn failure_place(&self, names: &BTreeSet<String>, jobs: &[Job]) -> FailurePlace {
        let mut known: Vec<&str> = names.iter().map(String::as_str).collect();
        known.retain(|name| self.metrics.knows_campaign(name));
        FailurePlace {
            campaign: (!known.is_empty()).then(|| known.join(" and ")),
            person: None,
            request: jobs.iter().find_map(|job| job.request.clone()),
        }
    }

    /// Starts the background schedules that are due in the named campaigns. They are computed while
    /// the next jobs run.
    fn request_schedules(&mut self, names: &BTreeSet<String>) {
        for name in names {
            let schedules = self
                .campaigns
                .get_mut(name)
                .map(CampaignState::take_schedule_snapshots);
            for snapshot in schedules.into_iter().flatten() {
                self.scheduler.request(name, snapshot);
            }
        }
    }

    /// Runs a batch of jobs in one transaction; `names` are the campaigns of the jobs.
    async fn run_batch(
        &mut self,
        names: &BTreeSet<String>,
        jobs: &mut [Job],
    ) -> Result<(), BatchError> {
        let waiting = self.metrics.health.start_waiting();
        let mut transaction = self.store.begin_write().await?;
        drop(waiting);
        // Lock campaigns in the order of their names, so that two servers cannot deadlock.
        for name in names {
            self.load_and_lock(transaction.as_mut(), name).await?;
        }
        let now = UnixMillis::now();
        let mut replies: Vec<PendingReply> = Vec::with_capacity(jobs.len());
        for (place, job) in jobs.iter_mut().enumerate() {
            let name = job.campaign.as_deref();
            let batch = BatchContext {
                campaign: name.map(|name| {
                    find_campaign(&mut self.campaigns, &self.damaged, name, job.access)
                }),
                transaction: transaction.as_mut(),
                secret: &self.secret,
                now,
            };
            let running = (job.run)(batch);
            replies.push(
                running
                    .await
                    .map_err(|error| BatchError::in_job(place, error))?,
            );
        }
        for name in names {
            if let Some(campaign_state) = self.campaigns.get_mut(name) {
                campaign_state.schedule_now(now);
            }
        }
        let started = Instant::now();
        self.flush_and_commit(transaction, names, now).await?;
        self.metrics.commit_durations.record(started.elapsed());
        for name in names {
            let campaign = self.campaigns.get(name);
            self.metrics.record_leases(name, campaign);
        }
        for deliver in replies {
            deliver(&self.metrics);
        }
        Ok(())
    }

    /// Locks a campaign and brings its state up to date with the database. Does nothing if the
    /// campaign does not exist. A damaged campaign is no error, because the jobs of other campaigns
    /// share the transaction.
    async fn load_and_lock(
        &mut self,
        transaction: &mut dyn Transaction,
        name: &str,
    ) -> Result<(), StoreError> {
        if self.unreadable.contains(name) && self.damaged.contains(name) {
            return Ok(());
        }
        if let Some(campaign_state) = self.campaigns.get_mut(name) {
            if campaign_state.damage().is_some() {
                return Ok(());
            }
            // An organiser's request may have found damage in what this state read earlier.
            if !self.damaged.contains(name) {
                match campaign_state.catch_up(transaction).await {
                    // Open the campaign again: it may be damaged, or be another of this name.
                    Err(StoreError::Corrupted(_)) => {}
                    done => return done,
                }
            }
            self.campaigns.remove(name);
        }
        match CampaignState::open(transaction, name).await {
            Ok(None) => self.damaged.remove(name),
            Ok(Some(campaign_state)) => {
                if let Some(error) = campaign_state.damage() {
                    self.damaged.insert(name, error.clone());
                }
                self.campaigns.insert(name.to_owned(), campaign_state);
            }
            Err(StoreError::Corrupted(reason)) => {
                (self.damaged).insert(name, IntegrityError { event: 1, reason });
                self.unreadable.insert(name.to_owned());
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Writes the buffered changes of the named campaigns and commits the transaction.
    async fn flush_and_commit(
        &mut self,
        mut transaction: Box<dyn Transaction>,
        names: &BTreeSet<String>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        for name in names {
            if let Some(campaign_state) = self.campaigns.get_mut(name) {
                campaign_state.flush(transaction.as_mut(), now).await?;
            }
        }
        let waiting = self.metrics.health.start_waiting();
        transaction.commit().await?;
        drop(waiting);
        self.metrics.commits.fetch_add(1, Ordering::Relaxed);
        self.metrics.health.record_success();
        Ok(())
    }
}
