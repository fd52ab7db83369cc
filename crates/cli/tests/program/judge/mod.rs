//! `partita judge`: whole campaigns, and what answers say.

mod acts;
mod agree;
mod bad_input;
mod campaign;
mod crowd;
mod interrupted;
mod log;
mod outputs;
mod people;
mod real_data;
mod screen;
mod sheets;
mod simulate;
mod strategies;
mod timing;
