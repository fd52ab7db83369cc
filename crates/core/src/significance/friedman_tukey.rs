//! Friedman's test with Tukey's comparisons, as MIREX runs them.
//!
//! Within each query the systems are ranked, with midranks for ties; a higher mean rank is better.
//! Friedman's χ² tests whether any systems differ. Regardless of its result, all pairs are then
//! compared by their mean ranks with Tukey's honestly significant difference on infinite degrees of
//! freedom: `friedman` and `multcompare` (`tukey-kramer`) of MATLAB, as the evaluators of MIREX
//! call them. The p-values hold for all pairs together and need no further correction. The test
//! gives no intervals of mean scores; those of `compare` are Student's, for each pair by itself.
//!
//! Mean ranks decide a pair and can disagree with the means; the result marks such pairs. If all
//! systems tie on every query, every p is 1.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::comparison::{ComparisonOptions, compare};
//! use partita_core::work::SequentialWork;
//!
//! // Six queries, four systems.
//! let values = [
//!     [70.0, 61.0, 82.0, 74.0],
//!     [77.0, 75.0, 88.0, 76.0],
//!     [76.0, 67.0, 90.0, 80.0],
//!     [80.0, 63.0, 96.0, 76.0],
//!     [84.0, 66.0, 92.0, 84.0],
//!     [78.0, 68.0, 98.0, 86.0],
//! ];
//! let queries = ["1", "2", "3", "4", "5", "6"];
//! let scores = ScoreMatrix::new("AG@5", ["a", "b", "c", "d"], queries, values.concat())?;
//! let found = compare(&scores, "friedman-tukey", &ComparisonOptions::default(), &SequentialWork)?;
//! assert!(found.omnibus.is_some_and(|test| (test.chi_squared - 16.52542372881356).abs() < 1e-12));
//! let groups = found.systems.iter().map(|system| (&*system.name, system.group.as_deref()));
//! let expected = [("c", "a"), ("d", "ab"), ("a", "ab"), ("b", "b")];
//! assert!(groups.eq(expected.map(|(name, group)| (name, Some(group)))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::differences::Rounding;
use partita_stats::distribution::studentized_range;
use partita_stats::friedman::friedman;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::batch::friedman_tukey as resampled;
use super::sample_test::{ResamplingOptions, SampleTest, SampleTestError, SampleTestInput};
use super::system_test::{
    ComparedQuantity, CriticalDifference, OmnibusTest, PairTestOutput, TestInput, TestOutput,
};
use super::{SignificanceTest, SystemTest, TestGoal};
use crate::comparison::ComparisonError;

/// Registry entry of the test `friedman-tukey`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "friedman-tukey",
    aliases: &["friedman"],
    summary: "Friedman's test, then Tukey's HSD of mean ranks, as MIREX runs them",
    description: "Systems are ranked within each query; pairs are compared by their mean ranks with \
                  the studentized range of all systems on infinite degrees of freedom.",
    reference: "M. Friedman, The Use of Ranks to Avoid the Assumption of Normality, Journal of the \
                American Statistical Association 32, 1937; J.S. Downie, A.F. Ehmann, M. Bay and \
                M.C. Jones, The Music Information Retrieval Evaluation eXchange: Some Observations \
                and Insights, 2010",
    system_test: Some(SystemTest {
        simultaneous: true,
        goal: TestGoal::Difference,
        options: &[],
        run: run_test,
        prepare_batch: Some(resampled::prepare),
    }),
    sample_test: Some(SampleTest::new::<Input>(
        "many systems on the same queries: which differ? rows are queries; alpha is 0.05 if not given",
        r#"{"data":[[..],..],"alpha":0.05,"round":"relative|none"}"#,
        r#"{"chi2","df","p","mean_ranks":[..],"pairs":[{"i","j","diff","p","significant"},..],"rounded_ties"}"#,
    )),
};

/// Runs the test on all pairs of systems.
fn run_test(input: &TestInput) -> Result<TestOutput, ComparisonError> {
    let test = friedman(&input.rounded_rows())?;
    let tukey = test.tukey(input.settings.alpha.value())?;
    let k = test.mean_ranks.len();
    let pairs = input.pairs.iter().map(|&(a, b)| {
        // `tukey.pairs` has the order (0, 1), (0, 2), ..., (1, 2), ...
        let pair = &tukey.pairs[a * (2 * k - a - 1) / 2 + b - a - 1];
        PairTestOutput {
            p: Some(pair.p),
            direction: pair.diff.total_cmp(&0.0),
            interval: None,
        }
    });
    let widest = (k as f64 - 1.0) / test.standard_error();
    let smallest_p = if widest.is_finite() {
        studentized_range::sf(widest, k, f64::INFINITY)?
    } else {
        0.0
    };
    Ok(TestOutput {
        pairs: pairs.collect(),
        omnibus: Some(OmnibusTest {
            chi_squared: test.chi_squared,
            df: test.df,
            p: test.p,
        }),
        critical_difference: Some(CriticalDifference {
            of: ComparedQuantity::MeanRank,
            value: tukey.critical_difference,
        }),
        smallest_p,
        ..TestOutput::default()
    })
}

/// Scores with one row per block (query) and one column per treatment (system).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    data: Vec<Vec<f64>>,
    alpha: Option<f64>,
    round: Option<Rounding>,
}

/// Friedman test, mean ranks, and the comparison of every pair of treatments.
#[derive(Debug, Serialize, JsonSchema)]
struct Output {
    #[serde(flatten)]
    omnibus: OmnibusTest,
    mean_ranks: Vec<f64>,
    pairs: Vec<SamplePair>,
    rounded_ties: usize,
}

/// Comparison of the treatments with the column numbers `i` and `j`, counted from 0.
#[derive(Debug, Serialize, JsonSchema)]
struct SamplePair {
    i: usize,
    j: usize,
    diff: f64,
    p: f64,
    significant: bool,
}

impl SampleTestInput for Input {
    type Output = Output;

    fn run(self, _: ResamplingOptions) -> Result<Output, SampleTestError> {
        let (rows, rounded_ties) = self.round.unwrap_or_default().round_rows(&self.data);
        let test = friedman(&rows)?;
        let tukey = test.tukey(self.alpha.unwrap_or(0.05))?;
        let pairs = tukey.pairs.iter().map(|pair| SamplePair {
            i: pair.a,
            j: pair.b,
            diff: pair.diff,
            p: pair.p,
            significant: pair.significant,
        });
        Ok(Output {
            pairs: pairs.collect(),
            omnibus: OmnibusTest {
                chi_squared: test.chi_squared,
                df: test.df,
                p: test.p,
            },
            mean_ranks: test.mean_ranks,
            rounded_ties,
        })
    }
}
