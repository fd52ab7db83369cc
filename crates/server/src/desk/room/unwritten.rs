//! What happened in a campaign and is not in the transaction yet. All turns of a time are written together: a
//! statement for so many rows, and not one for each.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use partita_stats::named::Named as _;

use super::Room;
use super::tasks::{OpenTask, TaskState, sides};
use crate::desk::Now;
use crate::desk::pending::Line;
use crate::store::statement as sql;
use crate::store::{CampaignNumber, StoreError, Transaction, Value};

/// The tasks that are new or changed, by their places, and of which tasks and bodies events are.
#[derive(Default)]
pub(super) struct Unwritten {
    tasks: BTreeMap<i64, Change>,
    receipts: BTreeMap<u64, Receipt>,
}

/// What is to be written of a task.
enum Change {
    /// All of it.
    New(OpenTask),
    /// What may change of one that was written before.
    Known {
        number: i64,
        fresh: bool,
        expires: i64,
        state: TaskState,
    },
}

/// What is kept of an answer beside its line.
pub(crate) struct Receipt {
    /// The place of the task.
    pub(super) task: i64,
    /// A hash of what was sent, if it was sent.
    pub(super) body_hash: Option<String>,
}

/// A new task, beside its campaign: in the order of the columns.
fn task_row(task: OpenTask) -> Vec<Value> {
    let (low, high, turned) = sides(&task.task);
    let gold = task.gold.map(|said| {
        let said = serde_json::to_value(said).expect("an answer is a word");
        said.as_str().expect("an answer is a word").to_owned()
    });
    vec![
        task.place.into(),
        task.id.into(),
        task.person.into(),
        task.number.into(),
        task.task.kind().name().into(),
        task.task.query().into(),
        low.into(),
        high.into(),
        i64::from(turned).into(),
        i64::from(task.fresh).into(),
        gold.into(),
        task.expires.into(),
        task.state.name().into(),
    ]
}

/// Writes lines of a log, with the receipts of those that are answers, by their numbers.
pub(crate) async fn add_events(
    transaction: &mut dyn Transaction,
    (campaign, number): (&str, CampaignNumber),
    lines: Vec<Line>,
    mut receipts: BTreeMap<u64, Receipt>,
    now: Now,
) -> Result<(), StoreError> {
    let row = |line: Line| {
        let receipt = receipts.remove(&line.seq);
        let (task, body_hash) = receipt.map_or((None, None), |receipt| {
            (Some(receipt.task), receipt.body_hash)
        });
        vec![
            number.place(line.seq as i64).into(),
            (line.seq as i64).into(),
            line.text.into(),
            line.chain.to_string().into(),
            task.into(),
            body_hash.into(),
        ]
    };
    let same = vec![campaign.into(), now.0.into()];
    let rows = lines.into_iter().map(row).collect();
    assert!(receipts.is_empty(), "an answer is recorded with its event");
    transaction.run_each(&sql::EVENTS_ADD, same, rows).await
}

impl Room {
    /// Takes note of a task that is to be written for the first time.
    pub(super) fn note_new(&mut self, task: &OpenTask) {
        self.next_version();
        (self.unwritten.tasks).insert(task.place, Change::New(task.clone()));
    }

    /// Takes note that a task has changed.
    pub(super) fn note_changed(&mut self, task: &OpenTask) {
        self.next_version();
        let &OpenTask {
            number,
            fresh,
            expires,
            state,
            ..
        } = task;
        let known = Change::Known {
            number,
            fresh,
            expires,
            state,
        };
        match self.unwritten.tasks.entry(task.place) {
            Entry::Occupied(mut there) => match there.get_mut() {
                Change::New(new) => *new = task.clone(),
                changed => *changed = known,
            },
            Entry::Vacant(place) => {
                place.insert(known);
            }
        }
    }

    /// Takes note of what is to be written of an answer beside the line of its event.
    pub(super) fn note_receipt(&mut self, event: u64, receipt: Receipt) {
        self.unwritten.receipts.insert(event, receipt);
    }

    /// Writes tasks and events: in the end of a transaction, and before something reads them in it.
    pub(crate) async fn write_out(
        &mut self,
        transaction: &mut dyn Transaction,
        now: Now,
    ) -> Result<(), StoreError> {
        let Unwritten { tasks, receipts } = std::mem::take(&mut self.unwritten);
        let (mut new, mut known) = (Vec::new(), Vec::new());
        for (place, change) in tasks {
            match change {
                Change::New(task) => new.push(task_row(task)),
                Change::Known {
                    number,
                    fresh,
                    expires,
                    state,
                } => known.push(vec![
                    place.into(),
                    number.into(),
                    i64::from(fresh).into(),
                    expires.into(),
                    state.name().into(),
                ]),
            }
        }
        if !new.is_empty() {
            let same = vec![self.name.as_str().into(), self.next_version().into()];
            transaction.run_each(&sql::TASKS_ADD, same, new).await?;
        }
        if !known.is_empty() {
            let same = vec![self.next_version().into()];
            transaction.run_each(&sql::TASKS_SET, same, known).await?;
        }
        // After the tasks that they answer.
        let lines = self.log.take();
        if !lines.is_empty() {
            self.next_version();
            let campaign = (self.name.as_str(), self.number);
            add_events(transaction, campaign, lines, receipts, now).await?;
        }
        Ok(())
    }
}
