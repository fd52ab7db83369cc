//! PostgreSQL: for several servers that share a campaign.

use std::time::Duration;

use async_trait::async_trait;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{Postgres, Row as _};

use super::statement::Statement;
use super::{Column, Row, Store, StoreError, Transaction, Value};

/// How long a request waits for a connection, and so for the word that the database is away.
const PATIENCE: Duration = Duration::from_secs(5);

/// A database of a PostgreSQL server.
pub(crate) struct PostgresStore {
    writer: PgPool,
    readers: PgPool,
}

impl PostgresStore {
    /// Connects to a database by its address.
    pub(crate) async fn open(url: &str) -> Result<Self, StoreError> {
        let pool = |connections| {
            PgPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(PATIENCE)
                .after_connect(|connection, _| {
                    Box::pin(async move {
                        // Whoever sets this to off for the database would lose what was acknowledged.
                        let setting = sqlx::query("SET synchronous_commit = on");
                        setting.execute(connection).await.map(drop)
                    })
                })
        };
        Ok(Self {
            writer: pool(2).connect(url).await?,
            readers: pool(4).connect(url).await?,
        })
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn write(&self) -> Result<Box<dyn Transaction>, StoreError> {
        Ok(Box::new(Open::new(self.writer.begin().await?)))
    }

    async fn read(&self) -> Result<Box<dyn Transaction>, StoreError> {
        let transaction =
            (self.readers).begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        Ok(Box::new(Open::new(transaction.await?)))
    }

    async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

/// What a column of bytes is called.
const BYTES: &str = "BYTEA";

super::statement::run_by!(Open, Postgres, |statement| statement
    .postgres
    .unwrap_or(statement.sql));
