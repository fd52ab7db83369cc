//! How what campaigns and their answers say is shown: one file for each result.

mod action_effect;
mod answer_intake;
mod batches;
mod decisions;
mod exclusion;
mod exports;
mod judgments;
mod question_sheets;
mod questions;
mod reference_comparison;
mod screening;
mod simulation;
mod status;

pub use action_effect::ActionEffectView;
pub use answer_intake::AnswerIntakeView;
pub use batches::BatchesView;
pub use decisions::CampaignDecisionsView;
pub use exclusion::ExclusionEffectView;
pub use exports::{
    AnswersCsv, CampaignListsView, GradesCsv, ItemGradesView, PairDecisionsCsv, RankingTruthView,
    RankingsCsv, RelationProbabilitiesCsv,
};
pub use judgments::JudgmentIntakeView;
pub use question_sheets::{QuestionSheetView, QuestionSheetsView};
pub use questions::OpenPairsView;
pub use reference_comparison::ReferenceComparisonView;
pub use screening::ScreeningView;
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
