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
    Calibrated, CalibratedStrategy, CalibrationBin, CalibrationSource, OddsCalibration, calibration,
};
pub use calibration_view::{calibration_document, calibration_figure};
pub use prediction::{
    NoPrediction, Prediction, PredictionError, PredictionPoint, PredictionRequest,
    PredictionSettings, StoppedBy, VotesWorth, predict, votes_worth,
};
pub use prediction_view::prediction_document;
pub use stopping::{Stopped, stopped};
pub use world_simulation::{WorldSimulation, simulate_world};
pub use worlds::{Crowd, Kind, World, WorldList, Worths, worlds};
