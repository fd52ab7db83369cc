//! The law of the studentized range.

use partita_stats::studentized_range::{cdf, quantile, sf};
use serde_json::json;

use super::Test;
use super::answer::answer;

pub(super) const TEST: Test = Test {
    name: "studentized-range",
    summary: "the law of the range of k means; df null is infinite",
    takes: r#"{"k":3,"df":null,"q":3.3}, or p for q"#,
    gives: r#"{"cdf","sf"}, or {"q"} for p"#,
    answer: |fields, _| {
        let k = fields.count("k");
        let df = fields.number("df");
        let (q, p) = (fields.number("q"), fields.number("p"));
        let (k, df) = (k?, df?.unwrap_or(f64::INFINITY));
        match (q?, p?) {
            (Some(q), None) => {
                let sf = sf(q, k, df).map_err(|error| error.to_string())?;
                let cdf = cdf(q, k, df).map_err(|error| error.to_string())?;
                Ok(answer([("cdf", json!(cdf)), ("sf", json!(sf))]))
            }
            (None, Some(p)) => {
                let q = quantile(p, k, df).map_err(|error| error.to_string())?;
                Ok(answer([("q", json!(q))]))
            }
            (Some(_), Some(_)) => Err("expected either `q` or `p`, found both".to_owned()),
            (None, None) => Err("the field `q` is missing, or `p` in its place".to_owned()),
        }
    },
};
