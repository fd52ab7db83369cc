//! How far the people of a crowd differ, seen through what little is known of each.

use partita_stats::distribution::normal;

/// A normal law of something over people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TraitDistribution {
    pub(super) mean: f64,
    pub(super) sd: f64,
}

/// What is known of somebody: an estimate and its standard error.
pub(super) type Estimate = (f64, f64);

/// Who may be among the people without being of the crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutlierModel {
    /// Perhaps many, anywhere.
    Anywhere,
    /// People of whom the estimate is 0 or less.
    BelowZero,
}

/// How firmly the spread and the mean of a crowd are believed before anybody has answered: as after so many
/// people whose traits are known exactly.
const FIRMNESS: f64 = 8.0;
const MEAN_FIRMNESS: f64 = 2.0;

/// The share of strangers that is believed, as firmly as after this many people.
const STRANGERS: (f64, f64) = (0.05, 10.0);

/// How unlike 0 the estimates of strangers are, beside their errors.
const STRANGE_SD: f64 = 0.1;

impl OutlierModel {
    /// Beyond so many standard deviations it does not matter how far somebody is from the others (Huber
    /// 1964). Where there may be many strangers who are not recognised, they must not count much: this is
    /// nearly a median.
    fn cut(self) -> f64 {
        match self {
            Self::Anywhere => 0.5,
            Self::BelowZero => 1.5,
        }
    }
}

impl TraitDistribution {
    /// The law of which the estimates of people of the crowd are drawn, each with its error.
    ///
    /// Everybody counts as far as they are likely to be of the crowd and no stranger, and nobody counts
    /// more for being far off. Nobody is dropped for being in a tail: a spread that is estimated of those
    /// whom it leaves would shrink, and leave fewer, without end.
    pub(super) fn fit(estimates: &[Estimate], strangers: OutlierModel, prior: Self) -> Self {
        let mut found = prior;
        let mut strange = match strangers {
            OutlierModel::BelowZero => STRANGERS.0,
            OutlierModel::Anywhere => 0.0,
        };
        for _ in 0..60 {
            let law = |estimate: &Estimate| found.sd.powi(2) + estimate.1.powi(2);
            let own = |estimate: &Estimate| {
                let off = estimate.0 - found.mean;
                let strange_law = STRANGE_SD.powi(2) + estimate.1.powi(2);
                let [of_crowd, of_strangers] = [
                    density(off, law(estimate)),
                    density(estimate.0.max(0.0), strange_law),
                ];
                let of_crowd = (1.0 - strange) * of_crowd;
                of_crowd / (of_crowd + strange * of_strangers).max(f64::MIN_POSITIVE)
            };
            let shares: Vec<f64> = estimates.iter().map(own).collect();
            let next = found.moved(estimates, &shares, strangers, prior);
            let outside: f64 = shares.iter().map(|share| 1.0 - share).sum();
            if strange > 0.0 {
                strange =
                    (outside + STRANGERS.0 * STRANGERS.1) / (estimates.len() as f64 + STRANGERS.1);
            }
            let change = (next.mean - found.mean).abs() + (next.sd - found.sd).abs();
            found = next;
            if change < 1e-6 {
                break;
            }
        }
        found
    }

    /// The law of people who are of the crowd by these shares, from a law that is near it.
    fn moved(
        &self,
        estimates: &[Estimate],
        shares: &[f64],
        strangers: OutlierModel,
        prior: Self,
    ) -> Self {
        let cut = strangers.cut();
        let variance = self.sd.powi(2);
        let (mut people, mut sum) = (0.0, 0.0);
        for (&(estimate, error), share) in estimates.iter().zip(shares) {
            let law = variance + error * error;
            let off = (estimate - self.mean) / law.sqrt();
            let weight = share * variance / law;
            people += weight;
            sum += weight * off.clamp(-cut, cut) * law.sqrt();
        }
        let towards = MEAN_FIRMNESS * (prior.mean - self.mean);
        let mean = self.mean + (sum + towards) / (people + MEAN_FIRMNESS);
        // How much somebody tells of the spread, of 1 for whom the trait is known exactly.
        let weights = estimates
            .iter()
            .zip(shares)
            .map(|(&(_, error), share)| share * (variance / (variance + error * error)).powi(2));
        let weights: Vec<f64> = weights.collect();
        let people: f64 = weights.iter().sum();
        let mut own = scale(estimates, &weights, mean, cut);
        if strangers == OutlierModel::BelowZero {
            // Some of those below may have been taken for strangers, and those above never are.
            let above: Vec<f64> = (estimates.iter().zip(&weights))
                .map(|(estimate, weight)| if estimate.0 > mean { *weight } else { 0.0 })
                .collect();
            own = own.max(scale(estimates, &above, mean, cut));
        }
        let blended = (people * own * own + FIRMNESS * prior.sd.powi(2)) / (people + FIRMNESS);
        Self {
            mean,
            sd: blended.sqrt(),
        }
    }
}

/// Proportional to the normal density.
fn density(off: f64, variance: f64) -> f64 {
    (-0.5 * off * off / variance).exp() / variance.sqrt()
}

/// The standard deviation with which people are as far from the mean as they should be.
fn scale(estimates: &[Estimate], weights: &[f64], mean: f64, cut: f64) -> f64 {
    // The mean of min(z², cut²) for a normal z.
    let within = 1.0 - normal::two_sided(cut);
    let usual = within - 2.0 * cut * normal::density(cut) + cut * cut * (1.0 - within);
    let is_enough = |sd: f64| {
        let squares = estimates
            .iter()
            .zip(weights)
            .map(|(&(estimate, error), weight)| {
                let z = (estimate - mean).powi(2) / (sd * sd + error * error).max(1e-12);
                weight * (z.min(cut * cut) - usual)
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
