//! Tests of the crate through its public API.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod candidates;
mod clip_analysis;
mod collection;
mod collection_clips;
mod features;
mod fuzz;
mod imports;
mod melody;
mod pae;
mod readers;
mod recordings;
mod renderer;
mod round_trips;
mod soundfont;
mod systems;
