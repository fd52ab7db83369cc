//! What the figure of a list promises.

use crate::svg::{assert_self_contained, words};
use partita_report::{ListAudit, ListError, ListItem, MAX_LIST_ITEMS, list_figure};
use proptest::prelude::*;

fn item(name: &str, ranks: &[f64]) -> ListItem {
    ListItem::new(name, ranks.to_vec()).expect("possible ranks")
}

/// The example of paper 000, Table 2: ⟨(A, B), (C), (D, E, F)⟩, of which A and C
/// do not differ, and D and F do.
fn example() -> ListAudit {
    let names = ["A", "B", "C", "D", "E", "F"];
    let items = (1..).zip(names).map(|(place, name)| {
        let place = f64::from(place);
        item(name, &[place, place + 1.0, place, place + 0.5])
    });
    ListAudit::new("the paper", items.collect(), vec![2, 3, 6])
        .and_then(|audit| audit.with_inconsistent_pairs(vec![(5, 3)], vec![(0, 2)]))
        .and_then(|audit| audit.with_consistency(0.86, 0.8625))
        .expect("a possible list")
}

fn list(items: usize, group: usize) -> ListAudit {
    let items_of_it = (0..items).map(|place| item(&format!("item {place}"), &[1.0, 2.0]));
    let ends = (1..=items).filter(|end| end % group == 0 || *end == items);
    ListAudit::new("q", items_of_it.collect(), ends.collect()).expect("a possible list")
}

fn every_pair(items: usize) -> Vec<(usize, usize)> {
    (0..items)
        .flat_map(|later| (0..later).map(move |earlier| (earlier, later)))
        .collect()
}

fn elements(svg: &str, name: &str) -> usize {
    svg.matches(&format!("<{name} ")).count()
}

#[test]
fn the_example_of_the_paper_is_drawn_with_its_counts_and_consistency() {
    let audit = example();
    assert_eq!(audit.same_group_pairs(), 4);
    assert_eq!(audit.different_group_pairs(), 11);
    let figure = list_figure(&audit);
    let words = words(&figure);
    for expected in [
        "the paper",
        "6 items in 3 groups; ADR-1 consistency 0.860, ADR-2 consistency 0.863",
        "1 of 4 pairs in the same group differ (arcs at the left)",
        "1 of 11 pairs in different groups do not differ (arcs at the right)",
    ] {
        assert!(
            words.iter().any(|w| w == expected),
            "{expected} in {words:?}"
        );
    }
    assert!(figure.description().contains("(A, B), (C), (D, E, F)"));
}

#[test]
fn each_inconsistent_pair_is_an_arc_that_says_which_it_is() {
    let svg = list_figure(&example()).to_svg();
    assert_eq!(elements(&svg, "path"), 2);
    assert!(svg.contains("<title>4. D and 6. F: in the same group, but they differ</title>"));
    let inter = "<title>1. A and 3. C: in different groups, but they do not differ</title>";
    assert!(svg.contains(inter));
    // Only those between groups are dashed: their arc, and its sample.
    assert_eq!(svg.matches("stroke-dasharray").count(), 2);
}

#[test]
fn each_row_says_the_numbers_of_its_box_plot() {
    let ranks = [3.0, 6.0, 7.0, 8.0, 8.0, 10.0, 13.0, 15.0, 16.0, 20.0];
    let audit = ListAudit::new("q", vec![item("A", &ranks)], vec![1]).expect("a possible list");
    let svg = list_figure(&audit).to_svg();
    let title = "1. A: n = 10, median 9, quartiles 7.25 and 14.5, mean 10.6, from 3 to 20";
    assert!(svg.contains(title), "{svg}");
}

#[test]
fn an_item_that_nobody_ranked_is_shown_and_said_to_be_so() {
    let items = vec![item("A", &[1.0]), item("B", &[])];
    let audit = ListAudit::new("q", items, vec![2]).expect("a possible list");
    let words = words(&list_figure(&audit));
    assert!(words.iter().any(|w| w == "not ranked") && words.iter().any(|w| w == "0"));
}

#[test]
fn arcs_are_lighter_where_there_are_many_and_only_there() {
    let few = list(40, 40).with_inconsistent_pairs(vec![(0, 1), (2, 5)], vec![]);
    let few = list_figure(&few.expect("possible pairs")).to_svg();
    let all = list(40, 40).with_inconsistent_pairs(every_pair(40), vec![]);
    let all = list_figure(&all.expect("possible pairs")).to_svg();
    assert!(few.contains("stroke-opacity=\"0.9\""));
    assert!(!all.contains("stroke-opacity=\"0.9\"") && all.contains("stroke-opacity=\"0.1"));
    assert!(!few.contains("Arcs are lighter") && all.contains("Arcs are lighter"));
}

#[test]
fn of_a_very_long_list_the_first_items_are_shown_and_the_figure_says_so() {
    let audit = list(250, 7)
        .with_inconsistent_pairs(vec![(0, 1), (242, 243)], vec![(0, 249)])
        .expect("possible pairs");
    let figure = list_figure(&audit);
    let words = words(&figure);
    let items = words.iter().filter(|word| word.starts_with("item "));
    assert_eq!(items.count(), MAX_LIST_ITEMS);
    let note =
        "The first 100 of 250 items, and the pairs among them; the last group shown goes on.";
    assert!(words.iter().any(|w| w == note), "{words:?}");
    assert_eq!(elements(&figure.to_svg(), "path"), 1);
    assert!(
        words.iter().any(|w| w.starts_with("2 of ")),
        "the counts are of all"
    );
}

#[test]
fn long_names_are_shortened_and_can_be_read_by_pointing() {
    let name = "a melody with a name that is much too long for the column of names";
    let audit = ListAudit::new("q", vec![item(name, &[1.0])], vec![1]).expect("a possible list");
    let figure = list_figure(&audit);
    assert!(words(&figure).iter().any(|word| word.contains('…')));
    assert!(figure.to_svg().contains(&format!("<title>{name}</title>")));
}

#[test]
fn the_largest_figures_stay_under_a_megabyte() {
    let long = "x".repeat(200);
    let items: Vec<ListItem> = (0..300)
        .map(|i| item(&format!("{long}{i}"), &[1.0]))
        .collect();
    let audit = ListAudit::new("q", items, vec![300])
        .and_then(|audit| audit.with_inconsistent_pairs(every_pair(300), vec![]));
    let size = list_figure(&audit.expect("a possible list")).to_svg().len();
    assert!(size < 1_000_000, "{size}");
}

#[test]
fn the_same_data_give_the_same_bytes() {
    let draw = || list_figure(&example()).to_svg();
    assert_eq!(draw(), draw());
}

#[test]
fn the_order_of_the_pairs_and_within_them_makes_no_difference() {
    let mut pairs = every_pair(9);
    let one = list(9, 9).with_inconsistent_pairs(pairs.clone(), vec![]);
    pairs.reverse();
    pairs.iter_mut().for_each(|pair| *pair = (pair.1, pair.0));
    let other = list(9, 9).with_inconsistent_pairs(pairs, vec![]);
    assert_eq!(one, other);
}

#[test]
fn impossible_lists_are_refused() {
    let new = |ends: Vec<usize>| ListAudit::new("q", vec![item("A", &[]), item("B", &[])], ends);
    assert!(matches!(
        ListAudit::new("q", vec![], vec![]),
        Err(ListError::NoItems { .. })
    ));
    assert!(matches!(new(vec![0, 2]), Err(ListError::GroupEnds { .. })));
    assert!(matches!(new(vec![2, 2]), Err(ListError::GroupEnds { .. })));
    for ends in [vec![], vec![1], vec![1, 3]] {
        assert!(matches!(new(ends), Err(ListError::LastGroup { .. })));
    }
    for rank in [0.0, -3.0, f64::NAN, f64::INFINITY, 1e10] {
        let refused = ListItem::new("A", vec![1.0, rank]);
        assert!(matches!(refused, Err(ListError::NotARank { .. })), "{rank}");
    }
    for value in [f64::NAN, -0.1, 1.1] {
        assert!(matches!(
            example().with_consistency(0.5, value),
            Err(ListError::NotConsistency { .. })
        ));
    }
}

#[test]
fn impossible_pairs_are_refused() {
    let with = |intra, inter| example().with_inconsistent_pairs(intra, inter);
    for pair in [(0, 0), (0, 6)] {
        assert!(matches!(
            with(vec![pair], vec![]),
            Err(ListError::NotAPair { items: 6, .. })
        ));
    }
    assert!(matches!(
        with(vec![(0, 1), (1, 0)], vec![]),
        Err(ListError::TwiceTheSamePair { pair: (0, 1), .. })
    ));
    let swapped = with(vec![(0, 2)], vec![]).expect_err("A and C are apart");
    assert_eq!(
        swapped.to_string(),
        "query \"the paper\": the pair (0, 2) is not in the same group"
    );
    let swapped = with(vec![], vec![(3, 5)]).expect_err("D and F are together");
    assert_eq!(
        swapped.to_string(),
        "query \"the paper\": the pair (3, 5) is in the same group"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_svg_is_well_formed_and_self_contained_whatever_the_names(
        query in any::<String>(),
        note in any::<String>(),
        names in proptest::collection::vec(any::<String>(), 1..12),
        ranks in proptest::collection::vec(1e-3..1e9_f64, 0..9),
        group in 1_usize..5,
    ) {
        let count = names.len();
        let items = names.iter().map(|name| item(name, &ranks)).collect();
        let ends = (1..=count).filter(|end| end % group == 0 || *end == count).collect();
        let (intra, inter) = every_pair(count)
            .into_iter()
            .partition(|(earlier, later)| earlier / group == later / group);
        let audit = ListAudit::new(query, items, ends)
            .and_then(|audit| audit.with_inconsistent_pairs(intra, inter))
            .expect("a possible list")
            .with_note(note);
        assert_self_contained(&list_figure(&audit));
    }
}
