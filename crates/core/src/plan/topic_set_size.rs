//! Topic set size design for the paired t-test.
//!
//! Let the differences between two systems have mean d and variance σ² over queries. The t-test at
//! level α finds the difference with the probability that a noncentral t variable with n - 1
//! degrees of freedom and noncentrality √n·d/σ lies beyond the critical values (Nagata 2003; Sakai,
//! *Topic set size design*, Information Retrieval Journal 2016). This module computes the
//! noncentral t distribution itself instead of a normal approximation, and counts both critical
//! values.
//!
//! ```
//! use partita_core::plan::TTestDesign;
//!
//! let design = TTestDesign::new(0.05, 0.8)?;
//! // Half a standard deviation needs 34 queries, as in every table of the paired t-test.
//! assert_eq!(design.queries_for(0.5), Some(34));
//! assert!((design.power(34, 0.5) - 0.8078).abs() < 1e-4);
//! # Ok::<(), partita_core::plan::PlanInputError>(())
//! ```

use partita_stats::distribution::{noncentral_t, student_t};

use super::{PlanEstimate, PlanInputError, VarianceChoice, require, require_share};
use crate::ScoreMatrix;
use crate::data::score_matrix::argsort_names;

/// Limit of the search for a sufficient number of queries. The largest number tried is the next
/// power of two, 2³⁰.
const MAX_QUERIES: u64 = 1_000_000_000;

/// Design of a two-sided paired t-test: significance level and target power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TTestDesign {
    alpha: f64,
    power: f64,
}

impl TTestDesign {
    /// Creates the design of a test at level `alpha` that should find a difference with probability
    /// `power`.
    ///
    /// # Errors
    /// Returns a [`PlanInputError`] if the level is not between 0 and 1, or the power is not
    /// between the level and 1. The power of a test is never below its level.
    pub fn new(alpha: f64, power: f64) -> Result<Self, PlanInputError> {
        require_share("the level of the t-test", alpha)?;
        require_share("the power of the t-test", power)?;
        require(
            power > alpha,
            "the power of the t-test",
            "above its level",
            power,
        )?;
        Ok(Self { alpha, power })
    }

    /// Returns the power of the test for a true mean difference of `effect` standard deviations of
    /// the differences, with this number of queries; 0 for fewer than 2 queries.
    pub fn power(&self, queries: u64, effect: f64) -> f64 {
        if queries < 2 {
            return 0.0;
        }
        let df = (queries - 1) as f64;
        let delta = effect.abs() * (queries as f64).sqrt();
        // With an infinite noncentrality the test always rejects.
        if !delta.is_finite() {
            return 1.0;
        }
        let critical = -student_t::quantile((0.5 * self.alpha).max(f64::MIN_POSITIVE), df)
            .expect("alpha is a level, and there are two queries at least");
        let above = noncentral_t::sf(critical, df, delta)
            .expect("an effect and degrees of freedom are numbers");
        let below = noncentral_t::cdf(-critical, df, delta)
            .expect("an effect and degrees of freedom are numbers");
        (above + below).min(1.0)
    }

    /// Returns the smallest number of queries with which the test detects a true mean difference of
    /// `effect` standard deviations with the target power; `None` if 2³⁰ (about a billion) queries
    /// do not suffice.
    pub fn queries_for(&self, effect: f64) -> Option<u64> {
        let (mut few, mut enough) = (1, 2);
        while self.power(enough, effect) < self.power {
            few = enough;
            enough *= 2;
            if few >= MAX_QUERIES {
                return None;
            }
        }
        while enough - few > 1 {
            let middle = few + (enough - few) / 2;
            if self.power(middle, effect) < self.power {
                few = middle;
            } else {
                enough = middle;
            }
        }
        Some(enough)
    }

    /// Returns the minimum detectable mean difference, in standard deviations of the differences,
    /// with this number of queries and the target power; infinite for fewer than 2 queries.
    pub fn detectable_difference(&self, queries: u64) -> f64 {
        if queries < 2 {
            return f64::INFINITY;
        }
        let (mut low, mut high) = (0.0, 1.0);
        while self.power(queries, high) < self.power {
            low = high;
            high *= 2.0;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.power(queries, middle) < self.power {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

/// Variance, over queries, of the score differences between two systems.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferenceVariance {
    /// Variance with its confidence interval.
    pub variance: PlanEstimate,
    /// Indices of the two systems, if the variance is that of one pair.
    pub pair: Option<(usize, usize)>,
}

impl DifferenceVariance {
    /// Estimates the variance of differences from scores. A given variance is returned without
    /// uncertainty. Otherwise the interval is a jackknife over queries on the logarithm of the
    /// variance, with Student's t. It assumes no distribution of the scores, allows dependence
    /// between pairs of systems, and treats the systems as fixed.
    ///
    /// # Errors
    /// Returns a [`PlanInputError`] for fewer than 2 systems or 3 queries, scores that are all
    /// equal, systems that differ by the same amounts on every query, or a confidence that is not
    /// between 0 and 1.
    pub fn estimate(
        scores: &ScoreMatrix,
        which: VarianceChoice,
        confidence: f64,
    ) -> Result<Self, PlanInputError> {
        require_share("a confidence", confidence)?;
        // Refuses scores that have no variance.
        super::QueryGStudy::new(scores)?;
        // Sorted by name, so that sums do not depend on the order of a file.
        let order = argsort_names(scores.systems());
        let scores = &scores.sorted_by_name();
        let systems = scores.systems().len();
        let (jackknife, pair) = match which {
            VarianceChoice::Given(variance) => {
                return Ok(Self {
                    variance: PlanEstimate::exact(variance),
                    pair: None,
                });
            }
            VarianceChoice::Mean => {
                // Each row has the scores of a query minus their mean. The squared distances of
                // such rows from the mean row sum to the residual sum of squares of the analysis of
                // variance. The factor `scale` makes the variance twice the residual mean square.
                let rows = scores.rows().map(|row| {
                    let mean = row.iter().sum::<f64>() / systems as f64;
                    let scale = (2.0 / (systems as f64 - 1.0)).sqrt();
                    row.iter().map(|score| scale * (score - mean)).collect()
                });
                (Jackknife::new(rows.collect()), None)
            }
            VarianceChoice::Largest => {
                let jackknife = |a: usize, b: usize| {
                    let rows = scores.differences(a, b).into_iter().map(|d| vec![d]);
                    Jackknife::new(rows.collect())
                };
                let pairs = (0..systems).flat_map(|b| (0..b).map(move |a| (a, b)));
                let largest = pairs
                    .map(|(a, b)| (jackknife(a, b), Some((order[a], order[b]))))
                    .max_by(|one, other| one.0.variance().total_cmp(&other.0.variance()));
                largest.expect("a study has two systems at least")
            }
        };
        Ok(Self {
            variance: jackknife.estimate(confidence),
            pair,
        })
    }
}

/// Jackknife estimate of a variance over queries. Each query has a vector; the variance is the sum
/// of the variances of the vectors' coordinates.
struct Jackknife {
    rows: Vec<Vec<f64>>,
    mean: Vec<f64>,
    /// Sum of the squared distances of the vectors in `rows` from their mean.
    squares: f64,
}

impl Jackknife {
    fn new(rows: Vec<Vec<f64>>) -> Self {
        let n = rows.len() as f64;
        let mut mean = vec![0.0; rows.first().map_or(0, Vec::len)];
        for row in &rows {
            for (mean, value) in mean.iter_mut().zip(row) {
                *mean += value / n;
            }
        }
        let squares = rows.iter().map(|row| squared_distance(row, &mean)).sum();
        Self {
            rows,
            mean,
            squares,
        }
    }

    fn variance(&self) -> f64 {
        self.squares / (self.rows.len() as f64 - 1.0)
    }

    /// Returns the variance with its jackknife interval, which is computed on the logarithm.
    fn estimate(&self, confidence: f64) -> PlanEstimate {
        let n = self.rows.len() as f64;
        let value = self.variance();
        // Removing a row reduces the sum of squares by n/(n - 1) times its squared distance from
        // the mean.
        let without = |row: &Vec<f64>| {
            let rest = self.squares - n / (n - 1.0) * squared_distance(row, &self.mean);
            (rest.max(value * 1e-12) / (n - 2.0)).ln()
        };
        let without: Vec<f64> = self.rows.iter().map(without).collect();
        let mean = without.iter().sum::<f64>() / n;
        let squares: f64 = without.iter().map(|log| (log - mean).powi(2)).sum();
        let error = ((n - 1.0) / n * squares).sqrt();
        let t = -student_t::quantile(0.5 * (1.0 - confidence), n - 1.0)
            .expect("a confidence lies between 0 and 1, and a study has three queries at least");
        PlanEstimate {
            value,
            lower: value * (-t * error).exp(),
            upper: value * (t * error).exp(),
        }
    }
}

fn squared_distance(row: &[f64], mean: &[f64]) -> f64 {
    let differences = row.iter().zip(mean).map(|(value, mean)| value - mean);
    differences.map(|difference| difference * difference).sum()
}
