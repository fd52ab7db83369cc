//! Why systems could not be compared.

use partita_stats::StatsError;

use crate::significance::UnknownTestError;
use crate::work::WorkError;

/// Why systems could not be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum ComparisonError {
    /// No test of systems has this name.
    #[error(transparent)]
    UnknownTest(#[from] UnknownTestError),
    /// A single system.
    #[error("there is one system, `{system}`: a comparison needs two at least")]
    OneSystem { system: String },
    /// Too few queries.
    #[error(
        "too few queries have scores ({queries}): a comparison needs {} at least",
        super::MIN_QUERIES
    )]
    FewQueries { queries: usize },
    /// Every score of every system is the same.
    #[error("every score of every system is {value}: there is nothing to compare")]
    Constant { value: f64 },
    /// A score is so large that its square would overflow.
    #[error("the score of `{system}` on `{query}` is {value}: scores must be smaller than 1e150")]
    TooLarge {
        system: String,
        query: String,
        value: f64,
    },
    /// A baseline is no system.
    #[error("there is no system `{name}` to be a baseline")]
    UnknownBaseline { name: String },
    /// A correction was asked for where the test makes one.
    #[error("{test} corrects for the number of comparisons itself")]
    AlreadyCorrected { test: &'static str },
    /// A one-tailed test was asked for where there is none.
    #[error("{test} has no one-tailed form")]
    NotOneTailed { test: &'static str },
    /// Two one-tailed tests at such a level would nearly always reject.
    #[error("one-tailed tests both ways need an alpha below 0.5, not {alpha}")]
    AlphaTooLarge { alpha: f64 },
    /// The equivalence test has no margin.
    #[error("the equivalence test needs a margin: differences of means below it do not matter")]
    NoMargin,
    /// A parameter is no number that makes sense.
    #[error("{what} must be {expected}, not {found}")]
    Parameter {
        what: &'static str,
        expected: &'static str,
        found: f64,
    },
    /// The work was cancelled, or would cost too much.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// A test cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
}
