//! How what campaigns and their answers say is shown: one file for each result.

mod act;
mod batches;
mod decisions;
mod exclusion;
mod export;
mod intake;
mod judgments;
mod others;
mod questions;
mod screening;
mod sheets;
mod simulation;
mod status;

pub use act::ActView;
pub use batches::BatchesView;
pub use decisions::DecisionsView;
pub use exclusion::ExclusionView;
pub use export::{
    AnswersView, GradedItemsView, GradesView, ListsView, OddsView, PairsView, RankedListsView,
    RankingsView,
};
pub use intake::IntakeView;
pub use judgments::JudgmentsView;
pub use others::OthersView;
pub use questions::QuestionsView;
pub use screening::ScreeningView;
pub use sheets::{QuestionSheetView, QuestionSheetsView};
pub use simulation::{SimulationView, quality_figures};
pub use status::StatusView;

use partita_judging::simulate::Estimate;

/// A share in whole percents.
fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// The ends of an interval in whole percents; an open one says how often there was no end.
fn ends(share: &Estimate, never: f64) -> String {
    let lower = (100.0 * share.lower).round();
    if share.upper.is_nan() {
        return format!("{lower}% or more; never in {} of the draws", percent(never));
    }
    format!("{lower}-{}", percent(share.upper))
}
