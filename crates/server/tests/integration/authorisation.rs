//! Attacks with tokens, cookies and links of other people or campaigns.

use serde_json::{Value, json};

use crate::test_server::{Client, TestServer, text_campaign};

/// Starts a server with two campaigns, `c` and `d`.
fn server_with_two_campaigns() -> TestServer {
    let server = TestServer::new();
    for name in ["c", "d"] {
        server.create_campaign(&text_campaign(name, 1, &[("q", &["x", "y", "z"])]), 1);
    }
    server
}

/// Creates an organiser token by a request with this body. Returns the id of the token and a client
/// that uses the token.
fn create_token(server: &TestServer, body: &Value) -> (String, Client) {
    let made = server.organiser().post("/api/v1/tokens", body);
    assert_eq!(made.status, 201, "{:?}", made.json);
    let text = |key: &str| made.json[key].as_str().unwrap().to_owned();
    (text("id"), server.client(&text("token")))
}

/// Method and path, below `/api/v1/campaigns/d`, of organisers' requests that concern campaign `d`.
/// `P` stands for the id of an assessor and `I` for that of an invite.
const REQUESTS_ABOUT_D: [(&str, &str); 25] = [
    ("GET", ""),
    ("GET", "/log"),
    ("GET", "/state"),
    ("GET", "/status"),
    ("GET", "/pairs"),
    ("GET", "/lists"),
    ("GET", "/reports"),
    ("GET", "/people"),
    ("GET", "/invites"),
    ("GET", "/export/all.zip"),
    ("GET", "/export/log.jsonl"),
    ("GET", "/export/people.csv"),
    ("GET", "/figures/status.svg"),
    ("GET", "/figures/people.svg"),
    ("POST", "/pause"),
    ("POST", "/resume"),
    ("POST", "/close"),
    ("POST", "/extend"),
    ("POST", "/invites"),
    ("POST", "/people/P/exclude"),
    ("POST", "/people/P/readmit"),
    ("POST", "/people/P/erase"),
    ("DELETE", "/invites/I"),
    ("GET", "/export/truth.csv"),
    ("GET", "/export/answers.csv"),
];

/// Sends all requests that concern `d`, with an existing assessor and an existing invite.
fn send_requests_about_d(
    server: &TestServer,
    client: &Client,
) -> Vec<(String, crate::test_server::HttpReply)> {
    let organiser = server.organiser();
    let people = organiser.get("/api/v1/campaigns/d/people").json;
    let invites = organiser.get("/api/v1/campaigns/d/invites").json;
    let person = people["people"][0]["person"].as_str().unwrap();
    let invite = invites["invites"][0]["id"].as_str().unwrap();
    let ask = |(method, path): (&str, &str)| {
        let path = path.replace("/P/", &format!("/{person}/"));
        let path = path.replace("/I", &format!("/{invite}"));
        let body = match path.as_str() {
            "/invites" => json!({"kind": "preference"}),
            "/extend" => json!({"votes": 2}),
            _ => json!({}),
        };
        let path = format!("/api/v1/campaigns/d{path}");
        let reply = client.request(
            method,
            &path,
            "application/json",
            body.to_string().as_bytes(),
        );
        (format!("{method} {path}"), reply)
    };
    REQUESTS_ABOUT_D.into_iter().map(ask).collect()
}

/// Returns the log and the invites of `d`, which no attack may change.
fn state_of_d(server: &TestServer) -> (Vec<u8>, Value) {
    let organiser = server.organiser();
    let log = organiser.get("/api/v1/campaigns/d/log").bytes;
    (log, organiser.get("/api/v1/campaigns/d/invites").json)
}

#[test]
fn a_token_restricted_to_one_campaign_gets_not_found_for_others() {
    let server = server_with_two_campaigns();
    let before = state_of_d(&server);
    let all = ["read", "manage", "people", "tokens"];
    let (_, of_c) = create_token(&server, &json!({"scopes": all, "campaign": "c"}));
    for (what, reply) in send_requests_about_d(&server, &of_c) {
        assert_eq!(
            (reply.status, reply.problem()),
            (404, "not-found"),
            "{what}"
        );
    }
    assert_eq!(state_of_d(&server), before);
    // The token cannot create a token with more rights.
    let wider = json!({"scopes": all});
    assert_eq!(of_c.post("/api/v1/tokens", &wider).problem(), "forbidden");
    assert_eq!(
        of_c.post("/api/v1/campaigns", &json!({})).problem(),
        "forbidden"
    );
    let upload = of_c.request("POST", "/api/v1/media", "audio/wav", b"x");
    assert_eq!(upload.problem(), "forbidden");
    assert_eq!(of_c.get("/api/v1/campaigns/c/log").status, 200);
}

#[test]
fn requests_without_a_valid_token_are_rejected() {
    let server = server_with_two_campaigns();
    let before = state_of_d(&server);
    let judge = server
        .enter_assessors("d", &json!("preference"), 1)
        .remove(0);
    let before_people = state_of_d(&server);
    let (id, revoked) = create_token(
        &server,
        &json!({"scopes": ["read", "manage", "people", "tokens"]}),
    );
    assert_eq!(revoked.get("/api/v1/campaigns").status, 200);
    let mut session = server.client("");
    session.headers = vec![("Origin", server.url.clone())];
    let begun = session.post("/api/v1/session", &json!({"token": revoked.token}));
    let cookie = begun.header("set-cookie").split(';').next().unwrap();
    session.headers.push(("Cookie", cookie.to_owned()));
    assert_eq!(session.get("/api/v1/campaigns").status, 200);
    let gone = server.organiser().delete(&format!("/api/v1/tokens/{id}"));
    assert_eq!(gone.status, 204);
    let invites = server.organiser().post(
        "/api/v1/campaigns/d/invites",
        &json!({"kind": "preference"}),
    );
    let invite = invites.json["invites"][0]["invite"].as_str().unwrap();
    let thieves = [
        server.client(""),
        server.client("guess"),
        server.client(&"0".repeat(64)),
        // An assessor's token, an invite token, the id of an organiser token, a revoked token.
        judge.clone(),
        server.client(invite),
        server.client(&id),
        revoked,
        // A session cookie whose token was revoked.
        session,
    ];
    let after = state_of_d(&server);
    assert!(before.0.len() <= before_people.0.len());
    for thief in &thieves {
        for (what, reply) in send_requests_about_d(&server, thief) {
            assert_eq!(
                (reply.status, reply.problem()),
                (401, "unauthorised"),
                "{what}"
            );
        }
        for path in ["/api/v1/campaigns", "/api/v1/tokens"] {
            assert_eq!(thief.get(path).status, 401);
            assert_eq!(thief.post(path, &json!({})).status, 401);
        }
    }
    assert_eq!(state_of_d(&server), after);
    // An organiser token gives no access to the assessors' API.
    let organiser = server.organiser();
    for (method, path) in [
        ("GET", "me"),
        ("PUT", "me"),
        ("POST", "next"),
        ("POST", "reports"),
        ("POST", "finish"),
        ("PUT", "answers/00000000-0000-4000-8000-000000000001"),
        ("PUT", "drafts/x"),
    ] {
        let path = format!("/api/v1/judge/{path}");
        let reply = organiser.request(method, &path, "application/json", b"{}");
        assert_eq!(reply.status, 401, "{method} {path}");
    }
}

#[test]
fn an_invite_link_admits_only_to_its_campaign_until_it_is_revoked() {
    let server = server_with_two_campaigns();
    let organiser = server.organiser();
    let made = organiser.post(
        "/api/v1/campaigns/c/invites",
        &json!({"kind": "preference"}),
    );
    let invite = &made.json["invites"][0];
    let enter = |campaign: &str| {
        let entry = json!({"campaign": campaign, "invite": invite["invite"]});
        server.client("").post("/api/v1/judge/enter", &entry)
    };
    assert_eq!(enter("d").problem(), "link");
    let entered = enter("c");
    assert_eq!(entered.status, 200);
    let path = format!(
        "/api/v1/campaigns/c/invites/{}",
        invite["id"].as_str().unwrap()
    );
    // An invite of `c` cannot be revoked through the path of `d`.
    let foreign = path.replace("/campaigns/c/", "/campaigns/d/");
    assert_eq!(organiser.delete(&foreign).status, 404);
    assert_eq!(enter("c").status, 200);
    assert_eq!(organiser.delete(&path).status, 204);
    assert_eq!(enter("c").problem(), "link");
    // An assessor who entered by the invite before its revocation can continue. To stop them,
    // organisers exclude them.
    let judge = server.client(entered.json["token"].as_str().unwrap());
    assert_eq!(judge.next().json["state"], "work");
}

#[test]
fn tasks_and_assessors_of_one_campaign_are_inaccessible_from_another() {
    let server = server_with_two_campaigns();
    let of_c = server
        .enter_assessors("c", &json!("preference"), 1)
        .remove(0);
    let of_d = server
        .enter_assessors("d", &json!("preference"), 1)
        .remove(0);
    let task = of_d.tasks()[0]["task"].clone();
    let answer = json!({"task": task, "seconds": 1, "answer": "a"});
    assert_eq!(of_c.answer(1, &answer).problem(), "task");
    let report = json!({"task": task, "part": "a", "problem": "load"});
    assert_eq!(
        of_c.post("/api/v1/judge/reports", &report).problem(),
        "task"
    );
    let draft = json!({"version": 1, "groups": [], "unranked": []});
    let path = format!("/api/v1/judge/drafts/{}", task.as_str().unwrap());
    assert_eq!(of_c.put(&path, &draft).problem(), "task");
    let person = of_d.get("/api/v1/judge/me").json["person"]
        .as_str()
        .unwrap()
        .to_owned();
    for act in ["exclude", "readmit", "erase"] {
        let path = format!("/api/v1/campaigns/c/people/{person}/{act}");
        assert_eq!(
            server.organiser().post(&path, &json!({})).status,
            404,
            "{act}"
        );
    }
    assert_eq!(of_d.answer(2, &answer).status, 201);
}

#[test]
fn requests_from_other_sites_with_a_session_cookie_are_rejected() {
    let server = server_with_two_campaigns();
    let mut browser = server.client("");
    browser.headers = vec![("Origin", server.url.clone())];
    let begun = browser.post(
        "/api/v1/session",
        &json!({"token": server.organiser().token}),
    );
    let cookie = begun
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let before = state_of_d(&server);
    for origin in [
        None,
        Some("https://evil.example"),
        Some("null"),
        Some("http://127.0.0.1"),
        Some(""),
    ] {
        let mut foreign = server.client("");
        foreign.headers = vec![("Cookie", cookie.clone())];
        foreign
            .headers
            .extend(origin.map(|origin| ("Origin", origin.to_owned())));
        for (what, reply) in send_requests_about_d(&server, &foreign) {
            if !what.starts_with("GET") {
                assert_eq!(
                    (reply.status, reply.problem()),
                    (403, "origin"),
                    "{what} from {origin:?}"
                );
            }
            // Scripts of other sites must not be able to read the response.
            assert_eq!(reply.header("access-control-allow-origin"), "", "{what}");
        }
        // HTML forms of other sites can send the content type `text/plain`.
        let form = foreign.request("POST", "/api/v1/campaigns/d/close", "text/plain", b"{}");
        assert_eq!(form.problem(), "origin");
        for path in ["/api/v1/campaigns", "/api/v1/tokens", "/api/v1/media"] {
            assert_eq!(foreign.post(path, &json!({})).problem(), "origin", "{path}");
        }
        assert_eq!(foreign.delete("/api/v1/session").problem(), "origin");
        assert_eq!(foreign.delete("/api/v1/tokens/x").problem(), "origin");
    }
    assert_eq!(state_of_d(&server), before);
    browser.headers.push(("Cookie", cookie));
    assert_eq!(
        browser.post("/api/v1/campaigns/d/pause", &json!({})).status,
        200
    );
}

#[test]
fn rate_limits_use_the_client_address_reported_by_a_trusted_proxy() {
    let people = |server: &TestServer, address: &str, invite: &str| {
        let mut client = server.client("");
        client.headers = vec![("X-Forwarded-For", address.to_owned())];
        let entry = json!({"campaign": "c", "invite": invite});
        client.post("/api/v1/judge/enter", &entry).status
    };
    let server = TestServer::with_options(|settings| {
        settings.disable_rate_limits = false;
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    });
    let made = server.organiser().post(
        "/api/v1/campaigns",
        &text_campaign("c", 1, &[("q", &["x", "y"])]),
    );
    assert_eq!(made.status, 201);
    let guesses: Vec<u16> = (0..25)
        .map(|_| people(&server, "192.0.2.1", "guess"))
        .collect();
    assert!(
        guesses[..20].iter().all(|status| *status == 403),
        "{guesses:?}"
    );
    assert!(
        guesses[20..]
            .iter()
            .filter(|status| **status == 429)
            .count()
            >= 4,
        "{guesses:?}"
    );
    // Other client addresses are not limited. An address that the client itself wrote into the
    // header is ignored.
    assert_eq!(people(&server, "192.0.2.2", "guess"), 403);
    assert_eq!(people(&server, "198.51.100.9, 192.0.2.1", "guess"), 429);
    // Entries with a valid link are limited as well.
    let invites = json!({"kind": "preference"});
    let made = server
        .organiser()
        .post("/api/v1/campaigns/c/invites", &invites);
    let invite = made.json["invites"][0]["invite"].as_str().unwrap();
    let entries: Vec<u16> = (0..130)
        .map(|_| people(&server, "192.0.2.3", invite))
        .collect();
    assert!(
        entries[..120].iter().all(|status| *status == 200),
        "{entries:?}"
    );
    assert!(entries[120..].contains(&429), "{entries:?}");
    // Requests with wrong tokens also count as failed authentications.
    let mut thief = server.client("wrong");
    thief.headers = vec![("X-Forwarded-For", "192.0.2.4".to_owned())];
    let mut wrong = Vec::new();
    for number in 0..25 {
        thief.token = format!("wrong{number}");
        wrong.push(thief.get("/api/v1/campaigns").status);
    }
    assert_eq!(
        (wrong[0], wrong[19], wrong[24]),
        (401, 401, 429),
        "{wrong:?}"
    );
}

#[test]
fn forwarded_addresses_are_ignored_without_a_trusted_proxy() {
    let server = TestServer::with_limits();
    let mut reply = Vec::new();
    for number in 0..25 {
        let mut client = server.client("");
        client.headers = vec![("X-Forwarded-For", format!("192.0.2.{number}"))];
        let entry = json!({"campaign": "c", "invite": "guess"});
        reply.push(client.post("/api/v1/judge/enter", &entry).status);
    }
    assert_eq!((reply[0], reply[24]), (403, 429), "{reply:?}");
}
