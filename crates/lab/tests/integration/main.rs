//! Studies on simulated and recorded answers.

mod coverage;
mod pooled_strategy;
mod prediction;
mod predictive_model;
mod program;
mod screening_rates;
#[path = "../../../judging/tests/integration/simulated_campaign.rs"]
mod simulated_campaign;
mod worlds;
