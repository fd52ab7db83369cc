//! The one list of tests: what they are called, what they mean, and what they can be asked.
//!
//! Every [`Test`] is one file here and one line of the [`REGISTRY`]. Some compare systems by their
//! scores on the same queries ([`OnSystems`]: `compare` runs them, and `reliability` runs them on
//! many samples of the queries); some answer a question about plain samples ([`OnSamples`]:
//! `partita stats`); some do both. A name means the same test everywhere.
//!
//! ```
//! use partita_core::test;
//!
//! let (wilcoxon, _) = test::of_systems("signed-rank")?;
//! assert_eq!(wilcoxon.name, "wilcoxon");
//! // The same test of a plain sample of differences, as one line of JSON.
//! let (_, asked) = test::of_samples("wilcoxon")?;
//! let answer = asked.answer(br#"{"d": [1, 2, 3, -4]}"#, test::Drawing::default());
//! assert!(answer.unwrap().starts_with(r#"{"w_plus":6.0,"p_less":0.6875,"#));
//! # Ok::<(), test::UnknownTest>(())
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
mod tau_ap;
mod wilcoxon;

pub use sample_test::{ResamplingOptions, SampleTest, SampleTestError};
pub use system_test::{ComparedQuantity, CriticalDifference, OmnibusTest};

pub(crate) use system_test::{TestInput, TestOutput};

use std::fmt;

use crate::ScoreMatrix;
use crate::comparison::ComparisonError;
use crate::reliability::{PairTest, TestParameters};

/// Every test, in the order in which they are listed.
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

/// What there is to say of a test, and how to run it.
pub struct SignificanceTest {
    /// Its name.
    pub name: &'static str,
    /// Other names under which people know it.
    pub aliases: &'static [&'static str],
    /// What it is, in a line.
    pub summary: &'static str,
    /// What it computes.
    pub description: &'static str,
    /// Where it was defined.
    pub reference: &'static str,
    /// How it compares systems, if it does.
    pub system_test: Option<SystemTest>,
    /// What it answers about plain samples, if it does.
    pub sample_test: Option<SampleTest>,
}

/// How a test compares systems by their scores on the same queries.
pub struct SystemTest {
    /// Whether its p-values hold for all pairs together, so that nothing is left to correct.
    pub simultaneous: bool,
    /// What a significant result says.
    pub goal: TestGoal,
    /// The options that it uses.
    pub options: &'static [TestOption],
    pub(crate) run: fn(&TestInput) -> Result<TestOutput, ComparisonError>,
    /// The same test prepared to decide many samples of the queries at once, where there is a way
    /// that is quicker than answering sample by sample.
    pub(crate) prepare_batch: Option<PrepareBatchTest>,
}

/// Prepares a test to decide samples of the queries of these scores.
pub(crate) type PrepareBatchTest = fn(&ScoreMatrix, TestParameters) -> Box<dyn PairTest>;

impl fmt::Debug for SignificanceTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Test")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

partita_named::named_enum! {
    /// What a significant result of a test says.
    pub enum TestGoal: "goal" {
        /// That systems differ
        Difference = "difference",
        /// That they do not differ by more than a margin
        Equivalence = "equivalence",
    }
}

/// What some tests use and others do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOption {
    /// One-tailed or two-tailed.
    Tails,
    /// What becomes of differences of zero.
    Zeros,
    /// Up to which size differences are ties.
    Threshold,
    /// Up to which size differences do not matter.
    Margin,
    /// How many samples are drawn.
    Samples,
}

/// No test of that name answers such a question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no test `{name}`{}", if *.is_other_kind { " that answers this question" } else { "" })]
pub struct UnknownTestError {
    /// The name that was asked for.
    pub name: String,
    /// Whether there is such a test, for another kind of question.
    pub is_other_kind: bool,
    /// The tests that there are.
    pub known: Vec<&'static str>,
}

/// The tests that compare systems.
pub fn system_tests()
-> impl Iterator<Item = (&'static SignificanceTest, &'static SystemTest)> + Clone {
    REGISTRY
        .iter()
        .filter_map(|test| Some((*test, test.system_test.as_ref()?)))
}

/// The tests that answer questions about plain samples.
pub fn sample_tests()
-> impl Iterator<Item = (&'static SignificanceTest, &'static SampleTest)> + Clone {
    REGISTRY
        .iter()
        .filter_map(|test| Some((*test, test.sample_test.as_ref()?)))
}

/// The test of this name, if it compares systems.
///
/// ```
/// use partita_core::test;
///
/// assert_eq!(test::of_systems("randomized-tukey")?.0.name, "randomised-tukey");
/// assert!(test::of_systems("anova").is_err() && test::of_systems("kendall").is_err());
/// # Ok::<(), test::UnknownTest>(())
/// ```
pub fn find_system_test(
    name: &str,
) -> Result<(&'static SignificanceTest, &'static SystemTest), UnknownTestError> {
    find(system_tests(), name)
}

/// The test of this name, if it answers questions about plain samples.
pub fn find_sample_test(
    name: &str,
) -> Result<(&'static SignificanceTest, &'static SampleTest), UnknownTestError> {
    find(sample_tests(), name)
}

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
