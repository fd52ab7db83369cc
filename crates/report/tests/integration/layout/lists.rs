//! Layout of the figure of an audited list.

use proptest::prelude::*;

use super::{assert_well_laid_out, elements, named};
use crate::list_figure::{TestAudit, preference_list_with_intervals};

/// Returns the audit of a list of these items in groups of `group` items. A pair is inconsistent if
/// the indices of its items add up to a multiple of `every`.
fn audit(query: &str, names: &[String], group: usize, every: usize) -> TestAudit {
    let count = names.len();
    let items = names.iter().enumerate().map(|(place, name)| {
        let ranks = (0..place * 7 % 40).map(|i| (1 + (place + i * i) % (count + 3)) as f64);
        (name.as_str(), ranks.collect())
    });
    let ends: Vec<usize> = (1..=count)
        .filter(|end| end % group == 0 || *end == count)
        .collect();
    let pairs = (0..count).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    let (intra, inter): (Vec<_>, Vec<_>) = pairs
        .filter(|(earlier, later)| (earlier + later) % every == 0)
        .partition(|(earlier, later)| earlier / group == later / group);
    TestAudit::new(query, &items.collect::<Vec<_>>(), &ends)
        .with_pairs(&intra, &inter)
        .with_consistency(0.875, 0.9)
}

#[test]
fn lists_of_every_length_are_well_laid_out() {
    for items in [1, 2, 3, 5, 12, 24, 25, 44, 45, 60, 100, 101, 150] {
        let names: Vec<String> = (0..items).map(|i| format!("item {i}")).collect();
        for group in [1, 2, 9, 200] {
            for every in [1, 3, 29, 1000] {
                assert_well_laid_out(&audit("query", &names, group, every).figure());
            }
        }
    }
}

#[test]
fn lists_audited_by_preferences_are_well_laid_out_with_intervals() {
    for items in [3, 18, 40] {
        for name in [
            "item",
            "an item with a name that is much too long for the rows of a list",
        ] {
            let names: Vec<String> = (0..items).map(|i| format!("{name} {i}")).collect();
            assert_well_laid_out(&preference_list_with_intervals(&names));
        }
    }
}

#[test]
fn arcs_stay_outside_the_boxes_of_the_groups() {
    let names: Vec<String> = (0..30).map(|i| format!("item {i}")).collect();
    let figure = audit("query", &names, 4, 1).figure();
    let elements = elements(&figure);
    let boxes = elements.iter().filter(|element| element.is_round);
    let boxes: Vec<_> = boxes.map(|element| element.area).collect();
    let arcs = named(&elements, "path");
    assert_eq!((boxes.len(), arcs.len()), (8, 30 * 29 / 2));
    for (index, area) in boxes.iter().enumerate() {
        assert!(
            arcs.iter()
                .all(|arc| !arc.area.overlaps(&area.enlarged(-0.01)))
        );
        assert!(boxes[..index].iter().all(|other| !other.overlaps(area)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn lists_are_well_laid_out_for_every_name(
        query in "\\PC{0,90}",
        names in proptest::collection::hash_set("\\PC{0,80}", 1..40),
        group in 1_usize..9,
        every in 1_usize..20,
    ) {
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort();
        assert_well_laid_out(&audit(&query, &names, group, every).figure());
    }
}
