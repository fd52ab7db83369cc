//! `partita compare`.

mod bad_input;
mod fixtures;
mod output;
mod real_data;
mod scores;
mod testing;
