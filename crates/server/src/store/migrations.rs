//! The schema, step by step: a database of any earlier one is brought to the latest on start.

use super::statement::{META_GET, META_SET, SCHEMA_LOCK};
use super::{Store, StoreError, row};

/// The scripts that make each schema from the one before.
///
/// Of what is written with every answer, schema 3 has the indexes in the order in which it is written, so that a
/// commit touches few pages. In schema 4 they need none: events and tasks stand in their tables in the order of
/// their numbers ([`CampaignNumber`](super::CampaignNumber)), and an answer is one row, that of its event. The row
/// of a task says what became of it but for an answer, so that it need not be written again with one. Tasks of
/// before have ids that do not tell their places (`former_task`).
const SCHEMAS: [&str; 4] = [
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
];

/// The type of a column of bytes in the scripts. This word and the next are the only ones that the two databases do
/// not share.
pub(super) const BYTES: &str = "BYTES";

/// The type of the number that a row stands at. SQLite has no index for one that it calls an INTEGER.
pub(super) const NUMBER: &str = "NUMBER";

/// How lines end that only PostgreSQL needs, where several servers tell each other what has changed.
pub(super) const FOR_POSTGRES: &str = "-- PostgreSQL";

/// What the number of the schema is kept under.
const KEY: &str = "schema";

/// Brings a database to the latest schema, from whatever it has.
///
/// # Errors
/// A database of a later schema is left as it is.
pub(crate) async fn migrate(store: &dyn Store) -> Result<(), StoreError> {
    let mut transaction = store.write().await?;
    // Of two servers that start at once, one waits for the other.
    transaction.rows(&SCHEMA_LOCK, vec![]).await?;
    transaction
        .script("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
        .await?;
    let found = row(transaction.as_mut(), &META_GET, vec![KEY.into()]).await?;
    let found = found.map_or(Ok("0".to_owned()), |mut row| row.text())?;
    let found: usize = (found.parse())
        .map_err(|_| StoreError::Damaged(format!("its schema is no number: {found}")))?;
    if found > SCHEMAS.len() {
        return Err(StoreError::Later {
            found: found as i64,
            known: SCHEMAS.len() as i64,
        });
    }
    for script in &SCHEMAS[found..] {
        transaction.script(script).await?;
    }
    let latest = SCHEMAS.len().to_string();
    transaction
        .run(&META_SET, vec![KEY.into(), latest.into()])
        .await?;
    transaction.commit().await
}
