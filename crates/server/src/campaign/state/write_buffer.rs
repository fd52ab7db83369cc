//! Buffer for the database rows of tasks and answer receipts. The rows of a batch of jobs are
//! written together at its end, or earlier if a job has to read them.

use std::collections::BTreeMap;

use partita::named::NamedEnum as _;

use super::CampaignState;
use super::tasks::{OpenTask, canonical_items};
use crate::store::statement as sql;
use crate::store::{CampaignNumber, SqlValue, StoreError, Transaction};
use crate::writer::UnixMillis;
use crate::writer::log_buffer::LogLine;

/// Pending database writes.
#[derive(Default)]
pub(super) struct WriteBuffer {
    /// Tasks by row key.
    tasks: BTreeMap<i64, TaskWrite>,
    /// Receipts of answers: row key of the answered task, by the sequence number of the answer
    /// event. A receipt is stored in the same row as the log line of the event.
    receipts: BTreeMap<u64, i64>,
}

/// Pending write of a task row.
struct TaskWrite {
    /// True if the row is to be inserted; false if only its mutable columns are to be updated.
    is_new: bool,
    task: OpenTask,
}

/// Returns the values of a new task row in the order of the columns, without the leading columns
/// that all rows share.
fn task_row(task: OpenTask) -> Vec<SqlValue> {
    let (low, high, turned) = canonical_items(&task.question);
    let gold = task.gold.map(|choice| choice.name().to_owned());
    vec![
        task.row_key.into(),
        task.id.into(),
        task.person.into(),
        task.number.into(),
        task.question.kind.name().into(),
        task.question.query.as_str().into(),
        low.into(),
        high.into(),
        i64::from(turned).into(),
        i64::from(task.is_new_query).into(),
        gold.into(),
        task.expires.into(),
        task.state.name().into(),
    ]
}

/// Inserts log lines into the database together with the receipts of answers, which are keyed by
/// sequence number.
pub(crate) async fn insert_events(
    transaction: &mut dyn Transaction,
    (campaign, number): (&str, CampaignNumber),
    lines: Vec<LogLine>,
    mut receipts: BTreeMap<u64, i64>,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let row = |line: LogLine| {
        let task = receipts.remove(&line.seq);
        vec![
            number.row_key(line.seq as i64).into(),
            (line.seq as i64).into(),
            line.text.into(),
            line.chain.to_string().into(),
            task.into(),
        ]
    };
    let common = vec![campaign.into(), now.0.into()];
    let rows = lines.into_iter().map(row).collect();
    assert!(receipts.is_empty(), "an answer is recorded with its event");
    transaction
        .execute_many(&sql::EVENTS_ADD, common, rows)
        .await
}

impl CampaignState {
    /// Buffers the insertion of a task.
    pub(super) fn buffer_new_task(&mut self, task: &OpenTask) {
        self.buffer_task_write(task, true);
    }

    /// Buffers the update of a task. If its insertion is still buffered, the row is inserted with
    /// the updated values.
    pub(super) fn buffer_task_update(&mut self, task: &OpenTask) {
        let buffered = self.write_buffer.tasks.get(&task.row_key);
        let is_new = buffered.is_some_and(|write| write.is_new);
        self.buffer_task_write(task, is_new);
    }

    fn buffer_task_write(&mut self, task: &OpenTask, is_new: bool) {
        self.next_version();
        let task = task.clone();
        let writes = &mut self.write_buffer.tasks;
        writes.insert(task.row_key, TaskWrite { is_new, task });
    }

    /// Buffers the receipt of an answer: the sequence number of the answer event, and the row key
    /// of the answered task.
    pub(super) fn buffer_receipt(&mut self, event: u64, task: i64) {
        self.write_buffer.receipts.insert(event, task);
    }

    /// Writes buffered tasks and events to the database. Called at the end of a transaction, and
    /// before a query within it reads these tables.
    pub(crate) async fn flush_rows(
        &mut self,
        transaction: &mut dyn Transaction,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        let WriteBuffer { tasks, receipts } = std::mem::take(&mut self.write_buffer);
        let (mut new, mut updated) = (Vec::new(), Vec::new());
        for TaskWrite { is_new, task } in tasks.into_values() {
            match is_new {
                true => new.push(task_row(task)),
                false => updated.push(vec![
                    task.row_key.into(),
                    task.number.into(),
                    i64::from(task.is_new_query).into(),
                    task.expires.into(),
                    task.state.name().into(),
                ]),
            }
        }
        if !new.is_empty() {
            let common = vec![self.name.as_str().into(), self.next_version().into()];
            transaction
                .execute_many(&sql::TASKS_ADD, common, new)
                .await?;
        }
        if !updated.is_empty() {
            let common = vec![self.next_version().into()];
            transaction
                .execute_many(&sql::TASKS_SET, common, updated)
                .await?;
        }
        // Events reference the tasks they answer, so tasks are written first.
        let lines = self.log.drain_outgoing();
        if !lines.is_empty() {
            self.next_version();
            let campaign = (self.name.as_str(), self.number);
            insert_events(transaction, campaign, lines, receipts, now).await?;
        }
        Ok(())
    }
}
