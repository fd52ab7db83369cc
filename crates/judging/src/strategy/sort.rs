//! The self-organising sort of the paper, with all votes or with fewer.

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

/// The self-organising sort (Urbano et al. 2010): each pair is asked until its votes are enough, and
/// decided by a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct SortStrategy {
    votes: u32,
    rule: DecisionRule,
    pivot: PivotRule,
    top: Option<usize>,
    /// What the votes say if they are enough, for all votes up to the number wanted.
    decided: Vec<Option<Relation>>,
    /// How many more votes it takes at least until they can be enough.
    missing: Vec<u32>,
}

impl Default for SortStrategy {
    /// Ten votes, the exact Mann-Whitney test at 0.25, as in the paper.
    fn default() -> Self {
        Self::new(10, DecisionRule::default(), StoppingRule::AllVotes)
    }
}

impl SortStrategy {
    /// The sort that asks for so many votes on a pair, or fewer where it may stop, and decides it by
    /// this rule.
    pub fn new(votes: u32, rule: DecisionRule, stop: StoppingRule) -> Self {
        let mut sorting = Self {
            votes,
            rule,
            pivot: PivotRule::Last,
            top: None,
            decided: Vec::new(),
            missing: Vec::new(),
        };
        // The outcome of all votes, once for each: the rules are slow beside all that asks for it.
        let mut outcomes = HashMap::new();
        let mut rule = |all: Votes| *outcomes.entry(all).or_insert_with(|| rule.decide(all));
        let side = votes + 1;
        for place in 0..side.pow(3) {
            let these = Votes {
                a: place / side / side,
                equal: place / side % side,
                b: place % side,
            };
            let wanted = these.len() <= votes;
            let enough = wanted.then(|| stop.decide_by(these, votes, &mut rule));
            sorting.decided.push(enough.flatten());
        }
        sorting.missing = sorting.least_missing();
        sorting
    }

    /// The sort with these settings.
    pub(super) fn from_options(settings: &StrategyOptions, stop: StoppingRule) -> Self {
        let sorting = Self::new(settings.votes, settings.rule, stop);
        match settings.top {
            Some(items) => sorting.with_top(items),
            None => sorting,
        }
    }

    /// For all votes up to the number wanted, how many more it takes at least until they can be
    /// enough. That many can be asked at once: not one of them can turn out to be one too many.
    fn least_missing(&self) -> Vec<u32> {
        let mut missing = vec![0; self.decided.len()];
        for total in (0..self.votes).rev() {
            for a in 0..=total {
                for equal in 0..=total - a {
                    let b = total - a - equal;
                    let these = Votes { a, equal, b };
                    let place = self.place(these);
                    if self.decided[place].is_some() {
                        continue;
                    }
                    let least = Preference::ALL.map(|answer| {
                        let mut more = these;
                        more.add(answer);
                        missing[self.place(more)]
                    });
                    missing[place] = 1 + least.into_iter().min().expect("one of three");
                }
            }
        }
        missing
    }

    /// Where votes up to the number wanted are kept.
    fn place(&self, votes: Votes) -> usize {
        let side = self.votes as usize + 1;
        (votes.a as usize * side + votes.equal as usize) * side + votes.b as usize
    }

    /// The same sort with other pivots.
    #[must_use]
    pub fn with_pivot(self, pivot: PivotRule) -> Self {
        Self { pivot, ..self }
    }

    /// The same sort that settles so many items at the head of the list only.
    #[must_use]
    pub fn with_top(self, items: usize) -> Self {
        Self {
            top: Some(items),
            ..self
        }
    }

    /// How a relates to b if the votes are enough.
    fn decide(&self, votes: Votes) -> Option<Relation> {
        if votes.len() > self.votes {
            return Some(self.rule.decide(votes));
        }
        self.decided[self.place(votes)]
    }
}

impl SortStrategy {
    /// The sort as far as the votes carry it.
    fn run_sort(&self, votes: &ListVotes, seed: u64) -> SelfOrganisingSort {
        let mut order: Vec<Item> = (0..votes.items()).filter_map(Item::from_index).collect();
        shuffle(
            &mut stream(seed, &[stream_id::SORTING_INITIAL_ORDER]),
            &mut order,
        );
        let mut sort = SelfOrganisingSort::new(&order).with_pivot(self.pivot.clone());
        if let Some(top) = self.top {
            sort = sort.with_top(top);
        }
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
    /// What the sort wants to know of a pair does not depend on what is out: it is known once all
    /// its votes are there.
    fn requests(&self, votes: &ListVotes, _: &[(Item, Item)], seed: u64) -> Vec<PairRequest> {
        let questions = self.run_sort(votes, seed).questions().into_iter();
        let request = |(a, b)| {
            let so_far = votes.get(a, b);
            let votes = so_far.len() + self.missing[self.place(so_far)];
            PairRequest { a, b, votes }
        };
        questions.map(request).collect()
    }

    fn list(&self, votes: &ListVotes, seed: u64) -> GroupedList {
        self.run_sort(votes, seed).list()
    }

    fn decided_relation(&self, votes: Votes) -> Option<Relation> {
        self.decide(votes)
    }

    fn with_prior(&self, places: Vec<usize>) -> Option<Box<dyn Strategy>> {
        Some(Box::new(self.clone().with_pivot(PivotRule::Prior(places))))
    }
}
