//! Tests of `partita judge`: campaigns, and analyses of answers.

mod agree;
mod bad_input;
mod campaign;
mod exclusion;
mod interrupted;
mod lists_of_logs;
mod log;
mod organiser;
mod output;
mod real_data;
mod screen;
mod sheets;
mod simulate;
mod support;
mod timing;
