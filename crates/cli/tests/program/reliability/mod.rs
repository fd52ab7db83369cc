//! Tests of `partita reliability`.

mod bad_input;
mod figures;
mod real_data;
mod results;
mod support;
