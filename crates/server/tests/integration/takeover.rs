//! Campaigns that a server takes over from a log: one of another server, and one that began as a
//! file.

use std::path::Path;

use partita::Preference;
use partita::judging::campaign::log::{self, LogEntry, LogTail, Stamp};
use partita::judging::campaign::{
    Answer, CampaignSession, CampaignSpec, EngineSettings, Event, MemoryStore, QuerySpec, Stimulus,
};
use partita_server::{AdminError, ServerStorage};
use serde_json::{Value, json};

use crate::test_server::{
    Client, TestServer, answer_by_text, clip, judge_all, replayed_state, text_campaign,
};

/// Completion code of the panel in these tests.
const SECRET_CODE: &str = "SECRET-CODE-1";

/// Creates a campaign with all kinds of judgments, lets people answer all questions, and returns the
/// ids of its clips.
fn run_campaign(server: &TestServer) -> Vec<String> {
    let organiser = server.organiser();
    let clips: Vec<String> = [20, 40]
        .map(|millis| {
            let bytes = clip(millis);
            let stored = organiser.request("POST", "/api/v1/media", "audio/wav", &bytes);
            stored.json["media"].as_str().unwrap().to_owned()
        })
        .into();
    let mut document = text_campaign(
        "all",
        2,
        &[("q", &["x", "y", "z"]), ("=r", &["k", "l", "m"])],
    );
    document["kinds"] = json!(["preference", "ranking", "grading"]);
    document["lists"][0]["show"] = json!({"audio": clips[0], "text": "text q"});
    document["gold"] =
        json!({"share": 0.3, "pairs": [{"query": "q", "a": "x", "b": "z", "answer": "a"}]});
    document["judging"] = json!({"graders": 2});
    document["recruiter"] =
        json!({"preset": "prolific", "outcomes": {"complete": {"code": SECRET_CODE}}});
    assert_eq!(organiser.post("/api/v1/campaigns", &document).status, 201);
    let judges = server.enter_assessors("all", &json!("preference"), 3);
    let mut id = judge_all(&judges, 1) + 1;
    // An extension brings the second clip.
    let added = json!({"item": "w", "show": {"audio": clips[1], "text": "text w"}});
    let extension = json!({"lists": [{"query": "q", "items": [added]}]});
    let extended = organiser.post("/api/v1/campaigns/all/extend", &extension);
    assert_eq!(extended.status, 200, "{:?}", extended.json);
    id += judge_all(&judges, id);
    for kind in ["ranking", "grading"] {
        for person in server.enter_assessors("all", &json!(kind), 2) {
            id = answer_all(&person, id);
        }
    }
    let person = organiser.get("/api/v1/campaigns/all/people").json["people"][0]["person"].clone();
    let path = format!(
        "/api/v1/campaigns/all/people/{}/exclude",
        person.as_str().unwrap()
    );
    assert_eq!(
        organiser.post(&path, &json!({"reason": "hasty"})).status,
        204
    );
    for act in ["pause", "resume"] {
        let path = format!("/api/v1/campaigns/all/{act}");
        assert_eq!(organiser.post(&path, &json!({})).status, 200);
    }
    clips
}

/// Answers all ranking and grading tasks of an assessor, and returns the next free answer id.
fn answer_all(person: &Client, first_id: u128) -> u128 {
    let mut id = first_id;
    loop {
        let tasks = person.tasks();
        if tasks.is_empty() {
            return id;
        }
        for task in tasks {
            let mut body = match task["kind"].as_str().unwrap() {
                "ranking" => {
                    let items = task["items"].as_array().unwrap().iter();
                    let groups: Vec<Value> = items.map(|item| json!([item["key"]])).collect();
                    json!({"groups": groups, "unranked": []})
                }
                _ => json!({"broad": "SS", "fine": 5}),
            };
            body["task"] = task["task"].clone();
            body["seconds"] = json!(3);
            assert_eq!(person.answer(id, &body).status, 201);
            id += 1;
        }
    }
}

/// Returns what organisers see of the campaign, except what depends on the time of the request.
fn organiser_views(server: &TestServer) -> Vec<(String, String)> {
    let organiser = server.organiser();
    let mut views = Vec::new();
    for path in [
        "/log",
        "/state",
        "/pairs",
        "/lists?kind=preference",
        "/lists?kind=ranking",
        "/lists?kind=grading",
        "/people",
        "/figures/status.svg",
        "/figures/people.svg",
        "/export/log.jsonl",
        "/export/answers.csv",
        "/export/preferences.csv",
        "/export/rankings.csv",
        "/export/grades.csv",
        "/export/remarks.csv",
        "/export/people.csv",
        "/export/truth.csv?kind=preference",
        "/export/truth.csv?kind=ranking",
        "/export/truth.csv?kind=grading",
        "/export/truth.json?kind=preference",
        "/export/truth.qrels?kind=ranking",
    ] {
        let reply = organiser.get(&format!("/api/v1/campaigns/all{path}"));
        assert_eq!(reply.status, 200, "{path}: {:?}", reply.json);
        let mut people = reply.json;
        // The log does not know when people came and which code they got.
        let text = match people["people"].as_array_mut() {
            None if path == "/export/people.csv" => without_times_and_codes(&reply.bytes),
            None => String::from_utf8(reply.bytes).unwrap(),
            Some(list) => {
                for person in list {
                    for key in ["entered", "code"] {
                        person.as_object_mut().unwrap().remove(key);
                    }
                }
                people.to_string()
            }
        };
        views.push((path.to_owned(), text));
    }
    let mut status = organiser.get("/api/v1/campaigns/all/status").json;
    for live in ["rate", "seconds_left"] {
        status.as_object_mut().unwrap().remove(live);
    }
    views.push(("status".to_owned(), status.to_string()));
    let mut campaign = organiser.get("/api/v1/campaigns/all").json;
    campaign["document"]["recruiter"] = Value::Null;
    views.push(("campaign".to_owned(), campaign.to_string()));
    let campaigns = organiser.get("/api/v1/campaigns").json;
    views.push(("campaigns".to_owned(), campaigns.to_string()));
    views
}

/// Returns `people.csv` without the columns `entered` and `code`. No cell of it may have a comma.
fn without_times_and_codes(csv: &[u8]) -> String {
    let rows = std::str::from_utf8(csv).unwrap().lines().map(|line| {
        let mut row: Vec<&str> = line.split(',').collect();
        (row[7], row[14]) = ("", "");
        row.join(",")
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// Writes the clips of a server into a folder, under names that say nothing.
fn write_clips(server: &TestServer, clips: &[String], folder: &Path) {
    std::fs::create_dir_all(folder.join("deeper")).unwrap();
    std::fs::write(folder.join("unrelated.txt"), "no clip").unwrap();
    for (place, id) in clips.iter().enumerate() {
        let bytes = server.client("").get(&format!("/media/{id}")).bytes;
        std::fs::write(folder.join(format!("deeper/{place}.bin")), bytes).unwrap();
    }
}

#[test]
fn a_server_rebuilt_from_logs_and_clips_shows_organisers_the_same() {
    let server = TestServer::new();
    let clips = run_campaign(&server);
    let folder = tempfile::tempdir().unwrap();
    write_clips(&server, &clips, folder.path());
    let log = ServerStorage::Folder(server.data())
        .export_log("all")
        .unwrap();

    let rebuilt = TestServer::new();
    let place = ServerStorage::Folder(rebuilt.data());
    let name = place.create_campaign_from_log(log.as_bytes(), Some(folder.path()));
    assert_eq!(name.unwrap(), "all");
    for (one, other) in organiser_views(&server)
        .into_iter()
        .zip(organiser_views(&rebuilt))
    {
        assert_eq!(one, other);
    }
    assert!(place.verify().unwrap().sound);
    let state = rebuilt.organiser().get("/api/v1/campaigns/all/state").bytes;
    assert_eq!(state, replayed_state(log.as_bytes()));
    for (id, millis) in clips.iter().zip([20, 40]) {
        let served = rebuilt.client("").get(&format!("/media/{id}"));
        assert_eq!(served.bytes, clip(millis));
    }
    // Votes of the excluded person are missing: a newcomer gives them, after a restart too.
    let mut rebuilt = rebuilt;
    rebuilt.restart();
    let people = rebuilt.enter_assessors("all", &json!("preference"), 1);
    assert!(judge_all(&people, 1_000) > 0);
    let again = place.create_campaign_from_log(log.as_bytes(), Some(folder.path()));
    assert!(matches!(again, Err(AdminError::Rejected(why)) if why.contains("already exists")));
}

#[test]
fn completion_codes_are_in_the_organisers_view_but_never_in_a_log() {
    let mut server = TestServer::new();
    run_campaign(&server);
    for _ in 0..2 {
        let organiser = server.organiser();
        let campaign = organiser.get("/api/v1/campaigns/all").json;
        let outcomes = &campaign["document"]["recruiter"]["outcomes"];
        assert_eq!(outcomes["complete"]["code"], SECRET_CODE);
        for path in ["/log", "/state", "/export/log.jsonl", "/export/all.zip"] {
            let reply = organiser.get(&format!("/api/v1/campaigns/all{path}"));
            let code = SECRET_CODE.as_bytes();
            let shown = reply.bytes.windows(code.len()).any(|part| part == code);
            assert!(!shown, "{path}");
        }
        server.restart();
    }
}

fn stamp() -> Stamp {
    Stamp {
        at: "2026-03-01T10:00:00Z".parse().unwrap(),
        author: "ann".to_owned(),
    }
}

/// Returns the session of a campaign in a file, as `judge init` creates it: without stimuli.
fn file_campaign(name: &str, lists: Vec<QuerySpec>) -> CampaignSession<MemoryStore> {
    let settings = EngineSettings {
        votes: 2,
        decide: "majority".parse().unwrap(),
        ..EngineSettings::default()
    };
    let spec = CampaignSpec {
        settings,
        ..CampaignSpec::new(name, lists)
    };
    CampaignSession::create(MemoryStore::default(), spec, &stamp()).unwrap()
}

#[test]
fn a_campaign_that_began_as_a_file_goes_on_in_browsers() {
    let mut session = file_campaign("c", vec![QuerySpec::new("q", ["x", "y", "z"])]);
    let asked = session.ask(&stamp(), None).unwrap().pairs;
    for pair in &asked {
        let answer = |who| {
            Event::vote(Answer::preference(
                &pair.query,
                &pair.a,
                &pair.b,
                who,
                Some(Preference::Equal),
            ))
        };
        session
            .record(&stamp(), vec![answer("ann"), answer("Bob B.")])
            .unwrap();
    }
    session.ask(&stamp(), None).unwrap();
    let log = session.into_store().text;
    let server = TestServer::new();
    let place = ServerStorage::Folder(server.data());
    // An unfinished last line was never acknowledged.
    let torn = format!("{log}{{\"seq\":99,\"at\":");
    assert_eq!(
        place
            .create_campaign_from_log(torn.as_bytes(), None)
            .unwrap(),
        "c"
    );
    let organiser = server.organiser();
    let state = organiser.get("/api/v1/campaigns/c/state").bytes;
    assert_eq!(state, replayed_state(log.as_bytes()));
    let people = organiser.get("/api/v1/campaigns/c/people").json;
    let people = people["people"].as_array().unwrap();
    let known: Vec<&str> = people
        .iter()
        .map(|p| p["person"].as_str().unwrap())
        .collect();
    assert_eq!(known, ["Bob B.", "ann"]);
    assert_eq!(people[1]["answers"], asked.len());
    assert_eq!(people[1]["votes"], asked.len());
    let excluded = organiser.post("/api/v1/campaigns/c/people/ann/exclude", &json!({}));
    assert_eq!(excluded.status, 204);
    // Items without stimuli are shown by name.
    let person = server
        .enter_assessors("c", &json!("preference"), 1)
        .remove(0);
    let task = person.tasks()[0].clone();
    assert_eq!(task["query"]["text"], "q");
    assert!(["x", "y", "z"].contains(&task["a"]["text"].as_str().unwrap()));
    assert_eq!(person.answer(1, &answer_by_text(&task)).status, 201);
    let extension = json!({"lists": [{"query": "q", "items": [{"item": "w"}]}]});
    assert_eq!(
        organiser
            .post("/api/v1/campaigns/c/extend", &extension)
            .status,
        200
    );
    assert!(place.verify().unwrap().sound);
}

/// Seals events into a log whose chain is sound, whatever the events say.
fn seal(events: Vec<Event>) -> String {
    let mut tail = LogTail::EMPTY;
    let lines = events.into_iter().map(|event| {
        let entry = LogEntry::new(tail, stamp(), event);
        tail = entry.tail();
        entry.line()
    });
    lines.collect()
}

#[test]
fn logs_that_cannot_be_taken_over_are_rejected_and_nothing_is_written() {
    let server = TestServer::new();
    let place = ServerStorage::Folder(server.data());
    let rejected = |log: &str, media: Option<&Path>| match place
        .create_campaign_from_log(log.as_bytes(), media)
    {
        Err(AdminError::Rejected(why)) => why,
        other => panic!("{other:?}"),
    };
    let mut session = file_campaign("c", vec![QuerySpec::new("q", ["x", "y", "z"])]);
    session.ask(&stamp(), None).unwrap();
    session
        .record(&stamp(), vec![Event::Paused, Event::Resumed])
        .unwrap();
    let log = session.into_store().text;
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let opened = log::read(log.as_bytes()).unwrap().entries[0].event.clone();
    for (log, reason) in [
        (
            [&lines[..1], &lines[2..]].concat().concat(),
            "event 2 was taken out or moved",
        ),
        (
            log.replacen("\"version\":1", "\"version\":2", 1),
            "the log has version 2",
        ),
        (
            log.replacen("\"event\":\"paused\"", "\"event\":\"slept\"", 1),
            "an event `slept`",
        ),
        (
            seal(vec![opened.clone(), opened.clone()]),
            "opened a second time",
        ),
        (seal(vec![Event::Paused]), "not opened by its first event"),
        ("no log".to_owned(), "this is no log of a campaign"),
        (String::new(), "never begun"),
    ] {
        let why = rejected(&log, None);
        assert!(why.contains(reason), "{why}");
    }
    // All errors of the specification are reported at once.
    let mut spec = CampaignSpec::new("Not A Name", vec![QuerySpec::new("q", ["x"])]);
    spec.lists[0].show = Stimulus {
        audio: Some("0".repeat(64)),
        ..Stimulus::default()
    };
    spec.judging.ahead = 0;
    let spec = Box::new(spec);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("other.wav"), clip(30)).unwrap();
    let why = rejected(
        &seal(vec![Event::Opened { version: 1, spec }]),
        Some(folder.path()),
    );
    let pointers: Vec<&str> = why
        .lines()
        .map(|line| line.split(':').next().unwrap())
        .collect();
    let expected = [
        "/name",
        "/lists/0/items",
        "/lists/0/items/0/show",
        "/judging/ahead",
        "/lists/0/show/audio",
    ];
    assert_eq!(pointers, expected, "{why}");
    let mut twins = QuerySpec::new("q", ["x", "y"]);
    twins.items[0].same_as = Some("y".to_owned());
    twins.items[1].same_as = Some("x".to_owned());
    let spec = Box::new(CampaignSpec::new("c", vec![twins]));
    let why = rejected(&seal(vec![Event::Opened { version: 1, spec }]), None);
    assert!(why.contains("leads back to"), "{why}");
    let missing = folder.path().join("missing");
    let why = rejected(&log, Some(&missing));
    assert!(why.contains("missing"), "{why}");
    assert_eq!(
        server.organiser().get("/api/v1/campaigns").json,
        json!({"campaigns": []})
    );
}
