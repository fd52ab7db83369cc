//! DOC stats distribution

pub mod chi_squared;
pub mod f;
pub mod noncentral_t;
pub mod normal;
pub mod student_t;
pub mod studentized_range;
