//! Campaigns that collect preferences, from the first task to the ground truth.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};

use crate::test_server::{
    Client, TestServer, answer_by_text, judge_all, replayed_state, text_campaign,
};

#[test]
fn a_completed_campaign_has_the_expected_lists_and_its_log_replays_to_the_same_state() {
    let server = TestServer::new();
    let document = text_campaign(
        "c",
        2,
        &[("q", &["x", "y", "z", "w"]), ("r", &["k", "l", "m"])],
    );
    let people = server.create_campaign(&document, 3);
    judge_all(&people, 1);
    let organiser = server.organiser();
    let state = organiser.get("/api/v1/campaigns/c/state");
    assert_eq!(state.json["settled"], true);
    let lists = organiser.get("/api/v1/campaigns/c/lists").json;
    assert_eq!(
        lists["lists"][0]["groups"],
        json!([["w"], ["x"], ["y"], ["z"]])
    );
    assert_eq!(lists["lists"][1]["groups"], json!([["k"], ["l"], ["m"]]));
    let log = organiser.get("/api/v1/campaigns/c/log");
    assert_eq!(
        String::from_utf8(state.bytes),
        String::from_utf8(replayed_state(&log.bytes))
    );
    // Every pair has exactly the wanted 2 votes and no lease.
    let pairs = organiser.get("/api/v1/campaigns/c/pairs").json;
    for pair in pairs["pairs"].as_array().unwrap() {
        assert_eq!(
            (&pair["votes"], &pair["leased"]),
            (&json!(2), &json!(0)),
            "{pair}"
        );
    }
    let truth = organiser.get("/api/v1/campaigns/c/export/truth.csv");
    let truth = String::from_utf8(truth.bytes).unwrap();
    assert!(
        truth.starts_with("query,item,group\nq,w,1\nq,x,2\n"),
        "{truth}"
    );
}

#[test]
fn a_repeated_answer_gets_the_same_receipt_and_a_second_answer_is_rejected() {
    let mut server = TestServer::new();
    let mut people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y", "z"])]), 1);
    let task = people[0].tasks()[0].clone();
    let body = answer_by_text(&task);
    let first = people[0].answer(1, &body);
    assert_eq!(first.status, 201);
    // The order of JSON keys and the notation of numbers do not matter.
    let again = format!(
        "{{\"answer\":{},\"seconds\":2.50,\"task\":{}}}",
        body["answer"], body["task"]
    );
    let path = format!("/api/v1/judge/answers/{}", crate::test_server::uuid(1));
    let mut other = body.clone();
    other["answer"] = json!("equal");
    for restarted in [false, true] {
        if restarted {
            server.restart();
            people = vec![server.client(&people[0].token)];
        }
        let again = people[0].request("PUT", &path, "application/json", again.as_bytes());
        assert_eq!((again.status, &again.json), (200, &first.json));
        assert_eq!(people[0].answer(1, &other).problem(), "id-reused");
        let second = people[0].answer(2, &body);
        assert_eq!((second.status, second.problem()), (409, "answered"));
        assert_eq!(second.json["id"], first.json["id"]);
    }
}

#[test]
fn tasks_stay_assigned_until_answered_even_after_a_restart() {
    let mut server = TestServer::new();
    let document = text_campaign(
        "c",
        3,
        &[("q", &["x", "y", "z", "w"]), ("r", &["k", "l", "m"])],
    );
    let people = server.create_campaign(&document, 2);
    let before = people[0].tasks();
    assert_eq!(before.len(), 2);
    assert_eq!(before[0]["new_query"], true);
    assert_eq!(people[0].tasks(), before);
    server.restart();
    let person = server.client(&people[0].token);
    assert_eq!(person.tasks(), before);
    assert_eq!(person.answer(1, &answer_by_text(&before[0])).status, 201);
    let after = person.tasks();
    assert_eq!(after[0], before[1]);
    assert_eq!(after.len(), 2);
}

#[test]
fn an_expired_task_is_assigned_to_others_and_its_late_answer_is_saved() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    document["judging"] = json!({"lease_seconds": 1, "wait_seconds": 60});
    let people = server.create_campaign(&document, 2);
    let task = people[0].tasks()[0].clone();
    assert_eq!(people[1].next().json["state"], "wait");
    std::thread::sleep(std::time::Duration::from_millis(1_200));
    let other = people[1].tasks();
    assert_eq!(other.len(), 1);
    // Both answers are saved, but only one of them counts as a vote.
    assert_eq!(people[0].answer(1, &answer_by_text(&task)).status, 201);
    assert_eq!(people[1].answer(2, &answer_by_text(&other[0])).status, 201);
    let state = server.organiser().get("/api/v1/campaigns/c/state").json;
    let counts: BTreeMap<String, u64> = serde_json::from_value(state["answers"].clone()).unwrap();
    assert_eq!(counts.get("counted"), Some(&1), "{counts:?}");
    assert_eq!(counts.values().sum::<u64>(), 2);
}

#[test]
fn an_assessor_who_waits_too_long_is_done() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    document["judging"] = json!({"wait_seconds": 1});
    let people = server.create_campaign(&document, 2);
    assert_eq!(people[0].tasks().len(), 1);
    let wait = people[1].next().json;
    assert_eq!(wait["state"], "wait");
    assert!(wait["retry_after"].as_f64().unwrap() > 0.0);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    assert_eq!(people[1].next().json["state"], "done");
    assert_eq!(
        people[1].post("/api/v1/judge/finish", &json!({})).json["outcome"],
        "complete"
    );
}

#[test]
fn paused_and_closed_campaigns_assign_no_tasks_but_save_answers() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 2, &[("q", &["x", "y", "z"])]), 2);
    let tasks = people[0].tasks();
    let organiser = server.organiser();
    let act = |act: &str| organiser.post(&format!("/api/v1/campaigns/c/{act}"), &json!({}));
    assert_eq!(act("pause").json["state"], "paused");
    assert_eq!(people[0].next().json["state"], "paused");
    assert_eq!(people[0].answer(1, &answer_by_text(&tasks[0])).status, 201);
    assert_eq!(act("resume").json["state"], "open");
    assert_eq!(people[0].next().json["state"], "work");
    assert_eq!(act("close").json["state"], "closed");
    assert_eq!(people[0].next().json["state"], "ended");
    assert_eq!(people[0].answer(2, &answer_by_text(&tasks[1])).status, 201);
    let state = organiser.get("/api/v1/campaigns/c/state").json;
    assert_eq!(state["answers"]["counted"], 1);
    assert_eq!(act("resume").status, 422);
}

#[test]
fn excluding_an_assessor_removes_their_votes_and_readmission_restores_them() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 2);
    judge_all(&people[..1], 1);
    let organiser = server.organiser();
    let me = people[0].get("/api/v1/judge/me").json["person"]
        .as_str()
        .unwrap()
        .to_owned();
    let votes = || organiser.get("/api/v1/campaigns/c/pairs").json["pairs"][0]["votes"].clone();
    assert_eq!(votes(), 1);
    let path = format!("/api/v1/campaigns/c/people/{me}");
    let out = organiser.post(&format!("{path}/exclude"), &json!({"reason": "a robot"}));
    assert_eq!(out.status, 204);
    assert_eq!(votes(), 0);
    assert_eq!(people[0].next().json["state"], "ended");
    assert_eq!(people[1].next().json["state"], "work");
    assert_eq!(
        organiser
            .post(&format!("{path}/readmit"), &json!({}))
            .status,
        204
    );
    assert_eq!(votes(), 1);
}

#[test]
fn a_reported_item_is_never_shown_to_the_same_assessor_again() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y", "z"])]), 2);
    let task = people[0].tasks()[0].clone();
    let report = json!({"task": task["task"], "part": "a", "problem": "load", "note": "=1"});
    assert_eq!(people[0].post("/api/v1/judge/reports", &report).status, 201);
    let broken = task["a"]["text"].as_str().unwrap();
    let shows = |task: &Value| task["a"]["text"] == broken || task["b"]["text"] == broken;
    assert!(!people[0].tasks().iter().any(shows));
    assert_eq!(
        people[0].post("/api/v1/judge/reports", &report).problem(),
        "task"
    );
    let remarks = server
        .organiser()
        .get("/api/v1/campaigns/c/export/remarks.csv");
    assert!(
        String::from_utf8(remarks.bytes)
            .unwrap()
            .contains(",report,")
    );
}

#[test]
fn displayed_order_is_balanced_and_tasks_contain_no_item_ids() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 20, &[("q", &["item-one", "item-two"])]);
    for item in document["lists"][0]["items"].as_array_mut().unwrap() {
        let shown = if item["item"] == "item-one" { "1" } else { "2" };
        item["show"] = json!({"text": shown});
    }
    let people = server.create_campaign(&document, 20);
    let mut first = 0;
    let mut tasks = HashSet::new();
    for person in &people {
        let next = person.next();
        let text = String::from_utf8(next.bytes).unwrap();
        assert!(!text.contains("item-"), "{text}");
        let task = &next.json["tasks"][0];
        assert!(tasks.insert(task["task"].as_str().unwrap().to_owned()));
        first += u32::from(task["a"]["text"] == "1");
    }
    assert_eq!(first, 10);
}

#[test]
fn an_assessor_gets_at_most_the_configured_number_of_tasks() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y", "z", "w", "v"])]);
    document["judging"] = json!({"per_person": 2, "ahead": 5});
    let people: Vec<Client> = server.create_campaign(&document, 2);
    let tasks = people[0].tasks();
    assert_eq!(tasks.len(), 2);
    for (id, task) in tasks.iter().enumerate() {
        assert_eq!(
            people[0].answer(id as u128, &answer_by_text(task)).status,
            201
        );
    }
    let next = people[0].next().json;
    assert_eq!(
        (&next["state"], &next["progress"]),
        (
            &json!("done"),
            &json!({"answered": 2, "of": 2, "estimated": false})
        )
    );
    let finish = people[0].post("/api/v1/judge/finish", &json!({})).json;
    assert_eq!(finish["outcome"], "complete");
    assert_eq!(
        people[1].post("/api/v1/judge/finish", &json!({})).problem(),
        "unfinished"
    );
    let stopped = people[1]
        .post("/api/v1/judge/finish", &json!({"stop": true}))
        .json;
    assert_eq!(stopped["outcome"], "partial");
}

#[test]
fn a_settled_campaign_can_be_extended_and_an_invalid_extension_is_rejected() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 2);
    judge_all(&people[..1], 1);
    let organiser = server.organiser();
    assert_eq!(
        organiser.get("/api/v1/campaigns/c/state").json["settled"],
        true
    );
    let more = text_campaign("c", 1, &[("r", &["k", "l"])])["lists"].clone();
    let extended = organiser.post("/api/v1/campaigns/c/extend", &json!({"lists": more}));
    assert_eq!(extended.status, 200, "{:?}", extended.json);
    assert_eq!(people[1].tasks()[0]["query"]["text"], "text r");
    let bad = organiser.post("/api/v1/campaigns/c/extend", &json!({"votes": 99}));
    assert_eq!(bad.status, 422);
    assert_eq!(bad.json["errors"][0]["pointer"], "/votes");
    // Pointers are those of the request, although the campaign has other lists and items.
    let item = |name: &str| json!({"item": name, "show": {"text": name}});
    let lists = json!([
        {"query": "s", "show": {"text": "s"}, "items": [item("k"), item("l")]},
        {"query": "q", "items": [item("z"), item("x"), {"item": "nothing"}]},
    ]);
    let bad = organiser.post("/api/v1/campaigns/c/extend", &json!({"lists": lists}));
    assert_eq!(bad.status, 422);
    let errors = bad.json["errors"].as_array().unwrap();
    let pointers: Vec<&str> = errors
        .iter()
        .filter_map(|error| error["pointer"].as_str())
        .collect();
    assert_eq!(pointers, ["/lists/1/items/1/item", "/lists/1/items/2/show"]);
}

#[test]
fn background_schedules_of_a_model_based_strategy_settle_all_lists() {
    let server = TestServer::new();
    let items = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let mut document = text_campaign("c", 5, &[("q", &items), ("r", &items)]);
    document["settings"] = json!({"votes": 5, "strategy": "pooled", "budget": 40});
    let people = server.create_campaign(&document, 6);
    let answers = judge_all(&people, 1);
    let organiser = server.organiser();
    let state = organiser.get("/api/v1/campaigns/c/state");
    assert_eq!(state.json["settled"], true);
    assert!((16..=80).contains(&answers), "{answers}");
    let log = organiser.get("/api/v1/campaigns/c/log");
    assert_eq!(
        String::from_utf8(state.bytes),
        String::from_utf8(replayed_state(&log.bytes))
    );
    // The log has more `asked` events than the first one of each list.
    let asked = String::from_utf8(log.bytes).unwrap();
    let asked = asked.matches("\"event\":\"asked\"").count();
    assert!(asked > 2, "{asked}");
    for person in people {
        assert_eq!(person.next().json["state"], "done");
    }
}

#[test]
fn of_two_concurrent_answers_to_a_task_one_is_saved_and_the_other_gets_its_id() {
    let server = TestServer::new();
    let items = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let person = server
        .create_campaign(&text_campaign("c", 1, &[("q", &items)]), 1)
        .remove(0);
    for round in 0..10 {
        let task = person.tasks()[0].clone();
        let (body, first) = (answer_by_text(&task), round * 10 + 1);
        let reply: Vec<_> = std::thread::scope(|scope| {
            let (person, body) = (&person, &body);
            let answer = |id| scope.spawn(move || (id, person.answer(id, body)));
            let both: Vec<_> = [first, first + 1].map(answer).into_iter().collect();
            both.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let saved: Vec<_> = reply
            .iter()
            .filter(|(_, reply)| reply.status == 201)
            .collect();
        assert_eq!(saved.len(), 1);
        let refused = reply.iter().find(|(_, reply)| reply.status != 201).unwrap();
        assert_eq!(refused.1.problem(), "answered");
        assert_eq!(refused.1.json["id"], crate::test_server::uuid(saved[0].0));
    }
}
