//! Selection of the most informative pairs.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use partita_core::Item;

use crate::model::PendingPosterior;

/// Maximum distance in the order between two items of a pair. Beyond it the weight of a pair's
/// information falls below e⁻¹².
const REACH: usize = 24;

/// Candidate for the next question, ordered by its expected information gain.
struct CandidatePair {
    /// Upper bound of the expected information gain. It is recomputed when the pair reaches the top
    /// of the heap (lazy greedy selection).
    information: f64,
    /// Weight of the information by the distance in the order and, if only the top of the list is
    /// sorted, by the probability that the item belongs there.
    proximity: f64,
    a: Item,
    b: Item,
    /// Number of additional votes that the pair may get.
    remaining: u32,
}

impl CandidatePair {
    fn rank(&self, other: &Self) -> Ordering {
        // Ties are broken by item numbers.
        let first = (other.a, other.b).cmp(&(self.a, self.b));
        self.information.total_cmp(&other.information).then(first)
    }
}

impl PartialEq for CandidatePair {
    fn eq(&self, other: &Self) -> bool {
        self.rank(other).is_eq()
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
        self.rank(other)
    }
}

/// Order of the items and weights from which the most informative pairs are selected.
pub(super) struct InformativePairs<'a> {
    /// Items from best to worst.
    pub(super) order: &'a [Item],
    /// Distance in the order over which the weight of a pair's information falls by a factor of e.
    pub(super) window: f64,
    /// Number of items at the top of the list to sort; `None` for all. The information of a pair is
    /// then weighted by the probability that both items belong there.
    pub(super) head: Option<usize>,
}

impl InformativePairs<'_> {
    /// Chooses `count` pairs greedily, each the most informative given those before. A pair may be
    /// chosen repeatedly up to its remaining votes.
    pub(super) fn choose(
        &self,
        posterior: &mut PendingPosterior,
        remaining: impl Fn(Item, Item) -> u32,
        count: usize,
    ) -> Vec<(Item, Item)> {
        let mut heap = self.candidates(posterior, &remaining, REACH);
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

    /// Returns the weight of each item for belonging to the requested top: 1 for the items in it,
    /// otherwise √(2p), where p is the probability that the item is better than the last item of
    /// the top. With p itself, good items with bad first votes would not be asked about again.
    fn head_weights(&self, posterior: &PendingPosterior) -> Vec<f64> {
        let head = self.head.unwrap_or(self.order.len());
        let last = head.checked_sub(1).and_then(|last| self.order.get(last));
        let weights = |(at, &item): (usize, &Item)| match last {
            Some(&last) if at >= head => (2.0 * posterior.order_probability(item, last)).sqrt(),
            _ => 1.0,
        };
        self.order.iter().enumerate().map(weights).collect()
    }

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

/// Returns the expected information gain of a vote on a pair: ln(1 + fv), where v is the variance
/// of the difference and f the information of a vote.
fn expected_information(posterior: &PendingPosterior, a: Item, b: Item) -> f64 {
    (posterior.information(a, b) * posterior.variance(a, b)).ln_1p()
}
