//! Planning: published examples, values of other programs, simulated scores and properties.

use partita_core::plan::{
    AssessorGStudy, Design, DifferenceVariance, EffectDistribution, GCoefficient, PlanEstimate,
    PlanInputError, QueryGStudy, TTestDesign, VarianceChoice,
};
use partita_core::{AssessorScores, ScoreMatrix};
use partita_stats::random::{standard_normal, stream};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::numbers;

fn fixture() -> Value {
    serde_json::from_str(include_str!("../fixtures/plan.json")).expect("JSON")
}

/// Returns the scores of a case of the fixture, one row per query.
fn score_rows(case: &Value) -> Vec<Vec<f64>> {
    let rows = case["scores"].as_array().unwrap().iter();
    rows.map(numbers).collect()
}

/// Estimates both coefficients with this number of queries, Eρ² first.
fn coefficients(study: &QueryGStudy, queries: f64, confidence: f64) -> [PlanEstimate; 2] {
    [GCoefficient::Erho2, GCoefficient::Phi]
        .map(|which| study.coefficient(which, queries, confidence).unwrap())
}

/// Estimates the variance components, with intervals for normal effects.
fn normal_study(scores: &ScoreMatrix) -> QueryGStudy {
    let study = QueryGStudy::new(scores).unwrap();
    study.with_effect_distribution(EffectDistribution::Normal)
}

/// Creates scores from one row per query.
fn scores(rows: &[Vec<f64>]) -> ScoreMatrix {
    let systems = (0..rows[0].len()).map(|system| format!("s{system}"));
    let queries = (0..rows.len()).map(|query| format!("q{query}"));
    ScoreMatrix::new("AP", systems, queries, rows.concat()).expect("scores")
}

/// Creates scores by assessor from values ordered by query, system and assessor.
fn judged(sizes: [usize; 3], values: Vec<f64>) -> AssessorScores {
    let names = |letter: char, count: usize| (0..count).map(move |n| format!("{letter}{n}"));
    let [systems, queries, judges] = sizes;
    let (systems, queries) = (names('s', systems), names('q', queries));
    AssessorScores::new("AP", systems, queries, names('j', judges), values).expect("scores")
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance * expected.abs().max(1e-3),
        "{found} is not {expected}"
    );
}

#[test]
fn components_coefficients_and_intervals_match_numpy_and_scipy() {
    for case in fixture()["crossed"].as_array().unwrap() {
        let rows = score_rows(case);
        let scores = scores(&rows);
        let study = normal_study(&scores);
        let squares = numbers(&case["mean_squares"]);
        let estimates = numbers(&case["estimates"]);
        for (number, component) in study.components().iter().enumerate() {
            near(component.mean_square, squares[number], 1e-11);
            near(component.estimate, estimates[number], 1e-10);
            assert_eq!(component.variance, component.estimate.max(0.0));
        }
        let n = rows.len() as f64;
        for (name, found) in ["erho2", "phi"].iter().zip(coefficients(&study, n, 0.95)) {
            near(found.value, case[*name].as_f64().unwrap(), 1e-10);
            let ends = numbers(&case[&format!("{name}_interval")]);
            near(found.lower, ends[0], 1e-9);
            near(found.upper, ends[1], 1e-9);
        }
        for (which, name) in [
            (VarianceChoice::Mean, "mean_pair_variance"),
            (VarianceChoice::Largest, "largest_pair_variance"),
        ] {
            let found = DifferenceVariance::estimate(&scores, which, 0.95).unwrap();
            near(found.variance.value, case[name].as_f64().unwrap(), 1e-11);
            assert!(found.variance.lower < found.variance.value);
            assert!(found.variance.value < found.variance.upper);
        }
    }
}

#[test]
fn the_example_of_shrout_and_fleiss_has_its_published_values() {
    // Shrout and Fleiss (1979), Table 4, give the mean squares and the intraclass correlations
    // ICC(3,4) = .91 and ICC(2,4) = .62, which are Eρ² and Φ with their targets as systems and
    // their judges as queries. McGraw and Wong (1996) give the interval [.68, .99] for ICC(C,4).
    let case = &fixture()["crossed"][0];
    let study = normal_study(&scores(&score_rows(case)));
    let squares = study.components().map(|component| component.mean_square);
    for (found, published) in squares.iter().zip([11.24, 32.49, 1.02]) {
        assert!((found - published).abs() < 0.005);
    }
    let [erho2, phi] = coefficients(&study, 4.0, 0.95);
    let [erho2_of_one, phi_of_one] = coefficients(&study, 1.0, 0.95);
    for (found, published) in [
        (erho2.value, 0.91),
        (phi.value, 0.62),
        (erho2.lower, 0.68),
        (erho2.upper, 0.99),
        (erho2_of_one.value, 0.71),
        (phi_of_one.value, 0.29),
    ] {
        assert!((found - published).abs() < 0.006, "{found} {published}");
    }
}

#[test]
fn the_seven_components_match_numpy() {
    for case in fixture()["judged"].as_array().unwrap() {
        let size = |name: &str| case[name].as_u64().unwrap() as usize;
        let sizes = [size("systems"), size("queries"), size("judges")];
        let study = AssessorGStudy::new(&judged(sizes, numbers(&case["values"]))).unwrap();
        let (df, squares) = (numbers(&case["df"]), numbers(&case["mean_squares"]));
        let estimates = numbers(&case["estimates"]);
        for (number, component) in study.components().iter().enumerate() {
            assert_eq!(component.df as f64, df[number]);
            near(component.mean_square, squares[number], 1e-10);
            near(component.estimate, estimates[number], 1e-9);
        }
    }
}

#[test]
fn numbers_of_queries_and_powers_match_statsmodels() {
    for case in fixture()["t_test"].as_array().unwrap() {
        let number = |name: &str| case[name].as_f64().unwrap();
        let test = TTestDesign::new(number("alpha"), number("power")).unwrap();
        let queries = case["queries"].as_u64().unwrap();
        assert_eq!(test.queries_for(number("effect")), Some(queries), "{case}");
        near(
            test.power(queries, number("effect")),
            number("power_at"),
            1e-9,
        );
        let detectable = test.detectable_difference(queries);
        assert!(detectable <= number("effect") * (1.0 + 1e-9), "{case}");
        near(test.power(queries, detectable), number("power"), 1e-9);
    }
}

#[test]
fn the_power_without_a_difference_is_the_level() {
    let test = TTestDesign::new(0.05, 0.8).unwrap();
    near(test.power(20, 0.0), 0.05, 1e-10);
    assert_eq!(test.queries_for(0.0), None);
    assert_eq!(test.power(1, 3.0), 0.0);
    assert_eq!(test.detectable_difference(1), f64::INFINITY);
    assert!(TTestDesign::new(0.05, 0.04).is_err());
    assert!(TTestDesign::new(0.0, 0.8).is_err());
    assert!(TTestDesign::new(0.05, 1.0).is_err());
}

/// Standard deviations of the effects in the order system, query, judge, system:query,
/// system:judge, query:judge, residual.
type Deviations = [f64; 7];

/// Simulates scores as sums of normally distributed effects.
fn simulated_scores(sizes: [usize; 3], deviations: Deviations, seed: u64) -> AssessorScores {
    let mut rng = stream(seed, &[]);
    let [s, q, j] = sizes;
    let mut draw = |count: usize, number: usize| -> Vec<f64> {
        let drawn = (0..count).map(|_| deviations[number] * standard_normal(&mut rng));
        drawn.collect()
    };
    let effects = [
        draw(s, 0),
        draw(q, 1),
        draw(j, 2),
        draw(s * q, 3),
        draw(s * j, 4),
        draw(q * j, 5),
        draw(s * q * j, 6),
    ];
    let mut values = Vec::new();
    for query in 0..q {
        for system in 0..s {
            for judge in 0..j {
                let places = [
                    system,
                    query,
                    judge,
                    system * q + query,
                    system * j + judge,
                    query * j + judge,
                    (system * q + query) * j + judge,
                ];
                let effects = effects.iter().zip(places);
                values.push(effects.map(|(effect, place)| effect[place]).sum());
            }
        }
    }
    judged(sizes, values)
}

#[test]
fn the_components_of_simulated_scores_are_recovered() {
    let deviations = [0.2, 0.3, 0.15, 0.25, 0.1, 0.12, 0.2];
    // Sums over simulations: the mean of unbiased estimates is close to the true variance.
    let mut sums = [0.0; 7];
    const SIMULATIONS: u64 = 40;
    for seed in 0..SIMULATIONS {
        let study = AssessorGStudy::new(&simulated_scores([12, 20, 8], deviations, seed)).unwrap();
        for (sum, component) in sums.iter_mut().zip(study.components()) {
            *sum += component.estimate / SIMULATIONS as f64;
        }
    }
    for (sum, deviation) in sums.iter().zip(deviations) {
        let variance = deviation * deviation;
        assert!((sum / variance - 1.0).abs() < 0.25, "{sum} {variance}");
    }
}

#[test]
fn equal_assessors_give_the_study_of_queries() {
    let deviations = [0.2, 0.3, 0.0, 0.25, 0.0, 0.0, 0.0];
    let scores = simulated_scores([6, 15, 3], deviations, 5);
    let (three, two) = (
        AssessorGStudy::new(&scores).unwrap(),
        QueryGStudy::new(scores.means()).unwrap(),
    );
    for design in [Design::Crossed, Design::Nested] {
        for which in [GCoefficient::Erho2, GCoefficient::Phi] {
            let found = three.decomposition(which, design).coefficient(15.0, 3.0);
            near(found, two.decomposition(which).coefficient(15.0, 1.0), 1e-9);
        }
    }
}

#[test]
fn drawn_intervals_equal_feldts_if_assessors_do_not_matter() {
    // Judges who all give the same scores add no variance, so the random draws must give the exact
    // interval.
    let scores = simulated_scores([8, 20, 2], [0.2, 0.3, 0.0, 0.4, 0.0, 0.0, 0.0], 9);
    let [exact, _] = coefficients(&normal_study(scores.means()), 20.0, 0.9);
    let study = AssessorGStudy::new(&scores)
        .unwrap()
        .with_effect_distribution(EffectDistribution::Normal);
    let drawn = study.draw_variances(0.9, 20_000, 1).unwrap();
    let drawn = drawn.estimate(GCoefficient::Erho2, Design::Crossed, |spread| {
        spread.coefficient(20.0, 2.0)
    });
    for (found, expected) in [
        (drawn.value, exact.value),
        (drawn.lower, exact.lower),
        (drawn.upper, exact.upper),
    ] {
        assert!((found - expected).abs() < 0.01, "{drawn:?} {exact:?}");
    }
}

#[test]
fn an_outlying_system_widens_the_intervals() {
    let mut rng = stream(3, &[]);
    let mut rows: Vec<Vec<f64>> = (0..20)
        .map(|_| (0..12).map(|_| 0.1 * standard_normal(&mut rng)).collect())
        .collect();
    rows.iter_mut().for_each(|row| row[0] -= 1.0);
    let scores = scores(&rows);
    let width = |shape| {
        let study = QueryGStudy::new(&scores)
            .unwrap()
            .with_effect_distribution(shape);
        coefficients(&study, 20.0, 0.95).map(|found| found.upper - found.lower)
    };
    let (wide, narrow) = (
        width(EffectDistribution::AsObserved),
        width(EffectDistribution::Normal),
    );
    assert!(
        wide[0] > narrow[0] && wide[1] > narrow[1],
        "{wide:?} {narrow:?}"
    );
}

#[test]
fn the_same_seed_draws_the_same_variances() {
    let scores = simulated_scores([4, 8, 3], [0.2; 7], 2);
    let study = AssessorGStudy::new(&scores).unwrap();
    let drawn = |seed| {
        let uncertain = study.draw_variances(0.95, 500, seed).unwrap();
        uncertain.estimate(GCoefficient::Phi, Design::Nested, |spread| {
            spread.coefficient(8.0, 3.0)
        })
    };
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
}

#[test]
fn unusable_scores_are_rejected() {
    let refused = |rows: &[Vec<f64>]| QueryGStudy::new(&scores(rows)).unwrap_err();
    let message = |rows: &[Vec<f64>]| refused(rows).to_string();
    assert_eq!(
        message(&[vec![0.1], vec![0.2], vec![0.3]]),
        "planning needs at least 2 systems, and there is only 1"
    );
    assert_eq!(
        message(&[vec![0.1, 0.2], vec![0.2, 0.5]]),
        "planning needs at least 3 queries, and there are only 2"
    );
    assert!(matches!(
        refused(&[vec![0.3, 0.3], vec![0.3, 0.3], vec![0.3, 0.3]]),
        PlanInputError::Constant { .. }
    ));
    assert!(matches!(
        refused(&[vec![0.1, 0.2], vec![0.3, 0.4], vec![0.7, 0.8]]),
        PlanInputError::NoResidual { .. }
    ));
    let one = judged([2, 3, 1], vec![0.1, 0.2, 0.4, 0.1, 0.3, 0.9]);
    assert!(matches!(
        AssessorGStudy::new(&one),
        Err(PlanInputError::TooFew { what: "judges", .. })
    ));
    assert!(matches!(
        AssessorGStudy::new(&judged([2, 3, 2], vec![0.5; 12])),
        Err(PlanInputError::Constant { .. })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn more_queries_increase_coefficients_and_phi_never_exceeds_erho2(
        rows in proptest::collection::vec(proptest::collection::vec(0.0..1.0f64, 4), 4..12),
        n in 2.0..60.0f64,
    ) {
        let study = QueryGStudy::new(&scores(&rows)).unwrap();
        let [erho2, phi] = coefficients(&study, n, 0.95);
        prop_assert!(phi.value <= erho2.value + 1e-12);
        let more = study.coefficient(GCoefficient::Erho2, n + 5.0, 0.95).unwrap();
        prop_assert!(more.value >= erho2.value && more.lower >= erho2.lower);
        for found in [erho2, phi] {
            prop_assert!(0.0 <= found.lower && found.lower <= found.upper && found.upper <= 1.0);
        }
        for wanted in [0.5, 0.8, 0.95] {
            let needed = study.queries_for(GCoefficient::Erho2, wanted, 0.95).unwrap();
            prop_assert!(needed.lower <= needed.value && needed.value <= needed.upper);
            if needed.value.is_finite() {
                prop_assert!(study.coefficient(GCoefficient::Erho2, needed.value, 0.95).unwrap().value >= wanted - 1e-9);
            }
            let for_phi = study.queries_for(GCoefficient::Phi, wanted, 0.95).unwrap();
            prop_assert!(for_phi.value >= needed.value);
        }
    }

    #[test]
    fn scaling_and_shifting_scores_changes_no_coefficient(
        rows in proptest::collection::vec(proptest::collection::vec(0.0..1.0f64, 3), 4..8),
        scale in 0.1..50.0f64,
        shift in -5.0..5.0f64,
    ) {
        let other: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| row.iter().map(|x| scale * x + shift).collect())
            .collect();
        let [one, two] = [&rows, &other]
            .map(|rows| coefficients(&QueryGStudy::new(&scores(rows)).unwrap(), 10.0, 0.9));
        for (a, b) in one.iter().zip(two) {
            prop_assert!((a.value - b.value).abs() < 1e-6);
            prop_assert!((a.lower - b.lower).abs() < 1e-6);
        }
    }

    #[test]
    fn more_assessors_increase_coefficients(
        values in proptest::collection::vec(0.0..1.0f64, 36),
        n in 2.0..40.0f64,
        m in 1.0..10.0f64,
    ) {
        let study = AssessorGStudy::new(&judged([3, 4, 3], values)).unwrap();
        for design in [Design::Crossed, Design::Nested] {
            let (relative, absolute) = (study.decomposition(GCoefficient::Erho2, design), study.decomposition(GCoefficient::Phi, design));
            let here = relative.coefficient(n, m);
            prop_assert!(absolute.coefficient(n, m) <= here + 1e-12);
            prop_assert!(relative.coefficient(n + 1.0, m) >= here);
            prop_assert!(relative.coefficient(n, m + 1.0) >= here);
        }
        // In a nested design the error of the judges is divided by queries, too.
        let nested = study.decomposition(GCoefficient::Erho2, Design::Nested).coefficient(n, m);
        prop_assert!(nested >= study.decomposition(GCoefficient::Erho2, Design::Crossed).coefficient(n, m) - 1e-12);
        prop_assert!(study.decomposition(GCoefficient::Erho2, Design::Crossed).difference_variance(m) >= 0.0);
    }
}
