//! Which pairs are asked next, and what list the votes make: one file a strategy.
//!
//! A strategy has no memory: what it asks is a function of the votes so far and of a seed. A campaign
//! can therefore stop and go on at any point, votes can be taken back, and the same log always leads
//! to the same list.

mod informative_pairs;
mod ordered_sort;
mod pooled;
mod refitted_sort;
mod sort;

use partita_core::{GroupedList, Item};

use crate::model::GroupingRule;
use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::Relation;
use crate::votes::stopping::StoppingRule;

pub use ordered_sort::OrderedSortStrategy;
pub use pooled::{PairSelection, PooledStrategy};
pub use refitted_sort::RefittedSortStrategy;
pub use sort::SortStrategy;

/// A pair that is to be asked until it has so many votes in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairRequest {
    /// One item.
    pub a: Item,
    /// The other.
    pub b: Item,
    /// The number of votes that it should have, those so far and those that are out included.
    pub votes: u32,
}

/// A way to choose pairs and to make a list of the votes.
pub trait Strategy: Send + Sync {
    /// The pairs to ask now; none if the list is settled. `seed` is that of the list.
    ///
    /// `out` are the pairs that were given out and not answered yet, once for each answer that is to
    /// come, in whatever order. Those of them that are still wanted are among the requests, their
    /// answers counted as if they were there; whatever is asked beyond them is chosen so that it is
    /// worth asking beside them. A list may thus be asked one pair at a time by many people at once. Only
    /// strategies that ask [in rounds](Self::in_rounds) are told.
    fn requests(&self, votes: &ListVotes, out: &[(Item, Item)], seed: u64) -> Vec<PairRequest>;

    /// About the pairs of the next few rounds, chosen all at once: for a prediction of how many votes
    /// a list will take, which need not choose as well. Those to ask now unless a strategy knows a
    /// cheaper way.
    fn requests_ahead(&self, votes: &ListVotes, seed: u64) -> Vec<PairRequest> {
        self.requests(votes, &[], seed)
    }

    /// The list that the votes so far make.
    fn list(&self, votes: &ListVotes, seed: u64) -> GroupedList;

    /// How lists of so many items are cut into groups, where they are made by [one model](crate::Davidson)
    /// of all votes; nothing where they are not. What is known of people beyond their votes on a list can
    /// then be put into the model ([`pooled_lists`](crate::pooled_lists)).
    fn grouping(&self, items: usize) -> Option<GroupingRule> {
        let _ = items;
        None
    }

    /// Whether the order inside the groups of its lists means something.
    fn orders_inside_groups(&self) -> bool {
        false
    }

    /// How a relates to b if these votes on the pair are enough to decide it, whatever is said of
    /// other pairs. Nothing if more votes are needed, or if pairs are not decided one by one.
    fn decided_relation(&self, votes: Votes) -> Option<Relation> {
        let _ = votes;
        None
    }

    /// Whether there is always more to ask, however much is out. Whoever gives out sheets then gives
    /// out one round of requests and waits for its answers, since all that is given out at once would
    /// be chosen by the same few votes; whoever gives out one pair at a time need not wait.
    fn asks_in_rounds(&self) -> bool {
        false
    }

    /// The same strategy for a list whose items have a prior order, each number being the place of
    /// an item; nothing if it makes no use of one.
    fn with_prior(&self, places: Vec<usize>) -> Option<Box<dyn Strategy>> {
        let _ = places;
        None
    }
}

/// What a strategy may be told; each takes what it knows of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrategyOptions {
    /// The number of votes on a pair, or the most of them where votes are saved.
    pub votes: u32,
    /// How the votes on a pair decide it.
    pub rule: DecisionRule,
    /// How likely an outcome must be for a strategy that predicts it.
    pub confidence: f64,
    /// How many items at the head of the list are settled; all if not given.
    pub top: Option<usize>,
    /// How many votes a list may take for a strategy that stops at a number of them.
    pub budget: Option<usize>,
    /// The mean vote from which on a difference matters to a strategy that makes lists by a model, in
    /// units of the spread of votes.
    pub matters: f64,
}

impl StrategyOptions {
    fn grouping(&self) -> GroupingRule {
        GroupingRule {
            matters: self.matters,
            ..GroupingRule::default()
        }
    }
}

impl Default for StrategyOptions {
    /// Ten votes and the rule of the paper, a confidence of 0.9.
    fn default() -> Self {
        Self {
            votes: 10,
            rule: DecisionRule::default(),
            confidence: 0.9,
            top: None,
            budget: None,
            matters: GroupingRule::DEFAULT_MATTERS,
        }
    }
}

partita_named::named_enum! {
    /// The name of a strategy that there is.
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
    /// Whether it fits a model to choose its pairs, so that this takes a while on a long list.
    pub fn fits_model(self) -> bool {
        matches!(self, Self::Pooled | Self::Random)
    }

    /// The strategy, told these settings.
    pub fn build(self, settings: &StrategyOptions) -> Box<dyn Strategy> {
        let sorting = |stop| SortStrategy::from_options(settings, stop);
        let predictive = || sorting(StoppingRule::Predictive(settings.confidence));
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
            Self::Pooled => Box::new(PooledStrategy::from_options(
                settings,
                PairSelection::MostInformative,
            )),
            Self::Random => Box::new(PooledStrategy::from_options(
                settings,
                PairSelection::Random,
            )),
        }
    }
}
