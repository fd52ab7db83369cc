//! Views of ground truths: construction, audits and comparisons.

mod aggregation_study;
mod bootstrap;
mod check;
mod comparison;
mod inconsistencies;
mod lists;

pub use aggregation_study::AggregationStudyView;
pub use check::TruthCheckView;
pub use comparison::TruthComparisonView;
pub use lists::{PreferenceListsView, RankingListsView};
