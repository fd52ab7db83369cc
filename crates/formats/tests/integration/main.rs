//! Tests of the public readers and writers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fuzz;
mod kinds;
mod preferences;
mod rankings;
mod recorded_votes;
mod round_trips;
mod runs;
mod scores;
mod texts;
