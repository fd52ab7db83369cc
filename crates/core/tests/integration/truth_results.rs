//! Whole checks and comparisons of ground truths, against the reference values.

use partita_core::truth::{
    Alpha, CheckedList, IntransitiveTriples, RboOptions, Recipe, Tails, TruthCheck,
    TruthCheckRequest, TruthComparisonRequest, check, compare_truths,
};
use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, GroundTruth};
use serde_json::Value;

use crate::support::{fixture, number};
use crate::truth_fixtures::groups;

/// The cases of `aggregation.json`, with the rankings of each under the name of its query.
fn cases() -> Vec<(String, AssessorRankings, Value)> {
    let file = fixture("aggregation.json");
    let case = |case: &Value| {
        let who: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let samples = case["ranks"].as_object().unwrap();
        let entries = samples.iter().flat_map(|(item, ranks)| {
            let ranks = ranks.as_array().unwrap().iter().zip(&who);
            ranks.map(move |(rank, who)| (who.as_str(), item.as_str(), rank.as_f64()))
        });
        let rankings = AssessorRankings::new(entries).unwrap();
        (format!("case{}", case["id"]), rankings, case.clone())
    };
    file["cases"].as_array().unwrap().iter().map(case).collect()
}

fn checked(queries: &[(&str, &AssessorRankings)], truth: Option<&GroundTruth>) -> TruthCheck {
    let request = TruthCheckRequest {
        queries,
        truth: truth.map(|truth| ("given", truth)),
        recipe: Recipe::default(),
        alpha: Alpha::TYPKE,
        tails: Tails::One,
        max_triples: IntransitiveTriples::MAX_LISTED,
        bootstrap: None,
    };
    check(&request, &SequentialWork).unwrap()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
}

#[test]
fn the_consistency_of_given_lists_and_its_mean_are_the_reference_ones() {
    let cases = cases();
    let queries: Vec<_> = cases.iter().map(|(q, r, _)| (q.as_str(), r)).collect();
    for name in ["All-1", "All-2", "Any-1", "Any-2", "Prev-1", "Prev-2"] {
        let lists = cases.iter().map(|(query, _, case)| {
            (
                query.as_str(),
                groups(&case["aggregations"][name]["groups"]),
            )
        });
        let found = checked(&queries, Some(&GroundTruth::from_groups(lists).unwrap()));
        let mut sums = [0.0, 0.0];
        for ((_, _, case), list) in cases.iter().zip(&found.lists) {
            let expected = &case["aggregations"][name];
            let values = [list.consistency.adr1, list.consistency.adr2].map(Option::unwrap);
            let references = ["adr1_consistency", "adr2_consistency"];
            for ((sum, value), reference) in sums.iter_mut().zip(values).zip(references) {
                near(value, number(&expected[reference]));
                *sum += value;
            }
            assert_eq!(list.per_position.len() + 1, list.items);
        }
        let means = [found.mean.adr1, found.mean.adr2].map(Option::unwrap);
        for (mean, sum) in means.into_iter().zip(sums) {
            near(mean, sum / cases.len() as f64);
        }
    }
}

#[test]
fn contradictory_triples_are_found_by_both_kinds_of_tests_and_counted() {
    let cases = cases();
    let queries: Vec<_> = cases.iter().map(|(q, r, _)| (q.as_str(), r)).collect();
    let found = checked(&queries, None);
    let mut seen = [0, 0];
    for triple in found
        .lists
        .iter()
        .flat_map(|list| &list.audit.non_transitive)
    {
        seen[usize::from(triple.tails.unwrap()) - 1] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0);
    let counted = [Tails::One, Tails::Two].map(|tails| found.summary.get(tails).non_transitive);
    assert_eq!(counted, seen);
}

#[test]
fn every_inconsistent_pair_is_found_with_its_p_value() {
    // Two melodies that all four rank alike, and one that stands between them for the tests.
    let ranks = [
        [1.0, 2.0, 3.0],
        [1.0, 2.0, 3.0],
        [2.0, 1.0, 3.0],
        [1.0, 3.0, 2.0],
    ];
    let people = ["ann", "bob", "cy", "di"].into_iter().zip(ranks);
    let entries = people.flat_map(|(who, ranks)| {
        let items = ["a", "b", "c"].into_iter().zip(ranks);
        items.map(move |(item, rank)| (who, item, Some(rank)))
    });
    let rankings = AssessorRankings::new(entries).unwrap();
    let truth = GroundTruth::from_groups([("q", vec![vec!["c", "a"], vec!["b"]])]).unwrap();
    let found = checked(&[("q", &rankings)], Some(&truth));
    let list = &found.lists[0];
    assert_eq!(list.summary.one_tailed.same_group_pairs, 1);
    let intra = &list.audit.intra[0];
    assert_eq!((intra.a.as_str(), intra.b.as_str()), ("c", "a"));
    // c: 3, 3, 3, 2 against a: 1, 1, 2, 1. Of the 70 ways to choose 4 of 1,1,1,2,2,3,3,3 two have
    // a sum of at least 11.
    assert_eq!(intra.p, Some(2.0 / 70.0));
    let misordered = list.audit.misordered.iter();
    let misordered: Vec<_> = misordered.map(|p| (p.a.as_str(), p.b.as_str())).collect();
    assert_eq!(misordered, [("c", "a"), ("c", "b")]);
    assert!(list.audit.inter.is_empty());
    assert_eq!(list.kendall_w.common_items, 3);
}

#[test]
fn adr_has_its_exact_range_over_the_orders_within_groups_and_turns_with_the_lists() {
    let file = fixture("adr_grouped_result_range.json");
    let cases = file["cases"].as_array().unwrap();
    let truth = |key: &str| {
        let lists = cases.iter().enumerate();
        GroundTruth::from_groups(lists.map(|(n, case)| (format!("q{n}"), groups(&case[key]))))
            .unwrap()
    };
    let (one, other) = (truth("gt"), truth("result_groups"));
    let compared = |first, second| {
        let request = TruthComparisonRequest {
            first: ("first", first),
            second: ("second", second),
            rbo: RboOptions::default(),
            samples: None,
            seed: 1,
        };
        compare_truths(&request, &SequentialWork).unwrap().queries
    };
    let (found, turned) = (compared(&one, &other), compared(&other, &one));
    for ((query, back), case) in found.iter().zip(&turned).zip(cases) {
        let adr = query.second_by_first.unwrap();
        for (value, key) in [(adr.min, "min"), (adr.mean, "mean"), (adr.max, "max")] {
            near(value, number(&case[key]));
        }
        assert_eq!(query.second_by_first, back.first_by_second);
        for (a, b) in [(query.rbo, back.rbo), (query.tau_b, back.tau_b)] {
            assert_eq!(a.is_some(), b.is_some());
            near(a.unwrap_or(0.0), b.unwrap_or(0.0));
        }
    }
}

/// The list of query q that these people rank, as it stands in `groups`.
fn checked_list(ranks: &[(&str, &str, f64)], lists: &str) -> CheckedList {
    let entries = ranks
        .iter()
        .map(|&(who, item, rank)| (who, item, Some(rank)));
    let rankings = AssessorRankings::new(entries).unwrap();
    let groups: Vec<Vec<&str>> = (lists.split(' '))
        .map(|group| group.split(',').collect())
        .collect();
    let truth = GroundTruth::from_groups([("q", groups)]).unwrap();
    checked(&[("q", &rankings)], Some(&truth)).lists.remove(0)
}

#[test]
fn p_values_are_shares_of_the_ways_to_deal_the_ranks() {
    let mut ranks = Vec::new();
    for (who, a, b) in [
        ("ann", 1.0, 2.0),
        ("bob", 2.0, 1.0),
        ("cy", 1.0, 2.0),
        ("di", 1.0, 2.0),
    ] {
        ranks.extend([(who, "a", a), (who, "b", b)]);
    }
    let list = checked_list(&ranks, "a,b");
    // Of the ranks 1, 1, 1, 1, 2, 2, 2, 2 a gets three ones or more: 16 and 1 of 70 ways.
    assert_eq!(list.audit.intra[0].p_less, Some(17.0 / 70.0));
}

#[test]
fn an_item_that_one_person_ranked_cannot_be_tested_and_expands_no_position() {
    let mut ranks = vec![("bob", "c", 3.0)];
    for who in ["ann", "bob", "cy", "di"] {
        ranks.extend([(who, "a", 1.0), (who, "b", 2.0)]);
    }
    let list = checked_list(&ranks, "a b c");
    assert_eq!((list.untestable_pairs, list.audit.inter.len()), (2, 0));
    // c is not different from a and b: at both positions one item too few is expanded.
    assert_eq!(list.per_position, [0.0, 0.5]);
    assert_eq!(list.consistency.adr1, Some(0.25));
    let counts = &list.summary.one_tailed;
    assert_eq!((counts.inter, counts.undecided), (0, 2));
}
