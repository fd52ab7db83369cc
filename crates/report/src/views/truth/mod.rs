//! Ground truths: how they were built, what an audit found, and how two of them differ.

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
