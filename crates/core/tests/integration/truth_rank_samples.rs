//! Rank samples, and the lists of few assessors.

use partita_core::AssessorRankings;
use partita_core::truth::{RankSamples, Recipe, UnrankedPolicy, arrange, truth_from_list};

use crate::truth_support::{rankings, rankings_with_samples};

#[test]
fn medians_and_means_of_even_odd_and_empty_samples() {
    let entries = [
        ("p", "even", Some(3.0)),
        ("q", "even", Some(6.0)),
        ("p", "odd", Some(9.0)),
        ("p", "none", None),
    ];
    let rankings = AssessorRankings::new(entries).unwrap();
    let samples = RankSamples::new(&rankings, UnrankedPolicy::LeftOut);
    let item = |name| rankings.items().get(name).unwrap();
    for (name, expected) in [("even", Some(4.5)), ("odd", Some(9.0)), ("none", None)] {
        assert_eq!(samples.median(item(name)), expected);
        assert_eq!(samples.mean(item(name)), expected);
    }
}

#[test]
fn the_imputed_rank_is_worse_than_every_given_rank() {
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
fn items_with_equal_medians_and_means_are_arranged_by_name() {
    // The ranks of all three items have median 2 and mean 2.
    let rankings = rankings(&[[2.0, 1.0, 3.0], [2.0, 3.0, 1.0]]);
    let samples = RankSamples::new(&rankings, UnrankedPolicy::LeftOut);
    let order = arrange(&samples, rankings.items());
    let names = order.iter().map(|&item| rankings.items().name(item));
    assert!(names.eq(["a", "b", "c"]));
}

#[test]
fn unranked_items_are_left_out_or_share_the_last_places() {
    let samples = [("a", vec![1.0, 1.0]), ("b", vec![2.0]), ("c", vec![3.0])];
    let rankings = rankings_with_samples(&samples);
    let b = rankings.items().get("b").unwrap();
    let sample = |unranked| RankSamples::new(&rankings, unranked).sample(b).to_vec();
    assert_eq!(sample(UnrankedPolicy::LeftOut), [2.0]);
    // The second assessor ranked one of three items, so b and c share the ranks 2 and 3.
    assert_eq!(sample(UnrankedPolicy::Worst), [2.0, 2.5]);
}

#[test]
fn one_assessor_alone_separates_no_items() {
    let rankings = rankings(&[[1.0, 2.0], [1.0, 2.0]]);
    let recipe = Recipe::default();
    assert_eq!(recipe.list(&rankings, &[0, 1]).group_count(), 2);
    assert_eq!(recipe.list(&rankings, &[0]).group_count(), 1);
}

#[test]
fn an_unranked_item_is_among_the_names_of_a_truth_but_not_in_its_list() {
    let rankings = AssessorRankings::new([("ann", "a", Some(1.0)), ("ann", "b", None)]).unwrap();
    let list = Recipe::default().list(&rankings, &[0]);
    let truth = truth_from_list(rankings.items(), &list).unwrap();
    assert_eq!((truth.names().len(), truth.list().len()), (2, 1));
}
