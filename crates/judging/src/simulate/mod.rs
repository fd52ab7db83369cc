//! Campaigns against assessors that are simulated, or whose votes were recorded.
//!
//! [`run()`] drives a [`Strategy`](crate::Strategy) with the answers of an [`Oracle`], and [`study()`]
//! puts several strategies side by side on the same lists: how good their lists are ([`Quality`]) for
//! how many votes; [`simulate()`] is all of that for one request. [`calibration()`] asks whether
//! what is said to be likely happens as often as is said. [`predict`] and [`stopped`] ask of recorded answers how many votes a pair is worth.

mod assessors;
mod calibration;
mod contenders;
mod prediction;
mod quality;
mod recorded;
mod reference;
mod run;
mod simulation;
mod stopping;
mod study;
mod worlds;

pub use assessors::{
    Calibration, NoAgreement, SimulatedAssessors, SimulatedList, Traits, calibrate,
};
pub use calibration::{
    Calibrated, CalibratedStrategy, CalibrationBin, OddsCalibration, calibration,
};
pub use contenders::{CONTENDER_NAMES, USUAL_CONTENDERS, UnknownContender};
pub use prediction::{
    NoPrediction, Prediction, PredictionError, PredictionPoint, PredictionRequest,
    PredictionSettings, StoppedBy, VotesWorth, predict, votes_worth,
};
pub use quality::{Quality, quality};
pub use recorded::{Recorded, RecordedList};
pub use reference::{Reference, references_outside};
pub use run::{Checkpoint, Judging, Oracle, run, run_together};
pub use simulation::{
    Answering, LISTS_PER_CAMPAIGN, Simulation, SimulationError, SimulationRequest, simulate,
};
pub use stopping::{Stopped, stopped};
pub use study::{
    Beside, Contender, Estimate, ListUnderStudy, Needed, Observation, Outcome, Point,
    SECOND_BASELINE, Spending, Way, measures, observe, study,
};
pub use worlds::{Crowd, Kind, World, WorldList, Worths, worlds};
