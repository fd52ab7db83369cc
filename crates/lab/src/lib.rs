//! Studies behind the figures in the documentation. This crate is not published.
//!
//! A [`World`] is a crowd of simulated assessors with lists to judge. [`simulate_world`] compares
//! strategies in it. [`calibrate_probabilities`] compares predicted probabilities with observed
//! frequencies. [`measure_vote_value`] estimates from recorded answers how many votes a pair is
//! worth: by how well they [`predict`] each other, and by the effect of [early
//! stopping](simulate_stopping). The binary `partita-lab` prints these studies for `bench/`.

mod calibration;
mod calibration_view;
mod prediction;
mod prediction_view;
mod stopping;
mod world_simulation;
mod worlds;

pub use calibration::{
    CalibrationBin, CalibrationResult, CalibrationSource, PredictionModel, ProbabilityCalibration,
    StrategyCalibration, calibrate_answers, calibrate_probabilities,
};
pub use calibration_view::{calibration_document, calibration_figure};
pub use prediction::{
    Prediction, PredictionError, PredictionLoss, PredictionOptions, PredictionPoint,
    PredictionRequest, StoppingRuleResult, VotesPerPairReport, measure_vote_value, predict,
};
pub use prediction_view::prediction_document;
pub use stopping::{StoppingResult, simulate_stopping};
pub use world_simulation::{WorldSimulation, simulate_world};
pub use worlds::{InattentiveKind, SimulatedCrowd, World, WorldList, WorthDistribution, worlds};
