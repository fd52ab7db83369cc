//! The crate as its users see it: its definitions against published, independent and worked values.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adr;
mod compare;
mod compare_levels;
mod compare_rounding;
mod coverage;
mod difference;
mod evaluation;
mod gains;
mod grouped_list;
mod hand_worked;
mod judged;
mod measure_names;
mod names;
mod peer_values;
mod plan;
mod plan_parts;
mod plan_row_order;
mod preferences;
mod properties;
mod published_examples;
mod ranking;
mod rankings;
mod reference_values;
mod registry;
mod reliability;
mod reliability_draws;
mod scores;
mod support;
mod test_registry;
mod ties;
mod truth_comparisons;
mod truth_fixtures;
mod truth_panel;
mod truth_properties;
mod truth_rbo;
mod truth_recentred;
mod truth_samples;
mod truth_studies;
mod truth_transitivity;
mod truth_verdicts;
mod vocabulary;
mod work;
