//! SQLite store: one file, for one server.
//!
//! Statements run on the calling thread. The writer has a thread of its own, so it blocks nobody
//! else. On threads of the runtime, calls are marked as blocking, so that other tasks move to other
//! threads.

use std::io;
use std::ops::Range;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use rusqlite::types::{ToSqlOutput, Value as Sql, ValueRef};
use rusqlite::{CachedStatement, Connection, OptionalExtension as _, ToSql};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::migrations::{BYTES_PLACEHOLDER, NUMBER_PLACEHOLDER, POSTGRES_ONLY_SUFFIX};
use super::statement::Statement;
use super::{ColumnType, DatabaseError, SqlRow, SqlValue, Store, StoreError, Transaction};

/// Busy timeout: time to wait for a write lock of another process, such as an administrative
/// command.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// Size of the page cache of a connection in KiB, as a negative number (see `PRAGMA cache_size`).
/// With the default of 2 MB, the tables of a running campaign are read from disk repeatedly.
const CACHE_SIZE: i64 = -65_536;

/// Size of the page cache of a connection for media files in KiB, as a negative number. The pages
/// of files would displace those of the tables from a larger cache.
const MEDIA_CACHE_SIZE: i64 = -2_048;

/// Number of write-ahead log pages that triggers a checkpoint. At full load more than 10,000 pages
/// are written per second, so the default of 1,000 would cause ten checkpoints per second, each of
/// which delays all requests.
const CHECKPOINT_PAGES: i64 = 16_000;

/// Maximum number of connections for reading.
const MAX_READERS: usize = 4;

/// Maximum number of connections for reading media files.
const MAX_MEDIA_READERS: usize = 2;

/// Maximum number of prepared statements per connection. Larger than the number of statements, so
/// that each is prepared once.
const STATEMENT_CACHE_CAPACITY: usize = 200;

/// SQLite database with its connection pools.
pub(crate) struct SqliteStore {
    writer: ConnectionPool,
    readers: ConnectionPool,
    media: ConnectionPool,
    /// Device and inode of the database file when it was opened.
    file: (u64, u64),
}

/// Pool of database connections, each used by one transaction at a time.
struct ConnectionPool {
    path: PathBuf,
    /// Value of `PRAGMA cache_size` of each connection.
    cache_size: i64,
    /// Semaphore that limits the number of connections in use.
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

/// Returns the device and inode of the file at a path.
fn file_identity(path: &Path) -> Result<(u64, u64), DatabaseError> {
    let metadata = std::fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}

/// Runs a blocking call. On a multi-threaded runtime, other tasks of this thread move to another
/// thread.
fn run_blocking<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// Opens a connection and configures it.
fn connect(path: &Path, cache_size: i64) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Takes effect in a new database only.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // Sync the write-ahead log at each commit, so that acknowledged answers survive a power
    // failure.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", cache_size)?;
    // Keep the statement journal of multi-row statements in memory instead of a file.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_CAPACITY);
    Ok(connection)
}

/// Locks the list of idle connections.
fn lock_idle(connections: &Mutex<Vec<Connection>>) -> MutexGuard<'_, Vec<Connection>> {
    connections
        .lock()
        .expect("no thread panics while it holds the lock")
}

impl ConnectionPool {
    fn new(path: &Path, connections: usize, cache_size: i64) -> Self {
        Self {
            path: path.to_owned(),
            cache_size,
            permits: Arc::new(Semaphore::new(connections)),
            idle: Arc::default(),
        }
    }

    /// Returns an idle connection, if there is one, with its permit. Waits if all connections are
    /// in use.
    async fn acquire(&self) -> Result<(Option<Connection>, OwnedSemaphorePermit), StoreError> {
        let closed = |_| DatabaseError::from(io::Error::other("the database was closed"));
        let permit = self.permits.clone().acquire_owned().await.map_err(closed)?;
        Ok((lock_idle(&self.idle).pop(), permit))
    }

    /// Begins a transaction with the SQL text `sql`, on an idle connection or else on a new one.
    /// Waits if all connections are in use.
    async fn begin(&self, sql: &'static str) -> Result<Box<dyn Transaction>, StoreError> {
        let (pooled, permit) = self.acquire().await?;
        let begun = run_blocking(|| {
            let connection = pooled.map_or_else(|| connect(&self.path, self.cache_size), Ok)?;
            connection.prepare_cached(sql)?.execute([])?;
            Ok(connection)
        });
        Ok(Box::new(SqliteTransaction {
            connection: Some(begun.map_err(|error: rusqlite::Error| DatabaseError::from(error))?),
            failed: false,
            idle: self.idle.clone(),
            _permit: permit,
        }))
    }

    /// Reads a part of a media file through a handle of SQLite, which reads only the pages of this
    /// part and their links.
    async fn read_media(&self, id: &str, part: Range<u64>) -> Result<Option<Vec<u8>>, StoreError> {
        let (pooled, _permit) = self.acquire().await?;
        let read = run_blocking(|| {
            let connection = pooled.map_or_else(|| connect(&self.path, self.cache_size), Ok)?;
            let row: Option<i64> = connection
                .prepare_cached("SELECT rowid FROM media WHERE id = ?1")?
                .query_row([id], |row| row.get(0))
                .optional()?;
            let bytes = row.map(|row| {
                let blob = connection.blob_open("main", "media", "bytes", row, true)?;
                let end = part.end.min(blob.len() as u64);
                let mut bytes = vec![0; end.saturating_sub(part.start) as usize];
                blob.read_at_exact(&mut bytes, part.start as usize)?;
                Ok::<_, rusqlite::Error>(bytes)
            });
            let bytes = bytes.transpose()?;
            lock_idle(&self.idle).push(connection);
            Ok(bytes)
        });
        Ok(read.map_err(|error: rusqlite::Error| DatabaseError::from(error))?)
    }

    /// Waits for the end of the current transactions and closes all connections; `count` is the
    /// maximum number of connections of the pool.
    async fn close(&self, count: usize) {
        let all = self.permits.acquire_many(count as u32).await;
        self.permits.close();
        drop(all);
        let connections = std::mem::take(&mut *lock_idle(&self.idle));
        run_blocking(|| drop(connections));
    }
}

impl SqliteStore {
    /// Opens a database file; creates it if it does not exist.
    pub(crate) async fn open(path: &Path) -> Result<Self, StoreError> {
        let writer = ConnectionPool::new(path, 1, CACHE_SIZE);
        let first = run_blocking(|| connect(path, CACHE_SIZE)).map_err(DatabaseError::from)?;
        lock_idle(&writer.idle).push(first);
        Ok(Self {
            writer,
            readers: ConnectionPool::new(path, MAX_READERS, CACHE_SIZE),
            media: ConnectionPool::new(path, MAX_MEDIA_READERS, MEDIA_CACHE_SIZE),
            file: file_identity(path)?,
        })
    }

    /// Checks that the path still refers to the database file that was opened. SQLite keeps writing
    /// to a deleted or replaced file, and that data would be lost.
    fn check_file_unchanged(&self) -> Result<(), StoreError> {
        if file_identity(&self.writer.path)? == self.file {
            return Ok(());
        }
        let reason = "the database file was replaced: restart the server";
        Err(DatabaseError::from(io::Error::other(reason)).into())
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn begin_write(&self) -> Result<Box<dyn Transaction>, StoreError> {
        self.check_file_unchanged()?;
        self.writer.begin("BEGIN IMMEDIATE").await
    }

    async fn begin_read(&self) -> Result<Box<dyn Transaction>, StoreError> {
        self.check_file_unchanged()?;
        self.readers.begin("BEGIN").await
    }

    async fn read_media(&self, id: &str, part: Range<u64>) -> Result<Option<Vec<u8>>, StoreError> {
        self.check_file_unchanged()?;
        self.media.read_media(id, part).await
    }

    async fn reclaim_space(&self) -> Result<(), StoreError> {
        let (pooled, _permit) = self.writer.acquire().await?;
        let reclaimed = run_blocking(|| {
            let connection = pooled.map_or_else(|| connect(&self.writer.path, CACHE_SIZE), Ok)?;
            // The checkpoint truncates the file, unless a reader still needs its old content. Then a
            // later checkpoint does.
            let reclaimed = [
                "PRAGMA incremental_vacuum",
                "PRAGMA wal_checkpoint(TRUNCATE)",
            ]
            .into_iter()
            .try_for_each(|pragma| {
                let mut prepared = connection.prepare_cached(pragma)?;
                let mut rows = prepared.query([])?;
                // Each step frees one page.
                while rows.next()?.is_some() {}
                Ok::<_, rusqlite::Error>(())
            });
            lock_idle(&self.writer.idle).push(connection);
            reclaimed
        });
        Ok(reclaimed.map_err(DatabaseError::from)?)
    }

    async fn close(&self) {
        self.media.close(MAX_MEDIA_READERS).await;
        self.readers.close(MAX_READERS).await;
        self.writer.close(1).await;
    }
}

/// SQLite transaction. `failed` is set as soon as a statement fails.
struct SqliteTransaction {
    /// Connection of the transaction; `None` after the transaction has ended.
    connection: Option<Connection>,
    failed: bool,
    idle: Arc<Mutex<Vec<Connection>>>,
    /// Permit of the connection pool, released when the transaction ends.
    _permit: OwnedSemaphorePermit,
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Int(Some(value)) => ToSqlOutput::Owned(Sql::Integer(*value)),
            Self::Text(Some(value)) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
            Self::Bytes(Some(value)) => ToSqlOutput::Borrowed(ValueRef::Blob(value)),
            Self::Int(None) | Self::Text(None) | Self::Bytes(None) => ToSqlOutput::Owned(Sql::Null),
        })
    }
}

/// Reads a text. Bytes that are not UTF-8 are replaced, because an error would prevent the read of all
/// other rows; hash chains reveal such damage.
fn read_text(value: ValueRef<'_>) -> rusqlite::Result<Option<String>> {
    let bytes = value.as_bytes_or_null()?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
}

impl SqliteTransaction {
    /// Prepares a statement and runs a closure with it; sets `failed` if either fails.
    fn with_prepared<T>(
        &mut self,
        statement: &'static Statement,
        work: impl FnOnce(&mut CachedStatement<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let connection = (self.connection.as_ref()).expect("the transaction has not ended");
        let done = run_blocking(|| {
            // SQLite treats `$2` as a named parameter, numbered in order of appearance, but `?2` as
            // parameter number 2.
            let text = statement.sql.replace('$', "?");
            work(&mut connection.prepare_cached(&text)?)
        });
        self.failed |= done.is_err();
        done.map_err(|error| statement.error(error))
    }

    /// Ends the transaction by a commit or rollback and returns the connection to the pool. If
    /// SQLite has already rolled back, as it may on a full disk, only the connection is returned.
    fn end(&mut self, sql: &'static str) -> rusqlite::Result<()> {
        let Some(connection) = self.connection.take() else {
            return Ok(());
        };
        run_blocking(|| {
            let ended = match connection.is_autocommit() {
                true => Ok(()),
                false => connection
                    .prepare_cached(sql)
                    .and_then(|mut end| end.execute([]))
                    .map(drop),
            };
            if !connection.is_autocommit() {
                // A failed commit leaves the transaction open, so roll it back.
                let _ = connection.execute_batch(ROLLBACK);
            }
            if connection.is_autocommit() {
                lock_idle(&self.idle).push(connection);
            }
            ended
        })
    }
}

const ROLLBACK: &str = "ROLLBACK";

impl Drop for SqliteTransaction {
    fn drop(&mut self) {
        // Ignore the error: the caller has already received one, or did not want to commit.
        let _ = self.end(ROLLBACK);
    }
}

#[async_trait]
impl Transaction for SqliteTransaction {
    async fn execute(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<u64, StoreError> {
        let values = rusqlite::params_from_iter(values);
        let affected = self.with_prepared(statement, |prepared| prepared.execute(values))?;
        Ok(affected as u64)
    }

    async fn execute_many(
        &mut self,
        statement: &'static Statement,
        common: Vec<SqlValue>,
        rows: Vec<Vec<SqlValue>>,
    ) -> Result<(), StoreError> {
        let wanted = rows.len();
        let affected = self.with_prepared(statement, |prepared| {
            // Bind the common parameters once: bindings persist across executions.
            for (index, value) in common.iter().enumerate() {
                prepared.raw_bind_parameter(index + 1, value)?;
            }
            let mut affected = 0;
            for row in rows {
                for (index, value) in row.iter().enumerate() {
                    prepared.raw_bind_parameter(common.len() + index + 1, value)?;
                }
                affected += prepared.raw_execute()?;
            }
            Ok(affected)
        })?;
        statement.check_row_count(affected as u64, wanted)
    }

    async fn fetch_all(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<Vec<SqlRow>, StoreError> {
        let row = |row: &rusqlite::Row<'_>| {
            let columns = statement.columns.iter().enumerate();
            let values = columns.map(|(index, column)| {
                Ok(match column {
                    ColumnType::Int => SqlValue::Int(row.get(index)?),
                    ColumnType::Text => SqlValue::Text(read_text(row.get_ref(index)?)?),
                    ColumnType::Bytes => SqlValue::Bytes(row.get(index)?),
                })
            });
            Ok(SqlRow::new(values.collect::<rusqlite::Result<_>>()?))
        };
        let values = rusqlite::params_from_iter(values);
        self.with_prepared(statement, |prepared| {
            prepared.query_map(values, row)?.collect()
        })
    }

    async fn execute_script(&mut self, script: &'static str) -> Result<(), StoreError> {
        let lines = script
            .lines()
            .filter(|line| !line.ends_with(POSTGRES_ONLY_SUFFIX));
        let script = lines.collect::<Vec<_>>().join("\n");
        let script = script
            .replace(BYTES_PLACEHOLDER, "BLOB")
            .replace(NUMBER_PLACEHOLDER, "INTEGER");
        let connection = (self.connection.as_ref()).expect("the transaction has not ended");
        let done = run_blocking(|| connection.execute_batch(&script));
        self.failed |= done.is_err();
        Ok(done.map_err(DatabaseError::from)?)
    }

    async fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        let connection = (self.connection.as_ref()).expect("the transaction has not ended");
        // A transaction that SQLite rolled back by itself must not count as committed.
        if self.failed || connection.is_autocommit() {
            return Err(StoreError::TransactionAborted);
        }
        Ok(self.end("COMMIT").map_err(DatabaseError::from)?)
    }

    async fn rollback(mut self: Box<Self>) -> Result<(), StoreError> {
        Ok(self.end(ROLLBACK).map_err(DatabaseError::from)?)
    }
}
