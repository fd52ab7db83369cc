//! Pearson's correlation of two samples.

use partita_stats::pearson::pearson;
use schemars::JsonSchema;
use serde::Serialize;

use super::Test;
use super::samples::{Drawing, OnSamples, SampleError, SampleQuestion, TwoSamples};

pub(super) static TEST: Test = Test {
    name: "pearson",
    aliases: &[],
    summary: "Pearson's product-moment correlation",
    description: "The covariance over the standard deviations; p from Student's t on n - 2 degrees \
                  of freedom.",
    reference: "K. Pearson, Mathematical Contributions to the Theory of Evolution III, \
                Philosophical Transactions of the Royal Society A 187, 1896",
    systems: None,
    samples: Some(OnSamples::new::<Question>(
        "linear correlation; null where either is constant",
        r#"{"x":[..],"y":[..]}"#,
        r#"{"r","p_two_sided"}"#,
    )),
};

#[derive(serde::Deserialize, JsonSchema)]
#[serde(transparent)]
struct Question(TwoSamples);

#[derive(Debug, Serialize, JsonSchema)]
struct Answer {
    r: Option<f64>,
    p_two_sided: Option<f64>,
}

impl SampleQuestion for Question {
    type Answer = Answer;

    fn answer(self, _: Drawing) -> Result<Answer, SampleError> {
        let found = pearson(&self.0.x, &self.0.y)?;
        Ok(Answer {
            r: found.map(|found| found.r),
            p_two_sided: found.map(|found| found.p.two_sided),
        })
    }
}
