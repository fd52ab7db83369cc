//! Effect sizes of system pairs. They do not depend on the chosen test.

use partita_stats::StatsError;
use partita_stats::differences::max_abs;
use partita_stats::distribution::student_t;
use partita_stats::effect_size::{a12, cohens_d_paired};
use partita_stats::t_test::one_sample;

use super::ComparisonError;
use crate::significance::TestInput;

/// Statistics of a system pair that do not depend on the chosen test: t-interval, effect sizes, and
/// counts of wins, losses and ties.
pub(super) struct EffectSize {
    /// Confidence interval of the mean difference by Student's t.
    pub(super) interval: (f64, f64),
    /// Cohen's d of the paired differences; `None` if they do not vary.
    pub(super) d: Option<f64>,
    /// Vargha and Delaney's effect size A12: probability that a random score of the first system
    /// exceeds a random score of the second, with ties counted half.
    pub(super) a12: f64,
    /// Number of queries on which the first system scores higher by more than the tie threshold.
    pub(super) wins: usize,
    /// Number of queries on which the second system scores higher by more than the tie threshold.
    pub(super) losses: usize,
    /// Number of ties that rounding created: distinct absolute score differences that became equal
    /// to a smaller one or to 0.
    pub(super) ties_made: usize,
}

/// Computes the effect sizes of all compared pairs of systems. `confidence` is the confidence level
/// of the t-intervals.
pub(super) fn effect_sizes(
    input: &TestInput,
    confidence: f64,
) -> Result<Vec<EffectSize>, ComparisonError> {
    // All pairs have the same number of queries and therefore the same quantile of the t
    // distribution.
    let df = input.queries() as f64 - 1.0;
    let quantile = student_t::quantile(0.5 * (1.0 + confidence), df)?;
    let scale = max_abs(input.columns.iter().flatten());
    let rounded_columns: Vec<Vec<f64>> = (input.columns.iter())
        .map(|column| input.settings.rounding.round_all(column, scale))
        .collect();
    let size = |&(a, b): &(usize, usize)| {
        let pair = input.differences((a, b));
        let differences = pair.for_mean_test();
        let t = one_sample(&differences)?;
        let (mean, half_width) = (t.mean_difference, quantile * t.standard_error);
        let rounded = pair.rounded();
        let threshold = input.settings.threshold;
        Ok(EffectSize {
            interval: (mean - half_width, mean + half_width),
            d: cohens_d_paired(&differences)?,
            a12: a12(&rounded_columns[a], &rounded_columns[b])?,
            wins: rounded.iter().filter(|d| **d > threshold).count(),
            losses: rounded.iter().filter(|d| **d < -threshold).count(),
            ties_made: pair.ties_from_rounding(),
        })
    };
    let blocks: Vec<&[(usize, usize)]> = input.pairs.chunks(64).collect();
    let sizes = (input.work).map("measuring differences", blocks.len(), |block| {
        let sizes = blocks[block].iter().map(size);
        sizes.collect::<Result<Vec<EffectSize>, StatsError>>()
    })?;
    let sizes = sizes.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(sizes.into_iter().flatten().collect())
}
