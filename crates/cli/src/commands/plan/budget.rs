//! What a budget buys, and what that is worth.

use clap::{Args, ValueEnum};
use partita_core::plan::{Costs, Purchase};

use crate::failure::Failure;

/// What may be spent, and what things cost.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Budget")]
pub(super) struct BudgetArgs {
    /// What may be spent, in any unit of money or time
    #[arg(long, value_name = "SUM")]
    pub(super) budget: Option<f64>,
    /// What one judgment costs, in the same unit
    #[arg(long, value_name = "COST", requires = "budget")]
    cost_per_judgment: Option<f64>,
    /// The documents that a judge judges for a query: the size of its pool
    #[arg(long, value_name = "N", requires = "budget")]
    judgments_per_query: Option<f64>,
    /// What a query costs besides its judgments
    #[arg(long, value_name = "COST", requires = "budget")]
    cost_per_query: Option<f64>,
    /// By what the best combination is chosen
    #[arg(long, value_enum, default_value = "erho2")]
    pub(super) best: Best,
}

/// By what a combination is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Best {
    /// The order of systems holds best
    Erho2,
    /// The scores themselves hold best
    Phi,
    /// The t-test finds the smallest difference
    Difference,
}

impl BudgetArgs {
    /// The budget and the costs, if a budget is given.
    pub(super) fn costs(&self) -> Result<Option<(f64, Costs)>, Failure> {
        let Some(budget) = self.budget else {
            return Ok(None);
        };
        if !(budget > 0.0 && budget.is_finite()) {
            let message = format!("--budget must be a number above 0, not {budget}");
            return Err(Failure::input(message));
        }
        match (self.cost_per_judgment, self.judgments_per_query) {
            (None, None) if self.cost_per_query.is_none() => {
                let message = "a budget needs prices";
                return Err(Failure::input(message).hint(
                    "give --cost-per-query, or --cost-per-judgment with --judgments-per-query",
                ));
            }
            (Some(_), None) => {
                let message = "--cost-per-judgment needs --judgments-per-query";
                return Err(Failure::input(message).hint(
                    "that is the size of a query's pool: at most the systems times the cut-off",
                ));
            }
            (None, Some(_)) => {
                let message = "--judgments-per-query needs --cost-per-judgment";
                return Err(Failure::input(message));
            }
            _ => {}
        }
        let costs = Costs::new(
            self.cost_per_judgment.unwrap_or(0.0),
            self.judgments_per_query.unwrap_or(0.0),
            self.cost_per_query.unwrap_or(0.0),
        );
        let costs = costs.map_err(|error| Failure::input(error.to_string()))?;
        Ok(Some((budget, costs)))
    }
}

/// The fewest queries that anything can be said of.
const FEWEST: u64 = 3;

/// What the budget buys: with each number of judges all of it, and without judges also parts.
pub(super) fn purchases(
    (budget, costs): (f64, Costs),
    judges: Option<&[u32]>,
) -> Result<Vec<Purchase>, Failure> {
    let bought: Vec<Purchase> = match judges {
        Some(judges) => judges
            .iter()
            .map(|&count| costs.affordable(budget, count))
            .collect(),
        None => [0.25, 0.5, 0.75, 1.0]
            .map(|part| costs.affordable(part * budget, 1))
            .to_vec(),
    };
    let bought: Vec<Purchase> = bought.into_iter().filter(|b| b.queries >= FEWEST).collect();
    match bought.is_empty() {
        false => Ok(bought),
        true => {
            let fewest = judges.and_then(|judges| judges.iter().min()).copied();
            let each = costs.of_query(fewest.unwrap_or(1));
            let message =
                format!("a budget of {budget} does not pay for {FEWEST} queries: one costs {each}");
            Err(Failure::input(message)
                .hint("raise --budget, judge fewer documents, or ask fewer judges"))
        }
    }
}
