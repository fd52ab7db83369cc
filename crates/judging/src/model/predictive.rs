//! Posterior predictive distribution of new votes on a pair.

use partita_core::Item;
use partita_stats::distribution::normal;

use super::davidson::{DavidsonModel, ETA_PRIOR, MANY_ITEMS, PairWeights};
use super::davidson_fit::davidson_probabilities;
use super::decision_table::DecisionTable;
use super::list_prior::{assign_scale_weights, eta_priors};
use super::posterior::{
    ScaleMode, information, log_likelihood, log_likelihood_gradient, pair_mode, scale_modes,
};
use crate::votes::list_votes::ListVotes;

/// Posterior predictive distribution of new votes on a list, by [Davidson's
/// model](super::DavidsonModel) with pair effects.
///
/// Items have worths, and the votes on a pair follow d = θₐ - θ_b + e, where the pair effect e ~
/// N(0, s²) allows intransitive preferences: c over a, a over b and b over c. With s = 0 all items
/// lie on one scale, and the votes on a pair carry no more information on it than other votes do.
/// The larger s, the more they count. [`estimate_pair_spread`](super::estimate_pair_spread)
/// estimates s from the votes.
///
/// The predictions average over the scale of worths. For a pair, all other votes give a normal
/// distribution of d; the likelihood of its own votes is then integrated numerically.
///
/// ```
/// use partita_core::{Item, Preference};
/// use partita_judging::{DecisionRule, DecisionTable, ListVotes, PredictiveModel};
///
/// let [x, y] = [0, 1].map(|number| Item::from_index(number).unwrap());
/// let mut votes = ListVotes::new(2);
/// (0..3).for_each(|_| votes.add(x, y, Preference::A));
/// let predictive = PredictiveModel::new(&votes, 0.0);
/// let ten = DecisionTable::new(DecisionRule::default(), 10).unwrap();
/// let [less, equal, greater] = predictive.relation_probabilities(x, y, &ten);
/// // Three votes of three do not prove that ten assessors would decide the pair that way.
/// assert!(less > 0.5 && less < 0.95);
/// assert!((less + equal + greater - 1.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PredictiveModel {
    votes: ListVotes,
    spread: f64,
    /// Posterior modes by candidate scale, used to predict new votes: η has the prior shared by the
    /// campaign's lists.
    modes: Vec<ScaleMode>,
    /// Posterior modes used to predict the order of two items, if different: η is estimated from
    /// the list alone.
    order_modes: Option<Vec<ScaleMode>>,
}

/// Posterior of the difference of a pair (of worths, plus pair effect): N(centre, variance) from
/// all other votes, times the likelihood of the pair's own votes.
struct PairPosterior {
    centre: f64,
    variance: f64,
    votes: [f64; 3],
    eta: f64,
}

/// Distance between neighbouring quadrature nodes in standard deviations.
const NODE_DISTANCE: f64 = 0.25;

/// Returns the quadrature nodes, from -5 to 5 standard deviations. For a smooth function that
/// decays like a normal density, equal steps are as good as any rule (Trefethen and Weideman 2014,
/// section 5).
fn quadrature_nodes() -> impl Iterator<Item = f64> {
    (-20..=20).map(|step| NODE_DISTANCE * f64::from(step))
}

impl PairPosterior {
    /// Returns the posterior mean of a function of the pair's difference, and the log marginal
    /// likelihood of the pair's own votes.
    fn posterior_mean(&self, of: impl Fn(f64) -> [f64; 3]) -> ([f64; 3], f64) {
        let Self {
            centre,
            variance,
            votes,
            eta,
        } = self;
        let mode = pair_mode(*centre, *variance, votes, *eta);
        let count: f64 = votes.iter().sum();
        let sd = (1.0 / variance + information(count, mode, *eta))
            .recip()
            .sqrt();
        let log_density =
            |x: f64| log_likelihood(votes, x, *eta) - 0.5 * (x - centre).powi(2) / variance;
        let top = log_density(mode);
        let (mut sums, mut total) = ([0.0; 3], 0.0);
        for node in quadrature_nodes() {
            let x = mode + sd * node;
            let weight = (log_density(x) - top).exp();
            total += weight;
            (sums.iter_mut().zip(of(x))).for_each(|(sum, value)| *sum += weight * value);
        }
        // The density of N(centre, variance) at its mode is 1/√(2π variance).
        let step = NODE_DISTANCE * sd / (2.0 * std::f64::consts::PI * variance).sqrt();
        (sums.map(|sum| sum / total), top + (total * step).ln())
    }
}

impl PredictiveModel {
    /// Fits the votes on one list with pair effects of standard deviation `spread`.
    ///
    /// Lists of 300 or more items use the most likely scale only, and the worths of that scale for
    /// all pairs, because the exact computation takes too long.
    pub fn new(votes: &ListVotes, spread: f64) -> Self {
        let mut alone = Self::fit_lists(std::slice::from_ref(votes), spread);
        alone.pop().expect("one list gives one model")
    }

    /// Fits the lists of a campaign jointly. The distributions of the scale of worths and of the
    /// tie parameter η over lists are estimated from all of them, because the votes on a short list
    /// carry little information on either.
    ///
    /// The probability of an equal vote depends mainly on η, so relations use the shared estimate.
    /// Orders hardly depend on η: they use each list's own η, which gave better calibration
    /// (`bench/run calibration`).
    pub fn fit_lists(lists: &[ListVotes], spread: f64) -> Vec<Self> {
        let pairs: Vec<Vec<PairWeights>> = lists.iter().map(PairWeights::from_votes).collect();
        let few = |number: &usize| lists[*number].items() < MANY_ITEMS;
        let few: Vec<usize> = (0..lists.len()).filter(few).collect();
        let modes_of =
            |number: usize, eta| scale_modes(lists[number].items(), &pairs[number], spread, eta);
        let mut found: Vec<Vec<ScaleMode>> = few
            .iter()
            .map(|&number| modes_of(number, ETA_PRIOR))
            .collect();
        assign_scale_weights(&mut found);
        let mut order: Vec<Option<Vec<ScaleMode>>> = vec![None; found.len()];
        if few.len() > 1 {
            let priors = eta_priors(&found);
            let again = few.iter().zip(priors);
            let mut shared: Vec<Vec<ScaleMode>> =
                again.map(|(&number, eta)| modes_of(number, eta)).collect();
            assign_scale_weights(&mut shared);
            order = found.into_iter().map(Some).collect();
            found = shared;
        }
        let mut found = found.into_iter().zip(order);
        let of = |votes: &ListVotes| {
            let (modes, order) = if votes.items() < MANY_ITEMS {
                found.next().expect("a short list has modes")
            } else {
                (
                    vec![ScaleMode::from_fit(&DavidsonModel::default().fit(votes))],
                    None,
                )
            };
            Self {
                modes,
                order_modes: order,
                votes: votes.clone(),
                spread,
            }
        };
        lists.iter().map(of).collect()
    }

    /// Returns the probability that a is better than b, given that they differ in worth.
    ///
    /// Lists have groups of items of the same worth, and the fitted scale of worths includes their
    /// zero differences. Differences between items of different worth therefore have a larger prior
    /// variance, c times that of all differences, and are shrunk less. With r the ratio of
    /// posterior to prior variance, the posterior mean of such a difference lies √(c/(c(1 - r) +
    /// r)) times as many standard deviations from 0. With many votes the factor approaches 1.
    pub fn order_probability(&self, a: Item, b: Item) -> f64 {
        // Use one orientation for all pairs, so that the other is its exact mirror.
        if a > b {
            return 1.0 - self.order_probability(b, a);
        }
        let at = |mode: &ScaleMode| {
            let (d, variance) = mode.worth_difference(a.index(), b.index());
            let left = (variance / mode.prior_difference_variance()).min(1.0);
            let farther =
                (DISTINCT_VARIANCE_RATIO / (DISTINCT_VARIANCE_RATIO * (1.0 - left) + left)).sqrt();
            mode.share * normal::cdf(farther * d / variance.sqrt())
        };
        let modes = self.order_modes.as_ref().unwrap_or(&self.modes);
        modes.iter().map(at).sum()
    }

    /// Returns the probabilities that new votes, as many as `table` was made for, decide for a,
    /// equal, and b, including [lapses](with_lapses) at the rate [`LAPSE_RATE`]. None is below
    /// 0.0001 or above 0.9999.
    pub fn relation_probabilities(&self, a: Item, b: Item, table: &DecisionTable) -> [f64; 3] {
        with_lapses(
            self.relation_probabilities_without_lapses(a, b, table),
            LAPSE_RATE,
        )
    }

    /// Returns the probabilities of the three decisions by the model alone. They can be so close to
    /// 0 and 1 as no observation could justify.
    pub fn relation_probabilities_without_lapses(
        &self,
        a: Item,
        b: Item,
        table: &DecisionTable,
    ) -> [f64; 3] {
        if a > b {
            let [less, equal, greater] = self.relation_probabilities_without_lapses(b, a, table);
            return [greater, equal, less];
        }
        let mut probabilities = [0.0; 3];
        for mode in &self.modes {
            let known = self.pair_posterior(mode, a, b);
            let (relations, _) = known.posterior_mean(|x| {
                table.decision_probabilities(davidson_probabilities(x, known.eta))
            });
            (probabilities.iter_mut().zip(relations)).for_each(|(sum, p)| *sum += mode.share * p);
        }
        probabilities
    }

    /// Returns the log probability of a pair's own votes, in their order, given all votes on other
    /// pairs.
    pub(super) fn log_predictive(&self, a: Item, b: Item) -> f64 {
        let of = |mode: &ScaleMode| {
            let (_, log) = self.pair_posterior(mode, a, b).posterior_mean(|_| [0.0; 3]);
            log + mode.share.ln()
        };
        let logs: Vec<f64> = self.modes.iter().map(of).collect();
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        top + logs.iter().map(|log| (log - top).exp()).sum::<f64>().ln()
    }

    /// Returns the posterior of the difference of a pair (of worths, plus pair effect), as its
    /// distribution without the pair's own votes, and these votes.
    ///
    /// At the mode the pair's own votes act like a normal likelihood with precision f and gradient
    /// g. Removing them leaves a distribution of θₐ - θ_b with precision 1/v - f and a mean that is
    /// lower by g/(1/v - f) (the cavity distribution of expectation propagation: Minka 2001).
    fn pair_posterior(&self, mode: &ScaleMode, a: Item, b: Item) -> PairPosterior {
        let (d, variance) = mode.worth_difference(a.index(), b.index());
        let (eta, own) = (mode.eta(), self.spread * self.spread);
        let votes = self.votes.get(a, b).counts().map(f64::from);
        let count: f64 = votes.iter().sum();
        let x = pair_mode(d, own, &votes, eta);
        let seen = information(count, x, eta);
        let precision = (1.0 / variance - seen / (1.0 + seen * own)).max(MIN_PRECISION);
        PairPosterior {
            centre: d - log_likelihood_gradient(&votes, x, eta) / precision,
            variance: 1.0 / precision + own,
            votes,
            eta,
        }
    }
}

/// Lapse rate of decisions: share of pairs on which a panel decides for reasons that the model does
/// not know, so that each of the three decisions is equally likely. It was fitted on recorded votes
/// (`docs/validation.md`, "Calibration of probabilities").
pub const LAPSE_RATE: f64 = 0.01;

/// Mixes the probabilities of the three decisions on a pair with lapses: with probability `rate`
/// each decision is equally likely.
pub fn with_lapses(relations: [f64; 3], rate: f64) -> [f64; 3] {
    relations.map(|probability| (1.0 - rate) * probability + rate / 3.0)
}

/// Ratio of the prior variance of differences between items of different worth to that of all
/// differences: 1/(1 - 1/5) if one pair of five has the same worth. With groups of 2.3 items on
/// average it is one pair of four in lists of 8, and one of ten in lists of 24. Of the tested
/// values 1, 1.3, 1.6 and 2, those from 1.6 on made orders from noisy votes overconfident.
const DISTINCT_VARIANCE_RATIO: f64 = 1.25;

/// Lower bound of the precision (1/variance) of a difference of worths. The prior keeps it above
/// that of the largest scale, 1/(2·2.6²); rounding must not bring it below.
const MIN_PRECISION: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::super::davidson::{CANDIDATE_SCALES, ETA_PRIOR, LOG_SCALE_PRIOR};
    use super::*;
    use crate::votes::decision_rule::DecisionRule;
    use partita_core::Preference;
    use partita_stats::random::standard_normal;

    fn item(number: usize) -> Item {
        Item::from_index(number).expect("the item number is valid")
    }

    /// Computes the decision probabilities and log marginal likelihood of a [`PairPosterior`] as a
    /// sum over 4000 equal steps.
    fn posterior_mean_by_dense_sum(
        known: &PairPosterior,
        table: &DecisionTable,
    ) -> ([f64; 3], f64) {
        let (sd, steps) = (known.variance.sqrt(), 4_000);
        let (mut sums, mut total) = ([0.0; 3], 0.0);
        for step in 0..=steps {
            let z = 20.0 * (f64::from(step) / f64::from(steps) - 0.5);
            let x = known.centre + sd * z;
            let shares = davidson_probabilities(x, known.eta);
            let likelihood: f64 = (shares.iter().zip(known.votes))
                .map(|(share, count)| share.powf(count))
                .product();
            let weight = likelihood * (-0.5 * z * z).exp();
            total += weight;
            let relations = table.decision_probabilities(shares);
            (sums.iter_mut().zip(relations)).for_each(|(sum, p)| *sum += weight * p);
        }
        let step = 20.0 / f64::from(steps) / (2.0 * std::f64::consts::PI).sqrt();
        (sums.map(|sum| sum / total), (total * step).ln())
    }

    #[test]
    fn quadrature_agrees_with_sum_over_4000_points() {
        for rule in [DecisionRule::default(), DecisionRule::Majority] {
            for k in [1, 5, 10, 20] {
                let table =
                    DecisionTable::new(rule, k).expect("the table supports this number of votes");
                for (centre, variance) in [(0.0, 0.02), (0.4, 0.3), (-1.5, 1.0), (2.5, 4.0)] {
                    for votes in [[0.0; 3], [3.0, 1.0, 0.0], [0.0, 2.0, 8.0], [9.0, 30.0, 9.0]] {
                        let known = PairPosterior {
                            centre,
                            variance,
                            votes,
                            eta: 0.6,
                        };
                        let of =
                            |x| table.decision_probabilities(davidson_probabilities(x, known.eta));
                        let (found, log) = known.posterior_mean(of);
                        let (expected, expected_log) = posterior_mean_by_dense_sum(&known, &table);
                        for (found, expected) in found.iter().zip(expected) {
                            assert!((found - expected).abs() < 2e-4, "{found} {expected}");
                        }
                        assert!((log - expected_log).abs() < 1e-3, "{log} {expected_log}");
                    }
                }
            }
        }
    }

    /// For two items the full posterior can be summed: over the six scales, the difference and η.
    #[test]
    fn predictions_for_two_items_match_numerical_integration_of_posterior() {
        let table = DecisionTable::new(DecisionRule::default(), 10)
            .expect("the table supports this number of votes");
        for counts in [[7, 2, 1], [2, 1, 0], [3, 4, 3], [0, 1, 9]] {
            let mut votes = ListVotes::new(2);
            for (answer, times) in Preference::ALL.into_iter().zip(counts) {
                (0..times).for_each(|_| votes.add(item(0), item(1), answer));
            }
            let (mut sums, mut total) = ([0.0; 3], 0.0);
            for scale in CANDIDATE_SCALES {
                let off = (scale.ln() - LOG_SCALE_PRIOR.0) / LOG_SCALE_PRIOR.1;
                for node in -200..=200 {
                    let d = f64::from(node) * 0.06;
                    for other in -30..=30 {
                        let z = f64::from(other) * 0.2;
                        let eta = ETA_PRIOR.0 + ETA_PRIOR.1 * z;
                        let prior = -0.5 * (off * off + z * z + d * d / (2.0 * scale * scale));
                        let log = log_likelihood(&counts.map(f64::from), d, eta) + prior;
                        let weight = log.exp() / scale;
                        let relations =
                            table.decision_probabilities(davidson_probabilities(d, eta));
                        total += weight;
                        (sums.iter_mut().zip(relations)).for_each(|(sum, p)| *sum += weight * p);
                    }
                }
            }
            let found = PredictiveModel::new(&votes, 0.0).relation_probabilities_without_lapses(
                item(0),
                item(1),
                &table,
            );
            for (found, expected) in found.iter().zip(sums.map(|sum| sum / total)) {
                assert!(
                    (found - expected).abs() < 0.04,
                    "{counts:?}: {found} {expected}"
                );
            }
        }
    }

    /// Returns votes on a list of six items, with this standard deviation of the perceptual error.
    fn list(seed: u64, noise: f64) -> ListVotes {
        let mut votes = ListVotes::new(6);
        let mut random = partita_stats::random::stream(seed, &[3]);
        for round in 0..30usize {
            let (a, b) = (round % 6, (round % 6 + 1 + round / 6 % 5) % 6);
            let lead = b as f64 - a as f64 + noise * standard_normal(&mut random);
            let answer = match lead {
                lead if lead > 1.0 => Preference::A,
                lead if lead < -1.0 => Preference::B,
                _ => Preference::Equal,
            };
            votes.add(item(a), item(b), answer);
        }
        votes
    }

    #[test]
    fn other_lists_change_predictions_and_single_list_uses_default_prior() {
        let table = DecisionTable::new(DecisionRule::default(), 10)
            .expect("the table supports this number of votes");
        // Mean probability of the most likely relation of each pair.
        let sure = |of: &PredictiveModel| {
            let pairs = (0..6).flat_map(|b| (0..b).map(move |a| (a, b)));
            let sure = pairs.map(|(a, b)| {
                let probabilities = of.relation_probabilities(item(a), item(b), &table);
                probabilities.into_iter().fold(0.0, f64::max)
            });
            sure.sum::<f64>() / 15.0
        };
        let one = list(1, 3.0);
        let alone = PredictiveModel::new(&one, 0.0);
        assert_eq!(
            PredictiveModel::fit_lists(std::slice::from_ref(&one), 0.0)[0],
            alone
        );
        let with_others = |noise: f64| {
            let others = (2..12).map(|seed| list(seed, noise));
            let lists: Vec<ListVotes> = std::iter::once(one.clone()).chain(others).collect();
            sure(&PredictiveModel::fit_lists(&lists, 0.0)[0])
        };
        // The same votes give more confidence if other lists show items far apart, and less if they
        // do not.
        let (clear, hazy) = (with_others(0.3), with_others(30.0));
        assert!(hazy + 0.02 < sure(&alone), "{hazy} {}", sure(&alone));
        assert!(clear > sure(&alone), "{clear} {}", sure(&alone));
    }

    /// The votes on a difference are approximated as normal and combined with a prior of larger
    /// variance.
    #[test]
    fn order_probability_equals_that_of_a_wider_prior_on_the_difference() {
        let lists: Vec<ListVotes> = (1..4).map(|seed| list(seed, 3.0)).collect();
        for of in PredictiveModel::fit_lists(&lists, 0.0) {
            let modes = of
                .order_modes
                .as_ref()
                .expect("lists fitted with others have order modes");
            for (a, b) in (0..6).flat_map(|b| (0..b).map(move |a| (a, b))) {
                let expected = modes.iter().map(|mode| {
                    let (d, variance) = mode.worth_difference(a, b);
                    let before = 1.0 / mode.prior_difference_variance();
                    let of_votes = 1.0 / variance - before;
                    let seen = d / variance / of_votes;
                    let after = of_votes + before / DISTINCT_VARIANCE_RATIO;
                    mode.share * normal::cdf(seen * of_votes / after.sqrt())
                });
                let (expected, found) = (
                    expected.sum::<f64>(),
                    of.order_probability(item(a), item(b)),
                );
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
        // Items that nobody compared are equally likely in either order.
        let untouched = PredictiveModel::new(&ListVotes::new(3), 0.0);
        assert!((untouched.order_probability(item(0), item(2)) - 0.5).abs() < 1e-9);
    }

    /// Lists without votes reproduce their prior: that of the other lists, or the default.
    #[test]
    fn default_scale_prior_weighs_more_for_long_than_for_short_lists() {
        let shares = |votes: ListVotes, others: u64| {
            let others = (1..=others).map(|seed| list(seed, 0.3));
            let lists: Vec<ListVotes> = std::iter::once(votes).chain(others).collect();
            let modes = PredictiveModel::fit_lists(&lists, 0.0).swap_remove(0).modes;
            let large = modes
                .iter()
                .filter(|mode| mode.prior_difference_variance() > 3.0);
            large.map(|mode| mode.share).sum::<f64>()
        };
        let [default_share, short, long] =
            [(8, 0), (8, 9), (24, 9)].map(|(items, others)| shares(ListVotes::new(items), others));
        assert!(
            default_share + 0.05 < long && long + 0.05 < short,
            "{default_share} {long} {short}"
        );
        // The weight of the default prior does not depend on the number of other lists.
        let among_many = shares(ListVotes::new(24), 40);
        assert!((among_many - long).abs() < 0.05, "{among_many} {long}");
    }
}
