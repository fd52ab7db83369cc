//! Attacks on the protections that `SECURITY.md` describes.

use serde_json::json;

use crate::test_server::{Client, TestServer, text_campaign};

/// Expected content security policy of all responses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

#[test]
fn every_response_has_the_security_headers() {
    let server = TestServer::new();
    // A PNG signature followed by a script is served as an image, not as HTML.
    let polyglot = b"\x89PNG\r\n\x1a\n<script>alert(1)</script>";
    let taken = (server.organiser()).request("POST", "/api/v1/media", "text/html", polyglot);
    let media = format!("/media/{}", taken.json["media"].as_str().unwrap());
    assert_eq!(
        server.client("").get(&media).header("content-type"),
        "image/png"
    );
    for path in [
        "/",
        "/j/c",
        "/organise",
        "/api/v1/campaigns",
        "/nowhere",
        &media,
    ] {
        let reply = server.client("").get(path);
        assert_eq!(reply.header("content-security-policy"), POLICY, "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
    }
    assert_eq!(
        server
            .client("")
            .get("/api/v1/campaigns")
            .header("cache-control"),
        "no-store"
    );
}

#[test]
fn sessions_accept_requests_only_from_the_same_origin() {
    let server = TestServer::new();
    let token = server.organiser().token;
    let mut browser = server.client("");
    let body = json!({"token": token});
    assert_eq!(browser.post("/api/v1/session", &body).problem(), "origin");
    browser.headers = vec![("Origin", "https://evil.example".to_owned())];
    assert_eq!(browser.post("/api/v1/session", &body).problem(), "origin");
    browser.headers = vec![("Origin", server.url.clone())];
    let begun = browser.post("/api/v1/session", &body);
    assert_eq!(begun.status, 204);
    let cookie = begun.header("set-cookie").to_owned();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().unwrap().to_owned();
    browser.headers.push(("Cookie", cookie.clone()));
    let document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    assert_eq!(browser.post("/api/v1/campaigns", &document).status, 201);
    let mut foreign = server.client("");
    foreign.headers = vec![
        ("Origin", "https://evil.example".to_owned()),
        ("Cookie", cookie),
    ];
    let attack = foreign.post("/api/v1/campaigns/c/close", &json!({}));
    assert_eq!((attack.status, attack.problem()), (403, "origin"));
    foreign.headers.remove(0);
    assert_eq!(
        foreign
            .post("/api/v1/campaigns/c/close", &json!({}))
            .problem(),
        "origin"
    );
    assert_eq!(browser.delete("/api/v1/session").status, 204);
    assert_eq!(browser.get("/api/v1/campaigns").status, 401);
}

#[test]
fn tokens_are_restricted_to_their_scopes_and_campaign() {
    let server = TestServer::new();
    server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 1);
    server.create_campaign(&text_campaign("d", 1, &[("q", &["x", "y"])]), 1);
    let organiser = server.organiser();
    let token = |body: serde_json::Value| -> (String, Client) {
        let made = organiser.post("/api/v1/tokens", &body).json;
        let id = made["id"].as_str().unwrap().to_owned();
        (id, server.client(made["token"].as_str().unwrap()))
    };
    let (id, reader) = token(json!({"scopes": ["read"], "campaign": "c"}));
    assert_eq!(reader.get("/api/v1/campaigns/c/log").status, 200);
    assert_eq!(
        reader
            .post("/api/v1/campaigns/c/pause", &json!({}))
            .problem(),
        "forbidden"
    );
    assert_eq!(reader.get("/api/v1/campaigns/d/log").status, 404);
    assert_eq!(
        reader.get("/api/v1/campaigns").json["campaigns"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(reader.get("/api/v1/tokens").problem(), "forbidden");
    assert_eq!(
        reader.post("/api/v1/campaigns", &json!({})).problem(),
        "forbidden"
    );
    let (_, manager) = token(json!({"scopes": ["read", "manage"]}));
    assert_eq!(
        manager
            .post("/api/v1/tokens", &json!({"scopes": ["tokens"]}))
            .problem(),
        "forbidden"
    );
    assert_eq!(
        organiser.delete(&format!("/api/v1/tokens/{id}")).status,
        204
    );
    assert_eq!(reader.get("/api/v1/campaigns/c/log").status, 401);
    let listed = organiser.get("/api/v1/tokens");
    assert!(
        !String::from_utf8(listed.bytes)
            .unwrap()
            .contains(&manager.token)
    );
}

#[test]
fn recruiter_ids_require_the_people_scope_and_can_be_erased() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y", "z"])]);
    document["recruiter"] = json!({"preset": "prolific"});
    server.create_campaign(&document, 1);
    let entry = json!({"campaign": "c", "params": {"PROLIFIC_PID": "pid-77"}});
    let entered = server.client("").post("/api/v1/judge/enter", &entry).json;
    let person = entered["person"].as_str().unwrap();
    let organiser = server.organiser();
    let seen = |client: &Client| {
        let people = client.get("/api/v1/campaigns/c/people");
        String::from_utf8(people.bytes).unwrap().contains("pid-77")
    };
    assert!(seen(&organiser));
    let made = organiser
        .post("/api/v1/tokens", &json!({"scopes": ["read"]}))
        .json;
    let reader = server.client(made["token"].as_str().unwrap());
    assert!(!seen(&reader));
    let log = organiser.get("/api/v1/campaigns/c/log");
    assert!(!String::from_utf8(log.bytes).unwrap().contains("pid-77"));
    let path = format!("/api/v1/campaigns/c/people/{person}/erase");
    assert_eq!(reader.post(&path, &json!({})).problem(), "forbidden");
    assert_eq!(organiser.post(&path, &json!({})).status, 204);
    assert!(!seen(&organiser));
    let judge = server.client(entered["token"].as_str().unwrap());
    assert_eq!(judge.next().status, 401);
}

#[test]
fn erasing_an_assessor_revokes_their_invite_link() {
    let server = TestServer::new();
    server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 1);
    let organiser = server.organiser();
    let invites = organiser.post(
        "/api/v1/campaigns/c/invites",
        &json!({"kind": "preference"}),
    );
    let entry = json!({"campaign": "c", "invite": invites.json["invites"][0]["invite"]});
    let enter = || server.client("").post("/api/v1/judge/enter", &entry);
    let person = enter().json["person"].as_str().unwrap().to_owned();
    assert_eq!(enter().json["resumed"], true);
    let path = format!("/api/v1/campaigns/c/people/{person}/erase");
    assert_eq!(organiser.post(&path, &json!({})).status, 204);
    assert_eq!(enter().problem(), "link");
}

#[test]
fn too_large_and_malformed_bodies_are_rejected() {
    let server = TestServer::new();
    let people = server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 1);
    let path = format!("/api/v1/judge/answers/{}", crate::test_server::uuid(1));
    let large = vec![b' '; 70 << 10];
    let reply = people[0].request("PUT", &path, "application/json", &large);
    assert_eq!((reply.status, reply.problem()), (413, "too-large"));
    assert_eq!(
        people[0]
            .request("PUT", &path, "text/plain", b"{}")
            .problem(),
        "media-type"
    );
    assert_eq!(
        people[0]
            .request("PUT", &path, "application/json", b"{")
            .problem(),
        "invalid"
    );
    let deep = "[".repeat(60_000);
    assert_eq!(
        people[0]
            .request("PUT", &path, "application/json", deep.as_bytes())
            .problem(),
        "invalid"
    );
    let task = people[0].tasks()[0]["task"].clone();
    let extra = json!({"task": task, "seconds": 1, "answer": "a", "colour": 1});
    assert_eq!(people[0].answer(1, &extra).problem(), "invalid");
    let nan = format!("{{\"task\":{task},\"seconds\":1e999,\"answer\":\"a\"}}");
    assert_eq!(
        people[0]
            .request("PUT", &path, "application/json", nan.as_bytes())
            .problem(),
        "invalid"
    );
    let no_id = people[0].put("/api/v1/judge/answers/no-uuid", &json!({"task": task}));
    assert_eq!(no_id.problem(), "invalid");
}

#[test]
fn guessed_links_and_frequent_requests_are_rate_limited() {
    let server = TestServer::with_limits();
    let organiser = server.organiser();
    let document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    assert_eq!(organiser.post("/api/v1/campaigns", &document).status, 201);
    let guess = || {
        let entry = json!({"campaign": "c", "invite": "guess"});
        server.client("").post("/api/v1/judge/enter", &entry)
    };
    let reply: Vec<u16> = (0..40).map(|_| guess().status).collect();
    assert_eq!(reply[0], 403);
    assert!(reply.contains(&429), "{reply:?}");
    let often: Vec<u16> = (0..60)
        .map(|_| organiser.get("/api/v1/campaigns").status)
        .collect();
    assert!(often.contains(&429), "{often:?}");
}

#[test]
fn user_supplied_texts_are_never_served_as_html() {
    let server = TestServer::new();
    let script = "<script>alert(1)</script>";
    let mut document = text_campaign("c", 1, &[(script, &[script, "y"])]);
    document["title"] = json!(script);
    let people = server.create_campaign(&document, 1);
    people[0].put("/api/v1/judge/me", &json!({"background": script}));
    let task = people[0].tasks()[0].clone();
    let body = json!({"task": task["task"], "seconds": 1, "answer": "a", "comment": script});
    assert_eq!(people[0].answer(1, &body).status, 201);
    // Pages do not contain the texts, and other responses that contain them are not HTML.
    for path in [
        "/j/c",
        "/organise/c",
        "/j/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
    ] {
        let page = String::from_utf8(server.client("").get(path).bytes).unwrap();
        assert!(!page.contains("alert(1)"), "{path}");
    }
    let organiser = server.organiser();
    for path in [
        "people",
        "lists",
        "log",
        "export/remarks.csv",
        "export/people.csv",
    ] {
        let reply = organiser.get(&format!("/api/v1/campaigns/c/{path}"));
        assert!(!reply.header("content-type").contains("html"), "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
    }
}

#[test]
fn the_first_organiser_token_is_only_in_its_private_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = TestServer::new();
    let token = server.organiser().token;
    for (name, mode) in [
        ("organiser.token", 0o600),
        ("secret", 0o600),
        ("partita.db", 0o600),
        ("", 0o700),
    ] {
        let path = server.data().join(name);
        let found = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{name}");
    }
    let database = std::fs::read(server.data().join("partita.db")).unwrap();
    let log = std::fs::read(server.data().join("partita.db-wal")).unwrap_or_default();
    for bytes in [database, log] {
        assert!(
            !bytes
                .windows(token.len())
                .any(|part| part == token.as_bytes())
        );
    }
}

#[test]
fn every_test_named_in_security_md_exists() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let guide = read("SECURITY.md");
    let (_, table) = guide.split_once("| rule | attacked by |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let named = table.split('`').filter_map(|part| part.split_once("::"));
    let mut count = 0;
    for (module, test) in named {
        let folder = match module {
            "serve_attacked" => "crates/cli/tests/program",
            _ => "crates/server/tests/integration",
        };
        let source = read(&format!("{folder}/{module}.rs"));
        assert!(source.contains(&format!("fn {test}()")), "{module}::{test}");
        count += 1;
    }
    let pages = ["safety", "proxy"]
        .map(|name| read(&format!("crates/server/tests/browser/{name}.test.js")));
    for test in table.split('"').skip(1).step_by(2) {
        let test = format!("test(\"{test}\"");
        assert!(pages.iter().any(|page| page.contains(&test)), "{test}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

/// Returns the fields of `security.txt`, keyed by name.
fn security_txt_fields(server: &TestServer) -> std::collections::BTreeMap<String, String> {
    let reply = server.client("").get("/.well-known/security.txt");
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, "text/plain; charset=utf-8")
    );
    let text = String::from_utf8(reply.bytes).unwrap();
    let field = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.to_owned(), value.to_owned())
    };
    let fields: Vec<(String, String)> = text.lines().map(field).collect();
    let count = fields.len();
    let fields: std::collections::BTreeMap<String, String> = fields.into_iter().collect();
    assert_eq!(fields.len(), count, "a field occurs twice: {text}");
    fields
}

#[test]
fn security_txt_contains_a_valid_contact() {
    // RFC 9116 requires the fields Contact, a URI, and Expires, which should be
    // less than a year ahead.
    let told = TestServer::with_security_contact("mailto:security@example.org");
    let fields = security_txt_fields(&told);
    assert_eq!(fields["Contact"], "mailto:security@example.org");
    let expires: partita::judging::campaign::log::Timestamp = fields["Expires"].parse().unwrap();
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
    let days = (expires.seconds() - now) / 86_400.0;
    assert!((100.0..365.0).contains(&days), "{days} days");
    let page = |server: &TestServer| {
        let reply = server.client("").get("/security");
        assert_eq!(reply.status, 200);
        String::from_utf8(reply.bytes).unwrap()
    };
    assert!(page(&told).contains("write to mailto:security@example.org"));
    // Without a configured contact, the contact is the security page of the server.
    let silent = TestServer::new();
    let fields = security_txt_fields(&silent);
    assert_eq!(fields["Contact"], format!("{}/security", silent.url));
    assert_eq!(
        fields["Canonical"],
        format!("{}/.well-known/security.txt", silent.url)
    );
    let words = page(&silent);
    assert!(words.contains("contact its operator"), "{words}");
    assert!(words.contains("Reporting a vulnerability"), "{words}");
    for bad in [
        "",
        "me@example.org",
        "http://example.org",
        "mailto:",
        "https://a b",
        "https://a\nExpires: x",
    ] {
        assert!(
            bad.parse::<partita_server::SecurityContact>().is_err(),
            "{bad:?}"
        );
    }
}

#[test]
fn server_b4_an_open_page_cannot_undo_an_erasure() {
    let server = TestServer::new();
    let mut document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    document["recruiter"] = json!({"preset": "connect"});
    server.create_campaign(&document, 0);
    let organiser = server.organiser();
    for round in 0..12 {
        let params = json!({"participantId": format!("pid-{round}")});
        let mut entry = json!({"campaign": "c", "params": params});
        let entered = server.client("").post("/api/v1/judge/enter", &entry).json;
        let person = entered["person"].as_str().unwrap().to_owned();
        let judge = server.client(entered["token"].as_str().unwrap());
        // The page writes all the time, as one that saves what somebody types.
        let page = {
            let judge = judge.clone();
            std::thread::spawn(move || {
                let text = json!({"background": "I am Nora Bell"});
                while judge.put("/api/v1/judge/me", &text).status == 200 {}
                judge.put("/api/v1/judge/me", &text).status
            })
        };
        std::thread::sleep(std::time::Duration::from_millis(10));
        let path = format!("/api/v1/campaigns/c/people/{person}/erase");
        assert_eq!(organiser.post(&path, &json!({})).status, 204);
        assert_eq!(judge.get("/api/v1/judge/me").status, 401);
        assert_eq!(page.join().unwrap(), 401, "the page is refused from now on");
        for request in [
            judge.next(),
            judge.post("/api/v1/judge/finish", &json!({})),
            judge.answer(1, &json!({"task": "1-a", "seconds": 1, "answer": "a"})),
        ] {
            assert_eq!((request.status, request.problem()), (401, "unauthorised"));
        }
        // The page must not become a new person with the same data by itself.
        entry["person"] = json!(person);
        let again = server.client("").post("/api/v1/judge/enter", &entry);
        assert_eq!((again.status, again.problem()), (403, "link"));
        let csv = organiser.get("/api/v1/campaigns/c/export/people.csv").bytes;
        let csv = String::from_utf8(csv).unwrap();
        assert!(!csv.contains("Nora") && !csv.contains("pid-"), "{csv}");
    }
}

#[test]
fn server_b4_erasing_clears_the_label_of_the_invite() {
    let server = TestServer::new();
    server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 0);
    let organiser = server.organiser();
    let invites = json!({"kind": "preference", "label": "Nora Bell <nora@example.org>"});
    let invites = organiser.post("/api/v1/campaigns/c/invites", &invites).json;
    let entry = json!({"campaign": "c", "invite": invites["invites"][0]["invite"]});
    let entered = server.client("").post("/api/v1/judge/enter", &entry).json;
    let listed = || {
        let listed = organiser.get("/api/v1/campaigns/c/invites").bytes;
        String::from_utf8(listed).unwrap()
    };
    assert!(listed().contains("nora@example.org"));
    let person = entered["person"].as_str().unwrap();
    let path = format!("/api/v1/campaigns/c/people/{person}/erase");
    assert_eq!(organiser.post(&path, &json!({})).status, 204);
    assert!(!listed().contains("Nora"));
}
