//! Generalizability theory: what part of what is seen is the systems.
//!
//! The score of a system on a query, by the judgments of a judge, is the sum of effects: of the
//! system, of the query, of the judge, and of their combinations. Queries and judges are samples
//! of many that might have been taken, so their effects are random, and each has a variance
//! ([`Component`]), estimated from the mean squares of the analysis of variance (Cronbach et al.
//! 1972; Brennan 2001; of retrieval, Bodoff and Li 2007).
//!
//! With n queries and m judges the means of systems still err by a [`Spread`]. Two coefficients
//! say how much that matters, each the share of the variance of observed means that is the
//! systems' own:
//!
//! - **Eρ²**, the generalizability coefficient, counts the *relative* error: effects that change
//!   how systems compare. It is what an evaluation that ranks systems wants.
//! - **Φ**, the index of dependability, counts the *absolute* error as well: that queries or
//!   judges were hard for all. It is what an evaluation wants whose scores are to be read as such.
//!
//! So Φ never exceeds Eρ². [`QueryStudy`](super::QueryStudy) estimates them with queries alone,
//! [`JudgeStudy`](super::JudgeStudy) with queries and judges.
//!
//! Measured with simulated evaluations of six kinds (`examples/plan_coverage`, 1000 of each), the
//! 95% intervals of both coefficients and of the queries needed held the truth in 95 to 97% of
//! cases with normal effects, and in 91 to 96% with skewed ones (chi-squared on 4 degrees of
//! freedom); those that take all effects to be normal in 94 to 97% and in 80 to 93%.

use schemars::JsonSchema;
use serde::Serialize;

use super::round_up;

partita_named::named_enum! {
    /// What varies.
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
        /// All that is left.
        Residual = "system:query:judge",
    }
}

/// The variance of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VarianceComponent {
    /// The effect.
    pub effect: Effect,
    /// Its degrees of freedom.
    pub df: usize,
    /// Its mean square.
    pub mean_square: f64,
    /// The excess kurtosis of the effects as observed: 0 if they are normal, more if some stand
    /// far out.
    pub kurtosis: f64,
    /// What the mean squares give, which chance can make negative.
    pub estimate: f64,
    /// The variance: the estimate, or 0 if that is negative.
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

    /// The degrees of freedom that the mean square is worth. Its relative variance is 2/df of
    /// normal effects, and (2 + κ)/df or so of effects with excess kurtosis κ (Box 1953): fewer
    /// degrees of freedom are worth as much. Lighter tails than normal are not believed.
    pub(super) fn effective_df(&self, shape: EffectDistribution) -> f64 {
        match shape {
            EffectDistribution::Normal => self.df as f64,
            EffectDistribution::AsObserved => self.df as f64 / (1.0 + 0.5 * self.kurtosis.max(0.0)),
        }
    }
}

partita_named::named_enum! {
    /// What intervals take the effects to be distributed like.
    pub enum EffectDistribution: "kind of interval" {
        /// As they were observed: where some stand far out, intervals are wider
        AsObserved = "robust",
        /// Normal, as textbooks have it
        Normal = "normal",
    }
}

/// The excess kurtosis of effects, with the usual correction for small samples (G₂; Joanes and
/// Gill 1998); 0 of fewer than 4 or of effects that are all the same.
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

partita_named::named_enum! {
    /// Who judges what.
    pub enum Design: "design" {
        /// Every judge judges every query
        Crossed = "crossed",
        /// Every query has judges of its own
        Nested = "nested",
    }
}

/// The variance of systems and of the error of their means: with n queries and m judges the error
/// is a/n + b/m + c/(nm).
///
/// ```
/// use partita_core::plan::Spread;
///
/// let spread = Spread { system: 0.02, per_query: 0.1, per_judge: 0.0, per_cell: 0.0 };
/// assert!((spread.coefficient(20.0, 1.0) - 0.8).abs() < 1e-12);
/// assert_eq!(spread.queries_for(0.9, 1.0), 45.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarianceDecomposition {
    /// The variance of the systems.
    pub system: f64,
    /// The error that more queries lessen.
    pub per_query: f64,
    /// The error that more judges lessen.
    pub per_judge: f64,
    /// The error that either lessen.
    pub per_cell: f64,
}

impl VarianceDecomposition {
    /// The variance of the error of a system's mean.
    pub fn error_variance(&self, queries: f64, judges: f64) -> f64 {
        self.per_query / queries + self.per_judge / judges + self.per_cell / (queries * judges)
    }

    /// The share of the variance of observed means that is the systems' own.
    pub fn coefficient(&self, queries: f64, judges: f64) -> f64 {
        if self.system > 0.0 {
            self.system / (self.system + self.error_variance(queries, judges))
        } else {
            0.0
        }
    }

    /// The variance, on one query, of the difference between two systems whose scores are the
    /// means over so many judges: what a t-test over queries works against. With the same judges
    /// for all queries, what judges think of a system is not in it: it does not vary by query.
    pub fn difference_variance(&self, judges: f64) -> f64 {
        2.0 * (self.per_query + self.per_cell / judges)
    }

    /// The queries with which the coefficient is at least `wanted`; infinite if none suffice.
    pub fn queries_for(&self, wanted: f64, judges: f64) -> f64 {
        let falls = self.per_query + self.per_cell / judges;
        self.needed(wanted, falls, self.per_judge / judges)
    }

    /// The judges with which the coefficient is at least `wanted`; infinite if none suffice.
    pub fn assessors_for(&self, wanted: f64, queries: f64) -> f64 {
        let falls = self.per_judge + self.per_cell / queries;
        self.needed(wanted, falls, self.per_query / queries)
    }

    /// How many of something there must be where that much of the error falls with their number
    /// and that much stays.
    fn needed(&self, wanted: f64, falls: f64, stays: f64) -> f64 {
        let allowed = self.system * (1.0 - wanted) / wanted - stays;
        if allowed > 0.0 {
            round_up(falls / allowed)
        } else {
            f64::INFINITY
        }
    }
}
