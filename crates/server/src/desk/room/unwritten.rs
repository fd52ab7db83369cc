//! What happened to the tasks of a campaign and is not in the transaction yet. All turns of a time are
//! written together: a statement for so many rows, and not one for each.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use partita_stats::named::Named as _;

use super::Room;
use super::tasks::{OpenTask, TaskState, sides};
use crate::store::statement as sql;
use crate::store::{StoreError, Transaction, Value};

/// The tasks that are new or changed, by their ids, and the receipts of answers.
#[derive(Default)]
pub(super) struct Unwritten {
    tasks: BTreeMap<String, Change>,
    receipts: Vec<Receipt>,
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

/// What is kept of an answer beside the event: in the order of the columns.
#[derive(Debug)]
pub(crate) struct Receipt {
    pub(crate) person: String,
    pub(crate) id: String,
    pub(crate) task: String,
    pub(crate) seq: u64,
    pub(crate) body_hash: String,
    pub(crate) saved: String,
}

/// A new task, beside its campaign: in the order of the columns.
fn task_row(task: OpenTask) -> Vec<Value> {
    let (low, high, turned) = sides(&task.task);
    let gold = task.gold.map(|said| {
        let said = serde_json::to_value(said).expect("an answer is a word");
        said.as_str().expect("an answer is a word").to_owned()
    });
    vec![
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

fn receipt_row(receipt: Receipt) -> Vec<Value> {
    vec![
        receipt.person.into(),
        receipt.id.into(),
        receipt.task.into(),
        (receipt.seq as i64).into(),
        receipt.body_hash.into(),
        receipt.saved.into(),
    ]
}

impl Room {
    /// Takes note of a task that is to be written for the first time.
    pub(super) fn note_new(&mut self, task: &OpenTask) {
        self.next_version();
        (self.unwritten.tasks).insert(task.id.clone(), Change::New(task.clone()));
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
        match self.unwritten.tasks.entry(task.id.clone()) {
            Entry::Occupied(mut there) => match there.get_mut() {
                Change::New(new) => *new = task.clone(),
                changed => *changed = known,
            },
            Entry::Vacant(place) => {
                place.insert(known);
            }
        }
    }

    /// Takes note of an answer that is saved with this transaction.
    pub(crate) fn add_receipt(&mut self, receipt: Receipt) {
        self.next_version();
        self.unwritten.receipts.push(receipt);
    }

    /// Writes tasks and receipts: in the end of a transaction, and before something reads them in it.
    pub(crate) async fn write_tasks(
        &mut self,
        transaction: &mut dyn Transaction,
    ) -> Result<(), StoreError> {
        let Unwritten { tasks, receipts } = std::mem::take(&mut self.unwritten);
        let (mut new, mut known) = (Vec::new(), Vec::new());
        for (id, change) in tasks {
            match change {
                Change::New(task) => new.push(task_row(task)),
                Change::Known {
                    number,
                    fresh,
                    expires,
                    state,
                } => known.push(vec![
                    id.into(),
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
        if !receipts.is_empty() {
            let receipts = receipts.into_iter().map(receipt_row).collect();
            (transaction.run_each(&sql::RECEIPTS_ADD, vec![], receipts)).await?;
        }
        Ok(())
    }
}
