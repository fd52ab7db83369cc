//! Rankings by assessors.

use partita_core::*;

#[test]
fn invalid_ranks_and_empty_rankings_are_rejected() {
    for rank in [0.0, -3.0, f64::NAN, f64::INFINITY] {
        let error = AssessorRankings::new([("ann", "a", Some(rank))]).unwrap_err();
        assert!(
            matches!(error, AssessorRankingsError::InvalidRank { .. }),
            "{error}"
        );
    }
    assert_eq!(
        AssessorRankings::new([]).unwrap_err(),
        AssessorRankingsError::Empty
    );
}

#[test]
fn an_item_ranked_twice_by_one_assessor_is_rejected() {
    let twice = [
        ("ann", "a", Some(1.0)),
        ("bob", "a", Some(1.0)),
        ("bob", "a", None),
    ];
    let error = AssessorRankings::new(twice).unwrap_err();
    assert_eq!(error.to_string(), "bob ranked a twice");
}

#[test]
fn notes_name_unranked_and_tied_items_and_their_assessors() {
    let rankings = AssessorRankings::new([
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
            AssessorRankingsNote::AllTied,
            AssessorRankingsNote::UnrankedItems(names(&["c"])),
            AssessorRankingsNote::ItemsRankedOnce(names(&["a"])),
            AssessorRankingsNote::AssessorsWithoutRanks(names(&["cy"])),
            AssessorRankingsNote::AssessorsWithTies(names(&["ann"])),
        ]
    );
    assert_eq!(notes[4].to_string(), "1 assessor tied items: ann");
}

#[test]
fn notes_shorten_long_lists_of_names() {
    let names: Vec<String> = (1..=9).map(|i| format!("d{i}")).collect();
    let message =
        |names: &[String]| AssessorRankingsNote::AssessorsWithTies(names.to_vec()).to_string();
    assert_eq!(
        message(&names),
        "9 assessors tied items: d1, d2, d3, d4, d5 and 4 more"
    );
    assert_eq!(
        message(&names[..6]),
        "6 assessors tied items: d1, d2, d3, d4, d5, d6"
    );
}

#[test]
fn a_single_assessor_and_an_unranked_item_are_noted() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;

    let rankings = AssessorRankings::new([("ann", "a", Some(1.0)), ("ann", "b", None)])?;
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
fn a_list_of_names_resolves_to_the_items_of_the_rankings() -> Result<(), Box<dyn std::error::Error>>
{
    use partita_core::{AssessorRankings, QueryTruth};

    let rankings = AssessorRankings::new([("ann", "a", Some(2.0)), ("ann", "b", Some(1.0))])?;
    let list =
        rankings.resolve_list(&QueryTruth::from_groups([["b"].as_slice(), &["a"]]).unwrap())?;
    assert_eq!(rankings.items().name(list.items()[0]), "b");
    let other = QueryTruth::from_groups([["b", "x"].as_slice()]).unwrap();
    assert_eq!(
        rankings.resolve_list(&other).unwrap_err().to_string(),
        "no assessor mentions x"
    );
    Ok(())
}
