//! Measurement for `bench/run judging`. `bench_judging FILE PASSES` fits Davidson's model to the
//! judgments of FILE PASSES times and prints `item worth` of the last pass, the best item first.
//!
//! FILE has a header and lines `left,right,winner`, where the winner is `left`, `right` or `tie`. A
//! pass numbers the items, counts the votes and fits the model.
//!
//! The program does not time itself because the standard library has no CPU clock. The caller
//! measures the CPU time of the whole process with one pass and with many, and takes the
//! difference.

use std::error::Error;
use std::hint::black_box;
use std::io::Write;

use partita_core::{Names, Preference};
use partita_judging::{DavidsonFit, DavidsonModel, ListVotes};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, passes] = arguments.as_slice() else {
        return Err("usage: bench_judging FILE PASSES".into());
    };
    let text = std::fs::read_to_string(file)?;
    let judgments = text
        .lines()
        .skip(1)
        .map(parse_judgment)
        .collect::<Option<Vec<_>>>()
        .ok_or("expected lines left,right,winner")?;
    let mut last = None;
    for _ in 0..passes.parse()? {
        last = black_box(fit(black_box(&judgments)));
    }
    let (names, fit) = last.ok_or("there was no pass, or there were too many items")?;
    let mut out = std::io::stdout().lock();
    for item in fit.order() {
        writeln!(out, "{} {:e}", names.name(item), fit.worth(item))?;
    }
    Ok(())
}

/// Parses a line `left,right,winner`.
fn parse_judgment(line: &str) -> Option<(&str, &str, Preference)> {
    let mut columns = line.split(',');
    let (left, right) = (columns.next()?, columns.next()?);
    let answer = match columns.next()? {
        "left" => Preference::A,
        "right" => Preference::B,
        "tie" => Preference::Equal,
        _ => return None,
    };
    Some((left, right, answer))
}

/// Numbers the items, counts the votes and fits the model.
fn fit(judgments: &[(&str, &str, Preference)]) -> Option<(Names, DavidsonFit)> {
    let mut names = Names::new();
    let items: Vec<_> = (judgments.iter())
        .map(|&(left, right, answer)| Some((names.intern(left)?, names.intern(right)?, answer)))
        .collect::<Option<_>>()?;
    let mut votes = ListVotes::new(names.len());
    for (left, right, answer) in items {
        votes.add(left, right, answer);
    }
    let fit = DavidsonModel::default().fit(&votes);
    Some((names, fit))
}
