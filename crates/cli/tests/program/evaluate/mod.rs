//! Tests of `partita evaluate`.

mod bad_input;
mod bad_values;
mod files;
mod formats;
mod names;
mod options;
mod real_data;
pub(crate) mod scores;
mod trec_eval;
mod warnings;
