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

mod adjust;
mod bootstrap;
mod equivalence;
mod friedman_tukey;
mod kendall;
mod mann_whitney;
mod pearson;
mod permutation;
mod question;
mod randomised_tukey;
mod samples;
mod sign;
mod studentized_range;
mod t;
mod tau_ap;
mod wilcoxon;

pub use question::{CriticalDifference, Omnibus, Quantity};
pub use samples::{Drawing, OnSamples, SampleError};

pub(crate) use question::{Answer, Question};

use std::fmt;

use crate::Scores;
use crate::compare::CompareError;
use crate::reliability::{PairTest, Setting};

/// Every test, in the order in which they are listed.
pub static REGISTRY: &[&Test] = &[
    &permutation::TEST,
    &t::TEST,
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
    &adjust::TEST,
    &studentized_range::TEST,
];

/// What there is to say of a test, and how to run it.
pub struct Test {
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
    pub systems: Option<OnSystems>,
    /// What it answers about plain samples, if it does.
    pub samples: Option<OnSamples>,
}

/// How a test compares systems by their scores on the same queries.
pub struct OnSystems {
    /// Whether its p-values hold for all pairs together, so that nothing is left to correct.
    pub simultaneous: bool,
    /// What a significant result says.
    pub goal: Goal,
    /// The options that it uses.
    pub options: &'static [TestOption],
    pub(crate) answer: fn(&Question) -> Result<Answer, CompareError>,
    /// The same test prepared to decide many samples of the queries at once, where there is a way
    /// that is quicker than answering sample by sample.
    pub(crate) resampled: Option<Prepare>,
}

/// Prepares a test to decide samples of the queries of these scores.
pub(crate) type Prepare = fn(&Scores, Setting) -> Box<dyn PairTest>;

impl fmt::Debug for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Test")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

partita_stats::named! {
    /// What a significant result of a test says.
    pub enum Goal: "goal" {
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
#[error("there is no test `{name}`{}", if *.elsewhere { " that answers this question" } else { "" })]
pub struct UnknownTest {
    /// The name that was asked for.
    pub name: String,
    /// Whether there is such a test, for another kind of question.
    pub elsewhere: bool,
    /// The tests that there are.
    pub known: Vec<&'static str>,
}

/// The tests that compare systems.
pub fn all_of_systems() -> impl Iterator<Item = (&'static Test, &'static OnSystems)> + Clone {
    REGISTRY
        .iter()
        .filter_map(|test| Some((*test, test.systems.as_ref()?)))
}

/// The tests that answer questions about plain samples.
pub fn all_of_samples() -> impl Iterator<Item = (&'static Test, &'static OnSamples)> + Clone {
    REGISTRY
        .iter()
        .filter_map(|test| Some((*test, test.samples.as_ref()?)))
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
pub fn of_systems(name: &str) -> Result<(&'static Test, &'static OnSystems), UnknownTest> {
    find(all_of_systems(), name)
}

/// The test of this name, if it answers questions about plain samples.
pub fn of_samples(name: &str) -> Result<(&'static Test, &'static OnSamples), UnknownTest> {
    find(all_of_samples(), name)
}

fn find<T>(
    mut tests: impl Iterator<Item = (&'static Test, T)> + Clone,
    name: &str,
) -> Result<(&'static Test, T), UnknownTest> {
    let is_it = |test: &Test| {
        let names = std::iter::once(&test.name).chain(test.aliases);
        names
            .into_iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    };
    let all = tests.clone();
    tests
        .find(|(test, _)| is_it(test))
        .ok_or_else(|| UnknownTest {
            name: name.to_owned(),
            elsewhere: REGISTRY.iter().any(|test| is_it(test)),
            known: all.map(|(test, _)| test.name).collect(),
        })
}
