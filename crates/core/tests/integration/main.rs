//! The crate as its users see it: its definitions against published, independent and worked values.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adr;
mod compare;
mod compare_levels;
mod compare_rounding;
mod coverage;
mod difference;
mod evaluation;
mod hand_worked;
mod peer_values;
mod plan;
mod plan_row_order;
mod properties;
mod published_examples;
mod reference_values;
mod registry;
mod reliability;
mod support;
mod ties;
mod truth_fixtures;
mod truth_properties;
mod truth_studies;
mod truth_verdicts;
mod vocabulary;
