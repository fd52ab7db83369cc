//! Counts as shares of all comparisons.

use schemars::JsonSchema;
use serde::Serialize;

use super::trial_counts::Tally;

/// What samples of one size say by one measure and one test. Shares are those of all comparisons,
/// which are the pairs of systems times the trials.
///
/// Standard errors are over trials. Trials share the queries at hand, so these are errors of
/// drawing subsets of them, and not of drawing queries from the world.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutcomeShares {
    /// Trials.
    pub trials: u64,
    /// Comparisons.
    pub comparisons: u64,
    /// Significant in the first sample.
    pub power: f64,
    /// The standard error of the power; none of one trial.
    pub power_error: Option<f64>,
    /// What the second samples say, where there are any.
    #[serde(flatten)]
    pub stability: Option<Stability>,
    /// Significant in the direction that the mean scores deny.
    pub against_mean: f64,
    /// What is missed of the conclusions of all queries.
    pub missed: MissedPairs,
    /// The mean number of pairs that are significant here and not on all queries.
    #[serde(rename = "more")]
    pub extra_pairs: f64,
    /// The trial with the fewest missed pairs.
    pub best_trial: u64,
}

/// What second samples, without a query in common, say of the conclusions of the first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Stability {
    /// Significant in the first only; the mean scores differ in the same direction.
    pub lack_of_power: f64,
    /// Significant in the first only; the mean scores differ in the other direction.
    pub swap: f64,
    /// Significant in both, in opposite directions.
    pub significant_swap: f64,
    /// All three.
    pub conflicts: f64,
    /// The standard error of the conflicts; none of one trial.
    pub conflicts_error: Option<f64>,
    /// Significant in exactly one of both.
    pub exclusive_or: f64,
    /// Significant in both, in the same direction.
    pub stable: f64,
    /// All swaps.
    pub swaps: SwapShares,
    /// Significant in the second only.
    pub mirror: SecondOnlyShares,
    /// As `swap`, where the direction is that of the test's own statistic, such as mean ranks.
    pub own_swap: f64,
}

/// Swaps, significant or not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SwapShares {
    /// Their share of comparisons.
    pub of_comparisons: f64,
    /// Their share of conflicts; none if there are no conflicts.
    pub of_conflicts: Option<f64>,
}

/// Significant in the second sample only.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SecondOnlyShares {
    /// The mean scores differ in the same direction.
    pub lack_of_power: f64,
    /// They differ in the other direction.
    pub swap: f64,
}

/// What samples miss of the conclusions that all queries lead to. Numbers are pairs per trial.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MissedPairs {
    /// The mean number of pairs that are significant on all queries and are missed.
    pub mean: f64,
    /// The standard deviation of the number over trials; none of one trial.
    pub deviation: Option<f64>,
    /// The fewest that a trial missed.
    pub fewest: u64,
    /// The most that a trial missed.
    pub most: u64,
    /// The share of trials that missed none.
    pub none: f64,
    /// The mean number of those missed that are significant the other way round.
    pub reversed: f64,
}

impl OutcomeShares {
    /// The shares of a tally over so many pairs; `paired` says whether there were second samples.
    pub fn new(tally: &Tally, pairs: usize, paired: bool) -> Self {
        let comparisons = tally.trials * pairs as u64;
        let share = |count: u64| ratio(count, comparisons);
        // A tally without trials has no best one.
        let (fewest, _, best_trial) = tally.best.unwrap_or((0, 0, 0));
        let error = |sum, squares| {
            let deviation = deviation(sum, squares, tally.trials)?;
            Some(deviation / (tally.trials as f64).sqrt() / pairs as f64)
        };
        let conflicts = tally.conflicts();
        let swaps = tally.swap + tally.significant_swap;
        Self {
            trials: tally.trials,
            comparisons,
            power: share(tally.significant),
            power_error: error(tally.significant, tally.significant_squared),
            against_mean: share(tally.against_mean),
            stability: paired.then(|| Stability {
                lack_of_power: share(tally.lack_of_power),
                swap: share(tally.swap),
                significant_swap: share(tally.significant_swap),
                conflicts: share(conflicts),
                conflicts_error: error(conflicts, tally.conflicts_squared),
                exclusive_or: share(tally.exclusive_or()),
                stable: share(tally.stable),
                swaps: SwapShares {
                    of_comparisons: share(swaps),
                    of_conflicts: (conflicts > 0).then(|| ratio(swaps, conflicts)),
                },
                mirror: SecondOnlyShares {
                    lack_of_power: share(tally.mirror_lack_of_power),
                    swap: share(tally.mirror_swap),
                },
                own_swap: share(tally.own_swap),
            }),
            missed: MissedPairs {
                mean: ratio(tally.missed, tally.trials),
                deviation: deviation(tally.missed, tally.missed_squared, tally.trials),
                fewest,
                most: tally.most_missed,
                none: ratio(tally.nothing_missed, tally.trials),
                reversed: ratio(tally.reversed, tally.trials),
            },
            extra_pairs: ratio(tally.more, tally.trials),
            best_trial,
        }
    }
}

/// What Table 1 of Urbano, Martín, Marrero and Morato (2011) calls stable with all queries. There
/// is no second sample of that size, so conflicts are taken to be as frequent as with half of the
/// queries.
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

fn ratio(count: u64, of: u64) -> f64 {
    if of == 0 {
        0.0
    } else {
        count as f64 / of as f64
    }
}

/// The standard deviation of numbers with this sum and sum of squares.
fn deviation(sum: u64, squares: u64, count: u64) -> Option<f64> {
    if count < 2 {
        return None;
    }
    // Whole numbers up to the last step, so nothing cancels.
    let (n, sum) = (u128::from(count), u128::from(sum));
    let spread = (n * u128::from(squares)).saturating_sub(sum * sum);
    Some((spread as f64 / (n * (n - 1)) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_those_of_the_numbers() {
        // 1, 2, 3, 4, 5: variance 2.5.
        assert_eq!(deviation(15, 55, 5), Some(2.5f64.sqrt()));
        assert_eq!(deviation(7, 49, 1), None);
    }
}
