//! P-values corrected for their number.

use partita_stats::adjust::{Adjustment, adjust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Test;
use super::samples::{Drawing, OnSamples, SampleError, SampleQuestion};

pub(super) static TEST: Test = Test {
    name: "adjust",
    aliases: &["p-adjust"],
    summary: "corrections of p-values for their number",
    description: "Each adjusted p-value is the smallest overall level at which the procedure would \
                  reject its hypothesis.",
    reference: "S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian \
                Journal of Statistics 6, 1979; Y. Benjamini and Y. Hochberg, Controlling the False \
                Discovery Rate, Journal of the Royal Statistical Society B 57, 1995",
    systems: None,
    samples: Some(OnSamples::new::<Question>(
        "p-values corrected for their number",
        r#"{"p":[..],"method":"bonferroni|holm|hochberg|bh|by"}"#,
        r#"{"p":[..]}"#,
    )),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Question {
    p: Vec<f64>,
    method: Adjustment,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Answer {
    p: Vec<f64>,
}

impl SampleQuestion for Question {
    type Answer = Answer;

    fn answer(self, _: Drawing) -> Result<Answer, SampleError> {
        let p = adjust(&self.p, self.method)?;
        Ok(Answer { p })
    }
}
