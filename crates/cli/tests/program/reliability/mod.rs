//! `partita reliability`.

mod answers;
mod bad_input;
mod figures;
mod real_data;
mod worlds;
