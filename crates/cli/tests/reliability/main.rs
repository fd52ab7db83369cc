//! `partita reliability`, by running the real program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod bad_input;
mod figures;
mod real_data;
mod resuming;
mod session;
