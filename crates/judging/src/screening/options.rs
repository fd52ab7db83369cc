//! Thresholds of the screening signals.

use schemars::JsonSchema;
use serde::Serialize;

use crate::range_error::{RangeError, require_share};

/// Thresholds of the screening signals: effect sizes, significance level and number of answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScreeningOptions {
    /// Significance level of the tests: a signal needs a lower p-value.
    pub level: f64,
    /// Minimum number of answers on which a signal is based; for `alike` of shared pairs. The
    /// signals `gold` and `repeats` have no minimum.
    pub least_answers: usize,
    /// Minimum share of an assessor's most frequent answer for the signal `same-answer`.
    pub same_answer: f64,
    /// Maximum coefficient of variation of the response times for the signal `same-time`.
    pub time_variation: f64,
    /// Minimum share of answers that took less time than the clips last, for the signal `too-fast`.
    pub too_fast: f64,
    /// Minimum share of gold pairs answered wrongly, for the signal `gold`.
    pub gold_missed: f64,
    /// Minimum excess of the share of preferences for one side over the expected share, for the
    /// signal `side`.
    pub side_excess: f64,
    /// Minimum shortfall of the agreement with others, compared with the expected agreement, for
    /// the signal `disagreement`.
    pub agreement_deficit: f64,
    /// Likelihood ratio of attentive to inattentive below which the signal `unreliable` is raised.
    /// At most this share of attentive assessors is flagged.
    pub unreliable: f64,
    /// Minimum share of shared pairs with the same answer as one other assessor, for the signal
    /// `alike`.
    pub alike: f64,
    /// Minimum share of reported questions for the signal `many-reports`.
    pub many_reports: f64,
}

impl Default for ScreeningOptions {
    fn default() -> Self {
        Self {
            level: 0.001,
            least_answers: 5,
            same_answer: 0.95,
            time_variation: 0.1,
            too_fast: 0.5,
            gold_missed: 0.25,
            side_excess: 0.2,
            agreement_deficit: 0.06,
            unreliable: 0.11,
            alike: 0.75,
            many_reports: 0.2,
        }
    }
}

impl ScreeningOptions {
    /// Returns an error if a threshold is not a share between 0 and 1.
    pub(super) fn check(&self) -> Result<(), RangeError> {
        let shares = [
            ("alpha", self.level),
            ("same_answer", self.same_answer),
            ("time_variation", self.time_variation),
            ("too_fast", self.too_fast),
            ("gold_missed", self.gold_missed),
            ("side_excess", self.side_excess),
            ("agreement_deficit", self.agreement_deficit),
            ("unreliable", self.unreliable),
            ("alike", self.alike),
            ("many_reports", self.many_reports),
        ];
        (shares.into_iter()).try_for_each(|(what, share)| require_share(what, share))
    }
}
