//! Requests of organisers: creation, uploads, exports and status.

use serde_json::{Value, json};

use crate::campaign_documents::zip_archive;
use crate::test_server::{TestServer, answer_by_text, clip, judge_all, text_campaign};

#[test]
fn all_errors_of_a_campaign_document_are_reported_at_once_with_pointers() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"]), ("q", &["x", "x"])]);
    document["settings"]["strategy"] = json!("guess");
    document["settings"]["colour"] = json!(1);
    document["lists"][0]["items"][1]["show"] = json!({});
    document["gold"] =
        json!({"share": 0.1, "pairs": [{"query": "q", "a": "x", "b": "nope", "answer": "a"}]});
    document["recruiter"] =
        json!({"name": "p", "id": "ID", "outcomes": {"complete": {"url": "http://x/"}}});
    let refused = organiser.post("/api/v1/campaigns", &document);
    assert_eq!((refused.status, refused.problem()), (422, "invalid"));
    let faults = refused.json["errors"].as_array().unwrap();
    let pointers: Vec<&str> = faults
        .iter()
        .map(|fault| fault["pointer"].as_str().unwrap())
        .collect();
    for pointer in [
        "/settings/strategy",
        "/settings/colour",
        "/lists/1/query",
        "/lists/1/items/1/item",
        "/lists/0/items/1/show",
        "/gold/pairs/0/b",
        "/recruiter/outcomes/complete/url",
    ] {
        assert!(
            pointers.contains(&pointer),
            "{pointer} is not in {pointers:?}"
        );
    }
    assert_eq!(
        organiser.get("/api/v1/campaigns").json,
        json!({"campaigns": []})
    );
    let unknown = organiser.post("/api/v1/campaigns", &json!({"name": "c", "colour": 1}));
    assert_eq!(unknown.status, 422);
}

#[test]
fn a_second_campaign_of_the_same_name_is_rejected() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    assert_eq!(organiser.post("/api/v1/campaigns", &document).status, 201);
    let again = organiser.post("/api/v1/campaigns", &document);
    assert_eq!((again.status, again.problem()), (409, "exists"));
}

/// Returns a campaign document with three audio clips, which it names by file.
fn document_with_clips() -> Value {
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    document["lists"][0]["show"] = json!({"audio": "q.wav"});
    document["lists"][0]["items"][0]["show"] = json!({"audio": "clips/x.wav"});
    document["lists"][0]["items"][1]["show"] = json!({"audio": "clips/y.wav"});
    document
}

#[test]
fn a_zip_upload_creates_a_campaign_and_its_clips_are_served() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let document = document_with_clips().to_string();
    let (q, x, y) = (clip(100), clip(200), clip(300));
    let zip = zip_archive(&[
        ("campaign.json", document.as_bytes()),
        ("q.wav", &q),
        ("clips/x.wav", &x),
        ("clips/y.wav", &y),
    ]);
    let made = organiser.request("POST", "/api/v1/campaigns", "application/zip", &zip);
    assert_eq!(made.status, 201, "{:?}", made.json);
    let people = server.enter_assessors("c", &json!("preference"), 1);
    let task = people[0].tasks()[0].clone();
    assert_eq!(task["query"]["audio"]["seconds"], 0.1);
    assert_eq!(task["query"]["audio"]["type"], "audio/wav");
    let url = task["query"]["audio"]["url"].as_str().unwrap();
    let whole = server.client("").get(url);
    assert_eq!((whole.status, &whole.bytes), (200, &q));
    assert!(whole.header("cache-control").contains("immutable"));
    let mut part = server.client("");
    part.headers = vec![("Range", "bytes=4-7".to_owned())];
    let part = part.get(url);
    assert_eq!((part.status, part.bytes.as_slice()), (206, &q[4..8]));
    let mut known = server.client("");
    known.headers = vec![("If-None-Match", whole.header("etag").to_owned())];
    assert_eq!(known.get(url).status, 304);
}

#[test]
fn invalid_zips_are_rejected_and_create_no_campaign() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let document = document_with_clips().to_string();
    let zip = |files: &[(&str, &[u8])]| {
        organiser.request(
            "POST",
            "/api/v1/campaigns",
            "application/zip",
            &zip_archive(files),
        )
    };
    let missing = zip(&[("campaign.json", document.as_bytes())]);
    assert_eq!(missing.status, 422);
    assert_eq!(missing.json["errors"].as_array().unwrap().len(), 3);
    let html = b"<html><script>alert(1)</script></html>".as_slice();
    let dressed = zip(&[("campaign.json", document.as_bytes()), ("q.wav", html)]);
    assert_eq!(dressed.json["errors"][0]["pointer"], "/lists/0/show/audio");
    let bomb = vec![0; 30 << 20];
    let bombed = zip(&[("campaign.json", document.as_bytes()), ("q.wav", &bomb)]);
    assert_eq!(bombed.problem(), "too-large");
    assert_eq!(zip(&[("other.json", b"{}")]).status, 422);
    assert_eq!(
        organiser.get("/api/v1/campaigns").json,
        json!({"campaigns": []})
    );
}

#[test]
fn only_audio_and_images_are_accepted_as_media() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let send = |bytes: &[u8]| {
        organiser.request("POST", "/api/v1/media", "application/octet-stream", bytes)
    };
    let taken = send(&clip(250));
    assert_eq!((taken.status, &taken.json["seconds"]), (201, &json!(0.25)));
    for bad in [
        b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>".as_slice(),
        b"<!DOCTYPE html><p>",
        b"",
        b"RIFF\x10\0\0\0WAVEfmt ",
        b"plain text",
    ] {
        assert_eq!(send(bad).problem(), "media-type", "{bad:?}");
    }
    assert_eq!(send(&vec![0; (20 << 20) + 1]).problem(), "too-large");
    for path in [
        "/media/../partita.db",
        "/media/..%2fpartita.db",
        "/media/0123",
    ] {
        assert_eq!(server.client("").get(path).status, 404, "{path}");
    }
}

/// Returns all cells of a CSV table.
fn csv_cells(table: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    for c in table.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' | '\n' if !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells
}

#[test]
fn all_exports_exist_and_their_csv_cells_are_escaped() {
    let server = TestServer::new();
    let names = ["=a", "+b", "-c", "@d", "+e", "=f,\"g\""];
    let mut document = text_campaign("c", 1, &[("=q", &names)]);
    document["kinds"] = json!(["preference", "ranking", "grading"]);
    document["recruiter"] = json!({"preset": "prolific", "limit": 9});
    document["judging"] = json!({"graders": 1, "ahead": 9});
    let people = server.create_campaign(&document, 1);
    people[0].put("/api/v1/judge/me", &json!({"background": "=1+1"}));
    judge_all(&people, 1_000);
    for kind in ["ranking", "grading"] {
        let judge = server.enter_assessors("c", &json!(kind), 1).remove(0);
        for (number, task) in judge.tasks().into_iter().enumerate() {
            let mut body = json!({"task": task["task"], "seconds": 1, "comment": "\r=cmd()"});
            match kind {
                "ranking" => {
                    let items = task["items"].as_array().unwrap().iter();
                    body["groups"] = items.map(|item| json!([item["key"]])).collect();
                    body["unranked"] = json!([]);
                }
                _ => {
                    body["broad"] = json!("VS");
                    body["fine"] = json!(9);
                }
            }
            assert_eq!(judge.answer(number as u128, &body).status, 201);
        }
    }
    // Add ids that start like formulas: of a query, an item, and an assessor from a panel.
    let more = text_campaign("c", 1, &[("@r", &["=x", "y"])])["lists"].clone();
    let organiser = server.organiser();
    let extended = organiser.post("/api/v1/campaigns/c/extend", &json!({"lists": more}));
    assert_eq!(extended.status, 200, "{:?}", extended.json);
    let entry = json!({"campaign": "c", "params": {"PROLIFIC_PID": "-1"}});
    assert_eq!(
        server.client("").post("/api/v1/judge/enter", &entry).status,
        200
    );
    let file = |name: &str| {
        let reply = organiser.get(&format!("/api/v1/campaigns/c/export/{name}"));
        assert_eq!(reply.status, 200, "{name}: {:?}", reply.json);
        reply.bytes
    };
    let text = |name: &str| String::from_utf8(file(name)).unwrap();
    for name in ["log.jsonl", "truth.json", "truth.qrels?kind=grading"] {
        file(name);
    }
    for name in [
        "answers.csv",
        "preferences.csv",
        "rankings.csv",
        "grades.csv",
        "remarks.csv",
        "people.csv",
        "truth.csv",
        "truth.csv?kind=ranking",
        "truth.csv?kind=grading",
    ] {
        let formula = |cell: &&String| cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let safe = csv_cells(&text(name));
        assert!(!safe.iter().any(|cell| formula(&cell)), "{name}: {safe:?}");
        assert!(
            safe.iter().any(|cell| cell.starts_with('\'')),
            "{name}: {safe:?}"
        );
        let raw = match name.contains('?') {
            true => format!("{name}&raw=1"),
            false => format!("{name}?raw=1"),
        };
        let raw = csv_cells(&text(&raw));
        assert!(raw.iter().any(|cell| formula(&cell)), "{name}: {raw:?}");
        // Apart from the escaping, both exports are equal.
        let bare = |cell: &String| cell.strip_prefix('\'').unwrap_or(cell).to_owned();
        let bare: Vec<String> = safe.iter().map(bare).collect();
        assert_eq!(bare, raw, "{name}");
    }
    let all = std::io::Cursor::new(file("all.zip"));
    let mut all = zip::ZipArchive::new(all).unwrap();
    let mut zipped = String::new();
    let truth = all.by_name("truth.csv").unwrap();
    std::io::Read::read_to_string(&mut { truth }, &mut zipped).unwrap();
    assert_eq!(zipped, text("truth.csv"));
    assert_eq!(
        organiser.get("/api/v1/campaigns/c/export/secret").status,
        404
    );
}

#[test]
fn status_and_metrics_report_live_figures() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 2, &[("q", &["x", "y", "z"])]), 3);
    judge_all(&people[..1], 1);
    people[1].tasks();
    let status = server.organiser().get("/api/v1/campaigns/c/status").json;
    assert_eq!(status["state"], "open");
    assert_eq!(status["people"], 3);
    assert_eq!(status["leases"], 2);
    assert_eq!(status["schema"], 1);
    assert!(status["expected_votes"].as_f64().unwrap() > 0.0);
    let metrics = server.client("");
    let metrics = crate::test_server::Client {
        url: server.health_url.clone(),
        ..metrics
    }
    .get("/metrics");
    let metrics = String::from_utf8(metrics.bytes).unwrap();
    assert!(metrics.contains("partita_answers_total 2\n"), "{metrics}");
    assert!(metrics.contains("partita_commits_total "), "{metrics}");
}

#[test]
fn server_b10_invites_lists_and_people_are_searched_sorted_and_paged() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let lists: Vec<(String, [&str; 2])> = (0..12)
        .map(|n| (format!("tune{n:02}"), ["x", "y"]))
        .collect();
    let lists: Vec<(&str, &[&str])> = (lists.iter())
        .map(|(query, items)| (query.as_str(), items.as_slice()))
        .collect();
    let document = text_campaign("c", 1, &lists);
    assert_eq!(organiser.post("/api/v1/campaigns", &document).status, 201);
    for (label, count) in [("Zoe", 1), ("ada", 1), ("class", 7)] {
        let request = json!({"kind": "preference", "count": count, "label": label});
        let made = organiser.post("/api/v1/campaigns/c/invites", &request);
        assert_eq!(made.status, 201);
    }
    let get = |path: &str| organiser.get(&format!("/api/v1/campaigns/c/{path}"));

    // Without a limit the response is what it was before: all rows, no total.
    let all = get("invites").json;
    assert_eq!(all["invites"].as_array().unwrap().len(), 9);
    assert_eq!(all.get("total"), None);
    let labels = |path: &str| {
        let json = get(path).json;
        let rows = json["invites"].as_array().unwrap().iter();
        let labels = rows.map(|row| row["label"].as_str().unwrap().to_owned());
        (labels.collect::<Vec<_>>(), json["total"].as_u64())
    };
    let page = labels("invites?sort=-label&limit=2");
    assert_eq!(page, (vec!["Zoe".to_owned(), "class".to_owned()], Some(9)));
    let page = labels("invites?sort=label&limit=2&offset=0");
    assert_eq!(page, (vec!["ada".to_owned(), "class".to_owned()], Some(9)));
    assert_eq!(labels("invites?find=CLA&limit=100&offset=6").1, Some(7));
    assert_eq!(labels("invites?find=CLA&limit=100&offset=6").0.len(), 1);

    let found = get("lists?find=tune1&sort=-query&limit=1").json;
    assert_eq!(
        (&found["lists"][0]["query"], &found["total"]),
        (&json!("tune11"), &json!(2))
    );
    let people = get("people?limit=5&sort=answers").json;
    assert_eq!(people, json!({"people": [], "total": 0}));
    for (path, pointer) in [
        ("people?sort=shoe", "/sort"),
        ("lists?sort=-", "/sort"),
        ("invites?limit=0", "/limit"),
    ] {
        let refused = get(path);
        assert_eq!(
            (refused.status, refused.problem()),
            (422, "invalid"),
            "{path}"
        );
        assert_eq!(refused.json["errors"][0]["pointer"], pointer, "{path}");
    }
    assert_eq!(get("people?limit=many").status, 422);
}

#[test]
fn server_b2_all_reports_are_counted_however_many_events_follow() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let items = ["s", "t", "u", "v", "w", "x", "y", "z"];
    let many = ["q0", "q1", "q2", "q3", "q4", "q5"].map(|query| (query, &items[..]));
    let lists: Vec<(&str, &[&str])> = many.into_iter().chain([("r", &["k", "l"][..])]).collect();
    let mut document = text_campaign("c", 3, &lists);
    document["judging"] = json!({"ahead": 1});
    let people = server.create_campaign(&document, 3);
    let path = "/api/v1/campaigns/c/reports";
    assert_eq!(organiser.get(path).json, json!({"reports": []}));
    // Two people report the query `r`, each with the note of another length.
    for (number, (person, note)) in people.iter().zip(["no sound", ""]).enumerate() {
        let tasks = (0..300).find_map(|id| {
            let task = person.tasks()[0].clone();
            let found = task["query"]["text"] == "text r";
            if !found {
                let id = 1_000 * (number as u128 + 1) + id;
                assert_eq!(person.answer(id, &answer_by_text(&task)).status, 201);
            }
            found.then_some(task)
        });
        let report = json!({"task": tasks.unwrap()["task"], "part": "query", "problem": "silent", "note": note});
        assert_eq!(person.post("/api/v1/judge/reports", &report).status, 201);
    }
    judge_all(&people, 10_000);
    let seq = organiser.get("/api/v1/campaigns/c").json;
    assert!(seq["seq"].as_i64() > Some(220), "{seq}");
    assert_eq!(seq["reports"], json!(2));
    let read = organiser.get(path).json;
    let [row] = read["reports"].as_array().unwrap().as_slice() else {
        panic!("{read}");
    };
    let expected = json!({"query": "r", "item": null, "problem": "silent", "count": 2, "people": 2,
        "first": row["first"], "last": row["last"], "notes": ["no sound"]});
    assert_eq!(*row, expected);
    assert!(row["first"].as_str() <= row["last"].as_str());
    let page = organiser
        .get(&format!("{path}?limit=1&find=SOUND&sort=-count"))
        .json;
    assert_eq!(page["total"], json!(1));
    let refused = organiser.get(&format!("{path}?sort=colour"));
    assert_eq!((refused.status, refused.problem()), (422, "invalid"));
}

#[test]
fn use_b5_the_screening_knows_the_clips_and_the_answers_say_what_was_heard() {
    let server = TestServer::new();
    let organiser = server.organiser();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y", "z"])]);
    let upload = |millis: u32| {
        let taken = organiser.request("POST", "/api/v1/media", "audio/wav", &clip(millis));
        taken.json["media"].clone()
    };
    document["lists"][0]["show"]["audio"] = upload(1_200);
    for (item, millis) in [900, 950, 1_000].into_iter().enumerate() {
        document["lists"][0]["items"][item]["show"]["audio"] = upload(millis);
    }
    let people = server.create_campaign(&document, 1);
    // Three clips of about a second each cannot have ended after half a second or 2.5.
    for number in 1..=3_u128 {
        let task = people[0].tasks()[0].clone();
        let mut answer = answer_by_text(&task);
        answer["seconds"] = json!(if number == 1 { 0.5 } else { 2.5 });
        answer["listened"] = json!({
            "query": {"plays": 2, "ended": true},
            "a": {"plays": 1, "ended": false},
            "b": {"plays": 3, "ended": true},
        });
        answer["hidden"] = json!(0.25);
        assert_eq!(people[0].answer(number, &answer).status, 201);
        if people[0].tasks().is_empty() {
            break;
        }
    }
    let shown = organiser.get("/api/v1/campaigns/c/people").json;
    let fast = &shown["people"][0]["card"]["too_fast"];
    assert!(fast["answers"].as_u64() >= Some(1), "{shown}");
    assert_eq!(fast["answers"], fast["fast"]);
    let csv = organiser.get("/api/v1/campaigns/c/export/answers.csv");
    let csv = String::from_utf8(csv.bytes).unwrap();
    let mut lines = csv.lines();
    let head = lines.next().unwrap();
    assert!(
        head.ends_with(",plays_query,plays_a,plays_b,heard,hidden"),
        "{head}"
    );
    let row: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(row[11..], ["2", "1", "3", "query b", "0.25"], "{csv}");
    assert!(row[8].ends_with('Z') && row[8].contains('T'), "{csv}");
}
