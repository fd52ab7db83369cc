//! State of one campaign in memory: the engine session replayed from the log, the open tasks and
//! the assessors.

mod assessors;
mod scheduling;
mod tasks;
#[cfg(test)]
mod tests;
mod write_buffer;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use partita::judging::campaign::log::{LogEntry, LogReader, LogTail};
use partita::judging::campaign::{
    Action, Campaign, CampaignSession, CampaignSpec, Event, JudgmentKind, Leases, OpenError,
    Recruiter,
};
use partita::named::NamedEnum as _;
use tokio::sync::watch;

use crate::campaign::integrity::IntegrityError;
use crate::http::problem::HttpProblem;
use crate::store::statement as sql;
use crate::store::{CampaignNumber, SqlRow, StoreError, Transaction};
use crate::writer::UnixMillis;
use crate::writer::log_buffer::LogBuffer;

pub(crate) use assessors::{ACTIVE_STATE, AssessorRecord, RECRUITER_ORIGIN, state_name};
use tasks::{AssessorProgress, fetch_task_row, parse_task_row};
pub(crate) use tasks::{OpenTask, TaskState};
use write_buffer::WriteBuffer;
pub(crate) use write_buffer::insert_events;

/// Author recorded in the log for events that the server itself causes, such as schedules.
pub(crate) const SERVER_AUTHOR: &str = "server";

/// State of one campaign in memory: the judging engine's session, the open tasks and the assessors.
pub(crate) struct CampaignState {
    pub(crate) name: String,
    /// Number of the campaign in its database, from which the row keys of events and tasks are
    /// computed.
    number: CampaignNumber,
    /// Respondent panel that sends assessors. Its completion codes are secrets, so it is not in the
    /// log.
    pub(crate) recruiter: Option<Arc<Recruiter>>,
    /// MIME type and duration of each media file, keyed by media id. The duration is in
    /// milliseconds; `None` for images and for clips whose duration is unknown.
    pub(crate) media: HashMap<String, (String, Option<i64>)>,
    /// Integrity error of the stored campaign. The state then contains the events before it and no
    /// tasks, and nothing may be changed.
    damage: Option<IntegrityError>,
    log: LogBuffer,
    /// Engine session, which reads and writes events through `log`.
    session: CampaignSession<LogBuffer>,
    leases: Leases,
    /// Open tasks, keyed by task id.
    tasks: HashMap<String, OpenTask>,
    /// Ids of the live tasks (leased and unanswered) of each assessor, keyed by task number.
    live_tasks: HashMap<String, BTreeMap<i64, String>>,
    /// Ids of the expired and returned tasks of each assessor, which may be assigned to them again.
    lapsed_tasks: HashMap<String, Vec<String>>,
    /// Expiry time in Unix milliseconds and id of each live task, earliest first.
    lease_expiries: BTreeSet<(i64, String)>,
    /// Sequence number of the answer event of each answered task, keyed by the row key of the task.
    answered: HashMap<i64, u64>,
    pub(crate) assessors: BTreeMap<String, AssessorRecord>,
    progress: HashMap<String, AssessorProgress>,
    /// Task number of the last assignment in the campaign.
    last_task_number: i64,
    /// Number of transactions that changed the campaign. Rows store the version of their last
    /// change, by which other servers find changed rows.
    version: i64,
    /// True if the current transaction has changed rows, so that `version` must be increased.
    has_changes: bool,
    write_buffer: WriteBuffer,
    /// Number of answers saved since this state was loaded.
    answers_saved: u64,
    /// Indices of the lists whose background schedules are queued or being computed.
    lists_being_scheduled: BTreeSet<usize>,
    /// Index of the list whose background schedule was started last.
    last_scheduled_list: usize,
    /// Number of background schedules that were finished since the state was loaded, including
    /// outdated ones, of which nothing is recorded. Subscribers are notified of each change.
    schedules_recorded: watch::Sender<u64>,
}

/// Answers among the events of a log.
#[derive(Default)]
struct LoggedAnswers {
    /// Answered tasks: row key of the task, sequence number of the event, and assessor.
    answered: Vec<(i64, u64, String)>,
    /// Assessors of answers without tasks, with the kind of judgment. The campaign had these answers
    /// when the server took it over.
    taken_over: Vec<(String, JudgmentKind)>,
}

/// Log entries read from the database, and the answers among them.
struct ParsedLogRows {
    entries: Vec<LogEntry>,
    answers: LoggedAnswers,
    /// Integrity error after which the rows are not parsed; `None` if all rows are sound.
    fault: Option<IntegrityError>,
}

/// Campaign replayed from the sound events of its log.
struct ReplayedLog {
    session: CampaignSession<LogBuffer>,
    log: LogBuffer,
    answers: LoggedAnswers,
    fault: Option<IntegrityError>,
}

/// Reads and replays the log of a campaign, up to its first integrity error.
///
/// # Errors
/// Returns [`StoreError::Corrupted`] if not even the first event is sound.
async fn replay_stored_log(
    transaction: &mut dyn Transaction,
    number: CampaignNumber,
) -> Result<ReplayedLog, StoreError> {
    let mut keys = number.keys_after(0);
    let mut replay_fault = None;
    loop {
        let lines = transaction.fetch_all(&sql::EVENT_AFTER, keys).await?;
        let log = LogBuffer::default();
        let ParsedLogRows {
            entries,
            answers,
            fault,
        } = parse_log_rows(None, lines);
        if let (true, Some(fault)) = (entries.is_empty(), &fault) {
            return Err(StoreError::corrupted(&fault.reason));
        }
        log.set_incoming(entries);
        match CampaignSession::open(log.clone()) {
            Ok(session) => {
                return Ok(ReplayedLog {
                    session,
                    log,
                    answers,
                    fault: replay_fault.or(fault),
                });
            }
            Err(OpenError::Event { seq, error }) if seq > 1 => {
                let reason = error.to_string();
                replay_fault = Some(IntegrityError { event: seq, reason });
                keys = number.keys_between(0, seq as i64 - 1);
            }
            Err(error) => return Err(StoreError::corrupted(error)),
        }
    }
}

/// Parses log rows up to the first integrity error. `after` is the last entry of the log before these
/// rows; `None` for the start of the log.
fn parse_log_rows(after: Option<LogTail>, rows: Vec<SqlRow>) -> ParsedLogRows {
    let mut reader = after.map_or_else(LogReader::default, LogReader::from_tail);
    let mut parsed = ParsedLogRows {
        entries: Vec::with_capacity(rows.len()),
        answers: LoggedAnswers::default(),
        fault: None,
    };
    for mut row in rows {
        let line = row.text_or_null().unwrap_or_default();
        let entry = match reader.read_entry(line.as_bytes()) {
            Ok(entry) => entry,
            Err(error) => {
                parsed.fault = Some(IntegrityError {
                    event: error.line as u64,
                    reason: error.message,
                });
                return parsed;
            }
        };
        if let Some(task) = row.int_or_null() {
            let Some(person) = entry.event.assessor() else {
                parsed.fault = Some(IntegrityError {
                    event: entry.seq,
                    reason: "an answer of nobody".to_owned(),
                });
                return parsed;
            };
            parsed
                .answers
                .answered
                .push((task, entry.seq, person.to_owned()));
        } else if let Event::Answered { answer, .. } = &entry.event {
            let person = answer.assessor.clone();
            parsed
                .answers
                .taken_over
                .push((person, answer.question.kind));
        }
        parsed.entries.push(entry);
    }
    parsed
}

impl CampaignState {
    /// Locks a campaign and loads its state; returns `None` if it does not exist. If the stored
    /// campaign is [damaged](Self::damage), the state contains what precedes the fault.
    ///
    /// # Errors
    /// Returns [`StoreError::Corrupted`] if nothing of the campaign can be read, or the error of the
    /// database.
    pub(crate) async fn open(
        transaction: &mut dyn Transaction,
        name: &str,
    ) -> Result<Option<Self>, StoreError> {
        let Some(mut locked) = transaction
            .fetch_optional(&sql::CAMPAIGN_LOCK, vec![name.into()])
            .await?
        else {
            return Ok(None);
        };
        let number = CampaignNumber(locked.int()?);
        let (seq, version, chain) = (locked.int()?, locked.int()?, locked.text()?);
        let recruiter = fetch_recruiter(transaction, name).await?;
        let ReplayedLog {
            session,
            log,
            answers,
            fault,
        } = replay_stored_log(transaction, number).await?;
        let damage = fault.or_else(|| find_end_fault(session.tail(), seq, &chain));
        let mut campaign_state = Self {
            name: name.to_owned(),
            number,
            recruiter: recruiter.map(Arc::new),
            media: HashMap::new(),
            damage,
            log,
            session,
            leases: Leases::new(),
            tasks: HashMap::new(),
            lapsed_tasks: HashMap::new(),
            live_tasks: HashMap::new(),
            lease_expiries: BTreeSet::new(),
            answered: HashMap::with_capacity(answers.answered.len()),
            assessors: BTreeMap::new(),
            progress: HashMap::new(),
            last_task_number: 0,
            version,
            has_changes: false,
            write_buffer: WriteBuffer::default(),
            answers_saved: 0,
            lists_being_scheduled: BTreeSet::new(),
            last_scheduled_list: 0,
            schedules_recorded: watch::Sender::default(),
        };
        if let Err(error) = campaign_state.load_rows(transaction, answers).await {
            let StoreError::Corrupted(reason) = error else {
                return Err(error);
            };
            let event = campaign_state.tail().seq;
            (campaign_state.damage).get_or_insert(IntegrityError { event, reason });
        }
        Ok(Some(campaign_state))
    }

    /// Loads the people, tasks and media files of the campaign, and applies the answers of its log:
    /// those to tasks, and those from before the server took the campaign over.
    async fn load_rows(
        &mut self,
        transaction: &mut dyn Transaction,
        answers: LoggedAnswers,
    ) -> Result<(), StoreError> {
        self.load_media_info(transaction).await?;
        let people = transaction
            .fetch_all(
                &sql::PERSON_CHANGED,
                vec![self.name.as_str().into(), (-1).into()],
            )
            .await?;
        for person in people {
            self.load_assessor(person)?;
        }
        // One scan finds the last assignments and the open tasks, in linear time on both databases:
        // the writer's connection to PostgreSQL joins no tables by hash.
        let assignments = transaction
            .fetch_all(&sql::TASK_ASSIGNMENTS, self.number.keys_after(0))
            .await?;
        let mut unreported = Vec::new();
        for mut row in assignments {
            let (row_key, person, query) = (row.int()?, row.text()?, row.text()?);
            self.update_last_assignment(&person, &query, row.int()?);
            if row.text()? != TaskState::Reported.name() {
                unreported.push(row_key);
            }
        }
        for answer in answers.answered {
            self.apply_answer(answer);
        }
        for (person, kind) in answers.taken_over {
            self.add_answer_of_log(&person, kind);
        }
        for row_key in unreported {
            // Nobody can answer the tasks of a damaged campaign.
            if self.damage.is_none() && !self.answered.contains_key(&row_key) {
                let task = fetch_task_row(transaction, row_key).await?;
                self.insert_task(parse_task_row(task)?)?;
            }
        }
        Ok(())
    }

    /// Locks the campaign and applies the changes that other servers have committed since the last
    /// transaction of this one.
    pub(crate) async fn catch_up(
        &mut self,
        transaction: &mut dyn Transaction,
    ) -> Result<(), StoreError> {
        let name = vec![self.name.as_str().into()];
        let locked = transaction
            .fetch_optional(&sql::CAMPAIGN_LOCK, name)
            .await?;
        let mut locked = locked.ok_or_else(|| StoreError::corrupted("a campaign is gone"))?;
        let (number, seq, version) = (locked.int()?, locked.int()?, locked.int()?);
        if number != self.number.0 {
            return Err(StoreError::corrupted("another campaign has this name now"));
        }
        if version == self.version {
            return Ok(());
        }
        self.recruiter = fetch_recruiter(transaction, &self.name)
            .await?
            .map(Arc::new);
        let tail = self.session.tail();
        if seq > tail.seq as i64 {
            let after = self.number.keys_after(tail.seq as i64);
            let lines = transaction.fetch_all(&sql::EVENT_AFTER, after).await?;
            // Answers of a running campaign have tasks.
            let ParsedLogRows {
                entries,
                answers,
                fault,
            } = parse_log_rows(Some(tail), lines);
            if let Some(fault) = fault {
                return Err(StoreError::corrupted(fault.reason));
            }
            let is_extension = |entry: &LogEntry| matches!(entry.event, Event::Extended(_));
            let extended = entries.iter().any(is_extension);
            self.log.set_incoming(entries);
            (self.session.catch_up()).map_err(StoreError::corrupted)?;
            if extended {
                self.load_media_info(transaction).await?;
            }
            for answer in answers.answered {
                self.apply_answer(answer);
            }
        }
        let since = vec![self.name.as_str().into(), self.version.into()];
        let people = transaction
            .fetch_all(&sql::PERSON_CHANGED, since.clone())
            .await?;
        for person in people {
            self.load_assessor(person)?;
        }
        let tasks = transaction.fetch_all(&sql::TASK_CHANGED, since).await?;
        for task in tasks {
            let task = parse_task_row(task)?;
            self.update_last_assignment(&task.person, &task.question.query, task.number);
            self.remove_task(&task.id);
            if task.state != TaskState::Reported && !self.answered.contains_key(&task.row_key) {
                self.insert_task(task)?;
            }
        }
        self.version = version;
        Ok(())
    }

    /// Loads the MIME type and duration of the media files that the campaign uses. Needed again
    /// after an extension.
    pub(crate) async fn load_media_info(
        &mut self,
        transaction: &mut dyn Transaction,
    ) -> Result<(), StoreError> {
        let spec = self.spec();
        let wanted = spec
            .stimuli()
            .flat_map(|(_, show)| [show.audio.clone(), show.image.clone()]);
        let wanted: HashSet<String> = wanted.flatten().collect();
        self.media.clear();
        if wanted.is_empty() {
            return Ok(());
        }
        for mut row in transaction.fetch_all(&sql::MEDIA_ALL, vec![]).await? {
            let (id, info) = (row.text()?, (row.text()?, row.int_or_null()));
            if wanted.contains(&id) {
                self.media.insert(id, info);
            }
        }
        Ok(())
    }

    /// Replaces the recruiter in memory and in the database.
    pub(crate) async fn set_recruiter(
        &mut self,
        transaction: &mut dyn Transaction,
        recruiter: Recruiter,
    ) -> Result<(), StoreError> {
        store_recruiter(transaction, &self.name, &recruiter).await?;
        self.next_version();
        self.recruiter = Some(Arc::new(recruiter));
        Ok(())
    }

    /// Writes all buffered rows. If anything was changed, also updates the stored phase, last log
    /// entry and version of the campaign.
    pub(crate) async fn flush(
        &mut self,
        transaction: &mut dyn Transaction,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.flush_rows(transaction, now).await?;
        if !self.has_changes {
            return Ok(());
        }
        self.version += 1;
        self.has_changes = false;
        let tail = self.session.tail();
        let values = vec![
            self.name.as_str().into(),
            self.phase().to_string().into(),
            (tail.seq as i64).into(),
            tail.chain.to_string().into(),
            self.version.into(),
        ];
        transaction.execute(&sql::CAMPAIGN_UPDATE, values).await?;
        Ok(())
    }

    /// Marks the state as changed and returns the version number to store with each changed row.
    fn next_version(&mut self) -> i64 {
        self.has_changes = true;
        self.version + 1
    }

    /// Returns the campaign as the judging engine sees it.
    pub(crate) fn campaign(&self) -> &Campaign {
        self.session.campaign()
    }

    /// Returns the specification of the campaign with all extensions applied, without the recruiter.
    pub(crate) fn spec(&self) -> &Arc<CampaignSpec> {
        self.campaign().spec()
    }

    /// Returns the sequence number and hash of the last log entry.
    pub(crate) fn tail(&self) -> LogTail {
        self.session.tail()
    }

    /// Returns the row key of the event with a sequence number.
    pub(crate) fn event_key(&self, event: u64) -> i64 {
        self.number.row_key(event as i64)
    }

    /// Reads the idempotency key with which an answer was submitted, from the log line of its
    /// event; `None` if the event has none.
    pub(crate) async fn fetch_answer_id(
        &self,
        transaction: &mut dyn Transaction,
        event: u64,
    ) -> Result<Option<String>, StoreError> {
        let key = vec![self.event_key(event).into()];
        let line = transaction.fetch_optional(&sql::EVENT_LINE, key).await?;
        let line = line
            .ok_or_else(|| StoreError::corrupted("an event is gone"))?
            .text()?;
        #[derive(serde::Deserialize)]
        struct EventId {
            id: Option<String>,
        }
        let event: EventId = serde_json::from_str(&line).map_err(StoreError::corrupted)?;
        Ok(event.id)
    }

    /// Returns the number of answers saved since this state was loaded.
    pub(crate) fn answers_saved(&self) -> u64 {
        self.answers_saved
    }

    /// Returns the number of tasks that are leased to assessors.
    pub(crate) fn lease_count(&self) -> usize {
        self.leases.len()
    }

    /// Returns the time in Unix milliseconds when the last of the current leases expires; `None` if
    /// no task is leased.
    pub(crate) fn last_lease_expiry(&self) -> Option<i64> {
        self.lease_expiries.last().map(|&(expires, _)| expires)
    }

    /// Returns the phase of the campaign.
    pub(crate) fn phase(&self) -> CampaignPhase {
        match self.damage {
            Some(_) => CampaignPhase::Damaged,
            None => CampaignPhase::from_campaign(self.campaign()),
        }
    }

    /// Returns the integrity error of the stored campaign; `None` if it is sound.
    pub(crate) fn damage(&self) -> Option<&IntegrityError> {
        self.damage.as_ref()
    }

    /// Performs an action of the organiser.
    ///
    /// # Errors
    /// Returns an [`HttpProblem`] if the action does not fit the campaign; nothing is recorded in
    /// that case.
    pub(crate) fn perform(
        &mut self,
        now: UnixMillis,
        author: &str,
        action: &Action,
    ) -> Result<(), HttpProblem> {
        let performed = self.session.perform(&now.to_stamp(author), action);
        performed.map(|_| ()).map_err(HttpProblem::invalid_request)
    }

    /// Records an event in the log.
    ///
    /// # Errors
    /// Returns an [`HttpProblem`] if the event is invalid in the current state; nothing is recorded
    /// in that case.
    pub(crate) fn record(
        &mut self,
        now: UnixMillis,
        author: &str,
        event: Event,
    ) -> Result<(), HttpProblem> {
        let recorded = self.session.record(&now.to_stamp(author), vec![event]);
        recorded.map_err(HttpProblem::invalid_request)
    }
}

/// Returns the integrity error of a log that does not end with the event and hash that the row of its
/// campaign names.
fn find_end_fault(tail: LogTail, seq: i64, chain: &str) -> Option<IntegrityError> {
    let (event, reason) = if tail.seq as i64 != seq {
        let reason = format!("the log does not end with event {seq}, which was recorded last");
        (tail.seq + 1, reason)
    } else if tail.chain.to_string() != chain {
        let reason = "its hash differs from the one that was recorded last";
        (tail.seq, reason.to_owned())
    } else {
        return None;
    };
    Some(IntegrityError { event, reason })
}

/// Replaces the recruiter of a campaign in its row. The caller changes the version of the campaign,
/// so that servers read the recruiter again.
pub(crate) async fn store_recruiter(
    transaction: &mut dyn Transaction,
    name: &str,
    recruiter: &Recruiter,
) -> Result<(), StoreError> {
    let text = serde_json::to_string(recruiter).expect("a recruiter is text and numbers");
    let values = vec![name.into(), text.into()];
    transaction
        .execute(&sql::CAMPAIGN_SET_RECRUITER, values)
        .await?;
    Ok(())
}

/// Reads the recruiter of a campaign, if it has one.
pub(crate) async fn fetch_recruiter(
    transaction: &mut dyn Transaction,
    name: &str,
) -> Result<Option<Recruiter>, StoreError> {
    let found = transaction
        .fetch_optional(&sql::CAMPAIGN_RECRUITER, vec![name.into()])
        .await?;
    let mut found = found.ok_or_else(|| StoreError::corrupted("a campaign is gone"))?;
    parse_recruiter(found.text_or_null())
}

/// Parses the recruiter of a campaign as stored in its row.
pub(crate) fn parse_recruiter(text: Option<String>) -> Result<Option<Recruiter>, StoreError> {
    let parsed = text.map(|text| serde_json::from_str(&text)).transpose();
    parsed.map_err(StoreError::corrupted)
}

partita::named::named_enum! {
    /// Phase of a campaign.
    pub enum CampaignPhase: "state of a campaign" {
        /// assessors get tasks
        Open = "open",
        /// no tasks until it is resumed
        Paused = "paused",
        /// closed for good
        Closed = "closed",
        /// its log is damaged: readable up to the fault, and closed to writing
        Damaged = "damaged",
    }
}

impl CampaignPhase {
    /// Returns the phase of a campaign.
    pub(crate) fn from_campaign(campaign: &Campaign) -> Self {
        if campaign.is_closed() {
            Self::Closed
        } else if campaign.is_paused() {
            Self::Paused
        } else {
            Self::Open
        }
    }
}
