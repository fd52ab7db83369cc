//! Labels of invite links: from a list or a file, under People, changed and erased.

use serde_json::{Value, json};

use crate::test_server::{Client, HttpReply, TestServer, answer_by_text, text_campaign};

const INVITES: &str = "/api/v1/campaigns/c/invites";

/// Starts a server with a campaign of pairs and rankings.
fn server_with_campaign() -> TestServer {
    let server = TestServer::new();
    let mut document = text_campaign("c", 2, &[("quartet", &["allegro", "largo", "presto"])]);
    document["kinds"] = json!(["preference", "ranking"]);
    document["judging"] = json!({"per_person": 2});
    server.create_campaign(&document, 0);
    server
}

/// Returns the invites as an organiser sees them, by label.
fn listed(organiser: &Client, label: &str) -> Value {
    let invites = organiser.get(INVITES).json["invites"].clone();
    let mut invites = invites.as_array().unwrap().clone().into_iter();
    let found = invites.find(|invite| invite["label"] == label);
    found.unwrap_or(Value::Null)
}

/// Lets somebody enter by an invite.
fn enter(server: &TestServer, invite: &Value) -> Value {
    let entry = json!({"campaign": "c", "invite": invite["invite"]});
    let entered = server.client("").post("/api/v1/judge/enter", &entry);
    assert_eq!(entered.status, 200, "{:?}", entered.json);
    entered.json
}

/// Sends a list of people as CSV.
fn post_csv(organiser: &Client, csv: &str) -> HttpReply {
    organiser.request("POST", INVITES, "text/csv", csv.as_bytes())
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn use_b16_each_person_of_a_list_gets_a_link_whose_label_people_show() {
    let server = server_with_campaign();
    let organiser = server.organiser();
    let people = json!([{"label": "Mia Roth", "email": "mia@example.org"}, {"label": " Óscar "}]);
    let made = organiser.post(INVITES, &json!({"kind": "preference", "people": people}));
    assert_eq!(made.status, 201, "{:?}", made.json);
    let labels: Vec<&Value> = (made.json["invites"].as_array().unwrap().iter())
        .map(|invite| &invite["label"])
        .collect();
    assert_eq!(labels, ["Mia Roth", "Óscar"]);
    let mia = listed(&organiser, "Mia Roth");
    assert_eq!(
        (&mia["state"], &mia["answers"]),
        (&json!("unused"), &json!(0))
    );
    assert_eq!(mia["email"], "mia@example.org");

    let entered = enter(&server, &made.json["invites"][0]);
    assert_eq!(listed(&organiser, "Mia Roth")["state"], "entered");
    let judge = server.client(entered["token"].as_str().unwrap());
    let mut tasks = judge.tasks().into_iter();
    let mut answer = |id| {
        let saved = judge.answer(id, &answer_by_text(&tasks.next().unwrap()));
        assert_eq!(saved.status, 201, "{:?}", saved.json);
    };
    answer(1);
    let mia = listed(&organiser, "Mia Roth");
    assert_eq!(
        (&mia["state"], &mia["answers"]),
        (&json!("working"), &json!(1))
    );
    answer(2);
    assert_eq!(judge.post("/api/v1/judge/finish", &json!({})).status, 200);
    assert_eq!(listed(&organiser, "Mia Roth")["state"], "done");

    // Names are personal data: under People they need the scope `people`.
    let scopes = json!({"scopes": ["read"]});
    let token = organiser.post("/api/v1/tokens", &scopes).json["token"].clone();
    let reader = server.client(token.as_str().unwrap());
    let people = |client: &Client| text(client.get("/api/v1/campaigns/c/people").bytes);
    let csv = |client: &Client| text(client.get("/api/v1/campaigns/c/export/people.csv").bytes);
    assert!(people(&organiser).contains(r#""label":"Mia Roth""#));
    assert!(csv(&organiser).contains(",Mia Roth,"));
    let found = organiser
        .get("/api/v1/campaigns/c/people?find=roth&limit=5")
        .json;
    assert_eq!(found["total"], 1);
    for hidden in [people(&reader), csv(&reader)] {
        assert!(!hidden.contains("Mia Roth"));
    }
    assert!(!text(reader.get(INVITES).bytes).contains("mia@example.org"));

    // The label can be changed, also after the link was used, and erasing clears it.
    let path = format!("{INVITES}/{}", mia["id"].as_str().unwrap());
    let patch = |path: &str, body: &Value| {
        organiser.request(
            "PATCH",
            path,
            "application/json",
            body.to_string().as_bytes(),
        )
    };
    assert_eq!(patch(&path, &json!({"label": "M. Roth-Lee"})).status, 204);
    assert!(people(&organiser).contains(r#""label":"M. Roth-Lee""#));
    for bad in ["", " ", &"x".repeat(201)] {
        let refused = patch(&path, &json!({"label": bad}));
        assert_eq!(refused.json["errors"][0]["pointer"], "/label");
    }
    assert_eq!(
        patch(&format!("{INVITES}/none"), &json!({"label": "x"})).status,
        404
    );
    let person = entered["person"].as_str().unwrap();
    let erase = format!("/api/v1/campaigns/c/people/{person}/erase");
    assert_eq!(organiser.post(&erase, &json!({})).status, 204);
    let all = text(organiser.get(INVITES).bytes);
    assert!(!all.contains("Roth") && !all.contains("mia@"), "{all}");
    assert!(all.contains("Óscar"));
}

#[test]
fn use_b16_a_file_of_names_gives_a_file_of_links() {
    let server = server_with_campaign();
    let mut organiser = server.organiser();
    organiser.headers.push(("Accept", "text/csv".to_owned()));
    let csv = "name,email,kind\n\"Roth, Mia\",mia@example.org,ranking\n=Óscar,,\n";
    let made = post_csv(&organiser, csv);
    assert_eq!(made.status, 201, "{:?}", made.json);
    assert_eq!(made.header("content-type"), "text/csv; charset=utf-8");
    let made = text(made.bytes);
    let lines: Vec<&str> = made.lines().collect();
    assert_eq!(lines.len(), 3, "{made}");
    assert_eq!(lines[0], "label,email,link");
    let start = format!("\"Roth, Mia\",mia@example.org,\"{}/j/c#invite=", server.url);
    assert!(lines[1].starts_with(&start), "{made}");
    assert!(lines[2].starts_with("'=Óscar,,\"http"), "{made}");
    let organiser = server.organiser();
    assert_eq!(listed(&organiser, "Roth, Mia")["kind"], "ranking");
    assert_eq!(listed(&organiser, "=Óscar")["kind"], "preference");
    // One column is enough, and names have blanks.
    let made = post_csv(&organiser, "name\nMia Roth\nÓscar de la Fuente\n");
    assert_eq!(made.json["invites"][1]["label"], "Óscar de la Fuente");
}

#[test]
fn use_b16_faults_of_lists_and_files_make_no_link() {
    let server = server_with_campaign();
    let organiser = server.organiser();
    let long = "x".repeat(201);
    let refused = |body: Value| {
        let reply = organiser.post(INVITES, &body);
        assert_eq!(reply.status, 422, "{:?}", reply.json);
        reply.json["errors"][0]["pointer"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let of = |people: Value| json!({"kind": "preference", "people": people});
    assert_eq!(refused(of(json!([]))), "/people");
    assert_eq!(
        refused(of(json!([{"label": "a"}, {"label": ""}]))),
        "/people/1/label"
    );
    assert_eq!(refused(of(json!([{"label": long}]))), "/people/0/label");
    assert_eq!(
        refused(of(json!([{"label": "a", "email": "nobody"}]))),
        "/people/0/email"
    );
    assert_eq!(
        refused(of(json!(vec![json!({"label": "a"}); 1_001]))),
        "/people"
    );
    let mut both = of(json!([{"label": "a"}]));
    both["count"] = json!(2);
    assert_eq!(refused(both), "/people");
    assert_eq!(
        refused(json!({"kind": "preference", "label": long})),
        "/label"
    );
    assert_eq!(
        refused(json!({"kind": "grading", "people": [{"label": "a"}]})),
        "/kind"
    );
    for (csv, words) in [
        ("", "nothing in this file"),
        ("name\n", "nothing in this file"),
        ("Mia Roth\nÓscar\n", "no column name"),
        ("name,phone\nMia,1\n", "`phone`"),
        ("name,kind\nMia,singing\n", "singing"),
        ("name,email\nMia,nobody\n", "`nobody`"),
        ("name,email\nMia\n", "2 columns"),
        ("name,email\n,mia@example.org\n", "no name"),
        ("name,kind\nMia,grading\n", "grading"),
    ] {
        let reply = post_csv(&organiser, csv);
        assert_eq!(reply.status, 422, "{csv:?}");
        let detail = reply.json["detail"].as_str().unwrap();
        assert!(detail.contains(words), "{csv:?}: {detail}");
    }
    assert_eq!(organiser.get(INVITES).json["invites"], json!([]));
}
