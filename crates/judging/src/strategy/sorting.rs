//! The self-organising sort of the paper, with all votes or with fewer.

use partita_core::{GroupedList, Item};
use partita_stats::streams::{shuffle, stream};

use super::{Request, Strategy};
use crate::decision::Rule;
use crate::list_votes::ListVotes;
use crate::relation::Relation;
use crate::sort::{Pivot, SelfOrganisingSort};
use crate::stop::Stop;
use crate::votes::Votes;

/// The self-organising sort (Urbano et al. 2010): each pair is asked until its votes are enough, and
/// decided by a rule.
///
/// ```
/// use partita_core::{Answer, Item};
/// use partita_judging::{ListVotes, Sorting, Strategy};
///
/// let sorting = Sorting::default();
/// let mut votes = ListVotes::new(5);
/// let mut asked = 0;
/// loop {
///     let requests = sorting.requests(&votes, 1);
///     if requests.is_empty() { break }
///     for request in requests {
///         // Everybody prefers the item with the lower number.
///         let answer = if request.a < request.b { Answer::A } else { Answer::B };
///         while votes.of(request.a, request.b).len() < request.votes {
///             votes.add(request.a, request.b, answer);
///             asked += 1;
///         }
///     }
/// }
/// let list = sorting.list(&votes, 1);
/// assert_eq!(list.items(), (0..5).filter_map(Item::at).collect::<Vec<_>>());
/// assert!(asked <= 100); // at most 10 votes on each of 10 pairs
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sorting {
    votes: u32,
    rule: Rule,
    stop: Stop,
    pivot: Pivot,
    top: Option<usize>,
    /// What the votes say if they are enough, for all votes up to the number wanted.
    decided: Vec<Option<Relation>>,
}

impl Default for Sorting {
    /// Ten votes, the exact Mann-Whitney test at 0.25, as in the paper.
    fn default() -> Self {
        Self::new(10, Rule::default(), Stop::Full)
    }
}

impl Sorting {
    /// The sort that asks for so many votes on a pair, or fewer where it may stop, and decides it by
    /// this rule.
    pub fn new(votes: u32, rule: Rule, stop: Stop) -> Self {
        let mut sorting = Self {
            votes,
            rule,
            stop,
            pivot: Pivot::Last,
            top: None,
            decided: Vec::new(),
        };
        let side = 0..=votes;
        for a in side.clone() {
            for equal in side.clone() {
                for b in side.clone() {
                    let these = Votes { a, equal, b };
                    let enough = match these.len() <= votes {
                        true => stop.decide(these, votes, rule),
                        false => None,
                    };
                    sorting.decided.push(enough);
                }
            }
        }
        sorting
    }

    /// The same sort with other pivots.
    #[must_use]
    pub fn with_pivot(self, pivot: Pivot) -> Self {
        Self { pivot, ..self }
    }

    /// The same sort that settles so many items at the head of the list only.
    #[must_use]
    pub fn only_top(self, items: usize) -> Self {
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
        let side = self.votes as usize + 1;
        let place = (votes.a as usize * side + votes.equal as usize) * side + votes.b as usize;
        self.decided[place]
    }
}

/// The random stream of the initial order.
const INITIAL_ORDER: u64 = 0x004_003;

impl Sorting {
    /// The sort as far as the votes carry it.
    fn sorted(&self, votes: &ListVotes, seed: u64) -> SelfOrganisingSort {
        let mut order: Vec<Item> = (0..votes.items()).filter_map(Item::at).collect();
        shuffle(&mut stream(seed, &[INITIAL_ORDER]), &mut order);
        let mut sort = SelfOrganisingSort::new(&order).with_pivot(self.pivot.clone());
        if let Some(top) = self.top {
            sort = sort.only_top(top);
        }
        loop {
            for (pivot, other) in sort.questions() {
                if let Some(relation) = self.decide(votes.of(other, pivot)) {
                    sort.tell(other, pivot, relation);
                }
            }
            if !sort.advance() {
                return sort;
            }
        }
    }
}

impl Strategy for Sorting {
    fn name(&self) -> &'static str {
        match self.stop {
            Stop::Full => "sort",
            Stop::Curtailed => "sort-curtailed",
            Stop::Predictive(_) => "sort-predictive",
        }
    }

    fn requests(&self, votes: &ListVotes, seed: u64) -> Vec<Request> {
        let questions = self.sorted(votes, seed).questions().into_iter();
        let request = |(a, b)| {
            let votes = match self.stop {
                Stop::Full => self.votes,
                // One more at a time, since each may be the last.
                _ => votes.of(a, b).len() + 1,
            };
            Request { a, b, votes }
        };
        questions.map(request).collect()
    }

    fn list(&self, votes: &ListVotes, seed: u64) -> GroupedList {
        self.sorted(votes, seed).list()
    }
}
