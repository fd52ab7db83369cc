//! What `bench/run stats` measures: `bench_stats TASK FILE PASSES` does the task on every line of FILE,
//! PASSES times over, and prints the answers of the last pass, one a line.
//!
//! It does not time itself, since the standard library has no CPU clock: whoever starts it takes
//! the CPU time of the whole process, and subtracts that of one pass from that of many.

use std::error::Error;
use std::hint::black_box;
use std::io::Write;

use partita_stats::distribution::studentized_range;
use partita_stats::mann_whitney::{MannWhitneyMethod, mann_whitney, rejects};
use partita_stats::{Alternative, StatsError};

type Task = fn(&[f64]) -> Result<f64, StatsError>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, file, passes] = arguments.as_slice() else {
        return Err("usage: bench_stats normal|exact|decide|tukey FILE PASSES".into());
    };
    let task: Task = match task.as_str() {
        "normal" => normal,
        "exact" => exact,
        "decide" => decision,
        "tukey" => tukey,
        other => return Err(format!("there is no task {other:?}").into()),
    };
    let text = std::fs::read_to_string(file)?;
    let lines = text
        .lines()
        .map(|line| line.split(' ').map(str::parse).collect())
        .collect::<Result<Vec<Vec<f64>>, _>>()?;
    let mut answers = vec![f64::NAN; lines.len()];
    for _ in 0..passes.parse()? {
        for (answer, line) in answers.iter_mut().zip(&lines) {
            *answer = task(black_box(line))?;
        }
        black_box(&mut answers);
    }
    let mut out = std::io::stdout().lock();
    for answer in answers {
        writeln!(out, "{answer:e}")?;
    }
    Ok(())
}

/// The two-sided p-value of the normal law with both corrections.
fn normal(line: &[f64]) -> Result<f64, StatsError> {
    let (x, y) = halves(line);
    Ok(mann_whitney(x, y, MannWhitneyMethod::Normal)?.p.two_sided)
}

/// The p-value, given the ties, of x tending to be smaller.
fn exact(line: &[f64]) -> Result<f64, StatsError> {
    let (x, y) = halves(line);
    Ok(mann_whitney(x, y, MannWhitneyMethod::ExactConditional)?
        .p
        .less)
}

/// Whether that p-value is below 0.05: 1 or 0.
fn decision(line: &[f64]) -> Result<f64, StatsError> {
    let (x, y) = halves(line);
    rejects(x, y, 0.05, Alternative::Less).map(|rejected| f64::from(u8::from(rejected)))
}

/// The tail of the studentized range; a line is q, k and the degrees of freedom.
fn tukey(line: &[f64]) -> Result<f64, StatsError> {
    studentized_range::sf(line[0], line[1] as usize, line[2])
}

fn halves(line: &[f64]) -> (&[f64], &[f64]) {
    line.split_at(line.len() / 2)
}
