//! Self-organising sort of Urbano et al. (2010), with all votes or with early stopping.

use std::collections::HashMap;

use partita_core::{GroupedList, Item, Preference};
use partita_stats::random::{shuffle, stream, stream_id};

use super::{PairRequest, Strategy, StrategyOptions};
use crate::sort::{PivotRule, SelfOrganisingSort};
use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::Relation;
use crate::votes::stopping::StoppingRule;

/// Strategy that asks for the pairs of the self-organising sort (Urbano et al. 2010). Each pair is
/// asked until it has enough votes, and is then decided by a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct SortStrategy {
    votes: u32,
    rule: DecisionRule,
    pivot: PivotRule,
    top: Option<usize>,
    /// Relation decided for each combination of vote counts up to the target number, or `None` if
    /// more votes are needed; indexed by `table_index`.
    decided: Vec<Option<Relation>>,
    /// Minimum number of additional votes after which the pair can be decided, for each combination
    /// of vote counts; indexed by `table_index`.
    missing: Vec<u32>,
}

impl Default for SortStrategy {
    /// Returns the settings of Urbano et al. (2010): ten votes, and the exact Mann-Whitney test at
    /// significance level 0.25.
    fn default() -> Self {
        Self::new(10, DecisionRule::default(), StoppingRule::AllVotes)
    }
}

impl SortStrategy {
    /// Creates the sort with `votes` votes on a pair, or fewer if the stopping rule `stop` allows.
    /// The votes are decided by `rule`.
    pub fn new(votes: u32, rule: DecisionRule, stop: StoppingRule) -> Self {
        let mut sorting = Self {
            votes,
            rule,
            pivot: PivotRule::Last,
            top: None,
            decided: Vec::new(),
            missing: Vec::new(),
        };
        // Cache the outcome of each full set of votes, because the rules are slow.
        let mut outcomes = HashMap::new();
        let mut rule = |all: Votes| *outcomes.entry(all).or_insert_with(|| rule.decide(all));
        let side = votes + 1;
        for table_index in 0..side.pow(3) {
            let these = Votes {
                a: table_index / side / side,
                equal: table_index / side % side,
                b: table_index % side,
            };
            let wanted = these.len() <= votes;
            let enough = wanted.then(|| stop.decide_by(these, votes, &mut rule));
            sorting.decided.push(enough.flatten());
        }
        sorting.missing = sorting.min_missing_votes();
        sorting
    }

    /// Creates the sort from strategy options, with the stopping rule `stop`.
    pub(super) fn from_options(settings: &StrategyOptions, stop: StoppingRule) -> Self {
        let sorting = Self::new(settings.votes, settings.rule, stop);
        match settings.top {
            Some(items) => sorting.with_top(items),
            None => sorting,
        }
    }

    /// Returns, for each combination of vote counts up to the target number, the minimum number of
    /// additional votes after which the pair can be decided. That many can be asked at once,
    /// because none of them can be superfluous.
    fn min_missing_votes(&self) -> Vec<u32> {
        let mut missing = vec![0; self.decided.len()];
        for total in (0..self.votes).rev() {
            for a in 0..=total {
                for equal in 0..=total - a {
                    let b = total - a - equal;
                    let these = Votes { a, equal, b };
                    let table_index = self.table_index(these);
                    if self.decided[table_index].is_some() {
                        continue;
                    }
                    let least = Preference::ALL.map(|answer| {
                        let mut more = these;
                        more.add(answer);
                        missing[self.table_index(more)]
                    });
                    missing[table_index] =
                        1 + least.into_iter().min().expect("there are three answers");
                }
            }
        }
        missing
    }

    /// Returns the index of a combination of vote counts in the tables `decided` and `missing`. The
    /// sum of the counts must not exceed the target number.
    fn table_index(&self, votes: Votes) -> usize {
        let side = self.votes as usize + 1;
        (votes.a as usize * side + votes.equal as usize) * side + votes.b as usize
    }

    /// Sets the rule that chooses the pivot of a segment.
    #[must_use]
    pub fn with_pivot(self, pivot: PivotRule) -> Self {
        Self { pivot, ..self }
    }

    /// Sorts only the first `items` items of the list.
    #[must_use]
    pub fn with_top(self, items: usize) -> Self {
        Self {
            top: Some(items),
            ..self
        }
    }

    /// Returns the relation of a to b that the votes on them decide, or `None` if the pair needs
    /// more votes.
    fn decide(&self, votes: Votes) -> Option<Relation> {
        if votes.len() > self.votes {
            return Some(self.rule.decide(votes));
        }
        self.decided[self.table_index(votes)]
    }
}

impl SortStrategy {
    /// Returns the sort of this many items before its first question.
    fn start(&self, items: usize, seed: u64) -> SelfOrganisingSort {
        let mut order: Vec<Item> = (0..items).filter_map(Item::from_index).collect();
        shuffle(
            &mut stream(seed, &[stream_id::SORTING_INITIAL_ORDER]),
            &mut order,
        );
        let sort = SelfOrganisingSort::new(&order).with_pivot(self.pivot.clone());
        match self.top {
            Some(top) => sort.with_top(top),
            None => sort,
        }
    }

    /// Runs the sort as far as the votes decide pairs.
    fn run_sort(&self, votes: &ListVotes, seed: u64) -> SelfOrganisingSort {
        let mut sort = self.start(votes.items(), seed);
        loop {
            for (pivot, other) in sort.questions() {
                if let Some(relation) = self.decide(votes.get(other, pivot)) {
                    sort.record(other, pivot, relation);
                }
            }
            if !sort.advance() {
                return sort;
            }
        }
    }
}

impl Strategy for SortStrategy {
    /// Requests the pairs of the sort that are undecided. They do not depend on pending votes,
    /// because a pair is decided only once its votes have arrived.
    fn requests(&self, votes: &ListVotes, _: &[(Item, Item)], seed: u64) -> Vec<PairRequest> {
        let questions = self.run_sort(votes, seed).questions().into_iter();
        let request = |(a, b)| {
            let so_far = votes.get(a, b);
            let votes = so_far.len() + self.missing[self.table_index(so_far)];
            PairRequest { a, b, votes }
        };
        questions.map(request).collect()
    }

    fn list(&self, votes: &ListVotes, seed: u64) -> GroupedList {
        self.run_sort(votes, seed).list()
    }

    fn initial_sort(&self, items: usize, seed: u64) -> Option<SelfOrganisingSort> {
        Some(self.start(items, seed))
    }

    fn decided_relation(&self, votes: Votes) -> Option<Relation> {
        self.decide(votes)
    }

    fn with_prior(&self, places: Vec<usize>) -> Option<Box<dyn Strategy>> {
        Some(Box::new(self.clone().with_pivot(PivotRule::Prior(places))))
    }
}
