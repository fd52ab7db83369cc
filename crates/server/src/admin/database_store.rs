//! Log of a campaign in the database of a server, for programs that read or change it without HTTP.

use std::collections::BTreeMap;
use std::sync::Arc;

use partita::judging::campaign::log::{LogEntry, LogReader};
use partita::judging::campaign::{CampaignStore, Event};
use tokio::runtime::Runtime;

use super::{AdminError, ServerStorage, new_runtime};
use crate::campaign::state::{CampaignPhase, insert_events};
use crate::store::statement as sql;
use crate::store::{CampaignNumber, Store, StoreError, Transaction};
use crate::writer::UnixMillis;
use crate::writer::log_buffer::LogLine;

/// [`CampaignStore`] that keeps the log of a campaign in the database of a server, SQLite or
/// PostgreSQL.
///
/// The server may be running: the lock is the transaction that its own changes take, so the server
/// waits for it, and reads the appended entries before its next change. Appended entries are durable
/// when [`CampaignStore::append`] returns. They end the transaction, so the next append waits for
/// the lock again and fails if somebody else has appended meanwhile.
pub struct DatabaseStore {
    runtime: Runtime,
    store: Arc<dyn Store>,
    campaign: String,
    lock: Option<CampaignLock>,
}

/// Write transaction that holds the lock of a campaign, and the row of the campaign.
struct CampaignLock {
    transaction: Box<dyn Transaction>,
    row: CampaignRow,
}

/// Columns of a campaign that describe its log.
struct CampaignRow {
    number: CampaignNumber,
    /// Sequence number of the last event.
    seq: i64,
    /// Hash of the last event.
    chain: String,
    version: i64,
    phase: CampaignPhase,
}

impl ServerStorage {
    /// Opens the log of a campaign, without reading or locking it.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] if the campaign does not exist; another [`AdminError`] if
    /// the storage cannot be opened.
    pub fn open_log(&self, campaign: &str) -> Result<DatabaseStore, AdminError> {
        let runtime = new_runtime()?;
        let store = runtime.block_on(self.open())?;
        let log = DatabaseStore {
            runtime,
            store,
            campaign: campaign.to_owned(),
            lock: None,
        };
        log.runtime.block_on(async {
            let mut read = log.store.begin_read().await?;
            let found = fetch_campaign_row(read.as_mut(), campaign).await;
            read.rollback().await?;
            found.map(|_| ())
        })?;
        Ok(log)
    }
}

/// Reads the row of a campaign.
async fn fetch_campaign_row(
    transaction: &mut dyn Transaction,
    campaign: &str,
) -> Result<CampaignRow, AdminError> {
    let row = transaction
        .fetch_optional(&sql::CAMPAIGN_ROW, vec![campaign.into()])
        .await?;
    let mut row = row.ok_or_else(|| {
        let message = format!("the server has no campaign `{campaign}`");
        AdminError::Rejected(message)
    })?;
    Ok(CampaignRow {
        number: CampaignNumber(row.int()?),
        seq: row.int()?,
        chain: row.text()?,
        version: row.int()?,
        phase: row.text()?.parse().map_err(StoreError::corrupted)?,
    })
}

/// Reads the log of a campaign in one transaction, and checks that it ends where the row of the
/// campaign says. Passes the entries after the one with the number `after` to `take`.
async fn read_entries(
    transaction: &mut dyn Transaction,
    row: &CampaignRow,
    after: u64,
    take: &mut dyn FnMut(LogEntry),
) -> Result<(), StoreError> {
    let lines = transaction
        .fetch_all(&sql::EVENT_AFTER, row.number.keys_after(0))
        .await?;
    let mut reader = LogReader::default();
    for mut line in lines {
        let entry = reader.read_entry(line.text()?.as_bytes());
        let entry = entry.map_err(|error| StoreError::corrupted(error.message))?;
        if entry.seq > after {
            take(entry);
        }
    }
    let tail = reader.tail();
    if tail.seq as i64 != row.seq || tail.chain.to_string() != row.chain {
        let seq = row.seq;
        let reason = format!("the log does not end with the event {seq} that was last recorded");
        return Err(StoreError::corrupted(reason));
    }
    Ok(())
}

impl CampaignRow {
    /// Returns the row after more entries.
    fn after(self, entries: &[LogEntry]) -> Self {
        let phase = entries
            .iter()
            .fold(self.phase, |phase, entry| match (phase, &entry.event) {
                (CampaignPhase::Closed, _) | (_, Event::Closed { query: None }) => {
                    CampaignPhase::Closed
                }
                (_, Event::Paused) => CampaignPhase::Paused,
                (_, Event::Resumed) => CampaignPhase::Open,
                (phase, _) => phase,
            });
        let last = entries.last();
        Self {
            seq: last.map_or(self.seq, |last| last.seq as i64),
            chain: last.map_or(self.chain, |last| last.chain.to_string()),
            version: self.version + 1,
            phase,
            number: self.number,
        }
    }
}

/// Writes log entries and the new row of their campaign, and commits the transaction.
async fn append_entries(
    lock: CampaignLock,
    campaign: &str,
    entries: &[LogEntry],
) -> Result<(), AdminError> {
    let CampaignLock {
        mut transaction,
        row,
    } = lock;
    let first = entries.first().map_or(0, |first| first.seq as i64);
    if first != row.seq + 1 {
        let message = "somebody else has changed the campaign meanwhile; try again";
        return Err(AdminError::Rejected(message.to_owned()));
    }
    let lines = entries.iter().map(LogLine::from).collect();
    let campaign_key = (campaign, row.number);
    let now = UnixMillis::now();
    insert_events(
        transaction.as_mut(),
        campaign_key,
        lines,
        BTreeMap::new(),
        now,
    )
    .await?;
    let row = row.after(entries);
    let values = vec![
        campaign.into(),
        row.phase.to_string().into(),
        row.seq.into(),
        row.chain.into(),
        row.version.into(),
    ];
    transaction.execute(&sql::CAMPAIGN_UPDATE, values).await?;
    Ok(transaction.commit().await?)
}

impl CampaignStore for DatabaseStore {
    type Error = AdminError;

    fn lock(&mut self) -> Result<(), AdminError> {
        if self.lock.is_none() {
            self.lock = Some(self.runtime.block_on(async {
                let mut transaction = self.store.begin_write().await?;
                let name = vec![self.campaign.as_str().into()];
                transaction.fetch_all(&sql::CAMPAIGN_LOCK, name).await?;
                let row = fetch_campaign_row(transaction.as_mut(), &self.campaign).await?;
                Ok::<_, AdminError>(CampaignLock { transaction, row })
            })?);
        }
        Ok(())
    }

    fn read(&mut self, after: u64) -> Result<Vec<LogEntry>, AdminError> {
        let mut entries = Vec::new();
        self.for_each_entry(after, &mut |entry| entries.push(entry))?;
        Ok(entries)
    }

    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), AdminError> {
        self.runtime.block_on(async {
            if let Some(CampaignLock { transaction, row }) = &mut self.lock {
                return Ok(read_entries(transaction.as_mut(), row, after, take).await?);
            }
            let mut read = self.store.begin_read().await?;
            let row = fetch_campaign_row(read.as_mut(), &self.campaign).await?;
            read_entries(read.as_mut(), &row, after, take).await?;
            Ok(read.rollback().await?)
        })
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), AdminError> {
        let adds_lists = |entry: &LogEntry| match &entry.event {
            Event::Extended(extension) => !extension.lists.is_empty(),
            _ => false,
        };
        if entries.iter().any(adds_lists) {
            let message = "new candidates of a server's campaign need something to show, which only a \
                           request to the server (POST /api/v1/campaigns/NAME/extend) carries";
            return Err(AdminError::Rejected(message.to_owned()));
        }
        self.lock()?;
        let lock = self.lock.take().expect("the log was just locked");
        let appended = append_entries(lock, &self.campaign, entries);
        self.runtime.block_on(appended)
    }

    fn unlock(&mut self) -> Result<(), AdminError> {
        if let Some(lock) = self.lock.take() {
            self.runtime.block_on(lock.transaction.rollback())?;
        }
        Ok(())
    }

    fn is_registered(&mut self, assessor: &str) -> Result<bool, AdminError> {
        let values = vec![self.campaign.as_str().into(), (-1).into()];
        let found = self.runtime.block_on(async {
            let Some(lock) = &mut self.lock else {
                let mut read = self.store.begin_read().await?;
                let rows = read.fetch_all(&sql::PERSON_CHANGED, values).await?;
                read.rollback().await?;
                return Ok(rows);
            };
            lock.transaction
                .fetch_all(&sql::PERSON_CHANGED, values)
                .await
        });
        for mut person in found.map_err(AdminError::from)? {
            if person.text()? == assessor {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Drop for DatabaseStore {
    fn drop(&mut self) {
        // The store can be closed only after the transaction has ended. If it cannot be rolled back,
        // the database does so at the end of the connection.
        let _ = self.unlock();
        self.runtime.block_on(self.store.close());
    }
}
