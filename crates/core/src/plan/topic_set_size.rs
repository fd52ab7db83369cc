//! Topic set size design for the paired t-test.
//!
//! A difference d between two systems, whose differences by query have the variance σ², is found
//! at level α with the probability that a noncentral t of n - 1 degrees of freedom and
//! noncentrality √n·d/σ lies beyond the critical values (Nagata 2003; Sakai, *Topic set size
//! design*, Information Retrieval Journal 2016). Here that law is computed as it is, not by a
//! normal approximation, and both critical values count.
//!
//! ```
//! use partita_core::plan::TTest;
//!
//! let test = TTest::new(0.05, 0.8)?;
//! // Half a standard deviation needs 34 queries, as every table of the paired t-test says.
//! assert_eq!(test.queries_for(0.5), Some(34));
//! assert!((test.power(34, 0.5) - 0.8078).abs() < 1e-4);
//! # Ok::<(), partita_core::plan::PlanError>(())
//! ```

use partita_stats::distribution::{noncentral_t, student_t};

use super::{PlanEstimate, PlanInputError, VarianceChoice, require, require_share};
use crate::ScoreMatrix;
use crate::data::score_matrix::argsort_names;

/// No more queries than these are thought of.
const MAX_QUERIES: u64 = 1_000_000_000;

/// A two-sided paired t-test, and how often it should find what there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TTestDesign {
    alpha: f64,
    power: f64,
}

impl TTestDesign {
    /// A test at level `alpha` that should find a difference with probability `power`.
    ///
    /// # Errors
    /// A level that is not between 0 and 1, or a power that is not between the level and 1: no
    /// test finds anything less often than its level.
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

    /// How often a difference of so many standard deviations is found with so many queries; with
    /// fewer than 2 there is no test.
    pub fn power(&self, queries: u64, effect: f64) -> f64 {
        if queries < 2 {
            return 0.0;
        }
        let df = (queries - 1) as f64;
        let delta = effect.abs() * (queries as f64).sqrt();
        // Beyond any finite noncentrality nothing is missed.
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

    /// The queries with which a difference of so many standard deviations is found as often as
    /// wanted; `None` if even a thousand million do not suffice.
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
            match self.power(middle, effect) < self.power {
                true => few = middle,
                false => enough = middle,
            }
        }
        Some(enough)
    }

    /// The least difference, in standard deviations, that so many queries find as often as wanted;
    /// infinite with fewer than 2.
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
            match self.power(queries, middle) < self.power {
                true => low = middle,
                false => high = middle,
            }
        }
        high
    }
}

/// The variance of the differences between two systems by query.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferenceVariance {
    /// The variance with its interval.
    pub variance: PlanEstimate,
    /// The two systems, where it is the variance of one pair.
    pub pair: Option<(usize, usize)>,
}

impl DifferenceVariance {
    /// The variance of these scores. The interval is by leaving out one query at a time, on the
    /// logarithm of the variance, with Student's t: it asks nothing of the shape of the scores
    /// and lets pairs of systems depend on each other. It takes the systems as they are.
    ///
    /// # Errors
    /// Fewer than 2 systems or 3 queries, a variance of zero, or a confidence that is not between
    /// 0 and 1.
    pub fn estimate(
        scores: &ScoreMatrix,
        which: VarianceChoice,
        confidence: f64,
    ) -> Result<Self, PlanInputError> {
        require_share("a confidence", confidence)?;
        // The study refuses what no variance can be had of.
        super::QueryGStudy::new(scores)?;
        // In the order of names, so that sums do not depend on the order of a file.
        let order = argsort_names(scores.systems());
        let scores = &scores.sorted_by_name();
        let systems = scores.systems().len();
        let (leaving, pair) = match which {
            VarianceChoice::Given(variance) => {
                let variance = PlanEstimate::exact(variance);
                return Ok(Self {
                    variance,
                    pair: None,
                });
            }
            VarianceChoice::Mean => {
                // Less the query's mean, the squared lengths sum to the residuals.
                let rows = scores.rows().map(|row| {
                    let mean = row.iter().sum::<f64>() / systems as f64;
                    let scale = (2.0 / (systems as f64 - 1.0)).sqrt();
                    row.iter().map(|score| scale * (score - mean)).collect()
                });
                (Jackknife::new(rows.collect()), None)
            }
            VarianceChoice::Largest => {
                let of_pair = |a: usize, b: usize| {
                    let rows = scores.differences(a, b).into_iter().map(|d| vec![d]);
                    Jackknife::new(rows.collect())
                };
                let pairs = (0..systems).flat_map(|b| (0..b).map(move |a| (a, b)));
                let largest = pairs
                    .map(|(a, b)| (of_pair(a, b), Some((order[a], order[b]))))
                    .max_by(|one, other| one.0.variance().total_cmp(&other.0.variance()));
                largest.expect("a study has two systems at least")
            }
        };
        let variance = leaving.interval(confidence);
        Ok(Self { variance, pair })
    }
}

/// Vectors, one a query, whose variance is the sum over their coordinates.
struct Jackknife {
    rows: Vec<Vec<f64>>,
    mean: Vec<f64>,
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
        let squares = rows.iter().map(|row| distance(row, &mean)).sum();
        Self {
            rows,
            mean,
            squares,
        }
    }

    fn variance(&self) -> f64 {
        self.squares / (self.rows.len() as f64 - 1.0)
    }

    /// The interval by the jackknife on the logarithm.
    fn interval(&self, confidence: f64) -> PlanEstimate {
        let n = self.rows.len() as f64;
        let value = self.variance();
        // Leaving out a row takes n/(n - 1) times its squared distance from the mean.
        let without = |row: &Vec<f64>| {
            let rest = self.squares - n / (n - 1.0) * distance(row, &self.mean);
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

fn distance(row: &[f64], mean: &[f64]) -> f64 {
    let squares = row.iter().zip(mean).map(|(value, mean)| value - mean);
    squares.map(|difference| difference * difference).sum()
}
