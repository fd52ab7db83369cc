//! Rank-biased overlap.

use partita_core::QueryTruth;
use partita_core::truth::*;

#[test]
fn a_list_agrees_with_itself_fully_unless_ties_are_averaged() {
    let list = QueryTruth::from_groups([["a"].as_slice(), &["b", "c", "d"], &["e"]]).unwrap();
    let itself = |ties| rank_biased_overlap(&list, &list, 0.9, ties).unwrap();
    assert!((itself(RboTies::Corrected) - 1.0).abs() < 1e-12);
    assert!((itself(RboTies::Equal) - 1.0).abs() < 1e-12);
    assert!(itself(RboTies::Average) < 0.99);
}

#[test]
fn all_treatments_agree_without_ties_and_are_symmetric() {
    let one = QueryTruth::from_groups([["a"], ["b"], ["c"], ["d"]].iter()).unwrap();
    let other = QueryTruth::from_groups([["b"], ["a"], ["x"]].iter()).unwrap();
    let values = [RboTies::Average, RboTies::Corrected, RboTies::Equal].map(|ties| {
        let value = rank_biased_overlap(&one, &other, 0.8, ties).unwrap();
        assert_eq!(Some(value), rank_biased_overlap(&other, &one, 0.8, ties));
        value
    });
    assert!((values[0] - values[1]).abs() < 1e-12 && (values[0] - values[2]).abs() < 1e-12);
    // By hand: the agreements at depths 1 to 3 are 0, 1 and 2/3; at depth 4 it is extrapolated to
    // (2 + 1·2/3)/4 = 2/3, and likewise beyond.
    let p: f64 = 0.8;
    let expected = (1.0 - p) / p * (p * p + 2.0 / 3.0 * p.powi(3) / (1.0 - p));
    assert!(
        (values[0] - expected).abs() < 1e-12,
        "{} {expected}",
        values[0]
    );
}

#[test]
fn the_average_is_the_mean_over_all_orders() {
    let tied = QueryTruth::from_groups([["a", "b"].as_slice(), &["c"], &["d", "e"]]).unwrap();
    let other = QueryTruth::from_groups([["b"], ["e"], ["a"], ["c"], ["d"]].iter()).unwrap();
    let orders = [["a", "b", "c", "d", "e"], ["b", "a", "c", "d", "e"]]
        .into_iter()
        .flat_map(|[a, b, c, d, e]| [[a, b, c, d, e], [a, b, c, e, d]]);
    let mean = orders
        .map(|order| {
            let list = QueryTruth::from_groups(order.map(|name| [name]).iter()).unwrap();
            rank_biased_overlap(&list, &other, 0.9, RboTies::Equal).unwrap() / 4.0
        })
        .sum::<f64>();
    let found = rank_biased_overlap(&tied, &other, 0.9, RboTies::Average).unwrap();
    assert!((found - mean).abs() < 1e-12);
}

#[test]
fn undefined_overlap_is_none() {
    let empty = QueryTruth::from_groups::<&[&str; 0]>([]).unwrap();
    let list = QueryTruth::from_groups([["a"].as_slice()]).unwrap();
    let rbo = |one, p| rank_biased_overlap(one, &list, p, RboTies::Average);
    assert_eq!((rbo(&empty, 0.9), rbo(&list, 1.0)), (None, None));
}
