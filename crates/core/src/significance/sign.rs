//! The sign test.
//!
//! Of the queries on which two systems differ by more than a threshold, how many speak for either?
//! If neither were better, that count would be binomial with probability ½. The two-tailed p-value
//! doubles the smaller tail. It asks for the median, not the mean, and throws away how large
//! differences are: the least powerful of these tests.
//!
//! Differences up to the threshold (0 if none is given) are ties, and are dropped.
//!
//! ```
//! use partita_core::Scores;
//! use partita_core::compare::{Settings, compare};
//! use partita_core::work::InTurn;
//!
//! let values = vec![0.5, 0.1, 0.6, 0.2, 0.7, 0.3, 0.8, 0.79];
//! let scores = Scores::new("AP", ["x", "y"], ["1", "2", "3", "4"], values)?;
//! let p = |threshold| -> Result<f64, partita_core::compare::CompareError> {
//!     let settings = Settings { threshold, ..Settings::default() };
//!     Ok(compare(&scores, "sign", &settings, &InTurn)?.pairs[0].p)
//! };
//! assert_eq!(p(0.0)?, 2.0 / 16.0);
//! assert_eq!(p(0.01)?, 2.0 / 8.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::sign_test::sign_test;
use schemars::JsonSchema;
use serde::Serialize;

use super::batch::sign as resampled;
use super::sample_test::{
    PValueFields, PairedSamples, ResamplingOptions, SampleTest, SampleTestError, SampleTestInput,
};
use super::system_test::{PairTestOutput, TestInput, TestOutput};
use super::{SignificanceTest, SystemTest, TestGoal, TestOption};
use crate::comparison::ComparisonError;

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
        run: answer,
        prepare_batch: Some(resampled::prepare),
    }),
    sample_test: Some(SampleTest::new::<Input>(
        "paired samples: are more differences d = x - y positive than negative?",
        r#"{"d":[..],"round":"relative|none"}, or x and y for d"#,
        r#"{"p_less","p_greater","p_two_sided","rounded_ties"}"#,
    )),
};

fn answer(question: &TestInput) -> Result<TestOutput, ComparisonError> {
    let settings = question.settings;
    Ok(TestOutput {
        pairs: question.test_pairs(|differences| {
            let mut differences = differences.rounded();
            differences.retain(|d| d.abs() > settings.threshold);
            Ok(PairTestOutput::from_p_values(
                sign_test(&differences)?.p,
                settings.tails,
            ))
        })?,
        smallest_p: question.smallest_by_signs(),
        ..TestOutput::default()
    })
}

/// Plain differences.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(transparent)]
struct Input(PairedSamples);

#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    #[serde(flatten)]
    p: PValueFields,
    rounded_ties: usize,
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let differences = self.0.differences()?;
        Ok(Output {
            p: sign_test(&differences.rounded())?.p.into(),
            rounded_ties: differences.ties_from_rounding(),
        })
    }
}
