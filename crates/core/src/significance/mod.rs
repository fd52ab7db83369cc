//! Registry of significance tests: names, descriptions, options and functions.
//!
//! Every [`SignificanceTest`] is one file here and one line of the [`REGISTRY`]. A [`SystemTest`]
//! compares systems by their scores on the same queries; `compare` runs it, and `reliability` runs
//! it on many samples of the queries. A [`SampleTest`] tests plain samples (`partita stats`). Some
//! tests have both forms. A name means the same test everywhere.
//!
//! ```
//! use partita_core::significance::{self, ResamplingOptions};
//!
//! let (wilcoxon, _) = significance::find_system_test("signed-rank")?;
//! assert_eq!(wilcoxon.name, "wilcoxon");
//! // The same test on a plain sample of differences, as one line of JSON.
//! let (_, test) = significance::find_sample_test("wilcoxon")?;
//! let output = test.run_json(br#"{"d": [1, 2, 3, -4]}"#, ResamplingOptions::default());
//! assert!(output.unwrap().starts_with(r#"{"w_plus":6.0,"p_less":0.6875,"#));
//! # Ok::<(), significance::UnknownTestError>(())
//! ```

mod adjustment;
pub(crate) mod alpha;
pub(crate) mod batch;
mod bootstrap;
mod equivalence;
mod friedman_tukey;
pub(crate) mod intransitivity;
mod kendall;
mod mann_whitney;
mod pearson;
mod permutation;
mod randomised_tukey;
mod sample_test;
mod sign;
mod studentized_range;
mod system_test;
mod t_test;
pub(crate) mod tails;
mod tau_ap;
pub(crate) mod test_spec;
mod wilcoxon;

pub use sample_test::{ResamplingOptions, SampleTest, SampleTestError};
pub use system_test::{ComparedQuantity, CriticalDifference, OmnibusTest};

pub(crate) use system_test::{TestInput, TestOutput};

use std::fmt;

use crate::ScoreMatrix;
use crate::comparison::ComparisonError;
use crate::reliability::{PairTest, TestParameters};

/// All significance tests, in the order in which help and documentation list them.
pub static REGISTRY: &[&SignificanceTest] = &[
    &permutation::TEST,
    &t_test::TEST,
    &bootstrap::TEST,
    &wilcoxon::TEST,
    &wilcoxon::NORMAL,
    &wilcoxon::EXACT,
    &sign::TEST,
    &friedman_tukey::TEST,
    &randomised_tukey::TEST,
    &equivalence::TEST,
    &mann_whitney::TEST,
    &kendall::TEST,
    &tau_ap::TEST,
    &pearson::TEST,
    &adjustment::TEST,
    &studentized_range::TEST,
];

/// Significance test: its description, and its forms for systems and for plain samples.
pub struct SignificanceTest {
    /// Name by which users select the test.
    pub name: &'static str,
    /// Alternative names of the test.
    pub aliases: &'static [&'static str],
    /// Description of the test in one line.
    pub summary: &'static str,
    /// Description of the method in a few sentences.
    pub description: &'static str,
    /// Publication that defines the test.
    pub reference: &'static str,
    /// Form that compares systems by their scores on the same queries, if the test has one.
    pub system_test: Option<SystemTest>,
    /// Form that tests samples of numbers, if the test has one.
    pub sample_test: Option<SampleTest>,
}

/// Form of a significance test that compares systems by their scores on the same queries.
pub struct SystemTest {
    /// True if the p-values already account for the number of pairs of systems (as in Tukey's test)
    /// and need no correction for multiple comparisons.
    pub simultaneous: bool,
    /// Conclusion drawn from a significant result: difference or equivalence.
    pub goal: TestGoal,
    /// Options of [`TestOption`] that affect the test.
    pub options: &'static [TestOption],
    pub(crate) run: fn(&TestInput) -> Result<TestOutput, ComparisonError>,
    /// Function that prepares the fast form, which tests many samples of the queries at once, if it
    /// exists.
    pub(crate) prepare_batch: Option<PrepareBatchTest>,
}

/// Function that prepares a test of all pairs of systems on samples of the queries of these scores.
pub(crate) type PrepareBatchTest = fn(&ScoreMatrix, TestParameters) -> Box<dyn PairTest>;

impl fmt::Debug for SignificanceTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Test")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

partita_named::named_enum! {
    /// Conclusion that a significant result of a test supports.
    pub enum TestGoal: "goal" {
        /// Systems differ
        Difference = "difference",
        /// Systems do not differ by more than a margin
        Equivalence = "equivalence",
    }
}

/// Option of a comparison of systems that only some tests use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOption {
    /// Number of tails: one-tailed or two-tailed test.
    Tails,
    /// Treatment of score differences of 0 (Wilcoxon test).
    Zeros,
    /// Largest absolute score difference that counts as a tie (sign test).
    Threshold,
    /// Equivalence margin: largest difference of mean scores that does not matter.
    Margin,
    /// Number of random resamples or permutations.
    Samples,
}

/// Error: no test of the requested kind (of systems or of plain samples) has the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no test `{name}`{}", if *.is_other_kind { " that answers this question" } else { "" })]
pub struct UnknownTestError {
    /// Requested name of a test.
    pub name: String,
    /// True if a test of the other kind (of plain samples instead of systems, or the reverse) has
    /// the name.
    pub is_other_kind: bool,
    /// Names of all tests of the requested kind.
    pub known: Vec<&'static str>,
}

/// Returns the tests that compare systems.
pub fn system_tests()
-> impl Iterator<Item = (&'static SignificanceTest, &'static SystemTest)> + Clone {
    REGISTRY
        .iter()
        .filter_map(|test| Some((*test, test.system_test.as_ref()?)))
}

/// Returns the tests of plain samples of numbers.
pub fn sample_tests()
-> impl Iterator<Item = (&'static SignificanceTest, &'static SampleTest)> + Clone {
    REGISTRY
        .iter()
        .filter_map(|test| Some((*test, test.sample_test.as_ref()?)))
}

/// Finds a test that compares systems by name or alias.
///
/// ```
/// use partita_core::significance::{UnknownTestError, find_system_test};
///
/// assert_eq!(find_system_test("randomized-tukey")?.0.name, "randomised-tukey");
/// assert!(find_system_test("anova").is_err() && find_system_test("kendall").is_err());
/// # Ok::<(), UnknownTestError>(())
/// ```
pub fn find_system_test(
    name: &str,
) -> Result<(&'static SignificanceTest, &'static SystemTest), UnknownTestError> {
    find(system_tests(), name)
}

/// Finds a test of plain samples by name or alias.
pub fn find_sample_test(
    name: &str,
) -> Result<(&'static SignificanceTest, &'static SampleTest), UnknownTestError> {
    find(sample_tests(), name)
}

/// Finds a test by name or alias among tests of one kind.
fn find<T>(
    mut tests: impl Iterator<Item = (&'static SignificanceTest, T)> + Clone,
    name: &str,
) -> Result<(&'static SignificanceTest, T), UnknownTestError> {
    let is_it = |test: &SignificanceTest| {
        let names = std::iter::once(&test.name).chain(test.aliases);
        names
            .into_iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    };
    let all = tests.clone();
    tests
        .find(|(test, _)| is_it(test))
        .ok_or_else(|| UnknownTestError {
            name: name.to_owned(),
            is_other_kind: REGISTRY.iter().any(|test| is_it(test)),
            known: all.map(|(test, _)| test.name).collect(),
        })
}
