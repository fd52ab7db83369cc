//! Outcome counts of a resampling study as shares of all comparisons.

use schemars::JsonSchema;
use serde::Serialize;

use super::trial_counts::TrialCounts;

/// Outcomes of a test on random query samples of one size, for one measure. Shares are relative to
/// all comparisons: pairs of systems times trials.
///
/// Standard errors are over trials. All trials draw from the same queries, so these errors describe
/// the choice of subsets, not the sampling of queries from a population.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutcomeShares {
    /// Number of trials, each with its own random query sample.
    pub trials: u64,
    /// Number of comparisons: pairs of systems times trials.
    pub comparisons: u64,
    /// Power: share of comparisons that are significant in the first sample.
    pub power: f64,
    /// Standard error of the power over trials; null for one trial.
    pub power_error: Option<f64>,
    /// Agreement between the first and the second query sample of a trial; null if too few queries
    /// remain for second samples.
    #[serde(flatten)]
    pub stability: Option<Stability>,
    /// Share of comparisons that are significant in the first sample, but in the direction opposite
    /// to that of the mean scores.
    pub against_mean: f64,
    /// Numbers of pairs per trial that are significant on all queries but missed by the first
    /// sample.
    pub missed: MissedPairs,
    /// Mean number of pairs per trial that are significant in the first sample but not on all
    /// queries.
    #[serde(rename = "more")]
    pub extra_pairs: f64,
    /// Number, counted from 0, of the trial whose first sample misses the fewest pairs that are
    /// significant on all queries; on ties, the one with the fewest extra pairs, then the first.
    pub best_trial: u64,
}

/// Agreement between the first and the second sample of a trial, which have no query in common.
/// Shares are relative to all comparisons.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Stability {
    /// Share of comparisons that are significant in the first sample only, with mean scores that do
    /// not differ in opposite directions in the two samples.
    pub lack_of_power: f64,
    /// Share of comparisons that are significant in the first sample only, with mean scores that
    /// differ in opposite directions in the two samples.
    pub swap: f64,
    /// Share of comparisons that are significant in both samples, in opposite directions.
    pub significant_swap: f64,
    /// Share of conflicts: the sum of `lack_of_power`, `swap` and `significant_swap`.
    pub conflicts: f64,
    /// Standard error of the share of conflicts over trials; null for one trial.
    pub conflicts_error: Option<f64>,
    /// Share of comparisons that are significant in exactly one of the two samples.
    pub exclusive_or: f64,
    /// Share of comparisons that are significant in both samples, in the same direction.
    pub stable: f64,
    /// Rates of swaps: pairs that are significant in the first sample and ordered the other way in
    /// the second, significantly or not.
    pub swaps: SwapRates,
    /// Shares of comparisons that are significant in the second sample only, the mirror image of
    /// `lack_of_power` and `swap`.
    pub mirror: SecondOnlyShares,
    /// Share of comparisons that are significant in the first sample only, with opposite directions
    /// of the test's own statistic, such as mean ranks, in the two samples.
    pub own_swap: f64,
}

/// Rates of swaps: pairs of systems that are significant in the first sample and ordered the other
/// way in the second, significantly or not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SwapRates {
    /// Swaps as a share of all comparisons, from 0 to 1.
    pub of_comparisons: f64,
    /// Swaps as a share of the conflicts (significant pairs that the second sample does not
    /// confirm); null without conflicts.
    pub of_conflicts: Option<f64>,
}

/// Shares of comparisons that are significant in the second sample only, by the direction of the
/// mean scores in the two samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SecondOnlyShares {
    /// Share of comparisons that are significant in the second sample only, with mean scores that
    /// do not differ in opposite directions in the two samples.
    pub lack_of_power: f64,
    /// Share of comparisons that are significant in the second sample only, with mean scores that
    /// differ in opposite directions in the two samples.
    pub swap: f64,
}

/// Numbers of missed pairs per trial. A pair is missed if it is significant on all queries, but not
/// in the first sample or there in the opposite direction.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MissedPairs {
    /// Mean number of missed pairs per trial.
    pub mean: f64,
    /// Standard deviation of the number of missed pairs over trials; null for one trial.
    pub deviation: Option<f64>,
    /// Smallest number of missed pairs in any trial.
    pub fewest: u64,
    /// Largest number of missed pairs in any trial.
    pub most: u64,
    /// Share of trials that missed no pair, from 0 to 1.
    pub none: f64,
    /// Mean number, per trial, of missed pairs that are significant in the first sample, but in the
    /// opposite direction.
    pub reversed: f64,
}

impl OutcomeShares {
    /// Converts the outcome counts of trials with `pairs` pairs of systems each to shares. `paired`
    /// is true if the trials had second samples.
    pub fn new(counts: &TrialCounts, pairs: usize, paired: bool) -> Self {
        let comparisons = counts.trials * pairs as u64;
        let share = |count: u64| ratio(count, comparisons);
        // Counts without trials have no best trial.
        let (fewest, _, best_trial) = counts.best.unwrap_or((0, 0, 0));
        let error = |sum, squares| {
            let deviation = deviation(sum, squares, counts.trials)?;
            Some(deviation / (counts.trials as f64).sqrt() / pairs as f64)
        };
        let conflicts = counts.conflicts();
        let swaps = counts.swap + counts.significant_swap;
        Self {
            trials: counts.trials,
            comparisons,
            power: share(counts.significant),
            power_error: error(counts.significant, counts.significant_squared),
            against_mean: share(counts.against_mean),
            stability: paired.then(|| Stability {
                lack_of_power: share(counts.lack_of_power),
                swap: share(counts.swap),
                significant_swap: share(counts.significant_swap),
                conflicts: share(conflicts),
                conflicts_error: error(conflicts, counts.conflicts_squared),
                exclusive_or: share(counts.exclusive_or()),
                stable: share(counts.stable),
                swaps: SwapRates {
                    of_comparisons: share(swaps),
                    of_conflicts: (conflicts > 0).then(|| ratio(swaps, conflicts)),
                },
                mirror: SecondOnlyShares {
                    lack_of_power: share(counts.mirror_lack_of_power),
                    swap: share(counts.mirror_swap),
                },
                own_swap: share(counts.own_swap),
            }),
            missed: MissedPairs {
                mean: ratio(counts.missed, counts.trials),
                deviation: deviation(counts.missed, counts.missed_squared, counts.trials),
                fewest,
                most: counts.most_missed,
                none: ratio(counts.nothing_missed, counts.trials),
                reversed: ratio(counts.reversed, counts.trials),
            },
            extra_pairs: ratio(counts.extra, counts.trials),
            best_trial,
        }
    }
}

/// Returns the share of stable pairs with all queries as Table 1 of Urbano, Martín, Marrero and
/// Morato (2011) defines it: power minus conflicts. No second sample of that size exists, so the
/// conflicts are those with half of the queries.
///
/// ```
/// use partita_core::reliability::stable_with_all;
///
/// // AG with Fine judgments by Friedman and Tukey: 54.3% - 3.2%.
/// assert!((stable_with_all(0.543, 0.032) - 0.511).abs() < 1e-12);
/// ```
pub fn stable_with_all(power: f64, conflicts_with_half: f64) -> f64 {
    power - conflicts_with_half
}

/// Returns `count` divided by `of`, or 0 if `of` is 0.
fn ratio(count: u64, of: u64) -> f64 {
    if of == 0 {
        0.0
    } else {
        count as f64 / of as f64
    }
}

/// Returns the sample standard deviation of `count` numbers with this sum and this sum of squares,
/// or `None` for fewer than two numbers.
fn deviation(sum: u64, squares: u64, count: u64) -> Option<f64> {
    if count < 2 {
        return None;
    }
    // Integer arithmetic up to the last step avoids cancellation.
    let (n, sum) = (u128::from(count), u128::from(sum));
    let spread = (n * u128::from(squares)).saturating_sub(sum * sum);
    Some((spread as f64 / (n * (n - 1)) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviation_follows_from_sum_and_sum_of_squares() {
        // The numbers 1, 2, 3, 4, 5 have sum 15, sum of squares 55 and variance 2.5.
        assert_eq!(deviation(15, 55, 5), Some(2.5f64.sqrt()));
        assert_eq!(deviation(7, 49, 1), None);
    }
}
