//! Whether what a server says is as its description says, for the tests of every crate that asks
//! one.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::Value;

use crate::schema_check;

/// The description, as a server gives it.
pub(crate) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(partita_server::openapi()).unwrap());

/// What a line of a log is like.
static LINE: LazyLock<Value> = LazyLock::new(|| {
    let text = fs::read_to_string(schemas().join("campaign-log-line.json")).unwrap();
    serde_json::from_str(&text).unwrap()
});

pub(crate) fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema")
}

/// A request and its answer.
#[derive(Clone, Copy)]
pub(crate) struct Exchange<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    /// The type of what was sent.
    pub(crate) kind: &'a str,
    /// What was sent.
    pub(crate) body: &'a [u8],
    pub(crate) status: u16,
    pub(crate) headers: &'a ureq::http::HeaderMap,
    /// What was said.
    pub(crate) bytes: &'a [u8],
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

pub(crate) fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(place) => document
            .pointer(&place[1..])
            .expect("a place in the document"),
        None => value,
    }
}

/// The lines of logs that were found to be as described: a log is read again and again while it
/// grows.
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
pub(crate) fn check(document: &Value, said: &Exchange<'_>) -> Result<(), String> {
    let header = |name: &str| {
        let value = said.headers.get(name).map(|value| value.to_str());
        value.and_then(Result::ok).unwrap_or_default()
    };
    let json = || serde_json::from_slice::<Value>(said.bytes).map_err(|error| error.to_string());
    let path = said.path.split('?').next().unwrap_or_default();
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
        return match !own || (said.status == 404 && json()?["type"] == "/problems/not-found") {
            true => Ok(()),
            false => Err(format!(
                "{path} is not described, and the status is {}",
                said.status
            )),
        };
    };
    let method = said.method.to_ascii_lowercase();
    let Some(operation) = item.get(method.as_str()) else {
        return match said.status == 405 && json()?["type"] == "/problems/method" {
            true => Ok(()),
            false => Err(format!(
                "the method is not described, and the status is {}",
                said.status
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
            let kind = header("content-type");
            let content = schema(contents, kind)?;
            if kind.ends_with("json") && !kind.contains("ndjson") {
                schema_check::check(document, &content["schema"], &json()?, "answer")?;
            }
            if kind.contains("ndjson") {
                check_log(said.bytes)?;
            }
        }
    }
    for name in response["headers"]
        .as_object()
        .into_iter()
        .flat_map(|headers| headers.keys())
    {
        if header(name).is_empty() {
            return Err(format!("there is no header {name}"));
        }
    }
    // What the server takes is what is described.
    let body = &operation["requestBody"]["content"];
    if said.status < 300 && said.kind == "application/json" && !body.is_null() {
        let value: Value = serde_json::from_slice(said.body).map_err(|error| error.to_string())?;
        schema_check::check(
            document,
            &schema(body, said.kind)?["schema"],
            &value,
            "request",
        )?;
    }
    Ok(())
}

/// Checks an answer.
pub(crate) fn expect(said: &Exchange<'_>) {
    if let Err(error) = check(&DOCUMENT, said) {
        panic!(
            "{} {} is not as /openapi.json says: {error}",
            said.method, said.path
        );
    }
}
