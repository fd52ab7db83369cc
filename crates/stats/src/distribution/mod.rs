//! Distribution functions and quantiles. They use only the numerics of this crate, so that results
//! are the same on every machine.

pub mod chi_squared;
pub mod f;
pub mod noncentral_t;
pub mod normal;
pub mod student_t;
pub mod studentized_range;
