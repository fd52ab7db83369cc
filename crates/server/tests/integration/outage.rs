//! Full disk or missing database: nothing is acknowledged, and the server recovers by itself.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use partita_server::ServerStorage;
use serde_json::Value;

use crate::test_server::{
    Client, HttpReply, POSTGRES_LOCK, TestServer, answer_by_text, clip, create_database,
    postgres_tool, text_campaign, uuid,
};

/// Returns a campaign document with three lists of eight items.
fn document() -> Value {
    let items = ["a", "b", "c", "d", "e", "f", "g", "h"];
    text_campaign("c", 1, &[("q", &items), ("r", &items), ("s", &items)])
}

/// Checks that a response has status 503 and asks the client to retry later.
fn check_unavailable(reply: &HttpReply) {
    assert_eq!(
        (reply.status, reply.problem()),
        (503, "unavailable"),
        "{:?}",
        reply.json
    );
    assert!(reply.header("retry-after").parse::<u32>().unwrap() > 0);
}

/// Returns the ids of the answers in the log.
fn logged_answer_ids(organiser: &Client) -> Vec<String> {
    let log = organiser.get("/api/v1/campaigns/c/log");
    assert_eq!(log.status, 200, "{:?}", log.json);
    let events = String::from_utf8(log.bytes).unwrap();
    let events = events
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answers = events.filter(|event| event["event"] == "answered");
    answers
        .map(|event| event["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Checks that an assessor can submit the answer `refused` (id and body), which was rejected during
/// an outage, and another one. Also checks that the log contains exactly these and the answers
/// `before`, which were acknowledged before the outage.
fn check_recovery(server: &TestServer, person: &Client, refused: (u128, &Value), before: &[u128]) {
    let (id, body) = refused;
    let saved = person.answer(id, body);
    assert_eq!(
        saved.status, 201,
        "the rejected answer must be accepted after the outage: {:?}",
        saved.json
    );
    let task = person.tasks()[0].clone();
    assert_eq!(person.answer(id + 1, &answer_by_text(&task)).status, 201);
    let expected: Vec<String> = (before.iter().copied().chain([id, id + 1]))
        .map(uuid)
        .collect();
    assert_eq!(logged_answer_ids(&server.organiser()), expected);
}

#[test]
fn a_server_without_its_data_folder_acknowledges_nothing_and_recovers() {
    let mut server = TestServer::new();
    let person = server.create_campaign(&document(), 1).remove(0);
    let organiser = server.organiser();
    let tasks = person.tasks();
    assert_eq!(person.answer(1, &answer_by_text(&tasks[0])).status, 201);
    let away = server.data().with_extension("away");
    std::fs::rename(server.data(), &away).unwrap();
    let body = answer_by_text(&tasks[1]);
    check_unavailable(&person.answer(2, &body));
    check_unavailable(&person.next());
    check_unavailable(&organiser.request("POST", "/api/v1/media", "audio/wav", &clip(50)));
    let local = Client {
        url: server.health_url.clone(),
        ..server.client("")
    };
    assert_eq!(local.get("/ready").status, 503);
    assert_eq!(local.get("/live").status, 200);
    // A copy of the database at the same path must not be used instead of the opened file.
    std::fs::create_dir(server.data()).unwrap();
    std::fs::copy(away.join("partita.db"), server.data().join("partita.db")).unwrap();
    check_unavailable(&person.answer(2, &body));
    std::fs::remove_dir_all(server.data()).unwrap();
    std::fs::rename(&away, server.data()).unwrap();
    check_recovery(&server, &person, (2, &body), &[1]);
    assert_eq!(local.get("/ready").status, 200);
    server.stop();
    assert!(ServerStorage::Folder(server.data()).verify().unwrap().sound);
}

/// Renames two tables, so that the database can be read but nothing can be saved, not even by the
/// server's own attempts.
fn rename_tables(server: &TestServer, suffixes: (&str, &str)) {
    let database = rusqlite::Connection::open(server.data().join("partita.db")).unwrap();
    database.busy_timeout(Duration::from_secs(20)).unwrap();
    for table in ["event", "meta"] {
        let (from, to) = suffixes;
        let rename = format!("ALTER TABLE {table}{from} RENAME TO {table}{to}");
        database.execute_batch(&rename).unwrap();
    }
}

#[test]
fn server_b6_a_server_that_saves_nothing_is_not_ready() {
    let server = TestServer::new();
    let person = server.create_campaign(&document(), 1).remove(0);
    let local = Client {
        url: server.health_url.clone(),
        ..server.client("")
    };
    let failures = || {
        let metrics = String::from_utf8(local.get("/metrics").bytes).unwrap();
        let rows = metrics.lines();
        let mut counts = rows.filter_map(|row| row.strip_prefix("partita_commit_failures_total "));
        counts.next().unwrap().parse::<u32>().unwrap()
    };
    assert_eq!((local.get("/ready").status, failures()), (200, 0));
    let tasks = person.tasks();
    let answer = answer_by_text(&tasks[0]);
    rename_tables(&server, ("", "_away"));
    check_unavailable(&person.answer(1, &answer));
    let ready = local.get("/ready");
    let reason = String::from_utf8(ready.bytes).unwrap();
    assert_eq!(ready.status, 503, "{reason}");
    assert!(reason.contains("failed"), "{reason}");
    // It can still read.
    assert_eq!(server.organiser().get("/api/v1/campaigns").status, 200);
    assert_eq!(local.get("/ready").status, 503);
    assert!(failures() > 0);
    // The server finds out by itself that it can save again.
    rename_tables(&server, ("_away", ""));
    let recovered = Instant::now() + Duration::from_secs(30);
    while local.get("/ready").status != 200 {
        assert!(Instant::now() < recovered, "the server must try again");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(person.answer(1, &answer).status, 201);
    assert_eq!(local.get("/ready").status, 200);
}

/// Fills the disk: writes a file until no space is left.
fn fill_disk(file: &Path) {
    let mut filler = std::fs::File::create(file).unwrap();
    for size in [1 << 16, 1 << 12, 1 << 9, 1] {
        while filler.write_all(&vec![7; size]).is_ok() {}
    }
}

#[test]
#[ignore = "it needs a small disk: make server"]
fn disk_full_or_read_only_loses_no_acknowledged_answer() {
    let disk = PathBuf::from(std::env::var("PARTITA_TEST_DISK").expect("PARTITA_TEST_DISK is set"));
    let mut server = TestServer::with_options(|settings| settings.data = disk.join("data"));
    let person = server.create_campaign(&document(), 1).remove(0);
    let organiser = server.organiser();
    let mut saved = Vec::new();
    for id in 1..4 {
        assert_eq!(
            person
                .answer(id, &answer_by_text(&person.tasks()[0]))
                .status,
            201
        );
        saved.push(id);
    }
    let filler = disk.join("filler");
    let mut tasks = person.tasks();
    fill_disk(&filler);
    // An upload needs disk space at once, whereas some answers may still fit into free pages of the
    // database files.
    let upload = || organiser.request("POST", "/api/v1/media", "audio/wav", &clip(60_000));
    check_unavailable(&upload());
    let (id, body) = loop {
        if tasks.is_empty() {
            std::fs::remove_file(&filler).unwrap();
            tasks = person.tasks();
            fill_disk(&filler);
        }
        let (id, body) = (saved.len() as u128 + 1, answer_by_text(&tasks.remove(0)));
        let reply = person.answer(id, &body);
        if reply.status != 201 {
            check_unavailable(&reply);
            break (id, body);
        }
        saved.push(id);
    };
    // Acknowledged answers can be read while the disk is full.
    assert_eq!(logged_answer_ids(&organiser).len(), saved.len());
    let backup = disk.join("backup.db");
    assert!(
        ServerStorage::Folder(server.data())
            .backup(&backup)
            .is_err()
    );
    assert!(!backup.exists(), "a partial backup must be removed");
    std::fs::remove_file(&filler).unwrap();
    check_recovery(&server, &person, (id, &body), &saved);
    assert_eq!(upload().status, 201);
    server.stop();
    assert!(ServerStorage::Folder(server.data()).verify().unwrap().sound);
    let remount = |how: &str| {
        let done = Command::new(disk.with_extension("remount"))
            .arg(how)
            .status();
        assert!(done.unwrap().success());
    };
    remount("ro");
    let refused = server.try_start().err().map(|error| error.to_string());
    let refused = refused.expect("a server cannot start on a read-only disk");
    remount("rw");
    assert!(
        refused.contains("data") && refused.contains("ead-only"),
        "{refused}"
    );
    server.start();
    assert_eq!(
        logged_answer_ids(&server.organiser()).len(),
        saved.len() + 2
    );
    server.stop();
    std::fs::remove_dir_all(server.data()).unwrap();
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_outage_is_reported_and_the_server_recovers() {
    let _alone = POSTGRES_LOCK.write().unwrap();
    let url = create_database("away");
    let mut server = TestServer::with_options(|settings| settings.database = Some(url.clone()));
    let person = server.create_campaign(&document(), 1).remove(0);
    let organiser = server.organiser();
    let pg_ctl = |arguments: &[&str]| postgres_tool("pg_ctl", arguments, Stdio::null());
    let local = Client {
        url: server.health_url.clone(),
        ..server.client("")
    };
    let mut saved = Vec::new();
    for id in [1, 3] {
        let body = answer_by_text(&person.tasks()[0]);
        pg_ctl(&["-m", "immediate", "stop"]);
        check_unavailable(&person.answer(id, &body));
        check_unavailable(&person.next());
        check_unavailable(&organiser.get("/api/v1/campaigns/c/log"));
        assert_eq!(local.get("/ready").status, 503);
        // Numbers that only the database knows are absent instead of 0.
        let metrics = String::from_utf8(local.get("/metrics").bytes).unwrap();
        assert!(metrics.contains("partita_queue_jobs ") && !metrics.contains("partita_campaigns"));
        assert_eq!(server.client("").get("/j/c").status, 200);
        pg_ctl(&["start"]);
        check_recovery(&server, &person, (id, &body), &saved);
        saved.extend([id, id + 1]);
        assert_eq!(local.get("/ready").status, 200);
    }
    server.stop();
    assert!(ServerStorage::Postgres(url).verify().unwrap().sound);
}
