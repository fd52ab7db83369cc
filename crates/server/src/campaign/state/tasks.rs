//! Tasks of a campaign: assignment, leases, expiry and answers.

use std::collections::{BTreeMap, HashMap};

use partita::Preference;
use partita::judging::campaign::{
    Assignment, AssignmentRequest, Event, JudgmentKind, Lease, Question,
};

use super::{CampaignState, SERVER_AUTHOR};
use crate::auth::random_id;
use crate::http::problem::HttpProblem;
use crate::store::statement as sql;
use crate::store::{SqlRow, StoreError, Transaction};
use crate::writer::UnixMillis;

partita::named::named_enum! {
    /// State of a task.
    pub(crate) enum TaskState: "state of a task" {
        /// leased to an assessor
        Live = "live",
        /// lease expired
        Expired = "expired",
        /// returned by the assessor
        Returned = "returned",
        /// reported as impossible to judge
        Reported = "reported",
    }
}

/// Task that was assigned to an assessor and is not answered.
#[derive(Clone, Debug)]
pub(crate) struct OpenTask {
    pub(crate) id: String,
    pub(crate) person: String,
    /// Primary key of the task in the task table.
    pub(crate) row_key: i64,
    /// Sequence number of the latest assignment of the task within the campaign. It changes if the
    /// task is assigned again.
    pub(super) number: i64,
    pub(crate) question: Question,
    /// Expected answer of a gold question, given the displayed order of the items; `None` for other
    /// questions.
    pub(crate) gold: Option<Preference>,
    /// True if the query of the task differs from that of the assessor's previous assignment, or
    /// there was none.
    pub(crate) is_new_query: bool,
    /// Time when the lease expires, in Unix milliseconds.
    pub(crate) expires: i64,
    pub(crate) state: TaskState,
}

/// Progress of an assessor: answered tasks and the latest assignment.
#[derive(Clone, Debug, Default)]
pub(super) struct AssessorProgress {
    /// Number of answered tasks.
    pub(super) answered: u32,
    /// Query and task number of the latest assignment.
    pub(super) last_assigned: Option<(String, i64)>,
}

/// Returns the two items of a pair question in alphabetical order, and true if this is the reverse
/// of the displayed order. A grading question has only a first item and a ranking question none;
/// empty texts replace the others.
pub(super) fn canonical_items(question: &Question) -> (&str, &str, bool) {
    match &question.items[..] {
        [a, b] if a <= b => (a, b, false),
        [a, b] => (b, a, true),
        [item] => (item, "", false),
        _ => ("", "", false),
    }
}

/// Returns a task id that consists of the task number and a random part, so that it cannot be
/// guessed.
fn task_id(number: i64) -> String {
    format!("{number:x}-{}", random_id())
}

/// Extracts the task number from a task id: the number of the task's first assignment. Returns
/// `None` if the id is malformed.
fn parse_task_number(id: &str) -> Option<i64> {
    let (number, _) = id.split_once('-')?;
    // Task numbers have at most 10 hexadecimal digits.
    (number.len() <= 10)
        .then(|| i64::from_str_radix(number, 16).ok())
        .flatten()
        .filter(|&number| number > 0)
}

/// Returns true if two questions are the same, regardless of the displayed order.
fn is_same_question(one: &Question, other: &Question) -> bool {
    let items = |question| {
        let (low, high, _) = canonical_items(question);
        (low, high)
    };
    one.kind == other.kind && one.query == other.query && items(one) == items(other)
}

/// Returns the map entry of an assessor; inserts the default if there is none. Unlike
/// `HashMap::entry`, this clones the key only for an insertion.
fn entry_mut<'m, T: Default>(map: &'m mut HashMap<String, T>, person: &str) -> &'m mut T {
    if !map.contains_key(person) {
        map.insert(person.to_owned(), T::default());
    }
    map.get_mut(person)
        .expect("the entry exists or was inserted above")
}

impl CampaignState {
    /// Updates the latest assignment of the campaign and of the assessor, unless a later one is
    /// known. `number` is the task number of an assignment.
    pub(super) fn update_last_assignment(&mut self, person: &str, query: &str, number: i64) {
        self.last_task_number = self.last_task_number.max(number);
        let last = &mut entry_mut(&mut self.progress, person).last_assigned;
        if (last.as_ref()).is_none_or(|(_, last)| *last <= number) {
            *last = Some((query.to_owned(), number));
        }
    }

    /// Adds an open task to the maps in memory.
    pub(super) fn insert_task(&mut self, task: OpenTask) -> Result<(), StoreError> {
        self.update_last_assignment(&task.person, &task.question.query, task.number);
        if task.state == TaskState::Live {
            let lease = Lease {
                assessor: task.person.clone(),
                task: task.question.clone(),
                gold: task.gold.is_some(),
            };
            (self.leases.add(self.session.campaign(), lease)).map_err(StoreError::corrupted)?;
            let live = entry_mut(&mut self.live_tasks, &task.person);
            live.insert(task.number, task.id.clone());
            self.lease_expiries.insert((task.expires, task.id.clone()));
        } else {
            entry_mut(&mut self.lapsed_tasks, &task.person).push(task.id.clone());
        }
        self.tasks.insert(task.id.clone(), task);
        Ok(())
    }

    /// Removes an open task from the maps in memory and returns it, if there is one with this id.
    pub(super) fn remove_task(&mut self, id: &str) -> Option<OpenTask> {
        let task = self.tasks.remove(id)?;
        if task.state == TaskState::Live {
            (self.leases).remove(self.session.campaign(), &task.person, &task.question);
            if let Some(live) = self.live_tasks.get_mut(&task.person) {
                live.remove(&task.number);
            }
            self.lease_expiries.remove(&(task.expires, task.id.clone()));
        } else if let Some(lapsed) = self.lapsed_tasks.get_mut(&task.person) {
            lapsed.retain(|known| *known != task.id);
        }
        Some(task)
    }

    /// Ends all leases whose expiry time has passed at `now`.
    pub(crate) fn expire_leases(&mut self, now: UnixMillis) -> Result<(), StoreError> {
        while (self.lease_expiries.first()).is_some_and(|&(expires, _)| expires <= now.0) {
            let (_, id) = self
                .lease_expiries
                .pop_first()
                .expect("the loop condition found a first expiry");
            self.end_task(&id, TaskState::Expired)?;
        }
        Ok(())
    }

    /// Ends the lease of an unanswered task and sets the state of the task to expired, returned or
    /// reported. Does nothing if there is no such open task.
    pub(crate) fn end_task(&mut self, id: &str, state: TaskState) -> Result<(), StoreError> {
        let Some(mut task) = self.remove_task(id) else {
            return Ok(());
        };
        task.state = state;
        self.buffer_task_update(&task);
        match state {
            TaskState::Reported => Ok(()),
            _ => self.insert_task(task),
        }
    }

    /// Records the answer to an open task.
    ///
    /// # Errors
    /// Returns an [`HttpProblem`] if the event is invalid; nothing is recorded in that case.
    pub(crate) fn record_answer(
        &mut self,
        now: UnixMillis,
        task: &OpenTask,
        event: Event,
    ) -> Result<(), HttpProblem> {
        self.record(now, &task.person, event)?;
        let event = self.tail().seq;
        self.buffer_receipt(event, task.row_key);
        self.remove_task(&task.id);
        self.answers_saved += 1;
        self.answered.insert(task.row_key, event);
        entry_mut(&mut self.progress, &task.person).answered += 1;
        Ok(())
    }

    /// Applies an answer that was read from the database, saved in an earlier run or by another
    /// server. The argument holds the row key of the task, the sequence number of the answer event,
    /// and the assessor.
    pub(super) fn apply_answer(&mut self, (row_key, event, person): (i64, u64, String)) {
        let is_answered = |id: &&String| self.tasks[*id].row_key == row_key;
        let open = self.open_task_ids(&person).find(is_answered).cloned();
        open.and_then(|id| self.remove_task(&id));
        self.answered.insert(row_key, event);
        self.progress.entry(person).or_default().answered += 1;
    }

    /// Iterates over the ids of an assessor's unanswered tasks, currently leased ones first.
    fn open_task_ids(&self, person: &str) -> impl Iterator<Item = &String> {
        let live = self
            .live_tasks
            .get(person)
            .into_iter()
            .flat_map(BTreeMap::values);
        live.chain(self.lapsed_tasks.get(person).into_iter().flatten())
    }

    /// Returns the sequence number of the event that answered a task of an assessor; `None` if the
    /// task does not exist, belongs to somebody else or is unanswered.
    pub(crate) async fn find_answer_event(
        &self,
        transaction: &mut dyn Transaction,
        id: &str,
        person: &str,
    ) -> Result<Option<u64>, StoreError> {
        let Some(row_key) = parse_task_number(id).map(|number| self.number.row_key(number)) else {
            return Ok(None);
        };
        let Some(&event) = self.answered.get(&row_key) else {
            return Ok(None);
        };
        let task = parse_task_row(fetch_task_row(transaction, row_key).await?)?;
        Ok((task.id == id && task.person == person).then_some(event))
    }

    /// Reads the receipt of an answer: the answered task, and the time when the answer was saved.
    /// Returns `None` if the event with this sequence number answered no task.
    pub(crate) async fn fetch_receipt(
        &self,
        transaction: &mut dyn Transaction,
        event: u64,
    ) -> Result<Option<(OpenTask, UnixMillis)>, StoreError> {
        let key = vec![self.event_key(event).into()];
        let Some(mut row) = transaction.fetch_optional(&sql::EVENT_RECEIPT, key).await? else {
            return Ok(None);
        };
        let Some(row_key) = row.int_or_null() else {
            return Ok(None);
        };
        let saved = UnixMillis(row.int()?);
        let task = parse_task_row(fetch_task_row(transaction, row_key).await?)?;
        Ok(Some((task, saved)))
    }

    /// Returns an open task by its id, if it belongs to the assessor.
    pub(crate) fn task(&self, id: &str, person: &str) -> Option<&OpenTask> {
        self.tasks.get(id).filter(|task| task.person == person)
    }

    /// Returns the live tasks (leased and unanswered) of an assessor in the order of assignment.
    pub(crate) fn live_tasks(&self, person: &str) -> Vec<&OpenTask> {
        let live = self.live_tasks.get(person).into_iter().flatten();
        live.map(|(_, id)| &self.tasks[id]).collect()
    }

    /// Returns the number of tasks an assessor has answered.
    pub(crate) fn answer_count(&self, person: &str) -> u32 {
        self.progress
            .get(person)
            .map_or(0, |progress| progress.answered)
    }

    /// Chooses the next question for an assessor without assigning it; returns `None` if there is
    /// none.
    pub(crate) fn choose_next(
        &mut self,
        person: &str,
        kind: JudgmentKind,
        now: UnixMillis,
    ) -> Option<Assignment> {
        let request = AssignmentRequest {
            alternate_queries: self.spec().judging.mix,
            ..AssignmentRequest::new(person).with_kind(kind)
        };
        if self.schedules_in_background() {
            return self.campaign().choose_assignment(&request, &self.leases);
        }
        let chosen =
            (self.session).next_assignment(&now.to_stamp(SERVER_AUTHOR), &request, &self.leases);
        chosen.expect("the engine accepts its own questions")
    }

    /// Assigns a question to an assessor. If they have an unanswered task for the same question,
    /// that task is reused, with its id and displayed order.
    pub(crate) fn assign(
        &mut self,
        person: &str,
        chosen: Assignment,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        let expires = now.0 + i64::from(self.spec().judging.lease_seconds) * 1_000;
        self.last_task_number += 1;
        let number = self.last_task_number;
        let progress = self.progress.get(person);
        let last = progress.and_then(|progress| progress.last_assigned.as_ref());
        let is_new_query = last.is_none_or(|(query, _)| *query != chosen.task.query);
        let same = |id: &&String| is_same_question(&self.tasks[*id].question, &chosen.task);
        let known = self.open_task_ids(person).find(same).cloned();
        if let Some(mut task) = known.and_then(|id| self.remove_task(&id)) {
            task.is_new_query = is_new_query;
            task.number = number;
            task.expires = expires;
            task.state = TaskState::Live;
            self.buffer_task_update(&task);
            return self.insert_task(task);
        }
        let task = OpenTask {
            id: task_id(number),
            person: person.to_owned(),
            row_key: self.number.row_key(number),
            number,
            question: chosen.task,
            gold: chosen.gold,
            is_new_query,
            expires,
            state: TaskState::Live,
        };
        self.buffer_new_task(&task);
        self.insert_task(task)
    }

    /// Counts the leases of each pair of items, without gold questions. The key is the query and
    /// the two items in alphabetical order.
    pub(crate) fn lease_counts_by_pair(&self) -> HashMap<(String, String, String), u32> {
        let mut counts = HashMap::new();
        let tasks = self.tasks.values();
        for task in tasks.filter(|task| task.state == TaskState::Live && task.gold.is_none()) {
            if task.question.kind == JudgmentKind::Preference {
                let (low, high, _) = canonical_items(&task.question);
                let query = task.question.query.clone();
                let key = (query, low.to_owned(), high.to_owned());
                *counts.entry(key).or_insert(0) += 1;
            }
        }
        counts
    }
}

/// Reads the row of a task by its key.
pub(super) async fn fetch_task_row(
    transaction: &mut dyn Transaction,
    row_key: i64,
) -> Result<SqlRow, StoreError> {
    let found = transaction
        .fetch_optional(&sql::TASK_GET, vec![row_key.into()])
        .await?;
    found.ok_or_else(|| StoreError::corrupted("a task is gone"))
}

/// Parses a row of the task table with all columns except campaign and version.
pub(super) fn parse_task_row(mut row: SqlRow) -> Result<OpenTask, StoreError> {
    let row_key = row.int()?;
    let (id, person, number) = (row.text()?, row.text()?, row.int()?);
    let (kind, query) = (row.text()?, row.text()?);
    let (low, high, turned) = (row.text()?, row.text()?, row.int()? != 0);
    let is_new_query = row.int()? != 0;
    let gold = row.text_or_null();
    let gold = gold.map(|choice| serde_json::from_value(choice.into()));
    let mut items = match turned {
        true => vec![high, low],
        false => vec![low, high],
    };
    items.retain(|item| !item.is_empty());
    let question = Question {
        kind: kind.parse().map_err(StoreError::corrupted)?,
        query,
        items,
    };
    Ok(OpenTask {
        id,
        person,
        row_key,
        number,
        question,
        gold: gold.transpose().map_err(StoreError::corrupted)?,
        is_new_query,
        expires: row.int()?,
        state: row.text()?.parse().map_err(StoreError::corrupted)?,
    })
}
