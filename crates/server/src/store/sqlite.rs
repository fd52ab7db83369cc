//! SQLite: one file, for one server.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection as _, Row as _, Sqlite};

use super::statement::Statement;
use super::{Column, Row, Store, StoreError, Transaction, Value};

/// How long a writer waits for another process, such as a command beside the server.
const PATIENCE: Duration = Duration::from_secs(20);

/// How much of the file is kept in memory, in KiB: with the usual 2 MB, tables of a campaign under way are
/// read again and again.
const CACHE: &str = "-65536";

/// After how many pages in the log of writes they are put in their places. A commit of many answers writes a
/// hundred pages, so that the usual 1,000 would be reached with every tenth.
const CHECKPOINT: &str = "16000";

/// The most connections that only read.
const READERS: u32 = 4;

/// A database in a file.
pub(crate) struct SqliteStore {
    writer: SqlitePool,
    readers: SqlitePool,
    path: PathBuf,
    /// Which file it was when it was opened.
    file: (u64, u64),
}

/// Which file lies at a path, whatever it is called.
fn file_at(path: &Path) -> io::Result<(u64, u64)> {
    let about = std::fs::metadata(path)?;
    Ok((about.dev(), about.ino()))
}

impl SqliteStore {
    /// Opens a file, or makes it.
    pub(crate) async fn open(path: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // An acknowledged answer survives the loss of power: the log is synced at each commit.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .pragma("cache_size", CACHE)
            .pragma("wal_autocheckpoint", CHECKPOINT)
            .busy_timeout(PATIENCE);
        let pool = |connections| {
            SqlitePoolOptions::new()
                .max_connections(connections)
                // Where the disk is full SQLite takes a transaction back by itself, and the connection
                // waits for ever for it to end: another is made.
                .before_acquire(|connection, _| {
                    Box::pin(async move { Ok(!connection.is_in_transaction()) })
                })
        };
        let writer = pool(1).connect_with(options.clone()).await?;
        Ok(Self {
            writer,
            readers: pool(READERS).connect_with(options).await?,
            path: path.to_owned(),
            file: file_at(path).map_err(sqlx::Error::from)?,
        })
    }

    /// Whether the file is still where it was. One that was deleted or replaced takes everything as
    /// before, and nobody would ever read it again.
    fn is_there(&self) -> Result<(), StoreError> {
        if file_at(&self.path).map_err(sqlx::Error::from)? == self.file {
            return Ok(());
        }
        let reason =
            "another file lies in the place of the database: the server must be started again";
        Err(sqlx::Error::from(io::Error::other(reason)).into())
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn write(&self) -> Result<Box<dyn Transaction>, StoreError> {
        self.is_there()?;
        let transaction = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        Ok(Box::new(Open::new(transaction)))
    }

    async fn read(&self) -> Result<Box<dyn Transaction>, StoreError> {
        self.is_there()?;
        Ok(Box::new(Open::new(self.readers.begin().await?)))
    }

    async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

/// What a column of bytes is called.
const BYTES: &str = "BLOB";

super::statement::run_by!(Open, Sqlite, |statement| statement.sql);
