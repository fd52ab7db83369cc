//! Rankings by assessors.

use partita_core::*;

#[test]
fn ranks_that_are_none_are_refused() {
    for rank in [0.0, -3.0, f64::NAN, f64::INFINITY] {
        let error = Rankings::new([("ann", "a", Some(rank))]).unwrap_err();
        assert!(matches!(error, RankingsError::Rank { .. }), "{error}");
    }
    assert_eq!(Rankings::new([]).unwrap_err(), RankingsError::Nothing);
}

#[test]
fn two_rankings_of_one_item_by_one_assessor_are_refused() {
    let twice = [
        ("ann", "a", Some(1.0)),
        ("bob", "a", Some(1.0)),
        ("bob", "a", None),
    ];
    let error = Rankings::new(twice).unwrap_err();
    assert_eq!(error.to_string(), "bob ranked a twice");
}

#[test]
fn notes_name_what_is_odd() {
    let rankings = Rankings::new([
        ("ann", "a", Some(1.0)),
        ("ann", "b", Some(1.0)),
        ("bob", "c", None),
        ("bob", "b", Some(4.0)),
        ("cy", "c", None),
    ]);
    let notes = rankings.unwrap().notes();
    let names = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        notes,
        [
            RankingsNote::AllTied,
            RankingsNote::NobodyRanked(names(&["c"])),
            RankingsNote::RankedOnce(names(&["a"])),
            RankingsNote::RankedNothing(names(&["cy"])),
            RankingsNote::Ties(names(&["ann"])),
        ]
    );
    assert_eq!(notes[4].to_string(), "1 assessor tied items: ann");
}

#[test]
fn many_names_are_cut_short() {
    let names: Vec<String> = (1..=9).map(|i| format!("d{i}")).collect();
    let said = |names: &[String]| RankingsNote::Ties(names.to_vec()).to_string();
    assert_eq!(
        said(&names),
        "9 assessors tied items: d1, d2, d3, d4, d5 and 4 more"
    );
    assert_eq!(
        said(&names[..6]),
        "6 assessors tied items: d1, d2, d3, d4, d5, d6"
    );
}

#[test]
fn a_single_assessor_and_an_unranked_item_are_noted() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::Rankings;

    let rankings = Rankings::new([("ann", "a", Some(1.0)), ("ann", "b", None)])?;
    let notes: Vec<String> = rankings.notes().iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "one assessor only: nothing can be tested",
            "nobody ranked b"
        ]
    );
    Ok(())
}

#[test]
fn a_list_of_names_is_read_in_the_numbers_of_the_rankings() -> Result<(), Box<dyn std::error::Error>>
{
    use partita_core::{Judged, Rankings};

    let rankings = Rankings::new([("ann", "a", Some(2.0)), ("ann", "b", Some(1.0))])?;
    let list = rankings.list_of(&Judged::of_groups([["b"].as_slice(), &["a"]]).unwrap())?;
    assert_eq!(rankings.items().name(list.items()[0]), "b");
    let other = Judged::of_groups([["b", "x"].as_slice()]).unwrap();
    assert_eq!(
        rankings.list_of(&other).unwrap_err().to_string(),
        "no assessor mentions x"
    );
    Ok(())
}
