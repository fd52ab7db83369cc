//! Whether what the server says is as its description says. Every answer of these tests is looked up.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::house::{House, Said, texts};

#[path = "../../../partita/tests/schema_check/mod.rs"]
mod schema_check;

/// The description, as a server gives it.
static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(partita_server::openapi()).unwrap());

/// What a line of a log is like.
static LINE: LazyLock<Value> = LazyLock::new(|| {
    let text = fs::read_to_string(schemas().join("campaign-log-line.json")).unwrap();
    serde_json::from_str(&text).unwrap()
});

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema")
}

/// A request, as far as its answer depends on it.
pub(crate) struct Asked<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) body: &'a [u8],
}

/// Whether a path is one of a template.
fn fits(template: &str, path: &str) -> bool {
    let (mut template, mut path) = (template.split('/'), path.split('/'));
    loop {
        match (template.next(), path.next()) {
            (None, None) => return true,
            (Some(part), Some(found)) if part.starts_with('{') && !found.is_empty() => {}
            (Some(part), Some(found)) if part == found => {}
            _ => return false,
        }
    }
}

/// The schema of a body of this type.
fn schema<'d>(contents: &'d Value, kind: &str) -> Result<&'d Value, String> {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    contents
        .get(kind)
        .ok_or_else(|| format!("the type `{kind}` is not described"))
}

fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(place) => document
            .pointer(&place[1..])
            .expect("a place in the document"),
        None => value,
    }
}

/// The lines of logs that were found to be as described: a log is read again and again while it grows.
static LINES: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Says what in a log is not as its lines are described.
fn check_log(log: &[u8]) -> Result<(), String> {
    let log = str::from_utf8(log).map_err(|error| error.to_string())?;
    let mut known = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    for line in log.lines() {
        if !known.contains(line) {
            let value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            schema_check::check(&LINE, &LINE, &value, "line")?;
            known.insert(line.to_owned());
        }
    }
    Ok(())
}

/// Says what in an answer is not as a description says.
fn check(document: &Value, asked: &Asked<'_>, said: &Said) -> Result<(), String> {
    let path = asked.path.split('?').next().unwrap_or_default();
    let templates = document["paths"].as_object().expect("paths");
    // A path without braces is meant before one with.
    let exact = templates.get(path);
    let template = exact.or_else(|| {
        let mut fitting = templates
            .iter()
            .filter(|(template, _)| fits(template, path));
        fitting.next().map(|(_, item)| item)
    });
    let Some(item) = template else {
        let own = ["/api/", "/media/"]
            .into_iter()
            .any(|own| path.starts_with(own));
        return match !own || (said.status == 404 && said.problem() == "not-found") {
            true => Ok(()),
            false => Err(format!(
                "{path} is not described, and the status is {}",
                said.status
            )),
        };
    };
    let method = asked.method.to_ascii_lowercase();
    let Some(operation) = item.get(method.as_str()) else {
        return match said.status {
            405 => Ok(()),
            other => Err(format!(
                "the method is not described, and the status is {other}"
            )),
        };
    };
    let response = operation["responses"].get(said.status.to_string());
    let response =
        response.ok_or_else(|| format!("the status {} is not described", said.status))?;
    let response = resolved(document, response);
    match response.get("content") {
        None if said.bytes.is_empty() => {}
        None => return Err("a body is not described".to_owned()),
        Some(contents) => {
            let kind = said.header("content-type");
            let content = schema(contents, kind)?;
            if kind.ends_with("json") && !kind.contains("ndjson") {
                schema_check::check(document, &content["schema"], &said.json, "answer")?;
            }
            if kind.contains("ndjson") {
                check_log(&said.bytes)?;
            }
        }
    }
    for name in response["headers"]
        .as_object()
        .into_iter()
        .flat_map(|headers| headers.keys())
    {
        if said.header(name).is_empty() {
            return Err(format!("there is no header {name}"));
        }
    }
    // What the server takes is what is described.
    let body = &operation["requestBody"]["content"];
    if said.status < 300 && asked.kind == "application/json" && !body.is_null() {
        let value: Value = serde_json::from_slice(asked.body).map_err(|error| error.to_string())?;
        schema_check::check(
            document,
            &schema(body, asked.kind)?["schema"],
            &value,
            "request",
        )?;
    }
    Ok(())
}

/// Checks an answer.
pub(crate) fn expect(asked: &Asked<'_>, said: &Said) {
    if let Err(error) = check(&DOCUMENT, asked, said) {
        panic!(
            "{} {} is not as /openapi.json says: {error}",
            asked.method, asked.path
        );
    }
}

/// All operations with their paths and methods.
fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().expect("paths").iter();
    paths.flat_map(|(path, item)| {
        let item = item.as_object().expect("methods").iter();
        item.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

/// Every value in a document.
fn values(value: &Value) -> Vec<&Value> {
    let inner: Vec<&Value> = match value {
        Value::Object(fields) => fields.values().collect(),
        Value::Array(values) => values.iter().collect(),
        _ => Vec::new(),
    };
    let inner = inner.into_iter().flat_map(values);
    std::iter::once(value).chain(inner).collect()
}

#[test]
fn the_descriptions_that_are_kept_are_those_of_the_server() {
    let commands = partita_server::schema::COMMANDS.iter().map(|command| {
        let schema = serde_json::to_string_pretty(&command.schema()).unwrap() + "\n";
        (command.file(), schema)
    });
    let own = (
        "openapi.json".to_owned(),
        partita_server::openapi().to_owned(),
    );
    let mut stale = Vec::new();
    for (name, text) in commands.chain([own]) {
        let file = schemas().join(&name);
        if std::env::var_os("PARTITA_BLESS").is_some() {
            fs::write(&file, text).unwrap();
        } else if fs::read_to_string(&file).ok() != Some(text) {
            stale.push(name);
        }
    }
    assert!(
        stale.is_empty(),
        "{stale:?} in docs/schema are not as the server is; if that was changed on purpose: \
         PARTITA_BLESS=1 cargo test -p partita-server --test integration described"
    );
}

#[test]
fn the_description_is_given_to_anybody() {
    let house = House::new();
    let said = house.client("").get("/openapi.json");
    assert_eq!(
        (said.status, said.header("content-type")),
        (200, "application/json")
    );
    assert_eq!(said.bytes, partita_server::openapi().as_bytes());
}

#[test]
fn the_description_is_whole() {
    let document = &*DOCUMENT;
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    for value in values(document) {
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
        let id = operation["operationId"].as_str().expect("an id");
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
        let responses = operation["responses"].as_object().expect("answers");
        assert!(
            responses.keys().any(|status| status.starts_with('2')),
            "{place}"
        );
        for (status, response) in responses {
            assert!(status.parse::<u16>().is_ok(), "{place}: {status}");
            assert!(
                resolved(document, response)["description"].is_string(),
                "{place}: {status}"
            );
        }
        for requirement in operation["security"].as_array().expect("who may ask") {
            for scheme in requirement.as_object().unwrap().keys() {
                let known = &document["components"]["securitySchemes"][scheme];
                assert!(known.is_object(), "{place}: {scheme}");
            }
        }
    }
    assert!(ids.len() > 35, "{} operations", ids.len());
}

#[test]
fn nothing_is_taken_with_fields_that_are_not_described() {
    let document = &*DOCUMENT;
    let mut checked = 0;
    for (path, method, operation) in operations(document) {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let one = std::slice::from_ref(schema);
        let kinds = schema["oneOf"].as_array().map_or(one, Vec::as_slice);
        for kind in kinds.iter().filter(|kind| !kind.is_null()) {
            let object = resolved(document, kind);
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
fn every_address_that_is_described_is_served() {
    let house = House::new();
    for (path, method, _) in operations(&DOCUMENT) {
        let path = path.replace(['{', '}'], "");
        let said = house
            .client("")
            .ask(&method.to_ascii_uppercase(), &path, "", b"");
        assert_ne!(said.status, 405, "{method} {path}");
        assert_ne!(
            said.json["detail"], "there is no such address",
            "{method} {path}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_refused_as_described() {
    let house = House::new();
    house.campaign(&texts("c", 1, &[("q", &["x", "y"])]), 1);
    let organiser = house.organiser();
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
        let said = organiser.ask(method, path, "", b"");
        assert_eq!((said.status, said.problem()), (404, "not-found"), "{path}");
    }
    for query in [
        "log?after=x",
        "export/truth.csv?kind=taste",
        "export/answers.csv?raw=x",
        "lists?kind=%FF",
    ] {
        let said = organiser.get(&format!("/api/v1/campaigns/c/{query}"));
        assert_eq!((said.status, said.problem()), (422, "invalid"), "{query}");
    }
    assert_eq!(organiser.put("/api/v1/campaigns", &json!({})).status, 405);
}

#[test]
fn an_answer_that_is_not_as_described_is_found() {
    let house = House::new();
    house.campaign(&texts("c", 1, &[("q", &["x", "y"])]), 1);
    let asked = Asked {
        method: "GET",
        path: "/api/v1/campaigns",
        kind: "",
        body: b"",
    };
    let said = house.organiser().get(asked.path);
    assert_eq!(check(&DOCUMENT, &asked, &said), Ok(()));
    let wrong = |change: fn(&mut Value)| {
        let mut document = DOCUMENT.clone();
        change(&mut document);
        check(&document, &asked, &said).unwrap_err()
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
        let line = &mut document["components"]["schemas"]["CampaignLine"];
        drop(line["properties"].as_object_mut().unwrap().remove("title"));
    });
    assert!(field.contains("title: not described"), "{field}");
    let other = wrong(|document| {
        let line = &mut document["components"]["schemas"]["CampaignLine"];
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
