//! Strategy that chooses pairs, and builds the list, by a model of all votes on the list.

use std::collections::{HashMap, HashSet};

use partita_core::{GroupedList, Item};
use partita_stats::random::{shuffle, stream, stream_id};

use super::informative_pairs::InformativePairs;
use super::{PairRequest, Strategy, StrategyOptions};
use crate::model::{DavidsonModel, GroupingRule, PendingPosterior};
use crate::votes::list_votes::ListVotes;

/// Strategy in which [Davidson's model](DavidsonModel) of all votes on a list chooses the pairs and
/// produces the list, because single pairs have few votes.
///
/// First each item is compared once with each neighbour on a random ring. Then, in each round, the
/// model is fitted, and half as many pairs as there are items get one more vote: those with the
/// highest expected information gain ln(1 + fv), where v is the variance of the difference and f
/// the information of a vote. Pairs close in the order are preferred, since lists have most errors
/// there. Pairs are chosen greedily; the expected effect of chosen and pending votes is subtracted
/// from the variances (`PendingPosterior`). Many assessors can thus work on a list at the same time
/// without waiting for each other.
///
/// The list is complete when the expected share of pairs in the wrong order by a difference that
/// matters is small enough, or when the budget is spent. If only the top of the list is requested,
/// pairs of items that may belong there are preferred, the budget is smaller, and the list is
/// complete when its top is, or when the whole list would be with as many votes.
#[derive(Clone, Debug, PartialEq)]
pub struct PooledStrategy {
    /// Maximum number of votes on one pair.
    pub votes: u32,
    /// Budget of votes for a list of n items, as a multiple of n log₂ n. Lists of at most nine
    /// items get 1.5 times, and lists of at most five items 1.75 times as many. If only the top k
    /// items are requested, it is a multiple of n log₂ (2k + 1).
    pub budget: f64,
    /// Budget of votes per list as an absolute number; if set, it replaces `budget`.
    pub limit: Option<usize>,
    /// Stopping threshold: the list is complete, even if budget remains, once the expected share of
    /// pairs in the wrong order by a difference that matters is at most this value. If only the top
    /// is requested, a quarter of this value among the pairs with an item of the top is enough too.
    /// Not used by [`PairSelection::Random`].
    pub settled: f64,
    /// Distance in rank over which the weight of a pair's information falls by a factor of e.
    pub window: f64,
    /// Rule that divides the list into groups of equal items.
    pub grouping: GroupingRule,
    /// Rule that selects the pairs to ask.
    pub choice: PairSelection,
    /// Number of items at the top of the list to sort; `None` for all.
    pub top: Option<usize>,
}

/// Rule that selects the pairs to ask in the pooled strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSelection {
    /// Pairs with the highest expected information gain.
    MostInformative,
    /// Pairs drawn at random, as a baseline for comparison.
    Random,
}

impl Default for PooledStrategy {
    fn default() -> Self {
        Self {
            votes: 10,
            budget: 2.4,
            limit: None,
            settled: Self::DEFAULT_SETTLED,
            window: 2.0,
            grouping: GroupingRule::default(),
            choice: PairSelection::MostInformative,
            top: None,
        }
    }
}

/// Definition of short lists: maximum number of items, and factor on the budget of votes. On short
/// lists a vote informs fewer other pairs, so they get more votes and a higher minimum probability
/// of a difference between groups ([`SHORT_LIST_PROBABILITY`]). They are then as good as the lists
/// of Urbano et al. (2010) by all measures with about 70% to 80% of the votes of that method; the
/// strategy `sort-curtailed` needs more than 90%.
const SHORT_LISTS: [(usize, f64); 2] = [(5, 1.75), (9, 1.5)];
/// Minimum of [`GroupingRule::probability`] for short lists.
const SHORT_LIST_PROBABILITY: f64 = 0.25;

/// Factor on the stopping threshold if only the top of a list is requested. Most pairs with an item
/// at the top are clear, because the other item is far below. The same expected share of errors
/// would leave more errors among the few close pairs.
const TOP_FACTOR: f64 = 0.25;

/// Returns the factor on the vote budget of a short list, or `None` if the list is not short.
fn short_list_factor(items: usize) -> Option<f64> {
    let fits = SHORT_LISTS.iter().find(|(most, _)| items <= *most);
    fits.map(|(_, times)| *times)
}

impl PooledStrategy {
    /// Default of [`PooledStrategy::settled`].
    pub const DEFAULT_SETTLED: f64 = 0.02;

    /// Creates the strategy from the options that it supports.
    pub(super) fn from_options(settings: &StrategyOptions, choice: PairSelection) -> Self {
        Self {
            votes: settings.votes,
            limit: settings.budget,
            top: settings.top,
            grouping: settings.grouping(),
            settled: settings.settled,
            choice,
            ..Self::default()
        }
    }

    /// Returns the maximum number of votes for a list of `items` items.
    pub fn budget(&self, items: usize) -> usize {
        let n = items as f64;
        let most = f64::from(self.votes) * n * (n - 1.0) / 2.0;
        let wanted = match self.limit {
            Some(limit) => limit as f64,
            None => {
                let head = self.top.map_or(n, |top| n.min(2.0 * top as f64 + 1.0));
                let more = short_list_factor(items).unwrap_or(1.0);
                (self.budget * more * n * head.log2()).ceil()
            }
        };
        wanted.min(most).max(0.0) as usize
    }

    /// Returns the grouping rule for a list of `items` items.
    fn grouping_for(&self, items: usize) -> GroupingRule {
        let mut grouping = self.grouping;
        if short_list_factor(items).is_some() {
            grouping.probability = grouping.probability.max(SHORT_LIST_PROBABILITY);
        }
        grouping
    }

    /// Returns a random ring of all items as pairs of neighbours.
    fn random_ring(items: usize, seed: u64) -> Vec<(Item, Item)> {
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

    /// Chooses up to `pairs` pairs to ask in addition to the pending ones, `out`; first of all,
    /// every pair of the random ring that has neither votes nor pending ones. Returns `None` if the
    /// list is complete.
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
        let remaining = |a: Item, b: Item| {
            let waiting = waiting.get(&(a.min(b), a.max(b))).copied().unwrap_or(0);
            self.votes.saturating_sub(votes.get(a, b).len() + waiting)
        };
        let ring = Self::random_ring(n, seed).into_iter();
        let untouched = ring.filter(|&(a, b)| {
            votes.get(a, b).is_empty() && !waiting.contains_key(&(a.min(b), a.max(b)))
        });
        let untouched: Vec<(Item, Item)> = untouched.collect();
        if !untouched.is_empty() {
            return Some(untouched);
        }
        match self.choice {
            PairSelection::MostInformative => {
                let mut posterior = PendingPosterior::from_votes(votes);
                let matters = self.grouping.matters * votes.vote_spread();
                let is_settled = |head: usize, enough: f64| {
                    posterior.expected_misordered(matters, head, enough) <= enough
                };
                if is_settled(n, self.settled) {
                    return None;
                }
                let top_is_settled = |top| {
                    is_settled(top, TOP_FACTOR * self.settled)
                        || self.would_settle_whole_list(&posterior, votes, seed, matters)
                };
                if self.top.is_some_and(top_is_settled) {
                    return None;
                }
                out.iter()
                    .for_each(|&(a, b)| posterior.add_pending_vote(a, b));
                let selection = InformativePairs {
                    order: &posterior.order(),
                    window: self.window,
                    head: self.top,
                };
                Some(selection.choose(&mut posterior, remaining, pairs))
            }
            PairSelection::Random => {
                let items: Vec<Item> = (0..n).filter_map(Item::from_index).collect();
                let all =
                    (items.iter()).flat_map(|&b| items[..b.index()].iter().map(move |&a| (a, b)));
                let mut open: Vec<(Item, Item)> =
                    all.filter(|&(a, b)| remaining(a, b) > 0).collect();
                let vote_count = (votes.len() + out.len()) as u64;
                shuffle(
                    &mut stream(seed, &[stream_id::POOLED_ROUND, vote_count]),
                    &mut open,
                );
                open.truncate(pairs);
                Some(open)
            }
        }
    }

    /// Returns true if as many votes as there are would probably have settled the whole list, if its
    /// pairs had been chosen for that. Pairs are chosen again for the fitted worths, with the
    /// expected effect of each vote on the variances. The top of a list must not take more votes.
    fn would_settle_whole_list(
        &self,
        posterior: &PendingPosterior,
        votes: &ListVotes,
        seed: u64,
        matters: f64,
    ) -> bool {
        let mut whole = posterior.with_prior_variances();
        let ring = Self::random_ring(votes.items(), seed);
        for &(a, b) in &ring {
            whole.add_pending_vote(a, b);
        }
        let on_ring: HashSet<(Item, Item)> =
            ring.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        let selection = InformativePairs {
            order: &whole.order(),
            window: self.window,
            head: None,
        };
        let remaining = |a: Item, b: Item| {
            let given = on_ring.contains(&(a.min(b), a.max(b)));
            self.votes.saturating_sub(u32::from(given))
        };
        let more = votes.len().saturating_sub(ring.len());
        selection.choose(&mut whole, remaining, more);
        whole.expected_misordered(matters, votes.items(), self.settled) <= self.settled
    }

    /// Returns the requests for the pending pairs, `out`, and for those of
    /// [`choose_pairs`](Self::choose_pairs) that the budget allows; empty if the list is complete
    /// or its budget is spent.
    fn pending_and_new_requests(
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
        // A complete list does not need the pending answers either.
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

/// Number of rounds of requests that a forecast chooses from one fit of the model.
const FORECAST_ROUNDS: usize = 3;

impl Strategy for PooledStrategy {
    /// Requests half as many pairs as there are items, in addition to the pending ones.
    fn requests(&self, votes: &ListVotes, out: &[(Item, Item)], seed: u64) -> Vec<PairRequest> {
        self.pending_and_new_requests(votes, out, seed, votes.items().div_ceil(2))
    }

    /// Requests the pairs of three rounds by one fit of the model. A list that is complete before
    /// its budget is spent is then detected up to two rounds late, which is as many votes as it has
    /// items.
    fn requests_ahead(&self, votes: &ListVotes, seed: u64) -> Vec<PairRequest> {
        self.pending_and_new_requests(
            votes,
            &[],
            seed,
            FORECAST_ROUNDS * votes.items().div_ceil(2),
        )
    }

    fn list(&self, votes: &ListVotes, _seed: u64) -> GroupedList {
        let grouping = self.grouping_for(votes.items());
        grouping.list(&DavidsonModel::default().fit(votes), votes)
    }

    fn grouping(&self, items: usize) -> Option<GroupingRule> {
        Some(self.grouping_for(items))
    }

    fn orders_inside_groups(&self) -> bool {
        true
    }

    /// Returns true: the strategy requests more pairs until the list is complete or its budget is
    /// spent.
    fn asks_in_rounds(&self) -> bool {
        true
    }
}
