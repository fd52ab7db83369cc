//! What there is to say of each measure.

use partita_core::plan::{
    Component, Costs, DifferenceVariance, Estimate, JudgeStudy, PairVariance, PlanError, Purchase,
    QueryStudy, TTest,
};
use partita_core::{JudgedScores, Scores};
use partita_formats::Warning;
use partita_formats::scores::AnyScores;

use super::budget::{Best, purchases};
use super::curves::{Curve, CurvesFile, curves_of};
use super::{PlanArgs, VarianceName, remark};
use crate::failure::Failure;

/// A coefficient of generalizability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coefficient {
    Erho2,
    Phi,
}

impl Coefficient {
    const ALL: [Self; 2] = [Self::Erho2, Self::Phi];

    /// Its stable name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Erho2 => "erho2",
            Self::Phi => "phi",
        }
    }
}

/// What is wanted of a coefficient.
pub(super) fn wanted(args: &PlanArgs, which: Coefficient) -> &[f64] {
    match which {
        Coefficient::Erho2 => &args.erho2,
        Coefficient::Phi => args.phi(),
    }
}

/// What a wanted coefficient needs.
pub(super) struct Needed {
    pub(super) coefficient: Coefficient,
    pub(super) wanted: f64,
    /// The queries, with so many judges where there are any.
    pub(super) judges: Option<u32>,
    pub(super) queries: Estimate,
}

/// The judges that a wanted coefficient needs with the queries there are.
pub(super) struct JudgesNeeded {
    pub(super) coefficient: Coefficient,
    pub(super) wanted: f64,
    pub(super) judges: Estimate,
}

/// What the t-test needs and finds.
pub(super) struct Topics {
    /// With the means over so many judges, where there are any.
    pub(super) judges: Option<u32>,
    pub(super) variance: Estimate,
    /// The least difference that is found with the queries there are.
    pub(super) detectable: Estimate,
    /// The queries that find a difference.
    pub(super) differences: Vec<(f64, Estimate)>,
}

/// What a part of the budget buys, and what that is worth.
pub(super) struct Bought {
    pub(super) purchase: Purchase,
    pub(super) erho2: Estimate,
    pub(super) phi: Estimate,
    pub(super) detectable: f64,
    /// How often the t-test finds each difference that was asked for.
    pub(super) finds: Vec<f64>,
    /// The share of each curve.
    pub(super) shares: Vec<Option<f64>>,
    pub(super) best: bool,
}

/// The plan of a measure.
pub(super) struct Plan {
    pub(super) measure: String,
    pub(super) systems: usize,
    pub(super) queries: usize,
    pub(super) judges: Option<usize>,
    pub(super) components: Vec<Component>,
    pub(super) erho2: Estimate,
    pub(super) phi: Estimate,
    pub(super) needed: Vec<Needed>,
    pub(super) judges_needed: Vec<JudgesNeeded>,
    pub(super) topics: Vec<Topics>,
    /// The two systems of the largest variance, where that is planned with.
    pub(super) pair: Option<(String, String)>,
    pub(super) curves: Vec<Curve>,
    pub(super) bought: Vec<Bought>,
}

/// The plans of all measures, and what there is to remark.
pub(super) fn plan(
    args: &PlanArgs,
    name: &str,
    file: AnyScores,
    cells: Option<&CurvesFile>,
    costs: Option<(f64, Costs)>,
) -> Result<(Vec<Plan>, Vec<Warning>), Failure> {
    let (plans, mut warnings): (Result<Vec<Plan>, Failure>, Vec<Warning>) = match file {
        AnyScores::Plain(file) => {
            if !args.judging.judges.is_empty() {
                let message = format!("{name}: there is no column of judges to plan --judges by");
                return Err(Failure::input(message).hint(
                    "scores by each judge have the header `system,query,judge,measure,value`",
                ));
            }
            let mut warnings = file.warnings;
            let plans = file.tables.iter().map(|table| {
                let study = Study::of(args, &table.scores, name)?;
                study.plan(args, name, cells, costs, &mut warnings)
            });
            (plans.collect(), warnings)
        }
        AnyScores::Judged(file) => {
            let mut warnings = file.warnings;
            let plans = file.tables.iter().map(|scores| {
                let study = Study::judged(args, scores, name)?;
                study.plan(args, name, cells, costs, &mut warnings)
            });
            (plans.collect(), warnings)
        }
    };
    let plans = plans?;
    for plan in &plans {
        for component in &plan.components {
            if component.estimate < 0.0 {
                warnings.push(remark(
                    name,
                    format!(
                        "{}: the variance of {} came out as {:.2e}, which is taken as 0",
                        plan.measure,
                        component.effect.name(),
                        component.estimate
                    ),
                ));
            }
        }
        if plan.erho2.value == 0.0 {
            let message = format!(
                "{}: the systems differ no more than chance makes them, so no number of queries \
                 is enough for any coefficient",
                plan.measure
            );
            warnings.push(remark(name, message));
        }
    }
    Ok((plans, warnings))
}

/// The study behind a plan.
enum Study<'a> {
    Queries {
        scores: &'a Scores,
        study: QueryStudy,
    },
    Judges {
        scores: &'a JudgedScores,
        study: Box<JudgeStudy>,
        /// The numbers of judges to plan with.
        judges: Vec<u32>,
    },
}

impl<'a> Study<'a> {
    fn of(args: &PlanArgs, scores: &'a Scores, file: &str) -> Result<Self, Failure> {
        let study = QueryStudy::of(scores).map_err(|error| refusal(file, &error))?;
        let study = study.assuming(args.intervals.shape());
        Ok(Self::Queries { scores, study })
    }

    fn judged(args: &PlanArgs, scores: &'a JudgedScores, file: &str) -> Result<Self, Failure> {
        if args.test.variance == VarianceName::Largest {
            let message = "--variance largest is for scores without a column of judges";
            return Err(Failure::input(message));
        }
        let study = JudgeStudy::of(scores).map_err(|error| refusal(file, &error))?;
        let study = study.assuming(args.intervals.shape());
        let there_are = u32::try_from(study.judges()).unwrap_or(u32::MAX);
        let judges = match args.judging.judges.is_empty() {
            false => {
                let mut judges = args.judging.judges.clone();
                judges.sort_unstable();
                judges.dedup();
                judges
            }
            // All of a few, and some of many.
            true => (1..=5)
                .chain([10, 20, 50, 100, 200, 500])
                .filter(|count| *count < there_are)
                .chain([there_are])
                .collect(),
        };
        Ok(Self::Judges {
            scores,
            study: Box::new(study),
            judges,
        })
    }

    fn plan(
        &self,
        args: &PlanArgs,
        file: &str,
        cells: Option<&CurvesFile>,
        costs: Option<(f64, Costs)>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Plan, Failure> {
        let test = TTest::new(args.test.alpha, args.test.t_power)
            .map_err(|error| Failure::input(error.to_string()))?;
        let answers = self.answers(args)?;
        let scores = self.scores();
        let curves = curves_of(args, file, scores, cells, warnings)?;
        let queries = scores.queries().len();
        let mut topics = Vec::new();
        for judges in answers.judges() {
            let variance = answers.variance(judges);
            topics.push(Topics {
                judges,
                variance,
                detectable: variance.map(|v| v.sqrt() * test.detectable(queries as u64)),
                differences: (args.differences().iter())
                    .map(|&difference| (difference, queries_finding(test, difference, variance)))
                    .collect(),
            });
        }
        let mut needed = Vec::new();
        let mut judges_needed = Vec::new();
        for coefficient in Coefficient::ALL {
            for &wanted in wanted(args, coefficient) {
                for judges in answers.judges() {
                    needed.push(Needed {
                        coefficient,
                        wanted,
                        judges,
                        queries: answers.queries_for(coefficient, wanted, judges),
                    });
                }
                if let Some(judges) = answers.judges_for(coefficient, wanted, queries as f64) {
                    judges_needed.push(JudgesNeeded {
                        coefficient,
                        wanted,
                        judges,
                    });
                }
            }
        }
        let bought = match costs {
            None => Vec::new(),
            Some(costs) => bought(args, &answers, test, costs, &curves)?,
        };
        let present = answers.present();
        Ok(Plan {
            measure: scores.measure().to_owned(),
            systems: scores.systems().len(),
            queries,
            judges: present.map(|judges| judges as usize),
            components: self.components(),
            erho2: answers.coefficient(Coefficient::Erho2, queries as f64, present),
            phi: answers.coefficient(Coefficient::Phi, queries as f64, present),
            needed,
            judges_needed,
            topics,
            pair: answers.pair(),
            curves,
            bought,
        })
    }

    fn scores(&self) -> &Scores {
        match self {
            Self::Queries { scores, .. } => scores,
            Self::Judges { scores, .. } => scores.means(),
        }
    }

    fn components(&self) -> Vec<Component> {
        match self {
            Self::Queries { study, .. } => study.components().to_vec(),
            Self::Judges { study, .. } => study.components().to_vec(),
        }
    }

    fn answers<'b>(&'b self, args: &'b PlanArgs) -> Result<Answers<'b>, Failure> {
        let given = match args.test.variance {
            VarianceName::Given(variance) => Some(Estimate {
                value: variance,
                lower: variance,
                upper: variance,
            }),
            _ => None,
        };
        Ok(match self {
            Self::Queries { scores, study } => {
                let which = match args.test.variance {
                    VarianceName::Largest => PairVariance::Largest,
                    _ => PairVariance::Mean,
                };
                let found = DifferenceVariance::of(scores, which, args.confidence)
                    .map_err(Failure::ours)?;
                Answers::Queries {
                    study,
                    confidence: args.confidence,
                    variance: given.unwrap_or(found.variance),
                    pair: found.pair.map(|(a, b)| {
                        let name = |system: usize| scores.systems()[system].clone();
                        (name(a), name(b))
                    }),
                }
            }
            Self::Judges { study, judges, .. } => Answers::Judges {
                study,
                uncertain: study
                    .uncertain(args.confidence, args.judging.replicates, args.seed)
                    .map_err(Failure::ours)?,
                judges,
                design: args.judging.design.design(),
                given,
            },
        })
    }
}

/// A study that answers what is asked of it.
enum Answers<'a> {
    Queries {
        study: &'a QueryStudy,
        confidence: f64,
        variance: Estimate,
        pair: Option<(String, String)>,
    },
    Judges {
        study: &'a JudgeStudy,
        uncertain: partita_core::plan::Uncertain<'a>,
        judges: &'a [u32],
        design: partita_core::plan::Design,
        given: Option<Estimate>,
    },
}

/// An answer that a checked confidence and wish cannot spoil.
const UNKNOWN: Estimate = Estimate {
    value: f64::NAN,
    lower: f64::NAN,
    upper: f64::NAN,
};

impl Answers<'_> {
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
            Self::Judges { study, .. } => u32::try_from(study.judges()).ok(),
        }
    }

    fn pair(&self) -> Option<(String, String)> {
        match self {
            Self::Queries { pair, .. } => pair.clone(),
            Self::Judges { .. } => None,
        }
    }

    fn coefficient(&self, which: Coefficient, queries: f64, judges: Option<u32>) -> Estimate {
        let m = f64::from(judges.unwrap_or(1));
        match (self, which) {
            (
                Self::Queries {
                    study, confidence, ..
                },
                Coefficient::Erho2,
            ) => study.erho2(queries, *confidence).unwrap_or(UNKNOWN),
            (
                Self::Queries {
                    study, confidence, ..
                },
                Coefficient::Phi,
            ) => study.phi(queries, *confidence).unwrap_or(UNKNOWN),
            (
                Self::Judges {
                    uncertain, design, ..
                },
                Coefficient::Erho2,
            ) => uncertain.relative(*design, |spread| spread.coefficient(queries, m)),
            (
                Self::Judges {
                    uncertain, design, ..
                },
                Coefficient::Phi,
            ) => uncertain.absolute(*design, |spread| spread.coefficient(queries, m)),
        }
    }

    fn queries_for(&self, which: Coefficient, wanted: f64, judges: Option<u32>) -> Estimate {
        let m = f64::from(judges.unwrap_or(1));
        match (self, which) {
            (
                Self::Queries {
                    study, confidence, ..
                },
                Coefficient::Erho2,
            ) => study
                .queries_for_erho2(wanted, *confidence)
                .unwrap_or(UNKNOWN),
            (
                Self::Queries {
                    study, confidence, ..
                },
                Coefficient::Phi,
            ) => study
                .queries_for_phi(wanted, *confidence)
                .unwrap_or(UNKNOWN),
            (
                Self::Judges {
                    uncertain, design, ..
                },
                Coefficient::Erho2,
            ) => uncertain.relative(*design, |spread| spread.queries_for(wanted, m)),
            (
                Self::Judges {
                    uncertain, design, ..
                },
                Coefficient::Phi,
            ) => uncertain.absolute(*design, |spread| spread.queries_for(wanted, m)),
        }
    }

    fn judges_for(&self, which: Coefficient, wanted: f64, queries: f64) -> Option<Estimate> {
        match (self, which) {
            (Self::Queries { .. }, _) => None,
            (
                Self::Judges {
                    uncertain, design, ..
                },
                Coefficient::Erho2,
            ) => Some(uncertain.relative(*design, |spread| spread.judges_for(wanted, queries))),
            (
                Self::Judges {
                    uncertain, design, ..
                },
                Coefficient::Phi,
            ) => Some(uncertain.absolute(*design, |spread| spread.judges_for(wanted, queries))),
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
            } => {
                let m = f64::from(judges.unwrap_or(1));
                uncertain.relative(*design, |spread| {
                    2.0 * (spread.per_query + spread.per_cell / m)
                })
            }
        }
    }
}

/// The queries that find a difference whose variance is that.
fn queries_finding(test: TTest, difference: f64, variance: Estimate) -> Estimate {
    variance.map(|variance| {
        let queries = test.queries_for(difference / variance.sqrt());
        queries.map_or(f64::INFINITY, |queries| queries as f64)
    })
}

fn bought(
    args: &PlanArgs,
    answers: &Answers<'_>,
    test: TTest,
    costs: (f64, Costs),
    curves: &[Curve],
) -> Result<Vec<Bought>, Failure> {
    let judges: Option<Vec<u32>> = answers.judges().into_iter().collect();
    let mut bought: Vec<Bought> = purchases(costs, judges.as_deref())?
        .into_iter()
        .map(|purchase| {
            let queries = purchase.queries as f64;
            let judges = judges.as_ref().map(|_| purchase.judges);
            let deviation = answers.variance(judges).value.sqrt();
            let finds = args.test.difference.iter();
            let finds = finds.map(|d| test.power(purchase.queries, d / deviation));
            let shares = curves.iter();
            let shares = shares.map(|curve| curve.extrapolation.share(queries));
            Bought {
                purchase,
                erho2: answers.coefficient(Coefficient::Erho2, queries, judges),
                phi: answers.coefficient(Coefficient::Phi, queries, judges),
                detectable: deviation * test.detectable(purchase.queries),
                finds: finds.collect(),
                shares: shares.collect(),
                best: false,
            }
        })
        .collect();
    let worth = |one: &Bought| match args.money.best {
        Best::Erho2 => one.erho2.value,
        Best::Phi => one.phi.value,
        Best::Difference => -one.detectable,
    };
    // Of equals the first, which has the fewest judges.
    let best = bought
        .iter()
        .map(worth)
        .enumerate()
        .reduce(|best, next| if next.1 > best.1 { next } else { best });
    if let Some((best, _)) = best {
        bought[best].best = true;
    }
    Ok(bought)
}

/// Why scores do not serve for a plan.
fn refusal(file: &str, error: &PlanError) -> Failure {
    let failure = Failure::input(format!("{file}: {error}"));
    match error {
        PlanError::TooFew {
            what: "systems", ..
        } => failure.hint("a plan is about how systems compare: give the scores of several"),
        PlanError::TooFew {
            what: "queries", ..
        } => failure.hint("how far queries vary cannot be told from so few"),
        PlanError::TooFew { what: "judges", .. } => failure
            .hint("how far judges vary cannot be told from one: leave out the column `judge`"),
        PlanError::Constant { .. } | PlanError::NoResidual { .. } => {
            failure.hint("there is nothing by which more queries could be told to help")
        }
        _ => failure,
    }
}
