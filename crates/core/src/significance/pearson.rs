//! Pearson's correlation of two samples.

use partita_stats::correlation::pearson::pearson;
use schemars::JsonSchema;
use serde::Serialize;

use super::SignificanceTest;
use super::sample_test::{
    ResamplingOptions, SampleTest, SampleTestError, SampleTestInput, TwoSamples,
};

/// Registry entry of the test `pearson`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "pearson",
    aliases: &[],
    summary: "Pearson's product-moment correlation",
    description: "The covariance over the standard deviations; p from Student's t on n - 2 degrees \
                  of freedom.",
    reference: "K. Pearson, Mathematical Contributions to the Theory of Evolution III, \
                Philosophical Transactions of the Royal Society A 187, 1896",
    system_test: None,
    sample_test: Some(SampleTest::new::<Input>(
        "linear correlation; null where either is constant",
        r#"{"x":[..],"y":[..]}"#,
        r#"{"r","p_two_sided"}"#,
    )),
};

/// Two paired samples.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(transparent)]
struct Input(TwoSamples);

/// Pearson's correlation coefficient r with its p-value; null if undefined.
#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    r: Option<f64>,
    p_two_sided: Option<f64>,
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let found = pearson(&self.0.x, &self.0.y)?;
        Ok(Output {
            r: found.map(|found| found.r),
            p_two_sided: found.map(|found| found.p.two_sided),
        })
    }
}
