//! Complete plans: requests and the resulting numbers.

use partita_core::plan::{
    Design, GCoefficient, MeasurePlan, PlanInput, PlanRequest, VarianceChoice, plan,
};
use partita_core::{AssessorScores, ScoreMatrix};

/// Returns a number from 0 to 1 that looks random but depends only on the arguments.
fn noise(a: usize, b: usize, c: usize) -> f64 {
    let mixed = (a * 7919 + b * 104_729 + c * 1_299_709 + 12_345) as u64;
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed >> 40) as f64) / ((1u64 << 24) as f64)
}

fn names(letter: char, count: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |number| format!("{letter}{number}"))
}

fn scores(systems: usize, queries: usize) -> ScoreMatrix {
    let values = (0..queries).flat_map(|query| {
        (0..systems).map(move |system| {
            0.05 * system as f64 + 0.4 * noise(99, query, 0) + 0.3 * noise(system, query, 1)
        })
    });
    let values = values.collect();
    ScoreMatrix::new("score", names('s', systems), names('q', queries), values).unwrap()
}

fn judged(systems: usize, queries: usize, judges: usize) -> AssessorScores {
    let mut values = Vec::new();
    for query in 0..queries {
        for system in 0..systems {
            values.extend((0..judges).map(|judge| {
                0.05 * system as f64
                    + 0.3 * noise(99, query, 0)
                    + 0.3 * noise(system, query, 1)
                    + 0.02 * judge as f64
                    + 0.1 * noise(system, query, judge + 2)
            }));
        }
    }
    let (systems, queries) = (names('s', systems), names('q', queries));
    AssessorScores::new("AP", systems, queries, names('j', judges), values).unwrap()
}

/// Plans an evaluation and returns the plan of its only measure.
fn plan_measure(request: &PlanRequest, evidence: PlanInput<'_>) -> MeasurePlan {
    let mut found = plan(request, &[evidence]).unwrap();
    found.measures.remove(0)
}

#[test]
fn variance_shares_add_up_and_every_target_has_a_row() {
    let scores = scores(6, 20);
    let found = plan_measure(&PlanRequest::default(), PlanInput::Scores(&scores));
    assert_eq!((found.components.len(), found.queries_needed.len()), (3, 6));
    let shares: f64 = found.components.iter().map(|one| one.share).sum();
    assert!((shares - 1.0).abs() < 1e-12);
    assert!(found.phi.value <= found.erho2.value);
}

#[test]
fn a_given_variance_yields_the_textbook_numbers_of_queries() {
    let scores = scores(4, 12);
    let with = |variance, differences: &[f64]| {
        let request = PlanRequest {
            variance,
            differences: differences.to_vec(),
            ..PlanRequest::default()
        };
        plan_measure(&request, PlanInput::Scores(&scores))
    };
    // A difference of half a standard deviation needs 34 queries, one of a standard deviation 10.
    let found = with(VarianceChoice::Given(0.04), &[0.1, 0.2]);
    let needed = found.t_test[0].differences.iter();
    let needed: Vec<f64> = needed.map(|one| one.queries.value).collect();
    assert_eq!(needed, [34.0, 10.0]);
    let (largest, mean) = (
        with(VarianceChoice::Largest, &[]),
        with(VarianceChoice::Mean, &[]),
    );
    assert!(largest.t_test[0].variance.value > mean.t_test[0].variance.value);
    assert!(largest.pair.is_some() && mean.pair.is_none());
}

#[test]
fn a_budget_has_four_options_and_the_best_is_marked() {
    let scores = scores(5, 15);
    let request = PlanRequest {
        money: Some(1000.0),
        cost_per_judgment: Some(0.5),
        judgments_per_query: Some(20.0),
        cost_per_query: Some(2.0),
        differences: vec![0.1],
        ..PlanRequest::default()
    };
    let rows = plan_measure(&request, PlanInput::Scores(&scores)).budget;
    // A query costs 12, so the quarters 250, 500, 750 and 1000 of the budget buy 20, 41, 62 and 83
    // queries.
    let bought: Vec<_> = rows.iter().map(|row| (row.queries, row.cost)).collect();
    assert_eq!(bought, [(20, 240.0), (41, 492.0), (62, 744.0), (83, 996.0)]);
    let best: Vec<bool> = rows.iter().map(|row| row.best).collect();
    assert_eq!(best, [false, false, false, true]);
    assert!(rows.is_sorted_by(|one, other| one.t_power[0].power < other.t_power[0].power));
}

#[test]
fn queries_and_assessors_are_planned_together() {
    let scores = judged(6, 15, 3);
    let request = PlanRequest {
        money: Some(600.0),
        cost_per_judgment: Some(1.0),
        judgments_per_query: Some(5.0),
        cost_per_query: Some(0.0),
        ..PlanRequest::default()
    };
    let found = plan_measure(&request, PlanInput::ByAssessor(&scores));
    assert_eq!((found.judges, found.components.len()), (Some(3), 7));
    // Three target values of two coefficients, each for 1, 2 and 3 judges.
    assert_eq!(found.queries_needed.len(), 18);
    assert_eq!(found.judges_needed.len(), 6);
    let bought = found.budget.iter().map(|row| (row.judges, row.queries));
    let bought: Vec<_> = bought.collect();
    assert_eq!(bought, [(Some(1), 120), (Some(2), 60), (Some(3), 40)]);
    assert_eq!(found.budget.iter().filter(|row| row.best).count(), 1);
}

#[test]
fn more_assessors_or_a_nested_design_need_no_more_queries() {
    let scores = judged(5, 12, 3);
    let needed = |design: Design| -> Vec<f64> {
        let request = PlanRequest {
            erho2: vec![0.8],
            judges: vec![1, 2, 4],
            design,
            ..PlanRequest::default()
        };
        let found = plan_measure(&request, PlanInput::ByAssessor(&scores));
        let rows = found.queries_needed.iter();
        rows.filter(|row| row.coefficient == GCoefficient::Erho2)
            .map(|row| row.queries.value)
            .collect()
    };
    let (crossed, nested) = (needed(Design::Crossed), needed(Design::Nested));
    assert_eq!(crossed.len(), 3);
    assert!(
        crossed.is_sorted_by(|one, other| one >= other),
        "{crossed:?}"
    );
    let fewer = nested.iter().zip(&crossed).all(|(n, c)| n <= c);
    assert!(fewer, "{nested:?} {crossed:?}");
}

#[test]
fn systems_that_differ_only_by_chance_need_infinitely_many_queries() {
    let values = [
        [0.1, 0.9, 0.4],
        [0.9, 0.2, 0.5],
        [0.4, 0.5, 0.1],
        [0.5, 0.3, 0.9],
        [0.2, 0.2, 0.3],
    ];
    let scores = ScoreMatrix::new("AP", ["a", "b", "c"], names('q', 5), values.concat()).unwrap();
    let found = plan_measure(&PlanRequest::default(), PlanInput::Scores(&scores));
    assert!(found.components[0].component.estimate < 0.0);
    assert_eq!(found.erho2.value, 0.0);
    assert_eq!(found.queries_needed[0].queries.value, f64::INFINITY);
}
