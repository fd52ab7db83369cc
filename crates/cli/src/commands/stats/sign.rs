//! The sign test.

use partita_stats::sign_test::sign_test;

use super::Test;
use super::answer::{answer, differences, p_values};

pub(super) const TEST: Test = Test {
    name: "sign",
    summary: "paired samples: are more differences d = x - y positive than negative?",
    takes: r#"{"d":[..]}, or x and y for d"#,
    gives: r#"{"p_less","p_greater","p_two_sided"}"#,
    answer: |fields, _| {
        let test = sign_test(&differences(fields)?).map_err(|error| error.to_string())?;
        Ok(answer(p_values(&test.p)))
    },
};
