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

#[test]
fn the_best_and_the_worst_order_of_ties_are_by_the_truth() -> Result<(), Box<dyn std::error::Error>>
{
    use partita_core::{Judged, Ranking};

    let truth = Judged::of_groups([["a"].as_slice(), &["b"]])?;
    let tied = Ranking::of_groups(truth.names(), [vec!["x", "b", "a"], vec!["y"]]);
    let best = Ranking::of(truth.names(), ["a", "b", "x", "y"]);
    assert_eq!(tied.best_order(&truth), best);
    let worst = Ranking::of(truth.names(), ["x", "b", "a", "y"]);
    assert_eq!(tied.worst_order(&truth), worst);
    Ok(())
}

#[test]
fn a_condensed_ranking_keeps_repeats_of_judged_documents_only()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{Judged, Ranking};

    let truth = Judged::of_groups([["a", "b"].as_slice()])?;
    let ranking = Ranking::of(truth.names(), ["x", "a", "y", "b"]);
    assert_eq!(ranking.condensed(), Ranking::of(truth.names(), ["a", "b"]));
    let twice = Ranking::of(truth.names(), ["x", "x", "a", "a", "b"]);
    assert_eq!(
        twice.condensed(),
        Ranking::of(truth.names(), ["a", "a", "b"])
    );
    Ok(())
}

#[test]
fn copies_of_strangers_are_repeats_and_no_ties() {
    use partita_core::{Ranking, Slot};

    let outside = |name| (name, Slot::OUTSIDE);
    let ranking = Ranking::of_documents([vec![outside("x"), outside("x")], vec![outside("x")]]);
    assert_eq!(ranking.slots()[0], Slot::OUTSIDE);
    assert!(ranking.slots()[1..].iter().all(|slot| slot.is_repeat()) && !ranking.is_tied());
}

#[test]
fn places_may_come_in_any_order_and_gaps_are_copies() {
    use partita_core::{Item, Ranking, Slot};

    let [a, b] = [0, 1].map(|number| Item::at(number).unwrap());
    let ranking = Ranking::of_places(4, [(a, 2), (b, 0)], [(3, Slot::OUTSIDE)]);
    assert_eq!(
        ranking.slots(),
        [b.into(), Slot::OUTSIDE, a.into(), Slot::OUTSIDE_REPEAT]
    );
}
