//! Davidson's model of paired comparisons with ties.

use partita_core::Item;

use super::cholesky::Cholesky;
use super::curvature::Curvature;
use super::davidson_fit::{DavidsonFit, davidson_probabilities};
use crate::votes::list_votes::ListVotes;

/// Davidson's model (1970). Each item has a worth θ. With d = θₐ - θ_b, a vote is for a, equal or b
/// with probabilities proportional to e^d : e^η : e^-d.
///
/// Every vote on a list thus informs every pair. Worths have the prior N(0, s²), and η, the
/// tendency to call items equal, N(0.8, 1). The fit is the joint mode; the inverse Hessian there is
/// the covariance of the worths. The scale s is the one of six with the highest evidence. For 300
/// or more items s is estimated from the worths themselves, because each candidate costs the cube
/// of the number of items.
///
/// ```
/// use partita_core::{Item, Preference};
/// use partita_judging::{DavidsonModel, ListVotes};
///
/// let [x, y, z] = [0, 1, 2].map(|number| Item::from_index(number).unwrap());
/// let mut votes = ListVotes::new(3);
/// for (a, b) in [(x, y), (y, z), (x, y), (y, z)] {
///     votes.add(a, b, Preference::A);
/// }
/// let fit = DavidsonModel::default().fit(&votes);
/// assert_eq!(fit.order(), [x, y, z]);
/// // Nobody compared x and z, and yet x is likely to be better.
/// assert!(fit.order_probability(x, z, 0.0) > 0.9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DavidsonModel {
    /// Prior standard deviation s of the worths; `None` to estimate it from the votes.
    pub scale: Option<f64>,
}

/// Weighted votes on a pair of items, by item number; `weights` are the sums for a, equal, and b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PairWeights {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) weights: [f64; 3],
}

impl PairWeights {
    /// Returns the votes on every pair of a list, each with weight 1.
    pub(super) fn from_votes(votes: &ListVotes) -> Vec<Self> {
        let pairs = votes.pairs().map(|(a, b, votes)| Self {
            a: a.index(),
            b: b.index(),
            weights: votes.counts().map(f64::from),
        });
        pairs.collect()
    }

    /// Returns the total weight of the votes.
    fn total_weight(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Returns the weight of the votes for a minus that of the votes for b.
    fn weight_margin(&self) -> f64 {
        self.weights[0] - self.weights[2]
    }
}

/// Mean and standard deviation of the normal prior of the tie parameter η.
pub(super) const ETA_PRIOR: (f64, f64) = (0.8, 1.0);

/// Candidates for the scale s, the prior standard deviation of the worths.
pub(super) const CANDIDATE_SCALES: [f64; 6] = [0.25, 0.4, 0.65, 1.0, 1.6, 2.6];
/// Mean and standard deviation of the normal prior of ln s: ln 0.7 and 0.7.
pub(super) const LOG_SCALE_PRIOR: (f64, f64) = (-0.356_674_943_938_732_4, 0.7);

impl DavidsonModel {
    /// Creates the model with a given scale: prior standard deviation of the worths.
    pub fn with_scale(scale: f64) -> Self {
        Self { scale: Some(scale) }
    }

    /// Fits the model to the votes on the pairs of a list.
    pub fn fit(&self, votes: &ListVotes) -> DavidsonFit {
        self.fit_weighted(votes.items(), &PairWeights::from_votes(votes))
    }

    /// Fits the model to weighted votes on the pairs of `items` items.
    pub(crate) fn fit_weighted(&self, items: usize, pairs: &[PairWeights]) -> DavidsonFit {
        if let Some(scale) = self.scale {
            return posterior_mode(items, pairs, scale, None).into_fit(items);
        }
        if items >= MANY_ITEMS {
            // For many items, fitting each candidate scale would be slow.
            let found = Worths::from_fit(&Self::fit_many(items, pairs).0);
            return posterior_mode(items, pairs, found.scale, Some(found.at)).into_fit(items);
        }
        let mut best: Option<PosteriorMode> = None;
        for scale in CANDIDATE_SCALES {
            let start = best.as_ref().map(|best| best.at.clone());
            let found = posterior_mode(items, pairs, scale, start);
            if (best.as_ref())
                .is_none_or(|best| found.log_evidence(items) > best.log_evidence(items))
            {
                best = Some(found);
            }
        }
        best.expect("there is at least one candidate scale")
            .into_fit(items)
    }

    /// Fits the worths of `items` items without their covariance, whose computation takes most
    /// of the time for many items.
    pub(super) fn fit_worths(items: usize, pairs: &[PairWeights]) -> Worths {
        if items >= MANY_ITEMS {
            Worths::from_fit(&Self::fit_many(items, pairs).0)
        } else {
            Worths::from_fit(&Self::default().fit_weighted(items, pairs))
        }
    }

    /// Fits the worths of many items without their covariance, and returns them with the Hessian at
    /// the mode. The scale s satisfies s² = the mean of worth² + variance, where the variance of
    /// each worth is taken with all others fixed. This is expectation-maximisation (Dempster, Laird
    /// and Rubin 1977) with variances that are slightly too small and a prior with the weight of
    /// one item.
    pub(super) fn fit_many(items: usize, pairs: &[PairWeights]) -> (DavidsonFit, Curvature) {
        let before = LOG_SCALE_PRIOR.0.exp();
        let mut scale = before;
        let mut maximum = maximise_log_posterior(items, pairs, scale, None);
        for _ in 0..MAX_ITERATIONS {
            let diagonal = &maximum.here.curvature.diagonal;
            let squares = (maximum.at[..items].iter().zip(diagonal))
                .map(|(worth, curvature)| worth * worth + 1.0 / curvature);
            let squares = squares.sum::<f64>() + before * before;
            let next = (squares / (items as f64 + 1.0)).sqrt();
            if (next / scale - 1.0).abs() < 0.02 {
                break;
            }
            scale = next;
            maximum = maximise_log_posterior(items, pairs, scale, Some(maximum.at));
        }
        let mut worths = maximum.at;
        let fit = DavidsonFit {
            eta: worths.pop().unwrap_or(ETA_PRIOR.0),
            worths,
            covariance: Vec::new(),
            scale,
        };
        (fit, maximum.here.curvature)
    }
}

/// Log posterior of Davidson's model at a point, with its first and second derivatives.
pub(super) struct LogPosterior {
    pub(super) value: f64,
    pub(super) gradient: Vec<f64>,
    pub(super) curvature: Curvature,
}

/// Computes the log posterior, its gradient and its Hessian in one pass over the pairs, because
/// they share one exponential. `at` holds the worths, then the tie parameter η.
fn evaluate(at: &[f64], pairs: &[PairWeights], scale: f64) -> LogPosterior {
    let n = at.len() - 1;
    let (eta, precision) = (at[n], 1.0 / (scale * scale));
    let off = eta - ETA_PRIOR.0;
    let prior: f64 = at[..n].iter().map(|worth| worth * worth).sum();
    let mut value = -0.5 * (prior * precision + (off / ETA_PRIOR.1).powi(2));
    let mut gradient: Vec<f64> = at[..n].iter().map(|worth| -worth * precision).collect();
    let mut eta_gradient = -off / (ETA_PRIOR.1 * ETA_PRIOR.1);
    let mut weights = Vec::with_capacity(pairs.len());
    let mut diagonal = vec![precision; n];
    let mut eta_entries = vec![0.0; n];
    let mut eta_curvature = 1.0 / (ETA_PRIOR.1 * ETA_PRIOR.1);
    let ties = eta.exp();
    for pair in pairs {
        let (a, b, count) = (pair.a, pair.b, pair.total_weight());
        let d = at[a] - at[b];
        // Factor e^|d| out of e^d + e^η + e^-d to avoid overflow: 1 + e^(η - |d|) + e^(-2|d|).
        let (distance, unit) = (d.abs(), 1.0f64.copysign(d));
        let small = (-distance).exp();
        let sum = 1.0 + ties * small + small * small;
        let tie = ties * small / sum;
        let mean = unit * (1.0 - small * small) / sum;
        value += d * pair.weight_margin() + eta * pair.weights[1] - count * (distance + sum.ln());
        let rise = pair.weight_margin() - count * mean;
        gradient[a] += rise;
        gradient[b] -= rise;
        eta_gradient += pair.weights[1] - count * tie;
        let weight = count * (1.0 - tie - mean * mean);
        let cross = -count * mean * tie;
        diagonal[a] += weight;
        diagonal[b] += weight;
        weights.push(weight);
        eta_entries[a] += cross;
        eta_entries[b] -= cross;
        eta_curvature += count * tie * (1.0 - tie);
    }
    gradient.push(eta_gradient);
    diagonal.push(eta_curvature);
    LogPosterior {
        value,
        gradient,
        curvature: Curvature {
            diagonal,
            weights,
            eta_entries,
        },
    }
}

/// Number of items from which the linear system of a Newton step is solved iteratively and the
/// Hessian is factored only at the mode. Worths then agree with the direct solution to about nine
/// digits.
pub(super) const MANY_ITEMS: usize = 300;

/// Posterior mode of the worths and the tie parameter η for a given scale.
struct PosteriorMode {
    /// Coordinates of the mode: the worths, then the tie parameter η.
    at: Vec<f64>,
    scale: f64,
    value: f64,
    /// Cholesky factor of the Hessian at the mode.
    factor: Option<Cholesky>,
}

/// Finds the posterior mode of the worths and the tie parameter η with the factored Hessian there.
fn posterior_mode(
    n: usize,
    pairs: &[PairWeights],
    scale: f64,
    start: Option<Vec<f64>>,
) -> PosteriorMode {
    let maximum = maximise_log_posterior(n, pairs, scale, start);
    // The iterative solution has no factor yet.
    let factor = if n < MANY_ITEMS {
        maximum.factor
    } else {
        Cholesky::new(maximum.here.curvature.lower_triangle(pairs), n + 1)
    };
    PosteriorMode {
        at: maximum.at,
        scale,
        value: maximum.here.value,
        factor,
    }
}

/// Result of maximising the log posterior by Newton's method.
struct NewtonResult {
    /// Coordinates of the maximum: the worths, then the tie parameter η.
    at: Vec<f64>,
    here: LogPosterior,
    /// Cholesky factor of the Hessian from the last step that was solved directly; `None` if all
    /// were solved iteratively.
    factor: Option<Cholesky>,
}

/// Finds the posterior mode of the worths and the tie parameter η by Newton's method. It converges
/// because the log posterior is strictly concave.
fn maximise_log_posterior(
    n: usize,
    pairs: &[PairWeights],
    scale: f64,
    start: Option<Vec<f64>>,
) -> NewtonResult {
    let mut at = start.unwrap_or_else(|| [vec![0.0; n], vec![ETA_PRIOR.0]].concat());
    let mut here = evaluate(&at, pairs, scale);
    let mut factor = None;
    for _ in 0..100 {
        let iterated = if n < MANY_ITEMS {
            None
        } else {
            here.curvature.solve(pairs, &here.gradient)
        };
        let step = if let Some(step) = iterated {
            step
        } else {
            // The priors keep the Hessian positive definite.
            factor = Cholesky::new(here.curvature.lower_triangle(pairs), n + 1);
            let Some(factor) = &factor else {
                break;
            };
            factor.solve(here.gradient.clone())
        };
        let Some(next) = line_search(&at, &here, &step, |at| evaluate(at, pairs, scale)) else {
            break;
        };
        (at, here) = next;
    }
    NewtonResult { at, here, factor }
}

/// Moves along a Newton step, halved until the log posterior increases enough (Armijo's rule).
/// Returns the new point with its log posterior, or `None` if the expected increase is negligible.
pub(super) fn line_search(
    at: &[f64],
    here: &LogPosterior,
    step: &[f64],
    mut evaluate: impl FnMut(&[f64]) -> LogPosterior,
) -> Option<(Vec<f64>, LogPosterior)> {
    let rise: f64 = step.iter().zip(&here.gradient).map(|(s, g)| s * g).sum();
    if rise < 1e-12 {
        return None;
    }
    let mut length = 1.0;
    loop {
        let next: Vec<f64> = at.iter().zip(step).map(|(x, s)| x + length * s).collect();
        let there = evaluate(&next);
        // This close to the mode, accept the full step: with many votes the increase is lost in the
        // rounding of the large log posterior.
        let enough = rise < 1e-6 || there.value >= here.value + 1e-4 * length * rise;
        if enough || length < 1e-6 {
            return Some((next, there));
        }
        length *= 0.5;
    }
}

/// Limit of the iterations that estimate the scale of many items; more have never been needed.
const MAX_ITERATIONS: usize = 20;

/// Fitted worths of a list without their covariance, whose computation takes most of the time for
/// many items.
pub(super) struct Worths {
    /// Worths of the items, then η.
    at: Vec<f64>,
    pub(super) scale: f64,
}

impl Worths {
    /// Takes the worths and the scale of a fit.
    pub(super) fn from_fit(fit: &DavidsonFit) -> Self {
        Self {
            at: [&fit.worths[..], &[fit.eta]].concat(),
            scale: fit.scale,
        }
    }

    /// Fits the worths to other votes at the same scale, starting from these worths.
    pub(super) fn refit(&self, pairs: &[PairWeights]) -> Self {
        let n = self.at.len() - 1;
        Self {
            at: maximise_log_posterior(n, pairs, self.scale, Some(self.at.clone())).at,
            scale: self.scale,
        }
    }

    /// Returns the probabilities that the next vote on the pair (a, b) is for a, equal, or b.
    pub(super) fn vote_probabilities(&self, a: Item, b: Item) -> [f64; 3] {
        let eta = self.at[self.at.len() - 1];
        davidson_probabilities(self.at[a.index()] - self.at[b.index()], eta)
    }
}

impl PosteriorMode {
    /// Returns the log marginal likelihood of the scale by Laplace's approximation plus the log
    /// prior of the scale, up to a constant.
    fn log_evidence(&self, n: usize) -> f64 {
        let determinant = self.factor.as_ref().map_or(0.0, Cholesky::log_determinant);
        let prior = -0.5 * ((self.scale.ln() - LOG_SCALE_PRIOR.0) / LOG_SCALE_PRIOR.1).powi(2);
        self.value - n as f64 * self.scale.ln() - 0.5 * determinant + prior
    }

    /// Converts the mode to a fit: inverts the Hessian to get the covariance of the worths.
    fn into_fit(self, n: usize) -> DavidsonFit {
        let inverse = match &self.factor {
            Some(factor) => factor.inverse(),
            None => vec![0.0; (n + 1) * (n + 1)],
        };
        let rows = inverse.chunks_exact(n + 1).take(n);
        let covariance = rows.flat_map(|row| row[..n].iter().copied()).collect();
        let mut worths = self.at;
        let eta = worths.pop().unwrap_or(ETA_PRIOR.0);
        DavidsonFit {
            worths,
            eta,
            covariance,
            scale: self.scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns votes on every pair of items; their margin grows with the distance of the item
    /// numbers.
    fn pairs(items: usize, votes: f64) -> Vec<PairWeights> {
        let pair = |a: usize, b: usize| {
            let d = (b as f64 - a as f64) / 5.0;
            let shares = davidson_probabilities(d, 0.5 + 0.1 * ((a + b) % 3) as f64);
            PairWeights {
                a,
                b,
                weights: shares.map(|share| (votes * share).round()),
            }
        };
        let all = (0..items).flat_map(|b| (0..b).map(move |a| (a, b)));
        all.map(|(a, b)| pair(a, b)).collect()
    }

    /// Computes the log posterior directly from the definition of the model.
    fn log_posterior(at: &[f64], pairs: &[PairWeights], scale: f64) -> f64 {
        let n = at.len() - 1;
        let votes = pairs.iter().map(|pair| {
            let shares = davidson_probabilities(at[pair.a] - at[pair.b], at[n]);
            let each = pair.weights.iter().zip(shares);
            each.map(|(weight, share)| weight * share.ln()).sum::<f64>()
        });
        let worths = at[..n].iter().map(|worth| (worth / scale).powi(2));
        votes.sum::<f64>()
            - 0.5 * worths.sum::<f64>()
            - 0.5 * ((at[n] - ETA_PRIOR.0) / ETA_PRIOR.1).powi(2)
    }

    #[test]
    fn log_posterior_derivatives_match_finite_differences() {
        let pairs = pairs(5, 7.0);
        let at = [0.3, -0.2, 1.5, -0.9, 0.3, 0.4];
        let here = evaluate(&at, &pairs, 0.8);
        let curvature = here.curvature.lower_triangle(&pairs);
        assert!((here.value - log_posterior(&at, &pairs, 0.8)).abs() < 1e-9);
        let h = 1e-4;
        let moved = |i: usize, by: f64| {
            let mut at = at;
            at[i] += by;
            at
        };
        for i in 0..at.len() {
            let [up, down] = [h, -h].map(|by| moved(i, by));
            let [above, below] = [up, down].map(|at| log_posterior(&at, &pairs, 0.8));
            assert!((here.gradient[i] - (above - below) / (2.0 * h)).abs() < 1e-5);
            let [above, below] = [up, down].map(|at| evaluate(&at, &pairs, 0.8).gradient);
            for j in 0..=i {
                let change = (above[j] - below[j]) / (2.0 * h);
                assert!((curvature[i * at.len() + j] + change).abs() < 1e-5);
            }
        }
    }

    /// With very many votes, the last increases of the log posterior are lost in rounding, but the
    /// mode must still be found.
    #[test]
    fn gradient_is_zero_at_mode_for_few_and_many_votes() {
        for (items, votes) in [(40, 3.0), (40, 300.0), (40, 1e5), (MANY_ITEMS, 30.0)] {
            let pairs = pairs(items, votes);
            for scale in CANDIDATE_SCALES {
                let found = posterior_mode(items, &pairs, scale, None);
                let left = evaluate(&found.at, &pairs, scale).gradient;
                let most = left.iter().fold(0.0f64, |most, g| most.max(g.abs()));
                assert!(most < 1e-5 * (1.0 + votes).sqrt(), "{votes} {scale} {most}");
            }
        }
    }
}
