//! Rankings from the fixtures of `partita-core`, which have reference results.

use std::fmt::Write;

use serde_json::Value;

/// Reads a JSON fixture of `partita-core`.
pub(crate) fn core_fixture(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/fixtures");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).expect("a fixture");
    serde_json::from_str(&text).expect("JSON")
}

/// Returns the rankings of cases of `aggregation.json` as CSV; each case is a query.
pub(crate) fn aggregation_rankings(cases: &[Value]) -> String {
    let mut text = "query,assessor,item,rank\n".to_owned();
    for case in cases {
        for (item, ranks) in case["ranks"].as_object().expect("ranks") {
            for (assessor, rank) in ranks.as_array().expect("ranks").iter().enumerate() {
                let _ = writeln!(text, "case{},{assessor},{item},{rank}", case["id"]);
            }
        }
    }
    text
}
