//! Estimate of the spread of pair effects: how much the votes on single pairs deviate from the
//! difference of their items' worths.

use super::predictive::PredictiveModel;
use crate::votes::list_votes::ListVotes;

/// Candidates for the standard deviation of the pair effects, on the scale of worths.
const CANDIDATE_SPREADS: [f64; 9] = [0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.1, 1.5];

/// Number of pairs from which no further list is used to estimate the spread; more pairs do not
/// improve it.
const MAX_PAIRS: usize = 20_000;

/// Maximum number of items of a list used to estimate the spread; longer lists take too long to
/// fit.
const MAX_ITEMS: usize = 150;

/// Estimates the standard deviation of the pair effects, shared by all these lists, by
/// leave-one-pair-out cross-validation: the value that best predicts the votes on a pair from the
/// votes on all other pairs. It is 0 if all items of a list lie on one scale.
///
/// Only pairs with several votes separate pair effects from noise; lists without them give 0.
pub fn estimate_pair_spread(lists: &[ListVotes]) -> f64 {
    let mut sampled: Vec<ListVotes> = Vec::new();
    let mut pairs = 0;
    for list in lists.iter().filter(|list| list.items() <= MAX_ITEMS) {
        if pairs >= MAX_PAIRS {
            break;
        }
        pairs += list.pairs().count();
        sampled.push(list.clone());
    }
    if !(sampled.iter()).any(|list| list.pairs().any(|(_, _, votes)| votes.len() > 1)) {
        return 0.0;
    }
    let mut best = (0.0, f64::NEG_INFINITY);
    let mut falling = 0;
    for spread in CANDIDATE_SPREADS {
        let score = log_predictive(&sampled, spread);
        if score > best.1 {
            best = (spread, score);
            falling = 0;
        } else {
            falling += 1;
        }
        // The score is unimodal in the spread, so the search can stop once the score falls.
        if falling == 2 {
            break;
        }
    }
    best.0
}

/// Returns the cross-validation score: the sum over pairs of the log probability of the votes on a
/// pair, given the votes on all other pairs.
fn log_predictive(lists: &[ListVotes], spread: f64) -> f64 {
    let predictives = PredictiveModel::fit_lists(lists, spread);
    let of_list = |(list, predictive): (&ListVotes, &PredictiveModel)| -> f64 {
        let pairs = list.pairs();
        pairs.map(|(a, b, _)| predictive.log_predictive(a, b)).sum()
    };
    lists.iter().zip(&predictives).map(of_list).sum()
}
