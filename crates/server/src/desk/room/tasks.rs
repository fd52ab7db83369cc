//! The tasks of a campaign: given out, with people, back.

use std::collections::{BTreeMap, HashMap};

use partita_judging::campaign::{Chosen, Event, Kind, Lease, Said, Task, TaskRequest};

use super::unwritten::Receipt;
use super::{Room, SERVER, damaged};
use crate::desk::Now;
use crate::guard::random_id;
use crate::problem::Problem;
use crate::store::statement as sql;
use crate::store::{Row, StoreError, Transaction, row};

partita_stats::named! {
    /// What became of a task.
    pub(crate) enum TaskState: "state of a task" {
        /// somebody has it
        Live = "live",
        /// its time ran out
        Expired = "expired",
        /// it was given back
        Returned = "returned",
        /// it could not be judged
        Reported = "reported",
    }
}

/// A task that was given to somebody and is not answered.
#[derive(Clone, Debug)]
pub(crate) struct OpenTask {
    pub(crate) id: String,
    pub(crate) person: String,
    /// Its place in the table of all tasks.
    pub(crate) place: i64,
    /// When it was given among all that were given in the campaign.
    pub(super) number: i64,
    pub(crate) task: Task,
    /// The known answer, with the items as they are shown.
    pub(crate) gold: Option<Said>,
    /// Whether the query differs from that of the person's task before.
    pub(crate) fresh: bool,
    /// When its time runs out.
    pub(crate) expires: i64,
    pub(crate) state: TaskState,
}

/// What somebody has done so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    /// How many tasks they answered.
    pub(super) answered: u32,
    /// The query of their last task, and its number.
    pub(super) last: Option<(String, i64)>,
}

/// The items of a task in the order of their names, and whether the second is shown first.
pub(super) fn sides(task: &Task) -> (&str, &str, bool) {
    match task {
        Task::Preference { a, b, .. } if a <= b => (a, b, false),
        Task::Preference { a, b, .. } => (b, a, true),
        Task::Ranking { .. } => ("", "", false),
        Task::Grading { item, .. } => (item, "", false),
    }
}

/// An id that nobody can guess, and by which the task is found in the database.
fn task_id(number: i64) -> String {
    format!("{number:x}-{}", random_id())
}

/// Returns the number that the task with this id had when it was given first; nothing if this is no id of a task.
fn number_of(id: &str) -> Option<i64> {
    let (number, _) = id.split_once('-')?;
    // No number of a task has more digits.
    (number.len() <= 10)
        .then(|| i64::from_str_radix(number, 16).ok())
        .flatten()
        .filter(|&number| number > 0)
}

/// Whether two tasks ask for the same, whatever is shown first.
fn ask_the_same(one: &Task, other: &Task) -> bool {
    let about = |task| {
        let (low, high, _) = sides(task);
        (low, high)
    };
    one.kind() == other.kind() && one.query() == other.query() && about(one) == about(other)
}

/// What is kept of a person in a map, made if there is nothing yet.
fn of_person<'m, T: Default>(map: &'m mut HashMap<String, T>, person: &str) -> &'m mut T {
    if !map.contains_key(person) {
        map.insert(person.to_owned(), T::default());
    }
    map.get_mut(person).expect("it was put there")
}

impl Room {
    pub(super) fn note_last(&mut self, task: &OpenTask) {
        self.last_number = self.last_number.max(task.number);
        let last = &mut of_person(&mut self.done, &task.person).last;
        if (last.as_ref()).is_none_or(|(_, number)| *number <= task.number) {
            *last = Some((task.task.query().to_owned(), task.number));
        }
    }

    /// Takes note of a task that is open.
    pub(super) fn put(&mut self, task: OpenTask) -> Result<(), StoreError> {
        self.note_last(&task);
        if task.state == TaskState::Live {
            let lease = Lease {
                person: task.person.clone(),
                task: task.task.clone(),
                gold: task.gold.is_some(),
            };
            (self.leases.add(self.session.campaign(), lease)).map_err(damaged)?;
            let theirs = of_person(&mut self.live, &task.person);
            theirs.insert(task.number, task.id.clone());
            self.expiring.insert((task.expires, task.id.clone()));
        } else {
            of_person(&mut self.lapsed, &task.person).push(task.id.clone());
        }
        self.tasks.insert(task.id.clone(), task);
        Ok(())
    }

    /// Forgets an open task.
    pub(super) fn take_out(&mut self, id: &str) -> Option<OpenTask> {
        let task = self.tasks.remove(id)?;
        if task.state == TaskState::Live {
            (self.leases).remove(self.session.campaign(), &task.person, &task.task);
            if let Some(theirs) = self.live.get_mut(&task.person) {
                theirs.remove(&task.number);
            }
            self.expiring.remove(&(task.expires, task.id.clone()));
        } else if let Some(theirs) = self.lapsed.get_mut(&task.person) {
            theirs.retain(|known| *known != task.id);
        }
        Some(task)
    }

    /// Ends the leases whose time ran out.
    pub(in crate::desk) fn expire(&mut self, now: Now) -> Result<(), StoreError> {
        while (self.expiring.first()).is_some_and(|&(expires, _)| expires <= now.0) {
            let (_, id) = self.expiring.pop_first().expect("there is a first");
            self.end_task(&id, TaskState::Expired)?;
        }
        Ok(())
    }

    /// Takes note that a task is not live any more, if it was open, though it was not answered.
    pub(crate) fn end_task(&mut self, id: &str, state: TaskState) -> Result<(), StoreError> {
        let Some(mut task) = self.take_out(id) else {
            return Ok(());
        };
        task.state = state;
        self.note_changed(&task);
        match state {
            TaskState::Reported => Ok(()),
            _ => self.put(task),
        }
    }

    /// Lets an open task be answered by this event, of whose body this is a hash.
    ///
    /// # Errors
    /// An event that does not fit: nothing has happened then.
    pub(crate) fn answer(
        &mut self,
        now: Now,
        task: &OpenTask,
        event: Event,
        body_hash: Option<String>,
    ) -> Result<(), Problem> {
        self.record(now, &task.person, vec![event])?;
        let event = self.tail().seq;
        let place = task.place;
        let receipt = Receipt {
            task: place,
            body_hash,
        };
        self.note_receipt(event, receipt);
        self.take_out(&task.id);
        self.saved += 1;
        self.answered.insert(place, event);
        of_person(&mut self.done, &task.person).answered += 1;
        Ok(())
    }

    /// Takes note of an answer that was saved before or elsewhere: the place of the task, the event, and who
    /// answered.
    pub(super) fn note_answered(&mut self, (place, event, person): (i64, u64, String)) {
        let here = |id: &&String| self.tasks[*id].place == place;
        let open = self.open_tasks(&person).find(here).cloned();
        open.and_then(|id| self.take_out(&id));
        self.answered.insert(place, event);
        self.done.entry(person).or_default().answered += 1;
    }

    /// The ids of the tasks that somebody was given and did not answer, those first that they have now.
    fn open_tasks(&self, person: &str) -> impl Iterator<Item = &String> {
        let live = self.live.get(person).into_iter().flat_map(BTreeMap::values);
        live.chain(self.lapsed.get(person).into_iter().flatten())
    }

    /// The event by which a task of somebody was answered, if there was such a task and it was.
    pub(crate) async fn answer_to(
        &self,
        transaction: &mut dyn Transaction,
        id: &str,
        person: &str,
    ) -> Result<Option<u64>, StoreError> {
        let Some(place) = number_of(id).map(|number| self.number.place(number)) else {
            return Ok(None);
        };
        let Some(&event) = self.answered.get(&place) else {
            return Ok(None);
        };
        let task = read_task(row_of_task(transaction, place).await?)?;
        Ok((task.id == id && task.person == person).then_some(event))
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
        if self.plans_aside() {
            return self.campaign().choose(&request, &self.leases);
        }
        let chosen = (self.session).next_task(&now.stamp(SERVER), &request, &self.leases);
        chosen.expect("what the engine asks fits")
    }

    /// Gives somebody a task. Who was given the same before, and did not answer, gets it again as it
    /// was.
    pub(crate) fn give(
        &mut self,
        person: &str,
        chosen: Chosen,
        now: Now,
    ) -> Result<(), StoreError> {
        let expires = now.0 + i64::from(self.document.judging.lease_seconds) * 1_000;
        self.last_number += 1;
        let number = self.last_number;
        let last = self.done.get(person).and_then(|done| done.last.as_ref());
        let fresh = last.is_none_or(|(query, _)| query != chosen.task.query());
        let same = |id: &&String| ask_the_same(&self.tasks[*id].task, &chosen.task);
        let before = self.open_tasks(person).find(same).cloned();
        if let Some(mut task) = before.and_then(|id| self.take_out(&id)) {
            task.fresh = fresh;
            task.number = number;
            task.expires = expires;
            task.state = TaskState::Live;
            self.note_changed(&task);
            return self.put(task);
        }
        let task = OpenTask {
            id: task_id(number),
            person: person.to_owned(),
            place: self.number.place(number),
            number,
            task: chosen.task,
            gold: chosen.gold,
            fresh,
            expires,
            state: TaskState::Live,
        };
        self.note_new(&task);
        self.put(task)
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

/// The row of a task.
pub(super) async fn row_of_task(
    transaction: &mut dyn Transaction,
    place: i64,
) -> Result<Row, StoreError> {
    let found = row(transaction, &sql::TASK_GET, vec![place.into()]).await?;
    found.ok_or_else(|| damaged("a task is gone"))
}

pub(super) fn read_task(mut row: Row) -> Result<OpenTask, StoreError> {
    let place = row.int()?;
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
        place,
        number,
        task,
        gold: gold.transpose().map_err(damaged)?,
        fresh,
        expires: row.int()?,
        state: row.text()?.parse().map_err(damaged)?,
    })
}
