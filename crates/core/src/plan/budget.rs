//! Judging budgets: the queries and assessors per query that a sum of money buys.

use super::planner::{MIN_QUERIES, MeasurePlanner};
use super::request::{Budget, BudgetGoal, BudgetOption, DifferencePower, GCoefficient};
use super::{PlanError, PlanInputError, TTestDesign, require};

/// Costs of judging: per judgment and per query, in the unit of the budget.
///
/// ```
/// use partita_core::plan::JudgingCosts;
///
/// // A judgment costs 0.2, 30 documents are judged for a query, and a query itself costs 4.
/// let costs = JudgingCosts::new(0.2, 30.0, 4.0)?;
/// assert_eq!(costs.cost_per_query(2), 16.0);
/// let bought = costs.affordable(500.0, 2);
/// assert_eq!((bought.queries, bought.judgments, bought.cost), (31, 1860, 496.0));
/// # Ok::<(), partita_core::plan::PlanInputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgingCosts {
    per_judgment: f64,
    judgments_per_query: f64,
    per_query: f64,
}

/// Numbers of queries and of assessors per query that a budget pays for, with their cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BudgetAllocation {
    /// Number of assessors per query.
    pub judges: u32,
    /// Number of queries.
    pub queries: u64,
    /// Number of judgments of all assessors for all queries.
    pub judgments: u64,
    /// Total cost, in the unit of the budget.
    pub cost: f64,
}

impl JudgingCosts {
    /// Creates costs from the cost of a judgment, the judgments that an assessor makes for a query,
    /// and the cost of a query itself.
    ///
    /// # Errors
    /// Returns a [`PlanInputError`] for a number that is negative or not finite, or if a query
    /// judged by one assessor costs nothing.
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
        let is_positive = costs.cost_per_query(1) > 0.0;
        require(is_positive, "the cost of a judged query", "above 0", 0.0)?;
        Ok(costs)
    }

    /// Returns the cost of a query that this number of assessors judge.
    pub fn cost_per_query(&self, judges: u32) -> f64 {
        self.per_query + f64::from(judges) * self.judgments_per_query * self.per_judgment
    }

    /// Returns the largest number of queries that the budget buys with `judges` assessors each,
    /// with their judgments and cost.
    pub fn affordable(&self, budget: f64, judges: u32) -> BudgetAllocation {
        let each = self.cost_per_query(judges);
        // The tolerance prevents rounding error from dropping a query that the budget just pays
        // for.
        let queries = (budget / each * (1.0 + 1e-12)).floor().max(0.0);
        BudgetAllocation {
            judges,
            queries: queries as u64,
            judgments: (queries * f64::from(judges) * self.judgments_per_query).round() as u64,
            cost: queries * each,
        }
    }
}

/// Lists the ways to spend the budget. With separate scores for each assessor, each option spends
/// up to the full budget with one number of assessors. Otherwise the options spend up to 25, 50, 75
/// and 100% of the budget. Options with fewer than [`MIN_QUERIES`] queries are dropped; it is an
/// error if none is left.
pub(super) fn budget_options(
    planner: &MeasurePlanner<'_>,
    budget: Budget,
    differences: &[f64],
    test: TTestDesign,
) -> Result<Vec<BudgetOption>, PlanError> {
    let Budget { sum, costs, best } = budget;
    let judges: Option<Vec<u32>> = planner.assessor_counts.iter().copied().collect();
    let bought: Vec<BudgetAllocation> = match &judges {
        Some(judges) => (judges.iter())
            .map(|&count| costs.affordable(sum, count))
            .collect(),
        None => [0.25, 0.5, 0.75, 1.0]
            .map(|part| costs.affordable(part * sum, 1))
            .to_vec(),
    };
    let large_enough = bought.into_iter().filter(|b| b.queries >= MIN_QUERIES);
    let mut options: Vec<BudgetOption> = large_enough
        .map(|purchase| {
            let queries = purchase.queries as f64;
            let with = judges.as_ref().map(|_| purchase.judges);
            let deviation = planner.variance(with).value.sqrt();
            let power = |&difference: &f64| DifferencePower {
                difference,
                power: test.power(purchase.queries, difference / deviation),
            };
            BudgetOption {
                judges: with,
                queries: purchase.queries,
                judgments: purchase.judgments,
                cost: purchase.cost,
                erho2: planner.coefficient(GCoefficient::Erho2, queries, with),
                phi: planner.coefficient(GCoefficient::Phi, queries, with),
                detectable: deviation * test.detectable_difference(purchase.queries),
                t_power: differences.iter().map(power).collect(),
                best: false,
            }
        })
        .collect();
    let merit = |option: &BudgetOption| match best {
        BudgetGoal::Erho2 => option.erho2.value,
        BudgetGoal::Phi => option.phi.value,
        BudgetGoal::Difference => -option.detectable,
    };
    // On ties the first option wins: it has the fewest assessors or the lowest cost.
    let best = (options.iter().map(merit).enumerate())
        .reduce(|best, next| if next.1 > best.1 { next } else { best });
    let Some((best, _)) = best else {
        let fewest = judges.and_then(|judges| judges.first().copied());
        let each = costs.cost_per_query(fewest.unwrap_or(1));
        return Err(PlanError::BudgetTooSmall { sum, each });
    };
    options[best].best = true;
    Ok(options)
}
