//! How much pairs have of their own.

use super::predictive::PredictiveModel;
use crate::votes::list_votes::ListVotes;

/// The spreads that are tried, on the scale of worths.
const SPREADS: [f64; 9] = [0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.1, 1.5];

/// Of so many votes as these the spread is learnt; beyond, one is no better known.
const ENOUGH_PAIRS: usize = 20_000;

/// Lists with more items take too long to be fitted for each spread, and are left out.
const MOST_ITEMS: usize = 150;

/// The standard deviation of what pairs have of their own, the same for all these lists: that with
/// which the votes on a pair are best predicted by the votes on all others, pair by pair (leaving one
/// pair out in turn). It is 0 where all items of a list lie on one scale.
///
/// Only pairs with several votes tell it from noise, so that lists without them give 0.
pub fn estimate_pair_spread(lists: &[ListVotes]) -> f64 {
    let mut telling: Vec<ListVotes> = Vec::new();
    let mut pairs = 0;
    for list in lists.iter().filter(|list| list.items() <= MOST_ITEMS) {
        if pairs >= ENOUGH_PAIRS {
            break;
        }
        pairs += list.pairs().count();
        telling.push(list.clone());
    }
    if !(telling.iter()).any(|list| list.pairs().any(|(_, _, votes)| votes.len() > 1)) {
        return 0.0;
    }
    let mut best = (0.0, f64::NEG_INFINITY);
    let mut behind = 0;
    for spread in SPREADS {
        let score = log_predictive(&telling, spread);
        if score > best.1 {
            best = (spread, score);
            behind = 0;
        } else {
            behind += 1;
        }
        // The score rises to the best spread and falls beyond it.
        if behind == 2 {
            break;
        }
    }
    best.0
}

/// The logarithm of how likely the votes on each pair are by those on all others.
fn log_predictive(lists: &[ListVotes], spread: f64) -> f64 {
    let predictives = PredictiveModel::fit_lists(lists, spread);
    let of_list = |(list, predictive): (&ListVotes, &PredictiveModel)| -> f64 {
        let pairs = list.pairs();
        pairs.map(|(a, b, _)| predictive.log_predictive(a, b)).sum()
    };
    lists.iter().zip(&predictives).map(of_list).sum()
}
