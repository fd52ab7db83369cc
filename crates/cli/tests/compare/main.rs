//! `partita compare`, by running the real program.

mod bad_input;
mod fixtures;
mod output;
#[path = "../truth/program.rs"]
mod program;
mod real_data;
mod scores;
mod testing;
