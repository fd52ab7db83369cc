//! Forecast of the number of questions that one assessor answers, for the estimate on their page.

use crate::analysis::batches::median;
use crate::campaign::Campaign;

/// Minimum number of answers from which the time of an answer is estimated.
const MIN_TIMED_ANSWERS: usize = 10;

/// Forecast of the work that a campaign still needs on pairs, at one point in time.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkForecast {
    /// Number of preference answers that the campaign had, gold pairs included.
    pub answers: usize,
    /// Expected number of further answers, gold pairs included.
    pub expected_answers: f64,
    /// Median time of an answer in seconds; `None` with few answers.
    pub seconds_per_answer: Option<f64>,
}

impl Campaign {
    /// Forecasts the answers that the campaign still needs on pairs. This simulates the rest of the
    /// campaign, as [`Campaign::expected_votes`] does.
    pub fn work_forecast(&self) -> WorkForecast {
        let votes: f64 = self
            .expected_votes(self.default_forecast_runs())
            .iter()
            .sum();
        let gold = self.spec().gold.as_ref().map_or(0.0, |gold| gold.share);
        let answers = self.answers_with_status();
        let seconds: Vec<f64> = answers.iter().filter_map(|answer| answer.seconds).collect();
        let is_enough = seconds.len() >= MIN_TIMED_ANSWERS;
        WorkForecast {
            answers: self.answer_count(),
            // A share `1 - gold` of the questions is about pairs that need votes.
            expected_answers: votes / (1.0 - gold).max(0.1),
            seconds_per_answer: is_enough.then(|| median(seconds)).flatten(),
        }
    }

    /// Estimates how many pair questions an assessor answers in total, those included that they
    /// have `answered`. Assumes that `assessors` people share all answers of the campaign equally,
    /// but at least as many as a pair has votes, because everybody votes on a pair once. The
    /// estimate is above `answered` while the campaign needs answers, and exceeds it by at most
    /// their number.
    pub fn expected_questions(
        &self,
        forecast: &WorkForecast,
        answered: usize,
        assessors: usize,
    ) -> usize {
        let since = self.answer_count().saturating_sub(forecast.answers);
        let left = (forecast.expected_answers - since as f64).max(0.0);
        let assessors = assessors.max(self.spec().settings.votes as usize);
        let share = (self.answer_count() as f64 + left) / assessors as f64;
        let left = left.ceil() as usize;
        (share.round() as usize).clamp(answered + left.min(1), answered + left)
    }
}
