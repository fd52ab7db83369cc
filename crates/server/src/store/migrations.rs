//! The schema, step by step: a database of any earlier one is brought to the latest on start.

use super::statement::{META_GET, META_SET, SCHEMA_LOCK};
use super::{Store, StoreError, fetch_optional};

/// The scripts that make each schema from the one before.
///
/// The tables that are written with every answer have no other index than their primary key: the rows of events and
/// tasks are in the order of their numbers ([`CampaignNumber`](super::CampaignNumber)), so that a commit touches few
/// pages. An answer is one row, that of its event, which names the task; the row of the task is not written again.
const MIGRATIONS: [&str; 1] = [include_str!("schema/1.sql")];

/// The type of a column of bytes in the scripts. This word and the next are the only ones that the two databases do
/// not share.
pub(super) const BYTES: &str = "BYTES";

/// The type of the number that a row stands at. SQLite has no index for one that it calls an INTEGER.
pub(super) const NUMBER: &str = "NUMBER";

/// How lines end that only PostgreSQL needs, where several servers tell each other what has changed.
pub(super) const POSTGRES_ONLY: &str = "-- PostgreSQL";

/// What the number of the schema is kept under.
const KEY: &str = "schema";

/// Brings a database to the latest schema, from whatever it has.
///
/// # Errors
/// A database of an unknown schema is left as it is.
pub(crate) async fn migrate(store: &dyn Store) -> Result<(), StoreError> {
    let mut transaction = store.begin_write().await?;
    // Of two servers that start at once, one waits for the other.
    transaction.fetch_all(&SCHEMA_LOCK, vec![]).await?;
    transaction
        .execute_script(
            "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        )
        .await?;
    let stored = fetch_optional(transaction.as_mut(), &META_GET, vec![KEY.into()]).await?;
    let stored = stored.map(|mut row| row.text()).transpose()?;
    let applied = stored.map_or(Ok(0), |text| applied(&text))?;
    for script in &MIGRATIONS[applied..] {
        transaction.execute_script(script).await?;
    }
    let latest = MIGRATIONS.len().to_string();
    transaction
        .execute(&META_SET, vec![KEY.into(), latest.into()])
        .await?;
    transaction.commit().await
}

/// Returns the number of scripts that made a database whose schema is stored as this text.
fn applied(stored: &str) -> Result<usize, StoreError> {
    let found: i64 = (stored.parse())
        .map_err(|_| StoreError::Corrupted(format!("its schema is not a number: {stored}")))?;
    let known = MIGRATIONS.len() as i64;
    match found {
        _ if found > known => Err(StoreError::NewerSchema { found, known }),
        _ if found < 1 => Err(StoreError::UnknownSchema { found, known }),
        _ => Ok(found as usize),
    }
}
