//! Conformance tests: every statement gives the same results on every database.
//!
//! The PostgreSQL test needs a server, which `.ci/with-postgres` starts.

use std::collections::HashSet;

#[cfg(feature = "postgres")]
use super::postgres::PostgresStore;
use super::sqlite::SqliteStore;
use super::statement::{self as sql, ALL, Statement};
use super::{ColumnType, SqlValue, Store, StoreError, Transaction, migrations};

fn int(value: i64) -> SqlValue {
    value.into()
}

fn text(value: &str) -> SqlValue {
    value.into()
}

fn bytes(value: &[u8]) -> SqlValue {
    value.to_vec().into()
}

const NO_INT: SqlValue = SqlValue::Int(None);
const NO_TEXT: SqlValue = SqlValue::Text(None);

/// Returns sample parameters of a multi-row statement: those common to all rows, and the rows.
/// `None` for other statements.
fn sample_rows(statement: &Statement) -> Option<(Vec<SqlValue>, Vec<Vec<SqlValue>>)> {
    let (c, p) = (text("c"), text("p"));
    let task = |place, id, number, high, gold, expires| {
        let (kind, query, low) = (text("preference"), text("q"), text("x"));
        let (state, side, fresh) = (text("live"), int(1), int(0));
        vec![
            int(place),
            text(id),
            p.clone(),
            int(number),
            kind,
            query,
            low,
            text(high),
            side,
            fresh,
            gold,
            int(expires),
            state,
        ]
    };
    match statement.name {
        "EVENTS_ADD" => {
            let line = text(r#"{"line":1}"#);
            let first = vec![int(21), int(1), line, text("aa"), int(31)];
            let second = vec![int(22), int(2), text("né"), text("bb"), NO_INT];
            Some((vec![c, int(5)], vec![first, second]))
        }
        "TASKS_ADD" => {
            let first = task(31, "t", 1, "y", text("a"), 99);
            let second = task(32, "u", 2, "z", NO_TEXT, 99);
            Some((vec![c, int(6)], vec![first, second]))
        }
        "TASKS_SET" => {
            let first = vec![int(31), int(3), int(0), int(100), text("reported")];
            let second = vec![int(32), int(2), int(1), int(98), text("expired")];
            Some((vec![int(7)], vec![first, second]))
        }
        _ => None,
    }
}

/// Returns the statements with sample parameters, in an order in which each finds the rows that it
/// needs.
fn scenario() -> Vec<(&'static Statement, Vec<SqlValue>)> {
    let c = || text("c");
    let p = || text("p");
    vec![
        (&sql::SCHEMA_LOCK, vec![]),
        (&sql::META_SET, vec![text("k"), text("1")]),
        (&sql::META_SET, vec![text("k"), text("2")]),
        (&sql::META_GET, vec![text("k")]),
        (
            &sql::CAMPAIGN_ADD,
            vec![c(), int(1), text("open"), text("{}"), text("Title")],
        ),
        (&sql::CAMPAIGN_LOCK, vec![c()]),
        (&sql::CAMPAIGN_ROW, vec![c()]),
        (&sql::CAMPAIGN_NUMBER, vec![c()]),
        (&sql::CAMPAIGN_SET_RECRUITER, vec![c(), text("{}")]),
        (&sql::CAMPAIGN_RECRUITER, vec![c()]),
        (
            &sql::CAMPAIGN_UPDATE,
            vec![c(), text("paused"), int(2), text("ff"), int(3)],
        ),
        (&sql::CAMPAIGN_GET, vec![c()]),
        (&sql::CAMPAIGN_ALL, vec![]),
        (
            &sql::PERSON_ADD,
            vec![
                p(),
                c(),
                text("preference"),
                text("i"),
                text("active"),
                text("en"),
                int(7),
                int(4),
            ],
        ),
        (
            &sql::PERSON_SET,
            vec![
                p(),
                text("complete"),
                text("es"),
                NO_TEXT,
                text("cello"),
                NO_INT,
                int(8),
                int(10),
                NO_INT,
                NO_INT,
                int(5),
            ],
        ),
        (&sql::PERSON_CHANGED, vec![c(), int(4)]),
        (&sql::PERSON_CHANGED, vec![c(), int(5)]),
        (&sql::PERSON_TOKEN_ADD, vec![bytes(b"hash"), p(), int(9)]),
        (&sql::PERSON_TOKEN_GET, vec![bytes(b"hash")]),
        (&sql::CLAIM_ADD, vec![c(), text("id7"), text("{}"), p()]),
        (&sql::CLAIM_GET, vec![c(), text("id7")]),
        (&sql::CLAIM_BY_PERSON, vec![c(), p()]),
        (&sql::CLAIM_ALL, vec![c()]),
        (
            &sql::INVITE_ADD,
            vec![
                text("i"),
                c(),
                bytes(b"invite"),
                text("ranking"),
                NO_TEXT,
                text("p@x"),
                NO_INT,
            ],
        ),
        (&sql::INVITE_USED, vec![text("i"), p()]),
        (&sql::INVITE_BY_HASH, vec![c(), bytes(b"invite")]),
        (&sql::INVITE_REVOKE, vec![c(), text("i"), int(11)]),
        (&sql::INVITE_REVOKE_BY_PERSON, vec![c(), p(), int(13)]),
        (&sql::INVITE_REVOKE, vec![c(), text("i"), int(12)]),
        (&sql::INVITE_SET_LABEL, vec![c(), text("i"), text("P")]),
        (&sql::INVITE_LABELS, vec![c()]),
        (&sql::INVITE_FORGET, vec![c(), p()]),
        (&sql::INVITE_GET, vec![c(), text("i")]),
        (&sql::INVITE_ALL, vec![c()]),
        (&sql::TASKS_ADD, vec![]),
        (&sql::TASK_ASSIGNMENTS, vec![int(30), int(33)]),
        (&sql::TASK_ASSIGNMENTS, vec![int(31), int(33)]),
        (&sql::TASKS_SET, vec![]),
        (&sql::TASK_ASSIGNMENTS, vec![int(30), int(33)]),
        (&sql::TASK_CHANGED, vec![c(), int(6)]),
        (&sql::TASK_GET, vec![int(31)]),
        (&sql::EVENTS_ADD, vec![]),
        (&sql::EVENT_AFTER, vec![int(20), int(23)]),
        (&sql::EVENT_AFTER, vec![int(21), int(23)]),
        (&sql::EVENT_AFTER, vec![int(20), int(22)]),
        (&sql::EVENT_RECEIPT, vec![int(21)]),
        (&sql::EVENT_RECEIPT, vec![int(22)]),
        (&sql::EVENT_LINE, vec![int(22)]),
        (&sql::DRAFT_SET, vec![int(31), int(1), text("{}")]),
        (&sql::DRAFT_SET, vec![int(31), int(2), text("[]")]),
        (&sql::DRAFT_GET, vec![int(31)]),
        (
            &sql::REMARK_ADD,
            vec![c(), p(), int(31), text("comment"), int(3), text("né")],
        ),
        (&sql::REMARK_ALL, vec![c()]),
        (
            &sql::MEDIA_ADD,
            vec![
                text("m"),
                text("audio/wav"),
                int(3),
                NO_INT,
                bytes(&[0, 255, 7]),
            ],
        ),
        (
            &sql::MEDIA_ADD,
            vec![
                text("m"),
                text("audio/wav"),
                int(3),
                int(5),
                bytes(&[0, 255, 7]),
            ],
        ),
        (&sql::MEDIA_INFO, vec![text("m")]),
        (&sql::MEDIA_PART, vec![text("m"), int(2), int(5)]),
        (&sql::MEDIA_ALL, vec![]),
        (&sql::MEDIA_GET, vec![text("m")]),
        (
            &sql::TOKEN_ADD,
            vec![
                text("k"),
                bytes(b"token"),
                text("read manage"),
                NO_TEXT,
                int(1),
            ],
        ),
        (&sql::TOKEN_BY_HASH, vec![bytes(b"token")]),
        (&sql::TOKEN_GET, vec![text("k")]),
        (&sql::TOKEN_ALL, vec![]),
        (&sql::SESSION_ADD, vec![bytes(b"s"), text("k"), int(50)]),
        (&sql::SESSION_GET, vec![bytes(b"s")]),
        (&sql::SESSION_EXPIRE, vec![int(10)]),
        (&sql::SESSION_DROP, vec![bytes(b"s")]),
        (&sql::SESSION_GET, vec![bytes(b"s")]),
        (&sql::PERSON_COUNTS, vec![]),
        (&sql::ALL_CAMPAIGN, vec![]),
        (&sql::ALL_PERSON, vec![]),
        (&sql::ALL_PERSON_TOKEN, vec![]),
        (&sql::ALL_CLAIM, vec![]),
        (&sql::ALL_INVITE, vec![]),
        (&sql::ALL_TASK, vec![]),
        (&sql::ALL_EVENT, vec![]),
        (&sql::ALL_DRAFT, vec![]),
        (&sql::ALL_REMARK, vec![]),
        (&sql::ALL_TOKEN, vec![]),
        (&sql::DRAFT_DROP, vec![int(31)]),
        (&sql::REMARK_DROP, vec![c(), p()]),
        (&sql::CLAIM_DROP, vec![c(), p()]),
        (&sql::PERSON_TOKEN_DROP, vec![p()]),
        (&sql::TOKEN_DROP, vec![text("k")]),
        (&sql::PERSON_TOKEN_EXPIRED, vec![int(1)]),
        (&sql::PERSON_TOKEN_EXPIRE, vec![int(1)]),
        (&sql::MEDIA_LINES_OF_CAMPAIGN, vec![c()]),
        (&sql::MEDIA_LINES_OF_OTHERS, vec![c()]),
        (&sql::MEDIA_LINES_OF_OTHERS, vec![text("other")]),
        (&sql::REMARKS_DELETE, vec![c()]),
        (&sql::DRAFTS_DELETE, vec![int(0), int(99)]),
        (&sql::EVENTS_DELETE, vec![int(0), int(99)]),
        (&sql::TASKS_DELETE, vec![int(0), int(99)]),
        (&sql::CLAIMS_DELETE, vec![c()]),
        (&sql::INVITES_DELETE, vec![c()]),
        (&sql::PERSON_TOKENS_DELETE, vec![c()]),
        (&sql::PERSONS_DELETE, vec![c()]),
        (&sql::CAMPAIGN_TOKENS_DELETE, vec![c()]),
        (&sql::CAMPAIGN_DELETE, vec![c()]),
        (&sql::MEDIA_DELETE, vec![text("m")]),
    ]
}

/// Runs all statements of the scenario on a database; returns their results, and the names of the
/// statements that were run.
async fn run_scenario(
    store: &dyn Store,
) -> Result<(Vec<String>, HashSet<&'static str>), StoreError> {
    let mut transaction = store.begin_write().await?;
    let mut results = Vec::new();
    let mut run = HashSet::new();
    let mut tables: Vec<(&Statement, Vec<Vec<SqlValue>>)> = Vec::new();
    for (statement, values) in scenario() {
        run.insert(statement.name);
        if let Some((common, rows)) = sample_rows(statement) {
            transaction.execute_many(statement, common, rows).await?;
            continue;
        }
        if statement.columns.is_empty() {
            let touched = transaction.execute(statement, values).await?;
            results.push(format!("{}: {touched}", statement.name));
            continue;
        }
        let rows = transaction.fetch_all(statement, values).await?;
        let rows: Vec<Vec<SqlValue>> = rows.into_iter().map(super::SqlRow::into_values).collect();
        results.push(format!("{}: {rows:?}", statement.name));
        if let Some((_, copy)) = sql::TABLE_COPY_STATEMENTS
            .iter()
            .find(|(all, _)| all.name == statement.name)
        {
            tables.push((copy, rows));
        }
    }
    transaction.rollback().await?;
    // Check that the rows of all tables can be copied to an empty database.
    let mut transaction = store.begin_write().await?;
    for (copy, rows) in tables {
        let name = ALL.iter().find(|known| known.name == copy.name);
        for row in rows {
            transaction
                .execute(name.expect("`ALL` contains every statement"), row)
                .await?;
        }
        run.insert(copy.name);
    }
    transaction.rollback().await?;
    Ok((results, run))
}

/// Returns a transaction on a database with two tasks of one assessor, the first of them answered.
async fn begin_with_answer(store: &dyn Store) -> Result<Box<dyn Transaction>, StoreError> {
    let mut transaction = store.begin_write().await?;
    for (statement, values) in scenario() {
        if ["CAMPAIGN_ADD", "PERSON_ADD"].contains(&statement.name) {
            transaction.execute(statement, values).await?;
        }
    }
    for statement in [&sql::TASKS_ADD, &sql::EVENTS_ADD] {
        let (common, rows) = sample_rows(statement).expect("it is a multi-row statement");
        transaction.execute_many(statement, common, rows).await?;
    }
    Ok(transaction)
}

/// Checks the constraints of the database: the keys of tasks and events are unique, and every
/// answer refers to an existing task.
async fn check_constraints(store: &dyn Store) -> Result<(), StoreError> {
    let (common, tasks) = sample_rows(&sql::TASKS_ADD).expect("it is a multi-row statement");
    let mut transaction = begin_with_answer(store).await?;
    let mut again = tasks[0].clone();
    again[1] = text("again");
    let added = transaction.execute_many(&sql::TASKS_ADD, common, vec![again]);
    assert!(added.await.is_err());
    transaction.rollback().await?;
    let (common, events) = sample_rows(&sql::EVENTS_ADD).expect("it is a multi-row statement");
    for (place, task, fits) in [(23, 31, true), (21, 31, false), (23, 33, false)] {
        let mut transaction = begin_with_answer(store).await?;
        let mut event = events[0].clone();
        (event[0], event[4]) = (int(place), int(task));
        let added = transaction.execute_many(&sql::EVENTS_ADD, common.clone(), vec![event]);
        assert_eq!(added.await.is_ok(), fits, "event {place}, task {task}");
        transaction.rollback().await?;
    }
    // An update of a missing task is an error.
    let mut transaction = begin_with_answer(store).await?;
    let gone = vec![int(33), int(1), int(0), int(99), text("expired")];
    let changed = transaction.execute_many(&sql::TASKS_SET, vec![int(7)], vec![gone]);
    assert!(matches!(changed.await, Err(StoreError::Corrupted(_))));
    transaction.rollback().await
}

/// Checks that parts of a media file are read, and that a part ends where the file does.
async fn check_media_parts(store: &dyn Store) -> Result<(), StoreError> {
    let file: Vec<u8> = (0..700_001_u32).map(|byte| (byte % 251) as u8).collect();
    let mut transaction = store.begin_write().await?;
    let size = int(file.len() as i64);
    let values = vec![text("parts"), text("audio/wav"), size, NO_INT, bytes(&file)];
    transaction.execute(&sql::MEDIA_ADD, values).await?;
    transaction.commit().await?;
    for (start, end) in [(0, 1), (0, 700_001), (5_000, 70_000), (700_000, 700_001)] {
        let part = store.read_media("parts", start..end).await?;
        let expected = &file[start as usize..end as usize];
        assert_eq!(part.as_deref(), Some(expected), "{start}..{end}");
    }
    let beyond = store.read_media("parts", 699_999..900_000).await?;
    assert_eq!(beyond.as_deref(), Some(&file[699_999..]));
    assert_eq!(store.read_media("none", 0..5).await?, None);
    Ok(())
}

/// Checks that every statement was run.
fn check_all_ran(run: &HashSet<&'static str>, database: &str) {
    let missing: Vec<&str> = ALL
        .iter()
        .map(|statement| statement.name)
        .filter(|name| !run.contains(name))
        .collect();
    assert!(missing.is_empty(), "never run on {database}: {missing:?}");
}

/// Runs the scenario and checks the constraints on a new SQLite database; returns the results.
async fn run_scenario_on_sqlite() -> Result<Vec<String>, StoreError> {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let store = SqliteStore::open(&folder.path().join("a.db")).await?;
    migrations::migrate(&store).await?;
    let (results, run) = run_scenario(&store).await?;
    check_all_ran(&run, "SQLite");
    check_constraints(&store).await?;
    check_media_parts(&store).await?;
    Ok(results)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_statement_runs_on_sqlite() -> Result<(), StoreError> {
    let results = run_scenario_on_sqlite().await?;
    assert!(
        results.contains(&"INVITE_FORGET: 1".to_owned()),
        "{results:?}"
    );
    Ok(())
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs PostgreSQL: make server"]
async fn postgres_and_sqlite_give_equal_results_for_every_statement() -> Result<(), StoreError> {
    let url = std::env::var("PARTITA_TEST_POSTGRES").expect("PARTITA_TEST_POSTGRES is set");
    let postgres = PostgresStore::open(&url).await?;
    migrations::migrate(&postgres).await?;
    let (results, run) = run_scenario(&postgres).await?;
    check_all_ran(&run, "PostgreSQL");
    check_constraints(&postgres).await?;
    check_media_parts(&postgres).await?;
    for (one, two) in run_scenario_on_sqlite().await?.iter().zip(&results) {
        assert_eq!(one, two);
    }
    Ok(())
}

/// Plans by which PostgreSQL runs a statement on the writer's connection, one line of text per row.
#[cfg(feature = "postgres")]
async fn explain(
    store: &dyn Store,
    statement: &Statement,
    values: Vec<SqlValue>,
) -> Result<String, StoreError> {
    let sql = format!("EXPLAIN {}", statement.postgres.unwrap_or(statement.sql));
    // Statements live as long as the program.
    let explained = Box::leak(Box::new(Statement {
        name: "EXPLAIN",
        sql: sql.leak(),
        postgres: None,
        columns: &[ColumnType::Text],
    }));
    let mut transaction = store.begin_write().await?;
    let rows = transaction.fetch_all(explained, values).await?;
    let lines = rows.into_iter().map(|mut row| row.text());
    let lines: Result<Vec<String>, StoreError> = lines.collect();
    Ok(lines?.join("\n"))
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs PostgreSQL: make server"]
async fn postgres_server_a2_a_campaign_is_opened_without_joins() -> Result<(), StoreError> {
    let url = std::env::var("PARTITA_TEST_POSTGRES").expect("PARTITA_TEST_POSTGRES is set");
    let postgres = PostgresStore::open(&url).await?;
    migrations::migrate(&postgres).await?;
    let keys = || vec![int(1), int(1 << 40)];
    for (statement, values) in [
        (&sql::EVENT_AFTER, keys()),
        (&sql::TASK_ASSIGNMENTS, keys()),
        (&sql::PERSON_CHANGED, vec![text("c"), int(-1)]),
        (&sql::MEDIA_ALL, vec![]),
    ] {
        // The writer's connection disables hash and merge joins (see `WRITER_SETTINGS`), so a join of
        // whole tables takes time proportional to the product of their sizes.
        let plan = explain(&postgres, statement, values).await?;
        assert!(plan.contains("Scan"), "{}: {plan}", statement.name);
        for slow in ["Nested Loop", "SubPlan"] {
            assert!(!plan.contains(slow), "{}: {plan}", statement.name);
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn migration_rejects_an_unknown_schema_number() -> Result<(), StoreError> {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let store = SqliteStore::open(&folder.path().join("a.db")).await?;
    migrations::migrate(&store).await?;
    // Migrating an up-to-date database changes nothing.
    migrations::migrate(&store).await?;
    for schema in ["2", "99", "0", "-1"] {
        let mut transaction = store.begin_write().await?;
        transaction
            .execute(&sql::META_SET, vec![text("schema"), text(schema)])
            .await?;
        transaction.commit().await?;
        let refused = migrations::migrate(&store).await.unwrap_err().to_string();
        let said = format!("the database has schema {schema}, ");
        assert!(refused.starts_with(&said), "{refused}");
        assert!(refused.ends_with("update partita"), "{refused}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_with_a_failed_statement_cannot_be_committed() -> Result<(), StoreError> {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let store = SqliteStore::open(&folder.path().join("a.db")).await?;
    migrations::migrate(&store).await?;
    let mut transaction = store.begin_write().await?;
    transaction
        .execute(&sql::META_SET, vec![text("k"), text("1")])
        .await?;
    // Insert an event of a campaign that does not exist, which fails.
    let common = vec![text("none"), int(5)];
    let event = vec![int(1), int(1), text("line"), text("aa"), NO_INT];
    let added = transaction.execute_many(&sql::EVENTS_ADD, common, vec![event]);
    assert!(added.await.is_err());
    assert!(matches!(
        transaction.commit().await,
        Err(StoreError::TransactionAborted)
    ));
    let mut read = store.begin_read().await?;
    let kept = read.fetch_all(&sql::META_GET, vec![text("k")]).await?;
    assert!(kept.is_empty());
    assert_eq!(sql::META_GET.columns, [ColumnType::Text]);
    Ok(())
}
