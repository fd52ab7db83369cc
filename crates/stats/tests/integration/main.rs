//! The tests against the reference values of other programs.

mod fixture;
mod other_tests;
mod rank_tests;
mod studentized_range;
