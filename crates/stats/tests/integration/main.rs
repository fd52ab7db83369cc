//! Tests of the public interface: properties, hand-worked values, and reference values of other programs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adjust;
mod bootstrap;
mod chi_squared;
mod concordance;
mod differences;
mod effect_size;
mod f;
mod fixture;
mod friedman;
mod kendall;
mod mann_whitney;
mod named;
mod noncentral_t;
mod normal;
mod other_tests;
mod pearson;
mod randomization;
mod rank_tests;
mod ranks;
mod sign_test;
mod signed_rank;
mod streams;
mod student_t;
mod studentized_range;
mod t_test;
mod tau_ap;
