//! How often bootstrap intervals of a mean over queries hold the true mean, by simulation.
//!
//! `cargo run --release -p partita-stats --example interval_coverage -- TRIALS RESAMPLES`

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use partita_stats::bootstrap::{IntervalMethod, mean_confidence_interval};
use partita_stats::random::{Rng, standard_normal, stream, uniform};

/// A distribution of the scores of queries.
struct World {
    name: &'static str,
    mean: f64,
    draw: fn(&mut dyn FnMut() -> f64, f64) -> f64,
}

/// The reciprocal ranks of a system that has the first relevant document at these ranks, none at 0.
const RANKS: [f64; 8] = [1.0, 1.0, 1.0, 2.0, 2.0, 4.0, 10.0, 0.0];

fn reciprocal(rank: f64) -> f64 {
    if rank > 0.0 { 1.0 / rank } else { 0.0 }
}

fn worlds() -> [World; 4] {
    [
        World {
            name: "normal, mean 0.5, deviation 0.2",
            mean: 0.5,
            draw: |_, normal| 0.5 + 0.2 * normal,
        },
        World {
            name: "skewed, as AP: the cube of a uniform number",
            mean: 0.25,
            draw: |uniform, _| uniform().powi(3),
        },
        World {
            name: "skewed more: the eighth power of one",
            mean: 1.0 / 9.0,
            draw: |uniform, _| uniform().powi(8),
        },
        World {
            name: "few values, as RR: 1/1, 1/2, 1/4, 1/10 or 0",
            mean: RANKS.iter().map(|&rank| reciprocal(rank)).sum::<f64>() / 8.0,
            draw: |uniform, _| reciprocal(RANKS[(8.0 * uniform()) as usize]),
        },
    ]
}

impl World {
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
    for (number, world) in worlds().iter().enumerate() {
        for queries in [10, 25, 50, 100] {
            let mut held = [0usize; 2];
            let (mut high, mut low) = (0usize, 0usize);
            for trial in 0..trials {
                let path = [number as u64, queries as u64, trial as u64];
                let scores = world.sample(queries, &mut stream(1, &path));
                for (method, held) in [IntervalMethod::Bca, IntervalMethod::Percentile]
                    .into_iter()
                    .zip(&mut held)
                {
                    let drawn = &mut stream(2, &path);
                    let interval =
                        mean_confidence_interval(&scores, method, 0.95, resamples, drawn);
                    let interval = interval.expect("scores are finite");
                    *held += usize::from((interval.lower..=interval.upper).contains(&world.mean));
                    if method == IntervalMethod::Bca {
                        high += usize::from(interval.lower > world.mean);
                        low += usize::from(interval.upper < world.mean);
                    }
                }
            }
            let percent = |count: usize| format!("{:.1}%", 100.0 * count as f64 / trials as f64);
            let [bca, percentile] = held.map(percent);
            println!(
                "| {} | {queries} | {bca} | {percentile} | {} | {} |",
                world.name,
                percent(high),
                percent(low)
            );
        }
    }
}
