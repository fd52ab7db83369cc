//! Ground truths: how they were built, what an audit found, and how two of them differ.

mod check;
mod compare;
mod inconsistencies;
mod lists;
mod study;
mod trust;

pub use check::TruthCheckView;
pub use compare::TruthComparisonView;
pub use lists::{PreferenceListsView, RankingListsView};
pub use study::AggregationStudyView;
