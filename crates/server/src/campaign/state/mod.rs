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
    Action, Campaign, CampaignSession, CampaignSpec, Event, JudgmentKind, Leases, Recruiter,
};
use partita::named::NamedEnum as _;
use tokio::sync::watch;

use crate::http::problem::HttpProblem;
use crate::store::statement as sql;
use crate::store::{CampaignNumber, SqlRow, StoreError, Transaction};
use crate::writer::UnixMillis;
use crate::writer::log_buffer::LogBuffer;

pub(crate) use assessors::AssessorRecord;
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

/// Log entries read from the database, and the answers among them.
struct ParsedLogRows {
    entries: Vec<LogEntry>,
    /// Answered tasks: row key of the task, sequence number of the event, and assessor.
    answered: Vec<(i64, u64, String)>,
    /// Assessors of answers without tasks, with the kind of judgment. The campaign had these answers
    /// when the server took it over.
    taken_over: Vec<(String, JudgmentKind)>,
}

/// Parses log rows. `after` is the last entry of the log before these rows; `None` for the start of
/// the log.
fn parse_log_rows(after: Option<LogTail>, rows: Vec<SqlRow>) -> Result<ParsedLogRows, StoreError> {
    let mut reader = after.map_or_else(LogReader::default, LogReader::from_tail);
    let mut parsed = ParsedLogRows {
        entries: Vec::with_capacity(rows.len()),
        answered: Vec::new(),
        taken_over: Vec::new(),
    };
    for mut row in rows {
        let entry = (reader.read_entry(row.text()?.as_bytes())).map_err(StoreError::corrupted)?;
        if let Some(task) = row.int_or_null() {
            let person = entry.event.assessor();
            let person = person.ok_or_else(|| StoreError::corrupted("an answer of nobody"))?;
            parsed.answered.push((task, entry.seq, person.to_owned()));
        } else if let Event::Answered { answer, .. } = &entry.event {
            let person = answer.assessor.clone();
            parsed.taken_over.push((person, answer.question.kind));
        }
        parsed.entries.push(entry);
    }
    Ok(parsed)
}

impl CampaignState {
    /// Locks a campaign and loads its state; returns `None` if it does not exist.
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
        let (_, version) = (locked.int()?, locked.int()?);
        let recruiter = fetch_recruiter(transaction, name).await?;
        let lines = transaction
            .fetch_all(&sql::EVENT_AFTER, number.keys_after(0))
            .await?;
        let log = LogBuffer::default();
        let ParsedLogRows {
            entries,
            answered,
            taken_over,
        } = parse_log_rows(None, lines)?;
        log.set_incoming(entries);
        let session = CampaignSession::open(log.clone()).map_err(StoreError::corrupted)?;
        let mut campaign_state = Self {
            name: name.to_owned(),
            number,
            recruiter: recruiter.map(Arc::new),
            media: HashMap::new(),
            log,
            session,
            leases: Leases::new(),
            tasks: HashMap::new(),
            lapsed_tasks: HashMap::new(),
            live_tasks: HashMap::new(),
            lease_expiries: BTreeSet::new(),
            answered: HashMap::with_capacity(answered.len()),
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
        campaign_state.load_media_info(transaction).await?;
        let people = transaction
            .fetch_all(&sql::PERSON_CHANGED, vec![name.into(), (-1).into()])
            .await?;
        for person in people {
            campaign_state.load_assessor(person)?;
        }
        // One scan finds the last assignments and the open tasks, in linear time on both databases:
        // the writer's connection to PostgreSQL joins no tables by hash.
        let assignments = transaction
            .fetch_all(&sql::TASK_ASSIGNMENTS, number.keys_after(0))
            .await?;
        let mut unreported = Vec::new();
        for mut row in assignments {
            let (row_key, person, query) = (row.int()?, row.text()?, row.text()?);
            campaign_state.update_last_assignment(&person, &query, row.int()?);
            if row.text()? != TaskState::Reported.name() {
                unreported.push(row_key);
            }
        }
        for answer in answered {
            campaign_state.apply_answer(answer);
        }
        for (person, kind) in taken_over {
            campaign_state.add_answer_of_log(&person, kind);
        }
        for row_key in unreported {
            if !campaign_state.answered.contains_key(&row_key) {
                let task = fetch_task_row(transaction, row_key).await?;
                campaign_state.insert_task(parse_task_row(task)?)?;
            }
        }
        Ok(Some(campaign_state))
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
        let (_, seq, version) = (locked.int()?, locked.int()?, locked.int()?);
        if version == self.version {
            return Ok(());
        }
        let tail = self.session.tail();
        if seq > tail.seq as i64 {
            let after = self.number.keys_after(tail.seq as i64);
            let lines = transaction.fetch_all(&sql::EVENT_AFTER, after).await?;
            // Answers of a running campaign have tasks.
            let ParsedLogRows {
                entries, answered, ..
            } = parse_log_rows(Some(tail), lines)?;
            let is_extension = |entry: &LogEntry| matches!(entry.event, Event::Extended(_));
            let extended = entries.iter().any(is_extension);
            self.log.set_incoming(entries);
            (self.session.catch_up()).map_err(StoreError::corrupted)?;
            if extended {
                self.load_media_info(transaction).await?;
            }
            for answer in answered {
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

    /// Returns the phase of the campaign: open, paused or closed.
    pub(crate) fn phase(&self) -> CampaignPhase {
        CampaignPhase::from_campaign(self.campaign())
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

/// Reads the recruiter of a campaign, if it has one.
async fn fetch_recruiter(
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
