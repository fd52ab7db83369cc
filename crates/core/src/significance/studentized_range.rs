//! Distribution of the studentized range.

use partita_stats::distribution::studentized_range::{cdf, quantile, sf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SignificanceTest;
use super::sample_test::{ResamplingOptions, SampleTest, SampleTestError, SampleTestInput};

/// Registry entry of the test `studentized-range`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "studentized-range",
    aliases: &["tukey"],
    summary: "the distribution of the studentized range",
    description: "The range of k independent standard normal values over an independent estimate \
                  of their standard deviation.",
    reference: "J.W. Tukey, The Problem of Multiple Comparisons, 1953; M.D. Copenhaver and \
                B. Holland, Computation of the Distribution of the Maximum Studentized Range \
                Statistic, Journal of Statistical Computation and Simulation 30, 1988",
    system_test: None,
    sample_test: Some(SampleTest::new::<Input>(
        "the distribution of the range of k means; df null is infinite",
        r#"{"k":3,"df":null,"q":3.3}, or p for q"#,
        r#"{"cdf","sf"}, or {"q"} for p"#,
    )),
};

/// Number of groups `k`, degrees of freedom `df`, and a value `q` or a probability `p`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    k: usize,
    df: Option<f64>,
    q: Option<f64>,
    p: Option<f64>,
}

/// Probabilities of a value (`cdf`, and `sf` = 1 - `cdf`), or quantile of a probability.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Output {
    Probabilities { cdf: f64, sf: f64 },
    Quantile { q: f64 },
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let (k, df) = (self.k, self.df.unwrap_or(f64::INFINITY));
        match (self.q, self.p) {
            (Some(q), None) => Ok(Output::Probabilities {
                sf: sf(q, k, df)?,
                cdf: cdf(q, k, df)?,
            }),
            (None, Some(p)) => Ok(Output::Quantile {
                q: quantile(p, k, df)?,
            }),
            (Some(_), Some(_)) => Err(SampleTestError::Fields(
                "expected either `q` or `p`, found both",
            )),
            (None, None) => Err(SampleTestError::Fields(
                "the field `q` is missing, or `p` in its place",
            )),
        }
    }
}
