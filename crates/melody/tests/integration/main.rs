//! Tests of the crate through its public names.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod candidates;
mod collection;
mod feature;
mod fuzz;
mod melody;
mod meters;
mod pae;
mod readers;
mod recordings;
mod rendering;
mod round_trips;
mod sound;
mod soundfont;
mod system;
