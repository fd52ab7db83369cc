//! The sign test.

use partita_stats::sign_test::sign_test;
use serde_json::json;

use super::Test;
use super::answer::{answer, differences, p_values};

pub(super) const TEST: Test = Test {
    name: "sign",
    summary: "paired samples: are more differences d = x - y positive than negative?",
    takes: r#"{"d":[..],"round":"relative|none"}, or x and y for d"#,
    gives: r#"{"p_less","p_greater","p_two_sided","rounded_ties"}"#,
    answer: |fields, _| {
        let differences = differences(fields)?;
        let test = sign_test(&differences.ranked()).map_err(|error| error.to_string())?;
        let [less, greater, two_sided] = p_values(&test.p);
        let ties = ("rounded_ties", json!(differences.ties_made()));
        Ok(answer([less, greater, two_sided, ties]))
    },
};
