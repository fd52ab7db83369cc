//! Intervals for what depends on the panel of assessors.

use partita_stats::bootstrap::{Interval, sorted_quantile};
use partita_stats::distribution::normal;

/// A quantity computed from a panel, and how it varies from panel to panel.
///
/// # What it estimates
///
/// Whatever is computed from a list depends on how many assessors there are: the more, the more
/// items can be told apart. So the truth is not what infinitely many assessors would give, but
/// what panels *of this size*, drawn from the same people and used in the same way, give on
/// average. The value of the panel at hand is an unbiased estimate of it.
///
/// # Why the replicates are moved
///
/// Replicates of the bootstrap are biased. A panel differs from the people it was drawn from by
/// chance, a replicate differs from the panel by chance again, and both kinds of chance look like
/// differences between items. Replicates therefore have more and smaller groups than panels have,
/// and score systems lower, often by a standard deviation. What they do show is how far panels
/// scatter. So they are moved until their mean is the value of the panel at hand.
///
/// Their scatter is a little off for the same reason. A second level of the bootstrap, replicates
/// of replicates, shows by how much: if v₁ is the variance of the replicates and v₂ the mean
/// variance of the replicates of one replicate, that of panels is taken to be v₁·(v₁/v₂). The
/// ratio of standard deviations is held between 1/2 and 2. The jackknife would be no remedy: a list
/// changes by jumps, and leaving out one assessor at a time gave 3 to 20 times the variance.
///
/// # Why they are widened
///
/// That variance is itself only estimated from a few people. Were the quantity a mean of normal
/// numbers, Student's t would take the place of the normal law. So the deviation of the replicate
/// at quantile p is multiplied by t(p)/z(p), the quantile of Student's t over that of the normal
/// law, with a degree of freedom for each person but one of every panel drawn by itself. At the
/// ends of a 95% interval that is 1.21 for a panel of 8 people and 1.04 for one of 35.
///
/// Intervals are then read off as quantiles, which keeps the skewness that a score has near 1;
/// intervals of the same width around the estimate hold the truth of single queries less often.
/// `examples/coverage` measures how often they hold it; the [module](super) states the results.
#[derive(Clone, Debug, PartialEq)]
pub struct RecentredBootstrap {
    estimate: f64,
    /// The replicates, moved, scaled and widened, in ascending order.
    values: Vec<f64>,
}

impl RecentredBootstrap {
    /// The quantity for the panel at hand, for its replicates, and for two replicates of each
    /// of these; and the degrees of freedom of its variance ([`Panel::freedom`](crate::truth::Panel::freedom)).
    ///
    /// Undefined (NaN) replicates are left out. `None` if none is left, or if the estimate is
    /// undefined.
    pub fn new(
        estimate: f64,
        replicates: &[f64],
        again: &[[f64; 2]],
        freedom: usize,
    ) -> Option<Self> {
        let mut values: Vec<f64> = replicates.iter().copied().filter(|v| !v.is_nan()).collect();
        if values.is_empty() || estimate.is_nan() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let scale = scale(mean, &values, again);
        values.sort_by(f64::total_cmp);
        let places = values.len() as f64 + 1.0;
        for (place, value) in (1..).zip(&mut values) {
            let widening = student_over_normal(f64::from(place) / places, freedom);
            *value = estimate + widening * scale * (*value - mean);
        }
        // Where the law is lopsided, the median is not the mean, and widening may change places.
        values.sort_by(f64::total_cmp);
        Some(Self { estimate, values })
    }

    /// The quantity for the panel at hand.
    pub fn estimate(&self) -> f64 {
        self.estimate
    }

    /// The interval of this confidence, held between two limits (0 and 1 for a score).
    pub fn interval(&self, confidence: f64, limits: (f64, f64)) -> Interval {
        let tail = 0.5 * (1.0 - confidence.clamp(0.0, 1.0));
        Interval {
            estimate: self.estimate,
            lower: sorted_quantile(&self.values, tail).clamp(limits.0, limits.1),
            upper: sorted_quantile(&self.values, 1.0 - tail).clamp(limits.0, limits.1),
            confidence,
        }
    }

    /// The share of the replicates above 0, those at 0 counted one half: the confidence that the
    /// quantity, a difference of two systems say, is positive.
    pub fn probability_positive(&self) -> f64 {
        // Rounding must not give a difference of nothing a sign.
        let sign = |value: f64| {
            if value.abs() < 1e-12 {
                0.0
            } else {
                value.signum()
            }
        };
        let signs: f64 = self.values.iter().map(|&value| sign(value)).sum();
        0.5 + 0.5 * signs / self.values.len() as f64
    }
}

/// By how much the deviations of the replicates are to be multiplied.
fn scale(mean: f64, values: &[f64], again: &[[f64; 2]]) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let first = squares / (values.len() as f64 - 1.0).max(1.0);
    // Half the squared difference of two draws is an unbiased estimate of their variance.
    let halves = again.iter().map(|[one, other]| 0.5 * (one - other).powi(2));
    let halves: Vec<f64> = halves.filter(|half| !half.is_nan()).collect();
    let second = halves.iter().sum::<f64>() / halves.len() as f64;
    let ratio = (first / second).sqrt();
    if ratio.is_finite() {
        ratio.clamp(0.5, 2.0)
    } else {
        1.0
    }
}

/// The quantile of Student's t over that of the normal law, by the expansion of Fisher and Cornish
/// (1960; Abramowitz and Stegun 1964, 26.7.5), which has no trouble where both are 0.
fn student_over_normal(level: f64, freedom: usize) -> f64 {
    let n = freedom.max(1) as f64;
    let z = normal::quantile(level).expect("a level lies between 0 and 1");
    let z2 = z * z;
    let first = (z2 + 1.0) / 4.0;
    let second = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    1.0 + (first + (second + third / n) / n) / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_turns_normal_quantiles_into_those_of_student() {
        // Quantiles of Student's t as tables print them.
        for (freedom, level, t) in [
            (7, 0.975, 2.365),
            (11, 0.975, 2.201),
            (34, 0.025, -2.032),
            (7, 0.9, 1.415),
            (19, 0.995, 2.861),
        ] {
            let z = normal::quantile(level).unwrap();
            let found = z * student_over_normal(level, freedom);
            assert!((found - t).abs() < 2e-3, "{freedom} {level}: {found}");
        }
        let many: Vec<f64> = (1..1000)
            .map(|i| normal::quantile(f64::from(i) / 1000.0).unwrap())
            .collect();
        let again = vec![[0.0, 2.0f64.sqrt()]; 50];
        let found = RecentredBootstrap::new(3.0, &many, &again, 7).unwrap();
        let interval = found.interval(0.95, (-9.0, 9.0));
        assert!((interval.upper - 5.365).abs() < 0.02, "{interval:?}");
        assert!((interval.lower - 0.635).abs() < 0.02, "{interval:?}");
    }
}
