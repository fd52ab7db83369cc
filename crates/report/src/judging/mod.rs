//! How what campaigns and their answers say is shown: one file for each result.

mod act;
mod batches;
mod decisions;
mod exclusion;
mod export;
mod intake;
mod judgments;
mod others;
mod prediction;
mod questions;
mod screening;
mod simulation;
mod status;

pub use act::ActView;
pub use batches::BatchesView;
pub use decisions::DecisionsView;
pub use exclusion::ExclusionView;
pub use export::{
    AnswersView, GradedItemsView, GradesView, ListsView, PairsView, RankedListsView, RankingsView,
};
pub use intake::IntakeView;
pub use judgments::JudgmentsView;
pub use others::OthersView;
pub use prediction::VotesWorthView;
pub use questions::QuestionsView;
pub use screening::ScreeningView;
pub use simulation::{SimulationView, quality_figures};
pub use status::StatusView;

/// A share in whole percents.
fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}
