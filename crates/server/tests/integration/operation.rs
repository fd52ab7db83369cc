//! Metrics and request ids.

use serde_json::json;

use crate::test_server::{Client, TestServer, answer_by_text, text_campaign};

/// Returns the value of a metric with its labels.
fn metric(local: &Client, name: &str) -> f64 {
    let reply = local.get("/metrics");
    assert_eq!(reply.status, 200);
    let text = String::from_utf8(reply.bytes).unwrap();
    let mut values = text
        .lines()
        .filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let value = values
        .next()
        .unwrap_or_else(|| panic!("{name} is not in {text}"));
    value.parse().unwrap()
}

#[test]
fn server_b12_metrics_tell_latency_refusals_people_and_leases() {
    let server = TestServer::with_limits();
    let local = Client {
        url: server.health_url.clone(),
        ..server.client("")
    };
    let read = |name: &str| metric(&local, name);
    // Each metric is there from the start.
    for name in [
        "partita_answers_total",
        "partita_commits_total",
        "partita_commit_failures_total",
        "partita_commit_duration_seconds_count",
        "partita_plan_duration_seconds_count",
        "partita_refusals_total{problem=\"too-many\"}",
        "partita_refusals_total{problem=\"damaged\"}",
        "partita_campaigns{state=\"open\"}",
        "partita_campaigns{state=\"damaged\"}",
        "partita_queue_jobs",
        "partita_connections",
    ] {
        assert!(read(name) >= 0.0);
    }
    let document = text_campaign("tunes", 2, &[("q", &["x", "y", "z"])]);
    let people = server.create_campaign(&document, 3);
    for (person, id) in people.iter().zip(1..3) {
        assert_eq!(
            person
                .answer(id, &answer_by_text(&person.tasks()[0]))
                .status,
            201
        );
    }
    assert_eq!(
        people[2]
            .post("/api/v1/judge/finish", &json!({"stop": true}))
            .status,
        200
    );
    assert_eq!(read("partita_answers_total"), 2.0);
    let answers = "partita_http_request_duration_seconds_count{route=\"/api/v1/judge/answers/{answer}\",method=\"PUT\",status=\"201\"}";
    assert_eq!(read(answers), 2.0);
    assert_eq!(
        read("partita_people{campaign=\"tunes\",state=\"active\"}"),
        2.0
    );
    assert_eq!(
        read("partita_people{campaign=\"tunes\",state=\"partial\"}"),
        1.0
    );
    assert_eq!(
        read("partita_people{campaign=\"tunes\",state=\"refused\"}"),
        0.0
    );
    assert_eq!(read("partita_campaigns{state=\"open\"}"), 1.0);
    let leases = server
        .organiser()
        .get("/api/v1/campaigns/tunes/status")
        .json["leases"]
        .clone();
    assert_eq!(
        json!(read("partita_leases{campaign=\"tunes\"}") as u64),
        leases
    );
    assert!(leases.as_u64().unwrap() > 0);
    assert!(read("partita_commit_duration_seconds_count") >= 4.0);

    // Refusals are counted by problem; addresses that nobody knows share a label.
    for number in 0..7 {
        let reply = server.client("").get(&format!("/secret-{number}"));
        assert_eq!(reply.status, 404);
    }
    assert_eq!(read("partita_refusals_total{problem=\"not-found\"}"), 7.0);
    let unknown = "partita_http_request_duration_seconds_count{route=\"unknown\",method=\"GET\",status=\"404\"}";
    assert_eq!(read(unknown), 7.0);
    let refused = (0..60).filter(|_| people[0].next().status == 429).count();
    assert!(refused > 0);
    assert_eq!(
        read("partita_refusals_total{problem=\"too-many\"}"),
        refused as f64
    );
    let text = String::from_utf8(local.get("/metrics").bytes).unwrap();
    assert!(!text.contains("secret"), "{text}");
}

#[test]
fn server_b12_each_response_has_the_id_of_its_request() {
    let server = TestServer::new();
    let paths = ["/", "/api/v1/campaigns", "/none", "/openapi.json", "/a%00b"];
    let ids = paths.map(|path| {
        server
            .client("")
            .get(path)
            .header("x-request-id")
            .to_owned()
    });
    for (number, id) in ids.iter().enumerate() {
        assert!(!id.is_empty(), "{}", paths[number]);
        assert!(
            !ids[..number].contains(id),
            "{id} is not the id of one request"
        );
    }
}
