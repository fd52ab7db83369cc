//! Empirical prior of the scale of worths and of the tie parameter η, shared by the lists of a
//! campaign.

use super::davidson::{CANDIDATE_SCALES, ETA_PRIOR, LOG_SCALE_PRIOR};
use super::posterior::ScaleMode;

/// Number of item pairs per unit of prior weight. The default scale prior of a list counts as one
/// list per this many pairs of the list, and as at least [`MIN_PRIOR_LISTS`] lists. With more than
/// [`LISTS_BEFORE_PRIOR_GROWS`] other lists the weight grows in proportion to their number.
///
/// A short list carries little information on its scale and needs the others: for lists of 8, with
/// 28 pairs, the prior has the weight of two lists, with which predicted probabilities are
/// calibrated. A long list determines its scale well. With a prior weight of two, the other lists
/// pulled it to scales so small that its orders were right more often than predicted. Errors common
/// to all lists do not average out, so the prior keeps its relative weight.
const PAIRS_PER_PRIOR_LIST: f64 = 14.0;
/// Minimum weight of the default scale prior, as a number of lists.
const MIN_PRIOR_LISTS: f64 = 2.0;
/// Number of other lists above which the weight of the default scale prior grows with their number.
const LISTS_BEFORE_PRIOR_GROWS: f64 = 9.0;

/// Number of EM iterations for the distribution of scales over lists; more do not change the
/// printed digits.
const EM_ITERATIONS: usize = 30;

/// Lower bound of the standard deviation of the tie parameter η between lists.
const MIN_ETA_SD: f64 = 0.1;

/// Posterior probability below which a candidate scale is dropped.
const NEGLIGIBLE_PROBABILITY: f64 = 0.005;

/// Returns the default prior probabilities of the six candidate scales.
fn default_scale_prior() -> [f64; CANDIDATE_SCALES.len()] {
    let log = |scale: f64| -0.5 * ((scale.ln() - LOG_SCALE_PRIOR.0) / LOG_SCALE_PRIOR.1).powi(2);
    let weights = CANDIDATE_SCALES.map(|scale| log(scale).exp());
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// Returns the posterior probability of each candidate scale, given a prior and the modes fitted to
/// the votes on a list.
fn scale_posterior(
    modes: &[ScaleMode],
    prior: &[f64; CANDIDATE_SCALES.len()],
) -> [f64; CANDIDATE_SCALES.len()] {
    let best = (modes.iter()).fold(f64::NEG_INFINITY, |best, mode| best.max(mode.evidence));
    let mut shares = *prior;
    for (share, mode) in shares.iter_mut().zip(modes) {
        *share *= (mode.evidence - best).exp();
    }
    let sum: f64 = shares.iter().sum();
    shares.map(|share| share / sum)
}

/// Sets the posterior probability of each candidate scale for each list and drops scales with a
/// negligible one.
///
/// The distribution of scales over the lists of a campaign is estimated from all of them (empirical
/// Bayes by expectation-maximisation); the default prior counts as a number of additional lists.
/// The prior of a list comes from the other lists, so that its own votes count once. A single list
/// has the default prior.
pub(super) fn assign_scale_weights(lists: &mut [Vec<ScaleMode>]) {
    let default_prior = default_scale_prior();
    let others = lists.len() as f64 - 1.0;
    let worth = |modes: &Vec<ScaleMode>| {
        let items = modes.first().map_or(0, ScaleMode::items) as f64;
        let lists = (items * (items - 1.0) / 2.0 / PAIRS_PER_PRIOR_LIST).max(MIN_PRIOR_LISTS);
        lists * (others / LISTS_BEFORE_PRIOR_GROWS).max(1.0)
    };
    let prior_weight: Vec<f64> = lists.iter().map(worth).collect();
    let mut found: Vec<[f64; CANDIDATE_SCALES.len()]> = lists
        .iter()
        .map(|modes| scale_posterior(modes, &default_prior))
        .collect();
    for _ in 0..EM_ITERATIONS {
        let prior = priors_from_other_lists(&found, &default_prior, &prior_weight);
        let next = lists.iter().zip(&prior);
        found = next
            .map(|(modes, prior)| scale_posterior(modes, prior))
            .collect();
    }
    for (modes, shares) in lists.iter_mut().zip(&found) {
        let mut rest = shares.iter();
        (modes.iter_mut().zip(&mut rest)).for_each(|(mode, share)| mode.share = *share);
        modes.retain(|mode| mode.share >= NEGLIGIBLE_PROBABILITY);
        let sum: f64 = modes.iter().map(|mode| mode.share).sum();
        modes.iter_mut().for_each(|mode| mode.share /= sum);
    }
}

/// Returns the prior of each list's scale: the scale distribution of the other lists mixed with the
/// default prior. `prior_weight` is the number of lists that the default prior counts as.
fn priors_from_other_lists(
    found: &[[f64; CANDIDATE_SCALES.len()]],
    default_prior: &[f64; CANDIDATE_SCALES.len()],
    prior_weight: &[f64],
) -> Vec<[f64; CANDIDATE_SCALES.len()]> {
    let mut sums = [0.0; CANDIDATE_SCALES.len()];
    for shares in found {
        (sums.iter_mut().zip(shares)).for_each(|(sum, share)| *sum += share);
    }
    let others = found.len() as f64 - 1.0;
    let of = |(shares, prior_weight): (&[f64; CANDIDATE_SCALES.len()], &f64)| {
        let mut prior = sums;
        for ((sum, share), default_prior) in prior.iter_mut().zip(shares).zip(default_prior) {
            *sum = (prior_weight * default_prior + *sum - share) / (prior_weight + others);
        }
        prior
    };
    found.iter().zip(prior_weight).map(of).collect()
}

/// Returns the prior mean and standard deviation of each list's η, estimated from the other lists
/// by a random-effects model: η is normally distributed over lists, with a variance estimated by
/// the method of moments (DerSimonian and Laird 1986).
pub(super) fn eta_priors(lists: &[Vec<ScaleMode>]) -> Vec<(f64, f64)> {
    let found: Vec<(f64, f64)> = (lists.iter())
        .map(|modes| {
            let mean: f64 = modes.iter().map(|mode| mode.share * mode.eta()).sum();
            let variance = modes.iter().map(|mode| mode.share * mode.eta_variance());
            let variance: f64 = variance.sum();
            // Remove the prior from the posterior precision.
            let precision = (1.0 / variance - 1.0 / (ETA_PRIOR.1 * ETA_PRIOR.1)).max(MIN_PRECISION);
            let alone = (mean / variance - ETA_PRIOR.0 / (ETA_PRIOR.1 * ETA_PRIOR.1)) / precision;
            (alone, 1.0 / precision)
        })
        .collect();
    let between = between_list_variance(&found).max(MIN_ETA_SD * MIN_ETA_SD);
    let prior = |list: usize| {
        let (mut sum, mut precision) = (
            ETA_PRIOR.0 / (ETA_PRIOR.1 * ETA_PRIOR.1),
            1.0 / (ETA_PRIOR.1 * ETA_PRIOR.1),
        );
        let others = found.iter().enumerate().filter(|(other, _)| *other != list);
        for (_, (eta, variance)) in others {
            sum += eta / (variance + between);
            precision += 1.0 / (variance + between);
        }
        let apart = if found.len() > 1 { between } else { 0.0 };
        (sum / precision, (1.0 / precision + apart).sqrt())
    };
    (0..found.len()).map(prior).collect()
}

/// Lower bound of the precision (1/variance) of a list's η. A list without votes carries no
/// information.
const MIN_PRECISION: f64 = 1e-6;

/// Returns the variance of the tie parameter η between lists, given the estimate of each list and
/// its variance.
fn between_list_variance(found: &[(f64, f64)]) -> f64 {
    let weights = || found.iter().map(|(_, variance)| 1.0 / variance);
    let sum: f64 = weights().sum();
    let squares: f64 = weights().map(|w| w * w).sum();
    let weighted = found.iter().map(|(eta, variance)| eta / variance);
    let mean = weighted.sum::<f64>() / sum;
    let deviations = (found.iter()).map(|(eta, variance)| (eta - mean).powi(2) / variance);
    let excess = deviations.sum::<f64>() - (found.len() as f64 - 1.0);
    let denominator = sum - squares / sum;
    if denominator > 0.0 {
        (excess / denominator).max(0.0)
    } else {
        0.0
    }
}
