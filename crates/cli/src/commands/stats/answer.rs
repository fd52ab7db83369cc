//! What answers have in common.

use partita_stats::PValues;
use partita_stats::differences::{Differences, Rounding};
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

/// The paired differences, given as `d` or as `x` and `y`, with the rule of `round`. Of `x` and `y`
/// the size of the numbers is known, by which differences are rounded; of `d` only their own.
pub(super) fn differences(fields: &mut Fields) -> Result<Differences, String> {
    let d = fields.optional_numbers("d");
    let x = fields.optional_numbers("x");
    let y = fields.optional_numbers("y");
    let rounding = rounding(fields);
    match (d?, x?, y?) {
        (Some(d), None, None) => Differences::given(&d, rounding?),
        (None, Some(x), Some(y)) => Differences::of(&x, &y, rounding?),
        (Some(_), _, _) => {
            return Err("expected either `d` or `x` and `y`, found both".to_owned());
        }
        (None, _, _) => {
            return Err("the field `d` is missing, or `x` and `y` in its place".to_owned());
        }
    }
    .map_err(|error| error.to_string())
}

/// How numbers are rounded before a test looks for ties.
pub(super) fn rounding(fields: &mut Fields) -> Result<Rounding, String> {
    Ok(fields.choice("round", &Rounding::ALL)?.unwrap_or_default())
}
