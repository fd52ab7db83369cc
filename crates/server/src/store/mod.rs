//! Database access: one trait, implemented for SQLite and PostgreSQL.
//!
//! Every statement is written once ([`statement`]), in the subset of SQL that both databases share.
//! Exceptions are column types of the schema ([`migrations`]), locks and multi-row statements.

mod campaign_number;
#[cfg(test)]
mod conformance;
pub(crate) mod migrations;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
pub(crate) mod sqlite;
pub(crate) mod statement;

use std::ops::Range;

use async_trait::async_trait;

pub(crate) use campaign_number::CampaignNumber;
pub(crate) use statement::Statement;

/// Error of the database or of its content.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database failed; the error may be temporary.
    #[error("the database failed: {0}")]
    Database(#[from] DatabaseError),
    /// A statement failed; the error may be temporary.
    #[error("the database failed at {name}: {error}")]
    Statement {
        /// Name of the failed statement.
        name: &'static str,
        /// Error of the database driver.
        error: DatabaseError,
    },
    /// The database was created by a later version of the program.
    #[error(
        "the database has schema {found}, and this program knows schemas up to {known}: update partita"
    )]
    NewerSchema {
        /// Schema number of the database.
        found: i64,
        /// Latest schema number that this program supports.
        known: i64,
    },
    /// A PostgreSQL URL was given, but this build does not support PostgreSQL.
    #[error("this build of partita has no PostgreSQL")]
    NoPostgres,
    /// The schema number was never used by any version of the program.
    #[error(
        "the database has schema {found}, which is unknown; this program knows schemas from 1 to {known}: \
         check where the database comes from, or update partita"
    )]
    UnknownSchema {
        /// Schema number of the database.
        found: i64,
        /// Latest schema number that this program supports.
        known: i64,
    },
    /// The transaction cannot be committed because one of its statements failed.
    #[error("a statement of the transaction failed")]
    TransactionAborted,
    /// The database contains invalid data.
    #[error("the database is damaged: {0}")]
    Corrupted(String),
}

/// Error of a database driver or of the database file.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// Error of SQLite.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// Error of PostgreSQL.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Postgres(#[from] sqlx::Error),
    /// Error of the file system.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

impl DatabaseError {
    /// Returns true if the database cannot be used at the moment; false if it refused a statement
    /// because of its text or values.
    fn is_outage(&self) -> bool {
        use rusqlite::ErrorCode;
        match self {
            Self::Sqlite(rusqlite::Error::SqliteFailure(failure, _)) => !matches!(
                failure.code,
                ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch | ErrorCode::TooBig
            ),
            Self::Sqlite(_) => false,
            #[cfg(feature = "postgres")]
            Self::Postgres(sqlx::Error::Database(refused)) => {
                // Classes of SQLSTATE: feature not supported, data exception, constraint violation,
                // syntax error and program limit exceeded.
                let code = refused.code();
                let class = code.as_deref().and_then(|code| code.get(..2));
                !matches!(class, Some("0A" | "22" | "23" | "42" | "54"))
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(sqlx::Error::Encode(_) | sqlx::Error::ColumnDecode { .. }) => false,
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => true,
            Self::File(_) => true,
        }
    }
}

/// SQL value of a column or parameter; `None` is null.
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

/// Type of a column in the result of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Int,
    Text,
    Bytes,
}

/// Row in the result of a query. Each read takes the next column.
#[derive(Debug)]
pub(crate) struct SqlRow {
    values: std::vec::IntoIter<SqlValue>,
}

impl StoreError {
    /// Creates the error for invalid data in the database.
    pub(crate) fn corrupted(reason: impl std::fmt::Display) -> Self {
        Self::Corrupted(reason.to_string())
    }

    /// Returns true if the database cannot be used at the moment, so that other statements are
    /// expected to fail, too. Returns false if it refused the values of one statement.
    pub(crate) fn is_outage(&self) -> bool {
        match self {
            Self::Database(error) | Self::Statement { error, .. } => error.is_outage(),
            Self::TransactionAborted | Self::Corrupted(_) => false,
            Self::NewerSchema { .. } | Self::NoPostgres | Self::UnknownSchema { .. } => true,
        }
    }

    /// Returns true if a statement failed that writes rows which several jobs have buffered.
    pub(crate) fn is_of_buffered_rows(&self) -> bool {
        let buffered = [
            &statement::TASKS_ADD,
            &statement::TASKS_SET,
            &statement::EVENTS_ADD,
        ];
        match self {
            Self::Statement { name, .. } => buffered.iter().any(|other| other.name == *name),
            Self::Corrupted(_) | Self::TransactionAborted => true,
            _ => false,
        }
    }
}

impl SqlRow {
    fn new(values: Vec<SqlValue>) -> Self {
        Self {
            values: values.into_iter(),
        }
    }

    /// Returns the remaining columns, which have not been read yet.
    pub(crate) fn into_values(self) -> Vec<SqlValue> {
        self.values.collect()
    }

    /// Takes the next column.
    fn next_column(&mut self) -> SqlValue {
        self.values
            .next()
            .expect("a row has the columns that its statement declares")
    }

    /// Reads the next column, an integer or null.
    pub(crate) fn int_or_null(&mut self) -> Option<i64> {
        match self.next_column() {
            SqlValue::Int(value) => value,
            other => unreachable!("a number was asked for and is {other:?}"),
        }
    }

    /// Reads the next column, a text or null.
    pub(crate) fn text_or_null(&mut self) -> Option<String> {
        match self.next_column() {
            SqlValue::Text(value) => value,
            other => unreachable!("a text was asked for and is {other:?}"),
        }
    }

    /// Reads the next column, an integer that is not null.
    pub(crate) fn int(&mut self) -> Result<i64, StoreError> {
        self.int_or_null().ok_or_else(unexpected_null)
    }

    /// Reads the next column, a text that is not null.
    pub(crate) fn text(&mut self) -> Result<String, StoreError> {
        self.text_or_null().ok_or_else(unexpected_null)
    }

    /// Reads the next column, binary data that is not null.
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        match self.next_column() {
            SqlValue::Bytes(value) => value.ok_or_else(unexpected_null),
            other => unreachable!("bytes were asked for and are {other:?}"),
        }
    }
}

/// Returns the error for a null in a column that must not be null.
fn unexpected_null() -> StoreError {
    StoreError::corrupted("a column is null that never is")
}

/// Database that holds the data of a server, either SQLite or PostgreSQL.
#[async_trait]
pub(crate) trait Store: Send + Sync {
    /// Begins a write transaction. SQLite allows one at a time.
    async fn begin_write(&self) -> Result<Box<dyn Transaction>, StoreError>;

    /// Begins a read transaction, which sees a consistent snapshot.
    async fn begin_read(&self) -> Result<Box<dyn Transaction>, StoreError>;

    /// Reads a part of a media file, and nothing else of the file. The part ends earlier if the file
    /// does. Returns `None` if there is no such file.
    async fn read_media(&self, id: &str, part: Range<u64>) -> Result<Option<Vec<u8>>, StoreError>;

    /// Gives the space of deleted rows back to the file system, if the database does not do so by
    /// itself.
    async fn reclaim_space(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Closes all connections to the database.
    async fn close(&self);
}

/// Database transaction. It is rolled back if it is dropped without a commit.
#[async_trait]
pub(crate) trait Transaction: Send {
    /// Executes a statement and returns the number of affected rows.
    async fn execute(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<u64, StoreError>;

    /// Executes a statement once per row of parameters. The parameters in `common` belong to all
    /// rows and precede those of the row. Each execution must affect exactly one row: if the total
    /// differs from the number of rows, the error is [`StoreError::Corrupted`].
    async fn execute_many(
        &mut self,
        statement: &'static Statement,
        common: Vec<SqlValue>,
        rows: Vec<Vec<SqlValue>>,
    ) -> Result<(), StoreError>;

    /// Executes a query and returns its rows.
    async fn fetch_all(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<Vec<SqlRow>, StoreError>;

    /// Executes a query that returns at most one row.
    async fn fetch_optional(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<Option<SqlRow>, StoreError> {
        let rows = self.fetch_all(statement, values).await?;
        Ok(rows.into_iter().next())
    }

    /// Executes a migration script of the [schema](migrations).
    async fn execute_script(&mut self, script: &'static str) -> Result<(), StoreError>;

    /// Commits the transaction durably: the data survives a crash or power failure.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;

    /// Rolls the transaction back.
    async fn rollback(self: Box<Self>) -> Result<(), StoreError>;
}
