//! Posterior of Davidson's model with pair effects: normal deviations of single pairs from the
//! difference of their items' worths.

use super::cholesky::Cholesky;
use super::curvature::Curvature;
use super::davidson::{CANDIDATE_SCALES, LogPosterior, PairWeights, line_search};
use super::davidson_fit::{DavidsonFit, davidson_probabilities};

/// Returns the mean vote (from -1 to 1), the probability of a tie, and the variance of a vote on a
/// pair with difference x: difference of worths plus pair effect. The variance is the Fisher
/// information of the vote about x.
fn vote_moments(x: f64, eta: f64) -> [f64; 3] {
    let [plus, tie, minus] = davidson_probabilities(x, eta);
    let mean = plus - minus;
    [mean, tie, plus + minus - mean * mean]
}

/// Returns the log likelihood of the votes (for a, equal, for b) on a pair with difference x:
/// difference of worths plus pair effect.
pub(super) fn log_likelihood(votes: &[f64; 3], x: f64, eta: f64) -> f64 {
    // Davidson's weights e^x : e^η : e^-x, with the largest factored out.
    let top = x.abs().max(eta);
    let sum = (x - top).exp() + (eta - top).exp() + (-x - top).exp();
    let count: f64 = votes.iter().sum();
    (votes[0] - votes[2]) * x + votes[1] * eta - count * (top + sum.ln())
}

/// Returns the Fisher information of `count` votes on a pair about its difference x: difference of
/// worths plus pair effect.
pub(super) fn information(count: f64, x: f64, eta: f64) -> f64 {
    let [_, _, variance] = vote_moments(x, eta);
    count * variance
}

/// Returns the derivative of [`log_likelihood`] with respect to x.
pub(super) fn log_likelihood_gradient(votes: &[f64; 3], x: f64, eta: f64) -> f64 {
    let [mean, ..] = vote_moments(x, eta);
    votes[0] - votes[2] - votes.iter().sum::<f64>() * mean
}

/// Finds the posterior mode of the difference of a pair (of worths, plus pair effect), given its
/// votes and the normal prior N(d, variance).
///
/// The log posterior is strictly concave, so its derivative decreases. A step that does not bring
/// the derivative nearer to 0 is halved.
pub(super) fn pair_mode(d: f64, variance: f64, votes: &[f64; 3], eta: f64) -> f64 {
    let count: f64 = votes.iter().sum();
    if variance == 0.0 || count == 0.0 {
        return d;
    }
    let slope = |x: f64| (d - x) / variance + log_likelihood_gradient(votes, x, eta);
    let mut x = d;
    let mut here = slope(x);
    for _ in 0..MAX_STEPS {
        let mut step = here / (1.0 / variance + information(count, x, eta));
        let mut there = slope(x + step);
        while there.abs() > here.abs() && step.abs() > STEP_TOLERANCE {
            step *= 0.5;
            there = slope(x + step);
        }
        (x, here) = (x + step, there);
        if step.abs() < STEP_TOLERANCE {
            break;
        }
    }
    x
}

/// Step length below which Newton's method has converged.
const STEP_TOLERANCE: f64 = 1e-11;

/// Limit of the number of Newton steps; more have never been needed.
const MAX_STEPS: usize = 100;

/// Posterior mode of the worths of a list and of the tie parameter η for one candidate scale.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScaleMode {
    /// Coordinates of the mode: the worths, then the tie parameter η.
    at: Vec<f64>,
    /// Candidate scale: prior standard deviation of the worths.
    scale: f64,
    /// Posterior covariance of the worths and the tie parameter η, row by row.
    covariance: Vec<f64>,
    /// Log marginal likelihood of the scale by Laplace's approximation, up to a constant.
    pub(super) evidence: f64,
    /// Posterior probability of the scale among the candidate scales that were kept.
    pub(super) share: f64,
}

impl ScaleMode {
    /// Creates the mode of a fit without pair effects, as the only candidate scale.
    pub(super) fn from_fit(fit: &DavidsonFit) -> Self {
        let n = fit.worths.len();
        let mut covariance = Vec::with_capacity((n + 1) * (n + 1));
        for row in fit.covariance.chunks_exact(n) {
            covariance.extend_from_slice(row);
            covariance.push(0.0);
        }
        covariance.resize((n + 1) * (n + 1), 0.0);
        Self {
            at: [&fit.worths[..], &[fit.eta]].concat(),
            scale: fit.scale,
            covariance,
            evidence: 0.0,
            share: 1.0,
        }
    }

    /// Returns the number of items of the list.
    pub(super) fn items(&self) -> usize {
        self.at.len() - 1
    }

    /// Returns the tie parameter η at the mode.
    pub(super) fn eta(&self) -> f64 {
        self.at[self.at.len() - 1]
    }

    /// Returns the posterior variance of the tie parameter η.
    pub(super) fn eta_variance(&self) -> f64 {
        self.covariance[self.covariance.len() - 1]
    }

    /// Returns the prior variance of the difference of two worths.
    pub(super) fn prior_difference_variance(&self) -> f64 {
        2.0 * self.scale * self.scale
    }

    /// Returns the difference of two items' worths at the mode, and its posterior variance.
    pub(super) fn worth_difference(&self, a: usize, b: usize) -> (f64, f64) {
        let width = self.at.len();
        let at = |row: usize, column: usize| self.covariance[row * width + column];
        let variance = at(a, a) + at(b, b) - 2.0 * at(a, b);
        (self.at[a] - self.at[b], variance.max(f64::MIN_POSITIVE))
    }
}

/// Finds the posterior mode for each candidate scale, in the order of the scales. The shares of the
/// modes are not set yet. `spread` is the standard deviation of the pair effects: with d = θₐ - θ_b
/// the votes follow d + e with e ~ N(0, spread²). `eta` is the mean and standard deviation of the
/// prior of the tie parameter η.
pub(super) fn scale_modes(
    items: usize,
    pairs: &[PairWeights],
    spread: f64,
    eta: (f64, f64),
) -> Vec<ScaleMode> {
    let mut modes: Vec<ScaleMode> = Vec::with_capacity(CANDIDATE_SCALES.len());
    for scale in CANDIDATE_SCALES {
        let start = modes.last().map(|mode| mode.at.clone());
        modes.push(scale_mode(items, pairs, scale, (spread, eta), start));
    }
    modes
}

/// Computes the log posterior of the worths and the tie parameter η with each pair effect at its
/// conditional mode given the worths. For the worths this leaves the Schur complement of the
/// Hessian, in which the votes on a pair count 1/(1 + f spread²) of their information f. Also
/// returns the log determinant of the pair effects' block of the Hessian.
fn evaluate(
    at: &[f64],
    pairs: &[PairWeights],
    scale: f64,
    (spread, eta_prior): (f64, (f64, f64)),
) -> (LogPosterior, f64) {
    let n = at.len() - 1;
    let (eta, precision, own) = (at[n], 1.0 / (scale * scale), spread * spread);
    let off = (eta - eta_prior.0) / eta_prior.1;
    let mut value = -0.5 * (at[..n].iter().map(|w| w * w).sum::<f64>() * precision + off * off);
    let mut gradient: Vec<f64> = at[..n].iter().map(|worth| -worth * precision).collect();
    gradient.push(-off / eta_prior.1);
    let mut diagonal = vec![precision; n];
    diagonal.push(1.0 / (eta_prior.1 * eta_prior.1));
    let mut eta_entries = vec![0.0; n];
    let mut weights = Vec::with_capacity(pairs.len());
    let mut determinant = 0.0;
    for PairWeights {
        a,
        b,
        weights: votes,
    } in pairs
    {
        let d = at[*a] - at[*b];
        let x = pair_mode(d, own, votes, eta);
        let count: f64 = votes.iter().sum();
        let [mean, tie, variance] = vote_moments(x, eta);
        value += log_likelihood(votes, x, eta);
        if own > 0.0 {
            value -= 0.5 * (x - d).powi(2) / own;
        }
        let rise = votes[0] - votes[2] - count * mean;
        gradient[*a] += rise;
        gradient[*b] -= rise;
        gradient[n] += votes[1] - count * tie;
        let (information, cross) = (count * variance, -count * mean * tie);
        let counts = 1.0 / (1.0 + information * own);
        determinant -= counts.ln();
        diagonal[*a] += information * counts;
        diagonal[*b] += information * counts;
        weights.push(information * counts);
        eta_entries[*a] += cross * counts;
        eta_entries[*b] -= cross * counts;
        diagonal[n] += count * tie * (1.0 - tie) - cross * cross * own * counts;
    }
    let curvature = Curvature {
        diagonal,
        weights,
        eta_entries,
    };
    let posterior = LogPosterior {
        value,
        gradient,
        curvature,
    };
    (posterior, determinant)
}

/// Finds the posterior mode of the worths and the tie parameter η for one candidate scale by
/// Newton's method.
fn scale_mode(
    n: usize,
    pairs: &[PairWeights],
    scale: f64,
    model: (f64, (f64, f64)),
    start: Option<Vec<f64>>,
) -> ScaleMode {
    let factored = |here: &LogPosterior| {
        let factor = Cholesky::new(here.curvature.lower_triangle(pairs), n + 1);
        factor.expect("the priors keep the curvature positive definite")
    };
    let mut at = start.unwrap_or_else(|| [vec![0.0; n], vec![model.1.0]].concat());
    let (mut here, mut pair_determinant) = evaluate(&at, pairs, scale, model);
    let mut factor = factored(&here);
    for _ in 0..MAX_STEPS {
        let step = factor.solve(here.gradient.clone());
        let next = line_search(&at, &here, &step, |at| {
            let (there, determinant) = evaluate(at, pairs, scale, model);
            pair_determinant = determinant;
            there
        });
        let Some(next) = next else {
            break;
        };
        (at, here) = next;
        factor = factored(&here);
    }
    let determinant = factor.log_determinant() + pair_determinant;
    ScaleMode {
        at,
        scale,
        covariance: factor.inverse(),
        evidence: here.value - n as f64 * scale.ln() - 0.5 * determinant,
        share: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::davidson::ETA_PRIOR;
    use super::*;
    use crate::model::DavidsonModel;

    fn pairs() -> Vec<PairWeights> {
        let votes = [
            (0, 1, [6.0, 3.0, 1.0]),
            (1, 2, [1.0, 5.0, 4.0]),
            (0, 2, [8.0, 2.0, 0.0]),
            (2, 3, [3.0, 3.0, 4.0]),
        ];
        let pair = |(a, b, weights)| PairWeights { a, b, weights };
        votes.map(pair).to_vec()
    }

    /// Returns the log of the joint posterior of worths, η and pair effects.
    fn joint(at: &[f64], own: &[f64], scale: f64, spread: f64) -> f64 {
        let n = at.len() - 1;
        let votes = pairs().into_iter().zip(own).map(|(pair, own)| {
            let shares = davidson_probabilities(at[pair.a] - at[pair.b] + own, at[n]);
            let votes = pair.weights.iter().zip(shares);
            votes.map(|(count, share)| count * share.ln()).sum::<f64>()
                - 0.5 * (own / spread).powi(2)
        });
        let worths = at[..n].iter().map(|worth| (worth / scale).powi(2));
        votes.sum::<f64>()
            - 0.5 * worths.sum::<f64>()
            - 0.5 * ((at[n] - ETA_PRIOR.0) / ETA_PRIOR.1).powi(2)
    }

    #[test]
    fn mode_without_pair_effects_is_that_of_davidsons_model() {
        for scale in [0.4, 1.0, 2.6] {
            let fit = DavidsonModel::with_scale(scale).fit_weighted(4, &pairs());
            let mode = scale_mode(4, &pairs(), scale, (0.0, ETA_PRIOR), None);
            assert!((mode.eta() - fit.eta).abs() < 1e-6);
            for item in 1..4 {
                let [a, b] = [0, item].map(|at| {
                    partita_core::Item::from_index(at).expect("the item number is valid")
                });
                let (d, v) = mode.worth_difference(0, item);
                assert!((d - fit.worth(a) + fit.worth(b)).abs() < 1e-6);
                assert!((v - fit.difference_variance(a, b)).abs() < 1e-6);
            }
        }
    }

    /// The joint Hessian of worths, η and pair effects is computed by finite differences. The block
    /// of its inverse for worths and η must equal the covariance.
    #[test]
    fn mode_and_covariance_with_pair_effects_match_joint_posterior() {
        let (scale, spread) = (0.9, 0.6);
        let found = scale_mode(4, &pairs(), scale, (spread, ETA_PRIOR), None);
        let own: Vec<f64> = (pairs().iter())
            .map(|pair| {
                let d = found.at[pair.a] - found.at[pair.b];
                pair_mode(d, spread * spread, &pair.weights, found.eta()) - d
            })
            .collect();
        let all: Vec<f64> = [&found.at[..], &own[..]].concat();
        let value = |all: &[f64]| joint(&all[..5], &all[5..], scale, spread);
        let h = 1e-3;
        let moved = |moves: &[(usize, f64)]| {
            let mut all = all.clone();
            moves.iter().for_each(|&(at, by)| all[at] += by);
            value(&all)
        };
        let width = all.len();
        let mut lower = vec![0.0; width * width];
        for i in 0..width {
            let slope = (moved(&[(i, h)]) - moved(&[(i, -h)])) / (2.0 * h);
            assert!(slope.abs() < 1e-5, "{i}: {slope}");
            for j in 0..=i {
                let at = |x: f64, y: f64| moved(&[(i, x * h), (j, y * h)]);
                let second = at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0);
                lower[i * width + j] = -second / (4.0 * h * h);
            }
        }
        let inverse = Cholesky::new(lower, width)
            .expect("the Hessian at the mode is positive definite")
            .inverse();
        for i in 0..5 {
            for j in 0..5 {
                let gap = inverse[i * width + j] - found.covariance[i * 5 + j];
                assert!(gap.abs() < 1e-4, "{i} {j}: {gap}");
            }
        }
    }
}
