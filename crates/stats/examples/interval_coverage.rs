//! Simulation of the coverage of bootstrap intervals: the share of intervals of a mean over queries
//! that contain the true mean.
//!
//! `cargo run --release -p partita-stats --example interval_coverage -- TRIALS RESAMPLES`

#![expect(clippy::print_stdout, reason = "the program prints a table")]

use partita_stats::bootstrap::{IntervalMethod, mean_confidence_interval};
use partita_stats::random::{Rng, standard_normal, stream, uniform};

/// Distribution from which the scores of queries are drawn.
struct ScoreDistribution {
    name: &'static str,
    mean: f64,
    /// Function that draws a score, given a source of uniform numbers and a normal deviate.
    draw: fn(&mut dyn FnMut() -> f64, f64) -> f64,
}

/// Equally likely ranks of the first relevant document; 0 if there is none.
const FIRST_RELEVANT_RANKS: [f64; 8] = [1.0, 1.0, 1.0, 2.0, 2.0, 4.0, 10.0, 0.0];

fn reciprocal_rank(rank: f64) -> f64 {
    if rank > 0.0 { 1.0 / rank } else { 0.0 }
}

fn score_distributions() -> [ScoreDistribution; 6] {
    [
        ScoreDistribution {
            name: "normal, mean 0.5, deviation 0.2",
            mean: 0.5,
            draw: |_, normal| 0.5 + 0.2 * normal,
        },
        ScoreDistribution {
            name: "skewed, as AP: the cube of a uniform number",
            mean: 0.25,
            draw: |uniform, _| uniform().powi(3),
        },
        ScoreDistribution {
            name: "skewed more: the eighth power of one",
            mean: 1.0 / 9.0,
            draw: |uniform, _| uniform().powi(8),
        },
        ScoreDistribution {
            name: "few values, as RR: 1/1, 1/2, 1/4, 1/10 or 0",
            mean: FIRST_RELEVANT_RANKS
                .iter()
                .map(|&rank| reciprocal_rank(rank))
                .sum::<f64>()
                / 8.0,
            draw: |uniform, _| reciprocal_rank(FIRST_RELEVANT_RANKS[(8.0 * uniform()) as usize]),
        },
        ScoreDistribution {
            name: "1 or 0, as Success@5: 1 with probability 0.9",
            mean: 0.9,
            draw: |uniform, _| f64::from(uniform() < 0.9),
        },
        ScoreDistribution {
            name: "unbounded gains: log-normal, deviation of the logarithm 1",
            mean: (0.5_f64).exp(),
            draw: |_, normal| normal.exp(),
        },
    ]
}

impl ScoreDistribution {
    fn sample(&self, queries: usize, random: &mut impl Rng) -> Vec<f64> {
        let score = |_| {
            let normal = standard_normal(random);
            (self.draw)(&mut || uniform(random), normal)
        };
        (0..queries).map(score).collect()
    }
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .map(|argument| argument.parse().ok());
    let mut number = |usual: usize| arguments.next().flatten().unwrap_or(usual);
    let (trials, resamples) = (number(1000), number(2000));
    println!(
        "Shares of {trials} intervals at 95% that hold the true mean, {resamples} resamples:\n"
    );
    println!("| scores | queries | bca | percentile | too high | too low |");
    println!("|---|---|---|---|---|---|");
    for (number, distribution) in score_distributions().iter().enumerate() {
        for queries in [10, 25, 50, 100] {
            let mut covering = [0usize; 2];
            let (mut high, mut low) = (0usize, 0usize);
            for trial in 0..trials {
                let path = [number as u64, queries as u64, trial as u64];
                let scores = distribution.sample(queries, &mut stream(1, &path));
                for (method, covering) in [IntervalMethod::Bca, IntervalMethod::Percentile]
                    .into_iter()
                    .zip(&mut covering)
                {
                    let drawn = &mut stream(2, &path);
                    let interval =
                        mean_confidence_interval(&scores, method, 0.95, resamples, drawn);
                    let interval = interval.expect("scores are finite");
                    *covering +=
                        usize::from((interval.lower..=interval.upper).contains(&distribution.mean));
                    if method == IntervalMethod::Bca {
                        high += usize::from(interval.lower > distribution.mean);
                        low += usize::from(interval.upper < distribution.mean);
                    }
                }
            }
            let percent = |count: usize| format!("{:.1}%", 100.0 * count as f64 / trials as f64);
            let [bca, percentile] = covering.map(percent);
            println!(
                "| {} | {queries} | {bca} | {percentile} | {} | {} |",
                distribution.name,
                percent(high),
                percent(low)
            );
        }
    }
}
