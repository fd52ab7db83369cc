//! Greedy selection of the pairs with the highest expected information gain.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use partita_core::Item;

use crate::model::PendingPosterior;

/// Maximum distance in rank between two items of a candidate pair. Beyond it the weight of a pair's
/// information is at most e⁻¹² with the default window.
const MAX_RANK_DISTANCE: usize = 24;

/// Candidate pair for the next question, ordered by its expected information gain.
struct CandidatePair {
    /// Upper bound of the weighted expected information gain of a vote on the pair. It is
    /// recomputed when the pair reaches the top of the heap (lazy greedy selection).
    information: f64,
    /// Weight of the information by the distance of the items in rank and, if only the top of the
    /// list is sorted, by the weight of the lower-ranked item for belonging there.
    proximity: f64,
    a: Item,
    b: Item,
    /// Number of additional votes that the pair may get before it reaches the limit per pair.
    remaining: u32,
}

impl CandidatePair {
    /// Compares two candidates by their information, then by their item numbers.
    fn information_order(&self, other: &Self) -> Ordering {
        // Ties are broken by item numbers.
        let first = (other.a, other.b).cmp(&(self.a, self.b));
        self.information.total_cmp(&other.information).then(first)
    }
}

impl PartialEq for CandidatePair {
    fn eq(&self, other: &Self) -> bool {
        self.information_order(other).is_eq()
    }
}

impl Eq for CandidatePair {}

impl PartialOrd for CandidatePair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CandidatePair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.information_order(other)
    }
}

/// Order of the items and weights by which the most informative pairs are selected.
pub(super) struct InformativePairs<'a> {
    /// Items from best to worst.
    pub(super) order: &'a [Item],
    /// Distance in rank over which the weight of a pair's information falls by a factor of e.
    pub(super) window: f64,
    /// Number of items at the top of the list to sort; `None` for all. If set, the information of a
    /// pair has less weight if its lower-ranked item is unlikely to belong to the top.
    pub(super) head: Option<usize>,
}

impl InformativePairs<'_> {
    /// Chooses up to `count` pairs greedily, each the most informative given the votes expected on
    /// those before. A pair may be chosen repeatedly, up to its remaining votes.
    pub(super) fn choose(
        &self,
        posterior: &mut PendingPosterior,
        remaining: impl Fn(Item, Item) -> u32,
        count: usize,
    ) -> Vec<(Item, Item)> {
        let mut heap = self.candidates(posterior, &remaining, MAX_RANK_DISTANCE);
        if heap.is_empty() {
            heap = self.candidates(posterior, &remaining, self.order.len());
        }
        let mut chosen = Vec::with_capacity(count);
        while chosen.len() < count {
            let Some(mut best) = heap.pop() else {
                break;
            };
            let gain = best.proximity * expected_information(posterior, best.a, best.b);
            // The information of a pair only falls as others are chosen, so a pair that still
            // exceeds the next upper bound is the best.
            if heap.peek().is_some_and(|next| next.information > gain) {
                best.information = gain;
                heap.push(best);
                continue;
            }
            chosen.push((best.a, best.b));
            posterior.add_pending_vote(best.a, best.b);
            best.remaining -= 1;
            if best.remaining > 0 {
                best.information = best.proximity * expected_information(posterior, best.a, best.b);
                heap.push(best);
            }
        }
        chosen
    }

    /// Returns the weight of each item for belonging to the requested top of the list: 1 for the
    /// items in it, otherwise √(2p), where p is the probability that the item is better than the
    /// last item of the top. With p itself, good items with bad first votes would not be asked
    /// about again.
    fn head_weights(&self, posterior: &PendingPosterior) -> Vec<f64> {
        let head = self.head.unwrap_or(self.order.len());
        let last = head.checked_sub(1).and_then(|last| self.order.get(last));
        let weights = |(at, &item): (usize, &Item)| match last {
            Some(&last) if at >= head => (2.0 * posterior.order_probability(item, last)).sqrt(),
            _ => 1.0,
        };
        self.order.iter().enumerate().map(weights).collect()
    }

    /// Returns the heap of all candidate pairs near each other in rank that may get more votes.
    fn candidates(
        &self,
        posterior: &PendingPosterior,
        remaining: &impl Fn(Item, Item) -> u32,
        reach: usize,
    ) -> BinaryHeap<CandidatePair> {
        let weights = self.head_weights(posterior);
        let mut found = Vec::new();
        for (at, &a) in self.order.iter().enumerate() {
            for (apart, &b) in self.order[at + 1..].iter().enumerate().take(reach) {
                let remaining = remaining(a, b);
                let proximity = (-(apart as f64) / self.window).exp() * weights[at + 1 + apart];
                if remaining > 0 && proximity > 0.0 {
                    let gain = proximity * expected_information(posterior, a, b);
                    found.push(CandidatePair {
                        information: gain,
                        proximity,
                        a,
                        b,
                        remaining,
                    });
                }
            }
        }
        found.into()
    }
}

/// Returns the expected information gain of a vote on a pair: ln(1 + fv), where v is the posterior
/// variance of the items' difference in worth and f the Fisher information of a vote about it.
fn expected_information(posterior: &PendingPosterior, a: Item, b: Item) -> f64 {
    (posterior.information(a, b) * posterior.difference_variance(a, b)).ln_1p()
}
