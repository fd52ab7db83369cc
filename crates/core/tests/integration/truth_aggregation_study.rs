//! The study of the six aggregation functions over many lists.

use partita_core::measure::average_dynamic_recall;
use partita_core::truth::{
    Aggregation, AggregationStudy, AggregationStudyOptions, Alpha, RankEvidence, RankTestOptions,
    Tails, consistency, study_aggregations, truth_from_list,
};
use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, GroundTruth, Ranking, SystemRankings};
use partita_stats::correlation::kendall::kendall;
use partita_stats::correlation::pearson::pearson;
use partita_stats::t_test::paired;
use serde_json::Value;

use crate::support::{assert_close, fixture};
use crate::truth_support::fixture_rankings;

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the rankings of the fixture, with the values that it gives for each function.
fn lists() -> Vec<(AssessorRankings, Value)> {
    let file = fixture("aggregation.json");
    let cases = file["cases"].as_array().unwrap().iter();
    cases
        .map(|case| (fixture_rankings(case), case["aggregations"].clone()))
        .collect()
}

/// Studies the six aggregation functions on these lists.
fn run_study(
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
fn the_study_summarizes_the_values_of_the_fixture() {
    let lists = lists();
    let found = run_study(&lists, 0.25, &[]);
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
        assert_close("study", row.consistency.adr1.unwrap(), mean(&consistent));
        let adr2 = row.consistency.adr2.unwrap();
        assert_close("study", adr2, mean(&value(name, "adr2_consistency")));
        assert_close("study", row.items_per_group.unwrap(), mean(&sizes(name)));
        let r = pearson(&sizes(name), &consistent).unwrap();
        assert_close("study", row.pearson.unwrap().r, r.unwrap().r);
        if name == "All-2" {
            assert!(row.more_consistent.is_none() && row.smaller_groups.is_none());
        } else {
            let t = paired(&consistent, &value("All-2", "adr1_consistency")).unwrap();
            assert_close("study", row.more_consistent.unwrap().p, t.p.greater);
            let t = paired(&sizes(name), &sizes("All-2")).unwrap();
            assert_close("study", row.smaller_groups.unwrap().p, t.p.less);
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
    let truth = GroundTruth::from_groups(queries).unwrap();
    let systems = [0, 1, 2].map(|system: usize| {
        let mut rankings = SystemRankings::new(system.to_string(), &truth);
        for (query, all) in results.iter().enumerate() {
            rankings.set(query, all[system].clone());
        }
        rankings
    });
    let found = run_study(&lists, 0.25, &systems);
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
            assert_close("study", scores(row.function)[system], mean(&expected));
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
fn consistency_can_use_another_significance_level_than_the_lists() {
    let lists = &lists()[..1];
    let built = run_study(lists, 0.05, &[]);
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
