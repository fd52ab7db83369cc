//! The vocabulary of partially ordered ground truths, and the mathematics on it.
//!
//! Similarity has no fixed scale. A ground truth is therefore a [`GroupedList`]: earlier groups
//! are more relevant, items inside a group are equal. A system's answer is a [`Ranking`], and a
//! [`measure`] says how well the one agrees with the other:
//!
//! ```
//! use partita_core::{Judged, Measure, Ranking, measure};
//!
//! // The worked example of Typke, Veltkamp and Wiering (2006).
//! let truth = Judged::of_groups([["1", "2"].as_slice(), &["3", "4", "5"]])?;
//! let ranking = Ranking::of(truth.names(), ["2", "3", "1", "5", "7", "8", "9", "4"]);
//! let adr = measure::parse("ADR", 2.0)?;
//! assert_eq!(adr.score(&truth, &ranking), Some(0.86));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Values are checked when they are made, so that the mathematics takes only valid ones and
//! mostly cannot fail. Nothing here reads a file or a clock.

pub mod call;
pub mod comparison;
mod data;
pub mod evaluation;
pub mod measure;
pub mod plan;
pub mod reliability;
pub mod significance;
pub mod truth;
pub mod work;

pub use crate::data::assessor_rankings::{
    AssessorRankings, AssessorRankingsError, AssessorRankingsNote,
};
pub use crate::data::assessor_scores::AssessorScores;
pub use crate::data::gains::{Gains, GainsError, ZeroGainPolicy};
pub use crate::data::ground_truth::{
    GroundTruth, GroundTruthError, QueryTruth, TruthScale, UnknownQueryError,
};
pub use crate::data::grouped_list::{GroupedList, GroupedListError, NamedGroups};
pub use crate::data::names::{Item, Names, summarize_names};
pub use crate::data::ordered_map::OrderedMap;
pub use crate::data::preferences::{
    BatchRecord, FilePosition, Preference, PreferenceError, PreferenceRow, Preferences,
    QueryPreferences, Vote,
};
pub use crate::data::ranking::{Ranking, Slot};
pub use crate::data::run::{
    InvalidScoreError, NoCommonQueryError, Run, RunOrder, ScorePrecision, SystemRankings,
    TieBreaking,
};
pub use crate::data::score_matrix::{
    CompletedScores, MissingScorePolicy, ScoreMatrix, ScoreMatrixError, Strata,
};
pub use measure::Measure;
