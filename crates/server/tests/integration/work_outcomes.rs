//! Outcomes of assessors' work: which codes they get, and what reports of problems change.

use serde_json::{Value, json};

use crate::test_server::{Client, HttpReply, TestServer, answer_by_text, text_campaign};

/// Queries of [`panel_document`], each with a list of its own.
const QUERIES: [&str; 7] = ["bach", "cage", "dowland", "elgar", "frye", "gade", "haydn"];

/// Returns a campaign document with one pair per query, of which each gets one vote, and a
/// recruiter with a code for every outcome.
fn panel_document(queries: &[&str]) -> Value {
    let lists: Vec<(&str, &[&str])> = queries
        .iter()
        .map(|query| (*query, &["low", "high"][..]))
        .collect();
    let mut document = text_campaign("c", 1, &lists);
    document["judging"] = json!({"ahead": 1});
    let outcomes = ["complete", "partial", "full", "refused", "ended"];
    let outcomes = outcomes.map(|outcome| (outcome.to_owned(), json!({"code": outcome})));
    document["recruiter"] = json!({
        "name": "Panel",
        "id": "pid",
        "outcomes": Value::Object(outcomes.into_iter().collect()),
    });
    document
}

/// Creates the campaign.
fn create(server: &TestServer, document: &Value) {
    let made = server.organiser().post("/api/v1/campaigns", document);
    assert_eq!(made.status, 201, "{:?}", made.json);
}

/// Lets a person of the panel enter.
fn enter(server: &TestServer, id: &str) -> HttpReply {
    let entry = json!({"campaign": "c", "params": {"pid": id}});
    server.client("").post("/api/v1/judge/enter", &entry)
}

/// Lets a person of the panel enter and returns their client and their id.
fn judge(server: &TestServer, id: &str) -> (Client, String) {
    let entered = enter(server, id);
    assert_eq!(entered.status, 200, "{:?}", entered.json);
    let text = |key: &str| entered.json[key].as_str().unwrap().to_owned();
    (server.client(&text("token")), text("person"))
}

/// Reports the next task of an assessor as broken.
fn report_next(judge: &Client, part: &str) {
    let task = judge.tasks()[0]["task"].clone();
    let report = json!({"task": task, "part": part, "problem": "silent"});
    assert_eq!(judge.post("/api/v1/judge/reports", &report).status, 201);
}

/// Answers the next task of an assessor.
fn answer_next(judge: &Client, id: u128) {
    let saved = judge.answer(id, &answer_by_text(&judge.tasks()[0]));
    assert_eq!(saved.status, 201, "{:?}", saved.json);
}

/// Ends the work of an assessor and returns its outcome and code.
fn finish(judge: &Client) -> [String; 2] {
    let finished = judge.post("/api/v1/judge/finish", &json!({}));
    assert_eq!(finished.status, 200, "{:?}", finished.json);
    ["outcome", "code"].map(|key| finished.json[key].as_str().unwrap_or_default().to_owned())
}

/// Returns an assessor as the organiser sees them.
fn person_view(server: &TestServer, person: &str) -> Value {
    let people = server.organiser().get("/api/v1/campaigns/c/people").json;
    let mut people = people["people"].as_array().unwrap().clone().into_iter();
    people.find(|one| one["person"] == person).unwrap()
}

#[test]
fn server_a4_who_only_reports_never_gets_the_complete_code() {
    let server = TestServer::new();
    let mut document = panel_document(&QUERIES[..3]);
    document["judging"]["wait_seconds"] = json!(0);
    create(&server, &document);
    let (reporter, _) = judge(&server, "ada");
    for part in ["query", "a", "b"] {
        report_next(&reporter, part);
    }
    assert_eq!(reporter.next().json["state"], "done");
    assert_eq!(finish(&reporter), ["partial", "partial"]);
    // One report among answers also leaves a question.
    let (mixed, _) = judge(&server, "ben");
    answer_next(&mixed, 1);
    report_next(&mixed, "a");
    answer_next(&mixed, 2);
    assert_eq!(mixed.next().json["state"], "done");
    assert_eq!(finish(&mixed)[0], "partial");
}

#[test]
fn server_a4_the_work_is_complete_if_nothing_is_left_or_per_person_is_reached() {
    let server = TestServer::new();
    create(&server, &panel_document(&QUERIES[..1]));
    let [(quick, _), (slow, _)] = ["ada", "ben"].map(|id| judge(&server, id));
    answer_next(&quick, 1);
    assert_eq!(finish(&quick), ["complete", "complete"]);
    assert_eq!(slow.next().json["state"], "done");
    assert_eq!(finish(&slow), ["complete", "complete"]);
    let late = enter(&server, "cleo");
    assert_eq!((late.status, late.problem()), (409, "full"));

    let server = TestServer::new();
    let mut document = panel_document(&QUERIES);
    document["judging"]["per_person"] = json!(2);
    create(&server, &document);
    let (judge, _) = judge(&server, "ada");
    report_next(&judge, "query");
    answer_next(&judge, 1);
    report_next(&judge, "b");
    answer_next(&judge, 2);
    assert_eq!(finish(&judge), ["complete", "complete"]);
}

#[test]
fn server_a4_five_reports_in_a_row_stop_a_person_until_the_organiser_readmits_them() {
    let mut server = TestServer::new();
    let mut document = panel_document(&QUERIES);
    document["judging"] = json!({"ahead": 2, "wait_seconds": 0});
    create(&server, &document);
    let (mut reporter, person) = judge(&server, "ada");
    for _ in 0..5 {
        report_next(&reporter, "query");
    }
    for _ in 0..2 {
        let next = reporter.next().json;
        assert_eq!(
            (&next["state"], &next["tasks"]),
            (&json!("done"), &json!([]))
        );
        assert_eq!(finish(&reporter)[0], "partial");
        server.restart();
        reporter.url.clone_from(&server.url);
    }
    // The tasks that the person held went back to the others.
    let status = server.organiser().get("/api/v1/campaigns/c/status").json;
    assert_eq!(status["leases"], 0);
    // The card is there although the person gave no answer.
    let card = &person_view(&server, &person)["card"];
    let signals: Vec<&Value> = card["signals"].as_array().unwrap().iter().collect();
    assert_eq!(signals.len(), 1, "{card}");
    assert_eq!(signals[0]["signal"], "many-reports");
    assert_eq!(
        (&signals[0]["value"], &card["reports"]["reports"]),
        (&json!(1.0), &json!(5))
    );

    let path = format!("/api/v1/campaigns/c/people/{person}/readmit");
    for _ in 0..2 {
        assert_eq!(server.organiser().post(&path, &json!({})).status, 204);
    }
    let log = server.organiser().get("/api/v1/campaigns/c/log").bytes;
    let log = String::from_utf8(log).unwrap();
    assert_eq!(log.matches("\"readmitted\"").count(), 1);
    assert_eq!(reporter.next().json["state"], "work");
    answer_next(&reporter, 1);
    report_next(&reporter, "a");
    assert_eq!(
        reporter.next().json["state"],
        "done",
        "the lists are used up"
    );
    assert_eq!(finish(&reporter)[0], "partial");
}

#[test]
fn server_a4_an_answer_between_reports_lets_a_person_go_on() {
    let server = TestServer::new();
    create(&server, &panel_document(&QUERIES));
    let (judge, _) = judge(&server, "ada");
    for round in 0..2 {
        for _ in 0..2 + round {
            report_next(&judge, "b");
        }
        if round == 0 {
            answer_next(&judge, 1);
        }
    }
    assert_eq!(judge.next().json["state"], "work");
}
