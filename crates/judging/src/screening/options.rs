//! From where on something is a signal.

use schemars::JsonSchema;
use serde::Serialize;

use crate::range_error::{RangeError, require_share};

/// From where on something is a signal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScreeningOptions {
    /// The level of the tests.
    pub level: f64,
    /// Fewer answers than this raise no signal.
    pub least_answers: usize,
    /// The share of the most frequent answer.
    pub same_answer: f64,
    /// The coefficient of variation of the times, or less.
    pub time_variation: f64,
    /// The share of answers that took less time than the clips last.
    pub too_fast: f64,
    /// The share of gold pairs answered wrongly.
    pub gold_missed: f64,
    /// How much more often the item shown on one side is preferred than by others.
    pub side_excess: f64,
    /// How much less the assessor agrees with others than they do with each other.
    pub agreement_deficit: f64,
    /// How much less likely somebody's answers must be of somebody of the crowd than of somebody who does
    /// not listen: at most this share of people like the crowd is taken for unreliable.
    pub unreliable: f64,
    /// The share of the same answers as somebody else's.
    pub alike: f64,
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
        }
    }
}

impl ScreeningOptions {
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
        ];
        (shares.into_iter()).try_for_each(|(what, share)| require_share(what, share))
    }
}
