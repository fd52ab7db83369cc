//! From an arranged order to a partially ordered list.

use super::aggregation::{Aggregation, GroupingRationale};
use super::item_pair_tests::ItemPairVerdict;
use super::rank_evidence::RankEvidence;
use crate::data::grouped_list::GroupedList;
use crate::data::names::Item;
use crate::significance::alpha::Alpha;

/// A list built from rankings, and how every choice fell.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregatedList {
    /// The list, in the numbers of the rankings' items. Inside a group the arranged order is kept.
    pub list: GroupedList,
    /// The function that grouped it.
    pub aggregation: Aggregation,
    /// The level of its tests.
    pub alpha: Alpha,
    /// One choice for each item, in the order of the list.
    pub choices: Vec<GroupingDecision>,
    /// Items that nobody ranked, which have no place in the list.
    pub left_out: Vec<Item>,
}

/// Where one item went, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupingDecision {
    /// The item.
    pub item: Item,
    /// The items it was tested against, with the verdict on each of them against it.
    pub tests: Vec<(Item, ItemPairVerdict)>,
    /// What followed.
    pub outcome: GroupingOutcome,
    /// The first item that it differs from, if one of the group was enough.
    pub differs_from: Option<Item>,
}

partita_named::named_enum! {
    /// What an aggregation function did with an item.
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
    /// Whether the item opened a group.
    pub fn opens_group(self) -> bool {
        self != Self::Joined
    }
}

impl RankEvidence {
    /// The list that an aggregation function makes of this evidence.
    ///
    /// The items are put in order by [`arrange`](super::arrangement()), and read from the first to the
    /// last; each joins the current group or opens the next (Urbano et al. 2010, sections 2 and 4).
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

    /// The list alone, without a record of the choices.
    pub fn list(&self, aggregation: Aggregation) -> GroupedList {
        group_by_verdicts(self.arrangement(), aggregation, |a, b| {
            self.pair_tests().verdict(a, b)
        })
    }
}

/// The list alone, by verdicts that are asked for only where they matter.
pub(crate) fn group_by_verdicts(
    arranged: &[Item],
    aggregation: Aggregation,
    mut verdict: impl FnMut(Item, Item) -> ItemPairVerdict,
) -> GroupedList {
    group(arranged, |group, item| {
        let mut separates = |&earlier: &Item| aggregation.separates(verdict(earlier, item));
        let mut earlier = test_partners(group, aggregation.rationale()).iter();
        match aggregation.rationale() {
            // From the end, where an item that does not differ is likeliest.
            GroupingRationale::All => earlier.rev().all(&mut separates),
            // From the beginning, where one that differs is.
            GroupingRationale::Any | GroupingRationale::Prev => earlier.any(&mut separates),
        }
    })
}

/// The members of the current group that an item is tested against.
fn test_partners(group: &[Item], rationale: GroupingRationale) -> &[Item] {
    match rationale {
        GroupingRationale::All | GroupingRationale::Any => group,
        GroupingRationale::Prev => &group[group.len().saturating_sub(1)..],
    }
}

/// Reads the items in order; `opens` says whether the next one opens a group after the current
/// one. That is empty at the beginning, and the answer is then not heeded.
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
