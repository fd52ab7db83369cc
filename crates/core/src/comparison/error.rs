//! Errors of comparisons.

use partita_stats::StatsError;

use super::ComparisonPreset;
use crate::significance::UnknownTestError;
use crate::work::WorkError;

/// Error of a comparison of systems.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum ComparisonError {
    /// No test of systems has this name.
    #[error(transparent)]
    UnknownTest(#[from] UnknownTestError),
    /// There is only one system.
    #[error("there is one system, `{system}`: a comparison needs two at least")]
    OneSystem { system: String },
    /// There are too few queries.
    #[error(
        "too few queries have scores ({queries}): a comparison needs {} at least",
        super::MIN_QUERIES
    )]
    FewQueries { queries: usize },
    /// All scores of all systems are equal, so there is no difference to test.
    #[error("every score of every system is {value}: there is nothing to compare")]
    Constant { value: f64 },
    /// The absolute value of a score is above [`MAX_ABS_SCORE`](super::MAX_ABS_SCORE).
    #[error(
        "the score of `{system}` on `{query}` is {value:e}: expected a score from -1e100 to 1e100"
    )]
    TooLarge {
        system: String,
        query: String,
        value: f64,
    },
    /// A baseline is not among the systems.
    #[error("there is no system `{name}` to be a baseline")]
    UnknownBaseline { name: String },
    /// A correction was requested for a test that already accounts for multiple comparisons.
    #[error("{test} corrects for the number of comparisons itself")]
    AlreadyCorrected { test: &'static str },
    /// One-tailed tests were requested, but the test has no one-tailed form.
    #[error("{test} has no one-tailed form")]
    NotOneTailed { test: &'static str },
    /// Alpha is too large for one-tailed tests in both directions: one of the two would nearly
    /// always reject.
    #[error("one-tailed tests both ways need an alpha below 0.5, not {alpha}")]
    AlphaTooLarge { alpha: f64 },
    /// The equivalence test was requested without a margin.
    #[error("the equivalence test needs a margin: differences of means below it do not matter")]
    NoMargin,
    /// An option was given that the test does not use.
    #[error("the option `{option}` has no effect with the test {test}; it is for {}", tests.join(", "))]
    UnusedOption {
        option: &'static str,
        test: &'static str,
        tests: Vec<&'static str>,
    },
    /// An option was given that the procedure sets itself.
    #[error("the procedure {procedure} sets the option `{option}` itself")]
    OptionOfProcedure {
        procedure: ComparisonPreset,
        option: &'static str,
    },
    /// A parameter is out of range.
    #[error("{what} must be {expected}, not {found}")]
    Parameter {
        what: &'static str,
        expected: &'static str,
        found: f64,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// A test statistic cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
}
