//! Views of campaigns and their answers, one file per result.

mod action_effect;
mod answer_intake;
mod batches;
mod decisions;
mod exports;
mod question_sheets;
mod reference_comparison;
mod screening;
mod simulation;
mod status;

pub use action_effect::{ActionEffectView, ExclusionEffectView};
pub use answer_intake::{AnswerIntakeView, JudgmentIntakeView};
pub use batches::BatchesView;
pub use decisions::CampaignDecisionsView;
pub use exports::{
    AnswersCsv, CampaignListsView, GradesCsv, ItemGradesView, PairDecisionsCsv, RankingTruthView,
    RankingsCsv, RelationProbabilitiesCsv,
};
pub use question_sheets::{OpenPairsView, QuestionSheetView, QuestionSheetsView};
pub use reference_comparison::ReferenceComparisonView;
pub use screening::ScreeningView;
pub use simulation::{SimulationView, quality_figures};
pub use status::CampaignStatusView;

use partita_judging::simulate::MeanEstimate;

/// Formats a share in whole percents.
fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// Formats an interval in whole percents. If its upper end is open, the text gives the share of
/// resamples, `never`, in which the strategy never was as good as the other.
fn interval_text(share: &MeanEstimate, never: f64) -> String {
    let lower = (100.0 * share.lower).round();
    if share.upper.is_nan() {
        return format!("{lower}% or more; never in {} of the draws", percent(never));
    }
    format!("{lower}-{}", percent(share.upper))
}
