//! The Mann-Whitney U test.

use partita_stats::mann_whitney::{Method, mann_whitney};
use serde_json::json;

use super::Test;
use super::answer::{answer, p_values};

pub(super) const TEST: Test = Test {
    name: "mann-whitney",
    summary: "two independent samples: does x tend to be smaller than y? u is U of x",
    takes: r#"{"x":[..],"y":[..],"method":"auto|exact|exact-untied|normal|normal-nocc"}"#,
    gives: r#"{"u","p_less","p_greater","p_two_sided","method"}"#,
    answer: |fields, _| {
        let samples = fields.samples();
        let method = fields.choice("method", &METHODS)?.unwrap_or(Method::Auto);
        let (x, y) = samples?;
        let test = mann_whitney(&x, &y, method).map_err(|error| error.to_string())?;
        let [less, greater, two_sided] = p_values(&test.p);
        let name = METHODS.iter().find(|(_, known)| *known == test.method);
        Ok(answer([
            ("u", json!(test.u)),
            less,
            greater,
            two_sided,
            ("method", json!(name.map(|(name, _)| name))),
        ]))
    },
};

const METHODS: [(&str, Method); 5] = [
    ("auto", Method::Auto),
    ("exact", Method::ExactConditional),
    ("exact-untied", Method::ExactUntied),
    ("normal", Method::Normal),
    (
        "normal-nocc",
        Method::Normal {
            ties: true,
            continuity: false,
        },
    ),
];
