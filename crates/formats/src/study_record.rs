//! The record of a study of reliability: a line that says of what it is, then a line for each measure
//! and size that is finished, so that it can go on where it was stopped.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use partita_core::reliability::{Checkpoint, NotKept, Request, StudiedScores, Tally};
use serde::{Deserialize, Serialize};

use crate::error::{FormatError, Problem};
use crate::problem;
use crate::source::reason;

/// A file that finished work is appended to.
pub struct StudyRecord {
    name: String,
    file: Mutex<File>,
    known: HashMap<(String, usize), Vec<Tally>>,
}

/// The first line. Sizes are not among it, so that more can be added.
#[derive(Serialize, Deserialize, PartialEq)]
struct Header {
    partita: String,
    version: u32,
    seed: u64,
    trials: u64,
    tests: Vec<String>,
    tails: Vec<u8>,
    inputs: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    measure: String,
    size: usize,
    tests: Vec<Tally>,
}

const KIND: &str = "reliability";

impl StudyRecord {
    /// Opens the file, or begins it, and reads what was done. A last line that was cut off is done
    /// again.
    ///
    /// # Errors
    /// A file that cannot be read or written, or that is of another study.
    pub fn open(
        name: &str,
        request: &Request,
        inputs: &[StudiedScores],
    ) -> Result<Self, FormatError> {
        let header = Header {
            partita: KIND.to_owned(),
            version: 2,
            seed: request.seed,
            trials: request.trials,
            tests: request.tests.iter().map(ToString::to_string).collect(),
            tails: (request.tests.iter())
                .map(|test| test.tails().number())
                .collect(),
            inputs: format!("{:016x}", fingerprint(inputs)),
        };
        let first = line_of(&header);
        let wrong = |problem: Problem| FormatError::file(name, problem);
        let text = match std::fs::read_to_string(name) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(wrong(
                    problem!(Unreadable { reason = reason(&error) }: "cannot be read: {reason}"),
                ));
            }
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        match lines.next() {
            // Nothing yet, or not even the first line was written to its end.
            None if first.starts_with(&text) => {}
            Some(line) if line == first.trim_end() => {}
            Some(line) if serde_json::from_str::<Header>(line).is_ok_and(|h| h.partita == KIND) => {
                let problem = problem!(OtherFormat:
                    "this is a study of other scores, strata, tests, trials or seed");
                let remedy = "name another file, or remove this one to begin again";
                return Err(wrong(problem).remedy(remedy));
            }
            _ => {
                let problem = problem!(OtherFormat: "this is not a study that can be resumed");
                let remedy = "a study keeps a file of its own, which need not be there yet";
                return Err(wrong(problem).remedy(remedy));
            }
        }
        let mut known = HashMap::new();
        for (number, line) in lines.enumerate() {
            let entry = read_entry(line, request, inputs).ok_or_else(|| {
                wrong(problem!(Syntax: "this line cannot be read"))
                    .line(number as u64 + 2)
                    .remedy("remove the line, and its work is done again")
            })?;
            known.insert((entry.measure, entry.size), entry.tests);
        }
        let begun = OpenOptions::new()
            .create(true)
            .append(true)
            .open(name)
            .and_then(|mut file| {
                file.set_len(whole as u64)?;
                if whole == 0 {
                    file.write_all(first.as_bytes())?;
                }
                Ok(file)
            });
        let file = begun.map_err(|error| {
            wrong(problem!(Unwritable { reason = reason(&error) }: "cannot be written: {reason}"))
        })?;
        Ok(Self {
            name: name.to_owned(),
            file: Mutex::new(file),
            known,
        })
    }
}

impl Checkpoint for StudyRecord {
    fn known(&self, measure: &str, size: usize) -> Option<Vec<Tally>> {
        self.known.get(&(measure.to_owned(), size)).cloned()
    }

    fn keep(&self, measure: &str, size: usize, found: &[Tally]) -> Result<(), NotKept> {
        let line = line_of(&Entry {
            measure: measure.to_owned(),
            size,
            tests: found.to_vec(),
        });
        // A thread that panicked while writing has ended the program anyway.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // One write, so that a line is there or is cut off at the end, and never mixed.
        file.write_all(line.as_bytes())
            .and_then(|()| file.flush())
            .map_err(|error| {
                NotKept(format!(
                    "{}: cannot be written: {}",
                    self.name,
                    reason(&error)
                ))
            })
    }
}

fn line_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("names and numbers are JSON") + "\n"
}

/// A number that changes with the scores and the strata: FNV-1a (Fowler, Noll and Vo) of all.
fn fingerprint(inputs: &[StudiedScores]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut take = |bytes: &[u8]| {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for StudiedScores { scores, strata } in inputs {
        take(scores.measure().as_bytes());
        for name in scores.systems().iter().chain(scores.queries()) {
            take(name.as_bytes());
        }
        for score in scores.rows().flatten() {
            take(&score.to_bits().to_le_bytes());
        }
        for stratum in 0..strata.as_ref().map_or(0, |strata| strata.names().len()) {
            for query in strata.iter().flat_map(|strata| strata.queries(stratum)) {
                take(&(*query as u64).to_le_bytes());
            }
            take(b"|");
        }
    }
    hash
}

fn read_entry(line: &str, request: &Request, inputs: &[StudiedScores]) -> Option<Entry> {
    let entry: Entry = serde_json::from_str(line).ok()?;
    let mut scores = inputs.iter().map(|input| &input.scores);
    let scores = scores.find(|scores| scores.measure() == entry.measure)?;
    let systems = scores.systems().len();
    let trials = if entry.size < scores.queries().len() {
        request.trials
    } else {
        1
    };
    let pairs = systems * systems.saturating_sub(1) / 2;
    let possible = entry.tests.len() == request.tests.len()
        && (entry.tests.iter()).all(|tally| tally.is_possible(trials, pairs));
    possible.then_some(entry)
}
