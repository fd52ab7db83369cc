//! Distribution of an answering trait, such as sharpness, over a crowd, estimated from noisy
//! estimates of each assessor.

use partita_stats::distribution::normal;

/// Normal distribution of an answering trait over the assessors of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TraitDistribution {
    pub(super) mean: f64,
    pub(super) sd: f64,
}

/// Estimate of an assessor's trait, and its standard error.
pub(super) type TraitEstimate = (f64, f64);

/// Assumption about outliers among the assessors' trait estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutlierModel {
    /// There may be many outliers at any value; their influence on the fit is strongly bounded.
    Anywhere,
    /// Outliers lie near or below 0 and are modelled as a mixture component.
    BelowZero,
}

/// Weight of the prior of the standard deviation, as an equivalent number of assessors whose traits
/// are known exactly.
const SD_PRIOR_WEIGHT: f64 = 8.0;
/// Weight of the prior of the mean, as an equivalent number of assessors.
const MEAN_PRIOR_WEIGHT: f64 = 2.0;

/// Beta prior for the share of outliers: mean, and weight as a number of assessors.
const OUTLIER_PRIOR: (f64, f64) = (0.05, 10.0);

/// Standard deviation of outliers' traits around 0, in addition to their standard errors.
const OUTLIER_SD: f64 = 0.1;

impl OutlierModel {
    /// Returns the Huber cutoff in standard deviations (Huber 1964). If there may be many
    /// unrecognised outliers, their influence must be small: the estimate is then nearly a median.
    fn huber_cutoff(self) -> f64 {
        match self {
            Self::Anywhere => 0.5,
            Self::BelowZero => 1.5,
        }
    }
}

impl TraitDistribution {
    /// Estimates the distribution of a trait over the crowd from each assessor's estimate and
    /// standard error.
    ///
    /// Each assessor is weighted by the probability of not being an outlier, and the influence of
    /// distant estimates is bounded. Nobody is dropped for being in a tail: a spread estimated from
    /// the remaining assessors would shrink repeatedly.
    pub(super) fn fit(estimates: &[TraitEstimate], outliers: OutlierModel, prior: Self) -> Self {
        let mut found = prior;
        let mut outlier_share = match outliers {
            OutlierModel::BelowZero => OUTLIER_PRIOR.0,
            OutlierModel::Anywhere => 0.0,
        };
        for _ in 0..60 {
            let total_variance = |estimate: &TraitEstimate| found.sd.powi(2) + estimate.1.powi(2);
            let own = |estimate: &TraitEstimate| {
                let off = estimate.0 - found.mean;
                let outlier_variance = OUTLIER_SD.powi(2) + estimate.1.powi(2);
                let [of_crowd, of_outliers] = [
                    unscaled_normal_density(off, total_variance(estimate)),
                    unscaled_normal_density(estimate.0.max(0.0), outlier_variance),
                ];
                let of_crowd = (1.0 - outlier_share) * of_crowd;
                of_crowd / (of_crowd + outlier_share * of_outliers).max(f64::MIN_POSITIVE)
            };
            let shares: Vec<f64> = estimates.iter().map(own).collect();
            let next = found.next_iterate(estimates, &shares, outliers, prior);
            let outside: f64 = shares.iter().map(|share| 1.0 - share).sum();
            if outlier_share > 0.0 {
                outlier_share = (outside + OUTLIER_PRIOR.0 * OUTLIER_PRIOR.1)
                    / (estimates.len() as f64 + OUTLIER_PRIOR.1);
            }
            let change = (next.mean - found.mean).abs() + (next.sd - found.sd).abs();
            found = next;
            if change < 1e-6 {
                break;
            }
        }
        found
    }

    /// Returns the distribution after one iteration of the fit. `shares` are the probabilities that
    /// the assessors are not outliers.
    fn next_iterate(
        &self,
        estimates: &[TraitEstimate],
        shares: &[f64],
        outliers: OutlierModel,
        prior: Self,
    ) -> Self {
        let cutoff = outliers.huber_cutoff();
        let variance = self.sd.powi(2);
        let (mut people, mut sum) = (0.0, 0.0);
        for (&(estimate, error), share) in estimates.iter().zip(shares) {
            let total_variance = variance + error * error;
            let off = (estimate - self.mean) / total_variance.sqrt();
            let weight = share * variance / total_variance;
            people += weight;
            sum += weight * off.clamp(-cutoff, cutoff) * total_variance.sqrt();
        }
        let towards = MEAN_PRIOR_WEIGHT * (prior.mean - self.mean);
        let mean = self.mean + (sum + towards) / (people + MEAN_PRIOR_WEIGHT);
        // Weight of an assessor for the spread; 1 if the trait is known exactly.
        let weights = estimates
            .iter()
            .zip(shares)
            .map(|(&(_, error), share)| share * (variance / (variance + error * error)).powi(2));
        let weights: Vec<f64> = weights.collect();
        let people: f64 = weights.iter().sum();
        let mut own = huber_scale(estimates, &weights, mean, cutoff);
        if outliers == OutlierModel::BelowZero {
            // Assessors below the mean may be mistaken for outliers, those above cannot. So the
            // spread is at least that of the assessors above the mean.
            let above: Vec<f64> = (estimates.iter().zip(&weights))
                .map(|(estimate, weight)| if estimate.0 > mean { *weight } else { 0.0 })
                .collect();
            own = own.max(huber_scale(estimates, &above, mean, cutoff));
        }
        let blended =
            (people * own * own + SD_PRIOR_WEIGHT * prior.sd.powi(2)) / (people + SD_PRIOR_WEIGHT);
        Self {
            mean,
            sd: blended.sqrt(),
        }
    }
}

/// Returns a value proportional to the normal density at distance `off` from the mean.
fn unscaled_normal_density(off: f64, variance: f64) -> f64 {
    (-0.5 * off * off / variance).exp() / variance.sqrt()
}

/// Returns Huber's scale estimate: the standard deviation at which the weighted mean of the squared
/// standardised distances, truncated at `cutoff`, has its expected value.
fn huber_scale(estimates: &[TraitEstimate], weights: &[f64], mean: f64, cutoff: f64) -> f64 {
    // Mean of min(z², cutoff²) for a normal z.
    let within = 1.0 - normal::two_sided(cutoff);
    let usual = within - 2.0 * cutoff * normal::density(cutoff) + cutoff * cutoff * (1.0 - within);
    let is_enough = |sd: f64| {
        let squares = estimates
            .iter()
            .zip(weights)
            .map(|(&(estimate, error), weight)| {
                let z = (estimate - mean).powi(2) / (sd * sd + error * error).max(1e-12);
                weight * (z.min(cutoff * cutoff) - usual)
            });
        squares.sum::<f64>() <= 0.0
    };
    let (mut low, mut high) = (0.0, 1.0);
    while !is_enough(high) && high < 1e3 {
        high *= 2.0;
    }
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if is_enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
