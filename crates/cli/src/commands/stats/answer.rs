//! What answers have in common.

use partita_stats::PValues;
use partita_stats::differences::{paired_differences, quantised};
use serde_json::{Map, Value, json};

use super::fields::Fields;

/// An answer under the names of its parts. What JSON has no number for becomes null.
pub(super) fn answer<const N: usize>(parts: [(&str, Value); N]) -> Map<String, Value> {
    let parts = parts.into_iter();
    parts
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// The three p-values of a test.
pub(super) fn p_values(p: &PValues) -> [(&'static str, Value); 3] {
    [
        ("p_less", json!(p.less)),
        ("p_greater", json!(p.greater)),
        ("p_two_sided", json!(p.two_sided)),
    ]
}

/// The paired differences, given as `d` or as `x` and `y`. Both are rounded alike, so that either
/// way gives the same answer.
pub(super) fn differences(fields: &mut Fields) -> Result<Vec<f64>, String> {
    let d = fields.optional_numbers("d");
    let x = fields.optional_numbers("x");
    let y = fields.optional_numbers("y");
    match (d?, x?, y?) {
        (Some(d), None, None) => Ok(d.into_iter().map(quantised).collect()),
        (None, Some(x), Some(y)) => paired_differences(&x, &y).map_err(|error| error.to_string()),
        (Some(_), _, _) => Err("expected either `d` or `x` and `y`, found both".to_owned()),
        (None, _, _) => Err("the field `d` is missing, or `x` and `y` in its place".to_owned()),
    }
}
