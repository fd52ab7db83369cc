//! Rankings, grades and gold questions.

use serde_json::{Value, json};

use crate::test_server::{TestServer, answer_by_text, judge_all, replayed_state, text_campaign};

#[test]
fn rankings_are_saved_as_drafts_validated_and_exported() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y", "z"])]);
    document["kinds"] = json!(["ranking", "preference"]);
    document["judging"] = json!({"graders": 2});
    let people = server.create_campaign(&document, 2);
    let task = people[0].tasks()[0].clone();
    assert_eq!(task["draft"], Value::Null);
    let keys: Vec<(String, String)> = (task["items"].as_array().unwrap().iter())
        .map(|item| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            (text(&item["show"]["text"]), text(&item["key"]))
        })
        .collect();
    let key = |name: &str| {
        keys.iter()
            .find(|(text, _)| text.ends_with(name))
            .unwrap()
            .1
            .clone()
    };
    let (x, y, z) = (key("x"), key("y"), key("z"));
    let path = format!("/api/v1/judge/drafts/{}", task["task"].as_str().unwrap());
    let draft = json!({"version": 2, "groups": [[y]], "unranked": []});
    assert_eq!(people[0].put(&path, &draft).status, 204);
    let older = json!({"version": 1, "groups": [], "unranked": []});
    assert_eq!(people[0].put(&path, &older).problem(), "draft");
    assert_eq!(people[0].tasks()[0]["draft"], draft);
    let body = |groups: Value, unranked: Value| json!({"task": task["task"], "seconds": 60, "groups": groups, "unranked": unranked});
    for (groups, unranked, pointer) in [
        (json!([[x, y]]), json!([]), "/groups"),
        (json!([[x], [y], [x]]), json!([z]), "/groups/2/0"),
        (json!([[x], [y]]), json!(["k9"]), "/unranked/0"),
        (json!([[x, y, z], []]), json!([]), "/groups/1"),
    ] {
        let refused = people[0].answer(1, &body(groups, unranked));
        assert_eq!(refused.json["errors"][0]["pointer"], pointer);
    }
    let saved = people[0].answer(1, &body(json!([[y], [x]]), json!([z])));
    assert_eq!(saved.status, 201, "{:?}", saved.json);
    assert_eq!(people[0].next().json["state"], "done");
    let organiser = server.organiser();
    // A retry is recognised, also if the list has more items by then.
    let mut retry = body(json!([[y], [x]]), json!([z]));
    retry["seconds"] = json!(75.5);
    let items = json!([{"item": "w", "show": {"text": "text w"}}]);
    let more = json!({"lists": [{"query": "q", "show": {"text": "text q"}, "items": items}]});
    for extended in [false, true] {
        if extended {
            let reply = organiser.post("/api/v1/campaigns/c/extend", &more);
            assert_eq!(reply.status, 200, "{:?}", reply.json);
        }
        let again = people[0].answer(1, &retry);
        assert_eq!((again.status, &again.json), (200, &saved.json));
        let other = people[0].answer(1, &body(json!([[x], [y]]), json!([z])));
        assert_eq!((other.status, other.problem()), (409, "id-reused"));
    }
    let rankings = organiser.get("/api/v1/campaigns/c/export/rankings.csv");
    let rankings = String::from_utf8(rankings.bytes).unwrap();
    assert!(
        rankings.starts_with("query,assessor,item,rank\n"),
        "{rankings}"
    );
    assert!(
        rankings.contains(",y,1\n") && rankings.contains(",x,2\n"),
        "{rankings}"
    );
}

#[test]
fn grades_on_both_scales_are_validated_and_exported() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    document["kinds"] = json!(["grading"]);
    document["judging"] = json!({"graders": 1, "fine": {"min": 0, "max": 10, "step": 0.5}});
    let people = server.create_campaign(&document, 1);
    for (id, task) in people[0].tasks().into_iter().enumerate() {
        assert_eq!(task["scales"]["broad"], json!(["NS", "SS", "VS"]));
        let fine = if task["item"]["text"] == "text x" {
            9.5
        } else {
            2.0
        };
        let body =
            |fine: f64| json!({"task": task["task"], "seconds": 4, "broad": "SS", "fine": fine});
        for off in [9.7, -1.0, 10.5] {
            let refused = people[0].answer(id as u128, &body(off));
            assert_eq!(refused.json["errors"][0]["pointer"], "/fine");
        }
        assert_eq!(people[0].answer(id as u128, &body(fine)).status, 201);
    }
    assert_eq!(people[0].next().json["state"], "done");
    let organiser = server.organiser();
    let grades = organiser.get("/api/v1/campaigns/c/export/grades.csv");
    assert!(
        String::from_utf8(grades.bytes)
            .unwrap()
            .contains(",x,SS,9.5")
    );
    let truth = organiser.get("/api/v1/campaigns/c/export/truth.csv");
    assert_eq!(
        String::from_utf8(truth.bytes).unwrap(),
        "query,item,gain\nq,x,9.5\nq,y,2\n"
    );
}

#[test]
fn gold_questions_look_like_other_questions_and_do_not_count_as_votes() {
    let server = TestServer::new();
    let mut document = text_campaign(
        "c",
        2,
        &[("q", &["x", "y", "z", "w"]), ("r", &["k", "l", "m"])],
    );
    let pair = json!({"query": "q", "a": "x", "b": "z", "answer": "a"});
    document["gold"] = json!({"share": 0.5, "pairs": [pair]});
    let people = server.create_campaign(&document, 2);
    let mut shapes = std::collections::BTreeSet::new();
    let mut id = 0;
    for person in &people {
        while let [task, ..] = person.tasks().as_slice() {
            let keys: Vec<&String> = task.as_object().unwrap().keys().collect();
            shapes.insert(format!("{keys:?}"));
            let saved = person.answer(id, &answer_by_text(task));
            let keys: Vec<&String> = saved.json.as_object().unwrap().keys().collect();
            assert_eq!(
                (saved.status, format!("{keys:?}").as_str()),
                (201, "[\"id\", \"task\", \"saved\"]")
            );
            id += 1;
        }
    }
    assert_eq!(shapes.len(), 1, "{shapes:?}");
    let organiser = server.organiser();
    let log = organiser.get("/api/v1/campaigns/c/log").bytes;
    let text = String::from_utf8(log.clone()).unwrap();
    assert!(text.contains("\"event\":\"checked\""));
    let state = organiser.get("/api/v1/campaigns/c/state");
    assert_eq!(state.bytes, replayed_state(&log));
    assert!(state.json["answers"]["gold"].as_u64().unwrap() >= 2);
}

/// Returns the current lists of the campaign. `query` is the query string of the URL, such as
/// `?kind=grading`, or empty.
fn fetch_lists(server: &TestServer, query: &str) -> Value {
    let path = format!("/api/v1/campaigns/c/lists{query}");
    server.organiser().get(&path).json["lists"].clone()
}

/// Returns the export file of the given name as text.
fn fetch_export(server: &TestServer, file: &str) -> String {
    let path = format!("/api/v1/campaigns/c/export/{file}");
    String::from_utf8(server.organiser().get(&path).bytes).unwrap()
}

#[test]
fn rankings_give_the_expected_lists_and_ground_truth() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y", "z"]), ("r", &["k", "l"])]);
    document["kinds"] = json!(["ranking"]);
    document["judging"] = json!({"graders": 2, "ahead": 1});
    let people = server.create_campaign(&document, 2);
    let unjudged =
        json!({"query": "q", "settled": false, "groups": [], "pairs": [], "agreement": null});
    assert_eq!(fetch_lists(&server, "")[0], unjudged);
    assert_eq!(fetch_export(&server, "truth.csv"), "query,item,group\n");
    let mut id = 0;
    for person in &people {
        while let [task, ..] = person.tasks().as_slice() {
            // Rank x before the tied y and z, and k before l.
            let mut items: Vec<&Value> = task["items"].as_array().unwrap().iter().collect();
            items.sort_by_key(|item| item["show"]["text"].as_str().unwrap().to_owned());
            let key = |place: usize| items[place]["key"].clone();
            let groups = match items.len() {
                2 => json!([[key(0)], [key(1)]]),
                _ => json!([[key(0)], [key(1), key(2)]]),
            };
            let body =
                json!({"task": task["task"], "seconds": 9, "groups": groups, "unranked": []});
            assert_eq!(person.answer(id, &body).status, 201);
            id += 1;
        }
    }
    let now = fetch_lists(&server, "");
    assert_eq!(now[0]["groups"], json!([["x"], ["y", "z"]]));
    assert_eq!(now[1]["groups"], json!([["k"], ["l"]]));
    assert_eq!(
        (&now[0]["settled"], &now[1]["settled"]),
        (&json!(true), &json!(true))
    );
    let csv = "query,item,group\nq,x,1\nq,y,2\nq,z,2\nr,k,1\nr,l,2\n";
    assert_eq!(fetch_export(&server, "truth.csv"), csv);
    let json: Value = serde_json::from_str(&fetch_export(&server, "truth.json")).unwrap();
    assert_eq!(json, json!({"q": [["x"], ["y", "z"]], "r": [["k"], ["l"]]}));
    let refused = server
        .organiser()
        .get("/api/v1/campaigns/c/lists?kind=preference");
    assert_eq!(refused.json["errors"][0]["pointer"], "/kind");
}

#[test]
fn lists_from_grades_group_items_with_equal_gains() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y", "z"])]);
    document["kinds"] = json!(["preference", "grading"]);
    document["judging"] = json!({"graders": 1});
    server.create_campaign(&document, 1);
    let person = server.enter_assessors("c", &json!("grading"), 1).remove(0);
    let mut id = 0;
    while let [task, ..] = person.tasks().as_slice() {
        let low = task["item"]["text"] == "text y";
        let (broad, fine) = if low { ("NS", 0.0) } else { ("VS", 9.5) };
        let body = json!({"task": task["task"], "seconds": 4, "broad": broad, "fine": fine});
        assert_eq!(person.answer(id, &body).status, 201);
        id += 1;
        let settled = fetch_lists(&server, "?kind=grading")[0]["settled"].clone();
        assert_eq!(settled, json!(id == 3));
    }
    let graded = fetch_lists(&server, "?kind=grading");
    assert_eq!(graded[0]["groups"], json!([["x", "z"], ["y"]]));
    assert_eq!(graded[0]["gains"], json!([9.5, 0.0]));
    // Without a kind in the request, the first kind of the campaign applies.
    let compared = fetch_lists(&server, "");
    assert_eq!(compared[0]["groups"].as_array().unwrap().len(), 1);
    assert_eq!(compared[0].get("gains"), None);
    assert_eq!(
        fetch_export(&server, "truth.csv?kind=grading"),
        "query,item,gain\nq,x,9.5\nq,y,0\nq,z,9.5\n"
    );
}

#[test]
fn progress_includes_the_total_if_it_is_known() {
    let server = TestServer::new();
    let mut document = text_campaign("d", 1, &[("q", &["x", "y", "z"])]);
    document["judging"] = json!({"per_person": 2});
    let bounded = server.create_campaign(&document, 1);
    assert_eq!(
        bounded[0].next().json["progress"],
        json!({"answered": 0, "of": 2, "estimated": false})
    );
    let me = bounded[0].get("/api/v1/judge/me").json;
    assert_eq!(me["estimate"], json!({"questions": 2, "minutes": 1}));
    document["name"] = json!("e");
    document["kinds"] = json!(["grading"]);
    document["judging"] = json!({});
    let grading = server.create_campaign(&document, 1);
    assert_eq!(
        grading[0].next().json["progress"],
        json!({"answered": 0, "of": 3, "estimated": false})
    );
}

#[test]
fn server_b13_progress_without_a_limit_is_an_estimate_that_moves() {
    let server = TestServer::new();
    let document = text_campaign(
        "c",
        2,
        &[("q", &["x", "y", "z"]), ("r", &["k", "l", "m", "n"])],
    );
    let people = server.create_campaign(&document, 3);
    let me = people[0].get("/api/v1/judge/me").json;
    let of = me["progress"]["of"].as_u64().unwrap();
    // Two votes on each of at most nine pairs, by at least two people.
    assert!((4..=9).contains(&of), "{me}");
    assert_eq!(
        me["progress"],
        json!({"answered": 0, "of": of, "estimated": true})
    );
    assert_eq!(me["estimate"]["questions"], json!(of));
    assert!(me["estimate"]["minutes"].as_u64() >= Some(1));
    let mut seen = Vec::new();
    for id in 0.. {
        let next = people[0].next().json;
        let progress = &next["progress"];
        assert_eq!(progress["answered"], json!(id));
        assert!(progress["of"].as_u64() >= Some(id), "{progress}");
        seen.push(progress["of"].as_u64());
        let [task, ..] = next["tasks"].as_array().unwrap().as_slice() else {
            break;
        };
        let saved = people[0].answer(u128::from(id), &answer_by_text(task));
        assert_eq!(saved.status, 201);
    }
    assert_eq!(seen[0], Some(of));
    judge_all(&people, 1_000);
    let answered = people[0].next().json["progress"]["answered"].clone();
    people[0].post("/api/v1/judge/finish", &json!({}));
    let me = people[0].get("/api/v1/judge/me").json;
    assert_eq!(
        me["progress"],
        json!({"answered": answered, "of": answered, "estimated": false})
    );
    assert_eq!(me["estimate"], Value::Null);
}

#[test]
fn server_b15_everybody_invited_ranks_until_the_campaign_is_closed() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y", "z"])]);
    document["kinds"] = json!(["ranking"]);
    let people = server.create_campaign(&document, 5);
    // All hold the question at once, so a lease takes it from nobody.
    let tasks: Vec<Value> = people.iter().map(|one| one.tasks()[0].clone()).collect();
    for (id, (person, task)) in people.iter().zip(&tasks).enumerate() {
        let keys = task["items"].as_array().unwrap().iter();
        let groups: Vec<Value> = keys.map(|item| json!([item["key"]])).collect();
        let body = json!({"task": task["task"], "seconds": 9, "groups": groups, "unranked": []});
        assert_eq!(person.answer(id as u128, &body).status, 201);
        // Nothing comes back for this person, so there is nothing to wait for.
        assert_eq!(person.next().json["state"], "done");
        assert_eq!(fetch_lists(&server, "")[0]["settled"], json!(false));
    }
    let status = server.organiser().get("/api/v1/campaigns/c/status").json;
    let judged = &status["lists"][0]["judged"];
    assert_eq!(
        (&judged["rankings"], &judged["rankings_wanted"]),
        (&json!(5), &Value::Null)
    );
    let late = server.enter_assessors("c", &json!("ranking"), 1).remove(0);
    assert_eq!(late.tasks().len(), 1);
    let closed = server
        .organiser()
        .post("/api/v1/campaigns/c/close", &json!({}));
    assert_eq!(closed.status, 200, "{:?}", closed.json);
    assert_eq!(late.next().json["state"], "ended");
    assert_eq!(fetch_lists(&server, "")[0]["settled"], json!(true));
}

#[test]
fn server_b15_rankings_without_limit_keep_nobody_waiting_for_pairs() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    document["kinds"] = json!(["preference", "ranking"]);
    let person = server.create_campaign(&document, 1).remove(0);
    let task = person.tasks()[0].clone();
    assert_eq!(person.answer(1, &answer_by_text(&task)).status, 201);
    assert_eq!(person.next().json["state"], "done");
}
