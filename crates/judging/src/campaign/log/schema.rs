//! What a line of a log looks like, as JSON Schema.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::campaign::event::Event;

/// One line of the log of a campaign: an event as JSON.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is wanted")]
enum Line {
    /// A line of version 2.
    Numbered(Numbered),
    /// A line of version 1: the event alone.
    #[schemars(extend("not" = { "required": ["seq"] }))]
    Unnumbered(Event),
}

/// A line of version 2.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Numbered {
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

/// The JSON Schema of one line of a log, in every version that is read.
pub fn schema() -> Schema {
    schema_for!(Line)
}
