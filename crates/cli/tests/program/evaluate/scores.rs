//! Reader of the scores that `partita evaluate` prints.

use std::collections::HashMap;

use serde_json::Value;

use crate::session::Folder;

impl Folder {
    /// Runs `partita evaluate` with these arguments, which must succeed, and reads its CSV.
    pub(crate) fn scores(&self, arguments: &str) -> Scores {
        let command = format!("evaluate {arguments} --per-query --format csv");
        Scores::read(&self.output(&command))
    }

    /// Runs `partita evaluate` with these arguments, which must succeed, and parses its JSON.
    pub(crate) fn evaluation(&self, arguments: &str) -> Value {
        self.json(&format!("evaluate {arguments}"))
    }
}

/// Scores from CSV with the columns run, query, measure and value. Means over a stratum of queries
/// are kept apart in `strata_means`; `rows` and `values` have all other rows.
pub(crate) struct Scores {
    rows: Vec<[String; 4]>,
    values: HashMap<[String; 3], f64>,
    strata_means: HashMap<[String; 3], f64>,
}

impl Scores {
    pub(crate) fn read(csv: &str) -> Self {
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let header = reader.headers().unwrap().clone();
        let usual = ["run", "query", "measure", "value"];
        assert_eq!(header.iter().take(4).collect::<Vec<_>>(), usual);
        let stratum = header.iter().position(|name| name == "stratum");
        let (mut rows, mut values, mut strata_means) = (Vec::new(), HashMap::new(), HashMap::new());
        for record in reader.records() {
            let record = record.unwrap();
            let row = [0, 1, 2, 3].map(|column| record[column].to_owned());
            let [run, query, measure, value] = row.clone();
            let stratum = stratum.map_or("", |column| &record[column]);
            let known = if query == "all" && !stratum.is_empty() {
                let key = [run, stratum.to_owned(), measure];
                strata_means.insert(key, value.parse().unwrap())
            } else {
                rows.push(row);
                values.insert([run, query, measure], value.parse().unwrap())
            };
            assert!(known.is_none(), "{record:?} stands twice");
        }
        Self {
            rows,
            values,
            strata_means,
        }
    }

    /// Returns the mean over a stratum of queries. Panics if there is none.
    pub(crate) fn stratum_mean(&self, run: &str, group: &str, measure: &str) -> f64 {
        self.strata_means[&[run, group, measure].map(str::to_owned)]
    }

    /// Returns the value of a row. Panics if there is none.
    pub(crate) fn value(&self, run: &str, query: &str, measure: &str) -> f64 {
        let asked = [run, query, measure].map(str::to_owned);
        let value = self.values.get(&asked);
        *value.unwrap_or_else(|| panic!("no {asked:?}"))
    }

    /// Returns the names of the runs in the order of the output.
    pub(crate) fn runs(&self) -> Vec<&str> {
        let mut runs: Vec<&str> = self.rows.iter().map(|row| row[0].as_str()).collect();
        runs.dedup();
        runs
    }

    pub(crate) fn has_query(&self, query: &str) -> bool {
        self.rows.iter().any(|row| row[1] == query)
    }

    pub(crate) fn rows(&self) -> &[[String; 4]] {
        &self.rows
    }
}

/// Asserts that two numbers are equal up to rounding errors.
#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-12,
        "{found} is not {expected}"
    );
}
