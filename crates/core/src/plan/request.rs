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

/// Variance of differences between two systems that the t-test is planned with.
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
    /// Returns the stable name.
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
    /// Criterion for the best combination.
    pub best: BudgetGoal,
}

/// Request for a [`Plan`].
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRequest {
    /// Target values of Eρ².
    pub erho2: Vec<f64>,
    /// Target values of Φ; if empty, those of Eρ².
    pub phi: Vec<f64>,
    /// Confidence of intervals.
    pub confidence: f64,
    /// Distribution assumed for the effects when computing intervals.
    pub effect_distribution: EffectDistribution,
    /// Numbers of assessors to plan with; if empty, from 1 up to the number in the scores.
    pub judges: Vec<u32>,
    /// Assignment of assessors to queries in the planned evaluation.
    pub design: Design,
    /// Number of variance draws for intervals of scores by assessor.
    pub replicates: usize,
    /// Differences between means that the t-test should find; if empty, 1, 2, 5 and 10% of the
    /// scale of the scores.
    pub differences: Vec<f64>,
    /// Significance level of the t-test.
    pub alpha: f64,
    /// Power: probability with which the t-test should find a difference.
    pub t_power: f64,
    /// Variance of differences.
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
    /// Scores by one set of judgments.
    Scores(&'a ScoreMatrix),
    /// Scores by the judgments of each of several assessors.
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
    /// Confidence of intervals.
    pub confidence: f64,
    /// Distribution assumed for the effects when computing intervals.
    pub intervals: EffectDistribution,
    /// Assignment of assessors to queries in the planned evaluation.
    pub design: Design,
    /// Number of variance draws for intervals of scores by assessor.
    pub replicates: usize,
    /// Settings of the t-test.
    pub t_test: TTestSettings,
    /// Budget, if any.
    pub budget: Option<f64>,
    /// Criterion for the best way to spend the budget.
    pub best: Option<BudgetGoal>,
    /// Plan of each measure.
    pub measures: Vec<MeasurePlan>,
}

/// Settings of the planned t-test.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TTestSettings {
    /// Significance level.
    pub alpha: f64,
    /// Power: probability with which the test should find a difference.
    pub power: f64,
    /// Choice of the variance of differences: `mean`, `largest` or `given`.
    pub variance: String,
    /// Variance given by the user.
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
    /// Eρ² with the present queries and assessors: reliability of the order of systems.
    pub erho2: PlanEstimate,
    /// Φ with the present queries and assessors: reliability of the scores themselves.
    pub phi: PlanEstimate,
    /// Numbers of queries that the target coefficients need.
    pub queries_needed: Vec<QueriesNeeded>,
    /// Numbers of assessors that the target coefficients need with the present queries.
    pub judges_needed: Vec<AssessorsNeeded>,
    /// Pair of systems with the largest variance, if the t-test is planned with that.
    pub pair: Option<[String; 2]>,
    /// Numbers of queries that the t-test needs, and differences that it finds.
    pub t_test: Vec<TTestPlan>,
    /// Options that the budget buys.
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

/// Number of queries that a target coefficient needs.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueriesNeeded {
    /// Coefficient.
    pub coefficient: GCoefficient,
    /// Target value.
    pub wanted: f64,
    /// Number of assessors, if scores are by assessor.
    pub judges: Option<u32>,
    /// Number of queries.
    pub queries: PlanEstimate,
}

/// Number of assessors that a target coefficient needs.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct AssessorsNeeded {
    /// Coefficient.
    pub coefficient: GCoefficient,
    /// Target value.
    pub wanted: f64,
    /// Number of queries in the scores.
    pub queries: usize,
    /// Number of assessors.
    pub judges: PlanEstimate,
}

/// Plan of the t-test for one number of assessors.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TTestPlan {
    /// Number of assessors whose mean is a score, if scores are by assessor.
    pub judges: Option<u32>,
    /// Variance of differences.
    pub variance: PlanEstimate,
    /// Smallest difference found with the present queries.
    pub detectable: PlanEstimate,
    /// Numbers of queries that find each difference.
    pub differences: Vec<QueriesForDifference>,
}

/// Number of queries that find a difference.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueriesForDifference {
    /// Difference between two means.
    pub difference: f64,
    /// Number of queries.
    pub queries: PlanEstimate,
}

/// Option that a budget or a part of it buys, with the precision that it reaches.
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
    /// Smallest difference that the t-test finds; null for a single query.
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
    /// Difference between two means.
    pub difference: f64,
    /// Probability with which the test finds it.
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
