//! How many queries and judges an evaluation needs.
//!
//! Three ways to the answer, a file each:
//!
//! - [`generalizability`]: how much of what is seen is the systems, and how much the queries and
//!   the judges that happened to be taken: variance components, the coefficients Eρ² and Φ, and
//!   the queries and judges that a wanted coefficient needs;
//! - [`topic_set_size`]: the queries that the paired t-test needs to find a difference;
//! - [`budget`]: what a sum of money buys.
//!
//! ```
//! use partita_core::Scores;
//! use partita_core::plan::{Coefficient, QueryStudy};
//!
//! let values = vec![0.2, 0.5, 0.4, 0.6, 0.1, 0.6, 0.3, 0.6];
//! let scores = Scores::new("AP", ["a", "b"], ["q1", "q2", "q3", "q4"], values)?;
//! let study = QueryStudy::of(&scores)?;
//! let spread = study.spread(Coefficient::Erho2);
//! assert!(spread.coefficient(8.0, 1.0) > spread.coefficient(4.0, 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assessor_g_study;
pub mod budget;
pub mod generalizability;
mod planner;
mod query_g_study;
mod request;
pub mod topic_set_size;

use schemars::JsonSchema;
use serde::Serialize;

pub use assessor_g_study::{AssessorGStudy, VarianceDraws};
pub use budget::{BudgetAllocation, JudgingCosts};
pub use generalizability::{
    Design, Effect, EffectDistribution, VarianceComponent, VarianceDecomposition,
};
pub use planner::{PlanError, plan};
pub use query_g_study::QueryGStudy;
pub use request::{
    AssessorsNeeded, Budget, BudgetGoal, BudgetOption, ComponentShare, DifferencePower,
    GCoefficient, MeasurePlan, Plan, PlanInput, PlanNote, PlanRequest, QueriesForDifference,
    QueriesNeeded, TTestPlan, TTestSettings, VarianceChoice,
};
pub use topic_set_size::{DifferenceVariance, TTestDesign};

/// A value with the ends of its interval. A number of queries or judges may be infinite: none
/// suffices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlanEstimate {
    /// The value; null where none suffices.
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// The lower end.
    #[schemars(with = "Option<f64>")]
    pub lower: f64,
    /// The upper end; null where it has none.
    #[schemars(with = "Option<f64>")]
    pub upper: f64,
}

impl PlanEstimate {
    /// A value that is known.
    pub fn exact(value: f64) -> Self {
        Self {
            value,
            lower: value,
            upper: value,
        }
    }

    /// The estimate with every number put through a rising or falling function.
    #[must_use]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let (one, other) = (f(self.lower), f(self.upper));
        Self {
            value: f(self.value),
            lower: one.min(other),
            upper: one.max(other),
        }
    }
}

/// Why scores do not serve for planning.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum PlanInputError {
    /// There are too few of something.
    #[error("planning needs at least {needed} {what}, and there {}", are(*found))]
    TooFew {
        what: &'static str,
        needed: usize,
        found: usize,
    },
    /// Nothing varies.
    #[error("all scores by {measure} are the same")]
    Constant { measure: String },
    /// No query changes how systems compare.
    #[error("the systems differ by the same amounts on every query by {measure}")]
    NoResidual { measure: String },
    /// A number is out of its range.
    #[error("{what} must be {expected}, not {found}")]
    OutOfRange {
        what: &'static str,
        expected: &'static str,
        found: f64,
    },
}

fn are(found: usize) -> String {
    match found {
        1 => "is only 1".to_owned(),
        found => format!("are only {found}"),
    }
}

/// Refuses a number of which something does not hold.
fn require(
    holds: bool,
    what: &'static str,
    expected: &'static str,
    found: f64,
) -> Result<(), PlanInputError> {
    holds.then_some(()).ok_or(PlanInputError::OutOfRange {
        what,
        expected,
        found,
    })
}

/// Refuses what is not strictly between 0 and 1.
fn require_share(what: &'static str, found: f64) -> Result<f64, PlanInputError> {
    require(found > 0.0 && found < 1.0, what, "between 0 and 1", found).map(|()| found)
}

/// Refuses fewer than 2 systems, 3 queries or 2 judges.
fn require_sizes(sizes: &[usize]) -> Result<(), PlanInputError> {
    let needed = [("systems", 2), ("queries", 3), ("judges", 2)];
    let few = sizes
        .iter()
        .zip(needed)
        .find(|(found, (_, needed))| *found < needed);
    few.map_or(Ok(()), |(&found, (what, needed))| {
        Err(PlanInputError::TooFew {
            what,
            needed,
            found,
        })
    })
}

/// The least whole number that is at least x, but for rounding; infinite if x is.
fn round_up(x: f64) -> f64 {
    (x - 1e-9 * x.abs().max(1.0)).ceil().max(1.0)
}
