//! A disk that is full, a database that is away: nothing is acknowledged, and it goes on by itself.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use partita_server::ServerStorage;
use serde_json::Value;

use crate::house::{
    Client, House, POSTGRES, Said, by_text, clip, postgres, postgres_tool, texts, uuid,
};

fn document() -> Value {
    let items = ["a", "b", "c", "d", "e", "f", "g", "h"];
    texts("c", 1, &[("q", &items), ("r", &items), ("s", &items)])
}

fn check_refused(said: &Said) {
    assert_eq!(
        (said.status, said.problem()),
        (503, "unavailable"),
        "{:?}",
        said.json
    );
    assert!(said.header("retry-after").parse::<u32>().unwrap() > 0);
}

/// The ids of the answers in the log.
fn logged(organiser: &Client) -> Vec<String> {
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

/// Judges go on after an outage with what was refused in it; everything acknowledged is there once.
fn goes_on(house: &House, person: &Client, refused: (u128, &Value), before: &[u128]) {
    let (id, body) = refused;
    let saved = person.answer(id, body);
    assert_eq!(
        saved.status, 201,
        "it was not kept before, and is now: {:?}",
        saved.json
    );
    let task = person.tasks()[0].clone();
    assert_eq!(person.answer(id + 1, &by_text(&task)).status, 201);
    let expected: Vec<String> = (before.iter().copied().chain([id, id + 1]))
        .map(uuid)
        .collect();
    assert_eq!(logged(&house.organiser()), expected);
}

#[test]
fn without_its_folder_a_server_acknowledges_nothing_and_goes_on_when_it_is_back() {
    let mut house = House::new();
    let person = house.campaign(&document(), 1).remove(0);
    let organiser = house.organiser();
    let tasks = person.tasks();
    assert_eq!(person.answer(1, &by_text(&tasks[0])).status, 201);
    let away = house.data().with_extension("away");
    std::fs::rename(house.data(), &away).unwrap();
    let body = by_text(&tasks[1]);
    check_refused(&person.answer(2, &body));
    check_refused(&person.next());
    check_refused(&organiser.ask("POST", "/api/v1/media", "audio/wav", &clip(50)));
    let local = Client {
        url: house.local.clone(),
        ..house.client("")
    };
    assert_eq!(local.get("/ready").status, 503);
    assert_eq!(local.get("/live").status, 200);
    // Another database in its place is not taken for it.
    std::fs::create_dir(house.data()).unwrap();
    std::fs::copy(away.join("partita.db"), house.data().join("partita.db")).unwrap();
    check_refused(&person.answer(2, &body));
    std::fs::remove_dir_all(house.data()).unwrap();
    std::fs::rename(&away, house.data()).unwrap();
    goes_on(&house, &person, (2, &body), &[1]);
    assert_eq!(local.get("/ready").status, 200);
    house.stop();
    assert!(ServerStorage::Folder(house.data()).verify().unwrap().sound);
}

/// Leaves no room on a disk.
fn fill(file: &Path) {
    let mut filler = std::fs::File::create(file).unwrap();
    for size in [1 << 16, 1 << 12, 1 << 9, 1] {
        while filler.write_all(&vec![7; size]).is_ok() {}
    }
}

#[test]
#[ignore = "it needs a small disk: make server"]
fn disk_that_is_full_or_read_only_loses_nothing() {
    let disk = PathBuf::from(std::env::var("PARTITA_TEST_DISK").expect("the folder of a disk"));
    let mut house = House::with(|settings| settings.data = disk.join("data"));
    let person = house.campaign(&document(), 1).remove(0);
    let organiser = house.organiser();
    let mut saved = Vec::new();
    for id in 1..4 {
        assert_eq!(person.answer(id, &by_text(&person.tasks()[0])).status, 201);
        saved.push(id);
    }
    let filler = disk.join("filler");
    let mut tasks = person.tasks();
    fill(&filler);
    // A file needs room at once; answers may find some in what the database has already.
    let upload = || organiser.ask("POST", "/api/v1/media", "audio/wav", &clip(60_000));
    check_refused(&upload());
    let (id, body) = loop {
        if tasks.is_empty() {
            std::fs::remove_file(&filler).unwrap();
            tasks = person.tasks();
            fill(&filler);
        }
        let (id, body) = (saved.len() as u128 + 1, by_text(&tasks.remove(0)));
        let said = person.answer(id, &body);
        if said.status != 201 {
            check_refused(&said);
            break (id, body);
        }
        saved.push(id);
    };
    // What was acknowledged can be read all the time.
    assert_eq!(logged(&organiser).len(), saved.len());
    let backup = disk.join("backup.db");
    assert!(ServerStorage::Folder(house.data()).backup(&backup).is_err());
    assert!(!backup.exists(), "half a backup is none");
    std::fs::remove_file(&filler).unwrap();
    goes_on(&house, &person, (id, &body), &saved);
    assert_eq!(upload().status, 201);
    house.stop();
    assert!(ServerStorage::Folder(house.data()).verify().unwrap().sound);
    let remount = |how: &str| {
        let done = Command::new(disk.with_extension("remount"))
            .arg(how)
            .status();
        assert!(done.unwrap().success());
    };
    remount("ro");
    let refused = house.try_start().err().map(|error| error.to_string());
    let refused = refused.expect("nothing can be written");
    remount("rw");
    assert!(
        refused.contains("data") && refused.contains("ead-only"),
        "{refused}"
    );
    house.start();
    assert_eq!(logged(&house.organiser()).len(), saved.len() + 2);
    house.stop();
    std::fs::remove_dir_all(house.data()).unwrap();
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_that_is_away_is_waited_for() {
    let _alone = POSTGRES.write().unwrap();
    let url = postgres("away");
    let mut house = House::with(|settings| settings.database = Some(url.clone()));
    let person = house.campaign(&document(), 1).remove(0);
    let organiser = house.organiser();
    let pg_ctl = |arguments: &[&str]| postgres_tool("pg_ctl", arguments, Stdio::null());
    let local = Client {
        url: house.local.clone(),
        ..house.client("")
    };
    let mut saved = Vec::new();
    for id in [1, 3] {
        let body = by_text(&person.tasks()[0]);
        pg_ctl(&["-m", "immediate", "stop"]);
        check_refused(&person.answer(id, &body));
        check_refused(&person.next());
        check_refused(&organiser.get("/api/v1/campaigns/c/log"));
        assert_eq!(local.get("/ready").status, 503);
        assert_eq!(house.client("").get("/j/c").status, 200);
        pg_ctl(&["start"]);
        goes_on(&house, &person, (id, &body), &saved);
        saved.extend([id, id + 1]);
        assert_eq!(local.get("/ready").status, 200);
    }
    house.stop();
    assert!(ServerStorage::Postgres(url).verify().unwrap().sound);
}
