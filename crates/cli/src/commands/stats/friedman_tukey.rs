//! Friedman's test with Tukey's comparisons of all pairs.

use partita_stats::friedman::friedman;
use serde_json::json;

use super::Test;
use super::answer::{answer, rounding};

pub(super) const TEST: Test = Test {
    name: "friedman-tukey",
    summary: "many systems on the same queries: which differ? rows are queries; alpha is 0.05 if not given",
    takes: r#"{"data":[[..],..],"alpha":0.05,"round":"relative|none"}"#,
    gives: r#"{"chi2","df","p","mean_ranks":[..],"pairs":[{"i","j","diff","p","significant"},..],"rounded_ties"}"#,
    answer: |fields, _| {
        let data = fields.rows("data");
        let alpha = fields.number("alpha");
        let rounding = rounding(fields);
        let (data, alpha) = (data?, alpha?.unwrap_or(0.05));
        let (rows, ties) = rounding?.rounded_rows(&data);
        let test = friedman(&rows).map_err(|error| error.to_string())?;
        let tukey = test.tukey(alpha).map_err(|error| error.to_string())?;
        let pairs: Vec<_> = tukey
            .pairs
            .iter()
            .map(|pair| {
                json!({
                    "i": pair.a,
                    "j": pair.b,
                    "diff": pair.diff,
                    "p": pair.p,
                    "significant": pair.significant,
                })
            })
            .collect();
        Ok(answer([
            ("chi2", json!(test.chi_squared)),
            ("df", json!(test.df)),
            ("p", json!(test.p)),
            ("mean_ranks", json!(test.mean_ranks)),
            ("pairs", json!(pairs)),
            ("rounded_ties", json!(ties)),
        ]))
    },
};
