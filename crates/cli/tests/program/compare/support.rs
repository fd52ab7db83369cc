//! Helpers for tests of `partita compare`: scores as text, and results as JSON.

use serde_json::Value;

use crate::session::outcome_with;

/// Returns a matrix of scores with a row per query, and columns for the systems s1, s2 and so on.
pub(crate) fn matrix(rows: &[Vec<f64>]) -> String {
    let names = (1..=rows[0].len()).map(|system| format!("s{system}"));
    let mut text = format!("query,{}\n", names.collect::<Vec<_>>().join(","));
    for (query, row) in rows.iter().enumerate() {
        let values: Vec<String> = row.iter().map(f64::to_string).collect();
        text.push_str(&format!("q{query},{}\n", values.join(",")));
    }
    text
}

/// Returns scores of two systems: the first has the given differences as its scores, the second has
/// 0 on every query.
pub(crate) fn pair(differences: &[f64]) -> String {
    let rows: Vec<Vec<f64>> = differences.iter().map(|&d| vec![d, 0.0]).collect();
    matrix(&rows)
}

/// Runs `partita compare - OPTIONS --format json` on scores by one measure and returns its
/// comparison.
pub(crate) fn json(scores: &str, options: &[&str]) -> Value {
    only(reply(scores, options))
}

/// Returns the only comparison of a reply.
pub(crate) fn only(mut reply: Value) -> Value {
    assert_eq!(reply["schema"], 1);
    assert_eq!(reply["comparisons"].as_array().map(Vec::len), Some(1));
    reply["comparisons"][0].take()
}

/// Runs `partita compare - OPTIONS --format json` on these scores and returns the JSON.
pub(crate) fn reply(scores: &str, options: &[&str]) -> Value {
    let arguments = [&["compare", "-", "--format", "json"], options].concat();
    let said = outcome_with(scores, &arguments);
    assert_eq!(said.code, 0, "{options:?}: {}", said.err);
    serde_json::from_str(&said.out).expect("JSON")
}

/// Returns the entry of a pair of systems in a comparison, in either order.
pub(crate) fn pair_of<'a>(found: &'a Value, a: &str, b: &str) -> &'a Value {
    let pairs = found["pairs"].as_array().expect("pairs");
    let is =
        |pair: &&Value| (pair["a"] == a && pair["b"] == b) || (pair["a"] == b && pair["b"] == a);
    pairs.iter().find(is).expect("the pair")
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}
