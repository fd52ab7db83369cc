//! Samples of ranks.

use partita_core::AssessorRankings;
use partita_core::truth::*;

#[test]
fn medians_and_means_of_even_odd_and_empty_samples() {
    let rankings = AssessorRankings::new([
        ("p", "even", Some(3.0)),
        ("q", "even", Some(6.0)),
        ("p", "odd", Some(9.0)),
        ("p", "none", None),
    ]);
    let rankings = rankings.unwrap();
    let samples = RankSamples::new(&rankings, UnrankedPolicy::LeftOut);
    let item = |name| rankings.items().get(name).unwrap();
    assert_eq!(samples.median(item("even")), Some(4.5));
    assert_eq!(samples.mean(item("even")), Some(4.5));
    assert_eq!(samples.median(item("odd")), Some(9.0));
    assert_eq!(samples.median(item("none")), None);
    assert_eq!(samples.mean(item("none")), None);
}

#[test]
fn the_worst_rank_is_never_better_than_a_given_one() {
    let ranks = [
        ("p", "a", Some(2.0)),
        ("p", "b", Some(40.0)),
        ("p", "c", None),
    ];
    let rankings = AssessorRankings::new(ranks).unwrap();
    let samples = RankSamples::new(&rankings, UnrankedPolicy::Worst);
    let c = rankings.items().get("c").unwrap();
    assert_eq!(samples.sample(c), [41.0]);
}

#[test]
fn items_with_equal_medians_and_means_are_arranged_by_name()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;
    use partita_core::truth::{RankSamples, UnrankedPolicy, arrange};

    let rankings = AssessorRankings::new([
        ("ann", "a", Some(2.0)),
        ("ann", "b", Some(1.0)),
        ("ann", "c", Some(3.0)),
        ("bob", "a", Some(2.0)),
        ("bob", "b", Some(3.0)),
        ("bob", "c", Some(1.0)),
    ])?;
    let samples = RankSamples::new(&rankings, UnrankedPolicy::LeftOut);
    let order = arrange(&samples, rankings.items());
    // All medians and means are 2.
    let names: Vec<_> = order
        .iter()
        .map(|&item| rankings.items().name(item))
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
    Ok(())
}

#[test]
fn unranked_items_are_left_out_or_share_the_last_places() -> Result<(), Box<dyn std::error::Error>>
{
    use partita_core::AssessorRankings;
    use partita_core::truth::{RankSamples, UnrankedPolicy};

    let rankings = AssessorRankings::new([
        ("ann", "a", Some(1.0)),
        ("ann", "b", Some(2.0)),
        ("ann", "c", Some(3.0)),
        ("bob", "a", Some(1.0)),
    ])?;
    let b = rankings.items().get("b").unwrap();
    assert_eq!(
        RankSamples::new(&rankings, UnrankedPolicy::LeftOut).sample(b),
        [2.0]
    );
    // Bob ranked one of three: b and c share his places 2 and 3.
    assert_eq!(
        RankSamples::new(&rankings, UnrankedPolicy::Worst).sample(b),
        [2.0, 2.5]
    );
    Ok(())
}

#[test]
fn one_assessor_alone_tells_nothing_apart() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;
    use partita_core::truth::{Aggregation, Recipe};

    let rankings = AssessorRankings::new([
        ("ann", "a", Some(1.0)),
        ("ann", "b", Some(2.0)),
        ("bob", "a", Some(1.0)),
        ("bob", "b", Some(2.0)),
    ])?;
    let recipe = Recipe {
        aggregation: Aggregation::Any1,
        ..Recipe::default()
    };
    assert_eq!(recipe.list(&rankings, &[0, 1]).group_count(), 2);
    // Had Ann been asked alone, nothing could be told apart.
    assert_eq!(recipe.list(&rankings, &[0]).group_count(), 1);
    Ok(())
}

#[test]
fn an_item_that_nobody_ranked_has_a_name_and_no_place() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::AssessorRankings;
    use partita_core::truth::{Recipe, truth_from_list};

    let rankings = AssessorRankings::new([("ann", "a", Some(1.0)), ("ann", "b", None)])?;
    let list = Recipe::default().list(&rankings, &[0]);
    let truth = truth_from_list(rankings.items(), &list).unwrap();
    assert_eq!((truth.names().len(), truth.list().len()), (2, 1));
    Ok(())
}
