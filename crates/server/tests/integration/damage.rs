//! Damaged campaigns: closed to writing, readable up to the fault, and no hindrance to others.

use partita::judging::campaign::Event;
use partita::judging::campaign::log::{self, LogEntry, LogTail, Stamp};
use serde_json::json;

use crate::test_server::{Client, TestServer, answer_by_text, text_campaign, uuid};

/// Returns the entries of the log of a campaign.
fn read_log(organiser: &Client, campaign: &str) -> Vec<u8> {
    let log = organiser.get(&format!("/api/v1/campaigns/{campaign}/log"));
    assert_eq!(log.status, 200, "{:?}", log.json);
    log.bytes
}

/// Executes SQL on the database of a stopped server.
fn change_database(server: &TestServer, sql: &str) {
    let database = rusqlite::Connection::open(server.data().join("partita.db")).unwrap();
    database.execute_batch(sql).unwrap();
}

/// Creates two campaigns, lets a person answer four questions of each, damages the first campaign
/// while the server is stopped, and checks what is still possible. `damage` gets the log, and returns
/// the number of the damaged event.
fn check_damage(damage: impl Fn(&TestServer, &[u8]) -> usize) {
    let mut server = TestServer::new();
    let items = ["a", "b", "c", "d", "e", "f"];
    let lists: [(&str, &[&str]); 2] = [("q", &items), ("r", &items)];
    let people: Vec<Client> = ["broken", "whole"]
        .map(|name| {
            server
                .create_campaign(&text_campaign(name, 2, &lists), 1)
                .remove(0)
        })
        .to_vec();
    for (person, id) in people.iter().zip([10, 20]) {
        for number in 0..4 {
            let answer = answer_by_text(&person.tasks()[0]);
            assert_eq!(person.answer(id + number, &answer).status, 201);
        }
    }
    let before = read_log(&server.organiser(), "broken");
    server.stop();
    let event = damage(&server, &before);
    server.start();
    let reconnect = |client: &Client| server.client(&client.token);
    let (broken, whole) = (reconnect(&people[0]), reconnect(&people[1]));
    let (organiser, local) = (
        server.organiser(),
        Client {
            url: server.health_url.clone(),
            ..server.client("")
        },
    );

    // Judges and changes are refused, at once and for good.
    let answer = json!({"task": "1-0", "answer": "a", "seconds": 1});
    let change = organiser.post("/api/v1/campaigns/broken/pause", &json!({}));
    for reply in [broken.next(), broken.answer(99, &answer), change] {
        assert_eq!(
            (reply.status, reply.problem()),
            (503, "damaged"),
            "{:?}",
            reply.json
        );
        assert_eq!(reply.header("retry-after"), "");
        assert!(reply.json["detail"].as_str().unwrap().contains("broken"));
    }
    // Other campaigns go on, also in the same transactions.
    let answers = std::thread::scope(|scope| {
        let hinders = scope.spawn(|| (0..30).map(|_| broken.next().status).collect::<Vec<_>>());
        let answers: Vec<u16> = (0..5)
            .map(|number| {
                let answer = answer_by_text(&whole.tasks()[0]);
                whole.answer(30 + number, &answer).status
            })
            .collect();
        assert_eq!(hinders.join().unwrap(), vec![503; 30]);
        answers
    });
    assert_eq!(answers, vec![201; 5]);

    // The operator learns the name and the event, and the server stays ready.
    let ready = local.get("/ready");
    let text = String::from_utf8(ready.bytes).unwrap();
    assert_eq!(ready.status, 200, "{text}");
    let place = format!("campaign `broken` is damaged at event {event}");
    assert!(text.contains(&place), "{text}");
    assert!(!text.contains("whole"), "{text}");
    let metrics = String::from_utf8(local.get("/metrics").bytes).unwrap();
    assert!(
        metrics.contains("partita_commit_failures_total 0\n"),
        "{metrics}"
    );
    let listed = organiser.get("/api/v1/campaigns").json;
    assert_eq!(listed["campaigns"][0]["state"], "damaged");
    assert_eq!(listed["campaigns"][1]["state"], "open");

    // Of a campaign without a sound first event, nothing can be read.
    if event > 1 {
        check_reading(&organiser, before, event);
    }
}

/// Checks that organisers read what precedes the damaged event. `before` is the log before the damage.
fn check_reading(organiser: &Client, before: Vec<u8>, event: usize) {
    let sound = before
        .split_inclusive(|&byte| byte == b'\n')
        .take(event - 1);
    assert_eq!(
        read_log(organiser, "broken"),
        sound.collect::<Vec<_>>().concat()
    );
    let campaign = organiser.get("/api/v1/campaigns/broken").json;
    assert_eq!(campaign["state"], "damaged");
    assert_eq!(campaign["seq"], json!(event - 1));
    for file in [
        "status",
        "people",
        "lists",
        "pairs",
        "state",
        "export/all.zip",
    ] {
        let read = organiser.get(&format!("/api/v1/campaigns/broken/{file}"));
        assert_eq!(read.status, 200, "{file}: {:?}", read.json);
    }
    let answers = organiser.get("/api/v1/campaigns/broken/export/answers.csv");
    let rows = String::from_utf8(answers.bytes).unwrap();
    let read = String::from_utf8(before).unwrap();
    let answered = read.lines().take(event - 1);
    let answered = answered
        .filter(|line| line.contains("\"answered\""))
        .count();
    assert_eq!(rows.lines().count() - 1, answered);
}

/// Replaces text in the third answer of the damaged campaign; returns the number of its event.
fn change_answer(server: &TestServer, log: &[u8], replacement: &str) -> usize {
    let text = String::from_utf8(log.to_vec()).unwrap();
    let mut lines = text.lines();
    let event = lines.position(|line| line.contains(&uuid(12))).unwrap() + 1;
    let sql = format!(
        "UPDATE event SET line = replace(line, '\"seconds\":2.5', {replacement}) \
         WHERE campaign = 'broken' AND seq = {event}"
    );
    change_database(server, &sql);
    event
}

#[test]
fn server_b5_a_changed_byte_damages_one_campaign() {
    check_damage(|server, log| change_answer(server, log, "'\"seconds\":7.5'"));
}

#[test]
fn server_b5_a_byte_that_is_no_text_damages_one_campaign() {
    check_damage(|server, log| change_answer(server, log, "CAST(X'22FE22' AS TEXT)"));
}

#[test]
fn server_b5_a_campaign_without_its_first_event_damages_no_other() {
    check_damage(|server, _| {
        let sql = "UPDATE event SET line = substr(line, 2) WHERE campaign = 'broken' AND seq = 1";
        change_database(server, sql);
        1
    });
}

#[test]
fn server_b5_a_log_that_lost_its_last_event_is_damaged() {
    let mut server = TestServer::new();
    drop(server.create_campaign(&text_campaign("broken", 2, &[("q", &["a", "b"])]), 1));
    let last = log::read(&read_log(&server.organiser(), "broken")).unwrap();
    server.stop();
    let sql = "UPDATE campaign SET seq = seq + 1 WHERE name = 'broken'";
    change_database(&server, sql);
    server.start();
    let organiser = server.organiser();
    let paused = organiser.post("/api/v1/campaigns/broken/pause", &json!({}));
    assert_eq!((paused.status, paused.problem()), (503, "damaged"));
    let campaign = organiser.get("/api/v1/campaigns/broken").json;
    assert_eq!(campaign["seq"], json!(last.entries.len()));
}

#[test]
fn server_b5_an_event_that_cannot_follow_is_damage() {
    let mut server = TestServer::new();
    let document = text_campaign("broken", 2, &[("q", &["a", "b", "c"])]);
    let person = server.create_campaign(&document, 1).remove(0);
    assert_eq!(
        person.answer(1, &answer_by_text(&person.tasks()[0])).status,
        201
    );
    let before = read_log(&server.organiser(), "broken");
    server.stop();
    // Append an event with a sound hash that does not fit the campaign.
    let last = log::read(&before).unwrap().entries.pop().unwrap();
    let tail = LogTail {
        seq: last.seq,
        chain: last.chain,
    };
    let stamp = Stamp {
        at: "2026-11-19T00:00:00Z".parse().unwrap(),
        author: "somebody".to_owned(),
    };
    let event = Event::Closed {
        query: Some("no such query".to_owned()),
    };
    let entry = LogEntry::new(tail, stamp, event);
    let database = rusqlite::Connection::open(server.data().join("partita.db")).unwrap();
    let insert = "INSERT INTO event (key, campaign, seq, at, line, chain) \
                  SELECT MAX(key) + 1, 'broken', ?1, 0, ?2, ?3 FROM event WHERE campaign = 'broken'";
    let (line, chain) = (entry.line(), entry.chain.to_string());
    database
        .execute(insert, (entry.seq as i64, line.trim_end(), &chain))
        .unwrap();
    let update = "UPDATE campaign SET seq = ?1, chain = ?2 WHERE name = 'broken'";
    database
        .execute(update, (entry.seq as i64, &chain))
        .unwrap();
    drop(database);
    server.start();
    let person = server.client(&person.token);
    assert_eq!(person.next().problem(), "damaged");
    let organiser = server.organiser();
    assert_eq!(read_log(&organiser, "broken"), before);
    assert_eq!(
        organiser.get("/api/v1/campaigns/broken").json["state"],
        "damaged"
    );
    assert_eq!(organiser.get("/api/v1/campaigns/broken/lists").status, 200);
}
