//! Helpers for tests of `partita plan`: synthetic scores, and runs of the command.

use std::fmt::Write;

use serde_json::Value;

use crate::session::{Folder, Outcome};

impl Folder {
    /// Creates a folder with these files, given as (name, content).
    pub(crate) fn with_files(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (name, text) in files {
            folder.file(name, text);
        }
        folder
    }

    /// Runs `partita plan` in this folder; the arguments are separated by spaces.
    pub(crate) fn plan(&self, arguments: &str) -> Outcome {
        self.run(&format!("plan {arguments}"))
    }

    /// Runs `partita plan`, which must succeed, and returns its JSON.
    pub(crate) fn planned(&self, arguments: &str) -> Value {
        self.json(&format!("plan {arguments}"))
    }

    /// Asserts that `partita plan` fails and prints all of `words`.
    pub(crate) fn refuses_to_plan(&self, arguments: &str, words: &[&str]) {
        self.refuses(&format!("plan {arguments}"), words);
    }
}

/// Returns a deterministic pseudo-random number from 0 to 1, by a hash of the arguments.
pub(crate) fn noise(a: usize, b: usize, c: usize) -> f64 {
    let mixed = (a * 7919 + b * 104_729 + c * 1_299_709 + 12_345) as u64;
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed >> 40) as f64) / ((1u64 << 24) as f64)
}

/// Returns a matrix of scores with a row per query and a column per system.
pub(crate) fn matrix(systems: usize, queries: usize) -> String {
    let header: Vec<String> = (0..systems).map(|s| format!("s{s}")).collect();
    let mut text = format!("query,{}\n", header.join(","));
    for query in 0..queries {
        let _ = write!(text, "q{query}");
        for system in 0..systems {
            let value =
                0.05 * system as f64 + 0.4 * noise(99, query, 0) + 0.3 * noise(system, query, 1);
            let _ = write!(text, ",{value:.6}");
        }
        text.push('\n');
    }
    text
}

/// Returns scores of systems on queries by each judge, one row per score.
pub(crate) fn scores_by_judges(systems: usize, queries: usize, judges: usize) -> String {
    let mut text = "system,query,judge,measure,value\n".to_owned();
    for system in 0..systems {
        for query in 0..queries {
            for judge in 0..judges {
                let value = 0.05 * system as f64
                    + 0.3 * noise(99, query, 0)
                    + 0.3 * noise(system, query, 1)
                    + 0.02 * judge as f64
                    + 0.1 * noise(system, query, judge + 2);
                let _ = writeln!(text, "s{system},q{query},j{judge},AP,{value:.6}");
            }
        }
    }
    text
}
