//! Quality of a list by a reference list.

use partita_core::measure::average_dynamic_recall;
use partita_core::{GroupedList, Names, QueryTruth, Ranking};

use super::reference::ReferenceList;
use crate::votes::relation::group_numbers;

/// Quality of a list by a reference list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ListQuality {
    /// Share of item pairs in the wrong order, among the pairs of different worth in the reference.
    /// Pairs within one group of the list count one half, unless the order within groups is
    /// meaningful.
    pub inversions: f64,
    /// Share of item pairs whose groups are in the wrong order, among the pairs of different worth
    /// in the reference. Pairs within one group of the list count 0.
    pub strict_inversions: f64,
    /// Average dynamic recall (ADR) of the list, scored as a search result against the reference
    /// groups and averaged over all orders within the list's own groups.
    pub adr: f64,
    /// Share of item pairs whose relation in the list (less, equal or greater) is the same as in
    /// the reference groups.
    pub relations: f64,
    /// Number of groups of the list.
    pub groups: f64,
}

/// Computes the quality of a list by a reference list. `ordered` is true if the order within the
/// list's groups is meaningful.
pub fn list_quality(list: &GroupedList, ordered: bool, reference: &ReferenceList) -> ListQuality {
    let n = reference.worths.len();
    let place = group_numbers(list, n);
    let truth = group_numbers(&reference.groups, n);
    let mut inside = vec![0; n];
    for (at, item) in list.items().iter().enumerate() {
        inside[item.index()] = at;
    }
    let (mut inverted, mut strictly, mut ordered_pairs) = (0.0, 0.0, 0.0);
    let (mut right, mut pairs) = (0.0, 0.0);
    for a in 0..n {
        for b in 0..a {
            pairs += 1.0;
            right += f64::from(u8::from(place[a].cmp(&place[b]) == truth[a].cmp(&truth[b])));
            let apart = reference.worths[a] - reference.worths[b];
            // Worths that should be equal may differ by rounding.
            if apart.abs() < 1e-6 {
                continue;
            }
            let (better, worse) = if apart > 0.0 { (a, b) } else { (b, a) };
            ordered_pairs += 1.0;
            if place[better] > place[worse] {
                strictly += 1.0;
                inverted += 1.0;
            } else if place[better] == place[worse] {
                inverted += if ordered {
                    f64::from(u8::from(inside[better] > inside[worse]))
                } else {
                    0.5
                };
            }
        }
    }
    let share = |count: f64| count / f64::max(ordered_pairs, 1.0);
    ListQuality {
        inversions: share(inverted),
        strict_inversions: share(strictly),
        adr: adr(list, &reference.groups, n),
        relations: if pairs > 0.0 { right / pairs } else { 1.0 },
        groups: list.group_count() as f64,
    }
}

/// Returns the average dynamic recall (ADR) of a list, scored as a search result against the groups
/// of a reference and averaged over all orders within the list's own groups.
fn adr(list: &GroupedList, truth: &GroupedList, items: usize) -> f64 {
    let mut names = Names::new();
    for item in 0..items {
        names.intern(&item.to_string());
    }
    let truth = QueryTruth::from_list(names, truth.clone());
    let truth = truth.expect("the reference has the items of the list");
    let groups = list.groups().map(|group| {
        let group = group.iter();
        group.map(|&item| truth.names().name(item))
    });
    let result = Ranking::from_name_groups(truth.names(), groups);
    average_dynamic_recall(&truth, &result).unwrap_or(f64::NAN)
}
