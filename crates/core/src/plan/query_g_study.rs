//! Systems crossed with queries: the variance components, and Eρ² and Φ with exact intervals.

use partita_stats::distribution::f;

use super::generalizability::{
    Effect, EffectDistribution, VarianceComponent, VarianceDecomposition, kurtosis,
};
use super::{GCoefficient, PlanEstimate, PlanInputError, require_share, require_sizes, round_up};
use crate::ScoreMatrix;

/// The generalizability of scores over queries.
///
/// With s systems and n queries the expected mean squares are σ²ₛᵩ + nσ²ₛ of systems,
/// σ²ₛᵩ + sσ²ᵩ of queries and σ²ₛᵩ of what is left, which give the components.
///
/// The interval of Eρ² is that of Feldt (1965): (1 - Eρ²) times the ratio of the mean squares of
/// systems and residuals follows F, exactly if effects are normal. The interval of Φ is that of
/// Arteaga, Jeyaratnam and Graybill (1982), nearly so. Both were brought to test collections by
/// Urbano, Marrero and Martín (SIGIR 2013). They take systems as a sample too: the coefficients
/// speak of systems like these. Unless [`QueryStudy::assuming`] says otherwise, they are wider
/// where some systems or queries stand far out.
///
/// ```
/// use partita_core::Scores;
/// use partita_core::plan::{Coefficient, QueryStudy};
///
/// // Three systems, four queries; by hand the mean squares are 7/3, 11/9 and 2/9.
/// let values = vec![1.0, 2.0, 3.0, 2.0, 2.0, 4.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0];
/// let scores = Scores::new("AP", ["a", "b", "c"], ["q1", "q2", "q3", "q4"], values)?;
/// let study = QueryStudy::of(&scores)?;
/// let erho2 = study.coefficient(Coefficient::Erho2, 4.0, 0.95)?;
/// assert!((erho2.value - 19.0 / 21.0).abs() < 1e-12);
/// let phi = study.coefficient(Coefficient::Phi, 4.0, 0.95)?;
/// assert!((phi.value - 19.0 / 24.0).abs() < 1e-12);
/// assert!(erho2.lower < erho2.value && erho2.value < erho2.upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct QueryGStudy {
    systems: usize,
    queries: usize,
    shape: EffectDistribution,
    components: [VarianceComponent; 3],
}

impl QueryGStudy {
    /// The study of these scores.
    ///
    /// # Errors
    /// Fewer than 2 systems or 3 queries, or scores in which nothing varies by query.
    pub fn new(scores: &ScoreMatrix) -> Result<Self, PlanInputError> {
        // In the order of names, so that sums do not depend on the order of a file.
        let scores = &scores.sorted_by_name();
        let (systems, queries) = (scores.systems().len(), scores.queries().len());
        require_sizes(&[systems, queries])?;
        let (s, n) = (systems as f64, queries as f64);
        let of_systems: Vec<f64> = (0..systems).map(|system| scores.mean(system)).collect();
        let of_queries: Vec<f64> = scores
            .rows()
            .map(|row| row.iter().sum::<f64>() / s)
            .collect();
        let grand = of_systems.iter().sum::<f64>() / s;
        let squares = |means: &[f64]| -> f64 { means.iter().map(|m| (m - grand).powi(2)).sum() };
        let residuals: Vec<f64> = (scores.rows().zip(&of_queries))
            .flat_map(|(row, of_query)| {
                let rests = row.iter().zip(&of_systems);
                rests.map(move |(score, of_system)| score - of_system - of_query + grand)
            })
            .collect();
        let (systems_df, queries_df) = (systems - 1, queries - 1);
        let rest_df = systems_df * queries_df;
        let of_system = n * squares(&of_systems) / systems_df as f64;
        let of_query = s * squares(&of_queries) / queries_df as f64;
        let rest = residuals.iter().map(|rest| rest * rest).sum::<f64>() / rest_df as f64;
        let largest = scores
            .rows()
            .flatten()
            .fold(0.0, |m: f64, x| m.max(x.abs()));
        // What rounding alone leaves of scores of this size.
        let nothing = largest * largest * 1e-26;
        if rest <= nothing {
            let measure = scores.measure().to_owned();
            return Err(match of_system <= nothing && of_query <= nothing {
                true => PlanInputError::Constant { measure },
                false => PlanInputError::NoResidual { measure },
            });
        }
        let of = |effect, df, square: f64, each: f64, effects: &[f64]| {
            let estimate = match each > 0.0 {
                true => (square - rest) / each,
                false => square,
            };
            VarianceComponent::new(effect, df, square, estimate, kurtosis(effects))
        };
        Ok(Self {
            systems,
            queries,
            shape: EffectDistribution::AsObserved,
            components: [
                of(Effect::System, systems_df, of_system, n, &of_systems),
                of(Effect::Query, queries_df, of_query, s, &of_queries),
                of(Effect::SystemQuery, rest_df, rest, 0.0, &residuals),
            ],
        })
    }

    /// The same study with intervals that take the effects to be of this shape.
    #[must_use]
    pub fn with_effect_distribution(self, shape: EffectDistribution) -> Self {
        Self { shape, ..self }
    }

    /// The variances of systems, of queries, and of what is left.
    pub fn components(&self) -> &[VarianceComponent; 3] {
        &self.components
    }

    /// The variances that a coefficient counts.
    pub fn decomposition(&self, which: GCoefficient) -> VarianceDecomposition {
        let [system, query, rest] = self.components.map(|component| component.variance);
        VarianceDecomposition {
            system,
            per_query: match which {
                GCoefficient::Erho2 => rest,
                GCoefficient::Phi => rest + query,
            },
            per_judge: 0.0,
            per_cell: 0.0,
        }
    }

    /// A coefficient with so many queries.
    ///
    /// # Errors
    /// A confidence that is not between 0 and 1.
    pub fn coefficient(
        &self,
        which: GCoefficient,
        queries: f64,
        confidence: f64,
    ) -> Result<PlanEstimate, PlanInputError> {
        let ratio = self.ratio(which, confidence)?;
        Ok(ratio.map(|ratio| queries * ratio / (1.0 + queries * ratio)))
    }

    /// The queries with which a coefficient is at least `wanted`.
    ///
    /// # Errors
    /// A confidence or a coefficient that is not between 0 and 1.
    pub fn queries_for(
        &self,
        which: GCoefficient,
        wanted: f64,
        confidence: f64,
    ) -> Result<PlanEstimate, PlanInputError> {
        require_share("a wanted coefficient", wanted)?;
        let needed = |ratio: f64| {
            if ratio > 0.0 {
                round_up(wanted / (1.0 - wanted) / ratio)
            } else {
                f64::INFINITY
            }
        };
        Ok(self.ratio(which, confidence)?.map(needed))
    }

    /// The variance of systems over that of the error with one query, from which all numbers of
    /// queries follow.
    fn ratio(&self, which: GCoefficient, confidence: f64) -> Result<PlanEstimate, PlanInputError> {
        let tail = 0.5 * (1.0 - require_share("a confidence", confidence)?);
        let end = |p: f64| match which {
            GCoefficient::Erho2 => self.relative_end(p),
            GCoefficient::Phi => self.absolute_end(p),
        };
        let [system, query, rest] = self.components.map(|component| component.variance);
        Ok(PlanEstimate {
            value: match which {
                GCoefficient::Erho2 => system / rest,
                GCoefficient::Phi => system / (query + rest),
            },
            lower: end(1.0 - tail).max(0.0),
            upper: end(tail).max(0.0),
        })
    }

    /// The end of the interval of the ratio to the relative error.
    fn relative_end(&self, p: f64) -> f64 {
        let [system, _, rest] = &self.components;
        let (df1, df2) = (
            system.effective_df(self.shape),
            rest.effective_df(self.shape),
        );
        let observed = system.mean_square / rest.mean_square;
        (observed / quantile(p, df1, df2) - 1.0) / self.queries as f64
    }

    /// The same with the absolute error (Arteaga et al. 1982; Brennan 2001, section 6.3).
    fn absolute_end(&self, p: f64) -> f64 {
        let [system, query, rest] = &self.components;
        let (s, n) = (self.systems as f64, self.queries as f64);
        let (ms, mq, mr) = (system.mean_square, query.mean_square, rest.mean_square);
        let of = |df: f64| quantile(p, system.effective_df(self.shape), df);
        let (all, rests) = (of(f64::INFINITY), of(rest.effective_df(self.shape)));
        let queries = of(query.effective_df(self.shape));
        let above = ms * ms - all * ms * mr + (all - rests) * rests * mr * mr;
        let below = (s - 1.0) * all * ms * mr + queries * ms * mq;
        s * above / (n * below)
    }
}

/// The quantile of F at a p and degrees of freedom that are known to be in range.
fn quantile(p: f64, df1: f64, df2: f64) -> f64 {
    f::quantile(p.min(1.0 - f64::EPSILON), df1, df2)
        .expect("a tail lies between 0 and 1, and a study has degrees of freedom")
}
