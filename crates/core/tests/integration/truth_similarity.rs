//! Similarity and difference of two lists of one query.

use partita_core::truth::comparison::list_difference::list_difference;
use partita_core::truth::{
    RboOptions, list_as_ranking, list_similarity, rank_biased_overlap, sampled_adr,
};
use partita_core::{QueryTruth, Ranking};

use crate::support::assert_close;

#[test]
fn a_list_has_full_similarity_with_itself() {
    let groups = [["a", "b"].as_slice(), &["c"], &["d", "e", "f"]];
    let list = QueryTruth::from_groups(groups).unwrap();
    let found = list_similarity(&list, &list, RboOptions::default());
    let adr = found.second_by_first.unwrap();
    assert_eq!((adr.min, adr.mean, adr.max), (1.0, 1.0, 1.0));
    assert_eq!(found.tau.unwrap().tau, 1.0);
    assert_close("similarity", found.rbo.unwrap(), 1.0);
    assert_eq!(found.shared, 6);
}

#[test]
fn list_difference_lists_moved_items_and_items_of_one_list_only() {
    let first = QueryTruth::from_groups([["a"].as_slice(), &["b"], &["c", "d"]]).unwrap();
    let second = QueryTruth::from_groups([["c", "a"].as_slice(), &["e"], &["b"]]).unwrap();
    let found = list_similarity(&first, &second, RboOptions::default());
    let items = list_difference(&first, &second).items;
    let changes: Vec<_> = (items.iter())
        .map(|item| (item.name.as_str(), item.first, item.second))
        .collect();
    assert_eq!(
        changes,
        [
            ("a", Some(1), Some(1)),
            ("b", Some(2), Some(3)),
            ("c", Some(3), Some(1)),
            ("d", Some(3), None),
            ("e", None, Some(2)),
        ]
    );
    assert_eq!(found.shared, 3);
    // Of the pairs of a, b and c, one agrees (a, b), one is tied in one list (a, c), and one
    // disagrees (b, c).
    assert_eq!(found.tau.unwrap().tau, 0.0);
}

#[test]
fn sampled_scores_are_reproducible_and_within_the_exact_range() {
    let truth =
        QueryTruth::from_groups([["a"].as_slice(), &["b", "c"], &["d"], &["e", "f"]]).unwrap();
    let other = QueryTruth::from_groups([["f", "b", "a"].as_slice(), &["x", "d", "c"]]).unwrap();
    let exact = list_similarity(&truth, &other, RboOptions::default())
        .second_by_first
        .unwrap();
    let result = list_as_ranking(&other, &truth);
    let queries = [("q1", &truth, &result), ("q2", &truth, &result)];
    let found = sampled_adr(&queries, 1000, 9).unwrap();
    for range in found.by_query.iter().map(|range| range.unwrap()) {
        // Two groups of three have 36 orders, so a thousand samples reach the extremes.
        assert_close("similarity", range.min, exact.min);
        assert_close("similarity", range.max, exact.max);
        assert!((range.mean - exact.mean).abs() < 0.01);
    }
    assert_ne!(found.by_query[0], found.by_query[1]);
    assert!(found.of_means.min >= exact.min && found.of_means.max <= exact.max);
    assert_eq!(sampled_adr(&queries, 1000, 9), Some(found));
    assert!(sampled_adr(&queries, 0, 9).is_none());
}

#[test]
fn lists_without_common_items_have_zero_similarity() {
    let first = QueryTruth::from_groups([["a"].as_slice(), &["b"]]).unwrap();
    let second = QueryTruth::from_groups([["x"].as_slice(), &["y"], &["z"]]).unwrap();
    let found = list_similarity(&first, &second, RboOptions::default());
    assert_eq!((found.shared, found.tau, found.rbo), (0, None, Some(0.0)));
    assert_eq!(found.second_by_first.unwrap().max, 0.0);
    let ties = RboOptions::default().ties;
    assert_eq!(rank_biased_overlap(&first, &second, 0.5, ties), Some(0.0));
}

#[test]
fn sampled_scores_do_not_depend_on_the_order_within_groups_or_of_queries() {
    let truth = QueryTruth::from_groups([["a", "b"].as_slice(), &["c", "d", "e"]]).unwrap();
    let lists = [
        [["e", "a", "c"], ["b", "d", "x"]],
        [["a", "b", "e"], ["x", "c", "d"]],
    ];
    let turned = lists.map(|groups| groups.map(|[a, b, c]| [c, a, b]));
    let found = |lists: [[[&str; 3]; 2]; 2], order: [usize; 2]| {
        let results = lists.map(|groups| Ranking::from_name_groups(truth.names(), groups));
        let names = ["q1", "q2"];
        let queries: Vec<_> = (order.iter())
            .map(|&query| (names[query], &truth, &results[query]))
            .collect();
        sampled_adr(&queries, 50, 9).unwrap().of_means
    };
    assert_eq!(found(lists, [0, 1]), found(turned, [1, 0]));
}

#[test]
fn sampled_orders_reach_the_bounds_of_a_short_list() {
    let truth = QueryTruth::from_groups([["A", "B", "C"].as_slice(), &["D", "E"]]).unwrap();
    let list = QueryTruth::from_groups([["A", "B"].as_slice(), &["D", "E", "C"]]).unwrap();
    let result = list_as_ranking(&list, &truth);
    let found = sampled_adr(&[("q1", &truth, &result)], 1000, 7).unwrap();
    assert_eq!(found.of_means.max, 1.0);
    assert!((found.of_means.min - 14.0 / 15.0).abs() < 1e-12);
}
