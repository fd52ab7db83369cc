//! Entry of assessors into a campaign, and the end of their work.

use serde_json::{Value, json};

use crate::test_server::{TestServer, judge_all, text_campaign};

/// Returns a campaign document with a recruiter of this preset and a limit of 2 assessors.
fn document_with_recruiter(preset: &str) -> Value {
    let mut document = text_campaign("c", 1, &[("q", &["x", "y", "z"])]);
    document["recruiter"] = json!({
        "preset": preset,
        "limit": 2,
        "outcomes": {
            "complete": {"code": "DONE1"},
            "full": {"code": "FULL1"},
            "partial": {"code": "derived", "url": "https://panel.example/back?c={code}&s={SESSION_ID}&i={id}"},
        },
    });
    document
}

/// Sends a request to enter the campaign with a recruiter's URL parameters.
fn enter_from_recruiter(server: &TestServer, params: &Value) -> crate::test_server::HttpReply {
    let entry = json!({"campaign": "c", "params": params});
    server.client("").post("/api/v1/judge/enter", &entry)
}

#[test]
fn a_panel_id_identifies_one_assessor_and_finishing_returns_the_panel_url() {
    let server = TestServer::new();
    server.create_campaign(&document_with_recruiter("prolific"), 1);
    let params = json!({"PROLIFIC_PID": "5f0", "STUDY_ID": "s", "SESSION_ID": "a b&c"});
    let first = enter_from_recruiter(&server, &params);
    assert_eq!(first.status, 200);
    assert_eq!(first.json["resumed"], false);
    let again = enter_from_recruiter(&server, &params);
    assert_eq!(again.json["resumed"], true);
    assert_eq!(again.json["person"], first.json["person"]);
    let person = server.client(first.json["token"].as_str().unwrap());
    let finish = person
        .post("/api/v1/judge/finish", &json!({"stop": true}))
        .json;
    assert_eq!(finish["outcome"], "partial");
    let code = finish["code"].as_str().unwrap();
    assert_eq!(
        finish["url"],
        format!("https://panel.example/back?c={code}&s=a%20b%26c&i=5f0")
    );
}

#[test]
fn recruited_assessors_are_rejected_when_no_tasks_are_left() {
    let server = TestServer::new();
    let people = server.create_campaign(&document_with_recruiter("prolific"), 1);
    judge_all(&people, 1);
    let full = enter_from_recruiter(&server, &json!({"PROLIFIC_PID": "late"}));
    assert_eq!((full.status, full.problem()), (409, "full"));
    assert_eq!(full.json["outcome"]["code"], "FULL1");
    let url = "https://app.prolific.com/submissions/complete?cc=FULL1";
    assert_eq!(full.json["outcome"]["url"], url);
}

#[test]
fn a_panel_cannot_send_more_assessors_than_its_limit() {
    let server = TestServer::new();
    let mut document = document_with_recruiter("connect");
    document["settings"]["votes"] = json!(2);
    server.create_campaign(&document, 1);
    for id in ["a", "b"] {
        let entered = enter_from_recruiter(&server, &json!({"participantId": id}));
        assert_eq!(entered.status, 200);
        // The first question takes a place.
        let person = server.client(entered.json["token"].as_str().unwrap());
        assert!(!person.tasks().is_empty(), "{id}");
    }
    assert_eq!(
        enter_from_recruiter(&server, &json!({"participantId": "c"})).problem(),
        "full"
    );
    // An assessor who entered before the limit was reached can enter again.
    assert_eq!(
        enter_from_recruiter(&server, &json!({"participantId": "a"})).status,
        200
    );
    for bad in [
        json!({}),
        json!({"participantId": ""}),
        json!({"participantId": "<script>"}),
    ] {
        assert_eq!(enter_from_recruiter(&server, &bad).problem(), "link");
    }
}

#[test]
fn unknown_expired_and_revoked_links_get_the_same_response() {
    let server = TestServer::new();
    server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 1);
    let organiser = server.organiser();
    let invite = |body: Value| {
        organiser.post("/api/v1/campaigns/c/invites", &body).json["invites"][0].clone()
    };
    let expired = invite(json!({"kind": "preference", "expires": "2020-01-01T00:00:00Z"}));
    let revoked = invite(json!({"kind": "preference", "label": "for Ann"}));
    let id = revoked["id"].as_str().unwrap();
    let path = format!("/api/v1/campaigns/c/invites/{id}");
    assert_eq!(organiser.delete(&path).status, 204);
    let mut seen = Vec::new();
    for invite in [&expired["invite"], &revoked["invite"], &json!("none")] {
        let entry = json!({"campaign": "c", "invite": invite});
        let reply = server.client("").post("/api/v1/judge/enter", &entry);
        assert_eq!((reply.status, reply.problem()), (403, "link"));
        seen.push(reply.json);
    }
    let entry = json!({"campaign": "no-such", "invite": "none"});
    seen.push(server.client("").post("/api/v1/judge/enter", &entry).json);
    assert!(seen.iter().all(|reply| *reply == seen[0]), "{seen:?}");
    // The list of invites contains no tokens.
    let listed = organiser.get("/api/v1/campaigns/c/invites");
    let token = expired["invite"].as_str().unwrap();
    assert!(!String::from_utf8(listed.bytes).unwrap().contains(token));
}

#[test]
fn tasks_require_consent_to_the_current_version_of_the_text() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    document["consent"] = json!({"version": "2", "text": {"en": "Agree?", "es": "¿De acuerdo?"}});
    let people = server.create_campaign(&document, 1);
    assert_eq!(people[0].next().problem(), "consent");
    let me = people[0].get("/api/v1/judge/me").json;
    assert_eq!(
        me["consent"],
        json!({"version": "2", "text": "Agree?", "given": false})
    );
    let old = people[0].put("/api/v1/judge/me", &json!({"consent": "1"}));
    assert_eq!(old.json["errors"][0]["pointer"], "/consent");
    let me = people[0]
        .put(
            "/api/v1/judge/me",
            &json!({"consent": "2", "language": "es"}),
        )
        .json;
    assert_eq!(me["consent"]["text"], "¿De acuerdo?");
    assert_eq!(people[0].next().json["state"], "work");
}

#[test]
fn an_assessor_token_gives_no_access_to_other_tasks_or_organiser_routes() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 2);
    server.create_campaign(&text_campaign("d", 1, &[("q", &["x", "y"])]), 1);
    let task = people[0].tasks()[0]["task"].clone();
    // An assessor cannot answer the task of another assessor.
    let body = json!({"task": task, "seconds": 1, "answer": "a"});
    assert_eq!(people[1].answer(1, &body).problem(), "task");
    assert_eq!(people[0].get("/api/v1/campaigns").status, 401);
    assert_eq!(people[0].get("/api/v1/campaigns/c/log").status, 401);
    assert_eq!(server.client("made-up").next().status, 401);
}
