//! What the lists of a campaign have in common.

use super::davidson::{ETA, LOG_SCALE, SCALES};
use super::posterior::ScaleMode;

/// Beside nine other lists of a campaign, the usual prior of scales is worth one list for so many pairs of the
/// list in question, and never less than [`LEAST_BEFORE`]; beside more of them it is worth as much more.
///
/// A short list says little of its scale and needs the others: of lists of 8, with 28 pairs, the prior is worth
/// two, with which their probabilities come true. A long list says it well enough itself; with the prior worth
/// two, others drew it to scales so small that its orders were right more often than was said. What all lists have
/// wrong does not average out over them, so that the prior keeps its weight beside many.
const PAIRS_BEFORE: f64 = 14.0;
const LEAST_BEFORE: f64 = 2.0;
const OTHERS: f64 = 9.0;

/// Turns of the estimate of how scales are spread; more change nothing that is shown.
const TURNS: usize = 30;

/// The least standard deviation of η between lists: no campaign knows it better of another list.
const LEAST_BETWEEN: f64 = 0.1;

/// How small the share of a scale is that can be left out.
const NEGLIGIBLE: f64 = 0.005;

/// What is usually believed of the six scales.
fn default_scale_prior() -> [f64; SCALES.len()] {
    let log = |scale: f64| -0.5 * ((scale.ln() - LOG_SCALE.0) / LOG_SCALE.1).powi(2);
    let weights = SCALES.map(|scale| log(scale).exp());
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// How likely each scale is by what is believed of scales and the votes on a list.
fn shares(modes: &[ScaleMode], believed: &[f64; SCALES.len()]) -> [f64; SCALES.len()] {
    let best = (modes.iter()).fold(f64::NEG_INFINITY, |best, mode| best.max(mode.evidence));
    let mut shares = *believed;
    for (share, mode) in shares.iter_mut().zip(modes) {
        *share *= (mode.evidence - best).exp();
    }
    let sum: f64 = shares.iter().sum();
    shares.map(|share| share / sum)
}

/// Gives each scale of each list its share, and leaves those out that hardly have any.
///
/// How scales are spread over the lists of a campaign is estimated from all of them (empirical Bayes, by
/// expectation and maximisation), with the usual prior worth some lists; what is believed of a list comes from
/// the others, so that its own votes count once. One list by itself has the usual prior.
pub(super) fn assign_scale_weights(lists: &mut [Vec<ScaleMode>]) {
    let usual = default_scale_prior();
    let others = lists.len() as f64 - 1.0;
    let worth = |modes: &Vec<ScaleMode>| {
        let items = modes.first().map_or(0, ScaleMode::items) as f64;
        let lists = (items * (items - 1.0) / 2.0 / PAIRS_BEFORE).max(LEAST_BEFORE);
        lists * (others / OTHERS).max(1.0)
    };
    let before: Vec<f64> = lists.iter().map(worth).collect();
    let mut found: Vec<[f64; SCALES.len()]> =
        lists.iter().map(|modes| shares(modes, &usual)).collect();
    for _ in 0..TURNS {
        let believed = spread_over(&found, &usual, &before);
        let next = lists.iter().zip(&believed);
        found = next
            .map(|(modes, believed)| shares(modes, believed))
            .collect();
    }
    for (modes, shares) in lists.iter_mut().zip(&found) {
        let mut rest = shares.iter();
        (modes.iter_mut().zip(&mut rest)).for_each(|(mode, share)| mode.share = *share);
        modes.retain(|mode| mode.share >= NEGLIGIBLE);
        let sum: f64 = modes.iter().map(|mode| mode.share).sum();
        modes.iter_mut().for_each(|mode| mode.share /= sum);
    }
}

/// Of each list, how scales are spread over the others, and usually: `before` says how many lists that is worth.
fn spread_over(
    found: &[[f64; SCALES.len()]],
    usual: &[f64; SCALES.len()],
    before: &[f64],
) -> Vec<[f64; SCALES.len()]> {
    let mut sums = [0.0; SCALES.len()];
    for shares in found {
        (sums.iter_mut().zip(shares)).for_each(|(sum, share)| *sum += share);
    }
    let others = found.len() as f64 - 1.0;
    let of = |(shares, before): (&[f64; SCALES.len()], &f64)| {
        let mut believed = sums;
        for ((sum, share), usual) in believed.iter_mut().zip(shares).zip(usual) {
            *sum = (before * usual + *sum - share) / (before + others);
        }
        believed
    };
    found.iter().zip(before).map(of).collect()
}

/// What is believed of η of each list, as mean and standard deviation, by those of the others: lists differ
/// by a normal law whose variance is estimated by moments (DerSimonian and Laird 1986).
pub(super) fn eta_priors(lists: &[Vec<ScaleMode>]) -> Vec<(f64, f64)> {
    let found: Vec<(f64, f64)> = (lists.iter())
        .map(|modes| {
            let mean: f64 = modes.iter().map(|mode| mode.share * mode.eta()).sum();
            let variance = modes.iter().map(|mode| mode.share * mode.eta_variance());
            let variance: f64 = variance.sum();
            // Without what was believed before.
            let precision = (1.0 / variance - 1.0 / (ETA.1 * ETA.1)).max(LEAST_PRECISION);
            let alone = (mean / variance - ETA.0 / (ETA.1 * ETA.1)) / precision;
            (alone, 1.0 / precision)
        })
        .collect();
    let between = between_list_variance(&found).max(LEAST_BETWEEN * LEAST_BETWEEN);
    let believed = |list: usize| {
        let (mut sum, mut precision) = (ETA.0 / (ETA.1 * ETA.1), 1.0 / (ETA.1 * ETA.1));
        let others = found.iter().enumerate().filter(|(other, _)| *other != list);
        for (_, (eta, variance)) in others {
            sum += eta / (variance + between);
            precision += 1.0 / (variance + between);
        }
        let apart = if found.len() > 1 { between } else { 0.0 };
        (sum / precision, (1.0 / precision + apart).sqrt())
    };
    (0..found.len()).map(believed).collect()
}

/// A list without votes says nothing.
const LEAST_PRECISION: f64 = 1e-6;

/// The variance between lists.
fn between_list_variance(found: &[(f64, f64)]) -> f64 {
    let weights = || found.iter().map(|(_, variance)| 1.0 / variance);
    let (sum, squares) = (
        weights().sum::<f64>(),
        weights().map(|w| w * w).sum::<f64>(),
    );
    let mean = found
        .iter()
        .map(|(eta, variance)| eta / variance)
        .sum::<f64>()
        / sum;
    let off = found
        .iter()
        .map(|(eta, variance)| (eta - mean).powi(2) / variance);
    let excess = off.sum::<f64>() - (found.len() as f64 - 1.0);
    let room = sum - squares / sum;
    if room > 0.0 {
        (excess / room).max(0.0)
    } else {
        0.0
    }
}
