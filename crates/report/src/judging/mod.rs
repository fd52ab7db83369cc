//! How what campaigns and their answers say is shown: one file for each result.

mod batches;
mod calibration;
mod decisions;
mod exclusion;
mod export;
mod intake;
mod others;
mod prediction;
mod questions;
mod screening;
mod simulation;
mod status;

pub use batches::BatchesView;
pub use calibration::{CalibrationView, calibration_figure};
pub use decisions::DecisionsView;
pub use exclusion::ExclusionView;
pub use export::{AnswersView, ListsView, PairsView};
pub use intake::IntakeView;
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
