//! Construction of a list from the recorded answers to one query.

use partita_core::{GroupedList, Item, QueryPreferences};
use partita_stats::random::{shuffle, stream, stream_id, uniform_index};

use crate::sort::SelfOrganisingSort;
use crate::sort::replay::{SortComparison, SortReplayError, replay_sort};
use crate::votes::decision_rule::DecisionRule;
use crate::votes::pair_votes::{PairVotes, pair_votes};
use crate::votes::relation::Relation;

/// Origin of a list: replay of the recorded sort, or a new sort of the recorded decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// The answers are a record of the self-organising sort, which was replayed.
    Replayed {
        /// True if the record ends before the list is complete.
        unfinished: bool,
    },
    /// The answers are not a record of the sort. The sort was run on the recorded decisions from a
    /// random initial order.
    Resorted {
        /// Reason why the answers are not a record of the sort.
        because: SortReplayError,
        /// Random initial order from which the items were sorted.
        order: Vec<Item>,
        /// Pairs that the sort needed and nobody compared; treated as equal.
        missing: Vec<(Item, Item)>,
    },
}

/// List reconstructed from the answers to one query.
#[derive(Clone, Debug, PartialEq)]
pub struct ReconstructedList {
    /// List of groups of equal items, best first.
    pub list: GroupedList,
    /// All lists consistent with the record of the sort, including the reconstructed one; only that
    /// one if the answers are not such a record.
    pub alternatives: Vec<GroupedList>,
    /// Compared pairs with their votes and the decided relation of a to b.
    pub decisions: Vec<(PairVotes, Relation)>,
    /// Origin of the list: replayed or sorted again.
    pub provenance: Provenance,
}

/// Builds the list of a query from its answers.
///
/// If the batches are a record of the self-organising sort, the sort is replayed. If several lists
/// are consistent with the record, one is drawn. Otherwise the sort is run on the recorded
/// decisions from a random initial order (section 4.2 of Urbano et al. 2010: "we randomized the
/// initial order of incipits"). All draws depend on the seed and on the names of the query and its
/// items, not on the order of the answers in a file. Items of a replayed group are sorted by name.
pub fn build_list(query: &QueryPreferences, rule: DecisionRule, seed: u64) -> ReconstructedList {
    let pairs = pair_votes(query);
    let decisions: Vec<(PairVotes, Relation)> = (pairs.into_iter())
        .map(|pair| (pair, rule.decide(pair.votes)))
        .collect();
    // The replay numbers items in the order of their names.
    let items = query.items().sorted_items();
    let mut numbers = items.clone();
    for (number, item) in query.items().items().zip(&items) {
        numbers[item.index()] = number;
    }
    let mut batches: Vec<Vec<SortComparison>> = Vec::new();
    for &(PairVotes { a, b, batch, .. }, relation) in &decisions {
        if batches.len() <= batch {
            batches.resize(batch + 1, Vec::new());
        }
        let [a, b] = [a, b].map(|item| numbers[item.index()]);
        batches[batch].push(SortComparison { a, b, relation });
    }
    let name = query.name().bytes().map(u64::from);
    let path = |which: u64| -> Vec<u64> { std::iter::once(which).chain(name.clone()).collect() };
    let named = |list: &GroupedList| {
        let item = |number: &Item| items[number.index()];
        GroupedList::new(list.groups().map(|group| group.iter().map(item)))
            .expect("renumbering the items keeps the list valid")
    };
    match replay_sort(items.len(), &batches) {
        Ok(found) => {
            let lists: Vec<GroupedList> = found.lists.iter().map(named).collect();
            let mut random = stream(seed, &path(stream_id::BUILD_ALTERNATIVE));
            let chosen = uniform_index(&mut random, lists.len());
            ReconstructedList {
                list: lists[chosen].clone(),
                alternatives: lists,
                decisions,
                provenance: Provenance::Replayed {
                    unfinished: found.unfinished,
                },
            }
        }
        Err(because) => {
            let mut order = items;
            shuffle(
                &mut stream(seed, &path(stream_id::BUILD_INITIAL_ORDER)),
                &mut order,
            );
            let (list, missing) = sort_by_decisions(&order, &decisions);
            ReconstructedList {
                alternatives: vec![list.clone()],
                list,
                decisions,
                provenance: Provenance::Resorted {
                    because,
                    order,
                    missing,
                },
            }
        }
    }
}

/// Sorts items from the initial order `order` by decisions already made. Returns the list and the
/// pairs that the sort needed without a decision, which are treated as equal.
fn sort_by_decisions(
    order: &[Item],
    decisions: &[(PairVotes, Relation)],
) -> (GroupedList, Vec<(Item, Item)>) {
    let mut sort = SelfOrganisingSort::new(order);
    for (pair, relation) in decisions {
        sort.record(pair.a, pair.b, *relation);
    }
    let mut missing = Vec::new();
    while !sort.is_done() {
        for (pivot, other) in sort.questions() {
            missing.push((pivot, other));
            sort.record(pivot, other, Relation::Equal);
        }
        sort.advance();
    }
    (sort.list(), missing)
}
