//! Outcomes of assessors' work: which codes they get, what reports of problems change, and who takes
//! one of the places of a panel.

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

/// Creates [`panel_document`] with a limit of two people, a consent text and short leases.
fn create_with_places(server: &TestServer, change: impl FnOnce(&mut Value)) {
    let mut document = panel_document(&QUERIES);
    document["recruiter"]["limit"] = json!(2);
    document["consent"] = json!({"version": "v7", "text": {"en": "Do you agree?"}});
    document["judging"]["lease_seconds"] = json!(1);
    change(&mut document);
    create(server, &document);
}

/// Lets an assessor agree to the consent text.
fn agree(judge: &Client) -> HttpReply {
    judge.put("/api/v1/judge/me", &json!({"consent": "v7"}))
}

/// Checks that a person is told that all places are taken, with the code for it.
fn assert_full(reply: &HttpReply) {
    assert_eq!((reply.status, reply.problem()), (409, "full"));
    let outcome = &reply.json["outcome"];
    assert_eq!(
        (&outcome["outcome"], &outcome["code"]),
        (&json!("full"), &json!("full"))
    );
}

#[test]
fn server_a5_consent_takes_a_place_and_whoever_leaves_frees_it() {
    let mut server = TestServer::new();
    create_with_places(&server, |document| {
        document["judging"]["lease_seconds"] = json!(600);
    });
    // Five look at the first page, which takes no place.
    let ids = ["ada", "ben", "cleo", "dan", "eve"];
    let people = ids.map(|id| judge(&server, id));
    let [ada, ben, cleo, dan, eve] = people.each_ref().map(|(judge, _)| judge.clone());
    let refused = ada.post("/api/v1/judge/finish", &json!({"stop": true}));
    assert_eq!(refused.json["outcome"], "refused");
    // One stops without an answer, so there are two places again.
    assert_eq!(agree(&ben).status, 200);
    assert_eq!(ben.next().json["state"], "work");
    let stopped = ben.post("/api/v1/judge/finish", &json!({"stop": true}));
    assert_eq!(stopped.json["outcome"], "partial");
    assert_eq!(agree(&cleo).status, 200);
    assert_eq!(agree(&dan).status, 200);
    assert_full(&agree(&eve));
    assert_full(&enter(&server, "late"));
    assert_eq!(eve.get("/api/v1/judge/me").json["consent"]["given"], false);
    assert_eq!(agree(&cleo).status, 200, "the place is taken already");
    server.restart();
    let [cleo, dan, eve] = [cleo, dan, eve].map(|judge| server.client(&judge.token));
    answer_next(&cleo, 1);
    answer_next(&dan, 2);
    assert_full(&agree(&eve));
    // An exclusion and an erasure free the places even of those who answered.
    let organiser = server.organiser();
    let path =
        |who: usize, act: &str| format!("/api/v1/campaigns/c/people/{}/{act}", people[who].1);
    assert_eq!(organiser.post(&path(2, "exclude"), &json!({})).status, 204);
    assert_eq!(agree(&eve).status, 200);
    assert_full(&enter(&server, "late"));
    assert_eq!(organiser.post(&path(3, "erase"), &json!({})).status, 204);
    assert_eq!(enter(&server, "late").status, 200);
}

#[test]
fn server_a5_without_a_consent_text_the_first_question_takes_the_place_while_its_lease_lasts() {
    let server = TestServer::new();
    create_with_places(&server, |document| {
        document["recruiter"]["limit"] = json!(1);
        document["consent"] = json!(null);
    });
    let [ada, ben] = ["ada", "ben"].map(|id| judge(&server, id).0);
    let task = ada.tasks()[0].clone();
    assert_full(&ben.next());
    assert_full(&ben.next());
    let gone = std::time::Duration::from_millis(1_100);
    std::thread::sleep(gone);
    assert_eq!(ben.next().json["state"], "work");
    assert_full(&ada.next());
    // An answer is accepted although the place is lost, and the person has a place again.
    assert_eq!(ada.answer(1, &answer_by_text(&task)).status, 201);
    std::thread::sleep(gone);
    assert_full(&ben.next());
    assert_eq!(ada.next().json["state"], "work");
    let finished = ben.post("/api/v1/judge/finish", &json!({}));
    assert_eq!(finished.json["outcome"], "full");
}

#[test]
fn server_a5_extend_raises_the_limit_of_the_panel() {
    let mut server = TestServer::new();
    create_with_places(&server, |document| {
        document["judging"]["lease_seconds"] = json!(600);
    });
    for id in ["ada", "ben"] {
        assert_eq!(agree(&judge(&server, id).0).status, 200);
    }
    assert_full(&enter(&server, "cleo"));
    let extend = |server: &TestServer, name: &str, body: Value| {
        let path = format!("/api/v1/campaigns/{name}/extend");
        server.organiser().post(&path, &body)
    };
    let too_low = extend(&server, "c", json!({"limit": 1, "votes": 2}));
    assert_eq!(
        (too_low.status, &too_low.json["errors"][0]["pointer"]),
        (422, &json!("/limit"))
    );
    assert_eq!(extend(&server, "c", json!({"limit": 2})).status, 200);
    assert_full(&enter(&server, "cleo"));
    let before = extend(&server, "c", json!({"limit": 3}));
    assert_eq!(before.status, 200);
    assert_eq!(agree(&judge(&server, "cleo").0).status, 200);
    server.restart();
    assert_full(&enter(&server, "dan"));
    let both = extend(&server, "c", json!({"limit": 4, "votes": 2}));
    assert_eq!(
        both.json["seq"].as_u64(),
        before.json["seq"].as_u64().map(|seq| seq + 1)
    );
    assert_eq!(enter(&server, "dan").status, 200);
    let document = server.organiser().get("/api/v1/campaigns/c").json["document"].clone();
    assert_eq!(document["recruiter"]["limit"], 4);
    // A campaign without a limit has none to raise, and an extension needs some content.
    server.create_campaign(&text_campaign("d", 1, &[("q", &["x", "y"])]), 0);
    assert_eq!(extend(&server, "d", json!({"limit": 9})).status, 422);
    assert_eq!(extend(&server, "c", json!({})).status, 422);
}

#[test]
fn server_a5_panel_links_need_the_secret_of_the_recruiter() {
    let server = TestServer::new();
    let mut document = panel_document(&QUERIES[..2]);
    for bad in ["short-secret-15", "has a space inside it", &"x".repeat(65)] {
        document["recruiter"]["secret"] = json!(bad);
        let refused = server.organiser().post("/api/v1/campaigns", &document);
        assert_eq!(refused.status, 422, "{bad}");
        assert_eq!(refused.json["errors"][0]["pointer"], "/recruiter/secret");
    }
    let secret = "Sixteen_letters-";
    document["recruiter"]["secret"] = json!(secret);
    document["recruiter"]["capture"] = json!(["key"]);
    let refused = server.organiser().post("/api/v1/campaigns", &document);
    assert_eq!(refused.json["errors"][0]["pointer"], "/recruiter/capture");
    document["recruiter"]["capture"] = json!(["study"]);
    create(&server, &document);
    let enter = |params: Value| {
        let entry = json!({"campaign": "c", "params": params});
        server.client("").post("/api/v1/judge/enter", &entry)
    };
    for bad in [
        json!({"pid": "ada"}),
        json!({"pid": "ada", "key": ""}),
        json!({"pid": "ada", "key": "sixteen_letters-"}),
        json!({"pid": "ada", "key": format!("{secret}x")}),
    ] {
        let refused = enter(bad);
        assert_eq!((refused.status, refused.problem()), (403, "link"));
    }
    assert_eq!(enter(json!({"pid": "ada", "key": secret})).status, 200);
    // The link of a known person needs it, too.
    assert_eq!(enter(json!({"pid": "ada"})).problem(), "link");
}

/// Returns the rows of `people.csv` as a client sees them, each by column name.
fn people_csv(client: &Client) -> Vec<std::collections::HashMap<String, String>> {
    let csv = client.get("/api/v1/campaigns/c/export/people.csv").bytes;
    let csv = String::from_utf8(csv).unwrap();
    let mut rows = csv
        .lines()
        .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = rows.next().unwrap();
    rows.map(|row| head.iter().cloned().zip(row).collect())
        .collect()
}

#[test]
fn server_b9_people_tell_consent_times_work_outcome_code_and_parameters() {
    let mut server = TestServer::new();
    let mut document = panel_document(&QUERIES);
    document["consent"] = json!({"version": "v7", "text": {"en": "Do you agree?"}});
    document["judging"]["per_person"] = json!(2);
    document["recruiter"]["capture"] = json!(["STUDY", "kind"]);
    create(&server, &document);
    let params = json!({"pid": "ada", "STUDY": "s-1", "kind": "=K"});
    let entry = json!({"campaign": "c", "params": params});
    let entered = server.client("").post("/api/v1/judge/enter", &entry).json;
    let judge = server.client(entered["token"].as_str().unwrap());
    let person = entered["person"].as_str().unwrap().to_owned();
    let view = person_view(&server, &person);
    for unknown in [
        "consented",
        "consent_version",
        "ended",
        "outcome",
        "code",
        "seconds",
    ] {
        assert_eq!(view[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(agree(&judge).status, 200);
    let consented = person_view(&server, &person)["consented"].clone();
    std::thread::sleep(std::time::Duration::from_millis(5));
    assert_eq!(agree(&judge).status, 200, "the first consent counts");
    answer_next(&judge, 1);
    report_next(&judge, "a");
    answer_next(&judge, 2);
    assert_eq!(finish(&judge)[0], "complete");
    server.restart();
    let view = person_view(&server, &person);
    assert_eq!(view["consented"], consented);
    // Each answer took 2.5 seconds.
    assert_eq!(
        json!([
            view["consent_version"],
            view["outcome"],
            view["code"],
            view["seconds"],
            view["reports"]
        ]),
        json!(["v7", "complete", "complete", 5.0, 1])
    );
    assert_eq!(view["captured"], json!({"STUDY": "s-1", "kind": "=K"}));
    let times = [
        "entered",
        "consented",
        "first_answer",
        "last_answer",
        "ended",
    ];
    let times = times.map(|key| view[key].as_str().unwrap().to_owned());
    assert!(times.is_sorted(), "{times:?}");
    assert!(times.iter().all(|time| time.ends_with('Z')), "{times:?}");

    let organiser = server.organiser();
    let row = people_csv(&organiser).remove(0);
    let cell = |name: &str| row[name].as_str();
    assert_eq!(
        [
            cell("consent_version"),
            cell("outcome"),
            cell("code"),
            cell("seconds"),
            cell("reports")
        ],
        ["v7", "complete", "complete", "5", "1"]
    );
    let columns = [
        "entered",
        "consented",
        "first_answer",
        "last_answer",
        "ended",
    ];
    assert_eq!(columns.map(cell), times.each_ref().map(String::as_str));
    assert_eq!(
        [
            cell("claim"),
            cell("STUDY"),
            cell("captured_kind"),
            cell("kind")
        ],
        ["ada", "s-1", "'=K", "preference"]
    );
    // What the panel sent needs the scope `people`.
    let scopes = json!({"scopes": ["read"]});
    let token = organiser.post("/api/v1/tokens", &scopes).json["token"].clone();
    let reader = server.client(token.as_str().unwrap());
    let row = people_csv(&reader).remove(0);
    assert_eq!(row["code"], "complete");
    assert!(
        ["claim", "STUDY", "label"]
            .iter()
            .all(|name| !row.contains_key(*name))
    );
    let people = reader.get("/api/v1/campaigns/c/people").bytes;
    assert!(!String::from_utf8(people).unwrap().contains("s-1"));
}

#[test]
fn server_b9_an_excluded_person_gets_the_outcome_excluded_and_not_refused() {
    let server = TestServer::new();
    let mut document = panel_document(&QUERIES);
    document["recruiter"]["outcomes"]["ended"]["url"] = json!("https://panel.example/{code}");
    create(&server, &document);
    let (ada, person) = judge(&server, "ada");
    answer_next(&ada, 1);
    let path = |act: &str| format!("/api/v1/campaigns/c/people/{person}/{act}");
    let organiser = server.organiser();
    assert_eq!(organiser.post(&path("exclude"), &json!({})).status, 204);
    assert_eq!(ada.get("/api/v1/judge/me").json["state"], "excluded");
    let finished = ada.post("/api/v1/judge/finish", &json!({})).json;
    let expected = json!(["excluded", "ended", "https://panel.example/ended"]);
    assert_eq!(
        json!([finished["outcome"], finished["code"], finished["url"]]),
        expected
    );
    let view = person_view(&server, &person);
    assert_eq!(
        json!([
            view["state"],
            view["outcome"],
            view["code"],
            view["excluded"]
        ]),
        json!(["excluded", "excluded", "ended", true])
    );
    assert!(view["ended"].is_string());
    // A readmission lets the person go on.
    assert_eq!(organiser.post(&path("readmit"), &json!({})).status, 204);
    assert_eq!(ada.get("/api/v1/judge/me").json["state"], "active");
    answer_next(&ada, 2);
    let view = person_view(&server, &person);
    assert_eq!(json!([view["outcome"], view["ended"]]), json!([null, null]));

    // A code of its own, and an invited person without a panel.
    let server = TestServer::new();
    document["recruiter"]["outcomes"]["excluded"] = json!({"code": "derived"});
    document["recruiter"]["outcomes"]["ended"] = json!({"code": "derived"});
    create(&server, &document);
    let (ada, person) = judge(&server, "ada");
    let invited = server
        .enter_assessors("c", &json!("preference"), 1)
        .remove(0);
    let organiser = server.organiser();
    let me = invited.get("/api/v1/judge/me").json["person"].clone();
    for person in [person.as_str(), me.as_str().unwrap()] {
        let path = format!("/api/v1/campaigns/c/people/{person}/exclude");
        assert_eq!(organiser.post(&path, &json!({})).status, 204);
        assert_eq!(
            finish(if person == me { &invited } else { &ada })[0],
            "excluded"
        );
        let view = person_view(&server, person);
        assert_eq!(view["code"].as_str().map(str::len), Some(12));
    }
}
