//! Texts with the character NUL, which PostgreSQL cannot store: refused on either database before
//! anything is written.

use serde_json::{Value, json};

use crate::test_server::{
    Client, HttpReply, POSTGRES_LOCK, TestServer, answer_by_text, create_database, text_campaign,
    uuid,
};

/// Checks that a request was refused because of the text at a JSON pointer.
fn check_refused(reply: &HttpReply, pointer: &str) {
    assert_eq!(
        (reply.status, reply.problem()),
        (422, "invalid"),
        "{pointer}: {:?}",
        reply.json
    );
    let mut errors = reply.json["errors"].as_array().unwrap().iter();
    assert!(
        errors.any(|error| error["pointer"] == pointer
            && error["detail"].as_str().unwrap().contains("NUL")),
        "{pointer}: {:?}",
        reply.json
    );
}

/// Returns the texts of a server's database that requests can change.
fn stored(organiser: &Client) -> Vec<Vec<u8>> {
    let paths = ["log", "invites", "export/remarks.csv", "export/people.csv"];
    let read = paths.map(|path| {
        let reply = organiser.get(&format!("/api/v1/campaigns/nul/{path}"));
        assert_eq!(reply.status, 200, "{:?}", reply.json);
        reply.bytes
    });
    read.to_vec()
}

/// Sends texts with NUL to every address that takes texts.
fn send_nul(server: &TestServer) {
    let items = ["u", "v", "w"];
    let document = text_campaign("nul", 1, &[("q", &items), ("r", &items)]);
    let judge = server.create_campaign(&document, 1).remove(0);
    let (organiser, anybody) = (server.organiser(), server.client(""));
    let task = judge.tasks()[0].clone();
    let people = organiser.get("/api/v1/campaigns/nul/people");
    let person = people.json["people"][0]["person"]
        .as_str()
        .unwrap()
        .to_owned();
    let before = stored(&organiser);

    let enter = |body: Value| anybody.post("/api/v1/judge/enter", &body);
    check_refused(
        &enter(json!({"campaign": "\0", "invite": "x"})),
        "/campaign",
    );
    check_refused(
        &enter(json!({"campaign": "nul", "invite": "a\0b"})),
        "/invite",
    );
    let params = json!({"PROLIFIC_PID": "\0"});
    check_refused(
        &enter(json!({"campaign": "nul", "params": params})),
        "/params/PROLIFIC_PID",
    );
    let params = json!({"P\0": "1"});
    check_refused(
        &enter(json!({"campaign": "nul", "params": params})),
        "/params",
    );
    for field in ["background", "language", "consent"] {
        let mut body = json!({});
        body[field] = json!("text\0");
        check_refused(&judge.put("/api/v1/judge/me", &body), &format!("/{field}"));
    }
    let mut report = json!({"task": task["task"], "part": "query", "problem": "other"});
    report["note"] = json!("\0");
    check_refused(&judge.post("/api/v1/judge/reports", &report), "/note");
    for field in ["comment", "task"] {
        let mut answer = answer_by_text(&task);
        answer[field] = json!("\0");
        check_refused(&judge.answer(1, &answer), &format!("/{field}"));
    }
    let campaign = "/api/v1/campaigns/nul";
    let invite = json!({"kind": "preference", "count": 1, "label": "Ann\0"});
    check_refused(
        &organiser.post(&format!("{campaign}/invites"), &invite),
        "/label",
    );
    let reason = json!({"reason": "\0"});
    let exclude = format!("{campaign}/people/{person}/exclude");
    check_refused(&organiser.post(&exclude, &reason), "/reason");
    let list = json!({"query": "s\0", "show": {"text": "s"}, "items": [
        {"item": "x", "show": {"text": "x"}}, {"item": "y", "show": {"text": "\0"}}]});
    let extend = organiser.post(&format!("{campaign}/extend"), &json!({"lists": [list]}));
    check_refused(&extend, "/lists/0/query");
    check_refused(&extend, "/lists/0/items/1/show/text");
    let token = json!({"scopes": ["read"], "campaign": "\0"});
    check_refused(&organiser.post("/api/v1/tokens", &token), "/campaign");
    let mut other = text_campaign("other", 1, &[("q", &items)]);
    other["title"] = json!("A\0");
    other["lists"][0]["items"][2]["item"] = json!("w\0");
    let created = organiser.post("/api/v1/campaigns", &other);
    check_refused(&created, "/title");
    check_refused(&created, "/lists/0/items/2/item");

    let exported = organiser.get(&format!("{campaign}/export/truth.csv?kind=%00"));
    check_refused(&exported, "/kind");
    for path in [
        "/api/v1/campaigns/%00",
        "/api/v1/campaigns/n%00l/log",
        "/api/v1/campaigns/nul/export/%00",
        "/media/%00",
        "/j/%00",
    ] {
        assert_eq!(organiser.get(path).status, 404, "{path}");
    }
    for path in [
        format!("{campaign}/invites/%00"),
        "/api/v1/tokens/a%00".to_owned(),
    ] {
        assert_eq!(organiser.delete(&path).status, 404, "{path}");
    }
    let draft = json!({"version": 1, "groups": [], "unranked": []});
    for path in ["/api/v1/judge/drafts/%00", "/api/v1/judge/answers/%00"] {
        assert_eq!(judge.put(path, &draft).status, 404, "{path}");
    }

    assert_eq!(
        stored(&organiser),
        before,
        "a refused request changed something"
    );
    // An escaped backslash before `u0000` is no NUL.
    let mut answer = answer_by_text(&task);
    answer["comment"] = json!("a backslash: \\u0000");
    assert_eq!(judge.answer(2, &answer).status, 201);
    let remarks = organiser.get(&format!("{campaign}/export/remarks.csv"));
    assert!(
        String::from_utf8(remarks.bytes)
            .unwrap()
            .contains("\\u0000")
    );
    // JSON cannot hold half of a surrogate pair.
    let lone = format!(
        r#"{{"task": {}, "seconds": 1, "answer": "a", "comment": "\ud800"}}"#,
        task["task"]
    );
    let path = format!("/api/v1/judge/answers/{}", uuid(3));
    let lone = judge.request("PUT", &path, "application/json", lone.as_bytes());
    assert_eq!((lone.status, lone.problem()), (422, "invalid"));
}

#[test]
fn server_a1_texts_with_nul_are_refused_with_their_position() {
    send_nul(&TestServer::new());
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_server_a1_texts_with_nul_are_refused_with_their_position() {
    let _shared = POSTGRES_LOCK.read().unwrap();
    let url = create_database("nul");
    send_nul(&TestServer::with_options(|settings| {
        settings.database = Some(url);
    }));
}
