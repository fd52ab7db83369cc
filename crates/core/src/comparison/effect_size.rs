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
    pub(super) interval: (f64, f64),
    pub(super) d: Option<f64>,
    pub(super) a12: f64,
    pub(super) wins: usize,
    pub(super) losses: usize,
    pub(super) ties_made: usize,
}

pub(super) fn effect_sizes(
    input: &TestInput,
    confidence: f64,
) -> Result<Vec<EffectSize>, ComparisonError> {
    // All pairs have the same number of queries and therefore the same quantile of the t
    // distribution.
    let df = input.queries() as f64 - 1.0;
    let quantile = student_t::quantile(0.5 * (1.0 + confidence), df)?;
    let scale = max_abs(input.columns.iter().flatten());
    let rounded: Vec<Vec<f64>> = (input.columns.iter())
        .map(|column| input.settings.rounding.round_all(column, scale))
        .collect();
    let size = |&(a, b): &(usize, usize)| {
        let both = input.differences((a, b));
        let differences = both.for_mean_test();
        let t = one_sample(&differences)?;
        let half = quantile * t.standard_error;
        let seen = both.rounded();
        let threshold = input.settings.threshold;
        Ok(EffectSize {
            interval: (t.mean_difference - half, t.mean_difference + half),
            d: cohens_d_paired(&differences)?,
            a12: a12(&rounded[a], &rounded[b])?,
            wins: seen.iter().filter(|d| **d > threshold).count(),
            losses: seen.iter().filter(|d| **d < -threshold).count(),
            ties_made: both.ties_from_rounding(),
        })
    };
    const AT_ONCE: usize = 64;
    let pieces = input.pairs.len().div_ceil(AT_ONCE);
    let sizes = input.work.map("measuring differences", pieces, |piece| {
        let pairs = input.pairs.iter().skip(piece * AT_ONCE).take(AT_ONCE);
        pairs
            .map(size)
            .collect::<Result<Vec<EffectSize>, StatsError>>()
    })?;
    let mut all = Vec::with_capacity(input.pairs.len());
    for piece in sizes {
        all.extend(piece?);
    }
    Ok(all)
}
