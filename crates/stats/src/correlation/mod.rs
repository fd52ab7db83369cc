//! DOC stats correlation

pub mod concordance;
pub mod kendall;
pub mod pearson;
pub mod tau_ap;
