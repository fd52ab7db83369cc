//! Program that `bench/run stats` measures. `bench_stats TASK FILE PASSES` runs the task on every
//! line of FILE, PASSES times, and prints the results of the last pass, one per line.
//!
//! It does not measure time, because the standard library has no CPU clock. The caller measures the
//! CPU time of the process, and subtracts that of a run with one pass from that with many.

use std::error::Error;
use std::hint::black_box;
use std::io::Write;

use partita_stats::distribution::studentized_range;
use partita_stats::mann_whitney::{MannWhitneyMethod, mann_whitney, rejects};
use partita_stats::{Alternative, StatsError};

/// Function that computes a result from the numbers on a line of the input file.
type Task = fn(&[f64]) -> Result<f64, StatsError>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, file, passes] = arguments.as_slice() else {
        return Err("usage: bench_stats normal|exact|decide|tukey FILE PASSES".into());
    };
    let task: Task = match task.as_str() {
        "normal" => normal_p_value,
        "exact" => exact_p_value,
        "decide" => rejection,
        "tukey" => studentized_range_tail,
        other => return Err(format!("there is no task {other:?}").into()),
    };
    let text = std::fs::read_to_string(file)?;
    let lines = text
        .lines()
        .map(|line| line.split(' ').map(str::parse).collect())
        .collect::<Result<Vec<Vec<f64>>, _>>()?;
    let mut results = vec![f64::NAN; lines.len()];
    for _ in 0..passes.parse()? {
        for (result, line) in results.iter_mut().zip(&lines) {
            *result = task(black_box(line))?;
        }
        black_box(&mut results);
    }
    let mut out = std::io::stdout().lock();
    for result in results {
        writeln!(out, "{result:e}")?;
    }
    Ok(())
}

/// Returns the two-sided Mann-Whitney p-value by the normal approximation, corrected for ties and
/// continuity.
fn normal_p_value(line: &[f64]) -> Result<f64, StatsError> {
    let (x, y) = split_samples(line);
    Ok(mann_whitney(x, y, MannWhitneyMethod::Normal)?.p.two_sided)
}

/// Returns the exact Mann-Whitney p-value, given the ties, for x tending to be smaller.
fn exact_p_value(line: &[f64]) -> Result<f64, StatsError> {
    let (x, y) = split_samples(line);
    Ok(mann_whitney(x, y, MannWhitneyMethod::ExactConditional)?
        .p
        .less)
}

/// Returns 1 if the Mann-Whitney test rejects at level 0.05 for x tending to be smaller, else 0.
fn rejection(line: &[f64]) -> Result<f64, StatsError> {
    let (x, y) = split_samples(line);
    rejects(x, y, 0.05, Alternative::Less).map(|rejected| f64::from(u8::from(rejected)))
}

/// Returns the tail P(Q > q) of the studentized range. The line holds q, the number of groups and
/// the degrees of freedom.
fn studentized_range_tail(line: &[f64]) -> Result<f64, StatsError> {
    studentized_range::sf(line[0], line[1] as usize, line[2])
}

/// Splits a line into the two samples x and y of equal size.
fn split_samples(line: &[f64]) -> (&[f64], &[f64]) {
    line.split_at(line.len() / 2)
}
