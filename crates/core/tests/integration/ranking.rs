//! Rankings of a system, with ties and with documents returned twice.

use partita_core::*;

#[test]
fn a_document_returned_again_keeps_its_rank_as_a_repeat() {
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
fn a_document_tied_with_itself_is_followed_by_its_repeat_without_a_tie() {
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
fn repeats_within_a_tie_follow_it_and_repeats_of_earlier_documents_stay_in_it() {
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
fn groups_of_one_document_form_a_ranking_without_ties() {
    let truth = QueryTruth::from_groups([["a", "b"].as_slice()]).unwrap();
    let strict = Ranking::from_names(truth.names(), ["a", "b"]);
    let singles = Ranking::from_name_groups(truth.names(), [["a"], ["b"]]);
    assert_eq!(strict, singles);
    assert!(!strict.is_tied());
    assert!(Ranking::from_name_groups(truth.names(), [["a", "b"]]).is_tied());
    assert_eq!(strict.groups().count(), 2);
}

#[test]
fn best_and_worst_orders_of_ties_follow_the_ground_truth() -> Result<(), Box<dyn std::error::Error>>
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
fn unjudged_documents_tied_with_themselves_are_repeats_not_ties() {
    use partita_core::{Ranking, Slot};

    let outside = |name| (name, Slot::UNJUDGED);
    let ranking =
        Ranking::from_document_groups([vec![outside("x"), outside("x")], vec![outside("x")]]);
    assert_eq!(ranking.slots()[0], Slot::UNJUDGED);
    assert!(ranking.slots()[1..].iter().all(|slot| slot.is_repeat()) && !ranking.is_tied());
}

#[test]
fn positions_may_come_in_any_order_and_gaps_become_unjudged_repeats() {
    use partita_core::{Item, Ranking, Slot};

    let [a, b] = [0, 1].map(|number| Item::from_index(number).unwrap());
    let ranking = Ranking::from_positions(4, [(a, 2), (b, 0)], [(3, Slot::UNJUDGED)]);
    assert_eq!(
        ranking.slots(),
        [b.into(), Slot::UNJUDGED, a.into(), Slot::UNJUDGED_REPEAT]
    );
}
