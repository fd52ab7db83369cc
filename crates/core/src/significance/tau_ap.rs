//! AP correlation (Yilmaz, Aslam and Robertson 2008): rank correlation of an estimated order of
//! systems with the true order.

use partita_stats::StatsError;
use partita_stats::correlation::tau_ap::{tau_ap, tau_ap_a, tau_ap_b};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SignificanceTest;
use super::sample_test::{ResamplingOptions, SampleTest, SampleTestError, SampleTestInput};

/// Registry entry of the test `tau-ap`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "tau-ap",
    aliases: &[],
    summary: "AP correlation of two orders, and its forms for ties",
    description: "For each item below the first, the share of those above it that should be there, \
                  averaged and brought to the range from -1 to 1.",
    reference: "E. Yilmaz, J.A. Aslam and S. Robertson, A New Rank Correlation Coefficient for \
                Information Retrieval, SIGIR 2008; J. Urbano and M. Marrero, The Treatment of Ties \
                in AP Correlation, ICTIR 2017",
    system_test: None,
    sample_test: Some(SampleTest::new::<Input>(
        "how alike two orders are, most of all at the top; larger values are better. Null where \
         not defined: tau_ap with ties, tau_ap_a with ties in truth, tau_ap_b of constants",
        r#"{"truth":[..],"estimate":[..]}"#,
        r#"{"tau_ap","tau_ap_a","tau_ap_b"}"#,
    )),
};

/// True and estimated scores of the same systems.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    truth: Vec<f64>,
    estimate: Vec<f64>,
}

/// AP correlation tau_ap and its variants for ties; null if undefined.
#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    tau_ap: Option<f64>,
    tau_ap_a: Option<f64>,
    tau_ap_b: Option<f64>,
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let (truth, estimate) = (&self.truth, &self.estimate);
        Ok(Output {
            tau_ap_b: tau_ap_b(truth, estimate)?,
            tau_ap: none_if_tied(tau_ap(truth, estimate))?,
            tau_ap_a: none_if_tied(tau_ap_a(truth, estimate))?,
        })
    }
}

/// Converts the error for tied scores to `None`, because the coefficient is undefined for ties.
fn none_if_tied(tau: Result<f64, StatsError>) -> Result<Option<f64>, StatsError> {
    match tau {
        Ok(tau) => Ok(Some(tau)),
        Err(StatsError::UnexpectedTies { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
