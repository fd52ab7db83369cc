//! `partita plan`, by running the real program.

mod bad_input;
mod curves;
mod judges;
mod program;
mod real_data;
mod scores;
