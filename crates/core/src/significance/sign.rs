//! Sign test.
//!
//! The test counts the queries on which two systems differ by more than a threshold, by sign. If
//! neither were better, that count would be binomial with probability ½. The two-tailed p-value
//! doubles the smaller tail. The test compares medians, not means, and ignores the size of
//! differences, so it is the least powerful of these tests.
//!
//! Differences up to the threshold (0 by default) are ties and are dropped.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::comparison::{ComparisonError, ComparisonOptions, compare};
//! use partita_core::work::SequentialWork;
//!
//! let values = vec![0.5, 0.1, 0.6, 0.2, 0.7, 0.3, 0.8, 0.79];
//! let scores = ScoreMatrix::new("AP", ["x", "y"], ["1", "2", "3", "4"], values)?;
//! let p = |threshold| -> Result<Option<f64>, ComparisonError> {
//!     let options = ComparisonOptions { threshold, ..ComparisonOptions::default() };
//!     Ok(compare(&scores, "sign", &options, &SequentialWork)?.pairs[0].p)
//! };
//! assert_eq!(p(0.0)?, Some(2.0 / 16.0));
//! assert_eq!(p(0.01)?, Some(2.0 / 8.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::PValues;
use partita_stats::sign_test::sign_test;
use schemars::JsonSchema;
use serde::Serialize;

use super::batch::sign as resampled;
use super::sample_test::{
    PairedSamples, ResamplingOptions, SampleTest, SampleTestError, SampleTestInput,
};
use super::system_test::{PairTestOutput, TestInput, TestOutput};
use super::{SignificanceTest, SystemTest, TestGoal, TestOption};
use crate::comparison::ComparisonError;

/// Registry entry of the test `sign`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "sign",
    aliases: &["sign-test"],
    summary: "the sign test: on how many queries is either better?",
    description: "Of the differences larger than the threshold, the positive ones are counted; if \
                  neither system were better, the count would be binomial with probability ½.",
    reference: "W.J. Dixon and A.M. Mood, The Statistical Sign Test, Journal of the American \
                Statistical Association 41, 1946; C.J. van Rijsbergen, Information Retrieval, \
                1979, chapter 7",
    system_test: Some(SystemTest {
        simultaneous: false,
        goal: TestGoal::Difference,
        options: &[TestOption::Tails, TestOption::Threshold],
        run: run_test,
        prepare_batch: Some(resampled::prepare),
    }),
    sample_test: Some(SampleTest::new::<Input>(
        "paired samples: are more differences d = x - y positive than negative?",
        r#"{"d":[..],"round":"relative|none"}, or x and y for d"#,
        r#"{"p_less","p_greater","p_two_sided","rounded_ties"}"#,
    )),
};

/// Runs the test on all pairs of systems.
fn run_test(input: &TestInput) -> Result<TestOutput, ComparisonError> {
    let settings = input.settings;
    Ok(TestOutput {
        pairs: input.test_pairs(|differences| {
            let mut differences = differences.rounded();
            differences.retain(|d| d.abs() > settings.threshold);
            Ok(PairTestOutput::from_p_values(
                sign_test(&differences)?.p,
                settings.tails,
            ))
        })?,
        smallest_p: input.smallest_p_of_signs(),
        ..TestOutput::default()
    })
}

/// Paired differences, or two samples that give them.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(transparent)]
struct Input(PairedSamples);

/// P-values of the sign test; `rounded_ties` counts the absolute differences that rounding made
/// equal to another one or to 0.
#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    #[serde(flatten)]
    p: PValues,
    rounded_ties: usize,
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let differences = self.0.differences()?;
        Ok(Output {
            p: sign_test(&differences.rounded())?.p,
            rounded_ties: differences.ties_from_rounding(),
        })
    }
}
