//! One campaign in the memory of a server: the engine's fold of its log, the tasks that are with people, and
//! the people.

mod people;
mod plans;
mod tasks;
mod unwritten;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::convert::Infallible;
use std::sync::Arc;

use partita_judging::campaign::log::{Entry, Reader, Tail};
use partita_judging::campaign::{Campaign, Event, Leases, NotRecorded, Session};

use tokio::sync::watch;

use super::Now;
use super::pending::{Line, Pending};
use crate::document::{Document, Places};
use crate::problem::Problem;
use crate::store::statement as sql;
use crate::store::{Row, StoreError, Transaction, row};

pub(crate) use people::Person;
use tasks::{Done, read_task};
pub(crate) use tasks::{OpenTask, TaskState};
pub(crate) use unwritten::Receipt;
use unwritten::Unwritten;

/// Who the events are from that nobody asked for: the server itself.
pub(crate) const SERVER: &str = "server";

/// One campaign.
pub(crate) struct Room {
    pub(crate) name: String,
    pub(crate) document: Arc<Document>,
    /// Where everything stands in the document.
    pub(crate) places: Places,
    /// The types of files, and how many thousandths of a second clips last.
    pub(crate) media: HashMap<String, (String, Option<i64>)>,
    log: Pending,
    session: Session<Pending>,
    leases: Leases,
    tasks: HashMap<String, OpenTask>,
    /// The tasks of each person that they have, by their numbers, and those that ran out or came back.
    live: HashMap<String, BTreeMap<i64, String>>,
    lapsed: HashMap<String, Vec<String>>,
    expiring: BTreeSet<(i64, String)>,
    pub(crate) people: BTreeMap<String, Person>,
    done: HashMap<String, Done>,
    last_number: i64,
    version: i64,
    changed: bool,
    unwritten: Unwritten,
    saved: u64,
    /// The lists whose plans are being worked out, and the last that was begun.
    under_way: BTreeSet<usize>,
    last_planned: usize,
    /// How many plans were taken.
    plans: watch::Sender<u64>,
}

fn damaged(what: impl std::fmt::Display) -> StoreError {
    StoreError::Damaged(what.to_string())
}

/// The entries of the lines of a log that follow its end so far.
fn entries(after: Option<Tail>, rows: Vec<Row>) -> Result<Vec<Entry>, StoreError> {
    let mut reader = after.map_or_else(Reader::default, Reader::after);
    let entry = |mut row: Row| reader.entry(row.text()?.as_bytes()).map_err(damaged);
    rows.into_iter().map(entry).collect()
}

impl Room {
    /// Locks a campaign and reads all of it; nothing if there is no such campaign.
    pub(crate) async fn open(
        transaction: &mut dyn Transaction,
        name: &str,
    ) -> Result<Option<Self>, StoreError> {
        let Some(mut locked) = row(transaction, &sql::CAMPAIGN_LOCK, vec![name.into()]).await?
        else {
            return Ok(None);
        };
        let (_, version) = (locked.int()?, locked.int()?);
        let document = stored_document(transaction, name).await?;
        let lines = transaction
            .rows(&sql::EVENT_AFTER, vec![name.into(), 0.into()])
            .await?;
        let log = Pending::default();
        log.put(entries(None, lines)?);
        let session = Session::open(log.clone()).map_err(|error| damaged(error.to_string()))?;
        let mut room = Self {
            name: name.to_owned(),
            places: document.places(),
            document: Arc::new(document),
            media: HashMap::new(),
            log,
            session,
            leases: Leases::new(),
            tasks: HashMap::new(),
            lapsed: HashMap::new(),
            live: HashMap::new(),
            expiring: BTreeSet::new(),
            people: BTreeMap::new(),
            done: HashMap::new(),
            last_number: 0,
            version,
            changed: false,
            unwritten: Unwritten::default(),
            saved: 0,
            under_way: BTreeSet::new(),
            last_planned: 0,
            plans: watch::Sender::default(),
        };
        room.read_media(transaction).await?;
        let people = transaction
            .rows(&sql::PERSON_CHANGED, vec![name.into(), (-1).into()])
            .await?;
        for person in people {
            room.take_person(person)?;
        }
        let by_person = transaction
            .rows(&sql::TASK_BY_PERSON, vec![name.into()])
            .await?;
        for mut row in by_person {
            let (person, query, number) = (row.text()?, row.text()?, row.int()?);
            room.last_number = room.last_number.max(number);
            let done = Done {
                answered: row.int()? as u32,
                last: Some((query, number)),
            };
            room.done.insert(person, done);
        }
        let tasks = transaction.rows(&sql::TASK_OPEN, vec![name.into()]).await?;
        for task in tasks {
            let task = read_task(task)?;
            room.put(task)?;
        }
        Ok(Some(room))
    }

    /// Locks the campaign, and takes in what another server did since.
    pub(super) async fn catch_up(
        &mut self,
        transaction: &mut dyn Transaction,
    ) -> Result<(), StoreError> {
        let name = self.name.clone();
        let name = name.as_str();
        let locked = row(transaction, &sql::CAMPAIGN_LOCK, vec![name.into()]).await?;
        let mut locked = locked.ok_or_else(|| damaged("a campaign is gone"))?;
        let (seq, version) = (locked.int()?, locked.int()?);
        if version == self.version {
            return Ok(());
        }
        let tail = self.session.tail();
        if seq > tail.seq as i64 {
            let after = vec![name.into(), (tail.seq as i64).into()];
            let lines = transaction.rows(&sql::EVENT_AFTER, after).await?;
            let entries = entries(Some(tail), lines)?;
            let extended = |entry: &Entry| matches!(entry.event, Event::Extended(_));
            if entries.iter().any(extended) {
                self.read_document(transaction).await?;
            }
            self.log.put(entries);
            (self.session.catch_up()).map_err(|error| damaged(error.to_string()))?;
        }
        let since = vec![name.into(), self.version.into()];
        let people = transaction
            .rows(&sql::PERSON_CHANGED, since.clone())
            .await?;
        for person in people {
            self.take_person(person)?;
        }
        let tasks = transaction.rows(&sql::TASK_CHANGED, since).await?;
        for task in tasks {
            let task = read_task(task)?;
            self.note_last(&task);
            self.take_out(&task.id);
            match task.state {
                TaskState::Answered => self.done.entry(task.person).or_default().answered += 1,
                TaskState::Reported => {}
                _ => self.put(task)?,
            }
        }
        self.version = version;
        Ok(())
    }

    async fn read_document(&mut self, transaction: &mut dyn Transaction) -> Result<(), StoreError> {
        let document = stored_document(transaction, &self.name).await?;
        self.take_document(transaction, document).await
    }

    async fn read_media(&mut self, transaction: &mut dyn Transaction) -> Result<(), StoreError> {
        let shown = self.document.shown();
        let wanted = shown.flat_map(|(_, show)| [show.audio.clone(), show.image.clone()]);
        let wanted: HashSet<String> = wanted.flatten().collect();
        self.media.clear();
        if wanted.is_empty() {
            return Ok(());
        }
        for mut row in transaction.rows(&sql::MEDIA_ALL, vec![]).await? {
            let (id, about) = (row.text()?, (row.text()?, row.int_or_null()));
            if wanted.contains(&id) {
                self.media.insert(id, about);
            }
        }
        Ok(())
    }

    /// Changes the document, of which an event says the same.
    pub(crate) async fn set_document(
        &mut self,
        transaction: &mut dyn Transaction,
        document: Document,
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(&document).expect("a document is text and numbers");
        let values = vec![self.name.as_str().into(), text.into()];
        transaction.run(&sql::DOCUMENT_SET, values).await?;
        self.take_document(transaction, document).await
    }

    async fn take_document(
        &mut self,
        transaction: &mut dyn Transaction,
        document: Document,
    ) -> Result<(), StoreError> {
        self.places = document.places();
        self.document = Arc::new(document);
        self.read_media(transaction).await
    }

    /// Writes what was recorded.
    pub(crate) async fn flush(
        &mut self,
        transaction: &mut dyn Transaction,
        now: Now,
    ) -> Result<(), StoreError> {
        let recorded = self.log.take();
        if recorded.is_empty() && !self.changed {
            return Ok(());
        }
        add_events(transaction, &self.name, recorded, now).await?;
        self.write_tasks(transaction).await?;
        self.version += 1;
        self.changed = false;
        let tail = self.session.tail();
        let values = vec![
            self.name.as_str().into(),
            self.state().to_string().into(),
            (tail.seq as i64).into(),
            tail.chain.to_string().into(),
            self.version.into(),
        ];
        transaction.run(&sql::CAMPAIGN_MOVE, values).await?;
        Ok(())
    }

    /// The number under which what changes now is written.
    fn next_version(&mut self) -> i64 {
        self.changed = true;
        self.version + 1
    }

    /// The engine's campaign.
    pub(crate) fn campaign(&self) -> &Campaign {
        self.session.campaign()
    }

    /// Where its log ends.
    pub(crate) fn tail(&self) -> Tail {
        self.session.tail()
    }

    /// How many answers were saved since the room was opened.
    pub(super) fn answers(&self) -> u64 {
        self.saved
    }

    /// How many tasks are with people.
    pub(crate) fn leases(&self) -> usize {
        self.leases.len()
    }

    /// Whether the campaign goes on.
    pub(crate) fn state(&self) -> CampaignState {
        let campaign = self.campaign();
        if campaign.is_closed() {
            CampaignState::Closed
        } else if campaign.is_paused() {
            CampaignState::Paused
        } else {
            CampaignState::Open
        }
    }

    /// Lets events happen.
    ///
    /// # Errors
    /// What does not fit: nothing has happened then.
    pub(crate) fn record(
        &mut self,
        now: Now,
        author: &str,
        events: Vec<Event>,
    ) -> Result<(), Problem> {
        let recorded = self.session.record(&now.stamp(author), events);
        recorded.map_err(|error: NotRecorded<Infallible>| Problem::at("", error.to_string()))
    }
}

/// Writes lines of a log.
pub(crate) async fn add_events(
    transaction: &mut dyn Transaction,
    campaign: &str,
    lines: Vec<Line>,
    now: Now,
) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    let row = |line: Line| {
        let Line { seq, text, chain } = line;
        vec![(seq as i64).into(), text.into(), chain.to_string().into()]
    };
    let same = vec![campaign.into(), now.0.into()];
    let rows = lines.into_iter().map(row).collect();
    transaction.run_each(&sql::EVENTS_ADD, same, rows).await
}

async fn stored_document(
    transaction: &mut dyn Transaction,
    name: &str,
) -> Result<Document, StoreError> {
    let campaign = row(transaction, &sql::CAMPAIGN_GET, vec![name.into()]).await?;
    let mut campaign = campaign.ok_or_else(|| damaged("a campaign is gone"))?;
    let (_, document) = (campaign.text()?, campaign.text()?);
    serde_json::from_str(&document).map_err(damaged)
}

partita_stats::named! {
    /// Whether a campaign goes on.
    pub enum CampaignState: "state of a campaign" {
        /// people are asked
        Open = "open",
        /// nobody is asked until it goes on
        Paused = "paused",
        /// it is over
        Closed = "closed",
    }
}
