//! What is asked of a plan, and what is answered.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Design, EffectDistribution, JudgingCosts, PlanEstimate, VarianceComponent};
use crate::{AssessorScores, ScoreMatrix};

partita_named::named_enum! {
    /// A coefficient of generalizability.
    pub enum GCoefficient: "coefficient" {
        /// How far the order of systems holds with other queries
        Erho2 = "erho2",
        /// How far the scores themselves hold
        Phi = "phi",
    }
}

partita_named::named_enum! {
    /// By what a combination of queries and judges is the best.
    pub enum BudgetGoal: "goal of a budget" {
        /// The order of systems holds best
        Erho2 = "erho2",
        /// The scores themselves hold best
        Phi = "phi",
        /// The t-test finds the smallest difference
        Difference = "difference",
    }
}

/// The variance of differences between two systems that is planned with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VarianceChoice {
    /// That of a mean pair: twice the residual variance of the two-way analysis of variance.
    Mean,
    /// That of the worst pair.
    Largest,
    /// This one.
    Given(f64),
}

impl VarianceChoice {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Largest => "largest",
            Self::Given(_) => "given",
        }
    }

    /// The variance that is given.
    pub(super) fn given_value(self) -> Option<f64> {
        match self {
            Self::Given(variance) => Some(variance),
            Self::Mean | Self::Largest => None,
        }
    }
}

/// What may be spent, and by what it is spent best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// The sum.
    pub sum: f64,
    /// What things cost.
    pub costs: JudgingCosts,
    /// By what the best combination is chosen.
    pub best: BudgetGoal,
}

/// What is asked of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRequest {
    /// The wanted coefficients Eρ².
    pub erho2: Vec<f64>,
    /// The wanted coefficients Φ; as Eρ² if there is none.
    pub phi: Vec<f64>,
    /// The confidence of intervals.
    pub confidence: f64,
    /// What intervals take effects to be distributed like.
    pub effect_distribution: EffectDistribution,
    /// The numbers of judges to plan with; 1 up to those there are if there is none.
    pub judges: Vec<u32>,
    /// Who is going to judge what.
    pub design: Design,
    /// How many times variances are drawn for the intervals, where there are judges.
    pub replicates: usize,
    /// The differences between means that the t-test should find; 1, 2, 5 and 10% of the scale of
    /// the scores if there is none.
    pub differences: Vec<f64>,
    /// The level of the t-test.
    pub alpha: f64,
    /// How often the t-test should find a difference.
    pub t_power: f64,
    /// The variance of differences.
    pub variance: VarianceChoice,
    /// What may be spent.
    pub budget: Option<Budget>,
    /// The seed of all that is drawn.
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
    /// What is wanted of a coefficient.
    pub fn target_coefficients(&self, which: GCoefficient) -> &[f64] {
        match which {
            GCoefficient::Phi if !self.phi.is_empty() => &self.phi,
            GCoefficient::Phi | GCoefficient::Erho2 => &self.erho2,
        }
    }
}

/// What a plan is made from.
#[derive(Clone, Copy, Debug)]
pub enum PlanInput<'a> {
    /// Scores by one set of judgments.
    Scores(&'a ScoreMatrix),
    /// Scores by the judgments of each of several people.
    ByAssessor(&'a AssessorScores),
}

impl<'a> PlanInput<'a> {
    /// The scores, or their means over judges.
    pub fn scores(self) -> &'a ScoreMatrix {
        match self {
            Self::Scores(scores) => scores,
            Self::ByAssessor(scores) => scores.means(),
        }
    }
}

/// How many queries and judges an evaluation needs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Plan {
    /// The seed of all that was drawn.
    pub seed: u64,
    /// The confidence of intervals.
    pub confidence: f64,
    /// What intervals take effects to be distributed like.
    pub intervals: EffectDistribution,
    /// Who is going to judge what.
    pub design: Design,
    /// How many times variances were drawn, where there are judges.
    pub replicates: usize,
    /// The t-test that is planned with.
    pub t_test: TTestSettings,
    /// What may be spent.
    pub budget: Option<f64>,
    /// By what it is spent best.
    pub best: Option<BudgetGoal>,
    /// The plan by each measure.
    pub measures: Vec<MeasurePlan>,
}

/// The t-test that is planned with.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TTestSettings {
    /// Its level.
    pub alpha: f64,
    /// How often it should find a difference.
    pub power: f64,
    /// Which variance of differences is taken: `mean`, `largest` or `given`.
    pub variance: String,
    /// The variance that was given.
    pub given: Option<f64>,
}

/// The plan by one measure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasurePlan {
    /// The measure.
    pub measure: String,
    /// How many systems there are.
    pub systems: usize,
    /// How many queries there are.
    pub queries: usize,
    /// How many judges there are, where scores are by judge.
    pub judges: Option<usize>,
    /// What scores vary by.
    pub components: Vec<ComponentShare>,
    /// How far the order of systems holds with other queries.
    pub erho2: PlanEstimate,
    /// How far the scores hold.
    pub phi: PlanEstimate,
    /// The queries that wanted coefficients need.
    pub queries_needed: Vec<QueriesNeeded>,
    /// The judges that wanted coefficients need with the queries there are.
    pub judges_needed: Vec<AssessorsNeeded>,
    /// The two systems of the largest variance, where that is planned with.
    pub pair: Option<[String; 2]>,
    /// What the t-test needs and finds.
    pub t_test: Vec<TTestPlan>,
    /// What the budget buys.
    pub budget: Vec<BudgetOption>,
    /// What there is to be said against all this.
    #[serde(skip)]
    #[serde(rename = "remarks")]
    pub notes: Vec<PlanNote>,
}

/// A component of the variance of scores, and its share.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ComponentShare {
    /// The component.
    #[serde(flatten)]
    pub component: VarianceComponent,
    /// Its share of all variance.
    pub share: f64,
}

/// The queries that a wanted coefficient needs.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueriesNeeded {
    /// The coefficient.
    pub coefficient: GCoefficient,
    /// What it should be.
    pub wanted: f64,
    /// With so many judges, where there are any.
    pub judges: Option<u32>,
    /// The queries.
    pub queries: PlanEstimate,
}

/// The judges that a wanted coefficient needs.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct AssessorsNeeded {
    /// The coefficient.
    pub coefficient: GCoefficient,
    /// What it should be.
    pub wanted: f64,
    /// With the queries there are.
    pub queries: usize,
    /// The judges.
    pub judges: PlanEstimate,
}

/// What the t-test needs and finds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TTestPlan {
    /// With the means over so many judges, where there are any.
    pub judges: Option<u32>,
    /// The variance of differences.
    pub variance: PlanEstimate,
    /// The least difference that is found with the queries there are.
    pub detectable: PlanEstimate,
    /// The queries that find a difference.
    pub differences: Vec<QueriesForDifference>,
}

/// The queries that find a difference.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct QueriesForDifference {
    /// The difference between two means.
    pub difference: f64,
    /// The queries.
    pub queries: PlanEstimate,
}

/// What a part of the budget buys, and what that is worth.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BudgetOption {
    /// The judges of each query, where scores are by judge.
    pub judges: Option<u32>,
    /// The queries.
    pub queries: u64,
    /// The judgments made.
    pub judgments: u64,
    /// What that costs.
    pub cost: f64,
    /// How far the order of systems would hold.
    pub erho2: PlanEstimate,
    /// How far the scores would hold.
    pub phi: PlanEstimate,
    /// The least difference that the t-test would find; null where there is none, of a single query.
    #[schemars(with = "Option<f64>")]
    pub detectable: f64,
    /// How often the t-test would find the differences that were asked for.
    pub t_power: Vec<DifferencePower>,
    /// Whether nothing else is better.
    pub best: bool,
}

/// How often the t-test finds a difference.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct DifferencePower {
    /// The difference between two means.
    pub difference: f64,
    /// How often it is found.
    pub power: f64,
}

/// What there is to be said against a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanNote {
    /// A variance came out negative, and is taken as 0.
    NegativeVariance(VarianceComponent),
    /// The systems differ no more than chance makes them.
    NoDifference,
}
