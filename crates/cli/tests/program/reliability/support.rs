//! Synthetic scores for tests of `partita reliability`.

use std::fmt::Write;

use partita::stats::random::{standard_normal, stream};
use serde_json::Value;

use crate::session::Folder;

impl Folder {
    /// Creates a folder with the file `scores.csv`, a matrix of synthetic scores.
    pub(crate) fn with_scores(systems: usize, queries: usize) -> Self {
        Self::with("scores.csv", matrix(systems, queries))
    }
}

/// Returns a matrix of random scores in which later systems have a higher mean; the queries are in
/// four strata.
pub(crate) fn matrix(systems: usize, queries: usize) -> String {
    let mut random = stream(17, &[]);
    let mut text = "query,stratum".to_owned();
    for system in 0..systems {
        let _ = write!(text, ",s{system}");
    }
    text.push('\n');
    for query in 0..queries {
        let _ = write!(text, "q{query},g{}", query % 4);
        for system in 0..systems {
            let score = 0.4 + 0.04 * system as f64 + 0.1 * standard_normal(&mut random);
            let _ = write!(text, ",{score:.3}");
        }
        text.push('\n');
    }
    text
}

/// Returns the number at a key of a JSON object.
pub(crate) fn number(value: &Value, key: &str) -> f64 {
    value[key]
        .as_f64()
        .unwrap_or_else(|| panic!("no number `{key}` in {value}"))
}
