//! Pearson's correlation.

use partita_stats::pearson::pearson;
use serde_json::json;

use super::Test;
use super::answer::answer;

pub(super) const TEST: Test = Test {
    name: "pearson",
    summary: "linear correlation; null where either is constant",
    takes: r#"{"x":[..],"y":[..]}"#,
    gives: r#"{"r","p_two_sided"}"#,
    answer: |fields, _| {
        let (x, y) = fields.samples()?;
        let found = pearson(&x, &y).map_err(|error| error.to_string())?;
        Ok(answer([
            ("r", json!(found.map(|pearson| pearson.r))),
            (
                "p_two_sided",
                json!(found.map(|pearson| pearson.p.two_sided)),
            ),
        ]))
    },
};
