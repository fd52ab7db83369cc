//! Controlled error rates, and agreement of tests with their intervals.

use partita_core::ScoreMatrix;
use partita_core::comparison::{ComparisonOptions, ControlledErrorRate, PairComparison, compare};
use partita_core::truth::{Alpha, Tails};
use partita_core::work::SequentialWork;
use partita_stats::adjustment::Adjustment;
use partita_stats::random::{RandomStream, standard_normal, stream};

/// Returns scores of two systems x and y with these differences.
fn two_systems(differences: &[f64]) -> ScoreMatrix {
    let values = differences.iter().flat_map(|&d| [d, 0.0]).collect();
    let queries = (0..differences.len()).map(|query| format!("q{query:03}"));
    ScoreMatrix::new("score", ["x", "y"], queries, values).expect("scores")
}

/// Compares two systems x and y with these differences. The flag is true if x has the higher mean.
fn pair(differences: &[f64], test: &str, settings: &ComparisonOptions) -> (PairComparison, bool) {
    let found =
        compare(&two_systems(differences), test, settings, &SequentialWork).expect("a comparison");
    (found.pairs[0].clone(), &*found.systems[0].name == "x")
}

fn settings(alpha: f64, tails: Tails) -> ComparisonOptions {
    ComparisonOptions {
        alpha: Alpha::new(alpha).expect("a level"),
        tails,
        samples: Some(299),
        ..ComparisonOptions::default()
    }
}

/// Draws from the log-normal distribution with σ = 1, shifted to mean 0.
fn draw_skewed(rng: &mut RandomStream) -> f64 {
    standard_normal(rng).exp() - 0.5f64.exp()
}

/// Draws from Student's t distribution with two degrees of freedom.
fn draw_heavy_tailed(rng: &mut RandomStream) -> f64 {
    let z = standard_normal(rng);
    let chi2 = standard_normal(rng).powi(2) + standard_normal(rng).powi(2);
    z / (chi2 / 2.0).sqrt()
}

/// Returns the rates at which the bootstrap test finds the first of two equal systems worse, and
/// better.
fn rejection_rates(
    law: fn(&mut RandomStream) -> f64,
    alpha: f64,
    tails: Tails,
    path: u64,
) -> (f64, f64) {
    const SETS: u64 = 400;
    let (mut below, mut above) = (0u32, 0u32);
    for set in 0..SETS {
        let mut rng = stream(21, &[path, set]);
        let d: Vec<f64> = (0..20).map(|_| law(&mut rng)).collect();
        let (found, ahead) = pair(&d, "bootstrap", &settings(alpha, tails));
        above += u32::from(found.significant && ahead);
        below += u32::from(found.significant && !ahead);
    }
    let share = |count: u32| f64::from(count) / SETS as f64;
    (share(below), share(above))
}

#[test]
fn one_tailed_tests_in_both_directions_control_and_report_twice_alpha() {
    // Scores of five equal systems, normally distributed: ten comparisons without a true
    // difference.
    const SETS: u64 = 800;
    for correction in [Adjustment::Bonferroni, Adjustment::Holm] {
        let mut wrong = [0u32; 2];
        for set in 0..SETS {
            let mut rng = stream(31, &[set]);
            let values = (0..5 * 12).map(|_| standard_normal(&mut rng)).collect();
            let queries = (0..12).map(|query| format!("q{query:02}"));
            let systems = ["a", "b", "c", "d", "e"];
            let scores = ScoreMatrix::new("score", systems, queries, values).expect("scores");
            for (tails, wrong) in [Tails::One, Tails::Two].into_iter().zip(&mut wrong) {
                let settings = ComparisonOptions {
                    correction: Some(correction),
                    tails,
                    ..ComparisonOptions::default()
                };
                let found =
                    compare(&scores, "t", &settings, &SequentialWork).expect("a comparison");
                *wrong += u32::from(found.significant > 0);
                let rates = found.error_rates;
                assert_eq!(rates.controlled, Some(ControlledErrorRate::ExperimentWide));
                let level = if tails == Tails::One { 0.1 } else { 0.05 };
                assert_eq!(rates.controlled_at, Some(level));
            }
        }
        let [one, two] = wrong.map(|count| f64::from(count) / SETS as f64);
        // Limit: four standard errors above the controlled rate. One-tailed tests err more often
        // than alpha, so their rate also has a lower limit.
        let error = |level: f64| 4.0 * (level * (1.0 - level) / SETS as f64).sqrt();
        assert!(two < 0.05 + error(0.05), "{correction:?}: {two}");
        assert!(one < 0.10 + error(0.10), "{correction:?}: {one}");
        assert!(one > 0.06, "{correction:?}: {one}");
    }
}

#[test]
fn the_bootstrap_interval_excludes_0_exactly_if_the_test_rejects() {
    let laws: [fn(&mut RandomStream) -> f64; 3] = [standard_normal, draw_skewed, draw_heavy_tailed];
    let mut rejected = 0;
    for set in 0..300u64 {
        let mut rng = stream(41, &[set]);
        let law = laws[set as usize % laws.len()];
        let n = 5 + set as usize % 20;
        let d: Vec<f64> = (0..n).map(|_| law(&mut rng) + 0.3).collect();
        for (tails, alpha) in [(Tails::Two, 0.1), (Tails::One, 0.1), (Tails::Two, 0.317)] {
            let (found, _) = pair(&d, "bootstrap", &settings(alpha, tails));
            let Some((low, high)) = found.lower.zip(found.upper) else {
                assert!(!found.significant, "{d:?}");
                continue;
            };
            let outside = low > 0.0 || high < 0.0;
            assert_eq!(outside, found.significant, "{tails:?} {alpha} {d:?}");
            assert!(low <= found.difference && found.difference <= high);
            rejected += u32::from(found.significant);
        }
    }
    assert!(rejected > 100, "{rejected}");
}

#[test]
fn the_bootstrap_test_has_its_documented_error_rates() {
    // Tolerance: about three standard errors of a share of 0.13 in 400 sets.
    let near = |found: f64, said: f64| (found - said).abs() < 0.05;
    let (below, above) = rejection_rates(draw_skewed, 0.1, Tails::Two, 2);
    assert!(near(below + above, 0.13) && above < 0.03, "{below} {above}");
    let (below, above) = rejection_rates(draw_heavy_tailed, 0.1, Tails::One, 3);
    assert!(near(below, 0.12) && near(above, 0.13), "{below} {above}");
    assert!(below + above > 0.2, "{below} {above}");
}
