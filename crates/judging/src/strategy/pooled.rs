//! Pairs chosen by a model of all votes.

use std::collections::HashMap;

use partita_core::{GroupedList, Item};
use partita_stats::random::{shuffle, stream, stream_id};

use super::informative_pairs::InformativePairs;
use super::{PairRequest, Strategy, StrategyOptions};
use crate::model::{DavidsonModel, GroupingRule, PendingPosterior};
use crate::votes::list_votes::ListVotes;

/// Votes on single pairs are few and far between; all votes of the list together, in
/// [Davidson's model](Davidson), choose the pairs and make the list.
///
/// First each item is compared once with each neighbour on a ring drawn at random. Then in each round
/// the model is fitted, and half as many pairs as there are items get one more vote: those that are
/// expected to tell most, ln(1 + fv), where v is the variance of the difference and f what one vote
/// says of it, with a preference for items that are close in the order, since those are the ones that
/// a list gets wrong. Pairs are chosen one after the other, and what is expected of those that were
/// chosen before, or are out with somebody, is taken off the variances (`Outlook`): a list can be
/// asked one pair at a time by many people, who need not wait for each other.
///
/// The list is settled when hardly any pair is expected to be in the wrong order by a difference that
/// matters, or the votes are spent. Where only the head of the list is wanted, pairs of items that
/// may belong there are preferred, there are fewer votes to spend, and the list is settled when its head is.
#[derive(Clone, Debug, PartialEq)]
pub struct PooledStrategy {
    /// The most votes on one pair.
    pub votes: u32,
    /// The votes on a list of n items, as a multiple of n log₂ n; half as many again on a list of at most
    /// nine, and three quarters on one of at most five. Where only k items at the head are wanted, it is
    /// a multiple of n log₂ (2k + 1).
    pub budget: f64,
    /// The votes on any list, if they are given as a number.
    pub limit: Option<usize>,
    /// The expected share of pairs in the wrong order by a difference that matters at which the list is
    /// settled, whatever is left of the votes; a quarter of it where only the head is wanted.
    pub settled: f64,
    /// How much farther apart in the order two items are when a pair tells e times less.
    pub window: f64,
    /// How the list is cut into groups.
    pub grouping: GroupingRule,
    /// How pairs are chosen.
    pub choice: PairSelection,
    /// How many items at the head of the list are settled; all if not given.
    pub top: Option<usize>,
}

/// How the pooled strategy chooses pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSelection {
    /// By what they are expected to tell.
    MostInformative,
    /// At random, to see what the choice is worth.
    Random,
}

impl Default for PooledStrategy {
    fn default() -> Self {
        Self {
            votes: 10,
            budget: 2.4,
            limit: None,
            settled: 0.02,
            window: 2.0,
            grouping: GroupingRule::default(),
            choice: PairSelection::MostInformative,
            top: None,
        }
    }
}

/// On short lists votes inform fewer other pairs. A list of at most so many items gets this many times
/// the votes, and is cut by a higher probability, so that it is as good as the paper's by all measures,
/// for about seven or eight tenths of the paper's votes: the curtailed sort takes more than nine.
const SHORT: [(usize, f64); 2] = [(5, 1.75), (9, 1.5)];
const SHORT_PROBABILITY: f64 = 0.25;

/// Where only the head of a list is wanted, it is settled at this share of what settles a whole list. Most pairs
/// with an item at the head are plain, since the other item is far below, so that the same expected share
/// of wrong ones leaves more of them among the few that are close.
const OF_HEAD: f64 = 0.25;

/// How many times the usual votes a list of so many items gets, if it is short.
fn shortness(items: usize) -> Option<f64> {
    let fits = SHORT.iter().find(|(most, _)| items <= *most);
    fits.map(|(_, times)| *times)
}

impl PooledStrategy {
    pub(super) fn from_options(settings: &StrategyOptions, choice: PairSelection) -> Self {
        Self {
            votes: settings.votes,
            limit: settings.budget,
            top: settings.top,
            grouping: settings.grouping(),
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
            None => {
                let head = self.top.map_or(n, |top| n.min(2.0 * top as f64 + 1.0));
                let more = shortness(items).unwrap_or(1.0);
                (self.budget * more * n * head.log2()).ceil()
            }
        };
        wanted.min(most).max(0.0) as usize
    }

    /// How a list of so many items is cut into groups.
    fn grouping_of(&self, items: usize) -> GroupingRule {
        let mut grouping = self.grouping;
        if shortness(items).is_some() {
            grouping.probability = grouping.probability.max(SHORT_PROBABILITY);
        }
        grouping
    }

    /// A ring of all items: each with the next.
    fn ring(items: usize, seed: u64) -> Vec<(Item, Item)> {
        let mut order: Vec<Item> = (0..items).filter_map(Item::from_index).collect();
        shuffle(&mut stream(seed, &[stream_id::POOLED_RING]), &mut order);
        let next = order.iter().copied().cycle().skip(1);
        let edges = match items {
            0 | 1 => 0,
            2 => 1,
            _ => items,
        };
        order.iter().copied().zip(next).take(edges).collect()
    }

    /// So many pairs to ask beside those that are out; nothing if the list is settled.
    fn choose_pairs(
        &self,
        votes: &ListVotes,
        out: &[(Item, Item)],
        seed: u64,
        pairs: usize,
    ) -> Option<Vec<(Item, Item)>> {
        let n = votes.items();
        let mut waiting: HashMap<(Item, Item), u32> = HashMap::new();
        for &(a, b) in out {
            *waiting.entry((a.min(b), a.max(b))).or_insert(0) += 1;
        }
        let room = |a: Item, b: Item| {
            let waiting = waiting.get(&(a.min(b), a.max(b))).copied().unwrap_or(0);
            self.votes.saturating_sub(votes.get(a, b).len() + waiting)
        };
        let ring = Self::ring(n, seed).into_iter();
        let untouched = ring.filter(|&(a, b)| {
            votes.get(a, b).is_empty() && !waiting.contains_key(&(a.min(b), a.max(b)))
        });
        let untouched: Vec<(Item, Item)> = untouched.collect();
        if !untouched.is_empty() {
            return Some(untouched);
        }
        match self.choice {
            PairSelection::MostInformative => {
                let mut outlook = PendingPosterior::from_votes(votes);
                let matters = self.grouping.matters * votes.vote_spread();
                let head = self.top.unwrap_or(n);
                let enough = match self.top {
                    Some(_) => OF_HEAD * self.settled,
                    None => self.settled,
                };
                if outlook.expected_misordered(matters, head, enough) <= enough {
                    return None;
                }
                out.iter()
                    .for_each(|&(a, b)| outlook.add_pending_vote(a, b));
                let telling = InformativePairs {
                    order: &outlook.order(),
                    window: self.window,
                    head: self.top,
                };
                Some(telling.choose(&mut outlook, room, pairs))
            }
            PairSelection::Random => {
                let items: Vec<Item> = (0..n).filter_map(Item::from_index).collect();
                let all =
                    (items.iter()).flat_map(|&b| items[..b.index()].iter().map(move |&a| (a, b)));
                let mut open: Vec<(Item, Item)> = all.filter(|&(a, b)| room(a, b) > 0).collect();
                let told = (votes.len() + out.len()) as u64;
                shuffle(
                    &mut stream(seed, &[stream_id::POOLED_ROUND, told]),
                    &mut open,
                );
                open.truncate(pairs);
                Some(open)
            }
        }
    }

    /// What is wanted: what is out, and so many pairs more.
    fn wanted_requests(
        &self,
        votes: &ListVotes,
        out: &[(Item, Item)],
        seed: u64,
        pairs: usize,
    ) -> Vec<PairRequest> {
        let budget = self.budget(votes.items());
        let spent = votes.len();
        if spent >= budget {
            return Vec::new();
        }
        let left = budget.saturating_sub(spent + out.len());
        // A list that is settled needs no answer that is out either.
        let Some(mut pairs) = self.choose_pairs(votes, out, seed, pairs.min(left)) else {
            return Vec::new();
        };
        pairs.truncate(left);
        let mut requests: Vec<PairRequest> = Vec::new();
        let mut places: HashMap<(Item, Item), usize> = HashMap::new();
        for (a, b) in out.iter().copied().chain(pairs) {
            let place = *places.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let votes = votes.get(a, b).len();
                requests.push(PairRequest { a, b, votes });
                requests.len() - 1
            });
            requests[place].votes += 1;
        }
        requests
    }
}

/// How many rounds a prediction takes together.
const AHEAD: usize = 3;

impl Strategy for PooledStrategy {
    /// Half as many pairs as there are items beside those that are out.
    fn requests(&self, votes: &ListVotes, out: &[(Item, Item)], seed: u64) -> Vec<PairRequest> {
        self.wanted_requests(votes, out, seed, votes.items().div_ceil(2))
    }

    /// Three rounds by one fit. A list that is settled before its votes are spent is then seen to be
    /// so up to two rounds, that is as many votes as it has items, late.
    fn requests_ahead(&self, votes: &ListVotes, seed: u64) -> Vec<PairRequest> {
        self.wanted_requests(votes, &[], seed, AHEAD * votes.items().div_ceil(2))
    }

    fn list(&self, votes: &ListVotes, _seed: u64) -> GroupedList {
        let grouping = self.grouping_of(votes.items());
        grouping.list(&DavidsonModel::default().fit(votes), votes.vote_spread())
    }

    fn grouping(&self, items: usize) -> Option<GroupingRule> {
        Some(self.grouping_of(items))
    }

    fn orders_inside_groups(&self) -> bool {
        true
    }

    /// There is always more to ask until the votes are spent.
    fn asks_in_rounds(&self) -> bool {
        true
    }
}
