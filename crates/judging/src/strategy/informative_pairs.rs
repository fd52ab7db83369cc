//! The pairs that tell most.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use partita_core::Item;

use crate::model::PendingPosterior;

/// How far apart in the order two items of a pair may be: beyond that the preference for items that
/// are close leaves e⁻¹² of what a pair tells.
const REACH: usize = 24;

/// A pair that may be asked.
struct CandidatePair {
    /// What it tells, or told before other pairs were chosen: at least what it tells now.
    information: f64,
    near: f64,
    a: Item,
    b: Item,
    /// How many more votes it may get.
    room: u32,
}

impl CandidatePair {
    fn rank(&self, other: &Self) -> Ordering {
        // The first of two that tell the same.
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

/// What is chosen from.
pub(super) struct InformativePairs<'a> {
    /// The items in their order.
    pub(super) order: &'a [Item],
    /// How much farther apart in the order two items are when a pair tells e times less.
    pub(super) window: f64,
    /// How many items at the head of the list are wanted; all if not given. What a pair tells then
    /// counts as far as both its items may belong there.
    pub(super) head: Option<usize>,
}

impl InformativePairs<'_> {
    /// So many pairs, one after the other that which tells most beside those before; a pair may come
    /// again as often as it has room for more votes.
    pub(super) fn choose(
        &self,
        outlook: &mut PendingPosterior,
        room: impl Fn(Item, Item) -> u32,
        pairs: usize,
    ) -> Vec<(Item, Item)> {
        let mut heap = self.candidates(outlook, &room, REACH);
        if heap.is_empty() {
            heap = self.candidates(outlook, &room, self.order.len());
        }
        let mut chosen = Vec::with_capacity(pairs);
        while chosen.len() < pairs {
            let Some(mut best) = heap.pop() else {
                break;
            };
            let tells = best.near * expected_information(outlook, best.a, best.b);
            // What a pair tells only falls as others are chosen, so one that still tells more than
            // the next did is the best.
            if heap.peek().is_some_and(|next| next.information > tells) {
                best.information = tells;
                heap.push(best);
                continue;
            }
            chosen.push((best.a, best.b));
            outlook.add_pending_vote(best.a, best.b);
            best.room -= 1;
            if best.room > 0 {
                best.information = best.near * self::expected_information(outlook, best.a, best.b);
                heap.push(best);
            }
        }
        chosen
    }

    /// Along the order, how far an item may belong to the head that is wanted: the square root of the
    /// probability that it is better than the last one there, and 1 where that is as likely as not. By
    /// the probability itself, items that belong there and began badly are not asked about again.
    fn head_weights(&self, outlook: &PendingPosterior) -> Vec<f64> {
        let head = self.head.unwrap_or(self.order.len());
        let last = head.checked_sub(1).and_then(|last| self.order.get(last));
        let contends = |(at, &item): (usize, &Item)| match last {
            Some(&last) if at >= head => (2.0 * outlook.order_probability(item, last)).sqrt(),
            _ => 1.0,
        };
        self.order.iter().enumerate().map(contends).collect()
    }

    fn candidates(
        &self,
        outlook: &PendingPosterior,
        room: &impl Fn(Item, Item) -> u32,
        reach: usize,
    ) -> BinaryHeap<CandidatePair> {
        let contends = self.head_weights(outlook);
        let mut found = Vec::new();
        for (at, &a) in self.order.iter().enumerate() {
            for (apart, &b) in self.order[at + 1..].iter().enumerate().take(reach) {
                let room = room(a, b);
                let near = (-(apart as f64) / self.window).exp() * contends[at + 1 + apart];
                if room > 0 && near > 0.0 {
                    let tells = near * expected_information(outlook, a, b);
                    found.push(CandidatePair {
                        information: tells,
                        near,
                        a,
                        b,
                        room,
                    });
                }
            }
        }
        found.into()
    }
}

/// How much a vote on a pair is expected to tell: ln(1 + fv), where v is the variance of the
/// difference and f the information of a vote.
fn expected_information(outlook: &PendingPosterior, a: Item, b: Item) -> f64 {
    (outlook.information(a, b) * outlook.variance(a, b)).ln_1p()
}
