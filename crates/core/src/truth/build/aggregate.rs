//! Grouping of arranged items into a partially ordered list.

use super::aggregation::{Aggregation, GroupingRationale};
use super::item_pair_tests::ItemPairVerdict;
use super::rank_evidence::RankEvidence;
use crate::data::grouped_list::GroupedList;
use crate::data::names::Item;
use crate::significance::alpha::Alpha;

/// List built from rankings, with the decision for every item.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregatedList {
    /// The list, in the item numbers of the rankings. Each group keeps the arranged order.
    pub list: GroupedList,
    /// Function that grouped the items.
    pub aggregation: Aggregation,
    /// Significance level of its tests.
    pub alpha: Alpha,
    /// Decision for each item, in the order of the list.
    pub choices: Vec<GroupingDecision>,
    /// Items that nobody ranked; they are not in the list.
    pub left_out: Vec<Item>,
}

/// Decision for one item, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupingDecision {
    /// The item.
    pub item: Item,
    /// Items that it was tested against, with the verdict on each of them against it.
    pub tests: Vec<(Item, ItemPairVerdict)>,
    /// Result of the decision.
    pub outcome: GroupingOutcome,
    /// First item that it differs from, if one difference was enough.
    pub differs_from: Option<Item>,
}

partita_named::named_enum! {
    /// Result of the decision of an aggregation function for an item.
    pub enum GroupingOutcome: "outcome" {
        /// It stands first, and so opens the first group
        First = "first",
        /// It joined the current group
        Joined = "joined",
        /// It opened a group because it differs from every item of the one before
        DiffersFromAll = "differs-from-all",
        /// It opened a group because it differs from an item of the one before
        DiffersFromOne = "differs-from-one",
        /// It opened a group because it differs from the item just before
        DiffersFromPrevious = "differs-from-previous",
    }
}

impl GroupingOutcome {
    /// Returns true if the item opened a group.
    pub fn opens_group(self) -> bool {
        self != Self::Joined
    }
}

impl RankEvidence {
    /// Builds the list of this evidence by an aggregation function.
    ///
    /// The items are ordered by [`arrange`](super::arrangement::arrange) and processed from first
    /// to last; each joins the current group or opens the next (Urbano et al. 2010, sections 2 and
    /// 4).
    pub fn aggregate(&self, aggregation: Aggregation) -> AggregatedList {
        let mut choices = Vec::with_capacity(self.arrangement().len());
        let list = group(self.arrangement(), |group, item| {
            let tests: Vec<(Item, ItemPairVerdict)> = test_partners(group, aggregation.rationale())
                .iter()
                .map(|&earlier| (earlier, self.pair_tests().verdict(earlier, item)))
                .collect();
            let (outcome, differs_from) = outcome(aggregation, &tests);
            choices.push(GroupingDecision {
                item,
                tests,
                outcome,
                differs_from,
            });
            outcome.opens_group()
        });
        AggregatedList {
            list,
            aggregation,
            alpha: self.pair_tests().alpha(),
            choices,
            left_out: self.unranked_items(),
        }
    }

    /// Builds the list without recording the decisions.
    pub fn list(&self, aggregation: Aggregation) -> GroupedList {
        group_by_verdicts(self.arrangement(), aggregation, |a, b| {
            self.pair_tests().verdict(a, b)
        })
    }
}

/// Builds the list without recording the decisions. `verdict` is called only for pairs that
/// matter.
pub(crate) fn group_by_verdicts(
    arranged: &[Item],
    aggregation: Aggregation,
    mut verdict: impl FnMut(Item, Item) -> ItemPairVerdict,
) -> GroupedList {
    group(arranged, |group, item| {
        let mut separates = |&earlier: &Item| aggregation.separates(verdict(earlier, item));
        let mut earlier = test_partners(group, aggregation.rationale()).iter();
        match aggregation.rationale() {
            // Backward: an item that does not differ is most likely at the end.
            GroupingRationale::All => earlier.rev().all(&mut separates),
            // Forward: an item that differs is most likely at the beginning.
            GroupingRationale::Any | GroupingRationale::Prev => earlier.any(&mut separates),
        }
    })
}

/// Returns the members of the current group that an item is tested against.
fn test_partners(group: &[Item], rationale: GroupingRationale) -> &[Item] {
    match rationale {
        GroupingRationale::All | GroupingRationale::Any => group,
        GroupingRationale::Prev => &group[group.len().saturating_sub(1)..],
    }
}

/// Groups the items in order. `opens(group, item)` returns true if `item` starts a new group after
/// `group`. For the first item `group` is empty and the result is ignored.
fn group(arranged: &[Item], mut opens: impl FnMut(&[Item], Item) -> bool) -> GroupedList {
    let mut ends = Vec::new();
    let mut start = 0;
    for (place, &item) in arranged.iter().enumerate() {
        if opens(&arranged[start..place], item) && place > 0 {
            ends.push(place);
            start = place;
        }
    }
    if !arranged.is_empty() {
        ends.push(arranged.len());
    }
    GroupedList::from_valid(arranged.to_vec(), ends)
}

fn outcome(
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
