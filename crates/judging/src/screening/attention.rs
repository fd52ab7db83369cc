//! Mixture model of attentive and inattentive assessors.
//!
//! The sharpness of attentive assessors is positive and has a [gamma
//! distribution](SharpnessDistribution). Its mean and coefficient of variation are estimated by
//! their posterior mode together with the share of inattentive assessors, who answer at random or
//! contrary to what they hear. In a homogeneous crowd a random assessor stands out. In a
//! heterogeneous crowd the distribution reaches down to 0, and nobody is flagged for behaviour that
//! some honest assessors show too.
//!
//! An assessor is rated by a likelihood ratio: the likelihood of their answers under the attentive
//! distribution, relative to the inattentive one. At most a share c of the crowd has a ratio below
//! c, whatever the number of answers (Wald 1945, by Markov's inequality).

use super::answers::ScreenedAnswer;
use super::traits;
use super::traits::TraitPrior;

/// Lowest value of the grid of sharpness values on which likelihoods are evaluated. An assessor's
/// answers follow the probabilities predicted from others with the exponent sharpness.
const LOWEST_SHARPNESS: f64 = -2.0;
/// Distance between neighbouring sharpness values of the grid.
const SHARPNESS_STEP: f64 = 0.1;
/// Number of sharpness values of the grid.
const GRID_POINTS: usize = 61;
/// Index of sharpness 0 in the grid.
const ZERO_INDEX: usize = 20;

/// Distance, in grid steps, between the sharpness values at which the likelihood is computed.
/// Between them the log likelihood is interpolated by cubics.
const STEPS_BETWEEN_FITS: usize = 5;

/// Grid for the mean sharpness (sensitivity to differences) of attentive assessors: lowest value
/// and number of values. Each value is `GRID_FACTOR` times the one before.
const MEAN_GRID: (f64, usize) = (0.35, 10);
/// Grid for the coefficient of variation of attentive assessors' sharpness (sensitivity to
/// differences): lowest value and number of values.
const VARIATION_GRID: (f64, usize) = (0.1, 15);
/// Ratio of neighbouring values in the grids `MEAN_GRID` and `VARIATION_GRID`.
const GRID_FACTOR: f64 = 1.17;

/// Log-normal prior of the mean sharpness (sensitivity to differences) of attentive assessors:
/// median, and standard deviation of the logarithm.
const MEAN_PRIOR: (f64, f64) = (0.8, 0.4);
/// Log-normal prior of the coefficient of variation of attentive assessors' sharpness (sensitivity
/// to differences): median, and standard deviation of the logarithm.
const VARIATION_PRIOR: (f64, f64) = (0.4, 0.5);

/// Beta prior for the share of inattentive assessors, as pseudo-counts: (all, inattentive).
const INATTENTIVE_PRIOR: (f64, f64) = (22.0, 2.0);

/// Share of inattentive assessors who answer the opposite of what they hear; the others answer at
/// random.
const CONTRARIAN_SHARE: f64 = 0.2;

/// Largest coefficient of variation of sharpness at which the lower tail of its distribution is
/// trusted. In a more heterogeneous crowd the tail is less certain, and likelihood ratios are
/// raised.
const MAX_TRUSTED_VARIATION: f64 = 0.4;

/// Likelihood of an assessor's answers at each sharpness of the grid, relative to the largest.
pub(super) struct SharpnessLikelihoods([f64; GRID_POINTS]);

impl SharpnessLikelihoods {
    /// Computes the likelihoods of these answers. At each sharpness, the tendencies to call items
    /// equal and to prefer a side are fitted with the crowd's distribution of them as prior.
    pub(super) fn from_answers(given: &[ScreenedAnswer], crowd: &TraitPrior) -> Self {
        let mut logs = [0.0; GRID_POINTS];
        let mut prior = *crowd;
        let mut before: Option<(f64, f64)> = None;
        let mut start = prior.mean;
        for place in (0..GRID_POINTS).step_by(STEPS_BETWEEN_FITS) {
            prior.mean[0] = grid_sharpness(place);
            start[0] = prior.mean[0];
            let fitted = traits::fit_from(given, &prior, [true, false, false], start);
            start = fitted.traits;
            let rise = fitted.gradient[0] * SHARPNESS_STEP * STEPS_BETWEEN_FITS as f64;
            if let Some((value, rise_before)) = before {
                for step in 1..STEPS_BETWEEN_FITS {
                    let t = step as f64 / STEPS_BETWEEN_FITS as f64;
                    logs[place - STEPS_BETWEEN_FITS + step] =
                        hermite_cubic([value, fitted.value], [rise_before, rise], t);
                }
            }
            logs[place] = fitted.value;
            before = Some((fitted.value, rise));
        }
        let top = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
        Self(logs.map(|log| (log - top).exp()))
    }

    /// Returns the likelihood of the answers, averaged over a distribution of sharpness on the
    /// grid.
    fn average_likelihood(&self, distribution: &[f64; GRID_POINTS]) -> f64 {
        self.0
            .iter()
            .zip(distribution)
            .map(|(own, share)| own * share)
            .sum()
    }
}

/// Returns the sharpness at an index of the grid.
fn grid_sharpness(place: usize) -> f64 {
    LOWEST_SHARPNESS + SHARPNESS_STEP * place as f64
}

/// Evaluates at t the cubic Hermite interpolant with these values and slopes at 0 and 1.
fn hermite_cubic(values: [f64; 2], slopes: [f64; 2], t: f64) -> f64 {
    let u = 1.0 - t;
    let of_values = (1.0 + 2.0 * t) * u * u * values[0] + (1.0 + 2.0 * u) * t * t * values[1];
    of_values + t * u * (u * slopes[0] - t * slopes[1])
}

/// Distribution of sharpness (sensitivity to differences) in a crowd, as a mixture of attentive and
/// inattentive assessors.
#[derive(Clone, Debug)]
pub(super) struct SharpnessDistribution {
    /// Coefficient of variation of the sharpness (sensitivity to differences) of attentive
    /// assessors.
    pub(super) variation: f64,
    /// Share of inattentive assessors in the crowd.
    pub(super) inattentive_share: f64,
    attentive: [f64; GRID_POINTS],
    inattentive: [f64; GRID_POINTS],
}

impl SharpnessDistribution {
    /// Fits the distribution to the answers of the crowd's assessors by maximum a posteriori.
    pub(super) fn fit(people: &[&SharpnessLikelihoods]) -> Self {
        let geometric_grid = |(least, count): (f64, usize)| {
            (0..count).map(move |number| least * GRID_FACTOR.powi(number as i32))
        };
        let mut best: Option<(f64, Self)> = None;
        for variation in geometric_grid(VARIATION_GRID) {
            for mean in geometric_grid(MEAN_GRID) {
                let mut distribution = Self::with_moments(mean, variation);
                let mut value = distribution.fit_inattentive_share(people);
                for (found, (usual, by)) in [(mean, MEAN_PRIOR), (variation, VARIATION_PRIOR)] {
                    value -= 0.5 * ((found / usual).ln() / by).powi(2);
                }
                if best.as_ref().is_none_or(|(most, _)| value > *most) {
                    best = Some((value, distribution));
                }
            }
        }
        best.expect("the grids are not empty").1
    }

    /// Creates the distribution in which attentive assessors' sharpness has this mean and
    /// coefficient of variation, with the prior share of inattentive assessors.
    fn with_moments(mean: f64, variation: f64) -> Self {
        let shape = variation.powi(-2);
        let mut attentive = [0.0; GRID_POINTS];
        for (place, share) in attentive.iter_mut().enumerate().skip(ZERO_INDEX) {
            // No attentive assessor has sharpness exactly 0; half a step above represents this grid
            // point.
            let (at, width) = match place {
                ZERO_INDEX => (0.25 * SHARPNESS_STEP, 0.5),
                _ => (grid_sharpness(place), 1.0),
            };
            let at = at / mean;
            *share = width * (shape * (at.ln() - at + 1.0) - at.ln()).exp();
        }
        let mut inattentive = [0.0; GRID_POINTS];
        // Contrarians hear as well as the others and answer the opposite.
        for place in 0..ZERO_INDEX {
            inattentive[place] = attentive[2 * ZERO_INDEX - place];
        }
        scale_to_sum(&mut attentive, 1.0);
        scale_to_sum(&mut inattentive, CONTRARIAN_SHARE);
        inattentive[ZERO_INDEX] = 1.0 - CONTRARIAN_SHARE;
        Self {
            variation,
            inattentive_share: INATTENTIVE_PRIOR.1 / INATTENTIVE_PRIOR.0,
            attentive,
            inattentive,
        }
    }

    /// Estimates the share of inattentive assessors by EM and returns the log likelihood plus log
    /// prior.
    fn fit_inattentive_share(&mut self, people: &[&SharpnessLikelihoods]) -> f64 {
        let both: Vec<[f64; 2]> = (people.iter())
            .map(|own| {
                [
                    own.average_likelihood(&self.attentive),
                    own.average_likelihood(&self.inattentive),
                ]
            })
            .collect();
        for _ in 0..12 {
            let share = self.inattentive_share;
            let outside: f64 = (both.iter())
                .map(|[of_crowd, inattentive]| {
                    let inattentive = share * inattentive;
                    inattentive / (inattentive + (1.0 - share) * of_crowd).max(f64::MIN_POSITIVE)
                })
                .sum();
            self.inattentive_share =
                (outside + INATTENTIVE_PRIOR.1) / (people.len() as f64 + INATTENTIVE_PRIOR.0);
        }
        let share = self.inattentive_share;
        let of = |[of_crowd, inattentive]: &[f64; 2]| {
            (share * inattentive + (1.0 - share) * of_crowd)
                .max(f64::MIN_POSITIVE)
                .ln()
        };
        let known = INATTENTIVE_PRIOR.1 * share.ln()
            + (INATTENTIVE_PRIOR.0 - INATTENTIVE_PRIOR.1) * (1.0 - share).ln();
        both.iter().map(of).sum::<f64>() + known
    }

    /// Returns the likelihood ratio of an assessor's answers: attentive to inattentive. In a crowd
    /// whose sharpness (sensitivity to differences) varies more than [`MAX_TRUSTED_VARIATION`], it
    /// is multiplied by the square of variation / `MAX_TRUSTED_VARIATION`, so that fewer assessors
    /// are suspected.
    pub(super) fn likelihood_ratio(&self, own: &SharpnessLikelihoods) -> f64 {
        let caution = (self.variation / MAX_TRUSTED_VARIATION).max(1.0).powi(2);
        let inattentive = own
            .average_likelihood(&self.inattentive)
            .max(f64::MIN_POSITIVE);
        caution * own.average_likelihood(&self.attentive) / inattentive
    }
}

/// Scales shares so that they add up to `sum`.
fn scale_to_sum(shares: &mut [f64; GRID_POINTS], sum: f64) {
    let all: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share *= sum / all);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the likelihoods of an assessor whose sharpness is estimated with this standard
    /// error.
    fn likelihoods_around(at: f64, error: f64) -> SharpnessLikelihoods {
        let mut own = [0.0; GRID_POINTS];
        for (place, own) in own.iter_mut().enumerate() {
            *own = (-0.5 * ((grid_sharpness(place) - at) / error).powi(2)).exp();
        }
        SharpnessLikelihoods(own)
    }

    fn distribution(crowd: impl Iterator<Item = f64>) -> SharpnessDistribution {
        let people: Vec<SharpnessLikelihoods> =
            crowd.map(|at| likelihoods_around(at, 0.2)).collect();
        SharpnessDistribution::fit(&people.iter().collect::<Vec<_>>())
    }

    /// Returns the sharpness of forty assessors: `of` at evenly spaced quantiles between 0 and 1.
    fn sharpness_of_forty_assessors(of: fn(f64) -> f64) -> impl Iterator<Item = f64> {
        (0..40).map(move |person| of((f64::from(person) + 0.5) / 40.0))
    }

    #[test]
    fn random_assessor_stands_out_only_in_homogeneous_crowd() {
        let alike = distribution(sharpness_of_forty_assessors(|place| 0.7 + 0.2 * place));
        // Exponential distribution of the sharpness: many assessors are hardly better than chance.
        let unlike = distribution(sharpness_of_forty_assessors(|place| {
            -0.8 * (1.0 - place).ln()
        }));
        assert!(alike.variation < 0.3, "{}", alike.variation);
        assert!(unlike.variation > 0.6, "{}", unlike.variation);
        let random = likelihoods_around(0.0, 0.25);
        let [alike, unlike] =
            [alike, unlike].map(|distribution| distribution.likelihood_ratio(&random));
        assert!(alike < 0.05 && unlike > 0.5, "{alike} {unlike}");
    }

    #[test]
    fn inattentive_assessors_hardly_change_the_variation_of_attentive_ones() {
        let honest = || sharpness_of_forty_assessors(|place| 0.7 + 0.2 * place);
        let random = (0..10).map(|person| 0.02 * f64::from(person) - 0.1);
        let (alone, mixed) = (distribution(honest()), distribution(honest().chain(random)));
        assert!(
            alone.inattentive_share < 0.06,
            "{}",
            alone.inattentive_share
        );
        let share = mixed.inattentive_share;
        assert!((share - 0.17).abs() < 0.05, "{share}");
        assert!(mixed.variation < 1.3 * alone.variation);
    }

    #[test]
    fn at_most_share_c_of_attentive_assessors_has_likelihood_ratio_below_c() {
        for (variation, error) in [(0.2, 0.3), (0.4, 0.15), (0.4, 0.6), (0.8, 0.3)] {
            let distribution = SharpnessDistribution::with_moments(0.8, variation);
            for c in [0.02, 0.14, 0.5] {
                let step = 0.01;
                let accused = (-300..500).map(|at| {
                    let own = likelihoods_around(f64::from(at) * step, error);
                    let density = own.average_likelihood(&distribution.attentive)
                        / (error * (2.0 * std::f64::consts::PI).sqrt());
                    if distribution.likelihood_ratio(&own) < c {
                        density * step
                    } else {
                        0.0
                    }
                });
                let accused: f64 = accused.sum();
                assert!(accused <= c, "{variation} {error}: {accused} of {c}");
            }
        }
    }

    #[test]
    fn hermite_interpolant_reproduces_a_cubic() {
        let value = |t: f64| 2.0 - t + 3.0 * t * t - 0.5 * t * t * t;
        let slope = |t: f64| -1.0 + 6.0 * t - 1.5 * t * t;
        for t in [0.0, 0.2, 0.7, 1.0] {
            let found = hermite_cubic([value(0.0), value(1.0)], [slope(0.0), slope(1.0)], t);
            assert!((found - value(t)).abs() < 1e-12);
        }
    }
}
