//! Rejection rates of the tests of two systems that do not differ in their means, by simulation.
//!
//! Differences of two systems are drawn with mean 0 from a symmetric and from a skewed
//! distribution. A test that keeps its level rejects in a share alpha of the sets. Rates are
//! printed as a table, one row per distribution, number of queries and level.
//!
//! `cargo run --release -p partita-core --example skewed_differences -- SETS`

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use partita_core::ScoreMatrix;
use partita_core::comparison::{ComparisonOptions, compare};
use partita_core::truth::Alpha;
use partita_core::work::SequentialWork;
use partita_stats::random::{RandomStream, standard_normal, stream};

/// Tests whose rates are measured, in the order of the columns.
const TESTS: [&str; 4] = ["bootstrap", "t", "permutation", "wilcoxon"];

/// Numbers of queries and levels, in the order of the rows.
const SETTINGS: [(usize, f64); 4] = [(20, 0.10), (20, 0.05), (50, 0.05), (200, 0.05)];

/// Draws a difference with mean 0.
type Draw = fn(&mut RandomStream) -> f64;

/// Draws a log-normal number with σ = 1, minus the mean of such numbers.
fn skewed(rng: &mut RandomStream) -> f64 {
    standard_normal(rng).exp() - 0.5f64.exp()
}

/// Counts the sets of differences in which each test rejects.
fn rejections(draw: Draw, queries: usize, alpha: f64, sets: u64) -> [u64; TESTS.len()] {
    let mut counts = [0; TESTS.len()];
    let names: Vec<String> = (0..queries).map(|query| query.to_string()).collect();
    for set in 0..sets {
        let mut rng = stream(set, &[queries as u64]);
        let values = (0..queries).flat_map(|_| [draw(&mut rng), 0.0]).collect();
        let scores = ScoreMatrix::new("score", ["a", "b"], &names, values).unwrap();
        for (count, test) in counts.iter_mut().zip(TESTS) {
            let drawn = ["bootstrap", "permutation"].contains(&test);
            let options = ComparisonOptions {
                alpha: Alpha::new(alpha).unwrap(),
                samples: drawn.then_some(999),
                seed: set,
                ..ComparisonOptions::default()
            };
            *count += compare(&scores, test, &options, &SequentialWork)
                .unwrap()
                .significant as u64;
        }
    }
    counts
}

fn main() {
    let sets = std::env::args()
        .nth(1)
        .map_or(2_000, |sets| sets.parse().unwrap());
    println!("| differences | queries, level | {} |", TESTS.join(" | "));
    println!("|---|---|{}", "---|".repeat(TESTS.len()));
    let distributions: [(&str, Draw); 2] = [
        ("normal", |rng| standard_normal(rng)),
        ("log-normal, σ = 1", skewed),
    ];
    for (name, draw) in distributions {
        for (queries, alpha) in SETTINGS {
            let counts = rejections(draw, queries, alpha, sets);
            let rates = counts.map(|count| format!("{:.3}", count as f64 / sets as f64));
            println!("| {name} | {queries}, {alpha:.2} | {} |", rates.join(" | "));
        }
    }
}
