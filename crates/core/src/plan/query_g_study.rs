//! Generalizability study (G study) of systems crossed with queries: the variance components, and
//! Eρ² and Φ with intervals.

use partita_stats::differences::max_abs;
use partita_stats::distribution::f;

use super::generalizability::{
    Effect, EffectDistribution, VarianceComponent, VarianceDecomposition, kurtosis,
    mean_square_rounding_error,
};
use super::{GCoefficient, PlanEstimate, PlanInputError, require_share, require_sizes, round_up};
use crate::ScoreMatrix;

/// Generalizability study of scores over queries.
///
/// With s systems and n queries the expected mean squares are σ²ₛᵩ + nσ²ₛ for systems, σ²ₛᵩ + sσ²ᵩ
/// for queries and σ²ₛᵩ for the residual. Solving for the variances yields the components.
///
/// The interval of Eρ² is that of Feldt (1965): (1 - Eρ²) times the ratio of the mean squares of
/// systems and residuals follows F, exactly if effects are normal. The interval of Φ is that of
/// Arteaga, Jeyaratnam and Graybill (1982), which is approximate. Urbano, Marrero and Martín (SIGIR
/// 2013) introduced both for test collections. Systems count as a sample too: the coefficients
/// describe a population of systems like these. By default the intervals are wider if some systems
/// or queries are outliers; [`QueryGStudy::with_effect_distribution`] changes that.
///
/// ```
/// use partita_core::ScoreMatrix;
/// use partita_core::plan::{GCoefficient, QueryGStudy};
///
/// // Three systems, four queries; by hand the mean squares are 7/3, 11/9 and 2/9.
/// let values = vec![1.0, 2.0, 3.0, 2.0, 2.0, 4.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0];
/// let scores = ScoreMatrix::new("AP", ["a", "b", "c"], ["q1", "q2", "q3", "q4"], values)?;
/// let study = QueryGStudy::new(&scores)?;
/// let erho2 = study.coefficient(GCoefficient::Erho2, 4.0, 0.95)?;
/// assert!((erho2.value - 19.0 / 21.0).abs() < 1e-12);
/// let phi = study.coefficient(GCoefficient::Phi, 4.0, 0.95)?;
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
    /// Estimates the variance components of these scores.
    ///
    /// # Errors
    /// Returns a [`PlanInputError`] for fewer than 2 systems or 3 queries, or if all scores are
    /// equal or the systems differ by the same amounts on every query.
    pub fn new(scores: &ScoreMatrix) -> Result<Self, PlanInputError> {
        // Sorted by name, so that sums do not depend on the order of a file.
        let scores = &scores.sorted_by_name();
        let (systems, queries) = (scores.systems().len(), scores.queries().len());
        require_sizes(&[systems, queries])?;
        let (s, n) = (systems as f64, queries as f64);
        let system_means: Vec<f64> = (0..systems).map(|system| scores.mean(system)).collect();
        let query_means: Vec<f64> = scores
            .rows()
            .map(|row| row.iter().sum::<f64>() / s)
            .collect();
        let grand_mean = system_means.iter().sum::<f64>() / s;
        let sum_of_squares =
            |means: &[f64]| -> f64 { means.iter().map(|m| (m - grand_mean).powi(2)).sum() };
        let residuals: Vec<f64> = (scores.rows().zip(&query_means))
            .flat_map(|(row, query)| {
                let row = row.iter().zip(&system_means);
                row.map(move |(score, system)| score - system - query + grand_mean)
            })
            .collect();
        let (systems_df, queries_df) = (systems - 1, queries - 1);
        let rest_df = systems_df * queries_df;
        // Mean squares of systems, queries and residuals.
        let ms = n * sum_of_squares(&system_means) / systems_df as f64;
        let mq = s * sum_of_squares(&query_means) / queries_df as f64;
        let mr = residuals.iter().map(|rest| rest * rest).sum::<f64>() / rest_df as f64;
        let error = mean_square_rounding_error(max_abs(scores.rows().flatten()));
        if mr <= error {
            let measure = scores.measure().to_owned();
            return Err(if ms <= error && mq <= error {
                PlanInputError::Constant { measure }
            } else {
                PlanInputError::NoResidual { measure }
            });
        }
        let component = |effect, df, square: f64, estimate: f64, effects: &[f64]| {
            VarianceComponent::new(effect, df, square, estimate, kurtosis(effects))
        };
        Ok(Self {
            systems,
            queries,
            shape: EffectDistribution::AsObserved,
            components: [
                component(Effect::System, systems_df, ms, (ms - mr) / n, &system_means),
                component(Effect::Query, queries_df, mq, (mq - mr) / s, &query_means),
                component(Effect::SystemQuery, rest_df, mr, mr, &residuals),
            ],
        })
    }

    /// Sets the distribution assumed for the effects (of systems and queries on the scores) when
    /// computing confidence intervals.
    #[must_use]
    pub fn with_effect_distribution(self, shape: EffectDistribution) -> Self {
        Self { shape, ..self }
    }

    /// Returns the variance components of systems, queries and the residual.
    pub fn components(&self) -> &[VarianceComponent; 3] {
        &self.components
    }

    /// Returns the system variance and the error variances that determine a coefficient (Eρ² or Φ).
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

    /// Estimates a coefficient (Eρ² or Φ) for this number of queries.
    ///
    /// # Errors
    /// Returns a [`PlanInputError`] if the confidence is not between 0 and 1.
    pub fn coefficient(
        &self,
        which: GCoefficient,
        queries: f64,
        confidence: f64,
    ) -> Result<PlanEstimate, PlanInputError> {
        let ratio = self.variance_ratio(which, confidence)?;
        Ok(ratio.map(|ratio| queries * ratio / (1.0 + queries * ratio)))
    }

    /// Estimates the number of queries for which a coefficient (Eρ² or Φ) reaches `wanted`.
    ///
    /// # Errors
    /// Returns a [`PlanInputError`] if the confidence or the coefficient is not between 0 and 1.
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
        Ok(self.variance_ratio(which, confidence)?.map(needed))
    }

    /// Returns the ratio of the variance of systems to the error variance with one query. The
    /// coefficient for any number of queries follows from it.
    fn variance_ratio(
        &self,
        which: GCoefficient,
        confidence: f64,
    ) -> Result<PlanEstimate, PlanInputError> {
        let tail = 0.5 * (1.0 - require_share("a confidence", confidence)?);
        let end = |p: f64| match which {
            GCoefficient::Erho2 => self.relative_end(p),
            GCoefficient::Phi => self.absolute_end(p),
        };
        let variances = self.decomposition(which);
        Ok(PlanEstimate {
            value: variances.system / variances.per_query,
            lower: end(1.0 - tail).max(0.0),
            upper: end(tail).max(0.0),
        })
    }

    /// Returns one end of the interval of [`Self::variance_ratio`] with the relative error (Eρ²),
    /// at level `p` of the F distribution.
    fn relative_end(&self, p: f64) -> f64 {
        let [system, _, rest] = &self.components;
        let [df1, df2] = [system, rest].map(|component| component.effective_df(self.shape));
        let observed = system.mean_square / rest.mean_square;
        (observed / f_quantile(p, df1, df2) - 1.0) / self.queries as f64
    }

    /// Returns one end of the interval of [`Self::variance_ratio`] with the absolute error (Φ), at
    /// level `p` of the F distribution (Arteaga et al. 1982; Brennan 2001, section 6.3).
    fn absolute_end(&self, p: f64) -> f64 {
        let [system, query, rest] = &self.components;
        let (s, n) = (self.systems as f64, self.queries as f64);
        let (ms, mq, mr) = (system.mean_square, query.mean_square, rest.mean_square);
        let f = |df: f64| f_quantile(p, system.effective_df(self.shape), df);
        let (f_infinite, f_rest) = (f(f64::INFINITY), f(rest.effective_df(self.shape)));
        let f_query = f(query.effective_df(self.shape));
        let numerator = ms * ms - f_infinite * ms * mr + (f_infinite - f_rest) * f_rest * mr * mr;
        let denominator = (s - 1.0) * f_infinite * ms * mr + f_query * ms * mq;
        s * numerator / (n * denominator)
    }
}

/// Returns the quantile `p` of the F distribution for arguments that the caller has checked.
fn f_quantile(p: f64, df1: f64, df2: f64) -> f64 {
    f::quantile(p.min(1.0 - f64::EPSILON), df1, df2)
        .expect("a tail lies between 0 and 1, and a study has degrees of freedom")
}
