//! Generalizability study (G study) of systems crossed with queries and assessors: the seven
//! variance components and the coefficients that they predict for other numbers of queries and
//! assessors.

use partita_stats::differences::max_abs;
use partita_stats::random::{chi_squared, stream, stream_id};

use super::generalizability::{
    Design, Effect, EffectDistribution, VarianceComponent, VarianceDecomposition, kurtosis,
    mean_square_rounding_error,
};
use super::{
    GCoefficient, MeasurePlan, PlanEstimate, PlanInputError, require, require_share, require_sizes,
};
use crate::AssessorScores;

/// Effects in the order of the variance components, each with a bit mask of the factors that it
/// varies over: system 1, query 2, assessor 4.
const EFFECTS: [(Effect, usize); 7] = [
    (Effect::System, 1),
    (Effect::Query, 2),
    (Effect::Judge, 4),
    (Effect::SystemQuery, 3),
    (Effect::SystemJudge, 5),
    (Effect::QueryJudge, 6),
    (Effect::Residual, 7),
];

/// Generalizability study of scores over queries and assessors. The design is fully crossed: every
/// assessor judged every query.
#[derive(Clone, Debug, PartialEq)]
pub struct AssessorGStudy {
    /// Numbers of systems, queries and assessors.
    sizes: [usize; 3],
    shape: EffectDistribution,
    components: [VarianceComponent; 7],
}

impl AssessorGStudy {
    /// Estimates the variance components of these scores.
    ///
    /// # Errors
    /// Returns a [`PlanInputError`] for fewer than 2 systems, 3 queries or 2 assessors, or if all
    /// scores are equal or the systems differ by the same amounts on every query.
    pub fn new(scores: &AssessorScores) -> Result<Self, PlanInputError> {
        // Sorted by name, so that sums do not depend on the order of a file.
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
            let scores_per_level = (scores.values().len() / of_effect.len()) as f64;
            squares * scores_per_level / df(factors, sizes) as f64
        });
        let error = mean_square_rounding_error(max_abs(scores.values()));
        let measure = || scores.measure().to_owned();
        if squares.iter().all(|square| *square <= error) {
            return Err(PlanInputError::Constant { measure: measure() });
        }
        // Without variance of system:query and of the residual, the systems differ by the same
        // amounts on every query.
        if squares[3] <= error && squares[6] <= error {
            return Err(PlanInputError::NoResidual { measure: measure() });
        }
        let estimates = component_estimates(squares, sizes);
        Ok(Self {
            sizes,
            shape: EffectDistribution::AsObserved,
            components: std::array::from_fn(|k| {
                let (effect, factors) = EFFECTS[k];
                let kurtosis = kurtosis(&effects[factors]);
                let df = df(factors, sizes);
                VarianceComponent::new(effect, df, squares[k], estimates[k], kurtosis)
            }),
        })
    }

    /// Sets the distribution assumed for the effects (of systems, queries and assessors on the
    /// scores) when computing confidence intervals.
    #[must_use]
    pub fn with_effect_distribution(self, shape: EffectDistribution) -> Self {
        Self { shape, ..self }
    }

    /// Returns the number of assessors studied.
    pub fn assessor_count(&self) -> usize {
        self.sizes[2]
    }

    /// Returns the variance components of the effects, in the order system, query, assessor,
    /// system:query, system:assessor, query:assessor, residual.
    pub fn components(&self) -> &[VarianceComponent; 7] {
        &self.components
    }

    /// Returns the system variance and the error variances that determine a coefficient (Eρ² or Φ)
    /// under a design.
    pub fn decomposition(&self, which: GCoefficient, design: Design) -> VarianceDecomposition {
        let variances = self.components.map(|component| component.variance);
        decompose(variances, which, design)
    }

    /// Draws the variance components from their generalized fiducial distribution.
    ///
    /// For normal effects, a mean square times its degrees of freedom, divided by its expectation,
    /// is chi-squared. Inverted, a chi-squared draw yields a draw of the expectation. Draws of all
    /// seven expectations yield a draw of every component and of every quantity derived from them;
    /// negative draws of a component become 0. Quantiles of the draws are generalized confidence
    /// intervals (Weerahandi 1993; Hannig, Iyer and Patterson 2006). Unlike resampling of
    /// assessors, they are valid with only two or three assessors.
    ///
    /// # Errors
    /// Returns a [`PlanInputError`] if the confidence is not between 0 and 1 or `replicates` is 0.
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
            component_estimates(expected, self.sizes).map(|variance| variance.max(0.0))
        };
        Ok(VarianceDraws {
            study: self.clone(),
            draws: (0..replicates).map(draw).collect(),
            confidence,
        })
    }
}

/// [`AssessorGStudy`] with random draws of its variance components, for confidence intervals.
#[derive(Clone, Debug)]
pub struct VarianceDraws {
    study: AssessorGStudy,
    draws: Vec<[f64; 7]>,
    confidence: f64,
}

impl VarianceDraws {
    /// Estimates `quantity`, a function of the variances that determine a coefficient (Eρ² or Φ).
    /// The interval comes from the random draws of the variance components.
    pub fn estimate(
        &self,
        which: GCoefficient,
        design: Design,
        quantity: impl Fn(VarianceDecomposition) -> f64,
    ) -> PlanEstimate {
        let value = |variances: [f64; 7]| quantity(decompose(variances, which, design));
        let mut drawn: Vec<f64> = self.draws.iter().map(|&draw| value(draw)).collect();
        drawn.sort_by(f64::total_cmp);
        let tail = 0.5 * (1.0 - self.confidence);
        // Nearest-rank quantile, because infinite values cannot be interpolated.
        let at = |share: f64| drawn[((share * drawn.len() as f64) as usize).min(drawn.len() - 1)];
        let observed = self.study.components.map(|component| component.variance);
        PlanEstimate {
            value: value(observed),
            lower: at(tail),
            upper: at(1.0 - tail),
        }
    }
}

/// Returns the degrees of freedom of an effect that varies over the factors in this bit mask.
fn df(factors: usize, sizes: [usize; 3]) -> usize {
    factors_in(factors)
        .map(|factor| sizes[factor] - 1)
        .product()
}

/// Returns the factors of a bit mask: 0 for systems, 1 for queries, 2 for assessors.
fn factors_in(mask: usize) -> impl Iterator<Item = usize> {
    (0..3).filter(move |factor| mask >> factor & 1 == 1)
}

/// Estimates the effects of every set of factors on the scores, indexed by the bit mask of the set.
fn effects(scores: &AssessorScores, sizes: [usize; 3]) -> Vec<Vec<f64>> {
    // The effect of a set of factors is the mean score at each combination of their levels, minus
    // the effects of all proper subsets.
    let index = |cell: [usize; 3], factors: usize| {
        factors_in(factors).fold(0, |index, factor| index * sizes[factor] + cell[factor])
    };
    let count =
        |factors: usize| -> usize { factors_in(factors).map(|factor| sizes[factor]).product() };
    let cells = (0..sizes[1]).flat_map(|query| {
        (0..sizes[0]).flat_map(move |system| (0..sizes[2]).map(move |judge| [system, query, judge]))
    });
    let mut effects: Vec<Vec<f64>> = Vec::with_capacity(8);
    for factors in 0..8 {
        let mut sums = vec![0.0; count(factors)];
        for cell in cells.clone() {
            let inner: f64 = (0..factors)
                .filter(|subset| subset & factors == *subset)
                .map(|subset| effects[subset][index(cell, subset)])
                .sum();
            sums[index(cell, factors)] += scores.value(cell[0], cell[1], cell[2]) - inner;
        }
        let scores_per_level = (count(7) / count(factors)) as f64;
        sums.iter_mut().for_each(|sum| *sum /= scores_per_level);
        effects.push(sums);
    }
    effects
}

/// Solves the equations of the expected mean squares for the seven variance components (Brennan
/// 2001, Table 3.4).
fn component_estimates(squares: [f64; 7], sizes: [usize; 3]) -> [f64; 7] {
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
    /// Returns the system variance and the error variances that determine a coefficient (Eρ² or Φ).
    /// For scores without assessors the effects of assessors are 0.
    pub fn decomposition(&self, which: GCoefficient, design: Design) -> VarianceDecomposition {
        let variances = EFFECTS.map(|(effect, _)| {
            let mut components = self.components.iter().map(|share| share.component);
            let component = components.find(|component| component.effect == effect);
            component.map_or(0.0, |component| component.variance)
        });
        decompose(variances, which, design)
    }
}

/// Combines the seven variance components into the system variance and the error variances that
/// determine a coefficient (Eρ² or Φ).
fn decompose(variances: [f64; 7], which: GCoefficient, design: Design) -> VarianceDecomposition {
    let [system, query, judge, sq, sj, qj, rest] = variances;
    // Effects that are the same for all systems are part of the absolute error only.
    let (query, judge, qj) = match which {
        GCoefficient::Erho2 => (0.0, 0.0, 0.0),
        GCoefficient::Phi => (query, judge, qj),
    };
    // In a nested design the assessors differ by query, so the error variance due to assessors is
    // divided by the number of queries, too.
    let (per_judge, per_cell) = match design {
        Design::Crossed => (sj + judge, rest + qj),
        Design::Nested => (0.0, sj + rest + judge + qj),
    };
    VarianceDecomposition {
        system,
        per_query: sq + query,
        per_judge,
        per_cell,
    }
}
