//! What happened to the tasks of a campaign and is not in the transaction yet. All turns of a time are
//! written together: so many rows at once, and not a statement for each.

use std::collections::BTreeMap;

use partita_stats::named::Named as _;
use serde::Serialize;

use super::Room;
use super::tasks::{OpenTask, sides};
use crate::store::statement as sql;
use crate::store::{StoreError, Transaction};

/// The last row of each task that changed, by its id, and the receipts of answers.
#[derive(Default)]
pub(super) struct Unwritten {
    tasks: BTreeMap<String, TaskRow>,
    receipts: Vec<Receipt>,
}

/// What is kept of a task, beside its campaign: in the order of the columns.
type TaskRow = (
    String,
    String,
    i64,
    &'static str,
    String,
    String,
    String,
    i64,
    i64,
    Option<String>,
    i64,
    &'static str,
);

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

/// Rows as the statements take them.
fn rows<T: Serialize>(rows: &[T]) -> crate::store::Value {
    let rows = serde_json::to_string(rows).expect("rows are text and numbers");
    rows.into()
}

fn row_of(task: &OpenTask) -> TaskRow {
    let (low, high, turned) = sides(&task.task);
    let gold = task.gold.map(|said| {
        let said = serde_json::to_value(said).expect("an answer is a word");
        said.as_str().expect("an answer is a word").to_owned()
    });
    (
        task.id.clone(),
        task.person.clone(),
        task.number,
        task.task.kind().name(),
        task.task.query().to_owned(),
        low.to_owned(),
        high.to_owned(),
        i64::from(turned),
        i64::from(task.fresh),
        gold,
        task.expires,
        task.state.name(),
    )
}

impl Room {
    /// Takes note that a task is to be written.
    pub(super) fn note_task(&mut self, task: &OpenTask) {
        self.next_version();
        self.unwritten.tasks.insert(task.id.clone(), row_of(task));
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
        if !tasks.is_empty() {
            let tasks: Vec<TaskRow> = tasks.into_values().collect();
            let changed = self.next_version();
            let values = vec![self.name.as_str().into(), changed.into(), rows(&tasks)];
            transaction.run(&sql::TASKS_SET, values).await?;
        }
        if !receipts.is_empty() {
            let row = |receipt: Receipt| {
                let Receipt {
                    person,
                    id,
                    task,
                    seq,
                    body_hash,
                    saved,
                } = receipt;
                (person, id, task, seq, body_hash, saved)
            };
            let receipts: Vec<_> = receipts.into_iter().map(row).collect();
            let values = vec![rows(&receipts)];
            transaction.run(&sql::RECEIPTS_ADD, values).await?;
        }
        Ok(())
    }
}
