//! One campaign in the memory of a server: the engine's fold of its log, the tasks that are with people, and
//! the people.

mod people;
mod plans;
mod tasks;
#[cfg(test)]
mod tests;
mod unwritten;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::convert::Infallible;
use std::sync::Arc;

use partita_judging::campaign::log::{Entry, Reader, Tail};
use partita_judging::campaign::{Campaign, Event, Leases, NotRecorded, Session};

use tokio::sync::watch;

use super::Now;
use super::pending::Pending;
use crate::document::{Document, Places};
use crate::problem::Problem;
use crate::store::statement as sql;
use crate::store::{CampaignNumber, Row, StoreError, Transaction, row};

pub(crate) use people::Person;
use tasks::{Done, read_task, row_of_task};
pub(crate) use tasks::{OpenTask, TaskState};
use unwritten::Unwritten;
pub(crate) use unwritten::add_events;

/// Who the events are from that nobody asked for: the server itself.
pub(crate) const SERVER: &str = "server";

/// One campaign.
pub(crate) struct Room {
    pub(crate) name: String,
    /// By which its events and tasks have their places.
    number: CampaignNumber,
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
    /// The events of the answers to tasks, by the places of these.
    answered: HashMap<i64, u64>,
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

/// What was added to a log.
struct Added {
    entries: Vec<Entry>,
    /// The places of tasks that were answered, each with its event and who answered.
    answered: Vec<(i64, u64, String)>,
}

/// What the rows say that follow the end of a log so far.
fn added(after: Option<Tail>, rows: Vec<Row>) -> Result<Added, StoreError> {
    let mut reader = after.map_or_else(Reader::default, Reader::after);
    let mut added = Added {
        entries: Vec::with_capacity(rows.len()),
        answered: Vec::new(),
    };
    for mut row in rows {
        let entry = (reader.entry(row.text()?.as_bytes())).map_err(damaged)?;
        if let Some(task) = row.int_or_null() {
            let person = entry.event.person();
            let person = person.ok_or_else(|| damaged("an answer of nobody"))?;
            added.answered.push((task, entry.seq, person.to_owned()));
        }
        added.entries.push(entry);
    }
    Ok(added)
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
        let number = CampaignNumber(locked.int()?);
        let (_, version) = (locked.int()?, locked.int()?);
        let document = stored_document(transaction, name).await?;
        let lines = transaction.rows(&sql::EVENT_AFTER, number.after(0)).await?;
        let log = Pending::default();
        let Added { entries, answered } = added(None, lines)?;
        log.put(entries);
        let session = Session::open(log.clone()).map_err(|error| damaged(error.to_string()))?;
        let mut room = Self {
            name: name.to_owned(),
            number,
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
            answered: HashMap::with_capacity(answered.len()),
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
                answered: 0,
                last: Some((query, number)),
            };
            room.done.insert(person, done);
        }
        for answer in answered {
            room.note_answered(answer);
        }
        for mut row in transaction.rows(&sql::TASK_GIVEN, number.after(0)).await? {
            let place = row.int()?;
            if room.answered.contains_key(&place) {
                continue;
            }
            let task = row_of_task(transaction, place).await?;
            room.put(read_task(task)?)?;
        }
        Ok(Some(room))
    }

    /// Locks the campaign, and takes in what another server did since.
    pub(super) async fn catch_up(
        &mut self,
        transaction: &mut dyn Transaction,
    ) -> Result<(), StoreError> {
        let name = vec![self.name.as_str().into()];
        let locked = row(transaction, &sql::CAMPAIGN_LOCK, name).await?;
        let mut locked = locked.ok_or_else(|| damaged("a campaign is gone"))?;
        let (_, seq, version) = (locked.int()?, locked.int()?, locked.int()?);
        if version == self.version {
            return Ok(());
        }
        let tail = self.session.tail();
        if seq > tail.seq as i64 {
            let after = self.number.after(tail.seq as i64);
            let lines = transaction.rows(&sql::EVENT_AFTER, after).await?;
            let Added { entries, answered } = added(Some(tail), lines)?;
            let extended = |entry: &Entry| matches!(entry.event, Event::Extended(_));
            if entries.iter().any(extended) {
                self.read_document(transaction).await?;
            }
            self.log.put(entries);
            (self.session.catch_up()).map_err(|error| damaged(error.to_string()))?;
            for answer in answered {
                self.note_answered(answer);
            }
        }
        let since = vec![self.name.as_str().into(), self.version.into()];
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
            if task.state != TaskState::Reported && !self.answered.contains_key(&task.place) {
                self.put(task)?;
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
        self.write_out(transaction, now).await?;
        if !self.changed {
            return Ok(());
        }
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

    /// Where an event is kept.
    pub(crate) fn place_of_event(&self, event: u64) -> i64 {
        self.number.place(event as i64)
    }

    /// The id under which the answer of an event was sent.
    pub(crate) async fn id_of_event(
        &self,
        transaction: &mut dyn Transaction,
        event: u64,
    ) -> Result<Option<String>, StoreError> {
        let place = vec![self.place_of_event(event).into()];
        let line = row(transaction, &sql::EVENT_LINE, place).await?;
        let line = line.ok_or_else(|| damaged("an event is gone"))?.text()?;
        #[derive(serde::Deserialize)]
        struct Sent {
            id: Option<String>,
        }
        let sent: Sent = serde_json::from_str(&line).map_err(damaged)?;
        Ok(sent.id)
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
