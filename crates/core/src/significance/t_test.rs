//! Paired t-test.
//!
//! t = mean/(s/√n) of the differences on n - 1 degrees of freedom (Student 1908). The test compares
//! means. On scores of retrieval systems it holds its level well although they are not normal, and
//! it is as powerful as any test (Urbano, Lima and Hanjalic 2019).
//!
//! Ties need no treatment, and differences are not rounded. If all differences are equal (up to
//! rounding error, unless the options turn rounding off), their variance is 0 and t is undefined;
//! such a pair is not tested.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::comparison::{ComparisonOptions, compare};
//! use partita_core::work::SequentialWork;
//!
//! // The sleep data of Student (1908): extra hours under two drugs.
//! let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
//! let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
//! let values = first.into_iter().zip(second).flat_map(|(a, b)| [a, b]);
//! let patients = (1..=10).map(|patient| patient.to_string());
//! let scores = ScoreMatrix::new("hours", ["first", "second"], patients, values.collect())?;
//! let found = compare(&scores, "t", &ComparisonOptions::default(), &SequentialWork)?;
//! assert_eq!(&*found.pairs[0].a, "second");
//! assert!(found.pairs[0].p.is_some_and(|p| (p - 0.0028329).abs() < 1e-7));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::PValues;
use partita_stats::differences::{Differences, Rounding};
use partita_stats::t_test::{one_sample, student, welch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::batch::t_test;
use super::sample_test::{ResamplingOptions, SampleTest, SampleTestError, SampleTestInput};
use super::system_test::{PairTestOutput, TestInput, TestOutput};
use super::{SignificanceTest, SystemTest, TestGoal, TestOption};
use crate::comparison::ComparisonError;

/// Registry entry of the test `t`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "t",
    aliases: &["t-test", "student"],
    summary: "Student's paired t-test of the difference of means",
    description: "t = mean/(s/√n) of the differences, on n - 1 degrees of freedom.",
    reference: "Student, The Probable Error of a Mean, Biometrika 6, 1908; J. Urbano, H. Lima and \
                A. Hanjalic, Statistical Significance Testing in Information Retrieval: An \
                Empirical Analysis of Type I, Type II and Type III Errors, SIGIR 2019",
    system_test: Some(SystemTest {
        simultaneous: false,
        goal: TestGoal::Difference,
        options: &[TestOption::Tails],
        run: run_test,
        prepare_batch: Some(t_test::prepare),
    }),
    sample_test: Some(SampleTest::new::<Input>(
        "two samples: is the mean of x smaller than that of y?",
        r#"{"x":[..],"y":[..],"kind":"paired|welch|student","round":"relative|none"}"#,
        r#"{"t","df","p_less","p_greater","p_two_sided"}; without kind: paired if x and y are equally long, else welch, and "kind" says which; round is for paired"#,
    )),
};

/// Runs the test on all pairs of systems.
fn run_test(input: &TestInput) -> Result<TestOutput, ComparisonError> {
    let tails = input.settings.tails;
    Ok(TestOutput {
        pairs: input.test_pairs(|differences| {
            let test = one_sample(&differences.for_mean_test())?;
            Ok(match test.standard_error > 0.0 {
                true => PairTestOutput::from_p_values(test.p, tails),
                false => PairTestOutput::untested(),
            })
        })?,
        ..TestOutput::default()
    })
}

/// Two samples and the kind of t-test.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    x: Vec<f64>,
    y: Vec<f64>,
    kind: Option<TTestKind>,
    round: Option<Rounding>,
}

partita_named::named_enum! {
    /// Kind of t-test of two samples.
    enum TTestKind: "kind of t-test" {
        /// Paired samples
        Paired = "paired",
        /// Independent samples with any variances
        Welch = "welch",
        /// Independent samples of equal variance
        Student = "student",
    }
}

/// Statistic `t` with its degrees of freedom and p-values.
#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    t: f64,
    df: f64,
    /// Kind of t-test that was chosen, if the input did not give it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    kind: Option<TTestKind>,
    #[serde(flatten)]
    p: PValues,
}

impl Input {
    /// Returns the kind of t-test used if the input gives none: paired for samples of equal length,
    /// else Welch.
    fn default_kind(&self) -> TTestKind {
        if self.x.len() == self.y.len() {
            TTestKind::Paired
        } else {
            TTestKind::Welch
        }
    }
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let kind = self.kind.unwrap_or_else(|| self.default_kind());
        let test = match kind {
            TTestKind::Paired => {
                let rounding = self.round.unwrap_or_default();
                one_sample(&Differences::from_pairs(&self.x, &self.y, rounding)?.for_mean_test())
            }
            TTestKind::Welch => welch(&self.x, &self.y),
            TTestKind::Student => student(&self.x, &self.y),
        }?;
        if test.standard_error == 0.0 {
            return Err(SampleTestError::NoVariance);
        }
        Ok(Output {
            t: test.t,
            df: test.df,
            kind: self.kind.is_none().then_some(kind),
            p: test.p,
        })
    }
}
