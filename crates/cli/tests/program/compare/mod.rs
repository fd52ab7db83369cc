//! Tests of `partita compare`.

mod bad_input;
mod output;
mod real_data;
mod significance;
mod support;
