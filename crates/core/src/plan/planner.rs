//! Plan of an evaluation, assembled from the generalizability studies (G studies) of its scores.

use partita_stats::differences::max_abs;

use super::budget::budget_options;
use super::request::{
    AssessorsNeeded, Budget, ComponentShare, GCoefficient, MeasurePlan, Plan, PlanInput, PlanNote,
    PlanRequest, QueriesForDifference, QueriesNeeded, TTestPlan, TTestSettings, VarianceChoice,
};
use super::{
    AssessorGStudy, DifferenceVariance, PlanEstimate, PlanInputError, QueryGStudy, TTestDesign,
    VarianceComponent, VarianceDecomposition, VarianceDraws, require, require_share,
};
use crate::ScoreMatrix;

/// Error of [`plan`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum PlanError {
    /// Unusable scores or a number out of its range.
    #[error(transparent)]
    Input(#[from] PlanInputError),
    /// Request with numbers of assessors for scores that are not separate for each assessor.
    #[error("there is no column of judges to plan by")]
    NoAssessors,
    /// Request with [`VarianceChoice::Largest`] for scores that are separate for each assessor.
    #[error("the largest variance of a pair is for scores without a column of judges")]
    LargestVarianceByAssessor,
    /// Budget that does not pay for the minimum number of queries.
    #[error("a budget of {sum} does not pay for {MIN_QUERIES} queries: one costs {each}")]
    BudgetTooSmall { sum: f64, each: f64 },
    /// Budget without any costs.
    #[error("a budget needs costs")]
    NoCosts,
    /// Costs without a budget.
    #[error("costs are only for a budget")]
    CostsWithoutBudget,
    /// Cost of a judgment without the number of judgments per query.
    #[error("the cost of a judgment needs the number of judgments per query")]
    NoPoolSize,
    /// Number of judgments per query without the cost of a judgment.
    #[error("the number of judgments per query needs the cost of a judgment")]
    NoJudgmentCost,
    /// Cost that is negative or not finite, or queries that cost nothing.
    #[error(transparent)]
    Costs(PlanInputError),
}

/// Minimum number of queries that a way to spend the budget must pay for.
pub(super) const MIN_QUERIES: u64 = 3;

/// Plans an evaluation from the scores of each measure.
///
/// # Errors
/// Returns [`PlanError`] for scores or numbers that cannot be used, for options that do not fit the
/// kind of scores, and for a budget that is too small.
pub fn plan(request: &PlanRequest, inputs: &[PlanInput<'_>]) -> Result<Plan, PlanError> {
    let budget = request.budget()?;
    check_request(request, budget)?;
    let mut request = request.clone();
    let requested_differences = request.differences.clone();
    if requested_differences.is_empty() {
        request.differences = default_differences(inputs);
    }
    let measures = (inputs.iter()).map(|&input| {
        MeasurePlanner::new(&request, budget, input)?.plan(&requested_differences, input.scores())
    });
    Ok(Plan {
        measures: measures.collect::<Result<_, _>>()?,
        seed: request.seed,
        confidence: request.confidence,
        intervals: request.effect_distribution,
        design: request.design,
        replicates: request.replicates,
        t_test: TTestSettings {
            alpha: request.alpha,
            power: request.t_power,
            variance: request.variance.name().to_owned(),
            given: request.variance.given_value(),
        },
        budget: budget.map(|budget| budget.sum),
        best: budget.map(|budget| budget.best),
    })
}

/// Checks that the numbers of the request are in their ranges.
fn check_request(request: &PlanRequest, budget: Option<Budget>) -> Result<(), PlanInputError> {
    for &wanted in &request.erho2 {
        require_share("a wanted Eρ²", wanted)?;
    }
    for &wanted in &request.phi {
        require_share("a wanted Φ", wanted)?;
    }
    require_share("a confidence", request.confidence)?;
    require_share("the level of the t-test", request.alpha)?;
    require_share("the power of the t-test", request.t_power)?;
    let differences = request.differences.iter();
    let positive = (differences.map(|&difference| ("a difference", difference)))
        .chain((request.variance.given_value()).map(|variance| ("a variance", variance)))
        .chain(budget.map(|budget| ("a budget", budget.sum)));
    for (what, found) in positive {
        let is_valid = found > 0.0 && found.is_finite();
        require(is_valid, what, "a number above 0", found)?;
    }
    let (what, expected) = ("the number of replicates", "at least 100");
    let found = request.replicates as f64;
    require(found >= 100.0, what, expected, found)
}

/// Returns the default score differences for the power analysis of the t-test: 1, 2, 5 and 10% of
/// the scale of each measure, merged and in ascending order. The scale is the largest absolute
/// score, rounded up to a power of ten; measures whose scores are all 0 have none.
fn default_differences(inputs: &[PlanInput<'_>]) -> Vec<f64> {
    let mut differences: Vec<f64> = Vec::new();
    for input in inputs {
        let largest = max_abs(input.scores().rows().flatten());
        if largest == 0.0 {
            continue;
        }
        let power = largest.log10().ceil() as i32;
        for percent in [1.0, 2.0, 5.0, 10.0] {
            // Positive powers of ten are exact in a double, so 1/100 becomes exactly 0.01.
            let difference = match power {
                ..=1 => percent / 10f64.powi(2 - power),
                _ => percent * 10f64.powi(power - 2),
            };
            if !differences.contains(&difference) {
                differences.push(difference);
            }
        }
    }
    differences.sort_by(f64::total_cmp);
    differences
}

/// Planner for one measure: the generalizability study of its scores, and the request to answer.
pub(super) struct MeasurePlanner<'a> {
    request: &'a PlanRequest,
    /// Budget of the request with its costs, if there is one.
    budget: Option<Budget>,
    study: VarianceStudy,
    components: Vec<VarianceComponent>,
    /// Numbers of assessors to plan with; a single `None` for scores without assessors.
    pub(super) assessor_counts: Vec<Option<u32>>,
    /// Number of assessors in the scores, if each assessor has separate scores.
    present_assessors: Option<u32>,
    /// Variance of the score differences between two systems, if it does not depend on the number
    /// of assessors.
    variance: Option<PlanEstimate>,
    /// Pair of systems that has this `variance`, if it is the largest of all pairs.
    pair: Option<[String; 2]>,
}

/// Generalizability study over queries, or over queries and assessors.
enum VarianceStudy {
    Queries(QueryGStudy),
    Assessors(Box<VarianceDraws>),
}

impl<'a> MeasurePlanner<'a> {
    fn new(
        request: &'a PlanRequest,
        budget: Option<Budget>,
        input: PlanInput<'_>,
    ) -> Result<Self, PlanError> {
        match input {
            PlanInput::Scores(_) if !request.judges.is_empty() => Err(PlanError::NoAssessors),
            PlanInput::Scores(scores) => {
                let study =
                    QueryGStudy::new(scores)?.with_effect_distribution(request.effect_distribution);
                let found =
                    DifferenceVariance::estimate(scores, request.variance, request.confidence)?;
                let name = |system: usize| scores.systems()[system].clone();
                Ok(Self {
                    request,
                    budget,
                    components: study.components().to_vec(),
                    study: VarianceStudy::Queries(study),
                    assessor_counts: vec![None],
                    present_assessors: None,
                    variance: Some(found.variance),
                    pair: found.pair.map(|(a, b)| [name(a), name(b)]),
                })
            }
            PlanInput::ByAssessor(_) if request.variance == VarianceChoice::Largest => {
                Err(PlanError::LargestVarianceByAssessor)
            }
            PlanInput::ByAssessor(scores) => {
                let study = AssessorGStudy::new(scores)?
                    .with_effect_distribution(request.effect_distribution);
                let present = u32::try_from(study.assessor_count()).expect("judges fit 32 bits");
                let mut counts = request.judges.clone();
                if counts.is_empty() {
                    // Default numbers of assessors: every number up to 5, then a selection of
                    // larger ones.
                    let usual = (1..=5).chain([10, 20, 50, 100, 200, 500]);
                    counts.extend(usual.filter(|count| *count < present));
                    counts.push(present);
                }
                counts.sort_unstable();
                counts.dedup();
                let (confidence, seed) = (request.confidence, request.seed);
                let draws = study.draw_variances(confidence, request.replicates, seed)?;
                Ok(Self {
                    request,
                    budget,
                    components: study.components().to_vec(),
                    study: VarianceStudy::Assessors(Box::new(draws)),
                    assessor_counts: counts.into_iter().map(Some).collect(),
                    present_assessors: Some(present),
                    variance: request.variance.given_value().map(PlanEstimate::exact),
                    pair: None,
                })
            }
        }
    }

    /// Plans the evaluation by this measure. `requested_differences` are the user's score
    /// differences, without defaults; the budget options report the power for them.
    fn plan(
        &self,
        requested_differences: &[f64],
        scores: &ScoreMatrix,
    ) -> Result<MeasurePlan, PlanError> {
        let request = self.request;
        let test = TTestDesign::new(request.alpha, request.t_power)?;
        let queries = scores.queries().len();
        let t_test = self.assessor_counts.iter().map(|&judges| {
            let variance = self.variance(judges);
            let differences = request.differences.iter().map(|&difference| {
                let queries = variance.map(|variance| {
                    let queries = test.queries_for(difference / variance.sqrt());
                    queries.map_or(f64::INFINITY, |queries| queries as f64)
                });
                QueriesForDifference {
                    difference,
                    queries,
                }
            });
            TTestPlan {
                judges,
                variance,
                detectable: variance.map(|v| v.sqrt() * test.detectable_difference(queries as u64)),
                differences: differences.collect(),
            }
        });
        let mut queries_needed = Vec::new();
        let mut judges_needed = Vec::new();
        for coefficient in [GCoefficient::Erho2, GCoefficient::Phi] {
            for &wanted in request.target_coefficients(coefficient) {
                queries_needed.extend(self.assessor_counts.iter().map(|&judges| QueriesNeeded {
                    coefficient,
                    wanted,
                    judges,
                    queries: self.queries_for(coefficient, wanted, judges),
                }));
                let judges = self.estimate_with_assessors(coefficient, |s| {
                    s.assessors_for(wanted, queries as f64)
                });
                judges_needed.extend(judges.map(|judges| AssessorsNeeded {
                    coefficient,
                    wanted,
                    queries,
                    judges,
                }));
            }
        }
        let budget = match self.budget {
            None => Vec::new(),
            Some(budget) => budget_options(self, budget, requested_differences, test)?,
        };
        let total: f64 = self.components.iter().map(|c| c.variance).sum();
        let components = self.components.iter().map(|&component| ComponentShare {
            component,
            share: component.variance / total,
        });
        let present = self.present_assessors;
        let mut plan = MeasurePlan {
            measure: scores.measure().to_owned(),
            systems: scores.systems().len(),
            queries,
            judges: present.map(|judges| judges as usize),
            components: components.collect(),
            erho2: self.coefficient(GCoefficient::Erho2, queries as f64, present),
            phi: self.coefficient(GCoefficient::Phi, queries as f64, present),
            queries_needed,
            judges_needed,
            pair: self.pair.clone(),
            t_test: t_test.collect(),
            budget,
            notes: Vec::new(),
        };
        plan.notes = plan_notes(&plan);
        Ok(plan)
    }

    /// Estimates a generalizability coefficient for these numbers of queries and assessors.
    pub(super) fn coefficient(
        &self,
        which: GCoefficient,
        queries: f64,
        judges: Option<u32>,
    ) -> PlanEstimate {
        match &self.study {
            VarianceStudy::Queries(study) => {
                (study.coefficient(which, queries, self.request.confidence))
                    .expect("the confidence was checked to be between 0 and 1")
            }
            VarianceStudy::Assessors(draws) => draws.estimate(which, self.request.design, |s| {
                s.coefficient(queries, assessors_or_one(judges))
            }),
        }
    }

    /// Estimates the number of queries with which a generalizability coefficient reaches `wanted`.
    fn queries_for(&self, which: GCoefficient, wanted: f64, judges: Option<u32>) -> PlanEstimate {
        match &self.study {
            VarianceStudy::Queries(study) => {
                (study.queries_for(which, wanted, self.request.confidence))
                    .expect("confidences and coefficients were checked to be between 0 and 1")
            }
            VarianceStudy::Assessors(draws) => draws.estimate(which, self.request.design, |s| {
                s.queries_for(wanted, assessors_or_one(judges))
            }),
        }
    }

    /// Returns the variance, over queries, of the score difference between two systems, if each
    /// score is a mean over `judges` assessors.
    pub(super) fn variance(&self, judges: Option<u32>) -> PlanEstimate {
        let estimate = || {
            self.estimate_with_assessors(GCoefficient::Erho2, |variances| {
                variances.difference_variance(assessors_or_one(judges))
            })
        };
        (self.variance.or_else(estimate)).expect("a study without judges has a variance")
    }

    /// Estimates `quantity`, a function of the variances that determine a coefficient (Eρ² or Φ).
    /// Returns `None` for scores without assessors.
    fn estimate_with_assessors(
        &self,
        which: GCoefficient,
        quantity: impl Fn(VarianceDecomposition) -> f64,
    ) -> Option<PlanEstimate> {
        match &self.study {
            VarianceStudy::Queries(_) => None,
            VarianceStudy::Assessors(draws) => {
                Some(draws.estimate(which, self.request.design, quantity))
            }
        }
    }
}

/// Returns the number of assessors; 1 for scores that are not separate for each assessor.
fn assessors_or_one(judges: Option<u32>) -> f64 {
    f64::from(judges.unwrap_or(1))
}

/// Returns the caveats of a plan: negative variance estimates, and systems that do not differ.
fn plan_notes(plan: &MeasurePlan) -> Vec<PlanNote> {
    let components = plan.components.iter().map(|share| share.component);
    let negative = components.filter(|component| component.estimate < 0.0);
    let no_difference = (plan.erho2.value == 0.0).then_some(PlanNote::NoDifference);
    (negative.map(PlanNote::NegativeVariance))
        .chain(no_difference)
        .collect()
}
