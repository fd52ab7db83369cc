//! Davidson's model of preferences with ties.

use partita_core::Item;

use super::cholesky::Cholesky;
use super::curvature::Curvature;
use crate::list_votes::ListVotes;

/// Davidson's model (1970): each item has a worth θ, and of two items with d = θₐ - θ_b a vote is for
/// a, for neither or for b with probabilities in the proportion e^d : e^η : e^-d.
///
/// Every vote on a list thus informs every pair. Worths have the prior N(0, s²), and η, the tendency
/// to call items equal, N(0.8, 1); the fit is the joint mode, with the inverse of the curvature there
/// for the covariance of the worths.
///
/// ```
/// use partita_core::{Answer, Item};
/// use partita_judging::{Davidson, ListVotes};
///
/// let [x, y, z] = [0, 1, 2].map(|number| Item::at(number).unwrap());
/// let mut votes = ListVotes::new(3);
/// for (a, b) in [(x, y), (y, z), (x, y), (y, z)] {
///     votes.add(a, b, Answer::A);
/// }
/// let fit = Davidson::default().fit(&votes);
/// assert_eq!(fit.order(), [x, y, z]);
/// // Nobody compared x and z, and yet x is likely to be better.
/// assert!(fit.better(x, z, 0.0) > 0.9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Davidson {
    /// The standard deviation s of worths; estimated from the votes if not given.
    pub scale: Option<f64>,
}

impl Default for Davidson {
    /// The scale is estimated.
    fn default() -> Self {
        Self { scale: None }
    }
}

/// The votes on a pair of items, each counted by its weight: for a, for neither, for b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PairWeights {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) weights: [f64; 3],
}

impl PairWeights {
    fn count(&self) -> f64 {
        self.weights.iter().sum()
    }

    fn margin(&self) -> f64 {
        self.weights[0] - self.weights[2]
    }
}

/// The prior of η.
const ETA: (f64, f64) = (0.8, 1.0);

/// The scales that are tried, and their prior: ln s is N(ln 0.7, 0.7²).
const SCALES: [f64; 6] = [0.25, 0.4, 0.65, 1.0, 1.6, 2.6];
const LOG_SCALE: (f64, f64) = (-0.356_674_943_938_732_4, 0.7);

/// What the votes say of all items of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    worths: Vec<f64>,
    eta: f64,
    /// The covariance of the worths, row by row.
    covariance: Vec<f64>,
    scale: f64,
}

impl Davidson {
    /// The model with a given scale of worths.
    pub fn with_scale(scale: f64) -> Self {
        Self { scale: Some(scale) }
    }

    /// Fits the model to the votes on a list.
    pub fn fit(&self, votes: &ListVotes) -> Fit {
        let pairs: Vec<PairWeights> = (votes.pairs())
            .map(|(a, b, votes)| PairWeights {
                a: a.index(),
                b: b.index(),
                weights: [votes.a, votes.equal, votes.b].map(f64::from),
            })
            .collect();
        self.fit_weighted(votes.items(), &pairs)
    }

    /// Fits the model to votes that count more or less.
    pub(crate) fn fit_weighted(&self, items: usize, pairs: &[PairWeights]) -> Fit {
        if let Some(scale) = self.scale {
            return mode(items, pairs, scale, None).fit(items);
        }
        let mut best: Option<Mode> = None;
        let mut behind = 0;
        for scale in SCALES {
            let found = mode(items, pairs, scale, best.as_ref());
            if (best.as_ref()).is_none_or(|best| found.evidence(items) > best.evidence(items)) {
                best = Some(found);
                behind = 0;
            } else {
                behind += 1;
            }
            // The evidence rises to the best scale and falls beyond it. Of many items each scale
            // takes a while, and two that are worse are proof enough.
            if behind == 2 && items >= MANY {
                break;
            }
        }
        best.unwrap_or_else(|| mode(items, pairs, 1.0, None))
            .fit(items)
    }
}

/// The probabilities of the three answers at a difference d of worths.
pub(super) fn answers(d: f64, eta: f64) -> [f64; 3] {
    // The largest exponent is taken out, so that none overflows.
    let top = d.abs().max(eta);
    let weights = [(d - top).exp(), (eta - top).exp(), (-d - top).exp()];
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// The logarithm of the posterior at a point, and how it changes there.
struct Slope {
    value: f64,
    gradient: Vec<f64>,
    curvature: Curvature,
}

/// Value, gradient and curvature in one pass over the pairs, because one exponential serves them all.
fn slope(at: &[f64], pairs: &[PairWeights], scale: f64) -> Slope {
    let n = at.len() - 1;
    let (eta, precision) = (at[n], 1.0 / (scale * scale));
    let off = eta - ETA.0;
    let prior: f64 = at[..n].iter().map(|worth| worth * worth).sum();
    let mut value = -0.5 * (prior * precision + (off / ETA.1).powi(2));
    let mut gradient: Vec<f64> = at[..n].iter().map(|worth| -worth * precision).collect();
    let mut eta_gradient = -off / (ETA.1 * ETA.1);
    let mut weights = Vec::with_capacity(pairs.len());
    let mut diagonal = vec![precision; n];
    let mut crosses = vec![0.0; n];
    let mut eta_curvature = 1.0 / (ETA.1 * ETA.1);
    let ties = eta.exp();
    for pair in pairs {
        let (a, b, count) = (pair.a, pair.b, pair.count());
        let d = at[a] - at[b];
        // With e^|d| taken out of e^d + e^η + e^-d nothing overflows: 1 + e^(η - |d|) + e^(-2|d|).
        let (distance, unit) = (d.abs(), 1.0f64.copysign(d));
        let small = (-distance).exp();
        let sum = 1.0 + ties * small + small * small;
        let tie = ties * small / sum;
        let mean = unit * (1.0 - small * small) / sum;
        value += d * pair.margin() + eta * pair.weights[1] - count * (distance + sum.ln());
        let rise = pair.margin() - count * mean;
        gradient[a] += rise;
        gradient[b] -= rise;
        eta_gradient += pair.weights[1] - count * tie;
        let weight = count * (1.0 - tie - mean * mean);
        let cross = -count * mean * tie;
        diagonal[a] += weight;
        diagonal[b] += weight;
        weights.push(weight);
        crosses[a] += cross;
        crosses[b] -= cross;
        eta_curvature += count * tie * (1.0 - tie);
    }
    gradient.push(eta_gradient);
    diagonal.push(eta_curvature);
    Slope {
        value,
        gradient,
        curvature: Curvature {
            diagonal,
            weights,
            crosses,
        },
    }
}

/// From this many items on, steps towards the mode are found by iteration, and the curvature is
/// factored only at the mode itself. Worths then agree with those by factors to about nine digits.
const MANY: usize = 300;

/// Where the posterior is highest for a scale.
struct Mode {
    /// The worths, and η.
    at: Vec<f64>,
    scale: f64,
    value: f64,
    /// The curvature there.
    factor: Option<Cholesky>,
}

/// The mode by Newton's method. The logarithm of the posterior is strictly concave, so that it ends.
fn mode(n: usize, pairs: &[PairWeights], scale: f64, start: Option<&Mode>) -> Mode {
    let mut at = match start {
        Some(start) => start.at.clone(),
        None => {
            let mut at = vec![0.0; n];
            at.push(ETA.0);
            at
        }
    };
    let mut here = slope(&at, pairs, scale);
    let mut factor = None;
    for _ in 0..100 {
        let iterated = if n < MANY {
            None
        } else {
            here.curvature.solve(pairs, &here.gradient)
        };
        let step = if let Some(step) = iterated {
            step
        } else {
            // The priors keep the curvature positive definite.
            factor = Cholesky::new(here.curvature.lower(pairs), n + 1);
            let Some(factor) = &factor else {
                break;
            };
            factor.solve(here.gradient.clone())
        };
        let rise: f64 = step.iter().zip(&here.gradient).map(|(s, g)| s * g).sum();
        if rise < 1e-12 {
            break;
        }
        let mut length = 1.0;
        loop {
            let next: Vec<f64> = at.iter().zip(&step).map(|(x, s)| x + length * s).collect();
            let there = slope(&next, pairs, scale);
            // So near the mode a whole step is right, and of many votes the value is too large to
            // show the rise.
            let enough = rise < 1e-6 || there.value >= here.value + 1e-4 * length * rise;
            if enough || length < 1e-6 {
                (at, here) = (next, there);
                break;
            }
            length *= 0.5;
        }
    }
    // By iteration there is no factor yet.
    if n >= MANY {
        factor = Cholesky::new(here.curvature.lower(pairs), n + 1);
    }
    Mode {
        at,
        scale,
        value: here.value,
        factor,
    }
}

impl Mode {
    /// The logarithm of the evidence for the scale by Laplace's approximation, up to a constant.
    fn evidence(&self, n: usize) -> f64 {
        let determinant = self.factor.as_ref().map_or(0.0, Cholesky::log_determinant);
        let prior = -0.5 * ((self.scale.ln() - LOG_SCALE.0) / LOG_SCALE.1).powi(2);
        self.value - n as f64 * self.scale.ln() - 0.5 * determinant + prior
    }

    fn fit(self, n: usize) -> Fit {
        let inverse = match &self.factor {
            Some(factor) => factor.inverse(),
            None => vec![0.0; (n + 1) * (n + 1)],
        };
        let rows = inverse.chunks_exact(n + 1).take(n);
        let covariance = rows.flat_map(|row| row[..n].iter().copied()).collect();
        let mut worths = self.at;
        let eta = worths.pop().unwrap_or(ETA.0);
        Fit {
            worths,
            eta,
            covariance,
            scale: self.scale,
        }
    }
}

impl Fit {
    /// The worth of an item.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn worth(&self, item: Item) -> f64 {
        self.worths[item.index()]
    }

    /// The tendency to call items equal.
    pub fn eta(&self) -> f64 {
        self.eta
    }

    /// The scale of worths.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The items from the best to the worst.
    pub fn order(&self) -> Vec<Item> {
        let mut order: Vec<Item> = (0..self.worths.len()).filter_map(Item::at).collect();
        order.sort_by(|&a, &b| self.worth(b).total_cmp(&self.worth(a)).then(a.cmp(&b)));
        order
    }

    /// The variance of the difference of two worths.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn variance(&self, a: Item, b: Item) -> f64 {
        let n = self.worths.len();
        let at = |row: Item, column: Item| self.covariance[row.index() * n + column.index()];
        (at(a, a) + at(b, b) - 2.0 * at(a, b)).max(0.0)
    }

    /// The probability that a is better than b by more than this.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn better(&self, a: Item, b: Item, by: f64) -> f64 {
        let (d, v) = (self.worth(a) - self.worth(b) - by, self.variance(a, b));
        if v > 0.0 {
            partita_stats::normal::cdf(d / v.sqrt())
        } else {
            f64::from(u8::from(d > 0.0))
        }
    }

    /// The probabilities that a is better than b by more than this, that neither is, and that b is.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn relation(&self, a: Item, b: Item, by: f64) -> [f64; 3] {
        let (better, worse) = (self.better(a, b, by), self.better(b, a, by));
        [better, (1.0 - better - worse).max(0.0), worse]
    }

    /// The probabilities that the next vote on a pair is for a, for neither, for b.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn answers(&self, a: Item, b: Item) -> [f64; 3] {
        answers(self.worth(a) - self.worth(b), self.eta)
    }

    /// The mean vote to be expected on a pair, from -1 to 1, over all that the difference may be.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn mean_vote(&self, a: Item, b: Item) -> f64 {
        // Gauss and Hermite's five nodes and weights for the standard normal law.
        const NODES: [(f64, f64); 5] = [
            (-2.856_970_013_872_806, 0.011_257_411_327_720_69),
            (-1.355_626_179_974_266, 0.222_075_922_005_612_6),
            (0.0, 0.533_333_333_333_333_3),
            (1.355_626_179_974_266, 0.222_075_922_005_612_6),
            (2.856_970_013_872_806, 0.011_257_411_327_720_69),
        ];
        let (d, sd) = (self.worth(a) - self.worth(b), self.variance(a, b).sqrt());
        let at = |(node, weight): (f64, f64)| {
            let [plus, _, minus] = answers(d + node * sd, self.eta);
            weight * (plus - minus)
        };
        NODES.map(at).iter().sum()
    }

    /// The difference of worths at which the mean vote, from -1 to 1, is this.
    ///
    /// # Panics
    /// Unless it is at least 0 and below 1.
    pub fn difference_at(&self, mean: f64) -> f64 {
        assert!((0.0..1.0).contains(&mean));
        // (x - 1/x)/(x + 1/x + t) = m for x = e^d, so (1 - m)x² - mtx - (1 + m) = 0.
        let tie = self.eta.exp();
        let (a, b, c) = (1.0 - mean, -mean * tie, -(1.0 + mean));
        ((-b + (b * b - 4.0 * a * c).sqrt()) / (2.0 * a)).ln()
    }

    /// The share of pairs that the order is expected to have the wrong way round.
    pub fn expected_inversions(&self) -> f64 {
        self.inversions_up_to(f64::INFINITY)
    }

    /// Whether the order is expected to have more than this share of pairs the wrong way round.
    pub fn expects_inversions_beyond(&self, share: f64) -> bool {
        self.inversions_up_to(share) > share
    }

    /// The expected share of inverted pairs, added up until it is beyond this.
    fn inversions_up_to(&self, enough: f64) -> f64 {
        let order = self.order();
        let pairs = order.len() * order.len().saturating_sub(1) / 2;
        if pairs == 0 {
            return 0.0;
        }
        let mut sum = 0.0;
        for (at, &a) in order.iter().enumerate() {
            for &b in &order[at + 1..] {
                sum += self.better(b, a, 0.0);
            }
            // Sums only grow, so what is beyond stays beyond.
            if sum / pairs as f64 > enough {
                break;
            }
        }
        sum / pairs as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Votes on every pair of so many items, which grow with the distance of their numbers.
    fn pairs(items: usize, votes: f64) -> Vec<PairWeights> {
        let pair = |a: usize, b: usize| {
            let d = (b as f64 - a as f64) / 5.0;
            let shares = answers(d, 0.5 + 0.1 * ((a + b) % 3) as f64);
            PairWeights {
                a,
                b,
                weights: shares.map(|share| (votes * share).round()),
            }
        };
        let all = (0..items).flat_map(|b| (0..b).map(move |a| (a, b)));
        all.map(|(a, b)| pair(a, b)).collect()
    }

    /// The logarithm of the posterior as the model defines it.
    fn log_posterior(at: &[f64], pairs: &[PairWeights], scale: f64) -> f64 {
        let n = at.len() - 1;
        let votes = pairs.iter().map(|pair| {
            let shares = answers(at[pair.a] - at[pair.b], at[n]);
            let each = pair.weights.iter().zip(shares);
            each.map(|(weight, share)| weight * share.ln()).sum::<f64>()
        });
        let worths = at[..n].iter().map(|worth| (worth / scale).powi(2));
        votes.sum::<f64>() - 0.5 * worths.sum::<f64>() - 0.5 * ((at[n] - ETA.0) / ETA.1).powi(2)
    }

    #[test]
    fn the_slope_is_that_of_the_definition() {
        let pairs = pairs(5, 7.0);
        let at = [0.3, -0.2, 1.5, -0.9, 0.3, 0.4];
        let here = slope(&at, &pairs, 0.8);
        let curvature = here.curvature.lower(&pairs);
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
            let [above, below] = [up, down].map(|at| slope(&at, &pairs, 0.8).gradient);
            for j in 0..=i {
                let change = (above[j] - below[j]) / (2.0 * h);
                assert!((curvature[i * at.len() + j] + change).abs() < 1e-5);
            }
        }
    }

    /// With very many votes the value is too large to show the last steps' rise.
    #[test]
    fn the_gradient_vanishes_at_the_mode_of_few_and_of_very_many_votes() {
        for (items, votes) in [(40, 3.0), (40, 300.0), (40, 1e5), (MANY, 30.0)] {
            let pairs = pairs(items, votes);
            for scale in SCALES {
                let found = mode(items, &pairs, scale, None);
                let left = slope(&found.at, &pairs, scale).gradient;
                let most = left.iter().fold(0.0f64, |most, g| most.max(g.abs()));
                assert!(most < 1e-5 * (1.0 + votes).sqrt(), "{votes} {scale} {most}");
            }
        }
    }
}
