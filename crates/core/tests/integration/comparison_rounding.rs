//! Score differences that are only floating-point error: tests treat them as equal unless rounding
//! is off, report the number of ties, and agree with the tests of `partita-stats`.

use partita_core::ScoreMatrix;
use partita_core::comparison::{Comparison, ComparisonOptions, compare};
use partita_core::significance::system_tests;
use partita_core::work::SequentialWork;
use partita_stats::differences::{Differences, Rounding};
use partita_stats::friedman::friedman;
use partita_stats::random::stream;
use partita_stats::randomization::test_differences;
use partita_stats::sign_test::sign_test;
use partita_stats::signed_rank::{SignedRankMethod, ZeroMethod, signed_rank};
use partita_stats::t_test::one_sample;

fn scores(x: &[f64], y: &[f64]) -> ScoreMatrix {
    let values = x.iter().zip(y).flat_map(|(&x, &y)| [x, y]).collect();
    let queries = (0..x.len()).map(|query| format!("q{query:02}"));
    ScoreMatrix::new("score", ["x", "y"], queries, values).expect("scores")
}

fn run(x: &[f64], y: &[f64], test: &str, rounding: Rounding) -> Comparison {
    let settings = ComparisonOptions {
        rounding,
        samples: Some(999),
        margin: (test == "equivalence").then_some(0.05),
        ..ComparisonOptions::default()
    };
    let found = compare(&scores(x, y), test, &settings, &SequentialWork);
    found.expect("a comparison")
}

/// Returns the two-sided p-value of the test in `partita-stats`; `None` if it has no such test.
fn p_value_of_partita_stats(x: &[f64], y: &[f64], test: &str, rounding: Rounding) -> Option<f64> {
    let d = Differences::from_pairs(x, y, rounding).expect("differences");
    let p = match test {
        "wilcoxon" => {
            signed_rank(&d.rounded(), ZeroMethod::Wilcox, SignedRankMethod::Auto)
                .expect("p")
                .p
        }
        "sign" => sign_test(&d.rounded()).expect("p").p,
        "t" => one_sample(&d.for_mean_test()).expect("p").p,
        "permutation" => test_differences(&d, 1, &mut stream(1, &[])).expect("p").p,
        "friedman-tukey" => {
            let rows: Vec<[f64; 2]> = x.iter().zip(y).map(|(&x, &y)| [x, y]).collect();
            let (rows, _) = rounding.round_rows(&rows);
            return Some(
                friedman(&rows)
                    .expect("ranks")
                    .tukey(0.05)
                    .expect("p")
                    .pairs[0]
                    .p,
            );
        }
        _ => return None,
    };
    Some(p.two_sided)
}

#[test]
fn small_differences_keep_their_ranks_in_every_test() {
    // Rounding keeps differences of 1e-10 to 6e-10 apart, near 0 and near 0.5.
    for base in [0.0, 0.5] {
        let x: Vec<f64> = (1..=6).map(|i| base + 1e-10 * f64::from(i)).collect();
        let y = [base; 6];
        let found = run(&x, &y, "wilcoxon", Rounding::Relative);
        assert_eq!(found.pairs[0].p, Some(0.03125));
        assert_eq!((found.rounding.ties, found.pairs[0].wins), (0, 6));
        for (test, _) in system_tests().filter(|(test, _)| test.name != "equivalence") {
            let found = run(&x, &y, test.name, Rounding::Relative);
            let p = found.pairs[0].p.expect("a p-value");
            assert!(p < 0.15, "{}: {p}", test.name);
        }
    }
}

#[test]
fn rounding_makes_ties_and_reports_their_number() {
    // 0.3 - 0.2 and 0.1 - 0 become equal by rounding, and so do 0.1 + 0.2 and 0.3.
    let x = [0.3, 0.1, 0.9, 0.1 + 0.2, 0.7, 0.5];
    let y = [0.2, 0.0, 0.8, 0.3, 0.6, 0.9];
    let rounded = run(&x, &y, "wilcoxon", Rounding::Relative);
    let exact = run(&x, &y, "wilcoxon", Rounding::None);
    assert_eq!(rounded.pairs[0].ties, 1);
    assert_eq!((exact.pairs[0].ties, exact.rounding.ties), (0, 0));
    // Distinct absolute differences before rounding; 0, 0.1 and 0.4 remain after it.
    let sizes = x.iter().zip(&y).map(|(x, y)| (x - y).abs());
    let mut sizes: Vec<u64> = sizes.map(f64::to_bits).chain([0]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    assert_eq!(rounded.rounding.ties, sizes.len() - 3);
    assert_ne!(rounded.pairs[0].p, exact.pairs[0].p);
}

#[test]
fn differences_that_are_equal_after_rounding_have_no_variance() {
    let x = [0.3, 0.1, 0.9, 0.7];
    let y = [0.2, 0.0, 0.8, 0.6];
    for test in ["t", "bootstrap"] {
        assert_eq!(
            run(&x, &y, test, Rounding::Relative).pairs[0].p,
            None,
            "{test}"
        );
    }
    assert!(run(&x, &y, "t", Rounding::None).pairs[0].p > Some(0.0));
}

#[test]
fn comparisons_agree_with_the_plain_tests_at_any_scale_and_rounding() {
    let x = [0.31, 0.12, 0.9, 0.1 + 0.2, 0.7, 0.5, 0.4];
    let y = [0.21, 0.02, 0.8, 0.3, 0.65, 0.9, 0.1];
    for size in [1e-12, 1e-9, 1.0, 100.0, 1e9] {
        let [x, y] = [x, y].map(|scores| scores.map(|score| score * size));
        for rounding in [Rounding::Relative, Rounding::None] {
            for (test, _) in system_tests() {
                let found = run(&x, &y, test.name, rounding).pairs[0]
                    .p
                    .expect("a p-value");
                if let Some(p) = p_value_of_partita_stats(&x, &y, test.name, rounding) {
                    assert!(
                        (found - p).abs() < 1e-12,
                        "{} {size}: {found} {p}",
                        test.name
                    );
                }
            }
        }
    }
}

#[test]
fn the_scale_of_the_scores_changes_no_p_value() {
    let x = [0.31, 0.12, 0.9, 0.1 + 0.2, 0.7, 0.5, 0.4];
    let y = [0.21, 0.02, 0.8, 0.3, 0.65, 0.9, 0.1];
    for (test, _) in system_tests().filter(|(test, _)| test.name != "equivalence") {
        let p = |size: f64| {
            let [x, y] = [x, y].map(|scores| scores.map(|score| score * size));
            let found = run(&x, &y, test.name, Rounding::Relative);
            found.pairs[0].p.expect("a p-value")
        };
        for size in [1e-12, 1e-6, 1e3, 1e9] {
            assert!((p(size) - p(1.0)).abs() < 1e-12, "{} {size}", test.name);
        }
    }
}
