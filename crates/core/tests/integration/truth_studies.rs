//! The studies over many lists: the six functions, and one ground truth against another.

use crate::support::fixture;
use partita_core::measure::average_dynamic_recall;
use partita_core::truth::comparison::list_difference::list_difference;
use partita_core::truth::{
    Aggregation, AggregationStudy, AggregationStudyOptions, Alpha, RankEvidence, RankTestOptions,
    RboOptions, Tails, adr_of_random_order, consistency, list_as_ranking, list_similarity,
    rank_biased_overlap, sampled_adr, study_aggregations, truth_from_list,
};
use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, GroundTruth, QueryTruth, Ranking, SystemRankings};
use partita_stats::correlation::kendall::kendall;
use partita_stats::correlation::pearson::pearson;
use partita_stats::t_test::paired;
use serde_json::Value;

fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-12,
        "{found}, expected {expected}"
    );
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The rankings of the fixture, with the values that it gives for each function.
fn lists() -> Vec<(AssessorRankings, Value)> {
    let who: Vec<String> = (0..100).map(|assessor| format!("e{assessor}")).collect();
    let cases = fixture("aggregation.json")["cases"]
        .as_array()
        .unwrap()
        .clone();
    let rankings = |case: &Value| {
        let samples = case["ranks"].as_object().unwrap();
        AssessorRankings::new(samples.iter().flat_map(|(item, ranks)| {
            let ranks = ranks.as_array().unwrap().iter().zip(&who);
            ranks.map(move |(rank, who)| (who.as_str(), item.as_str(), rank.as_f64()))
        }))
    };
    cases
        .iter()
        .map(|case| (rankings(case).unwrap(), case["aggregations"].clone()))
        .collect()
}

/// The six functions on these lists.
fn studied(
    lists: &[(AssessorRankings, Value)],
    check_alpha: f64,
    systems: &[SystemRankings],
) -> AggregationStudy {
    let queries: Vec<_> = lists.iter().map(|(rankings, _)| ("q", rankings)).collect();
    let settings = AggregationStudyOptions {
        check_alpha: Alpha::new(check_alpha).unwrap(),
        ..AggregationStudyOptions::default()
    };
    study_aggregations(&queries, &settings, systems, &SequentialWork).unwrap()
}

const NAMES: [&str; 6] = ["All-2", "Any-2", "Prev-2", "All-1", "Any-1", "Prev-1"];

#[test]
fn the_study_is_made_of_the_values_of_the_fixture() {
    let lists = lists();
    let found = studied(&lists, 0.25, &[]);
    let value = |name: &str, field: &str| -> Vec<f64> {
        lists
            .iter()
            .map(|(_, expected)| expected[name][field].as_f64().unwrap())
            .collect()
    };
    let sizes = |name: &str| -> Vec<f64> {
        let groups = lists
            .iter()
            .map(|(_, expected)| expected[name]["groups"].as_array().unwrap());
        let count = |group: &Value| group.as_array().unwrap().len();
        groups
            .map(|g| g.iter().map(count).sum::<usize>() as f64 / g.len() as f64)
            .collect()
    };
    for (row, name) in found.functions.iter().zip(NAMES) {
        assert_eq!(row.function, name.parse().unwrap());
        let consistent = value(name, "adr1_consistency");
        close(row.consistency.adr1.unwrap(), mean(&consistent));
        let adr2 = row.consistency.adr2.unwrap();
        close(adr2, mean(&value(name, "adr2_consistency")));
        close(row.items_per_group.unwrap(), mean(&sizes(name)));
        let r = pearson(&sizes(name), &consistent).unwrap();
        close(row.pearson.unwrap().r, r.unwrap().r);
        if name == "All-2" {
            assert!(row.more_consistent.is_none() && row.smaller_groups.is_none());
        } else {
            let t = paired(&consistent, &value("All-2", "adr1_consistency")).unwrap();
            close(row.more_consistent.unwrap().p, t.p.greater);
            let t = paired(&sizes(name), &sizes("All-2")).unwrap();
            close(row.smaller_groups.unwrap().p, t.p.less);
        }
        assert!(found.systems.is_empty() && row.tau.is_none());
    }
}

#[test]
fn systems_are_scored_against_the_lists_of_each_function() {
    let lists = lists();
    let results: Vec<Vec<Ranking>> = (lists.iter())
        .map(|(rankings, _)| {
            let names = rankings.items();
            let all: Vec<&str> = names.items().map(|item| names.name(item)).collect();
            let backwards = all.iter().rev().copied();
            let some = ["x", "y"].into_iter().chain(all.iter().step_by(2).copied());
            vec![
                Ranking::from_names(names, all.iter().copied()),
                Ranking::from_names(names, backwards),
                Ranking::from_names(names, some),
            ]
        })
        .collect();
    let queries = (0..lists.len()).map(|query| (query.to_string(), [vec!["x"]]));
    let queries: Vec<(String, [Vec<&str>; 1])> = queries.collect();
    let queries = queries
        .iter()
        .map(|(query, list)| (query.as_str(), list.clone()));
    let truth = GroundTruth::from_groups(queries).unwrap();
    let systems = [0, 1, 2].map(|system: usize| {
        let mut rankings = SystemRankings::new(system.to_string(), &truth);
        for (query, all) in results.iter().enumerate() {
            rankings.set(query, all[system].clone());
        }
        rankings
    });
    let found = studied(&lists, 0.25, &systems);
    let scores = |function: Aggregation| -> Vec<f64> {
        let systems = found.systems.iter();
        systems
            .map(|system| system.adr.get(&function.to_string()).unwrap().unwrap())
            .collect()
    };
    for row in &found.functions {
        for system in 0..3 {
            let expected: Vec<f64> = (lists.iter().zip(&results))
                .map(|((rankings, _), results)| {
                    let evidence =
                        RankEvidence::new(rankings, Alpha::TYPKE, RankTestOptions::default());
                    let list = evidence.list(row.function);
                    let truth = truth_from_list(rankings.items(), &list).unwrap();
                    average_dynamic_recall(&truth, &results[system]).unwrap()
                })
                .collect();
            close(scores(row.function)[system], mean(&expected));
        }
        let tau = kendall(&scores(Aggregation::All2), &scores(row.function));
        let tau = tau.unwrap().unwrap().tau;
        match row.function {
            Aggregation::All2 => assert_eq!(row.tau, None),
            _ => assert_eq!(row.tau, Some(tau)),
        }
    }
}

#[test]
fn lists_may_be_measured_at_another_level_than_they_were_built() {
    let lists = &lists()[..1];
    let built = studied(lists, 0.05, &[]);
    let evidence = RankEvidence::new(&lists[0].0, Alpha::TYPKE, RankTestOptions::default());
    let other = evidence.at_level(Alpha::new(0.05).unwrap());
    for aggregation in Aggregation::ALL_FUNCTIONS {
        let functions = &built.lists[0].functions;
        let found = functions.get(&aggregation.to_string()).unwrap();
        let list = evidence.list(aggregation);
        assert_eq!(
            (found.items, found.groups),
            (list.len(), list.group_count())
        );
        let expected = consistency(&list, other.pair_tests(), Tails::One);
        assert_eq!(found.consistency.adr1, expected.map(|c| c.value));
    }
}

#[test]
fn a_list_is_fully_like_itself() {
    let groups = [["a", "b"].as_slice(), &["c"], &["d", "e", "f"]];
    let list = QueryTruth::from_groups(groups).unwrap();
    let found = list_similarity(&list, &list, RboOptions::default());
    let adr = found.second_by_first.unwrap();
    assert_eq!((adr.min, adr.mean, adr.max), (1.0, 1.0, 1.0));
    assert_eq!(found.tau.unwrap().tau, 1.0);
    close(found.rbo.unwrap(), 1.0);
    assert_eq!(found.shared, 6);
}

#[test]
fn the_difference_of_two_lists_names_what_moved_and_what_is_in_one_only() {
    let first = QueryTruth::from_groups([["a"].as_slice(), &["b"], &["c", "d"]]).unwrap();
    let second = QueryTruth::from_groups([["c", "a"].as_slice(), &["e"], &["b"]]).unwrap();
    let found = list_similarity(&first, &second, RboOptions::default());
    let items = list_difference(&first, &second).items;
    let told: Vec<_> = (items.iter())
        .map(|item| (item.name.as_str(), item.first, item.second))
        .collect();
    assert_eq!(
        told,
        [
            ("a", Some(1), Some(1)),
            ("b", Some(2), Some(3)),
            ("c", Some(3), Some(1)),
            ("d", Some(3), None),
            ("e", None, Some(2)),
        ]
    );
    assert_eq!(found.shared, 3);
    // Of a, b and c: a and b agree, a and c are tied in one, b and c disagree.
    assert_eq!(found.tau.unwrap().tau, 0.0);
}

#[test]
fn sampled_scores_lie_within_the_exact_range_and_do_not_depend_on_their_order() {
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
        // Two groups of three have 36 orders, so a thousand samples meet the extremes.
        close(range.min, exact.min);
        close(range.max, exact.max);
        assert!((range.mean - exact.mean).abs() < 0.01);
    }
    assert_ne!(found.by_query[0], found.by_query[1]);
    assert!(found.of_means.min >= exact.min && found.of_means.max <= exact.max);
    let one = adr_of_random_order(&truth, &result, "q2", 9, 17);
    assert_eq!(one, adr_of_random_order(&truth, &result, "q2", 9, 17));
    assert!(sampled_adr(&queries, 0, 9).is_none());
}

#[test]
fn lists_without_common_items_have_nothing_in_common() {
    let first = QueryTruth::from_groups([["a"].as_slice(), &["b"]]).unwrap();
    let second = QueryTruth::from_groups([["x"].as_slice(), &["y"], &["z"]]).unwrap();
    let found = list_similarity(&first, &second, RboOptions::default());
    assert_eq!((found.shared, found.tau, found.rbo), (0, None, Some(0.0)));
    assert_eq!(found.second_by_first.unwrap().max, 0.0);
    let ties = RboOptions::default().ties;
    assert_eq!(rank_biased_overlap(&first, &second, 0.5, ties), Some(0.0));
}

#[test]
fn the_order_inside_groups_and_of_queries_does_not_change_what_is_sampled() {
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
fn sampled_orders_reach_the_bounds_of_a_short_list() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::QueryTruth;
    use partita_core::truth::{list_as_ranking, sampled_adr};

    let truth = QueryTruth::from_groups([["A", "B", "C"].as_slice(), &["D", "E"]])?;
    let list = QueryTruth::from_groups([["A", "B"].as_slice(), &["D", "E", "C"]])?;
    let result = list_as_ranking(&list, &truth);
    let found = sampled_adr(&[("q1", &truth, &result)], 1000, 7).unwrap();
    assert_eq!(found.of_means.max, 1.0);
    assert!((found.of_means.min - 14.0 / 15.0).abs() < 1e-12);
    Ok(())
}
