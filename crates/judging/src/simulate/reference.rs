//! Reference list against which the quality of other lists is measured.

use partita_core::{GroupedList, Item};

use super::recorded::RecordedAnswers;
use crate::model::{DavidsonFit, DavidsonModel};
use crate::votes::list_votes::ListVotes;

/// Reference list against which other lists are measured: the worth of each item, and groups of
/// items that count as equal.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceList {
    /// Worth of each item, on the scale of a model of paired comparisons; the best item has the
    /// largest.
    pub worths: Vec<f64>,
    /// Groups of items that count as equal, the best group first.
    pub groups: GroupedList,
}

/// Returns two reference lists of the given recorded items. They use only answers about pairs with
/// at least one item outside the list, which no strategy sees.
///
/// Both have the order of the worths in [Davidson's model](DavidsonModel) of those answers. With δ
/// for `delta`, the first has the consecutive groups that minimise the sum of (|mean vote| - δ)
/// over the pairs within groups. The second starts a new group at an item whose absolute mean vote
/// against some item of the current group is at least δ. Mean votes are predicted by the model;
/// each vote is -1, 0 or 1.
pub fn held_out_references(
    recorded: &RecordedAnswers,
    items: &[usize],
    delta: f64,
) -> [ReferenceList; 2] {
    let collection = recorded.items();
    let mut inside = vec![false; collection];
    items.iter().for_each(|&item| inside[item] = true);
    let mut votes = ListVotes::new(collection);
    for (a, b, answers) in recorded.pairs() {
        if let (false, Some(a), Some(b)) = (
            inside[a] && inside[b],
            Item::from_index(a),
            Item::from_index(b),
        ) {
            answers.iter().for_each(|&answer| votes.add(a, b, answer));
        }
    }
    // With thousands of votes the scale of the prior hardly matters.
    let fit = DavidsonModel::with_scale(0.7).fit(&votes);
    let members: Vec<Item> = items
        .iter()
        .filter_map(|&item| Item::from_index(item))
        .collect();
    let worths: Vec<f64> = members.iter().map(|&item| fit.worth(item)).collect();
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]).then(a.cmp(&b)));
    let apart = |a: usize, b: usize| mean_vote(&fit, members[a], members[b]).abs();
    [
        consecutive_groups(&order, delta, apart),
        threshold_groups(&order, delta, apart),
    ]
    .map(|groups| ReferenceList {
        worths: worths.clone(),
        groups,
    })
}

/// Returns the mean vote on a pair that the model predicts: 1 if all votes prefer `a`, -1 if all
/// prefer `b`.
fn mean_vote(fit: &DavidsonFit, a: Item, b: Item) -> f64 {
    let [plus, _, minus] = fit.vote_probabilities(a, b);
    plus - minus
}

/// Builds a list from groups of item indices.
fn grouped_list(groups: Vec<Vec<usize>>) -> GroupedList {
    let items = |group: Vec<usize>| {
        group
            .into_iter()
            .filter_map(Item::from_index)
            .collect::<Vec<_>>()
    };
    GroupedList::new(groups.into_iter().map(items)).expect("each item of the order is in one group")
}

/// Splits an order into the consecutive groups that minimise the sum of (distance - δ) over the
/// pairs within groups, by dynamic programming. `apart` gives the distance of two items, and δ is
/// `delta`.
fn consecutive_groups(
    order: &[usize],
    delta: f64,
    apart: impl Fn(usize, usize) -> f64,
) -> GroupedList {
    let n = order.len();
    let mut best = vec![0.0; n + 1];
    let mut cut = vec![0; n + 1];
    for end in 1..=n {
        let mut cost = 0.0;
        best[end] = f64::INFINITY;
        for start in (0..end).rev() {
            let first = order[start];
            cost += (order[start + 1..end].iter())
                .map(|&other| apart(first, other) - delta)
                .sum::<f64>();
            if best[start] + cost < best[end] {
                best[end] = best[start] + cost;
                cut[end] = start;
            }
        }
    }
    let mut groups = Vec::new();
    let mut end = n;
    while end > 0 {
        groups.push(order[cut[end]..end].to_vec());
        end = cut[end];
    }
    groups.reverse();
    grouped_list(groups)
}

/// Splits an order into groups. An item starts a new group if its distance (`apart`) to some item
/// of the current group is at least `delta`.
fn threshold_groups(
    order: &[usize],
    delta: f64,
    apart: impl Fn(usize, usize) -> f64,
) -> GroupedList {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &item in order {
        match groups.last_mut() {
            Some(group) if group.iter().all(|&other| apart(item, other) < delta) => {
                group.push(item);
            }
            _ => groups.push(vec![item]),
        }
    }
    grouped_list(groups)
}
