//! JSON Schema of a log line.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::json;

use super::event::Event;
use crate::campaign::kinds::PROTOCOLS;

/// Line of a campaign log: one event as JSON.
#[derive(Serialize, JsonSchema)]
struct Line {
    /// Event number, from 1.
    #[schemars(range(min = 1))]
    seq: u64,
    /// Time of recording: RFC 3339 in UTC, with milliseconds.
    #[schemars(regex(pattern = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"))]
    at: String,
    /// Author of the entry: an organiser, or the program that received an answer.
    #[schemars(length(min = 1))]
    author: String,
    /// Recorded event.
    #[serde(flatten)]
    event: Event,
    /// SHA-256 of the previous chain value and of this line up to this field, which is always the
    /// last.
    #[schemars(regex(pattern = r"^[0-9a-f]{64}$"))]
    chain: String,
}

/// Number of kinds of events that the schema lists before the answers: `opened` and `asked`.
const KINDS_BEFORE_ANSWERS: usize = 2;

/// Returns the JSON Schema of one line of a log.
pub fn schema() -> Schema {
    let mut generator = SchemaGenerator::default();
    let mut answers = Vec::new();
    for protocol in PROTOCOLS {
        for tag in protocol.log_tags() {
            let mut line = protocol.line_schema(tag.name, &mut generator);
            line.insert("description".to_owned(), json!(tag.description));
            line.insert("type".to_owned(), json!("object"));
            let event = json!({"event": {"type": "string", "const": tag.name}});
            line.insert("properties".to_owned(), event);
            line.insert("required".to_owned(), json!(["event"]));
            answers.push(line.to_value());
        }
    }
    let mut schema = generator.into_root_schema_for::<Line>();
    let kinds = schema
        .get_mut("oneOf")
        .and_then(|kinds| kinds.as_array_mut());
    let kinds = kinds.expect("an event is one of several kinds");
    kinds.splice(KINDS_BEFORE_ANSWERS..KINDS_BEFORE_ANSWERS, answers);
    schema
}
