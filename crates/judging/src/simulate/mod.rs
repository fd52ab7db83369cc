//! Campaigns against assessors that are simulated, or whose votes were recorded.
//!
//! [`run()`] drives a [`Strategy`](crate::Strategy) with the answers of an [`Oracle`], and [`study()`]
//! puts several strategies side by side on the same lists: how good their lists are ([`Quality`]) for
//! how many votes. [`predict`] and [`stopped`] ask of recorded answers how many votes a pair is worth.

mod assessors;
mod prediction;
mod quality;
mod recorded;
mod reference;
mod run;
mod stopping;
mod study;

pub use assessors::{Calibration, SimulatedAssessors, SimulatedList, calibrate};
pub use prediction::{
    NothingHeldOut, Prediction, PredictionError, PredictionPoint, PredictionSettings, predict,
};
pub use quality::{Quality, quality};
pub use recorded::{Recorded, RecordedList};
pub use reference::{Reference, references_outside};
pub use run::{Checkpoint, Oracle, run};
pub use stopping::{Stopped, stopped};
pub use study::{
    Contender, Estimate, ListUnderStudy, Needed, Observation, Outcome, Point, Way, measures,
    observe, study,
};
