//! What is done, kept in a file: a line that says of what, then a line for each measure and size.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use partita_core::reliability::Tally;
use serde_json::{Map, Value, json};

use super::ReliabilityArgs;
use super::reading::Input;
use crate::failure::Failure;

/// A file that finished work is appended to.
pub(super) struct Record {
    name: String,
    file: Mutex<File>,
    known: HashMap<(String, usize), Vec<Tally>>,
}

impl Record {
    /// Opens the file, or begins it, and reads what was done. A last line that was cut off is done
    /// again.
    pub(super) fn open(
        name: &str,
        args: &ReliabilityArgs,
        inputs: &[Input],
    ) -> Result<Self, Failure> {
        let header = header(args, inputs);
        let text = match std::fs::read_to_string(name) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::input(format!("{name}: cannot be read: {error}"))),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        match lines.next() {
            // Nothing yet, or not even the first line was written to its end.
            None if header.starts_with(&text) => {}
            Some(first) if first == header => {}
            Some(first) if is_header(first) => {
                let message = format!(
                    "{name}: this is a study of other scores, strata, tests, trials or seed"
                );
                return Err(Failure::input(message)
                    .hint("name another file, or remove this one to begin anew"));
            }
            _ => {
                let message = format!("{name}: this is not a study that can be resumed");
                return Err(Failure::input(message)
                    .hint("`--resume` names a file of its own, which need not be there yet"));
            }
        }
        let mut known = HashMap::new();
        for (number, line) in lines.enumerate() {
            let (key, tallies) = entry(line, args, inputs).ok_or_else(|| {
                let message = format!("{name}:{}: this line cannot be read", number + 2);
                Failure::input(message).hint("remove the line, and its work is done again")
            })?;
            known.insert(key, tallies);
        }
        let opened = OpenOptions::new().create(true).append(true).open(name);
        let mut file = opened.map_err(|error| Failure::writing(name, &error))?;
        let begun = match whole {
            0 => file
                .set_len(0)
                .and_then(|()| file.write_all(format!("{header}\n").as_bytes())),
            _ => file.set_len(whole as u64),
        };
        begun.map_err(|error| Failure::writing(name, &error))?;
        Ok(Self {
            name: name.to_owned(),
            file: Mutex::new(file),
            known,
        })
    }

    /// What was found before by a measure with so many queries.
    pub(super) fn known(&self, measure: &str, size: usize) -> Option<&[Tally]> {
        let known = self.known.get(&(measure.to_owned(), size));
        known.map(Vec::as_slice)
    }

    /// Keeps what was found, one for each test.
    pub(super) fn keep(&self, measure: &str, size: usize, found: &[Tally]) -> Result<(), Failure> {
        let of_test = |tally: &Tally| {
            let counts = tally.counts().into_iter();
            let counts: Map<String, Value> = counts
                .map(|(name, count)| (name.to_owned(), count.into()))
                .collect();
            json!({"counts": counts, "best": tally.best.map(|(missed, more, trial)| [missed, more, trial])})
        };
        let tests: Vec<Value> = found.iter().map(of_test).collect();
        let line = json!({"measure": measure, "size": size, "tests": tests});
        // A thread that panicked while writing has ended the program anyway.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // One write, so that a line is there or is cut off at the end, and never mixed.
        file.write_all(format!("{line}\n").as_bytes())
            .and_then(|()| file.flush())
            .map_err(|error| Failure::writing(&self.name, &error))
    }
}

/// The first line: what a study is of. Sizes are not among it, so that more can be added.
fn header(args: &ReliabilityArgs, inputs: &[Input]) -> String {
    let tests: Vec<String> = args.tests.iter().map(ToString::to_string).collect();
    let header = json!({
        "partita": "reliability",
        "version": 1,
        "seed": args.seed,
        "trials": args.trials,
        "tests": tests,
        "tails": args.tests.iter().map(|test| test.tails().number()).collect::<Vec<_>>(),
        "inputs": format!("{:016x}", fingerprint(inputs)),
    });
    header.to_string()
}

fn is_header(line: &str) -> bool {
    let value: Option<Value> = serde_json::from_str(line).ok();
    value.is_some_and(|value| value["partita"] == "reliability")
}

/// A number that changes with the scores and the strata: FNV-1a (Fowler, Noll and Vo) of all.
fn fingerprint(inputs: &[Input]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut take = |bytes: &[u8]| {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for input in inputs {
        let scores = &input.scores;
        take(scores.measure().as_bytes());
        for name in scores.systems().iter().chain(scores.queries()) {
            take(name.as_bytes());
        }
        for score in scores.rows().flatten() {
            take(&score.to_bits().to_le_bytes());
        }
        for stratum in 0..input.strata.names().len() {
            for query in input.strata.queries(stratum) {
                take(&(*query as u64).to_le_bytes());
            }
            take(b"|");
        }
    }
    hash
}

fn entry(
    line: &str,
    args: &ReliabilityArgs,
    inputs: &[Input],
) -> Option<((String, usize), Vec<Tally>)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let measure = value["measure"].as_str()?;
    let size = usize::try_from(value["size"].as_u64()?).ok()?;
    let input = inputs
        .iter()
        .find(|input| input.scores.measure() == measure)?;
    let systems = input.scores.systems().len();
    let trials = match size < input.scores.queries().len() {
        true => args.trials,
        false => 1,
    };
    let of_test = |test: &Value| {
        let best = match test["best"].as_array().map(Vec::as_slice) {
            Some([missed, more, trial]) => {
                Some((missed.as_u64()?, more.as_u64()?, trial.as_u64()?))
            }
            _ => None,
        };
        let tally = Tally::of_counts(|name| test["counts"][name].as_u64(), best)?;
        let possible = tally.is_possible(trials, systems * systems.saturating_sub(1) / 2);
        possible.then_some(tally)
    };
    let found: Option<Vec<Tally>> = value["tests"].as_array()?.iter().map(of_test).collect();
    let found = found.filter(|found| found.len() == args.tests.len());
    found.map(|found| ((measure.to_owned(), size), found))
}
