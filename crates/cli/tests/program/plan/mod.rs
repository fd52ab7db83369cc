//! Tests of `partita plan`.

mod bad_input;
mod judges;
mod real_data;
mod scores;
mod support;
