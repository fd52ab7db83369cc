//! What a sum of money buys: queries, and judges for each of them.

use super::planner::{MIN_QUERIES, PlanStudy};
use super::request::{Budget, BudgetGoal, BudgetOption, DifferencePower, GCoefficient};
use super::{PlanError, PlanInputError, TTestDesign, require};

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
pub struct JudgingCosts {
    per_judgment: f64,
    judgments_per_query: f64,
    per_query: f64,
}

/// Queries, each with so many judges, and what they cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BudgetAllocation {
    /// The judges of each query.
    pub judges: u32,
    /// The queries.
    pub queries: u64,
    /// The judgments made.
    pub judgments: u64,
    /// What that costs.
    pub cost: f64,
}

impl JudgingCosts {
    /// The cost of a judgment, the judgments a judge makes for a query, and the cost of a query
    /// itself.
    ///
    /// # Errors
    /// A number that is negative or not finite, or a query that costs nothing.
    pub fn new(
        per_judgment: f64,
        judgments_per_query: f64,
        per_query: f64,
    ) -> Result<Self, PlanInputError> {
        for (what, found) in [
            ("the cost of a judgment", per_judgment),
            ("the number of judgments for a query", judgments_per_query),
            ("the cost of a query", per_query),
        ] {
            let expected = "a number, and not negative";
            require(found >= 0.0 && found.is_finite(), what, expected, found)?;
        }
        let costs = Self {
            per_judgment,
            judgments_per_query,
            per_query,
        };
        let costs_something = costs.cost_per_query(1) > 0.0;
        require(
            costs_something,
            "the cost of a judged query",
            "above 0",
            0.0,
        )?;
        Ok(costs)
    }

    /// What a query costs with so many judges.
    pub fn cost_per_query(&self, judges: u32) -> f64 {
        self.per_query + f64::from(judges) * self.judgments_per_query * self.per_judgment
    }

    /// The most queries that so much buys, each with so many judges.
    pub fn affordable(&self, budget: f64, judges: u32) -> BudgetAllocation {
        let each = self.cost_per_query(judges);
        // What lacks only rounding is affordable.
        let queries = (budget / each * (1.0 + 1e-12)).floor().max(0.0);
        BudgetAllocation {
            judges,
            queries: queries as u64,
            judgments: (queries * f64::from(judges) * self.judgments_per_query).round() as u64,
            cost: queries * each,
        }
    }
}

/// What the budget buys: with each number of judges all of it, and without judges also parts.
pub(super) fn combinations(
    study: &PlanStudy<'_>,
    budget: Budget,
    asked: &[f64],
    test: TTestDesign,
) -> Result<Vec<BudgetOption>, PlanError> {
    let Budget { sum, costs, best } = budget;
    let judges: Option<Vec<u32>> = study.judges.iter().copied().collect();
    let bought: Vec<BudgetAllocation> = match &judges {
        Some(judges) => (judges.iter())
            .map(|&count| costs.affordable(sum, count))
            .collect(),
        None => [0.25, 0.5, 0.75, 1.0]
            .map(|part| costs.affordable(part * sum, 1))
            .to_vec(),
    };
    let worthwhile = bought.into_iter().filter(|b| b.queries >= MIN_QUERIES);
    let mut combinations: Vec<BudgetOption> = worthwhile
        .map(|purchase| {
            let queries = purchase.queries as f64;
            let with = judges.as_ref().map(|_| purchase.judges);
            let deviation = study.variance(with).value.sqrt();
            let power = |&difference: &f64| DifferencePower {
                difference,
                power: test.power(purchase.queries, difference / deviation),
            };
            BudgetOption {
                judges: with,
                queries: purchase.queries,
                judgments: purchase.judgments,
                cost: purchase.cost,
                erho2: study.coefficient(GCoefficient::Erho2, queries, with),
                phi: study.coefficient(GCoefficient::Phi, queries, with),
                detectable: deviation * test.detectable_difference(purchase.queries),
                t_power: asked.iter().map(power).collect(),
                best: false,
            }
        })
        .collect();
    let worth = |one: &BudgetOption| match best {
        BudgetGoal::Erho2 => one.erho2.value,
        BudgetGoal::Phi => one.phi.value,
        BudgetGoal::Difference => -one.detectable,
    };
    // Of equals the first, which has the fewest judges.
    let best = (combinations.iter().map(worth).enumerate())
        .reduce(|best, next| if next.1 > best.1 { next } else { best });
    let Some((best, _)) = best else {
        let fewest = judges.and_then(|judges| judges.first().copied());
        let each = costs.cost_per_query(fewest.unwrap_or(1));
        return Err(PlanError::BudgetTooSmall { sum, each });
    };
    combinations[best].best = true;
    Ok(combinations)
}
