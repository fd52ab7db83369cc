//! Log of a campaign in the database of a server, for programs that read or change it without HTTP.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use partita::judging::campaign::log::{LogEntry, LogReader, LogTail};
use partita::judging::campaign::{
    CampaignExtension, CampaignSpec, CampaignSpecError, CampaignStore, Event, QuerySpec, Recruiter,
};
use tokio::runtime::Runtime;

use super::{AdminError, ServerStorage, new_runtime};
use crate::campaign::state::{CampaignPhase, fetch_recruiter, insert_events, store_recruiter};
use crate::campaign::upload::{FileContent, FileSource, media_errors, page_errors, read_file_in};
use crate::media::{MediaFile, is_media_id};
use crate::store::statement as sql;
use crate::store::{CampaignNumber, SqlValue, Store, StoreError, Transaction};
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
    /// End of the entries that were read last, from which the next ones are read.
    read_to: LogTail,
    /// Specification of the campaign after these entries.
    spec: CampaignSpec,
    /// Files of new candidates by their ids; the next change to the campaign stores them.
    media: HashMap<String, MediaFile>,
}

impl DatabaseStore {
    /// Reads the files that new candidates name from a folder, and replaces their names by their ids.
    /// The files are stored with the next change.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] for a file that cannot be read or shown.
    pub fn add_media(&mut self, lists: &mut [QuerySpec], folder: &Path) -> Result<(), AdminError> {
        let root = fs::canonicalize(folder)?;
        let mut stimuli = lists.iter_mut().flat_map(|list| {
            let items = list.items.iter_mut().map(|item| &mut item.show);
            std::iter::once(&mut list.show).chain(items)
        });
        stimuli.try_for_each(|show| {
            for name in [&mut show.audio, &mut show.image].into_iter().flatten() {
                if is_media_id(name) {
                    continue;
                }
                let rejected = |reason: String| AdminError::Rejected(format!("`{name}`: {reason}"));
                let media = match read_file_in(&root, name) {
                    FileContent::Found(bytes) => {
                        MediaFile::from_bytes(bytes).map_err(|problem| rejected(problem.detail))?
                    }
                    FileContent::Refused(reason) => return Err(rejected(reason)),
                    FileContent::Missing => {
                        let reason = "there is no such file beside the table of candidates";
                        return Err(rejected(reason.to_owned()));
                    }
                };
                name.clone_from(&media.id);
                self.media.insert(media.id.clone(), media);
            }
            Ok(())
        })
    }

    /// Raises the maximum number of people from the panel, which is not part of the log. Returns
    /// false if it is the current one.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] if the campaign has no such limit, or a higher one.
    pub fn raise_panel_limit(&mut self, limit: u32) -> Result<bool, AdminError> {
        self.lock()?;
        let CampaignLock {
            mut transaction,
            row,
        } = self.lock.take().expect("the campaign was just locked");
        self.runtime.block_on(async {
            let known = fetch_recruiter(transaction.as_mut(), &self.campaign).await?;
            let raised = Recruiter::with_raised_limit(known.as_ref(), limit)
                .map_err(|error| AdminError::Rejected(format!("{}: {error}", self.campaign)))?;
            let Some(recruiter) = raised else {
                transaction.rollback().await?;
                return Ok(false);
            };
            store_recruiter(transaction.as_mut(), &self.campaign, &recruiter).await?;
            let row = row.after(&[]);
            transaction
                .execute(&sql::CAMPAIGN_UPDATE, row.into_values(&self.campaign))
                .await?;
            transaction.commit().await?;
            Ok(true)
        })
    }
}

/// Checks that an extended campaign can be judged on pages, as for requests to the server. `media`
/// are files that are not stored yet.
async fn check_extension(
    transaction: &mut dyn Transaction,
    before: &CampaignSpec,
    extension: &CampaignExtension,
    media: &HashMap<String, MediaFile>,
) -> Result<(), AdminError> {
    let mut spec = before.clone();
    spec.extend(extension);
    let mut errors = page_errors(&spec, !before.has_stimuli());
    errors.extend(media_errors(transaction, &spec, media, FileSource::Stored).await?);
    for error in &mut errors {
        error.pointer = extension.pointer_from_spec(before, &error.pointer);
    }
    match errors.is_empty() {
        true => Ok(()),
        false => {
            let lines = errors.iter().map(|error| describe_error(extension, error));
            Err(AdminError::Rejected(lines.collect::<Vec<_>>().join("\n")))
        }
    }
}

/// Updates the specification of a campaign by an event.
fn update_spec(spec: &mut CampaignSpec, event: &Event) {
    match event {
        Event::Opened { spec: opened, .. } => spec.clone_from(opened),
        Event::Extended(extension) => spec.extend(extension),
        _ => {}
    }
}

/// Describes an error in an extension that was read from a table. Names the query and the item
/// instead of their positions.
fn describe_error(extension: &CampaignExtension, error: &CampaignSpecError) -> String {
    let parts: Vec<&str> = error.pointer.split('/').collect();
    let number = |place: usize| parts.get(place).and_then(|part| part.parse::<usize>().ok());
    let list = number(2).and_then(|list| extension.lists.get(list));
    let item = list
        .zip(number(4))
        .and_then(|(list, item)| list.items.get(item));
    match (list, item) {
        (None, _) => error.to_string(),
        (Some(list), None) => format!("query `{}`: {error}", list.query),
        (Some(list), Some(item)) => {
            format!("query `{}`, item `{}`: {error}", list.query, item.item)
        }
    }
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
            read_to: LogTail::EMPTY,
            spec: CampaignSpec::default(),
            media: HashMap::new(),
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

/// Reads the log of a campaign in one transaction from the entry after `from` on, and checks that it
/// ends where the row of the campaign says. Returns the end of the log.
async fn read_entries(
    transaction: &mut dyn Transaction,
    row: &CampaignRow,
    from: LogTail,
    take: &mut dyn FnMut(LogEntry),
) -> Result<LogTail, StoreError> {
    let lines = transaction
        .fetch_all(&sql::EVENT_AFTER, row.number.keys_after(from.seq as i64))
        .await?;
    let mut reader = match from {
        LogTail::EMPTY => LogReader::default(),
        from => LogReader::from_tail(from),
    };
    for mut line in lines {
        let entry = reader.read_entry(line.text()?.as_bytes());
        let entry = entry.map_err(|error| StoreError::corrupted(error.message))?;
        take(entry);
    }
    let tail = reader.tail();
    if tail.seq as i64 != row.seq || tail.chain.to_string() != row.chain {
        let seq = row.seq;
        let reason = format!("the log does not end with the event {seq} that was last recorded");
        return Err(StoreError::corrupted(reason));
    }
    Ok(tail)
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

    /// Returns the values that update the row of a campaign of this name.
    fn into_values(self, campaign: &str) -> Vec<SqlValue> {
        vec![
            campaign.into(),
            self.phase.to_string().into(),
            self.seq.into(),
            self.chain.into(),
            self.version.into(),
        ]
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
    let values = row.after(entries).into_values(campaign);
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

    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), AdminError> {
        // Entries that were read before, and whose hashes were checked, need not be read again.
        let from = match self.read_to {
            known if known.seq <= after => known,
            _ => LogTail::EMPTY,
        };
        let spec = &mut self.spec;
        let take = &mut |entry: LogEntry| {
            update_spec(spec, &entry.event);
            if entry.seq > after {
                take(entry);
            }
        };
        let read = self.runtime.block_on(async {
            if let Some(CampaignLock { transaction, row }) = &mut self.lock {
                return Ok(read_entries(transaction.as_mut(), row, from, take).await?);
            }
            let mut read = self.store.begin_read().await?;
            let row = fetch_campaign_row(read.as_mut(), &self.campaign).await?;
            let tail = read_entries(read.as_mut(), &row, from, take).await?;
            read.rollback().await?;
            Ok::<_, AdminError>(tail)
        });
        self.read_to = read?;
        Ok(())
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), AdminError> {
        self.lock()?;
        let mut lock = self.lock.take().expect("the log was just locked");
        let extensions = entries.iter().filter_map(|entry| match &entry.event {
            Event::Extended(extension) if !extension.lists.is_empty() => Some(extension),
            _ => None,
        });
        self.runtime.block_on(async {
            for extension in extensions {
                check_extension(
                    lock.transaction.as_mut(),
                    &self.spec,
                    extension,
                    &self.media,
                )
                .await?;
            }
            for media in std::mem::take(&mut self.media).into_values() {
                media.insert(lock.transaction.as_mut()).await?;
            }
            append_entries(lock, &self.campaign, entries).await
        })?;
        for entry in entries {
            update_spec(&mut self.spec, &entry.event);
            self.read_to = entry.tail();
        }
        Ok(())
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
