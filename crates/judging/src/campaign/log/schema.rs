//! What a line of a log looks like, as JSON Schema.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use super::event::Event;

/// One line of the log of a campaign: an event as JSON.
#[derive(Serialize, JsonSchema)]
struct Line {
    /// The number of the event, from 1.
    #[schemars(range(min = 1))]
    seq: u64,
    /// When it was written down: RFC 3339, in UTC, to the millisecond.
    #[schemars(regex(pattern = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"))]
    at: String,
    /// Who wrote it down.
    #[schemars(length(min = 1))]
    author: String,
    /// What happened.
    #[serde(flatten)]
    event: Event,
    /// The SHA-256 of the chain before and of this line up to here, always the last field.
    #[schemars(regex(pattern = r"^[0-9a-f]{64}$"))]
    chain: String,
}

/// Returns the JSON Schema of one line of a log.
pub fn schema() -> Schema {
    schema_for!(Line)
}
