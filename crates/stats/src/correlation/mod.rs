//! Rank and linear correlations. Uses the distributions, ranks and numerics of this crate.

pub mod concordance;
pub mod kendall;
pub mod pearson;
pub mod tau_ap;
