//! Tests of the OpenAPI document. The client of all integration tests also checks every response
//! against it.

use std::fs;

use serde_json::{Value, json};

use crate::test_server::{TestServer, text_campaign};

#[path = "../openapi_check/mod.rs"]
mod openapi_check;

use openapi_check::{DOCUMENT, check, resolve_ref, schemas_folder};
pub(crate) use openapi_check::{Exchange, expect};

/// Iterates over all operations of an OpenAPI document: path, method and operation.
fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"]
        .as_object()
        .expect("`paths` is an object")
        .iter();
    paths.flat_map(|(path, item)| {
        let item = item
            .as_object()
            .expect("a path has operations by method")
            .iter();
        item.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

/// Returns a JSON value and all values nested in it.
fn nested_values(value: &Value) -> Vec<&Value> {
    let inner: Vec<&Value> = match value {
        Value::Object(fields) => fields.values().collect(),
        Value::Array(values) => values.iter().collect(),
        _ => Vec::new(),
    };
    let inner = inner.into_iter().flat_map(nested_values);
    std::iter::once(value).chain(inner).collect()
}

#[test]
fn stored_schemas_and_openapi_document_are_up_to_date() {
    let commands = partita_server::schema::COMMANDS.iter().map(|command| {
        let schema = serde_json::to_string_pretty(&command.schema()).unwrap() + "\n";
        (command.file_name(), schema)
    });
    let own = (
        "openapi.json".to_owned(),
        partita_server::openapi().to_owned(),
    );
    let mut stale = Vec::new();
    for (name, text) in commands.chain([own]) {
        let file = schemas_folder().join(&name);
        if std::env::var_os("PARTITA_BLESS").is_some() {
            fs::write(&file, text).unwrap();
        } else if fs::read_to_string(&file).ok() != Some(text) {
            stale.push(name);
        }
    }
    assert!(
        stale.is_empty(),
        "{stale:?} in docs/schema are not as the server is; if that was changed on purpose: \
         PARTITA_BLESS=1 cargo test -p partita-server --test integration openapi"
    );
}

#[test]
fn the_openapi_document_is_served_without_a_token() {
    let server = TestServer::new();
    let reply = server.client("").get("/openapi.json");
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, "application/json")
    );
    assert_eq!(reply.bytes, partita_server::openapi().as_bytes());
}

#[test]
fn the_openapi_document_is_complete_and_consistent() {
    let document = &*DOCUMENT;
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    for value in nested_values(document) {
        if let Some(place) = value.get("$ref").and_then(Value::as_str) {
            let found = place
                .strip_prefix('#')
                .and_then(|place| document.pointer(place));
            assert!(found.is_some(), "{place} leads nowhere");
        }
    }
    let mut ids = std::collections::BTreeSet::new();
    for (path, method, operation) in operations(document) {
        let place = format!("{method} {path}");
        let id = operation["operationId"]
            .as_str()
            .expect("every operation has an id");
        assert!(ids.insert(id), "two operations are called {id}");
        assert!(operation["summary"].is_string(), "{place}");
        let parameters = operation["parameters"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let declared = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "path");
        let declared: Vec<&str> = declared
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let named = path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        assert_eq!(declared, named.collect::<Vec<_>>(), "{place}");
        for parameter in &parameters {
            let required = parameter["in"] == "path";
            assert_eq!(parameter["required"] == json!(true), required, "{place}");
            assert!(
                parameter["description"].is_string() && parameter["schema"].is_object(),
                "{place}"
            );
        }
        let responses = operation["responses"]
            .as_object()
            .expect("every operation has responses");
        assert!(
            responses.keys().any(|status| status.starts_with('2')),
            "{place}"
        );
        for (status, response) in responses {
            assert!(status.parse::<u16>().is_ok(), "{place}: {status}");
            assert!(
                resolve_ref(document, response)["description"].is_string(),
                "{place}: {status}"
            );
        }
        for requirement in operation["security"]
            .as_array()
            .expect("every operation has security requirements")
        {
            for scheme in requirement.as_object().unwrap().keys() {
                let known = &document["components"]["securitySchemes"][scheme];
                assert!(known.is_object(), "{place}: {scheme}");
            }
        }
    }
    assert!(ids.len() > 35, "{} operations", ids.len());
}

#[test]
fn request_schemas_forbid_additional_properties() {
    let document = &*DOCUMENT;
    let mut checked = 0;
    for (path, method, operation) in operations(document) {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let schema = resolve_ref(document, schema);
        let one = std::slice::from_ref(schema);
        let kinds = schema["oneOf"].as_array().map_or(one, Vec::as_slice);
        for kind in kinds.iter().filter(|kind| !kind.is_null()) {
            let object = resolve_ref(document, kind);
            assert_eq!(
                object["additionalProperties"],
                json!(false),
                "{method} {path}"
            );
            checked += 1;
        }
    }
    assert!(checked > 10, "only {checked} bodies");
}

#[test]
fn every_documented_route_is_served() {
    let server = TestServer::new();
    for (path, method, _) in operations(&DOCUMENT) {
        let path = path.replace(['{', '}'], "");
        let reply = server
            .client("")
            .request(&method.to_ascii_uppercase(), &path, "", b"");
        assert_ne!(reply.status, 405, "{method} {path}");
        assert_ne!(
            reply.json["detail"], "there is no such address",
            "{method} {path}"
        );
    }
}

#[test]
fn malformed_paths_queries_and_methods_get_documented_problems() {
    let server = TestServer::new();
    server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 1);
    let organiser = server.organiser();
    for path in [
        "/api/v1/campaigns/%FF",
        "/media/%FF",
        "/api/v1/campaigns/%FF/people/%FE/erase",
    ] {
        let method = if path.ends_with("erase") {
            "POST"
        } else {
            "GET"
        };
        let reply = organiser.request(method, path, "", b"");
        assert_eq!(
            (reply.status, reply.problem()),
            (404, "not-found"),
            "{path}"
        );
    }
    for query in [
        "log?after=x",
        "export/truth.csv?kind=taste",
        "export/answers.csv?raw=x",
        "lists?kind=%FF",
    ] {
        let reply = organiser.get(&format!("/api/v1/campaigns/c/{query}"));
        assert_eq!((reply.status, reply.problem()), (422, "invalid"), "{query}");
    }
    let reply = organiser.put("/api/v1/campaigns", &json!({}));
    assert_eq!((reply.status, reply.problem()), (405, "method"));
    assert_eq!(reply.header("allow"), "GET,HEAD,POST");
}

#[test]
fn the_openapi_check_detects_undocumented_responses() {
    let server = TestServer::new();
    server.create_campaign(&text_campaign("c", 1, &[("q", &["x", "y"])]), 1);
    let reply = server.organiser().get("/api/v1/campaigns");
    let reply = Exchange {
        method: "GET",
        path: "/api/v1/campaigns",
        kind: "",
        body: b"",
        status: reply.status,
        headers: &reply.headers,
        bytes: &reply.bytes,
    };
    assert_eq!(check(&DOCUMENT, &reply), Ok(()));
    let wrong = |change: fn(&mut Value)| {
        let mut document = DOCUMENT.clone();
        change(&mut document);
        check(&document, &reply).unwrap_err()
    };
    let status = wrong(|document| {
        let responses = &mut document["paths"]["/api/v1/campaigns"]["get"]["responses"];
        drop(responses.as_object_mut().unwrap().remove("200"));
    });
    assert_eq!(status, "the status 200 is not described");
    let kind = wrong(|document| {
        let response = &mut document["paths"]["/api/v1/campaigns"]["get"]["responses"]["200"];
        response["content"] = json!({"text/csv": {}});
    });
    assert!(
        kind.contains("`application/json` is not described"),
        "{kind}"
    );
    let field = wrong(|document| {
        let line = &mut document["components"]["schemas"]["CampaignSummaryView"];
        drop(line["properties"].as_object_mut().unwrap().remove("title"));
    });
    assert!(field.contains("title: not described"), "{field}");
    let other = wrong(|document| {
        let line = &mut document["components"]["schemas"]["CampaignSummaryView"];
        line["properties"]["state"] = json!({"type": "number"});
    });
    assert!(other.contains("state: expected"), "{other}");
    let path = wrong(|document| {
        drop(
            document["paths"]
                .as_object_mut()
                .unwrap()
                .remove("/api/v1/campaigns"),
        );
    });
    assert!(path.contains("is not described"), "{path}");
    let method = wrong(|document| {
        let item = &mut document["paths"]["/api/v1/campaigns"];
        drop(item.as_object_mut().unwrap().remove("get"));
    });
    assert!(method.contains("the method is not described"), "{method}");
}
