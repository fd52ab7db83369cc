//! Tests of the crate through its public names.

mod melody;
mod sound;
