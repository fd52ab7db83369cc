//! Campaigns against assessors that are simulated, or whose votes were recorded.
//!
//! [`run()`] drives a [`Strategy`](crate::Strategy) with the answers of an [`Oracle`], and [`study()`]
//! puts several strategies side by side on the same lists: how good their lists are ([`Quality`]) for
//! how many votes; [`simulate()`] is all of that for one request.

mod assessors;
mod contenders;
mod quality;
mod recorded;
mod reference;
mod run;
mod simulation;
mod study;

pub use assessors::{
    Calibration, GROUP, NoAgreement, SimulatedAssessors, SimulatedList, Traits, calibrate,
    geometric_groups,
};
pub use contenders::{CONTENDER_NAMES, USUAL_CONTENDERS, UnknownContender};
pub use quality::{Quality, quality};
pub use recorded::{Recorded, RecordedList};
pub use reference::{Reference, references_outside};
pub use run::{Checkpoint, Judging, Oracle, answer_to_pair, ask, run, run_together};
pub use simulation::{
    Answering, LISTS_PER_CAMPAIGN, Simulation, SimulationError, SimulationRequest, simulate,
    simulate_lists,
};
pub use study::{
    Beside, Contender, Estimate, ListUnderStudy, Needed, Observation, Outcome, Point,
    SECOND_BASELINE, Spending, Way, drawn_again, estimate, measures, observe, share_of_never,
    study,
};
