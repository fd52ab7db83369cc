//! Generalizability theory: the share of the observed variance that is due to the systems.
//!
//! The score of a system on a query, by the judgments of an assessor, is a sum of effects: of the
//! system, the query, the assessor, and their interactions. Queries and assessors are samples of
//! larger populations, so their effects are random. Each effect has a variance
//! ([`VarianceComponent`]), estimated from the mean squares of the analysis of variance (Cronbach
//! et al. 1972; Brennan 2001; for retrieval, Bodoff and Li 2007).
//!
//! With n queries and m assessors the means of systems have an error variance
//! ([`VarianceDecomposition`]). Two coefficients express the share of the systems' own variance in
//! the variance of the observed means:
//!
//! - **Eρ²**, the generalizability coefficient, counts the *relative* error: effects that change
//!   how systems compare. Use it for evaluations that rank systems.
//! - **Φ**, the index of dependability, counts the *absolute* error: also effects of queries or
//!   assessors that are the same for all systems. Use it if the scores themselves are interpreted.
//!
//! Φ never exceeds Eρ². [`QueryGStudy`](super::QueryGStudy) estimates both with queries alone,
//! [`AssessorGStudy`](super::AssessorGStudy) with queries and assessors.
//!
//! Coverage of the 95% intervals of both coefficients and of the queries needed, measured on
//! simulated evaluations of six kinds (`examples/plan_coverage`, 1000 of each):
//!
//! | intervals | normal effects | skewed effects (chi-squared, 4 degrees of freedom) |
//! |---|---|---|
//! | [`EffectDistribution::AsObserved`] | 95 to 97% | 91 to 96% |
//! | [`EffectDistribution::Normal`] | 94 to 97% | 80 to 93% |

use schemars::JsonSchema;
use serde::Serialize;

use super::round_up;

partita_named::named_enum! {
    /// Effect of a factor or of an interaction on the scores.
    pub enum Effect: "effect" {
        /// Systems: some are better.
        System = "system",
        /// Queries: some are harder for all.
        Query = "query",
        /// Judges: some are stricter to all.
        Judge = "judge",
        /// Some systems are better for some queries.
        SystemQuery = "system:query",
        /// Some judges favour some systems.
        SystemJudge = "system:judge",
        /// Some judges are stricter on some queries.
        QueryJudge = "query:judge",
        /// Residual: whatever the other effects do not explain.
        Residual = "system:query:judge",
    }
}

/// Variance component: estimated variance of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VarianceComponent {
    /// Effect whose variance this is.
    pub effect: Effect,
    /// Degrees of freedom of the effect.
    pub df: usize,
    /// Mean square of the effect in the analysis of variance.
    pub mean_square: f64,
    /// Excess kurtosis of the observed effects (one per level of the factors): 0 if they are
    /// normal, positive if they have outliers.
    pub kurtosis: f64,
    /// Estimate of the variance from the mean squares. Sampling error can make it negative.
    pub estimate: f64,
    /// Variance of the effect: the estimate, or 0 if that is negative.
    pub variance: f64,
}

impl VarianceComponent {
    pub(super) fn new(
        effect: Effect,
        df: usize,
        mean_square: f64,
        estimate: f64,
        kurtosis: f64,
    ) -> Self {
        Self {
            effect,
            df,
            mean_square,
            kurtosis,
            estimate,
            variance: estimate.max(0.0),
        }
    }

    /// Returns the effective degrees of freedom of the mean square. Its relative variance is 2/df
    /// for normal effects and about (2 + κ)/df for effects with excess kurtosis κ (Box 1953), which
    /// corresponds to fewer degrees of freedom. A negative κ counts as 0.
    pub(super) fn effective_df(&self, shape: EffectDistribution) -> f64 {
        match shape {
            EffectDistribution::Normal => self.df as f64,
            EffectDistribution::AsObserved => self.df as f64 / (1.0 + 0.5 * self.kurtosis.max(0.0)),
        }
    }
}

partita_named::named_enum! {
    /// Distribution assumed for the effects of systems, queries and assessors on the scores when
    /// computing confidence intervals.
    pub enum EffectDistribution: "kind of interval" {
        /// Observed effects: outliers widen the intervals
        AsObserved = "robust",
        /// Normally distributed effects
        Normal = "normal",
    }
}

/// Returns the excess kurtosis of effects with the usual small-sample correction (G₂; Joanes and
/// Gill 1998). Returns 0 for fewer than 4 effects or if all are equal.
pub(super) fn kurtosis(effects: &[f64]) -> f64 {
    let n = effects.len() as f64;
    let mean = effects.iter().sum::<f64>() / n;
    let moment = |power: i32| effects.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
    let square = moment(2).powi(2);
    if n < 4.0 || square <= 0.0 {
        return 0.0;
    }
    let excess = moment(4) / square - 3.0;
    (n - 1.0) / ((n - 2.0) * (n - 3.0)) * ((n + 1.0) * excess + 6.0)
}

/// Returns an upper bound on the rounding error of the mean squares of scores whose largest
/// absolute value is `largest`.
pub(super) fn mean_square_rounding_error(largest: f64) -> f64 {
    largest * largest * 1e-26
}

partita_named::named_enum! {
    /// Assignment of assessors to queries: every assessor judges every query, or each query has its
    /// own.
    pub enum Design: "design" {
        /// Every judge judges every query
        Crossed = "crossed",
        /// Every query has judges of its own
        Nested = "nested",
    }
}

/// Variance of the systems' true scores, and error variance of their observed mean scores. With n
/// queries and m assessors the error variance is `per_query`/n + `per_judge`/m + `per_cell`/(nm).
///
/// ```
/// use partita_core::plan::VarianceDecomposition;
///
/// let variances =
///     VarianceDecomposition { system: 0.02, per_query: 0.1, per_judge: 0.0, per_cell: 0.0 };
/// assert!((variances.coefficient(20.0, 1.0) - 0.8).abs() < 1e-12);
/// assert_eq!(variances.queries_for(0.9, 1.0), 45.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarianceDecomposition {
    /// Variance of the true scores between systems.
    pub system: f64,
    /// Part of the error variance that is divided by the number of queries.
    pub per_query: f64,
    /// Part of the error variance that is divided by the number of assessors.
    pub per_judge: f64,
    /// Part of the error variance that is divided by the number of queries times the number of
    /// assessors.
    pub per_cell: f64,
}

impl VarianceDecomposition {
    /// Returns the error variance of a system's mean score over these numbers of queries and
    /// assessors.
    pub fn error_variance(&self, queries: f64, judges: f64) -> f64 {
        self.per_query / queries + self.per_judge / judges + self.per_cell / (queries * judges)
    }

    /// Returns the generalizability coefficient for these numbers of queries and assessors: the
    /// share of the systems' own variance in the variance of the observed means. It is 0 if the
    /// system variance is 0.
    pub fn coefficient(&self, queries: f64, judges: f64) -> f64 {
        if self.system > 0.0 {
            self.system / (self.system + self.error_variance(queries, judges))
        } else {
            0.0
        }
    }

    /// Returns the variance, over queries, of the difference between two systems whose scores are
    /// means over this number of assessors. This is the variance that a t-test over queries faces,
    /// if the decomposition is that of Eρ². `per_judge` is not part of it: with the same assessors
    /// for all queries, the system:assessor effect does not vary by query.
    pub fn difference_variance(&self, judges: f64) -> f64 {
        2.0 * (self.per_query + self.per_cell / judges)
    }

    /// Returns the smallest number of queries with which the generalizability coefficient reaches
    /// `wanted`; infinite if no number suffices.
    pub fn queries_for(&self, wanted: f64, judges: f64) -> f64 {
        let divided = self.per_query + self.per_cell / judges;
        self.smallest_count(wanted, divided, self.per_judge / judges)
    }

    /// Returns the smallest number of assessors with which the generalizability coefficient reaches
    /// `wanted`; infinite if no number suffices.
    pub fn assessors_for(&self, wanted: f64, queries: f64) -> f64 {
        let divided = self.per_judge + self.per_cell / queries;
        self.smallest_count(wanted, divided, self.per_query / queries)
    }

    /// Returns the smallest number of queries (or assessors) with which the generalizability
    /// coefficient reaches `wanted`. The error variance `divided` is divided by that number,
    /// `constant` is not.
    fn smallest_count(&self, wanted: f64, divided: f64, constant: f64) -> f64 {
        let allowed = self.system * (1.0 - wanted) / wanted - constant;
        if allowed > 0.0 {
            round_up(divided / allowed)
        } else {
            f64::INFINITY
        }
    }
}
