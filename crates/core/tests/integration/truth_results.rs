//! Complete checks and comparisons of ground truths, compared with reference values.

use partita_core::evidence::CheckedList;
use partita_core::truth::{
    Alpha, IntransitiveTriples, RankTestDetail, RboOptions, Recipe, Tails, TruthCheck,
    TruthCheckRequest, TruthComparisonRequest, check, compare_truths,
};
use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, GroundTruth};
use serde_json::Value;

use crate::support::{fixture, number};
use crate::truth_support::{fixture_rankings, groups, rankings, rankings_with_samples};

/// Reads the cases of `aggregation.json`: name of the query, rankings and expected values.
fn cases() -> Vec<(String, AssessorRankings, Value)> {
    let file = fixture("aggregation.json");
    let case = |case: &Value| {
        let query = format!("case{}", case["id"]);
        (query, fixture_rankings(case), case.clone())
    };
    file["cases"].as_array().unwrap().iter().map(case).collect()
}

fn check_rankings(
    queries: &[(&str, &AssessorRankings)],
    truth: Option<&GroundTruth>,
) -> TruthCheck {
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

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
}

#[test]
fn consistency_of_given_lists_and_its_mean_equal_the_reference_values() {
    let cases = cases();
    let queries: Vec<_> = cases.iter().map(|(q, r, _)| (q.as_str(), r)).collect();
    for name in ["All-1", "All-2", "Any-1", "Any-2", "Prev-1", "Prev-2"] {
        let lists = cases.iter().map(|(query, _, case)| {
            (
                query.as_str(),
                groups(&case["aggregations"][name]["groups"]),
            )
        });
        let found = check_rankings(&queries, Some(&GroundTruth::from_groups(lists).unwrap()));
        let mut sums = [0.0, 0.0];
        for ((_, _, case), list) in cases.iter().zip(&found.lists) {
            let expected = &case["aggregations"][name];
            let values = [
                list.measures.consistency.adr1,
                list.measures.consistency.adr2,
            ]
            .map(Option::unwrap);
            let references = ["adr1_consistency", "adr2_consistency"];
            for ((sum, value), reference) in sums.iter_mut().zip(values).zip(references) {
                assert_near(value, number(&expected[reference]));
                *sum += value;
            }
            assert_eq!(list.measures.per_position.len() + 1, list.items);
        }
        let means = [found.totals.mean.adr1, found.totals.mean.adr2].map(Option::unwrap);
        for (mean, sum) in means.into_iter().zip(sums) {
            assert_near(mean, sum / cases.len() as f64);
        }
    }
}

#[test]
fn intransitive_triples_are_listed_and_counted_by_number_of_tails() {
    let cases = cases();
    let queries: Vec<_> = cases.iter().map(|(q, r, _)| (q.as_str(), r)).collect();
    let found = check_rankings(&queries, None);
    let mut seen = [0, 0];
    for triple in found
        .lists
        .iter()
        .flat_map(|list| &list.audit.non_transitive)
    {
        seen[usize::from(triple.tails.unwrap()) - 1] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0);
    let counted =
        [Tails::One, Tails::Two].map(|tails| found.totals.summary.get(tails).non_transitive);
    assert_eq!(counted, seen);
}

#[test]
fn every_inconsistent_pair_is_listed_with_its_p_value() {
    let rankings = rankings(&[
        [1.0, 2.0, 3.0],
        [1.0, 2.0, 3.0],
        [2.0, 1.0, 3.0],
        [1.0, 3.0, 2.0],
    ]);
    let truth = GroundTruth::from_groups([("q", vec![vec!["c", "a"], vec!["b"]])]).unwrap();
    let found = check_rankings(&[("q", &rankings)], Some(&truth));
    let list = &found.lists[0];
    assert_eq!(list.counts.summary.one_tailed.same_group_pairs, 1);
    let intra = &list.audit.intra[0];
    assert_eq!((intra.a.as_str(), intra.b.as_str()), ("c", "a"));
    // Ranks of c are 3, 3, 3, 2, those of a are 1, 1, 2, 1. Of the 70 ways to choose 4 of
    // 1,1,1,2,2,3,3,3 two have a sum of at least 11, that of c.
    assert_eq!(intra.p, Some(2.0 / 70.0));
    let misordered = list.audit.misordered.iter();
    let misordered: Vec<_> = misordered.map(|p| (p.a.as_str(), p.b.as_str())).collect();
    assert_eq!(misordered, [("c", "a"), ("c", "b")]);
    assert!(list.audit.inter.is_empty());
    assert_eq!(list.measures.kendall_w.common_items, 3);
}

#[test]
fn adr_range_over_orders_within_groups_is_exact_and_symmetric() {
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
            assert_near(value, number(&case[key]));
        }
        assert_eq!(query.second_by_first, back.first_by_second);
        for (a, b) in [(query.rbo, back.rbo), (query.tau_b, back.tau_b)] {
            assert_eq!(a.is_some(), b.is_some());
            assert_near(a.unwrap_or(0.0), b.unwrap_or(0.0));
        }
    }
}

/// Checks a list of query q against rankings. Groups are separated by spaces, items by commas.
fn checked_list(rankings: &AssessorRankings, list: &str) -> CheckedList<RankTestDetail> {
    let groups: Vec<Vec<&str>> = (list.split(' '))
        .map(|group| group.split(',').collect())
        .collect();
    let truth = GroundTruth::from_groups([("q", groups)]).unwrap();
    check_rankings(&[("q", rankings)], Some(&truth))
        .lists
        .remove(0)
}

#[test]
fn p_values_are_shares_of_the_permutations_of_the_ranks() {
    let rankings = rankings(&[[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [1.0, 2.0]]);
    let list = checked_list(&rankings, "a,b");
    // a has three of the four ranks 1. Of the 70 ways to distribute 1, 1, 1, 1, 2, 2, 2, 2 over a
    // and b, 16 give three 1s to a, and one gives it all four.
    assert_eq!(list.audit.intra[0].p_less, Some(17.0 / 70.0));
}

#[test]
fn an_item_with_one_rank_cannot_be_tested_and_lowers_the_consistency() {
    let samples = [("a", vec![1.0; 4]), ("b", vec![2.0; 4]), ("c", vec![3.0])];
    let list = checked_list(&rankings_with_samples(&samples), "a b c");
    assert_eq!(
        (list.counts.untestable_pairs, list.audit.inter.len()),
        (2, 0)
    );
    // No test separates c from a or b, so an item is missing at both positions.
    assert_eq!(list.measures.per_position, [0.0, 0.5]);
    assert_eq!(list.measures.consistency.adr1, Some(0.25));
    let counts = &list.counts.summary.one_tailed;
    assert_eq!((counts.inter, counts.undecided), (0, 2));
}
