//! Pairs chosen by a model of all votes.

use partita_core::{GroupedList, Item};
use partita_stats::streams::{shuffle, stream};

use super::{Request, Strategy, StrategySettings};
use crate::list_votes::ListVotes;
use crate::model::{Davidson, Grouping};

/// Votes on single pairs are few and far between; all votes of the list together, in
/// [Davidson's model](Davidson), choose the pairs and make the list.
///
/// First each item is compared once with each neighbour on a ring drawn at random. Then in each round
/// the model is fitted, and half as many pairs as there are items get one more vote: those that are
/// expected to tell most, ln(1 + fv), where v is the variance of the difference and f what one vote
/// says of it, with a preference for items that are close in the order, since those are the ones that
/// a list gets wrong. An item is in one of these pairs only, so that they can be asked side by side.
/// The list is settled when its share of inverted pairs is expected to be tiny, or the votes are spent.
#[derive(Clone, Debug, PartialEq)]
pub struct Pooled {
    /// The most votes on one pair.
    pub votes: u32,
    /// The votes on a list of n items, as a multiple of n log₂ n.
    pub budget: f64,
    /// The votes on any list, if they are given as a number.
    pub limit: Option<usize>,
    /// The expected share of inverted pairs at which the list is settled, whatever is left of the votes.
    pub settled: f64,
    /// How much farther apart in the order two items are when a pair tells e times less.
    pub window: f64,
    /// How the list is cut into groups.
    pub grouping: Grouping,
    /// How pairs are chosen.
    pub choice: Choice,
    /// How many items at the head of the list are settled; all if not given.
    pub top: Option<usize>,
}

/// How the pooled strategy chooses pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// By what they are expected to tell.
    Telling,
    /// At random, to see what the choice is worth.
    Random,
}

impl Default for Pooled {
    fn default() -> Self {
        Self {
            votes: 10,
            budget: 2.4,
            limit: None,
            settled: 0.02,
            window: 2.0,
            grouping: Grouping::default(),
            choice: Choice::Telling,
            top: None,
        }
    }
}

/// The random streams of this file.
const RING: u64 = 0x004_010;
const ROUND: u64 = 0x004_011;

/// The scale of worths while pairs are chosen, when there are too few votes to estimate it.
const SCALE: f64 = 0.7;

impl Pooled {
    pub(super) fn of(settings: &StrategySettings, choice: Choice) -> Self {
        Self {
            votes: settings.votes,
            limit: settings.budget,
            top: settings.top,
            choice,
            ..Self::default()
        }
    }

    /// The number of votes on a list of so many items.
    pub fn budget(&self, items: usize) -> usize {
        let n = items as f64;
        let most = self.votes as f64 * n * (n - 1.0) / 2.0;
        let wanted = match self.limit {
            Some(limit) => limit as f64,
            None => (self.budget * n * n.log2()).ceil(),
        };
        wanted.min(most).max(0.0) as usize
    }

    /// A ring of all items: each with the next.
    fn ring(items: usize, seed: u64) -> Vec<(Item, Item)> {
        let mut order: Vec<Item> = (0..items).filter_map(Item::at).collect();
        shuffle(&mut stream(seed, &[RING]), &mut order);
        let next = order.iter().copied().cycle().skip(1);
        let edges = match items {
            0 | 1 => 0,
            2 => 1,
            _ => items,
        };
        order.iter().copied().zip(next).take(edges).collect()
    }

    /// The pairs that tell most, no item in more than so many: in one, they are half as many as items.
    fn round(&self, votes: &ListVotes, seed: u64, most: usize) -> Vec<(Item, Item)> {
        let n = votes.items();
        let mut pairs: Vec<(f64, Item, Item)> = Vec::with_capacity(n * n / 2);
        match self.choice {
            Choice::Telling => {
                let fit = Davidson::with_scale(SCALE).fit(votes);
                if fit.inversions_up_to(self.settled) <= self.settled {
                    return Vec::new();
                }
                let order = fit.order();
                let near: Vec<f64> = (0..n)
                    .map(|apart| (-(apart as f64) / self.window).exp())
                    .collect();
                for (at, &a) in order.iter().enumerate() {
                    if self.top.is_some_and(|top| at >= top + 2) {
                        break;
                    }
                    for (apart, &b) in order[at + 1..].iter().enumerate() {
                        if votes.of(a, b).len() < self.votes {
                            let [plus, _, minus] = fit.answers(a, b);
                            let says = plus + minus - (plus - minus).powi(2);
                            let gain = (says * fit.variance(a, b)).ln_1p();
                            pairs.push((gain * near[apart], a, b));
                        }
                    }
                }
                pairs.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
            }
            Choice::Random => {
                let items: Vec<Item> = (0..n).filter_map(Item::at).collect();
                let all =
                    (items.iter()).flat_map(|&b| items[..b.index()].iter().map(move |&a| (a, b)));
                let open = all.filter(|&(a, b)| votes.of(a, b).len() < self.votes);
                pairs.extend(open.map(|(a, b)| (0.0, a, b)));
                shuffle(&mut stream(seed, &[ROUND, votes.len() as u64]), &mut pairs);
            }
        }
        let mut taken = vec![0; n];
        let mut chosen = Vec::new();
        for (_, a, b) in pairs {
            if taken[a.index()] < most && taken[b.index()] < most {
                taken[a.index()] += 1;
                taken[b.index()] += 1;
                chosen.push((a, b));
            }
        }
        chosen
    }

    /// The pairs of so many rounds by one fit.
    fn rounds(&self, votes: &ListVotes, seed: u64, rounds: usize) -> Vec<Request> {
        let spent = votes.len();
        let left = self.budget(votes.items()).saturating_sub(spent);
        if left == 0 {
            return Vec::new();
        }
        let untouched = Self::ring(votes.items(), seed)
            .into_iter()
            .filter(|&(a, b)| votes.of(a, b).is_empty());
        let mut pairs: Vec<(Item, Item)> = untouched.collect();
        if pairs.is_empty() {
            pairs = self.round(votes, seed, rounds);
        }
        pairs.truncate(left);
        let request = |(a, b)| Request {
            a,
            b,
            votes: votes.of(a, b).len() + 1,
        };
        pairs.into_iter().map(request).collect()
    }
}

/// How many rounds a prediction takes together.
const AHEAD: usize = 3;

impl Strategy for Pooled {
    fn requests(&self, votes: &ListVotes, _: &[(Item, Item)], seed: u64) -> Vec<Request> {
        self.rounds(votes, seed, 1)
    }

    /// Three rounds by one fit. A list that is settled before its votes are spent is then seen to be
    /// so up to two rounds, that is as many votes as it has items, late.
    fn requests_ahead(&self, votes: &ListVotes, seed: u64) -> Vec<Request> {
        self.rounds(votes, seed, AHEAD)
    }

    fn list(&self, votes: &ListVotes, _seed: u64) -> GroupedList {
        self.grouping.list(&Davidson::default().fit(votes))
    }

    fn orders_inside_groups(&self) -> bool {
        true
    }

    /// A fit of half a round would choose worse pairs.
    fn in_rounds(&self) -> bool {
        true
    }
}
