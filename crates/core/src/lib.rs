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

mod bits;
mod by_name;
pub mod call;
pub mod compare;
pub mod difference;
pub mod evaluation;
mod gains;
mod grouped_list;
mod judged;
mod judged_scores;
pub mod measure;
mod names;
pub mod plan;
mod preferences;
mod ranking;
mod rankings;
pub mod reliability;
mod run;
mod scores;
pub mod test;
pub mod truth;
pub mod work;

pub use by_name::OrderedMap;
pub use gains::{Gains, GainsError, ZeroGainPolicy};
pub use grouped_list::{GroupedList, GroupedListError, NamedGroups};
pub use judged::{GroundTruth, GroundTruthError, QueryTruth, TruthScale, UnknownQueryError};
pub use judged_scores::AssessorScores;
pub use measure::Measure;
pub use names::{Item, Names, summarize_names};
pub use preferences::{
    BatchRecord, FilePosition, Preference, PreferenceError, PreferenceRow, Preferences,
    QueryPreferences, Vote,
};
pub use ranking::{Ranking, Slot};
pub use rankings::{AssessorRankings, AssessorRankingsError, AssessorRankingsNote};
pub use run::{
    InvalidScoreError, NoCommonQueryError, Run, RunOrder, ScorePrecision, SystemRankings,
    TieBreaking,
};
pub use scores::{CompletedScores, MissingScorePolicy, ScoreMatrix, ScoreMatrixError, Strata};
