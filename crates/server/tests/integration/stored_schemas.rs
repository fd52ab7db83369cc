//! Compatibility with stored databases: for each version of the database schema, the program opens
//! a sample database and gives the downloads that were stored with it.
//!
//! `tests/samples/schema-N.db` is a backup that the first program with schema N wrote,
//! `schema-N.sql` is the output of `pg_dump` for the same data in PostgreSQL, and `schema-N/`
//! contains the downloads. If the environment variable `PARTITA_BLESS` is set and the samples of
//! the latest schema do not exist, the tests create them (the dump only in `.ci/with-postgres`).
//! Existing samples are never replaced.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use partita_server::ServerStorage;
use serde_json::{Value, json};

use crate::test_server::{
    Client, POSTGRES_LOCK, TestServer, answer_by_text, clip, create_database, judge_all,
    postgres_tool, replayed_state, text_campaign,
};

/// Names of the exports that are compared, with their query strings.
const DOWNLOADS: [&str; 12] = [
    "log.jsonl",
    "answers.csv",
    "preferences.csv",
    "rankings.csv",
    "grades.csv",
    "remarks.csv",
    "people.csv",
    "truth.csv?kind=preference",
    "truth.csv?kind=ranking",
    "truth.csv?kind=grading",
    "truth.json?kind=preference",
    "truth.qrels?kind=ranking",
];

/// Returns the folder of the sample databases and downloads.
fn samples_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

/// Returns the numbers of all versions of the database schema.
fn schema_numbers() -> std::ops::RangeInclusive<usize> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/schema");
    1..=std::fs::read_dir(scripts).unwrap().count()
}

/// Returns true if missing samples are to be created.
fn creates_missing_samples() -> bool {
    std::env::var_os("PARTITA_BLESS").is_some()
}

/// Returns the name of the file in which a download is stored.
fn download_file_name(download: &str) -> String {
    download.replace("?kind=", ".")
}

/// Creates a campaign with all three kinds of judgments and with data in every table.
fn create_sample_campaign(server: &TestServer) {
    let organiser = server.organiser();
    let picture = b"\x89PNG\r\n\x1a\n and what follows".as_slice();
    let media = |bytes: &[u8]| {
        let taken = organiser.request("POST", "/api/v1/media", "application/octet-stream", bytes);
        taken.json["media"].clone()
    };
    let (sound, image) = (media(&clip(20)), media(picture));
    let mut document = text_campaign(
        "all",
        2,
        &[("q", &["x", "y", "z"]), ("=r", &["k", "l", "m"])],
    );
    document["kinds"] = json!(["preference", "ranking", "grading"]);
    document["lists"][0]["show"] = json!({"audio": sound, "text": "text q"});
    document["lists"][0]["items"][0]["show"]["image"] = image;
    document["lists"][0]["items"][0]["show"]["alt"] = json!("a staff");
    document["consent"] = json!({"version": "1", "text": {"en": "Agree?"}});
    document["gold"] =
        json!({"share": 0.3, "pairs": [{"query": "q", "a": "x", "b": "z", "answer": "a"}]});
    document["judging"] = json!({"graders": 2, "ahead": 3});
    document["recruiter"] =
        json!({"preset": "prolific", "limit": 3, "outcomes": {"complete": {"code": "C1"}}});
    assert_eq!(organiser.post("/api/v1/campaigns", &document).status, 201);
    let consent = json!({"consent": "1", "background": "cello, né"});
    let agreed = |person: &Client| {
        assert_eq!(person.put("/api/v1/judge/me", &consent).status, 200);
    };
    let judges = server.enter_assessors("all", &json!("preference"), 2);
    judges.iter().for_each(agreed);
    // The first assessor also answers gold questions, which look like other questions.
    let mut id = judge_all(&judges[..1], 1) + 1;
    let task = judges[1].tasks()[0].clone();
    let mut answer = answer_by_text(&task);
    answer["comment"] = json!("both \"good\", né");
    answer["listened"] = json!({"query": {"plays": 2, "ended": true}});
    answer["hidden"] = json!(1.5);
    assert_eq!(judges[1].answer(id, &answer).status, 201);
    let task = judges[1].tasks()[0].clone();
    let report = json!({"task": task["task"], "part": "b", "problem": "wrong", "note": "no sound"});
    assert_eq!(judges[1].post("/api/v1/judge/reports", &report).status, 201);
    // An assessor from the panel answers, is excluded and is readmitted.
    let entered = enter_from_panel(server);
    let panel = server.client(entered["token"].as_str().unwrap());
    agreed(&panel);
    id += 1;
    assert_eq!(
        panel.answer(id, &answer_by_text(&panel.tasks()[0])).status,
        201
    );
    let person = entered["person"].as_str().unwrap();
    for act in ["exclude", "readmit"] {
        let path = format!("/api/v1/campaigns/all/people/{person}/{act}");
        assert_eq!(organiser.post(&path, &json!({})).status, 204);
    }
    // The first of two assessors submits rankings, and the second only saves drafts.
    let experts = server.enter_assessors("all", &json!("ranking"), 2);
    for (place, expert) in experts.iter().enumerate() {
        agreed(expert);
        for task in expert.tasks() {
            let keys = task["items"].as_array().unwrap().iter();
            let groups: Vec<Value> = keys.map(|item| json!([item["key"]])).collect();
            let mut body = json!({"groups": groups, "unranked": []});
            if place == 1 {
                body["version"] = json!(1);
                let path = format!("/api/v1/judge/drafts/{}", task["task"].as_str().unwrap());
                assert_eq!(expert.put(&path, &body).status, 204);
                continue;
            }
            id += 1;
            body["task"] = task["task"].clone();
            body["seconds"] = json!(30);
            assert_eq!(expert.answer(id, &body).status, 201);
        }
    }
    for grader in server.enter_assessors("all", &json!("grading"), 2) {
        agreed(&grader);
        loop {
            let tasks = grader.tasks();
            for task in &tasks {
                id += 1;
                let fine = task["item"]["text"].as_str().unwrap().len() as f64 / 4.0;
                let body = json!({"task": task["task"], "seconds": 3, "broad": "SS", "fine": (fine * 10.0).round() / 10.0});
                assert_eq!(grader.answer(id, &body).status, 201);
            }
            if tasks.is_empty() {
                break;
            }
        }
    }
    for act in ["pause", "resume"] {
        let path = format!("/api/v1/campaigns/all/{act}");
        assert_eq!(organiser.post(&path, &json!({})).status, 200);
    }
    // The data of an assessor are erased. Nobody has ended: most codes depend on the server's secret.
    let erased = judges[0].get("/api/v1/judge/me").json["person"].clone();
    let path = format!(
        "/api/v1/campaigns/all/people/{}/erase",
        erased.as_str().unwrap()
    );
    assert_eq!(organiser.post(&path, &json!({})).status, 204);
    let people = json!([{"label": "for later", "email": "né@example.org"}]);
    let invites = json!({"kind": "preference", "people": people});
    assert_eq!(
        organiser
            .post("/api/v1/campaigns/all/invites", &invites)
            .status,
        201
    );
}

/// Lets the assessor from the panel enter, for the first time or again; returns the response.
fn enter_from_panel(server: &TestServer) -> Value {
    let params = json!({"PROLIFIC_PID": "pid-1", "STUDY_ID": "s", "SESSION_ID": "né"});
    let entry = json!({"campaign": "all", "params": params});
    let entered = server.client("").post("/api/v1/judge/enter", &entry);
    assert_eq!(entered.status, 200, "{:?}", entered.json);
    entered.json
}

/// Downloads an export of the campaign.
fn download(organiser: &Client, name: &str) -> Vec<u8> {
    let reply = organiser.get(&format!("/api/v1/campaigns/all/export/{name}"));
    assert_eq!(reply.status, 200, "{name}: {:?}", reply.json);
    reply.bytes
}

/// Creates the sample database and downloads of a schema, which must be the latest.
fn create_samples(schema: usize) {
    let server = TestServer::new();
    create_sample_campaign(&server);
    let organiser = server.organiser();
    let folder = samples_folder().join(format!("schema-{schema}"));
    std::fs::create_dir_all(&folder).unwrap();
    for name in DOWNLOADS {
        std::fs::write(
            folder.join(download_file_name(name)),
            download(&organiser, name),
        )
        .unwrap();
    }
    ServerStorage::Folder(server.data())
        .backup(&sample_database_path(schema))
        .unwrap();
}

/// Returns the path of the sample database of a schema.
fn sample_database_path(schema: usize) -> PathBuf {
    samples_folder().join(format!("schema-{schema}.db"))
}

/// Checks that a server with a stored database returns the stored downloads and saves new answers.
fn check_stored_database(server: &TestServer, storage: &ServerStorage, schema: usize) {
    let scopes = ["read", "manage", "people"].map(str::to_owned);
    let token = storage.create_token(&scopes, None).unwrap().token;
    let organiser = server.client(&token);
    for name in DOWNLOADS {
        let kept = samples_folder()
            .join(format!("schema-{schema}"))
            .join(download_file_name(name));
        let kept = std::fs::read_to_string(kept).unwrap();
        let now = String::from_utf8(download(&organiser, name)).unwrap();
        assert_eq!(now, kept, "{name} of schema {schema}");
    }
    let log = download(&organiser, "log.jsonl");
    let state = organiser.get("/api/v1/campaigns/all/state");
    assert_eq!(state.bytes, replayed_state(&log));
    assert!(storage.verify().unwrap().sound);
    // The assessor from the panel is recognised, and can get tasks, load a clip and answer.
    let entered = enter_from_panel(server);
    assert_eq!(entered["resumed"], true);
    let person = server.client(entered["token"].as_str().unwrap());
    let tasks = person.tasks();
    let about_q = tasks
        .iter()
        .find_map(|task| task["query"]["audio"]["url"].as_str());
    if let Some(url) = about_q {
        assert_eq!(server.client("").get(url).bytes, clip(20));
    }
    assert_eq!(person.answer(99, &answer_by_text(&tasks[0])).status, 201);
}

#[test]
fn stored_sqlite_databases_give_the_stored_downloads() {
    for schema in schema_numbers() {
        if creates_missing_samples() && !sample_database_path(schema).exists() {
            assert_eq!(
                schema,
                *schema_numbers().end(),
                "only the samples of the latest schema can be created"
            );
            create_samples(schema);
        }
        let server = TestServer::with_options(|settings| {
            std::fs::create_dir_all(&settings.data).unwrap();
            std::fs::copy(
                sample_database_path(schema),
                settings.data.join("partita.db"),
            )
            .unwrap();
        });
        check_stored_database(&server, &ServerStorage::Folder(server.data()), schema);
    }
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_dumps_give_the_stored_downloads() {
    let _others = POSTGRES_LOCK.read().unwrap();
    for schema in schema_numbers() {
        let dump = samples_folder().join(format!("schema-{schema}.sql"));
        if creates_missing_samples() && !dump.exists() {
            assert_eq!(
                schema,
                *schema_numbers().end(),
                "only the samples of the latest schema can be created"
            );
            let url = create_database(&format!("made{schema}"));
            ServerStorage::Postgres(url)
                .restore(&sample_database_path(schema), false)
                .unwrap();
            let arguments = ["--no-owner", "--no-privileges", &format!("made{schema}")];
            let text = postgres_tool("pg_dump", &arguments, Stdio::null());
            std::fs::write(&dump, text).unwrap();
        }
        let name = format!("stored{schema}");
        let url = create_database(&name);
        let input = std::fs::File::open(&dump).unwrap();
        let arguments = ["--quiet", "--set", "ON_ERROR_STOP=1", &name];
        postgres_tool("psql", &arguments, input.into());
        let place = ServerStorage::Postgres(url.clone());
        // Copy the data to SQLite, in order to check the copy as well.
        let folder = tempfile::tempdir().unwrap();
        let moved = ServerStorage::Folder(folder.path().join("moved"));
        place.copy_to(&moved).unwrap();
        let server = TestServer::with_options(|settings| settings.database = Some(url));
        check_stored_database(&server, &place, schema);
        let server =
            TestServer::with_options(|settings| settings.data = folder.path().join("moved"));
        check_stored_database(&server, &moved, schema);
    }
}
