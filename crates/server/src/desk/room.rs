//! One campaign in the memory of a server: the engine's fold of its log, the tasks that are with people, and
//! the people.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::convert::Infallible;
use std::sync::Arc;

use partita_judging::campaign::log::{Entry, Reader, Tail};
use partita_judging::campaign::{
    Campaign, Chosen, Event, Kind, Lease, Leases, NotRecorded, Said, Session, Task, TaskRequest,
};

use partita_judging::StrategyName;

use super::pending::Pending;
use super::{Now, Refused};
use crate::document::Document;
use crate::entry::End;
use crate::guard::random_id;
use crate::problem::Problem;
use crate::store::statement as sql;
use crate::store::{Row, StoreError, Transaction, row};

/// Who the events are from that nobody asked for: the server itself.
pub(crate) const SERVER: &str = "server";

partita_stats::named! {
    /// What became of a task.
    pub(crate) enum TaskState: "state of a task" {
        /// somebody has it
        Live = "live",
        /// its time ran out
        Expired = "expired",
        /// it was given back
        Returned = "returned",
        /// it was answered
        Answered = "answered",
        /// it could not be judged
        Reported = "reported",
    }
}

/// A task that was given to somebody and is not answered.
#[derive(Clone, Debug)]
pub(crate) struct OpenTask {
    pub(crate) id: String,
    pub(crate) person: String,
    /// Its place among all tasks of the campaign.
    number: i64,
    pub(crate) task: Task,
    /// The known answer, with the items as they are shown.
    pub(crate) gold: Option<Said>,
    /// Whether the query differs from that of the person's task before.
    pub(crate) fresh: bool,
    /// When its time runs out.
    pub(crate) expires: i64,
    pub(crate) state: TaskState,
}

/// A person of a campaign.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: String,
    /// What they judge.
    pub(crate) kind: Kind,
    /// How they came: `recruiter`, or the id of an invite.
    pub(crate) entry: String,
    /// How their work ended, if it did.
    pub(crate) end: Option<End>,
    pub(crate) language: String,
    /// The version of the text that they agreed to.
    pub(crate) consent: Option<String>,
    pub(crate) background: Option<String>,
    /// Since when there is nothing for them.
    pub(crate) waits_since: Option<i64>,
}

/// What somebody has done so far.
#[derive(Clone, Debug, Default)]
struct Done {
    /// How many tasks they answered.
    answered: u32,
    /// The query of their last task, and its number.
    last: Option<(String, i64)>,
}

/// What tells whether somebody was given the same before.
type Slot = (String, Kind, String, String, String);

/// One campaign.
pub(crate) struct Room {
    pub(crate) name: String,
    pub(crate) document: Arc<Document>,
    /// The types of files, and how many thousandths of a second clips last.
    pub(crate) media: HashMap<String, (String, Option<i64>)>,
    log: Pending,
    session: Session<Pending>,
    leases: Leases,
    tasks: HashMap<String, OpenTask>,
    slots: HashMap<Slot, String>,
    live: HashMap<String, BTreeMap<i64, String>>,
    expiring: BTreeSet<(i64, String)>,
    pub(crate) people: BTreeMap<String, Person>,
    done: HashMap<String, Done>,
    last_number: i64,
    version: i64,
    changed: bool,
    saved: u64,
}

/// The items of a task in the order of their names, and whether the second is shown first.
fn sides(task: &Task) -> (&str, &str, bool) {
    match task {
        Task::Preference { a, b, .. } if a <= b => (a, b, false),
        Task::Preference { a, b, .. } => (b, a, true),
        Task::Ranking { .. } => ("", "", false),
        Task::Grading { item, .. } => (item, "", false),
    }
}

fn slot(person: &str, task: &Task) -> Slot {
    let (low, high, _) = sides(task);
    let text = str::to_owned;
    (
        text(person),
        task.kind(),
        text(task.query()),
        text(low),
        text(high),
    )
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
            document: Arc::new(document),
            media: HashMap::new(),
            log,
            session,
            leases: Leases::new(),
            tasks: HashMap::new(),
            slots: HashMap::new(),
            live: HashMap::new(),
            expiring: BTreeSet::new(),
            people: BTreeMap::new(),
            done: HashMap::new(),
            last_number: 0,
            version,
            changed: false,
            saved: 0,
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
        self.document = Arc::new(stored_document(transaction, &self.name).await?);
        self.read_media(transaction).await
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
        transaction.run(&sql::CAMPAIGN_DOCUMENT, values).await?;
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
        for entry in &recorded {
            let line = entry.line();
            let values = vec![
                self.name.as_str().into(),
                (entry.seq as i64).into(),
                now.0.into(),
                line.trim_end().into(),
                entry.chain.to_string().into(),
            ];
            transaction.run(&sql::EVENT_ADD, values).await?;
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

    fn take_person(&mut self, mut row: Row) -> Result<(), StoreError> {
        let (id, kind, entry) = (row.text()?, row.text()?, row.text()?);
        let state = row.text()?;
        let person = Person {
            id: id.clone(),
            kind: kind.parse().map_err(damaged)?,
            entry,
            end: (state != ACTIVE)
                .then(|| state.parse())
                .transpose()
                .map_err(damaged)?,
            language: row.text()?,
            consent: row.text_or_null(),
            background: row.text_or_null(),
            waits_since: row.int_or_null(),
        };
        self.people.insert(id, person);
        Ok(())
    }

    fn note_last(&mut self, task: &OpenTask) {
        self.last_number = self.last_number.max(task.number);
        let done = self.done.entry(task.person.clone()).or_default();
        if done
            .last
            .as_ref()
            .is_none_or(|(_, number)| *number <= task.number)
        {
            done.last = Some((task.task.query().to_owned(), task.number));
        }
    }

    /// Takes note of a task that is open.
    fn put(&mut self, task: OpenTask) -> Result<(), StoreError> {
        self.note_last(&task);
        if task.state == TaskState::Live {
            let lease = Lease {
                person: task.person.clone(),
                task: task.task.clone(),
                gold: task.gold.is_some(),
            };
            (self.leases.add(self.session.campaign(), lease)).map_err(damaged)?;
            let theirs = self.live.entry(task.person.clone()).or_default();
            theirs.insert(task.number, task.id.clone());
            self.expiring.insert((task.expires, task.id.clone()));
        }
        self.slots
            .insert(slot(&task.person, &task.task), task.id.clone());
        self.tasks.insert(task.id.clone(), task);
        Ok(())
    }

    /// Forgets an open task.
    fn take_out(&mut self, id: &str) -> Option<OpenTask> {
        let task = self.tasks.remove(id)?;
        self.slots.remove(&slot(&task.person, &task.task));
        if task.state == TaskState::Live {
            (self.leases).remove(self.session.campaign(), &task.person, &task.task);
            if let Some(theirs) = self.live.get_mut(&task.person) {
                theirs.remove(&task.number);
            }
            self.expiring.remove(&(task.expires, task.id.clone()));
        }
        Some(task)
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

    /// How many people have this pair now.
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

    /// The lists that are worth planning.
    pub(super) fn due(&self) -> Vec<usize> {
        if self.document.kinds.contains(&Kind::Preference) {
            self.campaign().due(&self.leases)
        } else {
            Vec::new()
        }
    }

    /// Asks what all lists want now, where that takes no model and so no time.
    pub(super) fn plan_at_once(&mut self, now: Now) {
        let strategy = self.campaign().settings().strategy;
        if matches!(strategy, StrategyName::Pooled | StrategyName::Random) {
            return;
        }
        for list in self.due() {
            self.plan(list, now);
        }
    }

    /// Asks what a list wants now.
    pub(super) fn plan(&mut self, list: usize, now: Now) {
        let planned = self.session.plan(&now.stamp(SERVER), list);
        planned.expect("what the engine asks fits");
    }

    /// Ends the leases whose time ran out.
    pub(super) async fn expire(
        &mut self,
        transaction: &mut dyn Transaction,
        now: Now,
    ) -> Result<(), StoreError> {
        while let Some((expires, id)) = self.expiring.first().cloned() {
            if expires > now.0 {
                break;
            }
            self.end_task(transaction, &id, TaskState::Expired).await?;
        }
        Ok(())
    }

    /// Writes that a task is not live any more; the task, if it was open.
    pub(crate) async fn end_task(
        &mut self,
        transaction: &mut dyn Transaction,
        id: &str,
        state: TaskState,
    ) -> Result<(), StoreError> {
        let Some(mut task) = self.take_out(id) else {
            return Ok(());
        };
        task.state = state;
        self.write_task(transaction, &task).await?;
        match state {
            TaskState::Answered => {
                self.saved += 1;
                self.done.entry(task.person).or_default().answered += 1;
            }
            TaskState::Reported => {}
            TaskState::Live | TaskState::Expired | TaskState::Returned => self.put(task)?,
        }
        Ok(())
    }

    async fn write_task(
        &mut self,
        transaction: &mut dyn Transaction,
        task: &OpenTask,
    ) -> Result<(), StoreError> {
        let values = vec![
            task.id.as_str().into(),
            task.state.to_string().into(),
            task.number.into(),
            task.expires.into(),
            self.next_version().into(),
        ];
        transaction.run(&sql::TASK_SET, values).await?;
        Ok(())
    }

    /// An open task of somebody.
    pub(crate) fn task(&self, id: &str, person: &str) -> Option<&OpenTask> {
        self.tasks.get(id).filter(|task| task.person == person)
    }

    /// The tasks that somebody has, in their order.
    pub(crate) fn live_tasks(&self, person: &str) -> Vec<&OpenTask> {
        let theirs = self.live.get(person).into_iter().flatten();
        theirs.map(|(_, id)| &self.tasks[id]).collect()
    }

    /// How many tasks somebody has answered.
    pub(crate) fn answered(&self, person: &str) -> u32 {
        self.done.get(person).map_or(0, |done| done.answered)
    }

    /// What somebody would be given next.
    pub(crate) fn choose(&mut self, person: &str, kind: Kind, now: Now) -> Option<Chosen> {
        let request = TaskRequest {
            mix: self.document.judging.mix,
            ..TaskRequest::new(person).judging(kind)
        };
        let chosen = (self.session).next_task(&now.stamp(SERVER), &request, &self.leases);
        chosen.expect("what the engine asks fits")
    }

    /// Gives somebody a task. Who was given the same before, and did not answer, gets it again as it
    /// was.
    pub(crate) async fn give(
        &mut self,
        transaction: &mut dyn Transaction,
        person: &str,
        chosen: Chosen,
        now: Now,
    ) -> Result<(), StoreError> {
        let expires = now.0 + i64::from(self.document.judging.lease_seconds) * 1_000;
        self.last_number += 1;
        let number = self.last_number;
        let before = self.slots.get(&slot(person, &chosen.task)).cloned();
        if let Some(mut task) = before.and_then(|id| self.take_out(&id)) {
            task.number = number;
            task.expires = expires;
            task.state = TaskState::Live;
            self.write_task(transaction, &task).await?;
            return self.put(task);
        }
        let last = self.done.get(person).and_then(|done| done.last.as_ref());
        let fresh = last.is_none_or(|(query, _)| query != chosen.task.query());
        let task = OpenTask {
            id: random_id(),
            person: person.to_owned(),
            number,
            task: chosen.task,
            gold: chosen.gold,
            fresh,
            expires,
            state: TaskState::Live,
        };
        let (low, high, turned) = sides(&task.task);
        let gold = task.gold.map(|said| {
            let said = serde_json::to_value(said).expect("an answer is a word");
            said.as_str().expect("an answer is a word").to_owned()
        });
        let values = vec![
            task.id.as_str().into(),
            self.name.as_str().into(),
            person.into(),
            number.into(),
            task.task.kind().to_string().into(),
            task.task.query().into(),
            low.into(),
            high.into(),
            i64::from(turned).into(),
            i64::from(fresh).into(),
            gold.into(),
            expires.into(),
            TaskState::Live.to_string().into(),
            self.next_version().into(),
        ];
        transaction.run(&sql::TASK_ADD, values).await?;
        self.put(task)
    }

    /// Lets somebody in.
    pub(crate) async fn add_person(
        &mut self,
        transaction: &mut dyn Transaction,
        person: Person,
        now: Now,
    ) -> Result<(), StoreError> {
        let values = vec![
            person.id.as_str().into(),
            self.name.as_str().into(),
            person.kind.to_string().into(),
            person.entry.as_str().into(),
            ACTIVE.into(),
            person.language.as_str().into(),
            now.0.into(),
            self.next_version().into(),
        ];
        transaction.run(&sql::PERSON_ADD, values).await?;
        self.people.insert(person.id.clone(), person);
        Ok(())
    }

    /// Changes what is known of somebody.
    pub(crate) async fn set_person(
        &mut self,
        transaction: &mut dyn Transaction,
        person: Person,
    ) -> Result<(), StoreError> {
        let state = person.end.map_or(ACTIVE.to_owned(), |end| end.to_string());
        let values = vec![
            person.id.as_str().into(),
            state.into(),
            person.language.as_str().into(),
            person.consent.clone().into(),
            person.background.clone().into(),
            person.waits_since.into(),
            self.next_version().into(),
        ];
        transaction.run(&sql::PERSON_SET, values).await?;
        self.people.insert(person.id.clone(), person);
        Ok(())
    }

    /// Somebody of the campaign.
    ///
    /// # Errors
    /// A person who is none of it.
    pub(crate) fn person(&self, id: &str) -> Result<&Person, Refused> {
        let person = self.people.get(id);
        person.ok_or_else(|| Problem::not_found("person").into())
    }

    /// How many people hold each pair of a query, by the names of its items in order.
    pub(crate) fn leased_pairs(&self) -> HashMap<(String, String, String), u32> {
        let mut leased = HashMap::new();
        let live = self.tasks.values();
        for task in live.filter(|task| task.state == TaskState::Live && task.gold.is_none()) {
            if let Task::Preference { query, .. } = &task.task {
                let (low, high, _) = sides(&task.task);
                let key = (query.clone(), low.to_owned(), high.to_owned());
                *leased.entry(key).or_insert(0) += 1;
            }
        }
        leased
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

/// The state of a person whose work goes on.
const ACTIVE: &str = "active";

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

fn read_task(mut row: Row) -> Result<OpenTask, StoreError> {
    let (id, person, number) = (row.text()?, row.text()?, row.int()?);
    let (kind, query) = (row.text()?, row.text()?);
    let (low, high, turned) = (row.text()?, row.text()?, row.int()? != 0);
    let fresh = row.int()? != 0;
    let gold = row.text_or_null();
    let gold = gold.map(|said| serde_json::from_value(said.into()));
    let task = match kind.parse().map_err(damaged)? {
        Kind::Preference => {
            let (a, b) = if turned { (high, low) } else { (low, high) };
            Task::Preference { query, a, b }
        }
        Kind::Ranking => Task::Ranking { query },
        Kind::Grading => Task::Grading { query, item: low },
    };
    Ok(OpenTask {
        id,
        person,
        number,
        task,
        gold: gold.transpose().map_err(damaged)?,
        fresh,
        expires: row.int()?,
        state: row.text()?.parse().map_err(damaged)?,
    })
}
