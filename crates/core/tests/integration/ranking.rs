//! Rankings of a system, with ties and copies.

use partita_core::*;

#[test]
fn a_second_copy_keeps_its_place_and_becomes_a_repeat() {
    let truth = Judged::of_groups([["a", "b"].as_slice()]).unwrap();
    let ranking = Ranking::of(truth.names(), ["a", "x", "a", "x", "b"]);
    let a = Slot::from(truth.names().get("a"));
    let b = Slot::from(truth.names().get("b"));
    assert_eq!(
        ranking.slots(),
        [a, Slot::OUTSIDE, Slot::REPEAT, Slot::OUTSIDE_REPEAT, b]
    );
    assert_eq!(ranking.without_repeats().slots(), [a, Slot::OUTSIDE, b]);
    assert_eq!(ranking.condensed().slots(), [a, Slot::REPEAT, b]);
}

#[test]
fn a_document_tied_with_itself_is_a_strict_list_of_it_and_its_copy() {
    let truth = Judged::of_groups([["a"].as_slice()]).unwrap();
    let ranking = Ranking::of_groups(truth.names(), [["a", "a"]]);
    assert_eq!(ranking, Ranking::of(truth.names(), ["a", "a"]));
    for measure in ["ADR", "P@1", "RR", "AP", "nDCG@2"] {
        let measure = partita_core::measure::parse(measure, 1.0).unwrap();
        let range = partita_core::measure::range(measure.as_ref(), &truth, &ranking).unwrap();
        assert_eq!((range.min, range.mean, range.max), (1.0, 1.0, 1.0));
    }
}

#[test]
fn copies_inside_a_tie_stand_behind_it_and_those_of_earlier_documents_within() {
    let truth = Judged::of_groups([["a", "b"].as_slice()]).unwrap();
    let [a, b] = ["a", "b"].map(|name| Slot::from(truth.names().get(name)));
    let groups = [vec!["a", "x", "a", "x"], vec!["x", "b", "a"]];
    let ranking = Ranking::of_groups(truth.names(), groups);
    let found: Vec<&[Slot]> = ranking.groups().collect();
    let copies = [Slot::REPEAT, Slot::OUTSIDE_REPEAT];
    let last = [Slot::OUTSIDE_REPEAT, b, Slot::REPEAT];
    assert_eq!(
        found,
        [&[a, Slot::OUTSIDE][..], &copies[..1], &copies[1..], &last]
    );
}

#[test]
fn groups_of_one_are_a_strict_ranking() {
    let truth = Judged::of_groups([["a", "b"].as_slice()]).unwrap();
    let strict = Ranking::of(truth.names(), ["a", "b"]);
    let singles = Ranking::of_groups(truth.names(), [["a"], ["b"]]);
    assert_eq!(strict, singles);
    assert!(!strict.is_tied());
    assert!(Ranking::of_groups(truth.names(), [["a", "b"]]).is_tied());
    assert_eq!(strict.groups().count(), 2);
}
