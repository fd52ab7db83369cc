//! What happened in a campaign and is not in the transaction yet. All turns of a time are written together: a
//! statement for so many rows, and not one for each.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use partita_named::NamedEnum as _;

use super::CampaignState;
use super::tasks::{OpenTask, TaskState, canonical_items};
use crate::store::statement as sql;
use crate::store::{CampaignNumber, SqlValue, StoreError, Transaction};
use crate::writer::UnixMillis;
use crate::writer::log_buffer::LogLine;

/// The tasks that are new or changed, by their places, and of which tasks and bodies events are.
#[derive(Default)]
pub(super) struct WriteBuffer {
    tasks: BTreeMap<i64, TaskWrite>,
    receipts: BTreeMap<u64, StoredReceipt>,
}

/// What is to be written of a task.
enum TaskWrite {
    /// All of it.
    Insert(OpenTask),
    /// What may change of one that was written before.
    Update {
        number: i64,
        fresh: bool,
        expires: i64,
        state: TaskState,
    },
}

/// What is kept of an answer beside its line.
pub(crate) struct StoredReceipt {
    /// The place of the task.
    pub(super) task: i64,
    /// A hash of what was sent, if it was sent.
    pub(super) body_hash: Option<String>,
}

/// A new task, beside its campaign: in the order of the columns.
fn task_row(task: OpenTask) -> Vec<SqlValue> {
    let (low, high, turned) = canonical_items(&task.question);
    let gold = task.gold.map(|said| {
        let said = serde_json::to_value(said).expect("an answer is a word");
        said.as_str().expect("an answer is a word").to_owned()
    });
    vec![
        task.row_key.into(),
        task.id.into(),
        task.person.into(),
        task.number.into(),
        task.question.kind().name().into(),
        task.question.query().into(),
        low.into(),
        high.into(),
        i64::from(turned).into(),
        i64::from(task.is_new_query).into(),
        gold.into(),
        task.expires.into(),
        task.state.name().into(),
    ]
}

/// Writes lines of a log, with the receipts of those that are answers, by their numbers.
pub(crate) async fn insert_events(
    transaction: &mut dyn Transaction,
    (campaign, number): (&str, CampaignNumber),
    lines: Vec<LogLine>,
    mut receipts: BTreeMap<u64, StoredReceipt>,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let row = |line: LogLine| {
        let receipt = receipts.remove(&line.seq);
        let (task, body_hash) = receipt.map_or((None, None), |receipt| {
            (Some(receipt.task), receipt.body_hash)
        });
        vec![
            number.row_key(line.seq as i64).into(),
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
    transaction.execute_many(&sql::EVENTS_ADD, same, rows).await
}

impl CampaignState {
    /// Takes note of a task that is to be written for the first time.
    pub(super) fn buffer_new_task(&mut self, task: &OpenTask) {
        self.next_version();
        (self.write_buffer.tasks).insert(task.row_key, TaskWrite::Insert(task.clone()));
    }

    /// Takes note that a task has changed.
    pub(super) fn buffer_task_update(&mut self, task: &OpenTask) {
        self.next_version();
        let &OpenTask {
            number,
            is_new_query: fresh,
            expires,
            state,
            ..
        } = task;
        let known = TaskWrite::Update {
            number,
            fresh,
            expires,
            state,
        };
        match self.write_buffer.tasks.entry(task.row_key) {
            Entry::Occupied(mut there) => match there.get_mut() {
                TaskWrite::Insert(new) => *new = task.clone(),
                changed => *changed = known,
            },
            Entry::Vacant(place) => {
                place.insert(known);
            }
        }
    }

    /// Takes note of what is to be written of an answer beside the line of its event.
    pub(super) fn buffer_receipt(&mut self, event: u64, receipt: StoredReceipt) {
        self.write_buffer.receipts.insert(event, receipt);
    }

    /// Writes tasks and events: in the end of a transaction, and before something reads them in it.
    pub(crate) async fn flush_rows(
        &mut self,
        transaction: &mut dyn Transaction,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        let WriteBuffer { tasks, receipts } = std::mem::take(&mut self.write_buffer);
        let (mut new, mut known) = (Vec::new(), Vec::new());
        for (place, change) in tasks {
            match change {
                TaskWrite::Insert(task) => new.push(task_row(task)),
                TaskWrite::Update {
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
            transaction.execute_many(&sql::TASKS_ADD, same, new).await?;
        }
        if !known.is_empty() {
            let same = vec![self.next_version().into()];
            transaction
                .execute_many(&sql::TASKS_SET, same, known)
                .await?;
        }
        // After the tasks that they answer.
        let lines = self.log.drain_outgoing();
        if !lines.is_empty() {
            self.next_version();
            let campaign = (self.name.as_str(), self.number);
            insert_events(transaction, campaign, lines, receipts, now).await?;
        }
        Ok(())
    }
}
