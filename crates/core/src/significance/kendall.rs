//! Kendall's tau of two rankings.

use partita_stats::correlation::kendall::kendall;
use schemars::JsonSchema;
use serde::Serialize;

use super::SignificanceTest;
use super::sample_test::{
    ResamplingOptions, SampleTest, SampleTestError, SampleTestInput, TwoSamples,
};

/// Registry entry of the test `kendall`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "kendall",
    aliases: &["tau-b"],
    summary: "Kendall's rank correlation",
    description: "Pairs in the same order minus pairs in the opposite one, over the geometric mean \
                  of the pairs that either leaves untied.",
    reference: "M.G. Kendall, The Treatment of Ties in Ranking Problems, Biometrika 33, 1945",
    system_test: None,
    sample_test: Some(SampleTest::new::<Input>(
        "how alike two orders are; p is exact without ties, null where either is constant",
        r#"{"x":[..],"y":[..]}"#,
        r#"{"tau_b","p_two_sided"}"#,
    )),
};

/// Two paired samples.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(transparent)]
struct Input(TwoSamples);

/// Kendall's tau-b with its p-value; null if undefined.
#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    tau_b: Option<f64>,
    p_two_sided: Option<f64>,
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let found = kendall(&self.0.x, &self.0.y)?;
        Ok(Output {
            tau_b: found.map(|found| found.tau),
            p_two_sided: found.map(|found| found.p.two_sided),
        })
    }
}
