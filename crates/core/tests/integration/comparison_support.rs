//! Scores and options that tests of comparisons share.

use partita_core::ScoreMatrix;
use partita_core::comparison::{Comparison, ComparisonOptions, compare};
use partita_core::work::SequentialWork;
use partita_stats::random::{standard_normal, stream, uniform_index};
use proptest::prelude::*;

/// Returns options that every test can use and that are quick to compute.
pub(crate) fn quick_options(test: &str) -> ComparisonOptions {
    ComparisonOptions {
        samples: Some(199),
        margin: (test == "equivalence").then_some(0.1),
        ..ComparisonOptions::default()
    }
}

pub(crate) fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{prefix}{i:03}")).collect()
}

/// Draws scores of `k` systems on `n` queries. The queries differ in difficulty, and each system is
/// better than the next by `effect`.
pub(crate) fn draw_scores(k: usize, n: usize, effect: f64, path: &[u64]) -> ScoreMatrix {
    let mut rng = stream(11, path);
    let mut values = Vec::new();
    for _ in 0..n {
        let difficulty = standard_normal(&mut rng);
        for system in 0..k {
            let score = difficulty - effect * system as f64 + standard_normal(&mut rng);
            values.push(score);
        }
    }
    ScoreMatrix::new("score", names("s", k), names("q", n), values).expect("scores")
}

/// Draws scores with few distinct values, so that there are ties.
pub(crate) fn coarse_scores() -> impl Strategy<Value = ScoreMatrix> {
    (2..5usize, 3..24usize, any::<u64>()).prop_map(|(k, n, seed)| {
        let mut rng = stream(seed, &[]);
        let mut values: Vec<f64> = (0..k * n)
            .map(|_| uniform_index(&mut rng, 6) as f64 / 5.0)
            .collect();
        values[0] = 2.0;
        ScoreMatrix::new("AP", names("s", k), names("q", n), values).expect("scores")
    })
}

pub(crate) fn run(scores: &ScoreMatrix, test: &str, settings: &ComparisonOptions) -> Comparison {
    compare(scores, test, settings, &SequentialWork).expect("a comparison")
}

/// Systems, p-values and better system of a pair.
type NamedPair = (String, String, Option<f64>, Option<f64>, Option<String>);

/// Returns the systems, p-values and better system of each pair, by the names of its systems.
pub(crate) fn pairs_by_name(found: &Comparison) -> Vec<NamedPair> {
    let pairs = found.pairs.iter().map(|pair| {
        let better = pair.better.as_ref().map(ToString::to_string);
        let [a, b] = [&pair.a, &pair.b].map(ToString::to_string);
        (a, b, pair.p, pair.p_adjusted, better)
    });
    pairs.collect()
}
