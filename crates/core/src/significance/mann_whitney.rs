//! Mann-Whitney U test of two independent samples.

use partita_stats::PValues;
use partita_stats::mann_whitney::{MannWhitneyMethod, mann_whitney};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SignificanceTest;
use super::sample_test::{ResamplingOptions, SampleTest, SampleTestError, SampleTestInput};

/// Registry entry of the test `mann-whitney`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "mann-whitney",
    aliases: &["rank-sum"],
    summary: "the Mann-Whitney U test (Wilcoxon's rank-sum test)",
    description: "U is the number of pairs with x above y, ties counted one half; exact given the \
                  ties, or normal with corrections for ties and continuity.",
    reference: "H.B. Mann and D.R. Whitney, On a Test of Whether one of Two Random Variables is \
                Stochastically Larger than the Other, Annals of Mathematical Statistics 18, 1947",
    system_test: None,
    sample_test: Some(SampleTest::new::<Input>(
        "two independent samples: does x tend to be smaller than y? u is U of x",
        r#"{"x":[..],"y":[..],"method":"auto|exact|exact-untied|normal|normal-nocc"}"#,
        r#"{"u","p_less","p_greater","p_two_sided","method"}"#,
    )),
};

/// Two independent samples and the method for the p-value.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    x: Vec<f64>,
    y: Vec<f64>,
    method: Option<MannWhitneyMethod>,
}

/// Mann-Whitney U of the first sample, with its p-values.
#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    u: f64,
    #[serde(flatten)]
    p: PValues,
    method: MannWhitneyMethod,
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let found = mann_whitney(&self.x, &self.y, self.method.unwrap_or_default())?;
        Ok(Output {
            u: found.u,
            p: found.p,
            method: found.method,
        })
    }
}
