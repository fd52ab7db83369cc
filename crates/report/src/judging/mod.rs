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

pub use act::ActionEffectView;
pub use batches::BatchesView;
pub use decisions::CampaignDecisionsView;
pub use exclusion::ExclusionEffectView;
pub use export::{
    AnswersCsv, CampaignListsView, GradesCsv, ItemGradesView, PairDecisionsCsv, RankingTruthView,
    RankingsCsv, RelationProbabilitiesCsv,
};
pub use intake::AnswerIntakeView;
pub use judgments::JudgmentIntakeView;
pub use others::ReferenceComparisonView;
pub use questions::OpenPairsView;
pub use screening::ScreeningView;
pub use sheets::{QuestionSheetView, QuestionSheetsView};
pub use simulation::{SimulationView, quality_figures};
pub use status::CampaignStatusView;

use partita_judging::simulate::MeanEstimate;

/// A share in whole percents.
fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// The ends of an interval in whole percents; an open one says how often there was no end.
fn interval_text(share: &MeanEstimate, never: f64) -> String {
    let lower = (100.0 * share.lower).round();
    if share.upper.is_nan() {
        return format!("{lower}% or more; never in {} of the draws", percent(never));
    }
    format!("{lower}-{}", percent(share.upper))
}
