//! Adjustment of p-values for multiple comparisons, as a test of plain samples.

use partita_stats::adjustment::{Adjustment, adjust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SignificanceTest;
use super::sample_test::{ResamplingOptions, SampleTest, SampleTestError, SampleTestInput};

/// Registry entry of the test `adjust`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "adjust",
    aliases: &["p-adjust"],
    summary: "corrections of p-values for their number",
    description: "Each adjusted p-value is the smallest overall level at which the procedure would \
                  reject its hypothesis.",
    reference: "S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian \
                Journal of Statistics 6, 1979; Y. Benjamini and Y. Hochberg, Controlling the False \
                Discovery Rate, Journal of the Royal Statistical Society B 57, 1995",
    system_test: None,
    sample_test: Some(SampleTest::new::<Input>(
        "p-values corrected for their number",
        r#"{"p":[..],"method":"bonferroni|holm|hochberg|bh|by"}"#,
        r#"{"p":[..]}"#,
    )),
};

/// P-values and the method of adjustment.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    p: Vec<f64>,
    method: Adjustment,
}

/// Adjusted p-values, in the order of the input.
#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    p: Vec<f64>,
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let p = adjust(&self.p, self.method)?;
        Ok(Output { p })
    }
}
