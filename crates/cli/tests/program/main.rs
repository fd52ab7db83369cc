//! The program as its users meet it: commands, files, messages, exit codes.
//!
//! Each module is about one command. All of them run the real program by [`session`].

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod campaign;
mod collection;
mod compare;
mod convert;
mod data;
mod demo;
mod documents;
mod evaluate;
mod figures;
mod golden;
mod guesses;
mod judge;
mod kinds;
mod melodies;
mod plan;
mod reliability;
#[path = "../../../partita/tests/schema_check/mod.rs"]
mod schema_check;
mod schemas;
mod scorer;
mod search;
mod serve;
mod serve_attacked;
mod session;
mod stats;
mod talk;
mod truth;
mod two_ways;
mod workspace;
