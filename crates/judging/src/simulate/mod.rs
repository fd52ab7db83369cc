//! Simulated campaigns with simulated or recorded answers.
//!
//! [`run_strategy()`] drives a [`Strategy`](crate::Strategy) with the answers of an [`Oracle`].
//! [`simulate()`] compares several strategies on the same lists: the quality of their lists
//! ([`ListQuality`]) by the number of votes.

mod contenders;
mod quality;
mod recorded;
pub(crate) mod reference;
pub(crate) mod run;
mod simulation;
mod study;

pub use crate::model::assessor_model::{
    AssessorModel, AssessorTraits, CalibrationError, CalibrationTarget, MEAN_GROUP_SIZE,
    SimulatedList, calibrate, geometric_groups,
};
pub use contenders::{CONTENDER_NAMES, DEFAULT_CONTENDERS, UnknownContenderError};
pub use quality::{ListQuality, list_quality};
pub use recorded::{RecordedAnswers, RecordedList};
pub use reference::{ReferenceList, held_out_references};
pub use run::{
    Oracle, SimulatedListRun, StrategyCheckpoint, answer_to_pair, collect_votes, run_strategy,
    run_strategy_on_lists,
};
pub use simulation::{
    AnswerSource, LISTS_PER_CAMPAIGN, Simulation, SimulationError, SimulationRequest,
    parse_list_sizes, simulate, simulate_lists,
};
pub use study::{
    BaselineComparison, Contender, ContenderObservations, CostModel, CostQualityPoint,
    ListUnderStudy, MeanEstimate, Observation, SECOND_BASELINE, StoppingPoint, StrategyOutcome,
    StrategyVariant, VotesNeeded, bootstrap_lists, compare_strategies, mean_with_interval,
    measure_names, observe, share_of_nan,
};
