//! The figure of a list.

use proptest::prelude::*;

use super::super::scene::Shape;
use super::super::{ListAudit, ListItem, list_figure};
use super::{assert_well_laid_out, extent_of_shape, shapes_within};

/// A list of items with these names, in groups of `group`; every pair of which
/// the numbers add up to a multiple of `every` is inconsistent.
fn audit(query: &str, names: &[String], group: usize, every: usize) -> ListAudit {
    let count = names.len();
    let items = names.iter().enumerate().map(|(place, name)| {
        let ranks = (0..place * 7 % 40).map(|i| (1 + (place + i * i) % (count + 3)) as f64);
        ListItem::new(name, ranks.collect()).unwrap()
    });
    let ends = (1..=count).filter(|end| end % group == 0 || *end == count);
    let pairs = (0..count).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    let (intra, inter) = pairs
        .filter(|(earlier, later)| (earlier + later) % every == 0)
        .partition(|(earlier, later)| earlier / group == later / group);
    ListAudit::new(query, items.collect(), ends.collect())
        .and_then(|audit| audit.with_inconsistent_pairs(intra, inter))
        .and_then(|audit| audit.with_consistency(0.875, 0.9))
        .unwrap()
}

#[test]
fn lists_of_every_length_are_well_laid_out() {
    for items in [1, 2, 3, 5, 12, 24, 25, 44, 45, 60, 100, 101, 150] {
        let names: Vec<String> = (0..items).map(|i| format!("item {i}")).collect();
        for group in [1, 2, 9, 200] {
            for every in [1, 3, 29, 1000] {
                let audit = audit("query", &names, group, every).with_note("a note");
                assert_well_laid_out(&list_figure(&audit));
            }
        }
    }
}

#[test]
fn arcs_stay_outside_the_boxes_of_the_groups() {
    let names: Vec<String> = (0..30).map(|i| format!("item {i}")).collect();
    let figure = list_figure(&audit("query", &names, 4, 1));
    let (mut boxes, mut arcs) = (Vec::new(), Vec::new());
    for shape in shapes_within(&figure.shapes) {
        match shape {
            Shape::Rect { area, corner, .. } if *corner > 0.0 => boxes.push(*area),
            Shape::Arc { .. } => arcs.extend(extent_of_shape(shape)),
            _ => {}
        }
    }
    assert_eq!((boxes.len(), arcs.len()), (8, 30 * 29 / 2));
    for (index, area) in boxes.iter().enumerate() {
        assert!(arcs.iter().all(|arc| !arc.meets(&area.grown(-0.01))));
        assert!(boxes[..index].iter().all(|other| !other.meets(area)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn lists_are_well_laid_out_for_every_name(
        query in "\\PC{0,90}",
        note in "\\PC{0,120}",
        names in proptest::collection::vec("\\PC{0,80}", 1..40),
        group in 1_usize..9,
        every in 1_usize..20,
    ) {
        let audit = audit(&query, &names, group, every).with_note(note);
        assert_well_laid_out(&list_figure(&audit));
    }
}
