//! `partita judge`: whole campaigns, by running the real program.

mod bad_input;
mod campaign;
mod crowd;
#[path = "../truth/data.rs"]
mod data;
mod interrupted;
mod log;
mod outputs;
#[path = "../truth/program.rs"]
mod program;
mod screen;
mod simulate;
mod strategies;
