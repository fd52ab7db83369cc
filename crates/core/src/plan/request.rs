//! Plan requests and their results.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Design, EffectDistribution, JudgingCosts, PlanEstimate, VarianceComponent};
use crate::{AssessorScores, ScoreMatrix};

partita_named::named_enum! {
    /// Generalizability coefficient.
    pub enum GCoefficient: "coefficient" {
        /// Reliability of the order of systems with other queries
        Erho2 = "erho2",
        /// Reliability of the scores themselves
        Phi = "phi",
    }
}

partita_named::named_enum! {
    /// Criterion for the best combination of queries and assessors.
    pub enum BudgetGoal: "goal of a budget" {
        /// Most reliable order of systems
        Erho2 = "erho2",
        /// Most reliable scores
        Phi = "phi",
        /// Smallest difference that the t-test finds
        Difference = "difference",
    }
}

/// Variance of the score differences between two systems, as assumed by the power analysis of the
/// t-test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VarianceChoice {
    /// Variance of an average pair: twice the residual variance of the two-way analysis of
    /// variance.
    Mean,
    /// Largest variance of any pair.
    Largest,
    /// Variance given by the user.
    Given(f64),
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

    /// Returns the variance given by the user.
    pub(super) fn given_value(self) -> Option<f64> {
        match self {
            Self::Given(variance) => Some(variance),
            Self::Mean | Self::Largest => None,
        }
    }
}

/// Budget and the criterion for the best way to spend it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Amount of money.
    pub sum: f64,
    /// Costs of judging.
    pub costs: JudgingCosts,
    /// Criterion for the best combination of queries and assessors.
    pub best: BudgetGoal,
}

/// Request for a [`Plan`].
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRequest {
    /// Target values of Eρ².
    pub erho2: Vec<f64>,
    /// Target values of Φ; if empty, those of Eρ².
    pub phi: Vec<f64>,
    /// Confidence level of the intervals.
    pub confidence: f64,
    /// Distribution assumed for the effects when computing intervals.
    pub effect_distribution: EffectDistribution,
    /// Numbers of assessors to plan with. If empty: 1 to 5, then 10, 20, 50, 100, 200 and 500, up
    /// to the number of assessors in the scores, which is included.
    pub judges: Vec<u32>,
    /// Assignment of assessors to queries in the planned evaluation.
    pub design: Design,
    /// Number of random draws of the variance components, for the intervals of scores by assessor.
    pub replicates: usize,
    /// Differences between mean scores that the t-test should detect; if empty, 1, 2, 5 and 10% of
    /// the scale of the scores.
    pub differences: Vec<f64>,
    /// Significance level of the t-test.
    pub alpha: f64,
    /// Target power of the t-test: probability of detecting a true difference.
    pub t_power: f64,
    /// Variance of the score differences between two systems, for the power analysis of the t-test.
    pub variance: VarianceChoice,
    /// Budget, if any.
    pub budget: Option<Budget>,
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
            budget: None,
            seed: 1,
        }
    }
}

impl PlanRequest {
    /// Returns the target values of a coefficient.
    pub fn target_coefficients(&self, which: GCoefficient) -> &[f64] {
        match which {
            GCoefficient::Phi if !self.phi.is_empty() => &self.phi,
            GCoefficient::Phi | GCoefficient::Erho2 => &self.erho2,
        }
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
    /// Distribution assumed for the effects when computing intervals.
    pub intervals: EffectDistribution,
    /// Assignment of assessors to queries in the planned evaluation.
    pub design: Design,
    /// Number of random draws of the variance components, for the intervals of scores by assessor.
    pub replicates: usize,
    /// Settings of the power analysis of the t-test.
    pub t_test: TTestSettings,
    /// Budget, if any.
    pub budget: Option<f64>,
    /// Criterion for the best way to spend the budget.
    pub best: Option<BudgetGoal>,
    /// Plan of each measure.
    pub measures: Vec<MeasurePlan>,
}

/// Settings of the power analysis of the t-test.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TTestSettings {
    /// Significance level.
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
    /// Measure.
    pub measure: String,
    /// Number of systems in the scores.
    pub systems: usize,
    /// Number of queries in the scores.
    pub queries: usize,
    /// Number of assessors, if scores are by assessor.
    pub judges: Option<usize>,
    /// Variance components of the scores.
    pub components: Vec<ComponentShare>,
    /// Generalizability coefficient Eρ² with the present numbers of queries and assessors:
    /// reliability of the order of systems.
    pub erho2: PlanEstimate,
    /// Index of dependability Φ with the present numbers of queries and assessors: reliability of
    /// the scores themselves.
    pub phi: PlanEstimate,
    /// Numbers of queries needed to reach the target coefficients.
    pub queries_needed: Vec<QueriesNeeded>,
    /// Numbers of assessors needed to reach the target coefficients with the present queries.
    pub judges_needed: Vec<AssessorsNeeded>,
    /// Pair of systems with the largest variance of score differences, if the t-test is planned
    /// with that variance.
    pub pair: Option<[String; 2]>,
    /// Power analysis of the t-test: required numbers of queries and minimum detectable
    /// differences.
    pub t_test: Vec<TTestPlan>,
    /// Ways to spend the budget.
    pub budget: Vec<BudgetOption>,
    /// Caveats of the plan.
    #[serde(skip)]
    #[serde(rename = "remarks")]
    pub notes: Vec<PlanNote>,
}

/// Variance component with its share of the total variance.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ComponentShare {
    /// Component.
    #[serde(flatten)]
    pub component: VarianceComponent,
    /// Share of the total variance.
    pub share: f64,
}

/// Number of queries needed to reach a target coefficient.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueriesNeeded {
    /// Coefficient.
    pub coefficient: GCoefficient,
    /// Target value.
    pub wanted: f64,
    /// Number of assessors, if scores are by assessor.
    pub judges: Option<u32>,
    /// Number of queries needed.
    pub queries: PlanEstimate,
}

/// Number of assessors needed to reach a target coefficient.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct AssessorsNeeded {
    /// Coefficient.
    pub coefficient: GCoefficient,
    /// Target value.
    pub wanted: f64,
    /// Number of queries in the scores.
    pub queries: usize,
    /// Number of assessors needed.
    pub judges: PlanEstimate,
}

/// Power analysis of the t-test for one number of assessors.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TTestPlan {
    /// Number of assessors over whom each score is averaged, if scores are by assessor.
    pub judges: Option<u32>,
    /// Variance, over queries, of the score differences between two systems.
    pub variance: PlanEstimate,
    /// Minimum detectable difference with the present number of queries.
    pub detectable: PlanEstimate,
    /// Number of queries needed to detect each difference.
    pub differences: Vec<QueriesForDifference>,
}

/// Number of queries with which the t-test detects a difference with the target power.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueriesForDifference {
    /// Difference between the mean scores of two systems.
    pub difference: f64,
    /// Number of queries needed.
    pub queries: PlanEstimate,
}

/// One way to spend a budget or a part of it, with the predicted reliability and power.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BudgetOption {
    /// Assessors per query, if scores are by assessor.
    pub judges: Option<u32>,
    /// Number of queries.
    pub queries: u64,
    /// Number of judgments.
    pub judgments: u64,
    /// Total cost.
    pub cost: f64,
    /// Predicted Eρ².
    pub erho2: PlanEstimate,
    /// Predicted Φ.
    pub phi: PlanEstimate,
    /// Minimum detectable difference of the t-test; null for a single query.
    #[schemars(with = "Option<f64>")]
    pub detectable: f64,
    /// Power of the t-test for each requested difference.
    pub t_power: Vec<DifferencePower>,
    /// True for the best option by the criterion of the budget.
    pub best: bool,
}

/// Power of the t-test for one difference.
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
