//! P-values corrected for their number.

use partita_stats::adjust::{Adjustment, adjust};
use serde_json::json;

use super::Test;
use super::answer::answer;

pub(super) const TEST: Test = Test {
    name: "adjust",
    summary: "p-values corrected for their number",
    takes: r#"{"p":[..],"method":"bonferroni|holm|hochberg|bh|by"}"#,
    gives: r#"{"p":[..]}"#,
    answer: |fields, _| {
        let p = fields.numbers("p");
        let method = fields.required_choice("method", &METHODS)?;
        let adjusted = adjust(&p?, method).map_err(|error| error.to_string())?;
        Ok(answer([("p", json!(adjusted))]))
    },
};

const METHODS: [(&str, Adjustment); 5] = [
    ("bonferroni", Adjustment::Bonferroni),
    ("holm", Adjustment::Holm),
    ("hochberg", Adjustment::Hochberg),
    ("bh", Adjustment::BenjaminiHochberg),
    ("by", Adjustment::BenjaminiYekutieli),
];
