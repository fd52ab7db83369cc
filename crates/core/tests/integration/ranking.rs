//! Rankings of a system, with ties and copies.

use partita_core::*;

#[test]
fn a_second_copy_keeps_its_place_and_becomes_a_repeat() {
    let truth = QueryTruth::from_groups([["a", "b"].as_slice()]).unwrap();
    let ranking = Ranking::from_names(truth.names(), ["a", "x", "a", "x", "b"]);
    let a = Slot::from(truth.names().get("a"));
    let b = Slot::from(truth.names().get("b"));
    assert_eq!(
        ranking.slots(),
        [
            a,
            Slot::UNJUDGED,
            Slot::JUDGED_REPEAT,
            Slot::UNJUDGED_REPEAT,
            b
        ]
    );
    assert_eq!(ranking.without_repeats().slots(), [a, Slot::UNJUDGED, b]);
    assert_eq!(ranking.condensed().slots(), [a, Slot::JUDGED_REPEAT, b]);
}

#[test]
fn a_document_tied_with_itself_is_a_strict_list_of_it_and_its_copy() {
    let truth = QueryTruth::from_groups([["a"].as_slice()]).unwrap();
    let ranking = Ranking::from_name_groups(truth.names(), [["a", "a"]]);
    assert_eq!(ranking, Ranking::from_names(truth.names(), ["a", "a"]));
    for measure in ["ADR", "P@1", "RR", "AP", "nDCG@2"] {
        let measure = partita_core::measure::parse(measure, 1.0).unwrap();
        let range = partita_core::measure::score_range(measure.as_ref(), &truth, &ranking).unwrap();
        assert_eq!((range.min, range.mean, range.max), (1.0, 1.0, 1.0));
    }
}

#[test]
fn copies_inside_a_tie_stand_behind_it_and_those_of_earlier_documents_within() {
    let truth = QueryTruth::from_groups([["a", "b"].as_slice()]).unwrap();
    let [a, b] = ["a", "b"].map(|name| Slot::from(truth.names().get(name)));
    let groups = [vec!["a", "x", "a", "x"], vec!["x", "b", "a"]];
    let ranking = Ranking::from_name_groups(truth.names(), groups);
    let found: Vec<&[Slot]> = ranking.groups().collect();
    let copies = [Slot::JUDGED_REPEAT, Slot::UNJUDGED_REPEAT];
    let last = [Slot::UNJUDGED_REPEAT, b, Slot::JUDGED_REPEAT];
    assert_eq!(
        found,
        [&[a, Slot::UNJUDGED][..], &copies[..1], &copies[1..], &last]
    );
}

#[test]
fn groups_of_one_are_a_strict_ranking() {
    let truth = QueryTruth::from_groups([["a", "b"].as_slice()]).unwrap();
    let strict = Ranking::from_names(truth.names(), ["a", "b"]);
    let singles = Ranking::from_name_groups(truth.names(), [["a"], ["b"]]);
    assert_eq!(strict, singles);
    assert!(!strict.is_tied());
    assert!(Ranking::from_name_groups(truth.names(), [["a", "b"]]).is_tied());
    assert_eq!(strict.groups().count(), 2);
}

#[test]
fn the_best_and_the_worst_order_of_ties_are_by_the_truth() -> Result<(), Box<dyn std::error::Error>>
{
    use partita_core::{QueryTruth, Ranking};

    let truth = QueryTruth::from_groups([["a"].as_slice(), &["b"]])?;
    let tied = Ranking::from_name_groups(truth.names(), [vec!["x", "b", "a"], vec!["y"]]);
    let best = Ranking::from_names(truth.names(), ["a", "b", "x", "y"]);
    assert_eq!(tied.best_order(&truth), best);
    let worst = Ranking::from_names(truth.names(), ["x", "b", "a", "y"]);
    assert_eq!(tied.worst_order(&truth), worst);
    Ok(())
}

#[test]
fn a_condensed_ranking_keeps_repeats_of_judged_documents_only()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{QueryTruth, Ranking};

    let truth = QueryTruth::from_groups([["a", "b"].as_slice()])?;
    let ranking = Ranking::from_names(truth.names(), ["x", "a", "y", "b"]);
    assert_eq!(
        ranking.condensed(),
        Ranking::from_names(truth.names(), ["a", "b"])
    );
    let twice = Ranking::from_names(truth.names(), ["x", "x", "a", "a", "b"]);
    assert_eq!(
        twice.condensed(),
        Ranking::from_names(truth.names(), ["a", "a", "b"])
    );
    Ok(())
}

#[test]
fn copies_of_strangers_are_repeats_and_no_ties() {
    use partita_core::{Ranking, Slot};

    let outside = |name| (name, Slot::UNJUDGED);
    let ranking =
        Ranking::from_document_groups([vec![outside("x"), outside("x")], vec![outside("x")]]);
    assert_eq!(ranking.slots()[0], Slot::UNJUDGED);
    assert!(ranking.slots()[1..].iter().all(|slot| slot.is_repeat()) && !ranking.is_tied());
}

#[test]
fn places_may_come_in_any_order_and_gaps_are_copies() {
    use partita_core::{Item, Ranking, Slot};

    let [a, b] = [0, 1].map(|number| Item::from_index(number).unwrap());
    let ranking = Ranking::from_positions(4, [(a, 2), (b, 0)], [(3, Slot::UNJUDGED)]);
    assert_eq!(
        ranking.slots(),
        [b.into(), Slot::UNJUDGED, a.into(), Slot::UNJUDGED_REPEAT]
    );
}
