//! Consistency of a list with the rankings behind it: ADR-1 and ADR-2.

use crate::data::grouped_list::GroupedList;
use crate::data::names::Item;
use crate::truth::build::item_pair_tests::{ItemPairTests, Tails};

/// Consistency of a list with the tests of its item pairs, overall and by position.
#[derive(Clone, Debug, PartialEq)]
pub struct Consistency {
    /// Mean of the values of the positions, from 0 to 1: ADR-1 or ADR-2.
    pub value: f64,
    /// Value of each position except the last: overlap |A ∩ C| / |A ∪ C| of the items A that the
    /// list allows there and the items C that the tests allow (see [`consistency()`]).
    pub per_position: Vec<f64>,
}

/// Computes the consistency of a list with the tests: ADR-1 with [`Tails::One`], ADR-2 with
/// [`Tails::Two`] (Urbano et al. 2010, section 4.1). Returns `None` for a list of fewer than 2
/// items.
///
/// ADR expands a group at each of its positions: every item through the end of the group is
/// expected there. At position p with item d, the expanded set A holds all items through the end of
/// d's group, except d. The correct set C holds the items before d and all later items, in any
/// group, that do not differ from d. The value of the position is |A ∩ C| / |A ∪ C|, or 1 if both
/// are empty. The last position expands nothing and does not count.
///
/// Items differ for ADR-2 if the two-tailed test rejects, and for ADR-1 if either one-tailed test
/// does. So ADR-1 at alpha is ADR-2 at twice alpha. Items differ even if the list has them in the
/// order opposite to the test. Two items that cannot be tested do not differ, as for the
/// aggregation functions, so the later one is in C.
///
/// The example of Urbano et al. (2010), in which A and C do not differ and D and F do:
///
/// ```
/// use partita_core::{GroupedList, Names};
/// use partita_core::truth::{Alpha, ItemPairTests, ItemPairVerdict, Tails, consistency};
///
/// let mut names = Names::new();
/// let groups = [["A", "B"].as_slice(), &["C"], &["D", "E", "F"]];
/// let list = GroupedList::from_names(&mut names, groups)?;
/// let equal = ["AB", "AC", "DE", "EF"];
/// let tests = ItemPairTests::from_fn(6, Alpha::TYPKE, |a, b| {
///     let pair = [names.name(a), names.name(b)].concat();
///     let differs = !equal.contains(&pair.as_str());
///     ItemPairVerdict { less: differs, two_sided: differs, ..ItemPairVerdict::default() }
/// });
/// let adr_2 = consistency(&list, &tests, Tails::Two).unwrap();
/// assert_eq!(adr_2.per_position, [0.5, 1.0, 1.0, 0.8, 1.0]);
/// assert_eq!(adr_2.value, 0.86);
/// # Ok::<(), partita_core::GroupedListError>(())
/// ```
///
/// # Panics
/// Panics if the list holds an item that was not tested.
pub fn consistency(list: &GroupedList, tests: &ItemPairTests, tails: Tails) -> Option<Consistency> {
    let items = list.items();
    if items.len() < 2 {
        return None;
    }
    let mut per_position = Vec::with_capacity(items.len() - 1);
    for &end in list.group_ends() {
        for index in per_position.len()..end.min(items.len() - 1) {
            per_position.push(position_consistency(items, index, end, tests, tails));
        }
    }
    let value = per_position.iter().sum::<f64>() / per_position.len() as f64;
    Some(Consistency {
        value,
        per_position,
    })
}

/// Returns the consistency value |A ∩ C| / |A ∪ C| of the item at `index` (see [`consistency()`]).
/// `end` is the end of the item's group.
fn position_consistency(
    items: &[Item],
    index: usize,
    end: usize,
    tests: &ItemPairTests,
    tails: Tails,
) -> f64 {
    let pivot = items[index];
    let equal = |later: &&Item| !tests.verdict(pivot, **later).differs(tails);
    let expanded = items[index + 1..end].iter().filter(equal).count();
    let missed = items[end..].iter().filter(equal).count();
    let (common, union) = (index + expanded, end - 1 + missed);
    if union == 0 {
        1.0
    } else {
        common as f64 / union as f64
    }
}
