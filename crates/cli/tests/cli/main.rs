//! The program as a user meets it: commands, files, messages, exit codes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod bad_values;
mod conversion;
mod edges;
mod files;
mod formats;
mod names;
mod options;
mod real_data;
mod support;
mod talk;
mod warnings;
