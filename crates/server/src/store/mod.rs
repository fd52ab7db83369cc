//! Where a server keeps everything: one trait, two databases.
//!
//! Every statement is written once ([`statement`]) in the part of SQL that SQLite and PostgreSQL share,
//! and run by either. What differs between the two is the schema ([`migrations`]) and how a campaign is
//! locked.

mod campaign_number;
#[cfg(test)]
mod conformance;
pub(crate) mod migrations;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
pub(crate) mod sqlite;
pub(crate) mod statement;

use async_trait::async_trait;

pub(crate) use campaign_number::CampaignNumber;
pub(crate) use statement::Statement;

/// A database that is away, full, or not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database failed; it may come back.
    #[error("the database failed: {0}")]
    Database(#[from] DatabaseError),
    /// A statement failed; the database may come back.
    #[error("the database failed at {name}: {error}")]
    Statement {
        /// What the statement is called.
        name: &'static str,
        /// What the database said.
        error: DatabaseError,
    },
    /// The database was made by a later version of the program.
    #[error(
        "the database has schema {found}, and this program knows schemas up to {known}: update partita"
    )]
    NewerSchema {
        /// The schema of the database.
        found: i64,
        /// The latest one that is known.
        known: i64,
    },
    /// A PostgreSQL database was named, and this build cannot use one.
    #[error("this build of partita has no PostgreSQL")]
    NoPostgres,
    /// The database has a schema that no version of the program made.
    #[error(
        "the database has schema {found}, which is unknown; this program knows schemas from 1 to {known}: \
         check where the database comes from, or update partita"
    )]
    UnknownSchema {
        /// The schema of the database.
        found: i64,
        /// The latest one that is known.
        known: i64,
    },
    /// A statement failed before the end of its transaction.
    #[error("a statement of the transaction failed")]
    TransactionAborted,
    /// What is in the database cannot be there.
    #[error("the database is damaged: {0}")]
    Corrupted(String),
}

/// What a database said.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// SQLite.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Postgres(#[from] sqlx::Error),
    /// The file of the database.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

/// A value of a column: null if it is nothing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SqlValue {
    Int(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

impl From<i64> for SqlValue {
    fn from(value: i64) -> Self {
        Self::Int(Some(value))
    }
}

impl From<Option<i64>> for SqlValue {
    fn from(value: Option<i64>) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for SqlValue {
    fn from(value: &str) -> Self {
        Self::Text(Some(value.to_owned()))
    }
}

impl From<String> for SqlValue {
    fn from(value: String) -> Self {
        Self::Text(Some(value))
    }
}

impl From<Option<String>> for SqlValue {
    fn from(value: Option<String>) -> Self {
        Self::Text(value)
    }
}

impl From<Vec<u8>> for SqlValue {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(Some(value))
    }
}

/// What the columns of a statement hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Int,
    Text,
    Bytes,
}

/// A row, whose columns are taken one after the other.
#[derive(Debug)]
pub(crate) struct SqlRow {
    values: std::vec::IntoIter<SqlValue>,
}

impl SqlRow {
    fn new(values: Vec<SqlValue>) -> Self {
        Self {
            values: values.into_iter(),
        }
    }

    /// The values that are left.
    pub(crate) fn into_values(self) -> Vec<SqlValue> {
        self.values.collect()
    }

    fn next(&mut self) -> SqlValue {
        self.values
            .next()
            .expect("a statement says how many columns it has")
    }

    /// A number that may be null.
    pub(crate) fn int_or_null(&mut self) -> Option<i64> {
        match self.next() {
            SqlValue::Int(value) => value,
            other => unreachable!("a number was asked for and is {other:?}"),
        }
    }

    /// A text that may be null.
    pub(crate) fn text_or_null(&mut self) -> Option<String> {
        match self.next() {
            SqlValue::Text(value) => value,
            other => unreachable!("a text was asked for and is {other:?}"),
        }
    }

    /// A number.
    pub(crate) fn int(&mut self) -> Result<i64, StoreError> {
        self.int_or_null().ok_or_else(null)
    }

    /// A text.
    pub(crate) fn text(&mut self) -> Result<String, StoreError> {
        self.text_or_null().ok_or_else(null)
    }

    /// Bytes.
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        match self.next() {
            SqlValue::Bytes(value) => value.ok_or_else(null),
            other => unreachable!("bytes were asked for and are {other:?}"),
        }
    }
}

fn null() -> StoreError {
    StoreError::Corrupted("a column is null that never is".to_owned())
}

/// A database.
#[async_trait]
pub(crate) trait Store: Send + Sync {
    /// Begins a transaction that writes. In SQLite nobody else writes until it ends.
    async fn begin_write(&self) -> Result<Box<dyn Transaction>, StoreError>;

    /// Begins a transaction that only reads, and sees one state of everything.
    async fn begin_read(&self) -> Result<Box<dyn Transaction>, StoreError>;

    /// Lets go of all connections.
    async fn close(&self);
}

/// Statements that take effect together or not at all; without a commit, not at all.
#[async_trait]
pub(crate) trait Transaction: Send {
    /// Runs a statement; how many rows it touched.
    async fn execute(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<u64, StoreError>;

    /// Runs a statement for each of these rows. The first values are the same for all of them. Each is to touch one
    /// row of the database, else that is [damaged](StoreError::Damaged).
    async fn execute_many(
        &mut self,
        statement: &'static Statement,
        same: Vec<SqlValue>,
        rows: Vec<Vec<SqlValue>>,
    ) -> Result<(), StoreError>;

    /// The rows of a statement.
    async fn fetch_all(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<Vec<SqlRow>, StoreError>;

    /// Runs a script of the [schema](migrations).
    async fn execute_script(&mut self, script: &'static str) -> Result<(), StoreError>;

    /// Keeps everything, whatever happens to the machine from now on.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;

    /// Forgets everything.
    async fn rollback(self: Box<Self>) -> Result<(), StoreError>;
}

/// The only row of a statement, or nothing.
pub(crate) async fn fetch_optional(
    transaction: &mut dyn Transaction,
    statement: &'static Statement,
    values: Vec<SqlValue>,
) -> Result<Option<SqlRow>, StoreError> {
    Ok(transaction
        .fetch_all(statement, values)
        .await?
        .into_iter()
        .next())
}
