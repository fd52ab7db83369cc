//! Wilcoxon signed-rank test.
//!
//! The absolute differences are ranked, and the ranks of the positive ones are summed (Wilcoxon
//! 1945). The test decides whether differences tend to lie on one side of 0, which is not the same
//! as a difference of means: on skewed differences it can favour the system with the lower mean.
//!
//! Ties get midranks, and the exact distribution accounts for them. Zero differences are dropped
//! before ranking (Wilcoxon), ranked and dropped (Pratt), or ranked and split. For up to 50 nonzero
//! differences p is exact; beyond, it is a normal approximation with corrections for ties and
//! continuity. For split zeros these two distributions differ in principle, and p jumps there (see
//! [`partita_stats::signed_rank`]); for Pratt's they do not.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::comparison::{ComparisonOptions, compare};
//! use partita_core::work::SequentialWork;
//!
//! let values = vec![0.5, 0.0, 0.3, 0.0, 0.0, 0.1, 0.2, 0.0, 0.4, 0.0];
//! let scores = ScoreMatrix::new("AP", ["x", "y"], ["1", "2", "3", "4", "5"], values)?;
//! let found = compare(&scores, "wilcoxon", &ComparisonOptions::default(), &SequentialWork)?;
//! // Only the smallest of five is negative: 2 of 32 choices of signs in either tail.
//! assert_eq!(found.pairs[0].p, Some(4.0 / 32.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::differences::Rounding;
use partita_stats::signed_rank::{SignedRankMethod, ZeroMethod, signed_rank};
use partita_stats::{PValues, StatsError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::batch::{wilcoxon, wilcoxon_normal};
use super::sample_test::{
    PairedSamples, ResamplingOptions, SampleTest, SampleTestError, SampleTestInput,
};
use super::system_test::{PairTestOutput, TestInput, TestOutput};
use super::{SignificanceTest, SystemTest, TestGoal, TestOption};
use crate::comparison::ComparisonError;

/// Registry entry of the test `wilcoxon`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "wilcoxon",
    aliases: &["signed-rank"],
    summary: "the Wilcoxon signed-rank test, exact up to 50 differences, else normal",
    description: "The sum of the ranks that the positive differences have among all by absolute \
                  value; exact given the ties up to 50 differences that are not zero, normal with \
                  corrections for ties and continuity beyond.",
    reference: WILCOXON_REFERENCE,
    system_test: Some(SystemTest {
        simultaneous: false,
        goal: TestGoal::Difference,
        options: WILCOXON_OPTIONS,
        run: |input| run_test(input, SignedRankMethod::Auto),
        prepare_batch: Some(wilcoxon::prepare),
    }),
    sample_test: Some(SampleTest::new::<Input>(
        "paired samples: do the differences d = x - y tend to be positive?",
        r#"{"d":[..],"zeros":"wilcox|pratt|zsplit","method":"auto|exact|normal|normal-nocc","round":"relative|none"}, or x and y for d"#,
        r#"{"w_plus","p_less","p_greater","p_two_sided","method","rounded_ties"}"#,
    )),
};

/// Registry entry of the test `wilcoxon-normal`: name, description, options and functions.
pub(super) static NORMAL: SignificanceTest = SignificanceTest {
    name: "wilcoxon-normal",
    aliases: &[],
    summary: "the Wilcoxon signed-rank test, normal with corrections for ties and continuity",
    description: "The sum of the ranks that the positive differences have among all by absolute \
                  value; normal with corrections for ties and continuity, however few they are.",
    reference: WILCOXON_REFERENCE,
    system_test: Some(SystemTest {
        simultaneous: false,
        goal: TestGoal::Difference,
        options: WILCOXON_OPTIONS,
        run: |input| run_test(input, SignedRankMethod::Normal),
        prepare_batch: Some(wilcoxon_normal::prepare),
    }),
    sample_test: None,
};

/// Registry entry of the test `wilcoxon-exact`: name, description, options and functions.
pub(super) static EXACT: SignificanceTest = SignificanceTest {
    name: "wilcoxon-exact",
    aliases: &[],
    summary: "the Wilcoxon signed-rank test, exact",
    description: "The sum of the ranks that the positive differences have among all by absolute \
                  value; exact given the ties, however many they are.",
    reference: WILCOXON_REFERENCE,
    system_test: Some(SystemTest {
        simultaneous: false,
        goal: TestGoal::Difference,
        options: WILCOXON_OPTIONS,
        run: |input| run_test(input, SignedRankMethod::ExactConditional),
        prepare_batch: Some(wilcoxon::prepare_exact),
    }),
    sample_test: None,
};

/// Publications that define the three Wilcoxon tests.
const WILCOXON_REFERENCE: &str = "F. Wilcoxon, Individual Comparisons by Ranking Methods, \
    Biometrics Bulletin 1, 1945; J.W. Pratt, Remarks on Zeros and Ties in the Wilcoxon Signed Rank \
    Procedures, Journal of the American Statistical Association 54, 1959";

/// Options of the three Wilcoxon tests.
const WILCOXON_OPTIONS: &[TestOption] = &[TestOption::Tails, TestOption::Zeros];

/// Runs the test on all pairs of systems.
fn run_test(input: &TestInput, method: SignedRankMethod) -> Result<TestOutput, ComparisonError> {
    let settings = input.settings;
    let p_values = |differences: &[f64]| Ok(signed_rank(differences, settings.zeros, method)?.p);
    // The smallest p-value belongs to equal signs, either without ties or with all values tied.
    let untied: Vec<f64> = (1..=input.queries()).map(|d| d as f64).collect();
    let tied = vec![1.0; input.queries()];
    let smallest = |differences: &[f64]| -> Result<f64, StatsError> {
        Ok(settings.tails.p_value(p_values(differences)?))
    };
    let smallest = smallest(&untied)?.min(smallest(&tied)?);
    Ok(TestOutput {
        pairs: input.test_pairs(|differences| {
            let p = p_values(&differences.rounded())?;
            Ok(PairTestOutput::from_p_values(p, settings.tails))
        })?,
        smallest_p: smallest,
        ..TestOutput::default()
    })
}

/// Paired differences `d`, or two samples `x` and `y`, the treatment of zero differences, the
/// method for the p-value, and the rounding of differences.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    d: Option<Vec<f64>>,
    x: Option<Vec<f64>>,
    y: Option<Vec<f64>>,
    zeros: Option<ZeroMethod>,
    method: Option<SignedRankMethod>,
    round: Option<Rounding>,
}

/// Rank sum of the positive differences with its p-values; `rounded_ties` counts the absolute
/// differences that rounding made equal to another one or to 0.
#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    w_plus: f64,
    #[serde(flatten)]
    p: PValues,
    method: SignedRankMethod,
    rounded_ties: usize,
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let Self { d, x, y, round, .. } = self;
        let (zeros, method) = (
            self.zeros.unwrap_or_default(),
            self.method.unwrap_or_default(),
        );
        let differences = PairedSamples { d, x, y, round }.differences()?;
        let found = signed_rank(&differences.rounded(), zeros, method)?;
        Ok(Output {
            w_plus: found.w_plus,
            p: found.p,
            method: found.method,
            rounded_ties: differences.ties_from_rounding(),
        })
    }
}
