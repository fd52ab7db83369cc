//! Kendall's tau of two orders.

use partita_stats::kendall::kendall;
use schemars::JsonSchema;
use serde::Serialize;

use super::Test;
use super::samples::{Drawing, OnSamples, SampleError, SampleQuestion, TwoSamples};

pub(super) static TEST: Test = Test {
    name: "kendall",
    aliases: &["tau-b"],
    summary: "Kendall's rank correlation",
    description: "Pairs in the same order minus pairs in the opposite one, over the geometric mean \
                  of the pairs that either leaves untied.",
    reference: "M.G. Kendall, The Treatment of Ties in Ranking Problems, Biometrika 33, 1945",
    systems: None,
    samples: Some(OnSamples::new::<Question>(
        "how alike two orders are; p is exact without ties, null where either is constant",
        r#"{"x":[..],"y":[..]}"#,
        r#"{"tau_b","p_two_sided"}"#,
    )),
};

#[derive(serde::Deserialize, JsonSchema)]
#[serde(transparent)]
struct Question(TwoSamples);

#[derive(Debug, Serialize, JsonSchema)]
struct Answer {
    tau_b: Option<f64>,
    p_two_sided: Option<f64>,
}

impl SampleQuestion for Question {
    type Answer = Answer;

    fn answer(self, _: Drawing) -> Result<Answer, SampleError> {
        let found = kendall(&self.0.x, &self.0.y)?;
        Ok(Answer {
            tau_b: found.map(|found| found.tau),
            p_two_sided: found.map(|found| found.p.two_sided),
        })
    }
}
