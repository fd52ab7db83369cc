//! Plan of an evaluation, assembled from the G studies of its scores.

use super::budget::combinations;
use super::request::{
    AssessorsNeeded, ComponentShare, GCoefficient, MeasurePlan, Plan, PlanInput, PlanNote,
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
    /// Request with numbers of assessors for scores that are not by assessor.
    #[error("there is no column of judges to plan by")]
    NoAssessors,
    /// Request with [`VarianceChoice::Largest`] for scores by assessor.
    #[error("the largest variance of a pair is for scores without a column of judges")]
    LargestVarianceByAssessor,
    /// Budget that does not pay for the minimum number of queries.
    #[error("a budget of {sum} does not pay for {MIN_QUERIES} queries: one costs {each}")]
    BudgetTooSmall { sum: f64, each: f64 },
}

/// Minimum number of queries of a budget option.
pub(super) const MIN_QUERIES: u64 = 3;

/// Plans an evaluation from the scores of each measure.
pub fn plan(request: &PlanRequest, evidence: &[PlanInput<'_>]) -> Result<Plan, PlanError> {
    check(request)?;
    let mut request = request.clone();
    let requested_differences = request.differences.clone();
    if requested_differences.is_empty() {
        request.differences = usual_differences(evidence);
    }
    let measures = (evidence.iter()).map(|&evidence| {
        PlanStudy::new(&request, evidence)?.plan(&requested_differences, evidence.scores())
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
        budget: request.budget.map(|budget| budget.sum),
        best: request.budget.map(|budget| budget.best),
    })
}

fn check(request: &PlanRequest) -> Result<(), PlanInputError> {
    let one = [request.confidence, request.alpha, request.t_power];
    let shares = [
        ("a wanted Eρ²", &request.erho2[..]),
        ("a wanted Φ", &request.phi),
        ("a confidence", &one[..1]),
        ("the level of the t-test", &one[1..2]),
        ("the power of the t-test", &one[2..]),
    ];
    for (what, values) in shares {
        for &value in values {
            require_share(what, value)?;
        }
    }
    let above_zero = |value: &f64| *value > 0.0 && value.is_finite();
    let given = request.variance.given_value();
    let sum = request.budget.map(|budget| budget.sum);
    let positive = [
        ("a difference", &request.differences[..]),
        ("a variance", given.as_slice()),
        ("a budget", sum.as_slice()),
    ];
    for (what, values) in positive {
        for value in values {
            require(above_zero(value), what, "a number above 0", *value)?;
        }
    }
    let (what, expected) = ("the number of replicates", "at least 100");
    let found = request.replicates as f64;
    require(found >= 100.0, what, expected, found)
}

/// Returns the default differences: 1, 2, 5 and 10% of the scale of the scores. The scale is the
/// largest absolute score, rounded up to a power of ten.
fn usual_differences(evidence: &[PlanInput<'_>]) -> Vec<f64> {
    let mut differences: Vec<f64> = Vec::new();
    for evidence in evidence {
        let scores = evidence.scores().rows().flatten();
        let largest = scores.fold(0.0, |most: f64, score| most.max(score.abs()));
        if largest == 0.0 {
            continue;
        }
        let power = largest.log10().ceil() as i32;
        for parts in [1.0, 2.0, 5.0, 10.0] {
            // Positive powers of ten are exact in a double, so 1/100 becomes exactly 0.01.
            let difference = match power {
                ..=1 => parts / 10f64.powi(2 - power),
                _ => parts * 10f64.powi(power - 2),
            };
            if !differences.contains(&difference) {
                differences.push(difference);
            }
        }
    }
    differences.sort_by(f64::total_cmp);
    differences
}

/// G study of one measure with the request that it answers.
pub(super) struct PlanStudy<'a> {
    request: &'a PlanRequest,
    by: VarianceStudy,
    components: Vec<VarianceComponent>,
    /// Numbers of assessors to plan with; a single `None` for scores without assessors.
    pub(super) judges: Vec<Option<u32>>,
    /// Number of assessors in the scores.
    assessors: Option<u32>,
    /// Variance of the score differences between two systems, if it does not depend on the number
    /// of assessors.
    variance: Option<PlanEstimate>,
    /// Pair of systems that `variance` belongs to.
    pair: Option<[String; 2]>,
}

/// G study over queries, or over queries and assessors.
enum VarianceStudy {
    Queries(QueryGStudy),
    Judges(Box<VarianceDraws>),
}

impl<'a> PlanStudy<'a> {
    fn new(request: &'a PlanRequest, evidence: PlanInput<'_>) -> Result<Self, PlanError> {
        match evidence {
            PlanInput::Scores(_) if !request.judges.is_empty() => Err(PlanError::NoAssessors),
            PlanInput::Scores(scores) => {
                let study =
                    QueryGStudy::new(scores)?.with_effect_distribution(request.effect_distribution);
                let found =
                    DifferenceVariance::estimate(scores, request.variance, request.confidence)?;
                let name = |system: usize| scores.systems()[system].clone();
                Ok(Self {
                    request,
                    components: study.components().to_vec(),
                    by: VarianceStudy::Queries(study),
                    judges: vec![None],
                    assessors: None,
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
                let present = u32::try_from(study.judges()).expect("judges fit 32 bits");
                let mut judges = request.judges.clone();
                if judges.is_empty() {
                    // Default: every number up to 5, then a selection of larger ones.
                    let usual = (1..=5).chain([10, 20, 50, 100, 200, 500]);
                    judges.extend(usual.filter(|count| *count < present));
                    judges.push(present);
                }
                judges.sort_unstable();
                judges.dedup();
                let (confidence, seed) = (request.confidence, request.seed);
                let uncertain = study.draw_variances(confidence, request.replicates, seed)?;
                Ok(Self {
                    request,
                    components: study.components().to_vec(),
                    by: VarianceStudy::Judges(Box::new(uncertain)),
                    judges: judges.into_iter().map(Some).collect(),
                    assessors: Some(present),
                    variance: request.variance.given_value().map(PlanEstimate::exact),
                    pair: None,
                })
            }
        }
    }

    fn plan(
        &self,
        requested_differences: &[f64],
        scores: &ScoreMatrix,
    ) -> Result<MeasurePlan, PlanError> {
        let request = self.request;
        let test = TTestDesign::new(request.alpha, request.t_power)?;
        let queries = scores.queries().len();
        let topics = self.judges.iter().map(|&judges| {
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
                queries_needed.extend(self.judges.iter().map(|&judges| QueriesNeeded {
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
        let budget = match request.budget {
            None => Vec::new(),
            Some(budget) => combinations(self, budget, requested_differences, test)?,
        };
        let total: f64 = self.components.iter().map(|c| c.variance).sum();
        let components = self.components.iter().map(|&component| ComponentShare {
            component,
            share: component.variance / total,
        });
        let present = self.assessors;
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
            t_test: topics.collect(),
            budget,
            notes: Vec::new(),
        };
        plan.notes = remarks(&plan);
        Ok(plan)
    }

    /// Estimates a coefficient for these numbers of queries and assessors.
    pub(super) fn coefficient(
        &self,
        which: GCoefficient,
        queries: f64,
        judges: Option<u32>,
    ) -> PlanEstimate {
        match &self.by {
            VarianceStudy::Queries(study) => {
                (study.coefficient(which, queries, self.request.confidence))
                    .expect("the confidence was checked to be between 0 and 1")
            }
            VarianceStudy::Judges(uncertain) => {
                uncertain.estimate(which, self.request.design, |s| {
                    s.coefficient(queries, number(judges))
                })
            }
        }
    }

    fn queries_for(&self, which: GCoefficient, wanted: f64, judges: Option<u32>) -> PlanEstimate {
        match &self.by {
            VarianceStudy::Queries(study) => {
                (study.queries_for(which, wanted, self.request.confidence))
                    .expect("confidences and coefficients were checked to be between 0 and 1")
            }
            VarianceStudy::Judges(uncertain) => {
                uncertain.estimate(which, self.request.design, |s| {
                    s.queries_for(wanted, number(judges))
                })
            }
        }
    }

    /// Returns the variance, over queries, of the difference between two systems.
    pub(super) fn variance(&self, judges: Option<u32>) -> PlanEstimate {
        let of = |spread: VarianceDecomposition| spread.difference_variance(number(judges));
        let drawn = || self.estimate_with_assessors(GCoefficient::Erho2, of);
        (self.variance.or_else(drawn)).expect("a study without judges has a variance")
    }

    /// Estimates a function of the variance decomposition of a coefficient. Returns `None` for
    /// scores without assessors.
    fn estimate_with_assessors(
        &self,
        which: GCoefficient,
        of: impl Fn(VarianceDecomposition) -> f64,
    ) -> Option<PlanEstimate> {
        match &self.by {
            VarianceStudy::Queries(_) => None,
            VarianceStudy::Judges(uncertain) => {
                Some(uncertain.estimate(which, self.request.design, of))
            }
        }
    }
}

fn number(judges: Option<u32>) -> f64 {
    f64::from(judges.unwrap_or(1))
}

fn remarks(plan: &MeasurePlan) -> Vec<PlanNote> {
    let mut remarks = Vec::new();
    let components = plan.components.iter().map(|share| share.component);
    let negative = components.filter(|component| component.estimate < 0.0);
    remarks.extend(negative.map(PlanNote::NegativeVariance));
    if plan.erho2.value == 0.0 {
        remarks.push(PlanNote::NoDifference);
    }
    remarks
}
