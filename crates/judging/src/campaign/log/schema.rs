//! JSON Schema of a log line.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use super::event::Event;

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

/// Returns the JSON Schema of one line of a log.
pub fn schema() -> Schema {
    schema_for!(Line)
}
