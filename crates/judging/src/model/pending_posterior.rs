//! Posterior of the worths of a list while assigned questions are unanswered.

use std::collections::HashMap;

use partita_core::Item;
use partita_stats::distribution::normal::cdf;

use super::davidson::{DavidsonModel, MANY_ITEMS, PairWeights};
use super::davidson_fit::DavidsonFit;
use crate::votes::list_votes::ListVotes;

/// Posterior of the worths of a list, including the variance reduction by pending votes: answers to
/// assigned questions that have not arrived.
///
/// The information of a vote on a difference in worth depends on the difference and hardly on the
/// answer, so its effect on the variances is known before the vote arrives. With f the information
/// of a vote on the pair (i, j), the variance v of a difference (k, l) falls by f c²/(1 + f vᵢⱼ),
/// where c is the covariance of the two differences. Pairs can therefore be chosen one after the
/// other, each given all pending ones.
///
/// The covariance of n worths takes n³ steps. For many items, only the curvature of each item's own
/// votes is used, and the variance of a difference is approximated by that of the two worths with
/// all others fixed.
pub(crate) struct PendingPosterior {
    /// Fitted worths; without their covariance if the list has many items.
    fit: DavidsonFit,
    local_curvature: Option<LocalCurvature>,
}

/// Curvature of the log posterior by item and pair, used instead of a covariance for many items.
struct LocalCurvature {
    /// Negative second derivative of the log posterior with respect to each worth.
    curvature: Vec<f64>,
    /// Mixed second derivative of the log posterior with respect to the worths of two items with
    /// given or pending votes, by their numbers, lower first.
    between: HashMap<(usize, usize), f64>,
}

impl PendingPosterior {
    /// Fits the worths to the votes on a list; the scale of the worths is estimated.
    pub(crate) fn from_votes(votes: &ListVotes) -> Self {
        match votes.items() {
            n if n < MANY_ITEMS => Self {
                fit: DavidsonModel::default().fit(votes),
                local_curvature: None,
            },
            _ => Self::from_many_items(votes),
        }
    }

    /// Fits the worths to the votes with the approximation for many items.
    pub(crate) fn from_many_items(votes: &ListVotes) -> Self {
        let pairs = PairWeights::from_votes(votes);
        let (fit, curvature) = DavidsonModel::fit_many(votes.items(), &pairs);
        let between = pairs.iter().zip(&curvature.weights);
        let between = between.map(|(pair, &weight)| (ordered_pair(pair.a, pair.b), weight));
        Self {
            fit,
            local_curvature: Some(LocalCurvature {
                between: between.collect(),
                curvature: curvature.diagonal,
            }),
        }
    }

    /// Returns the same worths with the variances of their prior, as if there were no votes yet.
    pub(crate) fn with_prior_variances(&self) -> Self {
        let n = self.fit.worths.len();
        let variance = self.fit.scale * self.fit.scale;
        let mut fit = self.fit.clone();
        let local_curvature = self.local_curvature.as_ref().map(|_| LocalCurvature {
            curvature: vec![1.0 / variance; n],
            between: HashMap::new(),
        });
        if local_curvature.is_none() {
            fit.covariance = vec![0.0; n * n];
            let diagonal = fit.covariance.iter_mut().step_by(n + 1);
            diagonal.for_each(|cell| *cell = variance);
        }
        Self {
            fit,
            local_curvature,
        }
    }

    /// Returns the items from highest to lowest worth.
    pub(crate) fn order(&self) -> Vec<Item> {
        self.fit.order()
    }

    /// Returns the Fisher information of one vote about the difference in worth of a pair, which
    /// equals the variance of the vote.
    pub(crate) fn information(&self, a: Item, b: Item) -> f64 {
        let [plus, _, minus] = self.fit.vote_probabilities(a, b);
        plus + minus - (plus - minus).powi(2)
    }

    /// Returns the posterior variance of the difference of two items' worths.
    pub(crate) fn difference_variance(&self, a: Item, b: Item) -> f64 {
        let Some(own) = &self.local_curvature else {
            return self.fit.difference_variance(a, b);
        };
        let (a, b) = (a.index(), b.index());
        let link = own.between.get(&ordered_pair(a, b)).copied().unwrap_or(0.0);
        let (x, y) = (own.curvature[a], own.curvature[b]);
        (x + y - 2.0 * link) / (x * y - link * link)
    }

    /// Returns the posterior probability that the worth of a exceeds that of b.
    pub(crate) fn order_probability(&self, a: Item, b: Item) -> f64 {
        let apart = self.fit.worth(a) - self.fit.worth(b);
        cdf(apart / self.difference_variance(a, b).sqrt())
    }

    /// Reduces the variances by the expected effect of one pending vote on a pair.
    pub(crate) fn add_pending_vote(&mut self, a: Item, b: Item) {
        let (information, variance) = (self.information(a, b), self.difference_variance(a, b));
        let (a, b) = (a.index(), b.index());
        if let Some(own) = &mut self.local_curvature {
            own.curvature[a] += information;
            own.curvature[b] += information;
            *own.between.entry(ordered_pair(a, b)).or_insert(0.0) += information;
            return;
        }
        let n = self.fit.worths.len();
        let covariance = &mut self.fit.covariance;
        let less = information / (1.0 + information * variance);
        let with: Vec<f64> = (covariance.chunks_exact(n))
            .map(|row| row[a] - row[b])
            .collect();
        for (row, x) in covariance.chunks_exact_mut(n).zip(&with) {
            for (cell, y) in row.iter_mut().zip(&with) {
                *cell -= less * x * y;
            }
        }
    }

    /// Returns the expected share of pairs whose fitted order is wrong by more than a threshold:
    /// the difference in worth that produces the mean vote `mean`. Only pairs with an item among
    /// the first `head` count. Stops early once the share exceeds `enough`.
    pub(crate) fn expected_misordered(&self, mean: f64, head: usize, enough: f64) -> f64 {
        let by = self.fit.difference_for_mean_vote(mean);
        let order = self.order();
        let n = order.len();
        let head = head.min(n);
        let pairs = head * (n - head) + head * head.saturating_sub(1) / 2;
        if pairs == 0 {
            return 0.0;
        }
        let mut sum = 0.0;
        for (at, &a) in order.iter().enumerate().take(head) {
            for &b in &order[at + 1..] {
                let apart = self.fit.worth(a) - self.fit.worth(b) + by;
                let sd = self.difference_variance(a, b).sqrt();
                if apart > NEGLIGIBLE_SDS * sd {
                    continue;
                }
                sum += cdf(-apart / sd);
            }
            if sum / pairs as f64 > enough {
                break;
            }
        }
        sum / pairs as f64
    }
}

/// Number of standard deviations beyond which the tail probability of the normal distribution is
/// treated as 0.
const NEGLIGIBLE_SDS: f64 = 6.0;

/// Returns two item numbers, the lower first.
fn ordered_pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use partita_core::Preference;
    use partita_stats::random::{stream, uniform_index};

    use super::*;

    fn item(number: usize) -> Item {
        Item::from_index(number).expect("the item number is valid")
    }

    /// Returns noisy votes by the order of the item numbers, mostly on neighbours.
    fn votes(items: usize, count: usize) -> ListVotes {
        let mut votes = ListVotes::new(items);
        let mut random = stream(7, &[items as u64]);
        for vote in 0..count {
            let a = uniform_index(&mut random, items);
            let apart = 1 + uniform_index(&mut random, if vote % 3 == 0 { items - 1 } else { 5 });
            let b = (a + apart) % items;
            if a == b {
                continue;
            }
            let right = uniform_index(&mut random, 10) < 5 + a.abs_diff(b).min(4);
            let answer = match uniform_index(&mut random, 3) {
                0 => Preference::Equal,
                _ if right == (a < b) => Preference::A,
                _ => Preference::B,
            };
            votes.add(item(a), item(b), answer);
        }
        votes
    }

    #[test]
    fn pending_vote_reduces_variances_by_its_expected_information() {
        let mut posterior = PendingPosterior::from_votes(&votes(9, 60));
        let v = |posterior: &PendingPosterior, a: usize, b: usize| {
            posterior.difference_variance(item(a), item(b))
        };
        let (i, j) = (2, 3);
        let f = posterior.information(item(i), item(j));
        let mut expected = Vec::new();
        for k in 0..9 {
            for l in (0..9).filter(|&l| l != k) {
                let x = |a: usize, b: usize| if a == b { 0.0 } else { v(&posterior, a, b) };
                let c = (x(i, l) + x(j, k) - x(i, k) - x(j, l)) / 2.0;
                expected.push((k, l, x(k, l) - f * c * c / (1.0 + f * x(i, j))));
            }
        }
        posterior.add_pending_vote(item(i), item(j));
        for (k, l, after) in expected {
            assert!((v(&posterior, k, l) - after).abs() < 1e-12, "{k} {l}");
        }
    }

    /// The approximation from an item's own votes underestimates all variances by a similar factor.
    #[test]
    fn approximate_variances_are_proportional_to_exact_ones() {
        let votes = votes(150, 2_500);
        let (all, own) = (
            PendingPosterior::from_votes(&votes),
            PendingPosterior::from_many_items(&votes),
        );
        let order = all.order();
        let near = order.windows(2).chain(order.windows(7));
        let ratios: Vec<f64> = near
            .map(|items| {
                let (a, b) = (items[0], items[items.len() - 1]);
                own.difference_variance(a, b) / all.difference_variance(a, b)
            })
            .collect();
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        assert!((0.6..1.0).contains(&mean), "{mean}");
        let far = ratios
            .iter()
            .filter(|ratio| (**ratio / mean - 1.0).abs() > 0.25);
        assert!(far.count() * 20 < ratios.len());
        let scale = own.fit.scale / all.fit.scale;
        assert!((0.75..1.35).contains(&scale), "{scale}");
    }
}
