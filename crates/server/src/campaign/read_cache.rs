//! Read cache of campaigns for organisers. It reads the database directly and never blocks the
//! writer or a thread of the runtime.
//!
//! Each campaign has one computation at a time. Its result is cached with the number of the last
//! event, so requests for the same result share it until the next event.

use std::any::Any;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use partita::judging::campaign::log::{LogReader, LogTail};
use partita::judging::campaign::{Campaign, JudgmentKind};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::computation_queue::{ComputationQueue, QueuePlace};
use super::integrity::IntegrityError;
use crate::AppState;
use crate::http::problem::HttpProblem;
use crate::store::statement as sql;
use crate::store::{CampaignNumber, SqlValue, StoreError, Transaction};
use crate::writer::JobAccess;

/// Campaign replayed from its log.
struct CachedCampaign {
    /// Number of the campaign. A later campaign of the same name has another one.
    number: CampaignNumber,
    campaign: Campaign,
    /// Tail of the log up to which the campaign was replayed.
    tail: LogTail,
}

/// Cache of the campaigns that organisers viewed, and of what was computed from them.
#[derive(Default)]
pub(crate) struct CampaignReadCache {
    readers: Mutex<HashMap<String, Arc<CampaignReader>>>,
    queue: ComputationQueue,
}

/// Cached campaign and results of one campaign.
#[derive(Default)]
struct CampaignReader {
    /// Campaign up to an event. Locked while a result is computed.
    campaign: Arc<AsyncMutex<Option<CachedCampaign>>>,
    results: Mutex<HashMap<Cow<'static, str>, Arc<ResultSlot>>>,
}

/// Place of one kind of result.
#[derive(Default)]
struct ResultSlot {
    /// Lock of the request that computes the result. Others wait for it and share the result.
    turn: Arc<AsyncMutex<()>>,
    latest: Mutex<LatestResult>,
}

/// Latest result of one kind.
#[derive(Default)]
struct LatestResult {
    /// Number of the last event that the result takes into account, and the result.
    result: Option<(u64, Arc<dyn Any + Send + Sync>)>,
    /// True if the result was used since the last [eviction](CampaignReadCache::evict_unused).
    was_used: bool,
}

/// Locks a map or a result. The lock is only held for a moment.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CampaignReadCache {
    /// Returns the cache of one campaign.
    fn reader(&self, campaign: &str) -> Arc<CampaignReader> {
        let mut readers = lock(&self.readers);
        readers.entry(campaign.to_owned()).or_default().clone()
    }

    /// Drops the results that nobody used since the last call.
    pub(crate) fn evict_unused(&self) {
        for reader in lock(&self.readers).values() {
            lock(&reader.results).retain(|_, slot| {
                // A slot that is in use must stay, so that its result is computed only once.
                let is_shared = Arc::strong_count(slot) > 1;
                let mut latest = lock(&slot.latest);
                std::mem::take(&mut latest.was_used) || is_shared
            });
        }
    }
}

impl ResultSlot {
    /// Returns the result if it takes into account all events up to `seq`.
    fn since<T: Send + Sync + 'static>(&self, seq: u64) -> Option<Arc<T>> {
        let mut latest = lock(&self.latest);
        let (known, result) = latest.result.as_ref()?;
        if *known < seq {
            return None;
        }
        let result = result.clone().downcast();
        latest.was_used = true;
        Some(result.expect("the results of one key have one type"))
    }

    /// Stores a result that takes into account the events up to `seq`.
    fn store<T: Send + Sync + 'static>(&self, seq: u64, result: Arc<T>) {
        *lock(&self.latest) = LatestResult {
            result: Some((seq, result)),
            was_used: true,
        };
    }
}

/// Cached campaign that is locked for one computation.
pub(crate) struct LockedCampaign {
    name: String,
    place: QueuePlace,
    cached: OwnedMutexGuard<Option<CachedCampaign>>,
}

/// Reads the number of a campaign.
pub(crate) async fn fetch_number(
    transaction: &mut dyn Transaction,
    campaign: &str,
) -> Result<CampaignNumber, HttpProblem> {
    let known = transaction
        .fetch_optional(&sql::CAMPAIGN_NUMBER, vec![campaign.into()])
        .await?;
    let mut known = known.ok_or_else(|| HttpProblem::not_found("campaign"))?;
    Ok(CampaignNumber(known.int()?))
}

/// Reads the log lines between two row keys, without line terminators.
async fn fetch_lines(
    transaction: &mut dyn Transaction,
    keys: Vec<SqlValue>,
) -> Result<Vec<String>, StoreError> {
    let rows = transaction.fetch_all(&sql::EVENT_AFTER, keys).await?;
    rows.into_iter().map(|mut row| row.text()).collect()
}

/// Reads the log lines of a campaign that follow the event with sequence number `after`, up to and
/// including that with the number `last` if it is given, without line terminators.
pub(crate) async fn fetch_log_lines(
    transaction: &mut dyn Transaction,
    campaign: &str,
    after: i64,
    last: Option<u64>,
) -> Result<Vec<String>, HttpProblem> {
    let number = fetch_number(transaction, campaign).await?;
    Ok(fetch_lines(transaction, log_keys(number, after, last)).await?)
}

/// Returns the bounds of the row keys of the events after `after`, up to and including `last` if it
/// is given.
fn log_keys(number: CampaignNumber, after: i64, last: Option<u64>) -> Vec<SqlValue> {
    match last {
        Some(last) => number.keys_between(after.clamp(0, last as i64), last as i64),
        None => number.keys_after(after),
    }
}

/// Part of a campaign's description that never changes.
#[derive(serde::Deserialize)]
pub(crate) struct CampaignHeader {
    pub(crate) kinds: Vec<JudgmentKind>,
}

impl CampaignHeader {
    /// Reads the header from the first line of the log.
    pub(crate) fn parse(line: &str) -> Result<Self, StoreError> {
        #[derive(serde::Deserialize)]
        struct FirstLine {
            spec: CampaignHeader,
        }
        let line: FirstLine = serde_json::from_str(line).map_err(StoreError::corrupted)?;
        Ok(line.spec)
    }

    /// Reads the header of a campaign from the database; returns `None` if it does not exist.
    pub(crate) async fn fetch(
        transaction: &mut dyn Transaction,
        campaign: &str,
    ) -> Result<Option<Self>, StoreError> {
        let known = transaction
            .fetch_optional(&sql::CAMPAIGN_NUMBER, vec![campaign.into()])
            .await?;
        let Some(mut known) = known else {
            return Ok(None);
        };
        let key = CampaignNumber(known.int()?).row_key(1);
        let line = transaction
            .fetch_optional(&sql::EVENT_LINE, vec![key.into()])
            .await?;
        let mut line = line.ok_or_else(|| StoreError::corrupted("a log has no first event"))?;
        Self::parse(&line.text()?).map(Some)
    }
}

impl AppState {
    /// Waits until the queued jobs of the campaign have run and no schedule (choice of the next
    /// questions) is due or being computed, but at most 10 seconds for schedules. A log and a state
    /// that are read afterwards match, unless a new event is recorded between the two reads.
    /// Returns the number of the last event.
    pub(crate) async fn wait_for_pending_changes(&self, name: &str) -> Result<u64, HttpProblem> {
        let access = JobAccess::Read;
        let finished = self
            .writer
            .run_job_after_scheduling(name, access, |context| {
                let waited = context.wait_for_schedule();
                let seq = context.campaign.tail().seq;
                Box::pin(async move { waited.map(|()| seq) })
            });
        finished.await
    }

    /// Returns the number of the last event of a campaign up to which its log may be read: `seq`, the
    /// last event that the writer knows, if the campaign is damaged, otherwise `None`.
    pub(crate) fn last_sound_event(&self, name: &str, seq: u64) -> Option<u64> {
        self.writer.damaged.contains(name).then_some(seq)
    }

    /// Returns a result that is computed from the campaign after all pending changes. Requests with
    /// the same `key` share the result until the next event, so the key must name everything else
    /// that the result depends on.
    pub(crate) async fn campaign_result<T: Send + Sync + 'static>(
        &self,
        name: &str,
        key: impl Into<Cow<'static, str>>,
        compute: impl FnOnce(&Campaign) -> Result<T, HttpProblem> + Send + 'static,
    ) -> Result<Arc<T>, HttpProblem> {
        let seq = self.wait_for_pending_changes(name).await?;
        let slot = {
            let reader = self.read_cache.reader(name);
            let mut results = lock(&reader.results);
            results.entry(key.into()).or_default().clone()
        };
        if let Some(result) = slot.since(seq) {
            return Ok(result);
        }
        let turn = slot.turn.clone().lock_owned().await;
        if let Some(result) = slot.since(seq) {
            return Ok(result);
        }
        let locked = self.lock_campaign(name).await?;
        let last_sound = self.last_sound_event(name, seq);
        let computed = locked.compute(self, last_sound, move |campaign, seq| {
            let result = Arc::new(compute(campaign)?);
            slot.store(seq, result.clone());
            // Keep the turn until here, even if the client of this request has gone.
            drop(turn);
            Ok(result)
        });
        computed.await
    }

    /// Takes a place in the queue of computations and locks the cached campaign.
    ///
    /// # Errors
    /// Returns a problem with status 503 if the queue is full.
    pub(crate) async fn lock_campaign(&self, name: &str) -> Result<LockedCampaign, HttpProblem> {
        let place = self.read_cache.queue.enter()?;
        let campaign = self.read_cache.reader(name).campaign.clone();
        Ok(LockedCampaign {
            name: name.to_owned(),
            place,
            cached: campaign.lock_owned().await,
        })
    }
}

impl LockedCampaign {
    /// Brings the campaign up to date with its log, but not beyond the event `up_to`, and computes
    /// a result on a blocking thread. The closure receives the campaign and the number of its last
    /// event.
    pub(crate) async fn compute<T: Send + 'static>(
        self,
        shared: &AppState,
        up_to: Option<u64>,
        compute: impl FnOnce(&Campaign, u64) -> Result<T, HttpProblem> + Send + 'static,
    ) -> Result<T, HttpProblem> {
        let Self {
            name,
            place,
            mut cached,
        } = self;
        let permit = place.wait().await;
        let mut read = shared.store.begin_read().await?;
        let number = fetch_number(read.as_mut(), &name).await?;
        if cached
            .as_ref()
            .is_some_and(|cached| cached.number != number)
        {
            *cached = None;
        }
        let after = cached.as_ref().map_or(0, |cached| cached.tail.seq as i64);
        let lines = fetch_lines(read.as_mut(), log_keys(number, after, up_to)).await?;
        read.rollback().await?;
        let damaged = shared.writer.damaged.clone();
        let computed = tokio::task::spawn_blocking(move || {
            if let Err(error) = apply_new_lines(&mut cached, number, &lines) {
                // Some of the lines may have been applied.
                *cached = None;
                damaged.insert(&name, error);
                return Err(damaged
                    .problem(&name)
                    .unwrap_or_else(HttpProblem::unavailable));
            }
            let known = (cached.as_ref()).expect("`apply_new_lines` filled the cache entry");
            let result = compute(&known.campaign, known.tail.seq);
            drop(permit);
            result
        });
        computed.await.map_err(|_| HttpProblem::unavailable())?
    }
}

/// Applies new log lines to the cached campaign.
///
/// # Errors
/// Returns the integrity error of a line that does not continue the log. The cached campaign is not
/// usable in that case.
fn apply_new_lines(
    cached: &mut Option<CachedCampaign>,
    number: CampaignNumber,
    lines: &[String],
) -> Result<(), IntegrityError> {
    let fault = |event: u64, reason: String| IntegrityError { event, reason };
    let tail = cached.as_ref().map(|cached| cached.tail);
    let mut reader = tail.map_or_else(LogReader::default, LogReader::from_tail);
    let mut entries = Vec::with_capacity(lines.len());
    for line in lines {
        let entry = reader.read_entry(line.as_bytes());
        entries.push(entry.map_err(|error| fault(error.line as u64, error.message))?);
    }
    match cached {
        None => {
            let campaign = Campaign::replay(entries.iter().map(|entry| &entry.event));
            let campaign =
                campaign.map_err(|(place, error)| fault(place as u64 + 1, error.to_string()))?;
            let tail = reader.tail();
            *cached = Some(CachedCampaign {
                number,
                campaign,
                tail,
            });
        }
        Some(cached) => {
            for entry in &entries {
                let applied = cached.campaign.apply(&entry.event);
                applied.map_err(|error| fault(entry.seq, error.to_string()))?;
            }
            cached.tail = reader.tail();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use serde_json::json;
    use tempfile::TempDir;

    use super::*;
    use crate::auth::ServerSecret;
    use crate::auth::token_cache::TokenCache;
    use crate::campaign::forecast_cache::ForecastCache;
    use crate::campaign::upload::{CampaignUpload, create_campaign};
    use crate::http::problem::ProblemKind;
    use crate::http::rate_limit::RateLimits;
    use crate::media::MediaReader;
    use crate::operation::request_observer::RequestObserver;
    use crate::store::migrations;
    use crate::store::sqlite::SqliteStore;
    use crate::writer::WriterHandle;

    /// Starts a server without addresses that has the campaign `c`.
    async fn start(folder: &TempDir) -> Arc<AppState> {
        let store = SqliteStore::open(&folder.path().join("a.db")).await;
        let store: Arc<dyn crate::store::Store> = Arc::new(store.expect("the database opens"));
        let migrated = migrations::migrate(store.as_ref()).await;
        migrated.expect("the migration succeeds");
        let secret = ServerSecret::load_or_create(&folder.path().join("secret"));
        let secret = secret.expect("a secret can be created");
        let (writer, running) = WriterHandle::start(store.clone(), secret);
        tokio::spawn(running);
        let observer = Arc::new(RequestObserver::new(writer.metrics.clone()));
        let items = ["x", "y"].map(|item| json!({"item": item, "show": {"text": item}}));
        let list = json!({"query": "q", "show": {"text": "q"}, "items": items});
        let document = json!({"name": "c", "title": "C", "lists": [list]});
        let made = writer.run_transaction(move |transaction, now| {
            let upload = CampaignUpload::parse(document.to_string().as_bytes());
            let upload = upload.unwrap_or_else(|problem| panic!("{}", problem.detail));
            Box::pin(async move {
                let made = create_campaign(transaction, upload, "test", now);
                made.await.map(drop)
            })
        });
        assert!(made.await.is_ok(), "the campaign must be created");
        Arc::new(AppState {
            writer,
            media: MediaReader::new(store.clone()),
            store,
            rate_limits: RateLimits::new(true, Vec::new()),
            token_cache: TokenCache::default(),
            read_cache: CampaignReadCache::default(),
            forecasts: ForecastCache::default(),
            public_url: String::new(),
            observer,
            contact: None,
        })
    }

    /// Computations that wait at a gate.
    #[derive(Clone)]
    struct Gate {
        opened: Arc<Mutex<Receiver<()>>>,
        begun: Arc<AtomicUsize>,
    }

    impl Gate {
        fn new() -> (Self, Sender<()>) {
            let (open, opened) = channel();
            let (opened, begun) = (Arc::new(Mutex::new(opened)), Arc::default());
            (Self { opened, begun }, open)
        }

        /// Requests a result that is computed when the gate lets it pass: the number of lists.
        fn request(
            &self,
            shared: &Arc<AppState>,
            key: &'static str,
        ) -> tokio::task::JoinHandle<Result<Arc<usize>, HttpProblem>> {
            let (gate, shared) = (self.clone(), shared.clone());
            tokio::spawn(async move {
                let result = shared.campaign_result("c", key, move |campaign| {
                    gate.begun.fetch_add(1, Ordering::SeqCst);
                    let passed = lock(&gate.opened).recv();
                    passed.expect("the test opens the gate");
                    Ok(campaign.list_count())
                });
                result.await
            })
        }

        /// Waits until a number of computations have begun.
        async fn wait_for(&self, begun: usize) {
            while self.begun.load(Ordering::SeqCst) < begun {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn server_a3_jobs_run_while_results_are_computed_and_shared() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let shared = start(&folder).await;
        let (gate, open) = Gate::new();
        let first = gate.request(&shared, "one");
        gate.wait_for(1).await;
        let same: Vec<_> = (0..50).map(|_| gate.request(&shared, "one")).collect();
        let other = gate.request(&shared, "other");
        // The only thread of the runtime handles jobs, although 51 requests wait.
        for _ in 0..20 {
            assert!(shared.wait_for_pending_changes("c").await.is_ok());
            tokio::task::yield_now().await;
        }
        assert_eq!(gate.begun.load(Ordering::SeqCst), 1);
        for _ in 0..2 {
            open.send(()).expect("a computation waits");
        }
        for request in same.into_iter().chain([first, other]) {
            let result = request.await.expect("the task does not panic");
            assert_eq!(result.ok().as_deref(), Some(&1));
        }
        assert_eq!(
            gate.begun.load(Ordering::SeqCst),
            2,
            "one computation per result"
        );

        // The result is computed again after an event, and after nobody used it for a while.
        let paused = shared.writer.run_job("c", |context| {
            let action = partita::judging::campaign::Action::Pause;
            let done = context.campaign.perform(context.now, "test", &action);
            Box::pin(async move { Ok(done?) })
        });
        assert!(paused.await.is_ok());
        for (begun, evictions) in [(3, 0), (3, 1), (4, 2)] {
            for _ in 0..evictions {
                shared.read_cache.evict_unused();
            }
            open.send(()).expect("the gate exists");
            let result = gate.request(&shared, "one").await;
            assert!(result.expect("the task does not panic").is_ok());
            assert_eq!(gate.begun.load(Ordering::SeqCst), begun);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn server_a3_a_full_queue_is_refused_and_abandoned_requests_leave_it() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let shared = start(&folder).await;
        let (gate, open) = Gate::new();
        let first = gate.request(&shared, "first");
        gate.wait_for(1).await;
        let keys: Vec<&'static str> = (0..40).map(|key| &*key.to_string().leak()).collect();
        let waiting: Vec<_> = keys.iter().map(|key| gate.request(&shared, key)).collect();
        // One computation runs and 15 wait.
        while waiting
            .iter()
            .filter(|request| request.is_finished())
            .count()
            < 25
        {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        for request in waiting {
            if !request.is_finished() {
                // Its client goes away.
                request.abort();
                assert!(request.await.is_err());
                continue;
            }
            let result = request.await.expect("the task does not panic");
            let problem = result.expect_err("the queue is full");
            assert_eq!(problem.kind, ProblemKind::Unavailable);
            assert!(
                problem.kind.header().is_some(),
                "it names a time to retry after"
            );
        }
        let last = gate.request(&shared, "last");
        for _ in 0..2 {
            open.send(()).expect("a computation waits");
        }
        for request in [first, last] {
            assert!(request.await.expect("the task does not panic").is_ok());
        }
        assert_eq!(
            gate.begun.load(Ordering::SeqCst),
            2,
            "nobody waits for the others"
        );
    }
}
