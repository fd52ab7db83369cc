//! Ground truths: how they were built, what an audit found, and how two of them differ.

mod check;
mod compare;
mod lists;
mod study;
mod trust;

pub use check::CheckView;
pub use compare::TruthComparisonView;
pub use lists::{BuiltListsView, PreferenceListsView};
pub use study::StudyView;
