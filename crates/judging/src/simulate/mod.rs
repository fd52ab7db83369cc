//! Campaigns against assessors that are simulated, or whose votes were recorded.
//!
//! [`run()`] drives a [`Strategy`](crate::Strategy) with the answers of an [`Oracle`], and [`study()`]
//! puts several strategies side by side on the same lists: how good their lists are ([`Quality`]) for
//! how many votes.

mod assessors;
mod quality;
mod recorded;
mod reference;
mod run;
mod study;

pub use assessors::{Calibration, SimulatedAssessors, SimulatedList, calibrate};
pub use quality::{Quality, quality};
pub use recorded::{Recorded, RecordedList};
pub use reference::{Reference, references_outside};
pub use run::{Checkpoint, Oracle, run};
pub use study::{
    Contender, Estimate, ListUnderStudy, Needed, Observation, Outcome, Point, Way, measures,
    observe, study,
};
