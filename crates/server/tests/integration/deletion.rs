//! Deletion of campaigns, and of expired tokens.

use std::time::{Duration, Instant};

use partita_server::ServerStorage;
use serde_json::{Value, json};

use crate::test_server::{
    Client, HttpReply, POSTGRES_LOCK, TestServer, answer_by_text, clip, create_database,
    text_campaign,
};

/// Sends the request that deletes a campaign.
fn delete(client: &Client, campaign: &str, confirm: &str) -> HttpReply {
    let body = json!({"confirm": confirm}).to_string();
    let path = format!("/api/v1/campaigns/{campaign}");
    client.request("DELETE", &path, "application/json", body.as_bytes())
}

/// Uploads a clip and returns its id.
fn upload(organiser: &Client, millis: u32) -> String {
    let saved = organiser.request("POST", "/api/v1/media", "audio/wav", &clip(millis));
    assert_eq!(saved.status, 201, "{:?}", saved.json);
    saved.json["media"].as_str().unwrap().to_owned()
}

/// Returns a document of a list whose query and first two items show clips.
fn document(name: &str, clips: [&String; 3]) -> Value {
    let mut document = text_campaign(name, 1, &[("q", &["x", "y", "z"])]);
    document["lists"][0]["show"] = json!({"audio": clips[0]});
    for item in [0, 1] {
        document["lists"][0]["items"][item]["show"] = json!({"audio": clips[item + 1]});
    }
    document["judging"] = json!({"hear": "none"});
    document
}

/// Answers the first task of a person.
fn answer_one(person: &Client, id: u128) -> HttpReply {
    person.answer(id, &answer_by_text(&person.tasks()[0]))
}

/// Checks what the deletion of a campaign removes and what it leaves.
fn check_deletion(server: &TestServer) {
    let organiser = server.organiser();
    let clips: Vec<String> = (1..=4)
        .map(|length| upload(&organiser, length * 20))
        .collect();
    let [own, shared, extension, other] = &clips[..] else {
        unreachable!("four clips were uploaded")
    };
    let judge = server
        .create_campaign(&document("old", [own, shared, own]), 1)
        .remove(0);
    let stays = server
        .create_campaign(&document("stays", [other, shared, other]), 1)
        .remove(0);
    let mut list = document("more", [extension, extension, own])["lists"][0].clone();
    list["query"] = json!("second");
    let extended = organiser.post("/api/v1/campaigns/old/extend", &json!({"lists": [list]}));
    assert_eq!(extended.status, 200, "{:?}", extended.json);
    for (person, id) in [(&judge, 1), (&stays, 2)] {
        assert_eq!(answer_one(person, id).status, 201);
    }
    let task = judge.tasks()[0]["task"].clone();
    let report = json!({"task": task, "part": "a", "problem": "silent", "note": "nothing"});
    let reported = judge.post("/api/v1/judge/reports", &report);
    assert!(reported.status < 300, "{:?}", reported.json);
    let bound = organiser.post(
        "/api/v1/tokens",
        &json!({"scopes": ["read", "manage"], "campaign": "old"}),
    );
    let bound = server.client(bound.json["token"].as_str().unwrap());
    let reader = organiser.post("/api/v1/tokens", &json!({"scopes": ["read"]}));
    let reader = server.client(reader.json["token"].as_str().unwrap());

    // Only a closed campaign, only by its name, only with the scope.
    let refused = delete(&organiser, "old", "old");
    assert_eq!((refused.status, refused.problem()), (409, "open"));
    assert_eq!(
        organiser
            .post("/api/v1/campaigns/old/close", &json!({}))
            .status,
        200
    );
    let refused = delete(&organiser, "old", "stays");
    assert_eq!((refused.status, refused.problem()), (422, "invalid"));
    assert_eq!(refused.json["errors"][0]["pointer"], "/confirm");
    assert_eq!(delete(&reader, "old", "old").status, 403);
    assert_eq!(delete(&bound, "stays", "stays").status, 404);
    assert_eq!(organiser.get("/api/v1/campaigns/old").status, 200);

    let deleted = delete(&organiser, "old", "old");
    assert_eq!(deleted.status, 204, "{:?}", deleted.json);
    assert_eq!(delete(&organiser, "old", "old").status, 404);
    assert_eq!(organiser.get("/api/v1/campaigns/old").status, 404);
    assert_eq!(organiser.get("/api/v1/campaigns/old/status").status, 404);
    let names: Vec<Value> = organiser.get("/api/v1/campaigns").json["campaigns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|campaign| campaign["name"].clone())
        .collect();
    assert_eq!(names, ["stays"]);
    assert_eq!(judge.next().status, 401);
    assert_eq!(bound.get("/api/v1/campaigns").status, 401);
    for (id, status) in [(own, 404), (extension, 404), (shared, 200), (other, 200)] {
        assert_eq!(
            server.client("").get(&format!("/media/{id}")).status,
            status
        );
    }

    // The other campaign goes on, and a new one may have the name.
    assert_eq!(answer_one(&stays, 3).status, 201);
    let own = upload(&organiser, 20);
    let again = server
        .create_campaign(&document("old", [&own, shared, &own]), 1)
        .remove(0);
    assert_eq!(answer_one(&again, 1).status, 201);
    let log = organiser.get("/api/v1/campaigns/old/log").bytes;
    let answers = String::from_utf8(log).unwrap();
    assert_eq!(answers.matches("\"answered\"").count(), 1);
    assert_eq!(
        organiser.get("/api/v1/campaigns/old/people").json["people"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn server_b16_a_deleted_campaign_leaves_nothing() {
    let mut server = TestServer::new();
    check_deletion(&server);
    let organiser = server.organiser();
    assert_eq!(
        organiser
            .post("/api/v1/campaigns/old/close", &json!({}))
            .status,
        200
    );
    let place = ServerStorage::Folder(server.data());
    assert!(place.delete_campaign("stays").is_err(), "it is open");
    // A command deletes the campaign beside the server.
    place.delete_campaign("old").unwrap();
    assert_eq!(organiser.get("/api/v1/campaigns/old").status, 404);
    assert!(place.verify().unwrap().sound);
    server.stop();
    let database = rusqlite::Connection::open(server.data().join("partita.db")).unwrap();
    let columns = "SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c \
                   WHERE t.type = 'table' AND c.name = 'campaign'";
    let mut tables = database.prepare(columns).unwrap();
    let tables = tables.query_map([], |row| row.get(0)).unwrap();
    let tables: Vec<String> = tables.map(Result::unwrap).collect();
    assert!(tables.len() >= 7, "{tables:?}");
    for table in &tables {
        let count = format!("SELECT COUNT(*) FROM {table} WHERE campaign <> 'stays'");
        let rows: u32 = database.query_row(&count, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0, "{table}");
    }
    let tokens = "SELECT COUNT(*) FROM person_token";
    let tokens: u32 = database.query_row(tokens, [], |row| row.get(0)).unwrap();
    assert_eq!(tokens, 1);
    let indexes = "SELECT COUNT(*) FROM sqlite_schema WHERE name LIKE 'deletion%'";
    let indexes: u32 = database.query_row(indexes, [], |row| row.get(0)).unwrap();
    assert_eq!(indexes, 0);
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_server_b16_a_deleted_campaign_leaves_nothing() {
    let _alone = POSTGRES_LOCK.read().unwrap();
    let url = create_database("deletion");
    let server = TestServer::with_options(|settings| settings.database = Some(url.clone()));
    check_deletion(&server);
    assert!(ServerStorage::Postgres(url).verify().unwrap().sound);
}

#[test]
fn server_b16_the_file_shrinks_after_a_deletion() {
    let mut server = TestServer::new();
    let organiser = server.organiser();
    let large = upload(&organiser, 120_000);
    let document = document("large", [&large, &large, &large]);
    drop(server.create_campaign(&document, 1));
    organiser.post("/api/v1/campaigns/large/close", &json!({}));
    assert_eq!(delete(&organiser, "large", "large").status, 204);
    server.stop();
    let size = std::fs::metadata(server.data().join("partita.db"))
        .unwrap()
        .len();
    assert!(size < 500_000, "{size} bytes");
}

#[test]
fn server_b16_expired_tokens_are_deleted() {
    let mut server = TestServer::new();
    let document = text_campaign("c", 1, &[("q", &["x", "y"])]);
    let people = server.create_campaign(&document, 2);
    server.stop();
    let database = rusqlite::Connection::open(server.data().join("partita.db")).unwrap();
    let expire =
        "UPDATE person_token SET expires = 5 WHERE hash = (SELECT MIN(hash) FROM person_token)";
    assert_eq!(database.execute(expire, []).unwrap(), 1);
    server.start();
    let count = || -> u32 {
        let count = "SELECT COUNT(*) FROM person_token";
        database.query_row(count, [], |row| row.get(0)).unwrap()
    };
    let end = Instant::now() + Duration::from_secs(30);
    while count() > 1 {
        assert!(Instant::now() < end, "the expired token must be deleted");
        std::thread::sleep(Duration::from_millis(20));
    }
    let statuses = people
        .iter()
        .map(|person| server.client(&person.token).next().status);
    let mut statuses: Vec<u16> = statuses.collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
}
