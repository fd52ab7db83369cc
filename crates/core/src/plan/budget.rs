//! What a sum of money buys: queries, and judges for each of them.

use super::PlanError;

/// What judging costs.
///
/// ```
/// use partita_core::plan::Costs;
///
/// // A judgment costs 0.2, 30 documents are judged for a query, and a query itself costs 4.
/// let costs = Costs::new(0.2, 30.0, 4.0)?;
/// assert_eq!(costs.of_query(2), 16.0);
/// let bought = costs.affordable(500.0, 2);
/// assert_eq!((bought.queries, bought.judgments, bought.cost), (31, 1860, 496.0));
/// # Ok::<(), partita_core::plan::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    per_judgment: f64,
    judgments_per_query: f64,
    per_query: f64,
}

/// Queries, each with so many judges, and what they cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Purchase {
    /// The judges of each query.
    pub judges: u32,
    /// The queries.
    pub queries: u64,
    /// The judgments made.
    pub judgments: u64,
    /// What that costs.
    pub cost: f64,
}

impl Costs {
    /// The cost of a judgment, the judgments a judge makes for a query, and the cost of a query
    /// itself.
    ///
    /// # Errors
    /// A number that is negative or not finite, or a query that costs nothing.
    pub fn new(
        per_judgment: f64,
        judgments_per_query: f64,
        per_query: f64,
    ) -> Result<Self, PlanError> {
        for (what, found) in [
            ("the cost of a judgment", per_judgment),
            ("the number of judgments for a query", judgments_per_query),
            ("the cost of a query", per_query),
        ] {
            if !(found >= 0.0 && found.is_finite()) {
                return Err(PlanError::OutOfRange {
                    what,
                    expected: "a number, and not negative",
                    found,
                });
            }
        }
        let costs = Self {
            per_judgment,
            judgments_per_query,
            per_query,
        };
        match costs.of_query(1) > 0.0 {
            true => Ok(costs),
            false => Err(PlanError::OutOfRange {
                what: "the cost of a judged query",
                expected: "above 0",
                found: 0.0,
            }),
        }
    }

    /// What a query costs with so many judges.
    pub fn of_query(&self, judges: u32) -> f64 {
        self.per_query + f64::from(judges) * self.judgments_per_query * self.per_judgment
    }

    /// The most queries that so much buys, each with so many judges.
    pub fn affordable(&self, budget: f64, judges: u32) -> Purchase {
        let each = self.of_query(judges);
        // What lacks only rounding is affordable.
        let queries = (budget / each * (1.0 + 1e-12)).floor().max(0.0);
        Purchase {
            judges,
            queries: queries as u64,
            judgments: (queries * f64::from(judges) * self.judgments_per_query).round() as u64,
            cost: queries * each,
        }
    }
}
