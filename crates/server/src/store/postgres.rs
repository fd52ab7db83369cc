//! PostgreSQL store, for campaigns that several servers share.

use std::ops::Range;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{Postgres, Row as _};

use super::migrations::{BYTES_PLACEHOLDER, NUMBER_PLACEHOLDER};
use super::statement::{MEDIA_PART, Statement};
use super::{ColumnType, DatabaseError, SqlRow, SqlValue, Store, StoreError, Transaction};

/// Timeout for acquiring a database connection. If it expires, the database is considered
/// unavailable.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// SQL settings of write connections. `synchronous_commit` must be on even if the database default
/// is off, otherwise acknowledged answers could be lost. The other settings enforce access by key:
/// a query plan that was cached while a table was empty would otherwise scan the whole table at
/// each commit.
const WRITER_SETTINGS: &str = "SET synchronous_commit = on; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";

/// PostgreSQL database with its connection pools.
pub(crate) struct PostgresStore {
    writer: PgPool,
    readers: PgPool,
}

impl PostgresStore {
    /// Connects to the database at a URL.
    pub(crate) async fn open(url: &str) -> Result<Self, StoreError> {
        let pool = |connections, settings: &'static str| {
            PgPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(ACQUIRE_TIMEOUT)
                .after_connect(move |connection, _| {
                    Box::pin(async move {
                        let set = sqlx::raw_sql(settings);
                        set.execute(connection).await.map(drop)
                    })
                })
        };
        let writer = pool(2, WRITER_SETTINGS).connect(url).await;
        let readers = pool(4, "").connect(url).await;
        Ok(Self {
            writer: writer.map_err(DatabaseError::from)?,
            readers: readers.map_err(DatabaseError::from)?,
        })
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn begin_write(&self) -> Result<Box<dyn Transaction>, StoreError> {
        let transaction = self.writer.begin().await;
        Ok(Box::new(PostgresTransaction::new(
            transaction.map_err(DatabaseError::from)?,
        )))
    }

    async fn begin_read(&self) -> Result<Box<dyn Transaction>, StoreError> {
        let transaction =
            (self.readers).begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        let transaction = transaction.await.map_err(DatabaseError::from)?;
        Ok(Box::new(PostgresTransaction::new(transaction)))
    }

    async fn read_media(&self, id: &str, part: Range<u64>) -> Result<Option<Vec<u8>>, StoreError> {
        // The first byte has number 1.
        let (first, count) = (part.start + 1, part.end - part.start);
        let values = vec![id.into(), (first as i64).into(), (count as i64).into()];
        let mut read = self.begin_read().await?;
        let found = read.fetch_optional(&MEDIA_PART, values).await?;
        read.rollback().await?;
        found.map(|mut row| row.bytes()).transpose()
    }

    async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

/// PostgreSQL transaction. `failed` is set as soon as a statement fails, other than a migration
/// script.
struct PostgresTransaction {
    transaction: sqlx::Transaction<'static, Postgres>,
    failed: bool,
}

impl PostgresTransaction {
    fn new(transaction: sqlx::Transaction<'static, Postgres>) -> Self {
        Self {
            transaction,
            failed: false,
        }
    }
}

fn query(
    statement: &'static Statement,
    values: Vec<SqlValue>,
) -> sqlx::query::Query<'static, Postgres, <Postgres as sqlx::Database>::Arguments> {
    let mut query = sqlx::query(statement.postgres.unwrap_or(statement.sql));
    for value in values {
        query = match value {
            SqlValue::Int(value) => query.bind(value),
            SqlValue::Text(value) => query.bind(value),
            SqlValue::Bytes(value) => query.bind(value),
        };
    }
    query
}

/// Converts a SQL value to JSON, in which multi-row statements receive their rows.
fn to_json(value: SqlValue) -> serde_json::Value {
    match value {
        SqlValue::Int(value) => value.into(),
        SqlValue::Text(value) => value.into(),
        SqlValue::Bytes(_) => unreachable!("no statement of many rows has bytes"),
    }
}

#[async_trait]
impl Transaction for PostgresTransaction {
    async fn execute(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<u64, StoreError> {
        let done = query(statement, values).execute(&mut *self.transaction);
        let done = done.await;
        self.failed |= done.is_err();
        Ok(done
            .map_err(|error| statement.error(error))?
            .rows_affected())
    }

    async fn execute_many(
        &mut self,
        statement: &'static Statement,
        common: Vec<SqlValue>,
        rows: Vec<Vec<SqlValue>>,
    ) -> Result<(), StoreError> {
        let wanted = rows.len();
        // Send all rows in one round trip, as a JSON array of arrays.
        let rows: Vec<Vec<serde_json::Value>> = rows
            .into_iter()
            .map(|row| row.into_iter().map(to_json).collect())
            .collect();
        let rows = serde_json::to_string(&rows).expect("rows can be serialised");
        let mut values = common;
        values.push(rows.into());
        let affected = self.execute(statement, values).await?;
        statement.check_row_count(affected, wanted)
    }

    async fn fetch_all(
        &mut self,
        statement: &'static Statement,
        values: Vec<SqlValue>,
    ) -> Result<Vec<SqlRow>, StoreError> {
        let rows = query(statement, values).fetch_all(&mut *self.transaction);
        let rows = rows.await;
        self.failed |= rows.is_err();
        let row = |row: sqlx::postgres::PgRow| {
            let columns = statement.columns.iter().enumerate();
            let values = columns.map(|(index, column)| {
                Ok(match column {
                    ColumnType::Int => SqlValue::Int(row.try_get(index)?),
                    ColumnType::Text => SqlValue::Text(row.try_get(index)?),
                    ColumnType::Bytes => SqlValue::Bytes(row.try_get(index)?),
                })
            });
            let values: Result<Vec<SqlValue>, sqlx::Error> = values.collect();
            Ok(SqlRow::new(values.map_err(|error| statement.error(error))?))
        };
        let rows = rows.map_err(|error| statement.error(error))?;
        rows.into_iter().map(row).collect()
    }

    async fn execute_script(&mut self, script: &'static str) -> Result<(), StoreError> {
        let script = script
            .replace(BYTES_PLACEHOLDER, "BYTEA")
            .replace(NUMBER_PLACEHOLDER, "BIGINT");
        let script = sqlx::AssertSqlSafe(script);
        let done = sqlx::raw_sql(script).execute(&mut *self.transaction);
        done.await.map_err(DatabaseError::from)?;
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        // PostgreSQL silently turns a commit after a failed statement into a rollback.
        if self.failed {
            return Err(StoreError::TransactionAborted);
        }
        Ok(self
            .transaction
            .commit()
            .await
            .map_err(DatabaseError::from)?)
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        Ok(self
            .transaction
            .rollback()
            .await
            .map_err(DatabaseError::from)?)
    }
}
