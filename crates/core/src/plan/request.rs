//! Plan requests and their results.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Design, EffectDistribution, JudgingCosts, PlanError, PlanEstimate, VarianceComponent};
use crate::{AssessorScores, ScoreMatrix};

partita_named::named_enum! {
    /// Generalizability coefficient: share of the systems' own variance in the variance of the
    /// observed mean scores.
    pub enum GCoefficient: "coefficient" {
        /// Reliability of the order of systems with other queries
        Erho2 = "erho2",
        /// Reliability of the scores themselves
        Phi = "phi",
    }
}

partita_named::named_enum! {
    /// Criterion by which the best combination of queries and assessors for a budget is chosen.
    pub enum BudgetGoal: "goal of a budget" = Erho2 {
        /// The most reliable order of systems: the largest Eρ²
        Erho2 = "erho2",
        /// The most reliable scores: the largest Φ
        Phi = "phi",
        /// The smallest difference between systems that the t-test detects
        Difference = "difference",
    }
}

/// Variance of the score differences between two systems, as assumed by the power analysis of the
/// t-test.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub enum VarianceChoice {
    /// Variance for an average pair of systems: twice the residual variance of the two-way analysis
    /// of variance. If each assessor has separate scores, it follows from the variance components
    /// and depends on the number of assessors.
    Mean,
    /// Variance of the pair of systems whose score differences vary most. Refused if each assessor
    /// has separate scores.
    Largest,
    /// Variance given by the user.
    Given(f64),
}

impl FromStr for VarianceChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "mean" => Ok(Self::Mean),
            "largest" => Ok(Self::Largest),
            _ => match text.parse::<f64>() {
                Ok(number) if number > 0.0 && number.is_finite() => Ok(Self::Given(number)),
                _ => Err("expected `mean`, `largest` or a number above 0"),
            },
        }
    }
}

impl TryFrom<String> for VarianceChoice {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl VarianceChoice {
    /// Returns the name used in results: `mean`, `largest` or `given`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Largest => "largest",
            Self::Given(_) => "given",
        }
    }

    /// Returns the variance given by the user; `None` for another choice.
    pub(super) fn given_value(self) -> Option<f64> {
        match self {
            Self::Given(variance) => Some(variance),
            Self::Mean | Self::Largest => None,
        }
    }
}

/// Budget and the criterion for the best way to spend it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Budget {
    /// Amount of money, in the unit of the costs.
    pub(super) sum: f64,
    /// Costs of judging.
    pub(super) costs: JudgingCosts,
    /// Criterion by which the best combination of queries and assessors is chosen.
    pub(super) best: BudgetGoal,
}

/// Request for a [`Plan`]: the options of `partita plan`. Its fields are read from JSON by the names
/// of the options.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanRequest {
    /// Target values of Eρ².
    pub erho2: Vec<f64>,
    /// Target values of Φ; if empty, those of Eρ².
    pub phi: Vec<f64>,
    /// Confidence level of the intervals.
    pub confidence: f64,
    /// Distribution assumed for the effects of systems, queries and assessors on the scores when
    /// computing confidence intervals.
    #[serde(rename = "interval_method")]
    pub effect_distribution: EffectDistribution,
    /// Numbers of assessors to plan with. If empty: 1 to 5, then 10, 20, 50, 100, 200 and 500, up
    /// to the number of assessors in the scores, which is included.
    pub judges: Vec<u32>,
    /// Assignment of assessors to queries in the planned evaluation.
    pub design: Design,
    /// Number of random draws of the variance components, for the confidence intervals if each
    /// assessor has separate scores.
    #[serde(rename = "resamples")]
    pub replicates: usize,
    /// Differences between mean scores that the t-test should detect; if empty, 1, 2, 5 and 10% of
    /// the scale of each measure (its largest absolute score, rounded up to a power of ten).
    #[serde(rename = "difference")]
    pub differences: Vec<f64>,
    /// Significance level of the t-test.
    pub alpha: f64,
    /// Target power of the t-test: probability of detecting a true difference.
    #[serde(rename = "power")]
    pub t_power: f64,
    /// Variance of the score differences between two systems, for the power analysis of the t-test.
    pub variance: VarianceChoice,
    /// Budget to plan with, if any, in any unit of money or time.
    pub money: Option<f64>,
    /// Cost of one judgment, in the unit of the budget.
    pub cost_per_judgment: Option<f64>,
    /// Number of documents that an assessor judges per query: the size of its pool.
    pub judgments_per_query: Option<f64>,
    /// Cost of a query in addition to its judgments, in the unit of the budget.
    pub cost_per_query: Option<f64>,
    /// Criterion by which the best combination of queries and assessors is chosen.
    pub best: BudgetGoal,
    /// Seed of the random streams.
    pub seed: u64,
}

impl Default for PlanRequest {
    fn default() -> Self {
        Self {
            erho2: vec![0.8, 0.9, 0.95],
            phi: Vec::new(),
            confidence: 0.95,
            effect_distribution: EffectDistribution::AsObserved,
            judges: Vec::new(),
            design: Design::Crossed,
            replicates: 10_000,
            differences: Vec::new(),
            alpha: 0.05,
            t_power: 0.8,
            variance: VarianceChoice::Mean,
            money: None,
            cost_per_judgment: None,
            judgments_per_query: None,
            cost_per_query: None,
            best: BudgetGoal::default(),
            seed: 1,
        }
    }
}

impl PlanRequest {
    /// Returns the target values of a coefficient (Eρ² or Φ).
    pub fn target_coefficients(&self, which: GCoefficient) -> &[f64] {
        match which {
            GCoefficient::Phi if !self.phi.is_empty() => &self.phi,
            GCoefficient::Phi | GCoefficient::Erho2 => &self.erho2,
        }
    }

    /// Returns the budget with its costs, if there is one.
    pub(super) fn budget(&self) -> Result<Option<Budget>, PlanError> {
        let costs = [
            self.cost_per_judgment,
            self.judgments_per_query,
            self.cost_per_query,
        ];
        let Some(sum) = self.money else {
            return match costs.iter().any(Option::is_some) {
                true => Err(PlanError::CostsWithoutBudget),
                false => Ok(None),
            };
        };
        match costs {
            [None, None, None] => return Err(PlanError::NoCosts),
            [Some(_), None, _] => return Err(PlanError::NoPoolSize),
            [None, Some(_), _] => return Err(PlanError::NoJudgmentCost),
            _ => {}
        }
        let [per_judgment, judgments_per_query, per_query] = costs.map(|cost| cost.unwrap_or(0.0));
        Ok(Some(Budget {
            sum,
            costs: JudgingCosts::new(per_judgment, judgments_per_query, per_query)
                .map_err(PlanError::Costs)?,
            best: self.best,
        }))
    }
}

/// Scores that a plan is made from.
#[derive(Clone, Copy, Debug)]
pub enum PlanInput<'a> {
    /// Scores computed from one set of judgments.
    Scores(&'a ScoreMatrix),
    /// Scores computed separately from the judgments of each of several assessors.
    ByAssessor(&'a AssessorScores),
}

impl<'a> PlanInput<'a> {
    /// Returns the scores, or their means over assessors.
    pub fn scores(self) -> &'a ScoreMatrix {
        match self {
            Self::Scores(scores) => scores,
            Self::ByAssessor(scores) => scores.means(),
        }
    }
}

/// Plan of an evaluation: the numbers of queries and assessors that it needs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Plan {
    /// Seed of the random streams.
    pub seed: u64,
    /// Confidence level of the intervals.
    pub confidence: f64,
    /// Distribution assumed for the effects of systems, queries and assessors on the scores when
    /// computing confidence intervals.
    pub intervals: EffectDistribution,
    /// Assignment of assessors to queries in the planned evaluation.
    pub design: Design,
    /// Number of random draws of the variance components, for the confidence intervals if each
    /// assessor has separate scores.
    pub replicates: usize,
    /// Settings of the power analysis of the t-test.
    pub t_test: TTestSettings,
    /// Amount of money of the budget, if any.
    pub budget: Option<f64>,
    /// Criterion for the best way to spend the budget; null without a budget.
    pub best: Option<BudgetGoal>,
    /// Plan of each measure.
    pub measures: Vec<MeasurePlan>,
}

/// Settings of the power analysis of the t-test.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TTestSettings {
    /// Significance level of the t-test.
    pub alpha: f64,
    /// Target power: probability with which the test should detect a true difference.
    pub power: f64,
    /// Choice of the variance of the score differences between two systems: `mean`, `largest` or
    /// `given`.
    pub variance: String,
    /// Variance given by the user, if any.
    pub given: Option<f64>,
}

/// Plan for one measure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasurePlan {
    /// Name of the measure.
    pub measure: String,
    /// Number of systems in the scores.
    pub systems: usize,
    /// Number of queries in the scores.
    pub queries: usize,
    /// Number of assessors in the scores, if each assessor has separate scores.
    pub judges: Option<usize>,
    /// Variance components of the scores.
    pub components: Vec<ComponentShare>,
    /// Generalizability coefficient Eρ² with the numbers of queries and assessors in the scores:
    /// reliability of the order of systems.
    pub erho2: PlanEstimate,
    /// Index of dependability Φ with the numbers of queries and assessors in the scores:
    /// reliability of the scores themselves.
    pub phi: PlanEstimate,
    /// Numbers of queries needed to reach the target values of Eρ² and Φ.
    pub queries_needed: Vec<QueriesNeeded>,
    /// Numbers of assessors needed to reach the target values of Eρ² and Φ with the queries in the
    /// scores; empty unless each assessor has separate scores.
    pub judges_needed: Vec<AssessorsNeeded>,
    /// Pair of systems with the largest variance of score differences, if the t-test is planned
    /// with that variance.
    pub pair: Option<[String; 2]>,
    /// Power analysis of the t-test: required numbers of queries and minimum detectable
    /// differences.
    pub t_test: Vec<TTestPlan>,
    /// Ways to spend the budget; empty without a budget.
    pub budget: Vec<BudgetOption>,
    /// Caveats of the plan, such as negative variance estimates.
    #[serde(skip)]
    #[serde(rename = "remarks")]
    pub notes: Vec<PlanNote>,
}

/// Variance component with its share of the total variance of the scores.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ComponentShare {
    /// Variance component.
    #[serde(flatten)]
    pub component: VarianceComponent,
    /// Share of the component in the total variance, from 0 to 1.
    pub share: f64,
}

/// Number of queries needed to reach a target value of Eρ² or Φ.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueriesNeeded {
    /// Coefficient to reach: Eρ² or Φ.
    pub coefficient: GCoefficient,
    /// Target value of the coefficient.
    pub wanted: f64,
    /// Number of assessors for which the queries are planned, if each assessor has separate scores.
    pub judges: Option<u32>,
    /// Number of queries with which the coefficient reaches the target value.
    pub queries: PlanEstimate,
}

/// Number of assessors needed to reach a target value of Eρ² or Φ.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct AssessorsNeeded {
    /// Coefficient to reach: Eρ² or Φ.
    pub coefficient: GCoefficient,
    /// Target value of the coefficient.
    pub wanted: f64,
    /// Number of queries in the scores, for which the assessors are planned.
    pub queries: usize,
    /// Number of assessors with which the coefficient reaches the target value.
    pub judges: PlanEstimate,
}

/// Power analysis of the t-test for one number of assessors.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TTestPlan {
    /// Number of assessors over whom each score is averaged, if each assessor has separate scores.
    pub judges: Option<u32>,
    /// Variance, over queries, of the score differences between two systems.
    pub variance: PlanEstimate,
    /// Minimum difference between mean scores that the t-test detects with the target power and the
    /// number of queries in the scores.
    pub detectable: PlanEstimate,
    /// Numbers of queries needed to detect the requested, or else the default, differences between
    /// mean scores.
    pub differences: Vec<QueriesForDifference>,
}

/// Number of queries with which the t-test detects a difference with the target power.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueriesForDifference {
    /// Difference between the mean scores of two systems.
    pub difference: f64,
    /// Number of queries with which the t-test detects the difference with the target power.
    pub queries: PlanEstimate,
}

/// One way to spend a budget or a part of it, with the predicted reliability and power.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BudgetOption {
    /// Number of assessors per query, if each assessor has separate scores.
    pub judges: Option<u32>,
    /// Number of queries that are judged.
    pub queries: u64,
    /// Number of judgments of all assessors for all queries.
    pub judgments: u64,
    /// Total cost, in the unit of the budget.
    pub cost: f64,
    /// Predicted generalizability coefficient Eρ²: reliability of the order of systems.
    pub erho2: PlanEstimate,
    /// Predicted index of dependability Φ: reliability of the scores themselves.
    pub phi: PlanEstimate,
    /// Minimum difference between mean scores that the t-test detects with the target power; null
    /// if it is not finite.
    #[schemars(with = "Option<f64>")]
    pub detectable: f64,
    /// Power of the t-test for each requested difference between mean scores; empty if none was
    /// requested.
    pub t_power: Vec<DifferencePower>,
    /// True for the best option by the criterion of the budget, the first one on ties.
    pub best: bool,
}

/// Power of the t-test for one difference between mean scores.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct DifferencePower {
    /// Difference between the mean scores of two systems.
    pub difference: f64,
    /// Probability with which the t-test detects the difference.
    pub power: f64,
}

/// Caveat of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanNote {
    /// Negative variance estimate, taken as 0.
    NegativeVariance(VarianceComponent),
    /// Systems that differ no more than expected by chance.
    NoDifference,
}
