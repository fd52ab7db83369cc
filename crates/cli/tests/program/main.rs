//! Tests of the program as users run it: commands, files, messages and exit codes.
//!
//! Each module is about one command. All of them run the real program by [`session`].

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod campaign;
mod campaign_places;
mod collection;
mod compare;
mod conventions;
mod convert;
mod data;
mod demo;
mod documents;
mod evaluate;
mod figures;
mod file_kinds;
mod first_minute;
mod golden;
mod judge;
mod melodies;
mod minimal_build;
mod option_names;
mod plan;
mod reliability;
#[path = "../../../partita/tests/schema_check/mod.rs"]
mod schema_check;
mod schemas;
mod search;
mod serve;
mod serve_attacked;
mod server_and_files;
mod session;
mod stats;
mod takeover;
mod truth;
mod workspace;
