//! `partita judge`: whole campaigns, by running the real program.

mod bad_input;
mod campaign;
mod crowd;
mod interrupted;
mod outputs;
mod program;
