//! Strategies, which choose the pairs to ask next and build the list from the votes. One file per
//! strategy.
//!
//! A strategy is stateless: its requests are a function of the votes so far and of a seed. A
//! campaign can therefore stop and resume at any point, votes can be retracted, and the same log
//! always leads to the same list.

mod informative_pairs;
mod ordered_sort;
mod pooled;
mod refitted_sort;
mod sort;

use partita_core::{GroupedList, Item};

use crate::model::GroupingRule;
use crate::sort::SelfOrganisingSort;
use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::Relation;
use crate::votes::stopping::StoppingRule;

pub use ordered_sort::OrderedSortStrategy;
pub use pooled::{PairSelection, PooledStrategy};
pub use refitted_sort::RefittedSortStrategy;
pub use sort::SortStrategy;

/// Request to ask a pair until it has `votes` votes in total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairRequest {
    /// First item of the pair.
    pub a: Item,
    /// Second item of the pair.
    pub b: Item,
    /// Target number of votes on the pair, including existing and pending ones.
    pub votes: u32,
}

/// Method that chooses the next pairs to ask and builds the list, from the votes so far and a seed.
pub trait Strategy: Send + Sync {
    /// Returns the pairs to ask now; empty if the list is complete. `seed` is that of the list.
    ///
    /// `out` contains the pending pairs, once for each expected answer, in any order. Pending pairs
    /// that are still needed are among the requests, with their answers counted as if they had
    /// arrived. Further pairs are chosen to be informative given the pending ones. Many assessors
    /// can thus work on a list at the same time, one pair each. Only strategies that [ask in
    /// rounds](Self::asks_in_rounds) use `out`.
    fn requests(&self, votes: &ListVotes, out: &[(Item, Item)], seed: u64) -> Vec<PairRequest>;

    /// Returns approximately the pairs of the next few rounds, chosen at once. The forecast of a
    /// list's total number of votes uses it, because it does not need an optimal choice. The
    /// default returns the pairs to ask now.
    fn requests_ahead(&self, votes: &ListVotes, seed: u64) -> Vec<PairRequest> {
        self.requests(votes, &[], seed)
    }

    /// Returns the list that the votes so far produce; `seed` is that of the list. Strategies that
    /// use a model divide it as if it were complete.
    fn list(&self, votes: &ListVotes, seed: u64) -> GroupedList;

    /// Returns the grouping rule for lists of this many items if lists come from [one
    /// model](crate::DavidsonModel) of all votes, otherwise `None`. The reliability of assessors
    /// can then be included in the model ([`fit_pooled`](crate::fit_pooled)).
    fn grouping(&self, items: usize) -> Option<GroupingRule> {
        let _ = items;
        None
    }

    /// Returns the self-organising sort before its first question if the strategy sorts this many
    /// items by the relations of their pairs, otherwise `None`. `seed` is that of the list.
    fn initial_sort(&self, items: usize, seed: u64) -> Option<SelfOrganisingSort> {
        let _ = (items, seed);
        None
    }

    /// Returns true if the order of items within a group of the strategy's lists is meaningful.
    fn orders_inside_groups(&self) -> bool {
        false
    }

    /// Returns the relation of a to b if these votes on the pair alone decide it. Returns `None` if
    /// more votes are needed, or if the strategy does not decide pairs one by one.
    fn decided_relation(&self, votes: Votes) -> Option<Relation> {
        let _ = votes;
        None
    }

    /// Returns true if the strategy always requests more pairs, however many are pending. With
    /// answer sheets, one round of requests is then issued at a time, since all pairs issued at
    /// once would be chosen from the same few votes. With single pairs there is no need to wait.
    fn asks_in_rounds(&self) -> bool {
        false
    }

    /// Returns this strategy for a list with a prior order, where `places[i]` is the prior position
    /// of item i. Returns `None` if the strategy does not use a prior order.
    fn with_prior(&self, places: Vec<usize>) -> Option<Box<dyn Strategy>> {
        let _ = places;
        None
    }
}

/// Options of strategies; each strategy uses those it supports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrategyOptions {
    /// Number of votes on a pair; the maximum for strategies that stop early.
    pub votes: u32,
    /// Decision rule for the votes on a pair.
    pub rule: DecisionRule,
    /// Threshold of predictive stopping: a pair gets no more votes once the posterior probability
    /// of one decision reaches this value.
    pub confidence: f64,
    /// Number of items at the top of the list to sort; `None` for all.
    pub top: Option<usize>,
    /// Maximum number of votes on all pairs of a list, for strategies with a budget.
    pub budget: Option<usize>,
    /// Smallest difference between items that matters to a model-based strategy: the mean vote that
    /// it produces (from -1 to 1), in units of the root mean square of the votes.
    pub matters: f64,
    /// Expected share of pairs in the wrong order by a difference that matters, at which the pooled
    /// strategy stops asking about a list.
    pub settled: f64,
}

impl StrategyOptions {
    /// Returns the rule that divides model-based lists into groups.
    fn grouping(&self) -> GroupingRule {
        GroupingRule {
            matters: self.matters,
            ..GroupingRule::default()
        }
    }
}

impl Default for StrategyOptions {
    /// Returns the ten votes per pair and the decision rule of Urbano et al. (2010), with a
    /// confidence of 0.9.
    fn default() -> Self {
        Self {
            votes: 10,
            rule: DecisionRule::default(),
            confidence: 0.9,
            top: None,
            budget: None,
            matters: GroupingRule::DEFAULT_MATTERS,
            settled: PooledStrategy::DEFAULT_SETTLED,
        }
    }
}

partita_named::named_enum! {
    /// Name of a strategy.
    pub enum StrategyName: "strategy" {
        /// the self-organising sort with all votes on each pair (Urbano et al. 2010)
        Sort = "sort",
        /// the same questions and groups, the items of a group in the order of their net votes
        SortOrdered = "sort-ordered",
        /// the same lists with fewer votes: a pair is left once no vote can change its outcome
        SortCurtailed = "sort-curtailed",
        /// a pair is left once its outcome is likely enough (confidence)
        SortPredictive = "sort-predictive",
        /// asks as sort-predictive does, and makes the list by one model of all votes
        SortRefitted = "sort-refitted",
        /// one model of all votes on a list chooses the pairs that tell most, and makes the list
        Pooled = "pooled",
        /// the same model on votes about random pairs
        Random = "random",
    }
}

impl StrategyName {
    /// Returns true if the strategy fits a model to choose pairs, which is slow on a long list.
    pub fn fits_model(self) -> bool {
        matches!(self, Self::Pooled | Self::Random)
    }

    /// Creates the strategy of this name with these options.
    pub fn build(self, settings: &StrategyOptions) -> Box<dyn Strategy> {
        let sorting = |stop| SortStrategy::from_options(settings, stop);
        let predictive = || sorting(StoppingRule::Predictive(settings.confidence));
        let pooled = |choice| PooledStrategy::from_options(settings, choice);
        match self {
            Self::Sort => Box::new(sorting(StoppingRule::AllVotes)),
            Self::SortOrdered => Box::new(OrderedSortStrategy {
                sorting: sorting(StoppingRule::AllVotes),
            }),
            Self::SortCurtailed => Box::new(sorting(StoppingRule::Curtailed)),
            Self::SortPredictive => Box::new(predictive()),
            Self::SortRefitted => Box::new(RefittedSortStrategy {
                sorting: predictive(),
                grouping: settings.grouping(),
            }),
            Self::Pooled => Box::new(pooled(PairSelection::MostInformative)),
            Self::Random => Box::new(pooled(PairSelection::Random)),
        }
    }
}
