//! Data types for partially ordered ground truths, and the statistics and measures computed from
//! them.
//!
//! Similarity has no fixed scale. A ground truth is therefore a [`GroupedList`]: items in earlier
//! groups are more relevant, and items within a group are equal. A system returns a [`Ranking`],
//! and a [`measure`] scores how well the ranking agrees with the list:
//!
//! ```
//! use partita_core::{Measure, QueryTruth, Ranking, measure};
//!
//! // The worked example of Typke, Veltkamp and Wiering (2006).
//! let truth = QueryTruth::from_groups([["1", "2"].as_slice(), &["3", "4", "5"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["2", "3", "1", "5", "7", "8", "9", "4"]);
//! let adr = measure::parse("ADR", 2.0)?;
//! assert_eq!(adr.score(&truth, &ranking), Some(0.86));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Values are checked on construction, so that most computations cannot fail. This crate reads no
//! files and no clock.

pub mod call;
pub mod comparison;
mod data;
pub mod evaluation;
pub mod evidence;
pub mod judgment;
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
    BatchRecord, FilePosition, Preference, PreferenceError, Preferences, QueryPreferences, Vote,
};
pub use crate::data::ranking::{Ranking, Slot};
pub use crate::data::ranking_fault::RankingFault;
pub use crate::data::run::{
    InvalidScoreError, NoCommonQueryError, Run, RunOrder, ScorePrecision, SystemRankings,
    TieBreaking,
};
pub use crate::data::score_matrix::{
    CompletedScores, MissingScorePolicy, ScoreMatrix, ScoreMatrixError,
};
pub use crate::data::strata::Strata;
pub use measure::Measure;
