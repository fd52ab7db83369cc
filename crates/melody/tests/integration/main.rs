//! Tests of the crate through its public names.

mod collection;
mod fuzz;
mod melody;
mod pae;
mod readers;
mod round_trips;
