//! The six aggregation functions, which group arranged items into a partially ordered list.

use super::item_pair_tests::{ItemPairVerdict, Tails};
use super::rank_evidence::RankEvidence;
use crate::data::grouped_list::GroupedList;
use crate::data::names::Item;

/// Rationale of an aggregation function: the earlier items that the next item must differ from to
/// open a new group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupingRationale {
    /// Every item of the current group, which lets groups grow large.
    All,
    /// Any item of the current group, which keeps groups small.
    Any,
    /// The immediately preceding item.
    Prev,
}

partita_named::named_enum! {
    /// Aggregation function: a rationale and a test (Urbano et al. 2010, section 4).
    ///
    /// The two-tailed functions test if the ranks of two items differ. The one-tailed functions
    /// only test if the ranks of the earlier item are smaller, because the list is arranged. A
    /// rejection in the other direction does not separate two items, but counts as an inconsistency
    /// of the list.
    ///
    /// ```
    /// use partita_core::truth::{Aggregation, GroupingRationale, Tails};
    ///
    /// let original: Aggregation = "All-2".parse()?;
    /// assert_eq!((original.rationale(), original.tails()), (GroupingRationale::All, Tails::Two));
    /// assert_eq!(original.to_string(), "all-2");
    /// # Ok::<(), partita_named::UnknownNameError>(())
    /// ```
    pub enum Aggregation: "aggregation function" = Any1 {
        /// Differs from all items of the group, 2-tailed: the original lists of Typke et al. (2005)
        All2 = "all-2",
        /// Differs from any item of the group, 2-tailed
        Any2 = "any-2",
        /// Differs from the item just before, 2-tailed
        Prev2 = "prev-2",
        /// Differs from all items of the group, 1-tailed
        All1 = "all-1",
        /// Differs from any item of the group, 1-tailed: the most consistent lists
        Any1 = "any-1",
        /// Differs from the item just before, 1-tailed
        Prev1 = "prev-1",
    }
}

impl Aggregation {
    /// The six aggregation functions in the order of the tables of Urbano et al. (2010); the
    /// original function, All-2, is first.
    pub const ALL_FUNCTIONS: [Self; 6] = [
        Self::All2,
        Self::Any2,
        Self::Prev2,
        Self::All1,
        Self::Any1,
        Self::Prev1,
    ];

    /// Returns the rationale of the function: the earlier items that an item must differ from.
    pub fn rationale(self) -> GroupingRationale {
        match self {
            Self::All1 | Self::All2 => GroupingRationale::All,
            Self::Any1 | Self::Any2 => GroupingRationale::Any,
            Self::Prev1 | Self::Prev2 => GroupingRationale::Prev,
        }
    }

    /// Returns the number of tails of the tests that the function uses.
    pub fn tails(self) -> Tails {
        match self {
            Self::All1 | Self::Any1 | Self::Prev1 => Tails::One,
            Self::All2 | Self::Any2 | Self::Prev2 => Tails::Two,
        }
    }

    /// Returns true if this verdict on an earlier item against a later one puts them into different
    /// groups.
    pub fn separates(self, verdict: ItemPairVerdict) -> bool {
        match self.tails() {
            Tails::One => verdict.less,
            Tails::Two => verdict.two_sided,
        }
    }
}

/// List built from rankings, with the decision for every item.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregatedList {
    /// The list, in the item numbers of the rankings. Items of a group are sorted by median rank,
    /// then by mean rank, then by name.
    pub list: GroupedList,
    /// Decision to join a group or open one for each item, in the order of the list.
    pub decisions: Vec<GroupingDecision>,
    /// Items without any given or imputed rank; they are not in the list.
    pub left_out: Vec<Item>,
}

/// Decision to put one item into the current group or into a new one, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupingDecision {
    /// Item that is placed.
    pub item: Item,
    /// Earlier items that this item was tested against, each with the verdict on the earlier item
    /// against this one.
    pub tests: Vec<(Item, ItemPairVerdict)>,
    /// Result of the decision: the item joined the current group or opened a new one.
    pub outcome: GroupingOutcome,
    /// First earlier item that this item differs from, if the outcome is
    /// [`GroupingOutcome::DiffersFromOne`].
    pub differs_from: Option<Item>,
}

partita_named::named_enum! {
    /// Result of the decision of an aggregation function for an item.
    pub enum GroupingOutcome: "outcome" {
        /// The item is the first one and opens the first group
        First = "first",
        /// The item joined the current group
        Joined = "joined",
        /// The item opened a group because it differs from every item of the group before
        DiffersFromAll = "differs-from-all",
        /// The item opened a group because it differs from an item of the group before
        DiffersFromOne = "differs-from-one",
        /// The item opened a group because it differs from the item just before
        DiffersFromPrevious = "differs-from-previous",
    }
}

impl GroupingOutcome {
    /// Returns true if the item opened a new group.
    pub fn opens_group(self) -> bool {
        self != Self::Joined
    }
}

impl RankEvidence {
    /// Builds the list from this evidence with an aggregation function.
    ///
    /// The items are ordered by [`arrange`](super::arrangement::arrange) and processed from first
    /// to last; each joins the current group or opens the next (Urbano et al. 2010, sections 2 and
    /// 4).
    pub fn aggregate(&self, aggregation: Aggregation) -> AggregatedList {
        let mut decisions = Vec::with_capacity(self.arrangement().len());
        let list = group_arranged(self.arrangement(), |group, item| {
            let tests: Vec<(Item, ItemPairVerdict)> = test_partners(group, aggregation.rationale())
                .iter()
                .map(|&earlier| (earlier, self.pair_tests().verdict(earlier, item)))
                .collect();
            let (outcome, differs_from) = grouping_outcome(aggregation, &tests);
            decisions.push(GroupingDecision {
                item,
                tests,
                outcome,
                differs_from,
            });
            outcome.opens_group()
        });
        AggregatedList {
            list,
            decisions,
            left_out: self.unranked_items(),
        }
    }

    /// Builds the list with an aggregation function, without recording the decision for each item.
    pub fn list(&self, aggregation: Aggregation) -> GroupedList {
        group_by_verdicts(self.arrangement(), aggregation, |a, b| {
            self.pair_tests().verdict(a, b)
        })
    }
}

/// Builds the list from items in order of their ranks, without recording the decision for each
/// item. `verdict` is called only for pairs of items that affect the result.
pub(crate) fn group_by_verdicts(
    arranged: &[Item],
    aggregation: Aggregation,
    mut verdict: impl FnMut(Item, Item) -> ItemPairVerdict,
) -> GroupedList {
    group_arranged(arranged, |group, item| {
        let mut separates = |&earlier: &Item| aggregation.separates(verdict(earlier, item));
        let mut earlier = test_partners(group, aggregation.rationale()).iter();
        match aggregation.rationale() {
            // Search backward: a member that does not differ, which ends the search, is most likely
            // near the end of the group.
            GroupingRationale::All => earlier.rev().all(&mut separates),
            // Search forward: a member that differs, which ends the search, is most likely near the
            // start of the group.
            GroupingRationale::Any | GroupingRationale::Prev => earlier.any(&mut separates),
        }
    })
}

/// Returns the members of the current group that the next item is tested against.
fn test_partners(group: &[Item], rationale: GroupingRationale) -> &[Item] {
    match rationale {
        GroupingRationale::All | GroupingRationale::Any => group,
        GroupingRationale::Prev => &group[group.len().saturating_sub(1)..],
    }
}

/// Splits items, in the given order, into groups. `opens(group, item)` returns true if `item`
/// starts a new group after `group`. For the first item `group` is empty and the result is ignored.
fn group_arranged(arranged: &[Item], mut opens: impl FnMut(&[Item], Item) -> bool) -> GroupedList {
    let mut ends = Vec::new();
    let mut start = 0;
    for (index, &item) in arranged.iter().enumerate() {
        if opens(&arranged[start..index], item) && index > 0 {
            ends.push(index);
            start = index;
        }
    }
    if !arranged.is_empty() {
        ends.push(arranged.len());
    }
    GroupedList::from_valid(arranged.to_vec(), ends)
}

/// Returns the outcome of the decision for an item with these tests, and the first earlier item
/// that it differs from if that item decided the outcome.
fn grouping_outcome(
    aggregation: Aggregation,
    tests: &[(Item, ItemPairVerdict)],
) -> (GroupingOutcome, Option<Item>) {
    let separates = |&&(_, verdict): &&(Item, ItemPairVerdict)| aggregation.separates(verdict);
    let first = tests.iter().find(separates).map(|&(item, _)| item);
    let outcome = match (aggregation.rationale(), first) {
        _ if tests.is_empty() => GroupingOutcome::First,
        (GroupingRationale::All, _) if tests.iter().all(|test| separates(&test)) => {
            GroupingOutcome::DiffersFromAll
        }
        (GroupingRationale::All, _) | (_, None) => GroupingOutcome::Joined,
        (GroupingRationale::Any, Some(_)) => GroupingOutcome::DiffersFromOne,
        (GroupingRationale::Prev, Some(_)) => GroupingOutcome::DiffersFromPrevious,
    };
    (
        outcome,
        first.filter(|_| outcome == GroupingOutcome::DiffersFromOne),
    )
}
