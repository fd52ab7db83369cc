//! Randomised version of Tukey's honestly significant difference.
//!
//! If no system were better than another, the scores of a query could equally have been in any
//! other order. The scores are shuffled within every query, B times, and each time the largest mean
//! minus the smallest is recorded. p of a pair is (1 + #)/(B + 1), where # counts the shuffles
//! whose largest difference is at least that of the pair (Carterette 2012). The test compares
//! means, assumes that systems are exchangeable on every query, and holds for all pairs together, so it needs no further
//! correction. The interval is the difference plus or minus the critical difference.
//!
//! Differences that are equal up to rounding error are equal, unless the options turn rounding off.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::comparison::{ComparisonOptions, compare};
//! use partita_core::work::SequentialWork;
//!
//! let values = (0..10).flat_map(|i| [0.1 * f64::from(i), 0.1 * f64::from(i) + 0.3, 0.5]);
//! let queries = (1..=10).map(|query| query.to_string());
//! let scores = ScoreMatrix::new("AP", ["x", "y", "z"], queries, values.collect())?;
//! let found = compare(&scores, "randomised-tukey", &ComparisonOptions::default(), &SequentialWork)?;
//! assert_eq!(found.pairs.len(), 3);
//! assert!(found.pairs.iter().all(|pair| pair.p == pair.p_adjusted));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::differences::max_abs;
use partita_stats::random::{shuffle, stream, stream_id};

use super::system_test::{
    ComparedQuantity, CriticalDifference, PairTestOutput, TestInput, TestOutput,
};
use super::{SignificanceTest, SystemTest, TestGoal, TestOption};
use crate::comparison::ComparisonError;

/// Registry entry of the test `randomised-tukey`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "randomised-tukey",
    aliases: &["randomized-tukey"],
    summary: "Tukey's HSD of means by shuffling the scores of every query",
    description: "Scores are shuffled among the systems within each query; the share of shuffles \
                  whose largest difference of means is at least that of the pair.",
    reference: "B. Carterette, Multiple Testing in Statistical Analysis of Systems-Based \
                Information Retrieval Experiments, ACM Transactions on Information Systems 30, 2012",
    system_test: Some(SystemTest {
        simultaneous: true,
        goal: TestGoal::Difference,
        options: &[TestOption::Samples],
        run: run_test,
        prepare_batch: None,
    }),
    sample_test: None,
};

/// Number of shuffles that one stream of random numbers generates.
const SHUFFLES_PER_STREAM: usize = 256;

/// Runs the test on all pairs of systems.
fn run_test(input: &TestInput) -> Result<TestOutput, ComparisonError> {
    let scores = input.scores;
    // A shuffled score takes about four nanoseconds.
    let cells = input.queries() * scores.systems().len();
    let usual = (2_000_000_000 / cells).clamp(10_000, 100_000);
    let count = input.sample_count(usual, 10_000_000_000 / cells);
    let samples = count.drawn;
    let rows: Vec<&[f64]> = scores.rows().collect();
    let blocks = samples.div_ceil(SHUFFLES_PER_STREAM);
    let ranges = input.work.map("shuffling scores", blocks, |number| {
        let mut rng = stream(
            input.settings.seed,
            &[stream_id::RANDOMISED_TUKEY, number as u64],
        );
        let mut row = vec![0.0; scores.systems().len()];
        let mut sums = vec![0.0; row.len()];
        let size = SHUFFLES_PER_STREAM.min(samples - number * SHUFFLES_PER_STREAM);
        let ranges = (0..size).map(|_| {
            sums.fill(0.0);
            for scores in &rows {
                row.copy_from_slice(scores);
                shuffle(&mut rng, &mut row);
                for (sum, score) in sums.iter_mut().zip(&row) {
                    *sum += score;
                }
            }
            let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
            (most - least) / rows.len() as f64
        });
        ranges.collect::<Vec<f64>>()
    })?;
    let mut ranges = ranges.concat();
    ranges.sort_unstable_by(f64::total_cmp);
    let largest = max_abs(scores.rows().flatten());
    let quantum = input.settings.rounding.quantum(largest);
    let slack = quantum.map_or(0.0, partita_stats::differences::Quantum::value);
    // Critical difference: the largest difference that is not significant.
    let alpha = input.settings.alpha.value();
    let beyond = (alpha * (samples as f64 + 1.0)).ceil() as usize;
    let critical = match beyond {
        0 | 1 => None,
        beyond => Some(ranges[samples - (beyond - 1).min(samples)]),
    };
    let pairs = input.pairs.iter().map(|&(a, b)| {
        let difference = scores.mean(a) - scores.mean(b);
        let difference = if difference.abs() < slack {
            0.0
        } else {
            difference
        };
        let below = ranges.partition_point(|&range| range < difference.abs() - slack);
        PairTestOutput {
            p: Some(((samples - below) as f64 + 1.0) / (samples as f64 + 1.0)),
            direction: difference.total_cmp(&0.0),
            interval: critical.map(|critical| (difference - critical, difference + critical)),
        }
    });
    Ok(TestOutput {
        pairs: pairs.collect(),
        critical_difference: critical.map(|value| CriticalDifference {
            of: ComparedQuantity::Mean,
            value,
        }),
        smallest_p: count.smallest_p(),
        samples: Some(count),
        simultaneous_intervals: true,
        ..TestOutput::default()
    })
}
