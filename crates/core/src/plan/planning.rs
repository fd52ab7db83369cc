//! The plan of an evaluation, put together from the studies of its scores.

use super::curves::{CurveError, Reach};
use super::request::{
    Best, Budget, Coefficient, Combination, ComponentShare, Curve, CurveKind, CurveShare,
    DifferenceFound, Evidence, JudgesNeeded, MeasurePlan, Observed, Plan, PowerOf, QueriesNeeded,
    Remark, Request, TTestSettings, Topics, Variance,
};
use super::{
    Component, Design, DifferenceVariance, Estimate, Extrapolation, JudgeStudy, PairVariance,
    PlanError, Point, Purchase, QueryStudy, Sampling, TCurves, TTest, Uncertain, share,
};
use crate::Scores;
use crate::work::{Stopped, Work};

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum PlanningError {
    /// The scores do not serve, or a number is out of its range.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A curve cannot be extrapolated.
    #[error("{} of {test} by {measure}: {source}", of)]
    Curve {
        measure: String,
        test: String,
        of: CurveKind,
        source: CurveError,
    },
    /// Curves that were observed elsewhere are of other measures.
    #[error("there are no cells of the measure `{0}`")]
    OtherMeasures(String),
    /// Numbers of judges were given for scores that are not by judge.
    #[error("there is no column of judges to plan by")]
    NoJudges,
    /// The largest variance was asked for of scores by judge.
    #[error("the largest variance of a pair is for scores without a column of judges")]
    LargestByJudge,
    /// The sum does not pay for anything.
    #[error("a budget of {sum} does not pay for {FEWEST} queries: one costs {each}")]
    TooPoor { sum: f64, each: f64 },
    /// The work was not finished.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The fewest queries that anything can be said of.
const FEWEST: u64 = 3;

/// The groups of queries that are left out in turn.
const GROUPS: usize = 10;

/// Plans an evaluation from scores by each measure, and from curves that were observed elsewhere;
/// without these, curves that are asked for are of the t-test, sampled from the scores.
pub fn plan(
    request: &Request,
    evidence: &[Evidence<'_>],
    observed: Option<&[Observed]>,
    work: &dyn Work,
) -> Result<Plan, PlanningError> {
    check(request)?;
    let mut request = request.clone();
    let asked = request.differences.clone();
    if asked.is_empty() {
        request.differences = usual_differences(evidence);
    }
    let measures = evidence.iter().map(|&evidence| {
        let study = Study::new(&request, evidence)?;
        study.plan(&request, &asked, evidence.scores(), observed, work)
    });
    Ok(Plan {
        measures: measures.collect::<Result<_, _>>()?,
        seed: request.seed,
        confidence: request.confidence,
        intervals: request.intervals,
        design: request.design,
        replicates: request.replicates,
        t_test: TTestSettings {
            alpha: request.alpha,
            power: request.t_power,
            variance: request.variance.name().to_owned(),
            given: match request.variance {
                Variance::Given(variance) => Some(variance),
                Variance::Mean | Variance::Largest => None,
            },
        },
        budget: request.budget.map(|budget| budget.sum),
        best: request.budget.map(|budget| budget.best),
    })
}

fn check(request: &Request) -> Result<(), PlanError> {
    let one = [request.confidence, request.alpha, request.t_power];
    let shares = [
        ("a wanted Eρ²", &request.erho2[..]),
        ("a wanted Φ", &request.phi),
        ("a confidence", &one[..1]),
        ("the level of the t-test", &one[1..2]),
        ("the power of the t-test", &one[2..]),
        ("a wanted power", &request.power),
        ("a wanted stability", &request.stable),
    ];
    for (what, values) in shares {
        for &value in values {
            share(what, value)?;
        }
    }
    let above_zero = |value: &f64| *value > 0.0 && value.is_finite();
    let given = match request.variance {
        Variance::Given(variance) => Some(variance),
        Variance::Mean | Variance::Largest => None,
    };
    let sum = request.budget.map(|budget| budget.sum);
    let positive = [
        ("a difference", &request.differences[..]),
        ("a variance", given.as_slice()),
        ("a budget", sum.as_slice()),
    ];
    for (what, values) in positive {
        if let Some(&found) = values.iter().find(|value| !above_zero(value)) {
            let expected = "a number above 0";
            return Err(PlanError::OutOfRange {
                what,
                expected,
                found,
            });
        }
    }
    if request.replicates < 100 {
        return Err(PlanError::OutOfRange {
            what: "the number of replicates",
            expected: "at least 100",
            found: request.replicates as f64,
        });
    }
    Ok(())
}

/// 1, 2, 5 and 10% of the scale of the scores, which is taken to end at the next power of ten.
fn usual_differences(evidence: &[Evidence<'_>]) -> Vec<f64> {
    let mut differences: Vec<f64> = Vec::new();
    for evidence in evidence {
        let scores = evidence.scores().rows().flatten();
        let largest = scores.fold(0.0, |most: f64, score| most.max(score.abs()));
        if largest == 0.0 {
            continue;
        }
        let power = largest.log10().ceil() as i32;
        for parts in [1.0, 2.0, 5.0, 10.0] {
            // Divided, not multiplied, by powers of ten, so that 0.01 is 0.01.
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

/// The study behind a plan.
enum Study {
    Queries {
        study: QueryStudy,
        confidence: f64,
        variance: Estimate,
        pair: Option<[String; 2]>,
    },
    Judges {
        components: Vec<Component>,
        there_are: u32,
        uncertain: Box<Uncertain>,
        /// The numbers of judges to plan with.
        judges: Vec<u32>,
        design: Design,
        given: Option<Estimate>,
    },
}

impl Study {
    fn new(request: &Request, evidence: Evidence<'_>) -> Result<Self, PlanningError> {
        let given = match request.variance {
            Variance::Given(variance) => Some(Estimate::exact(variance)),
            Variance::Mean | Variance::Largest => None,
        };
        match evidence {
            Evidence::Scores(_) if !request.judges.is_empty() => Err(PlanningError::NoJudges),
            Evidence::Scores(scores) => {
                let study = QueryStudy::of(scores)?.assuming(request.intervals);
                let which = match request.variance {
                    Variance::Largest => PairVariance::Largest,
                    Variance::Mean | Variance::Given(_) => PairVariance::Mean,
                };
                let found = DifferenceVariance::of(scores, which, request.confidence)?;
                let name = |system: usize| scores.systems()[system].clone();
                Ok(Self::Queries {
                    study,
                    confidence: request.confidence,
                    variance: given.unwrap_or(found.variance),
                    pair: found.pair.map(|(a, b)| [name(a), name(b)]),
                })
            }
            Evidence::Judged(_) if request.variance == Variance::Largest => {
                Err(PlanningError::LargestByJudge)
            }
            Evidence::Judged(scores) => {
                let study = JudgeStudy::of(scores)?.assuming(request.intervals);
                let there_are = u32::try_from(study.judges()).expect("judges fit 32 bits");
                let mut judges = request.judges.clone();
                if judges.is_empty() {
                    // All of a few, and some of many.
                    let usual = (1..=5).chain([10, 20, 50, 100, 200, 500]);
                    judges.extend(usual.filter(|count| *count < there_are));
                    judges.push(there_are);
                }
                judges.sort_unstable();
                judges.dedup();
                Ok(Self::Judges {
                    components: study.components().to_vec(),
                    there_are,
                    uncertain: Box::new(study.uncertain(
                        request.confidence,
                        request.replicates,
                        request.seed,
                    )?),
                    judges,
                    design: request.design,
                    given,
                })
            }
        }
    }

    fn plan(
        &self,
        request: &Request,
        asked: &[f64],
        scores: &Scores,
        observed: Option<&[Observed]>,
        work: &dyn Work,
    ) -> Result<MeasurePlan, PlanningError> {
        let test = TTest::new(request.alpha, request.t_power)?;
        let curves = curves_of(request, scores, observed, work)?;
        let queries = scores.queries().len();
        let topics = self.judges().into_iter().map(|judges| {
            let variance = self.variance(judges);
            let differences = request.differences.iter().map(|&difference| {
                let queries = variance.map(|variance| {
                    let queries = test.queries_for(difference / variance.sqrt());
                    queries.map_or(f64::INFINITY, |queries| queries as f64)
                });
                DifferenceFound {
                    difference,
                    queries,
                }
            });
            Topics {
                judges,
                variance,
                detectable: variance.map(|v| v.sqrt() * test.detectable(queries as u64)),
                differences: differences.collect(),
            }
        });
        let mut queries_needed = Vec::new();
        let mut judges_needed = Vec::new();
        for coefficient in [Coefficient::Erho2, Coefficient::Phi] {
            for &wanted in request.wanted(coefficient) {
                queries_needed.extend(self.judges().into_iter().map(|judges| QueriesNeeded {
                    coefficient,
                    wanted,
                    judges,
                    queries: self.queries_for(coefficient, wanted, judges),
                }));
                let judges = self.judges_for(coefficient, wanted, queries as f64);
                judges_needed.extend(judges.map(|judges| JudgesNeeded {
                    coefficient,
                    wanted,
                    queries,
                    judges,
                }));
            }
        }
        let budget = match request.budget {
            None => Vec::new(),
            Some(budget) => self.combinations(budget, asked, test, &curves)?,
        };
        let components = self.components();
        let total: f64 = components.iter().map(|c| c.variance).sum();
        let components = components.iter().map(|&component| ComponentShare {
            component,
            share: component.variance / total,
        });
        let present = self.present();
        let mut plan = MeasurePlan {
            measure: scores.measure().to_owned(),
            systems: scores.systems().len(),
            queries,
            judges: present.map(|judges| judges as usize),
            components: components.collect(),
            erho2: self.coefficient(Coefficient::Erho2, queries as f64, present),
            phi: self.coefficient(Coefficient::Phi, queries as f64, present),
            queries_needed,
            judges_needed,
            pair: self.pair().cloned(),
            t_test: topics.collect(),
            curves: curves.iter().map(|(curve, _)| curve.clone()).collect(),
            budget,
            remarks: Vec::new(),
        };
        plan.remarks = remarks(&plan);
        Ok(plan)
    }

    fn components(&self) -> &[Component] {
        match self {
            Self::Queries { study, .. } => study.components(),
            Self::Judges { components, .. } => components,
        }
    }

    /// The numbers of judges to plan with; one unknown where there is no such number.
    fn judges(&self) -> Vec<Option<u32>> {
        match self {
            Self::Queries { .. } => vec![None],
            Self::Judges { judges, .. } => judges.iter().copied().map(Some).collect(),
        }
    }

    /// The number of judges there are.
    fn present(&self) -> Option<u32> {
        match self {
            Self::Queries { .. } => None,
            Self::Judges { there_are, .. } => Some(*there_are),
        }
    }

    fn pair(&self) -> Option<&[String; 2]> {
        match self {
            Self::Queries { pair, .. } => pair.as_ref(),
            Self::Judges { .. } => None,
        }
    }

    fn coefficient(&self, which: Coefficient, queries: f64, judges: Option<u32>) -> Estimate {
        match self {
            Self::Queries {
                study, confidence, ..
            } => study.coefficient(which, queries, *confidence),
            Self::Judges {
                uncertain, design, ..
            } => uncertain.of(which, *design, |s| s.coefficient(queries, number(judges))),
        }
    }

    fn queries_for(&self, which: Coefficient, wanted: f64, judges: Option<u32>) -> Estimate {
        match self {
            Self::Queries {
                study, confidence, ..
            } => study.queries_for(which, wanted, *confidence),
            Self::Judges {
                uncertain, design, ..
            } => uncertain.of(which, *design, |s| s.queries_for(wanted, number(judges))),
        }
    }

    fn judges_for(&self, which: Coefficient, wanted: f64, queries: f64) -> Option<Estimate> {
        match self {
            Self::Queries { .. } => None,
            Self::Judges {
                uncertain, design, ..
            } => Some(uncertain.of(which, *design, |s| s.judges_for(wanted, queries))),
        }
    }

    /// The variance by query of the difference between two systems.
    fn variance(&self, judges: Option<u32>) -> Estimate {
        match self {
            Self::Queries { variance, .. } => *variance,
            Self::Judges {
                given: Some(given), ..
            } => *given,
            Self::Judges {
                uncertain, design, ..
            } => uncertain.of(Coefficient::Erho2, *design, |s| {
                2.0 * (s.per_query + s.per_cell / number(judges))
            }),
        }
    }

    /// What the budget buys: with each number of judges all of it, and without judges also parts.
    fn combinations(
        &self,
        budget: Budget,
        asked: &[f64],
        test: TTest,
        curves: &[(Curve, Extrapolation)],
    ) -> Result<Vec<Combination>, PlanningError> {
        let Budget { sum, costs, best } = budget;
        let judges: Option<Vec<u32>> = self.judges().into_iter().collect();
        let bought: Vec<Purchase> = match &judges {
            Some(judges) => (judges.iter())
                .map(|&count| costs.affordable(sum, count))
                .collect(),
            None => [0.25, 0.5, 0.75, 1.0]
                .map(|part| costs.affordable(part * sum, 1))
                .to_vec(),
        };
        let worthwhile = bought.into_iter().filter(|b| b.queries >= FEWEST);
        let mut combinations: Vec<Combination> = worthwhile
            .map(|purchase| {
                let queries = purchase.queries as f64;
                let with = judges.as_ref().map(|_| purchase.judges);
                let deviation = self.variance(with).value.sqrt();
                let power = |&difference: &f64| PowerOf {
                    difference,
                    power: test.power(purchase.queries, difference / deviation),
                };
                let reached = |(curve, extrapolation): &(Curve, Extrapolation)| CurveShare {
                    test: curve.test.clone(),
                    of: curve.of,
                    share: extrapolation.share(queries),
                };
                Combination {
                    judges: with,
                    queries: purchase.queries,
                    judgments: purchase.judgments,
                    cost: purchase.cost,
                    erho2: self.coefficient(Coefficient::Erho2, queries, with),
                    phi: self.coefficient(Coefficient::Phi, queries, with),
                    detectable: deviation * test.detectable(purchase.queries),
                    t_power: asked.iter().map(power).collect(),
                    curves: curves.iter().map(reached).collect(),
                    best: false,
                }
            })
            .collect();
        let worth = |one: &Combination| match best {
            Best::Erho2 => one.erho2.value,
            Best::Phi => one.phi.value,
            Best::Difference => -one.detectable,
        };
        // Of equals the first, which has the fewest judges.
        let best = (combinations.iter().map(worth).enumerate())
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((best, _)) = best else {
            let fewest = judges.and_then(|judges| judges.first().copied());
            let each = costs.of_query(fewest.unwrap_or(1));
            return Err(PlanningError::TooPoor { sum, each });
        };
        combinations[best].best = true;
        Ok(combinations)
    }
}

fn number(judges: Option<u32>) -> f64 {
    f64::from(judges.unwrap_or(1))
}

fn remarks(plan: &MeasurePlan) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for curve in &plan.curves {
        let far = (curve.wanted.iter())
            .filter(|wanted| matches!(wanted.reach, Reach::Far | Reach::Beyond));
        remarks.extend(far.map(|&wanted| Remark::Far {
            test: curve.test.clone(),
            of: curve.of,
            wanted,
            largest: curve.largest_size,
            ceiling: curve.taken.ceiling(),
        }));
    }
    let components = plan.components.iter().map(|share| share.component);
    let negative = components.filter(|component| component.estimate < 0.0);
    remarks.extend(negative.map(Remark::NegativeVariance));
    if plan.erho2.value == 0.0 {
        remarks.push(Remark::NoDifference);
    }
    remarks
}

/// The curves of a measure.
fn curves_of(
    request: &Request,
    scores: &Scores,
    observed: Option<&[Observed]>,
    work: &dyn Work,
) -> Result<Vec<(Curve, Extrapolation)>, PlanningError> {
    match observed {
        Some(observed) => observed_curves(request, scores, observed),
        None if request.power.is_empty() && request.stable.is_empty() => Ok(Vec::new()),
        None => sampled_curves(request, scores, work),
    }
}

const KINDS: [CurveKind; 2] = [CurveKind::Power, CurveKind::Stable];

fn curve(
    test: &str,
    of: CurveKind,
    queries_resampled: bool,
    extrapolation: Extrapolation,
    wanted: Vec<super::Wanted>,
) -> (Curve, Extrapolation) {
    let curve = Curve {
        test: test.to_owned(),
        of,
        largest_size: extrapolation.largest(),
        queries_resampled,
        fits: extrapolation.fits().to_vec(),
        taken: *extrapolation.best(),
        wanted,
    };
    (curve, extrapolation)
}

fn observed_curves(
    request: &Request,
    scores: &Scores,
    observed: &[Observed],
) -> Result<Vec<(Curve, Extrapolation)>, PlanningError> {
    let measure = scores.measure();
    let of_measure: Vec<&Observed> = (observed.iter())
        .filter(|point| point.measure == measure)
        .collect();
    if of_measure.is_empty() {
        return Err(PlanningError::OtherMeasures(measure.to_owned()));
    }
    let mut tests: Vec<&str> = Vec::new();
    for point in &of_measure {
        if !tests.contains(&point.test.as_str()) {
            tests.push(&point.test);
        }
    }
    let mut curves = Vec::new();
    for test in tests {
        for of in KINDS {
            let shares = request.shares(of);
            let share = |point: &Observed| match of {
                CurveKind::Power => Some(point.power),
                CurveKind::Stable => point.stable,
            };
            let points: Vec<Point> = (of_measure.iter())
                .filter(|point| point.test == test)
                .filter_map(|point| {
                    let size = point.size;
                    share(point).map(|share| Point { size, share })
                })
                .collect();
            match Extrapolation::of(&points) {
                Ok(extrapolation) => {
                    let wanted = shares.iter().map(|&s| extrapolation.queries_for(s));
                    let wanted = wanted.collect();
                    curves.push(curve(test, of, false, extrapolation, wanted));
                }
                // A curve that nobody asked for may be missing.
                Err(_) if shares.is_empty() => {}
                Err(source) => return Err(refused(scores, test, of, source)),
            }
        }
    }
    Ok(curves)
}

fn refused(scores: &Scores, test: &str, of: CurveKind, source: CurveError) -> PlanningError {
    PlanningError::Curve {
        measure: scores.measure().to_owned(),
        test: test.to_owned(),
        of,
        source,
    }
}

fn sampled_curves(
    request: &Request,
    scores: &Scores,
    work: &dyn Work,
) -> Result<Vec<(Curve, Extrapolation)>, PlanningError> {
    let sampling = Sampling {
        alpha: request.alpha,
        trials: request.trials,
        seed: request.seed,
    };
    let (systems, queries) = (scores.systems().len() as u64, scores.queries().len() as u64);
    let groups = GROUPS.min(scores.queries().len());
    let each = (request.trials as u64)
        .saturating_mul(systems * systems / 2)
        .saturating_mul(queries * queries / 2);
    work.afford(each.saturating_mul(groups as u64 + 1))?;
    // The first is of all queries, the others lack a group each.
    let sampled = work.map("sampling queries", groups + 1, |number| {
        match number.checked_sub(1) {
            None => TCurves::of(scores, sampling),
            Some(group) => TCurves::without_group(scores, group, groups, sampling),
        }
    })?;
    let sampled = sampled.into_iter().collect::<Result<Vec<TCurves>, _>>()?;
    let (all, left_out) = sampled.split_first().expect("all queries were sampled");
    let mut curves = Vec::new();
    for of in KINDS {
        let shares = request.shares(of);
        let points = |curves: &TCurves| match of {
            CurveKind::Power => curves.power.clone(),
            CurveKind::Stable => curves.stable.clone(),
        };
        match Extrapolation::of(&points(all)) {
            Ok(extrapolation) => {
                let others = left_out.iter().map(|o| Extrapolation::of(&points(o)));
                // A curve that falls when some queries are left out cannot be jackknifed.
                let others: Vec<Extrapolation> = match others.collect() {
                    Ok(others) => others,
                    Err(CurveError::Falls) => Vec::new(),
                    Err(source) => return Err(refused(scores, "t", of, source)),
                };
                let confidence = request.confidence;
                let need =
                    |&share: &f64| extrapolation.queries_for_left_out(share, &others, confidence);
                let wanted = shares.iter().map(need).collect();
                curves.push(curve("t", of, !others.is_empty(), extrapolation, wanted));
            }
            Err(_) if shares.is_empty() => {}
            Err(source) => return Err(refused(scores, "t", of, source)),
        }
    }
    Ok(curves)
}
