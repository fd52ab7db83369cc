//! Check of requests and responses against the OpenAPI document, for the tests of all crates that
//! send requests to a server.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::Value;

use crate::schema_check;

/// OpenAPI document of the server.
pub(crate) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(partita_server::openapi()).unwrap());

/// JSON schema of a log line.
static LOG_LINE_SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let text = fs::read_to_string(schemas_folder().join("campaign-log-line.json")).unwrap();
    serde_json::from_str(&text).unwrap()
});

/// Returns the folder of the stored JSON schemas.
pub(crate) fn schemas_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema")
}

/// HTTP request together with its response.
#[derive(Clone, Copy)]
pub(crate) struct Exchange<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    /// Content type of the request; empty without a body.
    pub(crate) kind: &'a str,
    /// Request body.
    pub(crate) body: &'a [u8],
    pub(crate) status: u16,
    pub(crate) headers: &'a ureq::http::HeaderMap,
    /// Response body.
    pub(crate) bytes: &'a [u8],
}

/// Returns true if a path matches a template such as `/media/{media}`.
fn matches_template(template: &str, path: &str) -> bool {
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

/// Returns the schema of a body with this content type.
fn schema<'d>(contents: &'d Value, kind: &str) -> Result<&'d Value, String> {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    contents
        .get(kind)
        .ok_or_else(|| format!("the type `{kind}` is not described"))
}

/// Returns the value that a `$ref` refers to, or the value itself if it is no reference.
pub(crate) fn resolve_ref<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(place) => document
            .pointer(&place[1..])
            .expect("a `$ref` points into the document"),
        None => value,
    }
}

/// Log lines that were checked before. A growing log is read many times, so each line is checked
/// once.
static CHECKED_LINES: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Checks every line of a log against its schema.
fn check_log(log: &[u8]) -> Result<(), String> {
    let log = str::from_utf8(log).map_err(|error| error.to_string())?;
    let mut known = CHECKED_LINES.lock().unwrap_or_else(PoisonError::into_inner);
    for line in log.lines() {
        if !known.contains(line) {
            let value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            schema_check::check(&LOG_LINE_SCHEMA, &LOG_LINE_SCHEMA, &value, "line")?;
            known.insert(line.to_owned());
        }
    }
    Ok(())
}

/// Checks a request and its response against an OpenAPI document.
pub(crate) fn check(document: &Value, exchange: &Exchange<'_>) -> Result<(), String> {
    let header = |name: &str| {
        let value = exchange.headers.get(name).map(|value| value.to_str());
        value.and_then(Result::ok).unwrap_or_default()
    };
    let json =
        || serde_json::from_slice::<Value>(exchange.bytes).map_err(|error| error.to_string());
    let path = exchange.path.split('?').next().unwrap_or_default();
    let templates = document["paths"].as_object().expect("`paths` is an object");
    // An exact path takes precedence over a template.
    let exact = templates.get(path);
    let template = exact.or_else(|| {
        let mut fitting = templates
            .iter()
            .filter(|(template, _)| matches_template(template, path));
        fitting.next().map(|(_, item)| item)
    });
    let Some(item) = template else {
        let own = ["/api/", "/media/"]
            .into_iter()
            .any(|own| path.starts_with(own));
        return match !own || (exchange.status == 404 && json()?["type"] == "/problems/not-found") {
            true => Ok(()),
            false => Err(format!(
                "{path} is not described, and the status is {}",
                exchange.status
            )),
        };
    };
    let method = exchange.method.to_ascii_lowercase();
    let Some(operation) = item.get(method.as_str()) else {
        return match exchange.status == 405 && json()?["type"] == "/problems/method" {
            true => Ok(()),
            false => Err(format!(
                "the method is not described, and the status is {}",
                exchange.status
            )),
        };
    };
    let response = operation["responses"].get(exchange.status.to_string());
    let response =
        response.ok_or_else(|| format!("the status {} is not described", exchange.status))?;
    let response = resolve_ref(document, response);
    match response.get("content") {
        None if exchange.bytes.is_empty() => {}
        None => return Err("a body is not described".to_owned()),
        Some(contents) => {
            let kind = header("content-type");
            let content = schema(contents, kind)?;
            if kind.ends_with("json") && !kind.contains("ndjson") {
                schema_check::check(document, &content["schema"], &json()?, "answer")?;
            }
            if kind.contains("ndjson") {
                check_log(exchange.bytes)?;
            }
        }
    }
    for (name, described) in response["headers"].as_object().into_iter().flatten() {
        if described["required"] == true && header(name).is_empty() {
            return Err(format!("there is no header {name}"));
        }
    }
    // The request body must also match the document if the server accepted it.
    let body = &operation["requestBody"]["content"];
    if exchange.status < 300 && exchange.kind == "application/json" && !body.is_null() {
        let value: Value =
            serde_json::from_slice(exchange.body).map_err(|error| error.to_string())?;
        schema_check::check(
            document,
            &schema(body, exchange.kind)?["schema"],
            &value,
            "request",
        )?;
    }
    Ok(())
}

/// Checks a request and its response against the OpenAPI document of the server.
pub(crate) fn expect(exchange: &Exchange<'_>) {
    if let Err(error) = check(&DOCUMENT, exchange) {
        panic!(
            "{} {} is not as /openapi.json says: {error}",
            exchange.method, exchange.path
        );
    }
}
