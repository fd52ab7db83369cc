//! How consistent a list is with the rankings behind it: ADR-1 and ADR-2.

use crate::data::grouped_list::GroupedList;
use crate::data::names::Item;
use crate::truth::build::item_pair_tests::{ItemPairTests, Tails};

/// The consistency of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Consistency {
    /// The mean over the positions, from 0 to 1.
    pub value: f64,
    /// The share of correct expansions at each position but the last.
    pub per_position: Vec<f64>,
}

/// The consistency of a list with the tests: ADR-1 with [`Tails::One`], ADR-2 with
/// [`Tails::Two`] (Urbano et al. 2010, section 4.1).
///
/// ADR expands a group at each of its positions: every item through the end of the group is
/// expected there. At position p with item d, that is the set A of all items through the end of
/// d's group, except d. Right would be the set C of the items before d and of all later ones, in
/// any group, that are not different from d. The value of the position is |A ∩ C| / |A ∪ C|, or 1
/// where both are empty. At the last position nothing is expanded, and it does not count.
///
/// Items differ for ADR-2 if the two-tailed test rejects, and for ADR-1 if either one-tailed test
/// does; so ADR-1 at alpha is ADR-2 at twice alpha, and it also counts items that are arranged
/// against the test. Two items that cannot be tested are not different: they are in C, as
/// they are for the aggregation functions. A list of fewer than 2 items has no consistency.
///
/// The paper's example follows, in which A and C are not different and D and F are:
///
/// ```
/// use partita_core::{GroupedList, Names};
/// use partita_core::truth::{Alpha, Comparisons, Tails, Verdict, consistency};
///
/// let mut names = Names::new();
/// let groups = [["A", "B"].as_slice(), &["C"], &["D", "E", "F"]];
/// let list = GroupedList::of(&mut names, groups)?;
/// let equal = ["AB", "AC", "DE", "EF"];
/// let tests = Comparisons::by(6, Alpha::TYPKE, |a, b| {
///     let pair = [names.name(a), names.name(b)].concat();
///     let differs = !equal.contains(&pair.as_str());
///     Verdict { less: differs, two_sided: differs, ..Verdict::default() }
/// });
/// let adr_2 = consistency(&list, &tests, Tails::Two).unwrap();
/// assert_eq!(adr_2.per_position, [0.5, 1.0, 1.0, 0.8, 1.0]);
/// assert_eq!(adr_2.value, 0.86);
/// # Ok::<(), partita_core::GroupedListError>(())
/// ```
///
/// # Panics
/// If the list holds an item that was not tested.
pub fn consistency(list: &GroupedList, tests: &ItemPairTests, tails: Tails) -> Option<Consistency> {
    let items = list.items();
    if items.len() < 2 {
        return None;
    }
    let mut per_position = Vec::with_capacity(items.len() - 1);
    for &end in list.group_ends() {
        for place in per_position.len()..end.min(items.len() - 1) {
            per_position.push(correct_expansion(items, place, end, tests, tails));
        }
    }
    let value = per_position.iter().sum::<f64>() / per_position.len() as f64;
    Some(Consistency {
        value,
        per_position,
    })
}

/// The share of correct expansions of the item at a place (from 0) whose group ends before `end`.
fn correct_expansion(
    items: &[Item],
    place: usize,
    end: usize,
    tests: &ItemPairTests,
    tails: Tails,
) -> f64 {
    let pivot = items[place];
    let equal = |later: &&Item| !tests.verdict(pivot, **later).differs(tails);
    let expanded = items[place + 1..end].iter().filter(equal).count();
    let missed = items[end..].iter().filter(equal).count();
    let (common, union) = (place + expanded, end - 1 + missed);
    if union == 0 {
        1.0
    } else {
        common as f64 / union as f64
    }
}
