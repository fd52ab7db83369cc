//! Kendall's tau.

use partita_stats::kendall::kendall;
use serde_json::json;

use super::Test;
use super::answer::answer;

pub(super) const TEST: Test = Test {
    name: "kendall",
    summary: "how alike two orders are; p is exact without ties, null where either is constant",
    takes: r#"{"x":[..],"y":[..]}"#,
    gives: r#"{"tau_b","p_two_sided"}"#,
    answer: |fields, _| {
        let (x, y) = fields.samples()?;
        let found = kendall(&x, &y).map_err(|error| error.to_string())?;
        Ok(answer([
            ("tau_b", json!(found.map(|kendall| kendall.tau))),
            (
                "p_two_sided",
                json!(found.map(|kendall| kendall.p.two_sided)),
            ),
        ]))
    },
};
