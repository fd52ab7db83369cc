//! Planning: the numbers of queries and assessors that an evaluation needs.
//!
//! There are three approaches, one module each:
//!
//! - [`generalizability`]: variance components of systems, queries and assessors, the coefficients
//!   Eρ² and Φ, and the numbers of queries and assessors that a wanted coefficient needs;
//! - [`topic_set_size`]: the number of queries with which the paired t-test finds a difference;
//! - [`budget`]: the queries and assessors that a sum of money buys.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::plan::{GCoefficient, QueryGStudy};
//!
//! let values = vec![0.2, 0.5, 0.4, 0.6, 0.1, 0.6, 0.3, 0.6];
//! let scores = ScoreMatrix::new("AP", ["a", "b"], ["q1", "q2", "q3", "q4"], values)?;
//! let study = QueryGStudy::new(&scores)?;
//! let variances = study.decomposition(GCoefficient::Erho2);
//! assert!(variances.coefficient(8.0, 1.0) > variances.coefficient(4.0, 1.0));
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
    AssessorsNeeded, BudgetGoal, BudgetOption, ComponentShare, DifferencePower, GCoefficient,
    MeasurePlan, Plan, PlanInput, PlanNote, PlanRequest, QueriesForDifference, QueriesNeeded,
    TTestPlan, TTestSettings, VarianceChoice,
};
pub use topic_set_size::{DifferenceVariance, TTestDesign};

/// Estimate with the ends of its confidence interval. A required number of queries or assessors is
/// infinite if no number suffices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlanEstimate {
    /// Point estimate; null if infinite.
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// Lower end of the confidence interval; null if infinite.
    #[schemars(with = "Option<f64>")]
    pub lower: f64,
    /// Upper end of the confidence interval; null if infinite.
    #[schemars(with = "Option<f64>")]
    pub upper: f64,
}

impl PlanEstimate {
    /// Creates an estimate without uncertainty: both ends equal the value.
    pub fn exact(value: f64) -> Self {
        Self {
            value,
            lower: value,
            upper: value,
        }
    }

    /// Applies a monotonic function to the value and both ends, and orders the ends.
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

/// Error: the scores or a number cannot be used for planning.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum PlanInputError {
    /// Too few systems, queries or assessors.
    #[error("planning needs at least {needed} {what}, and there {}", is_or_are_only(*found))]
    TooFew {
        what: &'static str,
        needed: usize,
        found: usize,
    },
    /// All scores are equal.
    #[error("all scores by {measure} are the same")]
    Constant { measure: String },
    /// Systems compare the same on every query, so there is no residual variance.
    #[error("the systems differ by the same amounts on every query by {measure}")]
    NoResidual { measure: String },
    /// Number out of its range.
    #[error("{what} must be {expected}, not {found}")]
    OutOfRange {
        what: &'static str,
        expected: &'static str,
        found: f64,
    },
}

/// Returns the end of the message about too few systems, queries or assessors, such as "is only 1".
fn is_or_are_only(found: usize) -> String {
    let verb = if found == 1 { "is" } else { "are" };
    format!("{verb} only {found}")
}

/// Returns [`PlanInputError::OutOfRange`] unless the condition holds.
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

/// Refuses a number that is not strictly between 0 and 1.
fn require_share(what: &'static str, found: f64) -> Result<f64, PlanInputError> {
    require(found > 0.0 && found < 1.0, what, "between 0 and 1", found).map(|()| found)
}

/// Refuses fewer than 2 systems, 3 queries or 2 assessors. `sizes` are the numbers of systems,
/// queries and, if each assessor has separate scores, assessors.
fn require_sizes(sizes: &[usize]) -> Result<(), PlanInputError> {
    let needed = [("systems", 2), ("queries", 3), ("judges", 2)];
    for (&found, (what, needed)) in sizes.iter().zip(needed) {
        if found < needed {
            return Err(PlanInputError::TooFew {
                what,
                needed,
                found,
            });
        }
    }
    Ok(())
}

/// Rounds up to an integer of at least 1. A number that exceeds an integer only by floating-point
/// error becomes that integer; infinity stays infinite.
fn round_up(x: f64) -> f64 {
    (x - 1e-9 * x.abs().max(1.0)).ceil().max(1.0)
}
