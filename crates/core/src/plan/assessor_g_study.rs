//! Systems crossed with queries and judges: the seven variance components, and what they promise
//! of other numbers of queries and judges.

use partita_stats::random::{chi_squared, stream, stream_id};

use super::generalizability::{
    Design, Effect, EffectDistribution, VarianceComponent, VarianceDecomposition, kurtosis,
};
use super::{
    GCoefficient, MeasurePlan, PlanEstimate, PlanInputError, require, require_share, require_sizes,
};
use crate::AssessorScores;

/// Which factors each effect varies over, in the order of the components: system 1, query 2,
/// judge 4.
const EFFECTS: [(Effect, usize); 7] = [
    (Effect::System, 1),
    (Effect::Query, 2),
    (Effect::Judge, 4),
    (Effect::SystemQuery, 3),
    (Effect::SystemJudge, 5),
    (Effect::QueryJudge, 6),
    (Effect::Residual, 7),
];

/// The generalizability of scores over queries and judges, every judge having judged every query.
#[derive(Clone, Debug, PartialEq)]
pub struct AssessorGStudy {
    /// The numbers of systems, queries and judges.
    sizes: [usize; 3],
    shape: EffectDistribution,
    components: [VarianceComponent; 7],
}

impl AssessorGStudy {
    /// The study of these scores.
    ///
    /// # Errors
    /// Fewer than 2 systems, 3 queries or 2 judges, or scores in which nothing varies by query.
    pub fn new(scores: &AssessorScores) -> Result<Self, PlanInputError> {
        // In the order of names, so that sums do not depend on the order of a file.
        let scores = &scores.sorted_by_name();
        let sizes = [
            scores.systems().len(),
            scores.queries().len(),
            scores.assessors().len(),
        ];
        require_sizes(&sizes)?;
        let effects = effects(scores, sizes);
        let squares = EFFECTS.map(|(_, factors)| {
            let of_effect = &effects[factors];
            let squares: f64 = of_effect.iter().map(|effect| effect * effect).sum();
            let each = (scores.values().len() / of_effect.len()) as f64;
            squares * each / df(factors, sizes) as f64
        });
        let largest = scores.values().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let nothing = largest * largest * 1e-26;
        let measure = || scores.measure().to_owned();
        if squares.iter().all(|square| *square <= nothing) {
            return Err(PlanInputError::Constant { measure: measure() });
        }
        // Neither the queries nor anything with them changes how systems compare.
        if squares[3] <= nothing && squares[6] <= nothing {
            return Err(PlanInputError::NoResidual { measure: measure() });
        }
        let estimates = estimates(squares, sizes);
        let mut number = 0..EFFECTS.len();
        let components = EFFECTS.map(|(effect, factors)| {
            let k = number.next().expect("as many numbers as effects");
            let tails = kurtosis(&effects[factors]);
            VarianceComponent::new(effect, df(factors, sizes), squares[k], estimates[k], tails)
        });
        Ok(Self {
            sizes,
            shape: EffectDistribution::AsObserved,
            components,
        })
    }

    /// The same study with intervals that take the effects to be of this shape.
    #[must_use]
    pub fn with_effect_distribution(self, shape: EffectDistribution) -> Self {
        Self { shape, ..self }
    }

    /// The number of judges studied.
    pub fn judges(&self) -> usize {
        self.sizes[2]
    }

    /// The variances, in the order system, query, judge, system:query, system:judge, query:judge,
    /// residual.
    pub fn components(&self) -> &[VarianceComponent; 7] {
        &self.components
    }

    /// The variances that a coefficient counts.
    pub fn decomposition(&self, which: GCoefficient, design: Design) -> VarianceDecomposition {
        let variances = self.components.map(|component| component.variance);
        spread(variances, which, design)
    }

    /// The study with what it cannot know: variances drawn as the mean squares allow.
    ///
    /// A mean square times its degrees of freedom, over its expectation, is chi-squared. Turned
    /// round, a draw of chi-squared gives a draw of the expectation, and draws of all seven a draw
    /// of every component and of whatever follows from them. These are generalized confidence
    /// intervals (Weerahandi 1993; Hannig, Iyer and Patterson 2006). With queries alone they give
    /// Feldt's interval of Eρ² again; unlike resampling of judges, they hold with two or three.
    ///
    /// # Errors
    /// A confidence that is not between 0 and 1, or no replicates.
    pub fn draw_variances(
        &self,
        confidence: f64,
        replicates: usize,
        seed: u64,
    ) -> Result<VarianceDraws, PlanInputError> {
        require_share("a confidence", confidence)?;
        require(
            replicates > 0,
            "the number of replicates",
            "at least 1",
            0.0,
        )?;
        let draw = |replicate: usize| {
            let mut rng = stream(seed, &[stream_id::PLAN_VARIANCES, replicate as u64]);
            let expected = self.components.map(|component| {
                let df = component.effective_df(self.shape);
                component.mean_square * df / chi_squared(&mut rng, df)
            });
            estimates(expected, self.sizes).map(|variance| variance.max(0.0))
        };
        Ok(VarianceDraws {
            study: self.clone(),
            draws: (0..replicates).map(draw).collect(),
            confidence,
        })
    }
}

/// A [`JudgeStudy`] with draws of its variances.
#[derive(Clone, Debug)]
pub struct VarianceDraws {
    study: AssessorGStudy,
    draws: Vec<[f64; 7]>,
    confidence: f64,
}

impl VarianceDraws {
    /// What follows from the error that a coefficient counts, with its interval.
    pub fn estimate(
        &self,
        which: GCoefficient,
        design: Design,
        quantity: impl Fn(VarianceDecomposition) -> f64,
    ) -> PlanEstimate {
        let of = |variances: [f64; 7]| quantity(spread(variances, which, design));
        let drawn = self.draws.iter().map(|&draw| of(draw));
        let mut drawn: Vec<f64> = drawn.collect();
        drawn.sort_by(f64::total_cmp);
        let tail = 0.5 * (1.0 - self.confidence);
        // The nearest rank, because infinite numbers cannot be interpolated.
        let at = |share: f64| drawn[((share * drawn.len() as f64) as usize).min(drawn.len() - 1)];
        let observed = self.study.components.map(|component| component.variance);
        PlanEstimate {
            value: of(observed),
            lower: at(tail),
            upper: at(1.0 - tail),
        }
    }
}

/// The degrees of freedom of an effect that varies over these factors.
fn df(factors: usize, sizes: [usize; 3]) -> usize {
    let of = |factor: usize| match factors >> factor & 1 {
        1 => sizes[factor] - 1,
        _ => 1,
    };
    of(0) * of(1) * of(2)
}

/// The estimated effects, by the factors that they vary over.
fn effects(scores: &AssessorScores, sizes: [usize; 3]) -> Vec<Vec<f64>> {
    // The means by every set of factors, then the effects: means less all effects inside them.
    let place = |at: [usize; 3], factors: usize| {
        let step = |place: usize, factor: usize| match factors >> factor & 1 {
            1 => place * sizes[factor] + at[factor],
            _ => place,
        };
        (0..3).fold(0, step)
    };
    let count = |factors: usize| -> usize {
        let sizes = (0..3).map(|factor| match factors >> factor & 1 {
            1 => sizes[factor],
            _ => 1,
        });
        sizes.product()
    };
    let total = count(7);
    let cells = (0..sizes[1]).flat_map(|query| {
        (0..sizes[0]).flat_map(move |system| (0..sizes[2]).map(move |judge| [system, query, judge]))
    });
    let mut effects: Vec<Vec<f64>> = Vec::with_capacity(8);
    for factors in 0..8 {
        let mut sums = vec![0.0; count(factors)];
        for at in cells.clone() {
            let inner: f64 = (0..factors)
                .filter(|inside| inside & factors == *inside)
                .map(|inside| effects[inside][place(at, inside)])
                .sum();
            sums[place(at, factors)] += scores.value(at[0], at[1], at[2]) - inner;
        }
        let each = (total / count(factors)) as f64;
        sums.iter_mut().for_each(|sum| *sum /= each);
        effects.push(sums);
    }
    effects
}

/// The components that expected mean squares mean (Brennan 2001, Table 3.4).
fn estimates(squares: [f64; 7], sizes: [usize; 3]) -> [f64; 7] {
    let [s, q, j] = sizes.map(|size| size as f64);
    let [ms, mq, mj, msq, msj, mqj, rest] = squares;
    [
        (ms - msq - msj + rest) / (q * j),
        (mq - msq - mqj + rest) / (s * j),
        (mj - msj - mqj + rest) / (s * q),
        (msq - rest) / j,
        (msj - rest) / q,
        (mqj - rest) / s,
        rest,
    ]
}

impl MeasurePlan {
    /// The variances that a coefficient counts, of scores by judges or without them.
    pub fn spread(&self, which: GCoefficient, design: Design) -> VarianceDecomposition {
        let variances = EFFECTS.map(|(effect, _)| {
            let mut components = self.components.iter().map(|share| share.component);
            let component = components.find(|component| component.effect == effect);
            component.map_or(0.0, |component| component.variance)
        });
        spread(variances, which, design)
    }
}

/// The variances that a coefficient counts.
fn spread(variances: [f64; 7], which: GCoefficient, design: Design) -> VarianceDecomposition {
    let [system, query, judge, sq, sj, qj, rest] = variances;
    // With judges of their own for every query, what these think averages out with either.
    let (per_judge, per_cell) = match design {
        Design::Crossed => (sj, rest),
        Design::Nested => (0.0, sj + rest),
    };
    let relative = VarianceDecomposition {
        system,
        per_query: sq,
        per_judge,
        per_cell,
    };
    match (which, design) {
        (GCoefficient::Erho2, _) => relative,
        (GCoefficient::Phi, Design::Crossed) => VarianceDecomposition {
            per_query: sq + query,
            per_judge: per_judge + judge,
            per_cell: per_cell + qj,
            ..relative
        },
        (GCoefficient::Phi, Design::Nested) => VarianceDecomposition {
            per_query: sq + query,
            per_cell: per_cell + judge + qj,
            ..relative
        },
    }
}
