//! Studies behind the figures that the documentation states. This crate is not published.
//!
//! A [`World`] is a crowd of simulated people with lists to judge; [`simulate_world`] tries strategies in it.
//! [`calibration()`] checks whether predicted probabilities come true. [`votes_worth`] estimates from recorded
//! answers how many votes a pair is worth: by how well they [predict](predict) each other, and by what
//! [early stopping](stopped) would have changed. The binary `partita-lab` prints these studies for `bench/`.

mod calibration;
mod calibration_view;
mod prediction;
mod prediction_view;
mod stopping;
mod world_simulation;
mod worlds;

pub use calibration::{
    CalibrationBin, CalibrationResult, CalibrationSource, ProbabilityCalibration,
    StrategyCalibration, calibrate_probabilities,
};
pub use calibration_view::{calibration_document, calibration_figure};
pub use prediction::{
    Prediction, PredictionError, PredictionLoss, PredictionOptions, PredictionPoint,
    PredictionRequest, StoppingRuleResult, VoteValueReport, measure_vote_value, predict,
};
pub use prediction_view::prediction_document;
pub use stopping::{StoppingResult, simulate_stopping};
pub use world_simulation::{WorldSimulation, simulate_world};
pub use worlds::{InattentiveKind, SimulatedCrowd, World, WorldList, WorthDistribution, worlds};
