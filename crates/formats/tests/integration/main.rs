//! The readers and writers as their users see them.

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
