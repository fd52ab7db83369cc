//! Schema migrations. A database with an earlier schema is migrated on start.

use super::statement::{META_GET, META_SET, SCHEMA_LOCK};
use super::{Store, StoreError};

/// Scripts, each of which migrates the database from one schema number to the next.
///
/// The schema keeps commits small. Except for lines marked with [`POSTGRES_ONLY_SUFFIX`], tables
/// that are written with every answer have no index besides their primary key. Rows of events and
/// tasks are ordered by number ([`CampaignNumber`](super::CampaignNumber)), so that a commit
/// touches few pages. Saving an answer inserts a single row, its event, which refers to the task;
/// the row of the task is not updated.
const MIGRATIONS: [&str; 1] = [include_str!("schema/1.sql")];

/// Placeholder in the scripts for the type of binary columns, which differs between the two
/// databases. The only other such placeholder is [`NUMBER_PLACEHOLDER`].
pub(super) const BYTES_PLACEHOLDER: &str = "BYTES";

/// Placeholder in the scripts for the type of row keys. SQLite needs `INTEGER`, because an `INTEGER
/// PRIMARY KEY` requires no separate index.
pub(super) const NUMBER_PLACEHOLDER: &str = "NUMBER";

/// Suffix that marks script lines only for PostgreSQL, such as the index by which a server finds
/// the changes of other servers.
pub(super) const POSTGRES_ONLY_SUFFIX: &str = "-- PostgreSQL";

/// Key of the database row that holds the schema number.
const SCHEMA_KEY: &str = "schema";

/// Migrates a database to the latest schema.
///
/// # Errors
/// Returns a [`StoreError`] if the schema is unknown or newer, or if the database fails; the
/// database is not changed in that case.
pub(crate) async fn migrate(store: &dyn Store) -> Result<(), StoreError> {
    let mut transaction = store.begin_write().await?;
    // If two servers start at once, one waits for the other.
    transaction.fetch_all(&SCHEMA_LOCK, vec![]).await?;
    transaction
        .execute_script(
            "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        )
        .await?;
    let stored = transaction
        .fetch_optional(&META_GET, vec![SCHEMA_KEY.into()])
        .await?;
    let stored = stored.map(|mut row| row.text()).transpose()?;
    let applied = stored.map_or(Ok(0), |text| parse_schema_number(&text))?;
    for script in &MIGRATIONS[applied..] {
        transaction.execute_script(script).await?;
    }
    let latest = MIGRATIONS.len().to_string();
    transaction
        .execute(&META_SET, vec![SCHEMA_KEY.into(), latest.into()])
        .await?;
    transaction.commit().await
}

/// Parses the stored schema number, which is the number of migrations applied to the database.
fn parse_schema_number(stored: &str) -> Result<usize, StoreError> {
    let found: i64 = (stored.parse())
        .map_err(|_| StoreError::corrupted(format!("its schema is not a number: {stored}")))?;
    let known = MIGRATIONS.len() as i64;
    match found {
        _ if found > known => Err(StoreError::NewerSchema { found, known }),
        _ if found < 1 => Err(StoreError::UnknownSchema { found, known }),
        _ => Ok(found as usize),
    }
}
