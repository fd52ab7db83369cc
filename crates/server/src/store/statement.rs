//! All SQL statements of the server, except those of the [schema](super::migrations).

use super::ColumnType::{self, Bytes, Int, Text};
use super::{DatabaseError, StoreError};

/// SQL statement, in the subset of SQL that both databases share if possible.
#[derive(Debug)]
pub(crate) struct Statement {
    /// Name of the statement for error messages.
    pub(crate) name: &'static str,
    /// SQL text for SQLite, and for PostgreSQL unless it has a text of its own.
    pub(crate) sql: &'static str,
    /// SQL text for PostgreSQL, if it differs from that for SQLite.
    #[cfg(feature = "postgres")]
    pub(crate) postgres: Option<&'static str>,
    /// Types of the result columns.
    pub(crate) columns: &'static [ColumnType],
}

impl Statement {
    /// Wraps a database error with the name of this statement.
    pub(super) fn error(&self, error: impl Into<DatabaseError>) -> StoreError {
        let (name, error) = (self.name, error.into());
        StoreError::Statement { name, error }
    }

    /// Checks that the statement affected the wanted number of rows; otherwise returns
    /// [`StoreError::Corrupted`].
    pub(super) fn check_row_count(&self, affected: u64, wanted: usize) -> Result<(), StoreError> {
        if affected == wanted as u64 {
            return Ok(());
        }
        let Self { name, .. } = self;
        Err(StoreError::corrupted(format!(
            "{name} found {affected} of {wanted} rows"
        )))
    }
}

macro_rules! statements {
    ($($name:ident $sql:literal $(postgres $other:literal)? [$($column:ident),*];)*) => {
        $(
            pub(crate) static $name: Statement = Statement {
                name: stringify!($name),
                sql: $sql,
                #[cfg(feature = "postgres")]
                postgres: statements!(@other $($other)?),
                columns: &[$($column),*],
            };
        )*
        /// All statements.
        #[cfg(test)]
        pub(crate) static ALL: &[&Statement] = &[$(&$name),*];
    };
    (@other) => { None };
    (@other $other:literal) => { Some($other) };
}

statements! {
    SCHEMA_LOCK "SELECT CAST(1 AS BIGINT)"
        postgres "SELECT CAST(1 AS BIGINT) FROM (SELECT pg_advisory_xact_lock(20101014)) AS held" [Int];
    META_GET "SELECT value FROM meta WHERE key = $1" [Text];
    META_SET "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value" [];

    // Numbers of deleted campaigns are not used again.
    CAMPAIGN_ADD "INSERT INTO campaign (name, created, state, recruiter, title, seq, chain, version, number) SELECT $1, CAST($2 AS BIGINT), $3, $4, $5, 0, '', 0, COALESCE(MAX(number), 0) + 1 FROM (SELECT number FROM campaign UNION ALL SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'deleted_campaign_number') AS numbers" [];
    CAMPAIGN_LOCK "SELECT number, seq, version, chain FROM campaign WHERE name = $1"
        postgres "SELECT number, seq, version, chain FROM campaign WHERE name = $1 FOR UPDATE" [Int, Int, Int, Text];
    CAMPAIGN_ROW "SELECT number, seq, chain, version, state FROM campaign WHERE name = $1" [Int, Int, Text, Int, Text];
    CAMPAIGN_NUMBER "SELECT number FROM campaign WHERE name = $1" [Int];
    CAMPAIGN_GET "SELECT state, recruiter, seq, chain FROM campaign WHERE name = $1" [Text, Text, Int, Text];
    CAMPAIGN_RECRUITER "SELECT recruiter FROM campaign WHERE name = $1" [Text];
    CAMPAIGN_SET_RECRUITER "UPDATE campaign SET recruiter = $2 WHERE name = $1" [];
    CAMPAIGN_ALL "SELECT name, state, title FROM campaign ORDER BY name" [Text, Text, Text];
    CAMPAIGN_UPDATE "UPDATE campaign SET state = $2, seq = $3, chain = $4, version = $5 WHERE name = $1" [];

    // This statement inserts many rows. PostgreSQL receives all rows at once, as a JSON array of
    // arrays; SQLite executes the statement once per row.
    EVENTS_ADD "INSERT INTO event (campaign, at, key, seq, line, chain, task) VALUES ($1, $2, $3, $4, $5, $6, $7)"
        postgres "INSERT INTO event (campaign, at, key, seq, line, chain, task) SELECT $1, $2, CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), value ->> 2, value ->> 3, CAST(value ->> 4 AS BIGINT) FROM json_array_elements(CAST($3 AS JSON))" [];
    EVENT_AFTER "SELECT line, task FROM event WHERE key > $1 AND key < $2 ORDER BY key" [Text, Int];
    EVENT_RECEIPT "SELECT task, at FROM event WHERE key = $1" [Int, Int];
    EVENT_LINE "SELECT line FROM event WHERE key = $1" [Text];

    PERSON_ADD "INSERT INTO person (id, campaign, kind, entry, state, language, created, changed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)" [];
    PERSON_SET "UPDATE person SET state = $2, language = $3, consent = $4, background = $5, waits_since = $6, consented = $7, ended = $8, place = $9, erased = $10, changed = $11 WHERE id = $1" [];
    PERSON_CHANGED "SELECT id, kind, entry, state, language, consent, background, waits_since, consented, ended, place, erased, created FROM person WHERE campaign = $1 AND changed > $2 ORDER BY created, id" [Text, Text, Text, Text, Text, Text, Text, Int, Int, Int, Int, Int, Int];

    PERSON_COUNTS "SELECT campaign, state, COUNT(*) FROM person GROUP BY campaign, state ORDER BY campaign, state" [Text, Text, Int];
    PERSON_TOKEN_ADD "INSERT INTO person_token (hash, person, expires) VALUES ($1, $2, $3)" [];
    PERSON_TOKEN_GET "SELECT t.person, p.campaign, t.expires FROM person_token t JOIN person p ON p.id = t.person WHERE t.hash = $1" [Text, Text, Int];
    PERSON_TOKEN_DROP "DELETE FROM person_token WHERE person = $1" [];
    PERSON_TOKEN_EXPIRED "SELECT expires FROM person_token WHERE expires < $1 LIMIT 1" [Int];
    PERSON_TOKEN_EXPIRE "DELETE FROM person_token WHERE expires < $1" [];

    CLAIM_ADD "INSERT INTO claim (campaign, value, params, person) VALUES ($1, $2, $3, $4)" [];
    CLAIM_GET "SELECT person, params FROM claim WHERE campaign = $1 AND value = $2" [Text, Text];
    CLAIM_BY_PERSON "SELECT value, params FROM claim WHERE campaign = $1 AND person = $2" [Text, Text];
    CLAIM_ALL "SELECT person, value, params FROM claim WHERE campaign = $1 ORDER BY person" [Text, Text, Text];
    CLAIM_DROP "DELETE FROM claim WHERE campaign = $1 AND person = $2" [];

    INVITE_ADD "INSERT INTO invite (id, campaign, hash, kind, label, email, expires) VALUES ($1, $2, $3, $4, $5, $6, $7)" [];
    INVITE_BY_HASH "SELECT id, kind, expires, revoked, person FROM invite WHERE campaign = $1 AND hash = $2" [Text, Text, Int, Int, Text];
    INVITE_ALL "SELECT id, kind, label, email, expires, revoked, person FROM invite WHERE campaign = $1 ORDER BY id" [Text, Text, Text, Text, Int, Int, Text];
    INVITE_LABELS "SELECT person, label FROM invite WHERE campaign = $1 AND person IS NOT NULL AND label IS NOT NULL ORDER BY person" [Text, Text];
    INVITE_SET_LABEL "UPDATE invite SET label = $3 WHERE campaign = $1 AND id = $2" [];
    INVITE_USED "UPDATE invite SET person = $2 WHERE id = $1" [];
    INVITE_REVOKE "UPDATE invite SET revoked = $3 WHERE campaign = $1 AND id = $2 AND revoked IS NULL" [];
    INVITE_REVOKE_BY_PERSON "UPDATE invite SET revoked = $3 WHERE campaign = $1 AND person = $2 AND revoked IS NULL" [];
    INVITE_FORGET "UPDATE invite SET label = NULL, email = NULL WHERE campaign = $1 AND person = $2" [];
    INVITE_GET "SELECT revoked FROM invite WHERE campaign = $1 AND id = $2" [Int];

    TASKS_ADD "INSERT INTO task (campaign, changed, key, id, person, number, kind, query, low, high, side, fresh, gold, expires, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
        postgres "INSERT INTO task (campaign, changed, key, id, person, number, kind, query, low, high, side, fresh, gold, expires, state) SELECT $1, $2, CAST(value ->> 0 AS BIGINT), value ->> 1, value ->> 2, CAST(value ->> 3 AS BIGINT), value ->> 4, value ->> 5, value ->> 6, value ->> 7, CAST(value ->> 8 AS BIGINT), CAST(value ->> 9 AS BIGINT), value ->> 10, CAST(value ->> 11 AS BIGINT), value ->> 12 FROM json_array_elements(CAST($3 AS JSON))" [];
    TASKS_SET "UPDATE task SET changed = $1, number = $3, fresh = $4, expires = $5, state = $6 WHERE key = $2"
        postgres "UPDATE task SET changed = $1, number = CAST(value ->> 1 AS BIGINT), fresh = CAST(value ->> 2 AS BIGINT), expires = CAST(value ->> 3 AS BIGINT), state = value ->> 4 FROM json_array_elements(CAST($2 AS JSON)) WHERE key = CAST(value ->> 0 AS BIGINT)" [];
    TASK_CHANGED "SELECT key, id, person, number, kind, query, low, high, side, fresh, gold, expires, state FROM task WHERE campaign = $1 AND changed > $2 ORDER BY number" [Int, Text, Text, Int, Text, Text, Text, Text, Int, Int, Text, Int, Text];
    // The state of an answered task is that of its last lease: an answer does not update the row.
    TASK_ASSIGNMENTS "SELECT key, person, query, number, state FROM task WHERE key > $1 AND key < $2 ORDER BY key" [Int, Text, Text, Int, Text];
    TASK_GET "SELECT key, id, person, number, kind, query, low, high, side, fresh, gold, expires, state FROM task WHERE key = $1" [Int, Text, Text, Int, Text, Text, Text, Text, Int, Int, Text, Int, Text];

    DRAFT_SET "INSERT INTO draft (task, version, body) VALUES ($1, $2, $3) ON CONFLICT (task) DO UPDATE SET version = excluded.version, body = excluded.body" [];
    DRAFT_GET "SELECT version, body FROM draft WHERE task = $1" [Int, Text];
    DRAFT_DROP "DELETE FROM draft WHERE task = $1" [];

    REMARK_ADD "INSERT INTO remark (campaign, person, task, kind, at, text) VALUES ($1, $2, $3, $4, $5, $6)" [];
    REMARK_ALL "SELECT r.person, t.query, t.id, r.kind, r.at, r.text FROM remark r JOIN task t ON t.key = r.task WHERE r.campaign = $1 ORDER BY r.at, t.id" [Text, Text, Text, Text, Int, Text];
    REMARK_DROP "DELETE FROM remark WHERE campaign = $1 AND person = $2" [];

    MEDIA_ADD "INSERT INTO media (id, type, size, millis, bytes) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING" [];
    MEDIA_INFO "SELECT type, size, millis FROM media WHERE id = $1" [Text, Int, Int];
    MEDIA_ALL "SELECT id, type, millis FROM media" [Text, Text, Int];
    // SQLite reads the whole file for this, so its store reads parts without a statement.
    MEDIA_PART "SELECT substr(bytes, CAST($2 AS INTEGER), CAST($3 AS INTEGER)) FROM media WHERE id = $1" [Bytes];
    MEDIA_GET "SELECT type, bytes FROM media WHERE id = $1" [Text, Bytes];

    TOKEN_ADD "INSERT INTO token (id, hash, scopes, campaign, created) VALUES ($1, $2, $3, $4, $5)" [];
    TOKEN_BY_HASH "SELECT id, scopes, campaign FROM token WHERE hash = $1" [Text, Text, Text];
    TOKEN_GET "SELECT scopes, campaign FROM token WHERE id = $1" [Text, Text];
    TOKEN_ALL "SELECT id, scopes, campaign, created FROM token ORDER BY created, id" [Text, Text, Text, Int];
    TOKEN_DROP "DELETE FROM token WHERE id = $1" [];

    SESSION_ADD "INSERT INTO session (hash, token, expires) VALUES ($1, $2, $3)" [];
    SESSION_GET "SELECT token, expires FROM session WHERE hash = $1" [Text, Int];
    SESSION_DROP "DELETE FROM session WHERE hash = $1" [];
    SESSION_EXPIRE "DELETE FROM session WHERE expires < $1" [];

    // These statements delete a campaign.
    REMARKS_DELETE "DELETE FROM remark WHERE campaign = $1" [];
    DRAFTS_DELETE "DELETE FROM draft WHERE task > $1 AND task < $2" [];
    EVENTS_DELETE "DELETE FROM event WHERE key > $1 AND key < $2" [];
    TASKS_DELETE "DELETE FROM task WHERE key > $1 AND key < $2" [];
    CLAIMS_DELETE "DELETE FROM claim WHERE campaign = $1" [];
    INVITES_DELETE "DELETE FROM invite WHERE campaign = $1" [];
    PERSON_TOKENS_DELETE "DELETE FROM person_token WHERE person IN (SELECT id FROM person WHERE campaign = $1)" [];
    PERSONS_DELETE "DELETE FROM person WHERE campaign = $1" [];
    CAMPAIGN_TOKENS_DELETE "DELETE FROM token WHERE campaign = $1" [];
    CAMPAIGN_DELETE "DELETE FROM campaign WHERE name = $1" [];
    // Only the first event of a log and extensions name media files.
    MEDIA_LINES_OF_CAMPAIGN "SELECT line FROM event WHERE campaign = $1 AND (seq = 1 OR line LIKE '%\"event\":\"extended\"%')" [Text];
    MEDIA_LINES_OF_OTHERS "SELECT line FROM event WHERE campaign <> $1 AND (seq = 1 OR line LIKE '%\"event\":\"extended\"%')" [Text];
    MEDIA_DELETE "DELETE FROM media WHERE id = $1" [];

    // These statements copy whole tables between databases: `ALL_` reads all rows, `COPY_` writes
    // one row.
    ALL_CAMPAIGN "SELECT name, created, state, seq, chain, version, number, recruiter, title FROM campaign ORDER BY name" [Text, Int, Text, Int, Text, Int, Int, Text, Text];
    COPY_CAMPAIGN "INSERT INTO campaign (name, created, state, seq, chain, version, number, recruiter, title) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)" [];
    ALL_EVENT "SELECT campaign, seq, at, line, chain, key, task FROM event ORDER BY key" [Text, Int, Int, Text, Text, Int, Int];
    COPY_EVENT "INSERT INTO event (campaign, seq, at, line, chain, key, task) VALUES ($1, $2, $3, $4, $5, $6, $7)" [];
    ALL_PERSON "SELECT id, campaign, kind, entry, state, language, consent, background, waits_since, consented, ended, place, erased, created, changed FROM person ORDER BY id" [Text, Text, Text, Text, Text, Text, Text, Text, Int, Int, Int, Int, Int, Int, Int];
    COPY_PERSON "INSERT INTO person (id, campaign, kind, entry, state, language, consent, background, waits_since, consented, ended, place, erased, created, changed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)" [];
    ALL_PERSON_TOKEN "SELECT hash, person, expires FROM person_token ORDER BY hash" [Bytes, Text, Int];
    COPY_PERSON_TOKEN "INSERT INTO person_token (hash, person, expires) VALUES ($1, $2, $3)" [];
    ALL_CLAIM "SELECT campaign, value, params, person FROM claim ORDER BY campaign, value" [Text, Text, Text, Text];
    COPY_CLAIM "INSERT INTO claim (campaign, value, params, person) VALUES ($1, $2, $3, $4)" [];
    ALL_INVITE "SELECT id, campaign, hash, kind, label, email, expires, revoked, person FROM invite ORDER BY id" [Text, Text, Bytes, Text, Text, Text, Int, Int, Text];
    COPY_INVITE "INSERT INTO invite (id, campaign, hash, kind, label, email, expires, revoked, person) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)" [];
    ALL_TASK "SELECT key, id, campaign, person, number, kind, query, low, high, side, fresh, gold, expires, state, changed FROM task ORDER BY key" [Int, Text, Text, Text, Int, Text, Text, Text, Text, Int, Int, Text, Int, Text, Int];
    COPY_TASK "INSERT INTO task (key, id, campaign, person, number, kind, query, low, high, side, fresh, gold, expires, state, changed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)" [];
    ALL_DRAFT "SELECT task, version, body FROM draft ORDER BY task" [Int, Int, Text];
    COPY_DRAFT "INSERT INTO draft (task, version, body) VALUES ($1, $2, $3)" [];
    ALL_REMARK "SELECT campaign, person, task, kind, at, text FROM remark ORDER BY campaign, at, task" [Text, Text, Int, Text, Int, Text];
    COPY_REMARK "INSERT INTO remark (campaign, person, task, kind, at, text) VALUES ($1, $2, $3, $4, $5, $6)" [];
    ALL_TOKEN "SELECT id, hash, scopes, campaign, created FROM token ORDER BY id" [Text, Bytes, Text, Text, Int];
    COPY_TOKEN "INSERT INTO token (id, hash, scopes, campaign, created) VALUES ($1, $2, $3, $4, $5)" [];
}

/// Statements that copy the tables between databases. For each table there are two: the first reads
/// all rows and the second writes one row. The tables are in an order in which each row is written
/// after the rows that it refers to. Media files are copied separately, one by one; sessions and
/// the table `meta` are not copied.
pub(crate) static TABLE_COPY_STATEMENTS: [(&Statement, &Statement); 10] = [
    (&ALL_CAMPAIGN, &COPY_CAMPAIGN),
    (&ALL_PERSON, &COPY_PERSON),
    (&ALL_PERSON_TOKEN, &COPY_PERSON_TOKEN),
    (&ALL_CLAIM, &COPY_CLAIM),
    (&ALL_INVITE, &COPY_INVITE),
    (&ALL_TASK, &COPY_TASK),
    (&ALL_EVENT, &COPY_EVENT),
    (&ALL_DRAFT, &COPY_DRAFT),
    (&ALL_REMARK, &COPY_REMARK),
    (&ALL_TOKEN, &COPY_TOKEN),
];
