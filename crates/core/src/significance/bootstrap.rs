//! Bootstrap test of the mean difference of two systems.
//!
//! Resamples draw n queries with replacement, the same for all systems. The differences of a pair
//! are shifted to mean 0, every resample yields t* = mean/standard error, and p is (1 + #)/(B + 1),
//! where # counts the resamples whose t* is at least as extreme as the observed t (Davison and
//! Hinkley 1997, chapter 4; for retrieval Sakai 2006).
//!
//! The interval of the difference is the studentised one from the same t* (their section 5.2). It
//! excludes 0 exactly when the uncorrected test rejects. The two-tailed test compares absolute
//! values, so its interval is symmetric: the mean plus or minus the quantile of |t*| times the
//! standard error (Hall 1988 shows that its coverage error is O(1/n²), compared with O(1/n) for the
//! equal-tailed interval). The interval of two one-tailed tests, with confidence 1 - 2 alpha, is
//! equal-tailed like these tests.
//!
//! Rejection rates at alpha 0.10, measured on 1,500 sets of 20 differences of mean 0 with 299
//! resamples (standard error below 0.01):
//!
//! | differences | two-tailed | one-tailed, too low | one-tailed, too high |
//! |---|---|---|---|
//! | normal | 0.10 | | |
//! | log-normal, σ = 1 (skewed) | 0.13 | 0.14 | 0.08 |
//! | Student's, 2 degrees of freedom (heavy tails) | 0.05 | 0.12 | 0.13 |
//!
//! With heavy tails the two one-tailed tests together reject up to 0.25 of the time where 0.20
//! would be right, and each direction more often than alpha: t* of a resample follows the tails of
//! the sample, not those of the population. With skewed differences the t-test and the permutation
//! test reject even more often than the two-tailed bootstrap (table in docs/validation.md).
//!
//! Values of t* within a relative distance of 10⁻⁹ of t count as ties, against rejection, unless
//! the options turn rounding off. A resample without variance has t* = ±∞ by the sign of its mean.
//! If all differences are equal up to rounding error, t is undefined and the pair is not tested.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::comparison::{ComparisonOptions, compare};
//! use partita_core::work::SequentialWork;
//!
//! let differences = [0.1, 0.3, -0.05, 0.2, 0.15, 0.0, 0.4, 0.25];
//! let values = differences.iter().flat_map(|&d| [0.3 + d, 0.3]).collect();
//! let queries = (1..=8).map(|query| query.to_string());
//! let scores = ScoreMatrix::new("AP", ["x", "y"], queries, values)?;
//! let found = compare(&scores, "bootstrap", &ComparisonOptions::default(), &SequentialWork)?;
//! assert!(found.pairs[0].p < Some(0.05) && found.pairs[0].lower > Some(0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::StatsError;
use partita_stats::random::{stream, stream_id, uniform_index};
use partita_stats::t_test::one_sample;

use super::system_test::{PairTestOutput, TestInput, TestOutput};
use super::{SignificanceTest, SystemTest, TestGoal, TestOption};
use crate::comparison::ComparisonError;
use crate::significance::tails::Tails;

/// Registry entry of the test `bootstrap`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "bootstrap",
    aliases: &[],
    summary: "the studentised bootstrap test of the difference of means",
    description: "Queries are resampled; of the differences shifted to mean 0, the share of \
                  resamples whose mean over its standard error is at least as extreme as observed.",
    reference: "A.C. Davison and D.V. Hinkley, Bootstrap Methods and Their Application, 1997; \
                P. Hall, On Symmetric Bootstrap Confidence Intervals, Journal of the Royal \
                Statistical Society B 50, 1988; T. Sakai, Evaluating Evaluation Metrics Based on \
                the Bootstrap, SIGIR 2006",
    system_test: Some(SystemTest {
        simultaneous: false,
        goal: TestGoal::Difference,
        options: &[TestOption::Tails, TestOption::Samples],
        run: run_test,
        prepare_batch: None,
    }),
    sample_test: None,
};

/// Number of resamples processed together, so that the counts of drawn queries stay in a core's
/// cache.
const RESAMPLES_PER_BLOCK: usize = 128;

/// Returns the number of pairs of systems that one piece of parallel work tests. Larger pieces
/// redraw resamples less often, but leave fewer pieces to distribute over threads.
fn pairs_per_piece(pairs: usize) -> usize {
    (pairs / 64).clamp(32, 128)
}

/// Largest number of resamples that are drawn without a request. Their replicates are kept for all
/// pairs of a piece of work.
const MAX_BY_DEFAULT: usize = 1_000_000;

/// Number of queries whose counts (how often a resample drew them) are processed together.
const QUERIES_PER_CHUNK: usize = 64;

/// Runs the test on all pairs of systems.
fn run_test(input: &TestInput) -> Result<TestOutput, ComparisonError> {
    // A resample of a pair takes about a nanosecond per query, so this bound is about ten seconds
    // of one core.
    let most = (10_000_000_000 / (input.pairs.len() * input.queries())).min(MAX_BY_DEFAULT);
    let count = input.sample_count(10_000, most);
    let samples = count.drawn;
    let at_once = pairs_per_piece(input.pairs.len());
    let pieces = input.pairs.len().div_ceil(at_once);
    let outputs = input.work.map("resampling queries", pieces, |piece| {
        let first = piece * at_once;
        let last = (first + at_once).min(input.pairs.len());
        let pairs = input.pairs[first..last].iter();
        let pairs = pairs.map(|&pair| PairDifferences::new(&input.differences(pair)));
        let pairs = pairs.collect::<Result<Vec<_>, StatsError>>()?;
        let both = pairs.iter().zip(replicates(input, &pairs, samples));
        let outputs = both.map(|(pair, replicates)| pair.test_output(replicates, input));
        Ok(outputs.collect::<Vec<_>>())
    })?;
    let outputs: Result<Vec<Vec<PairTestOutput>>, StatsError> = outputs.into_iter().collect();
    Ok(TestOutput {
        pairs: outputs?.concat(),
        smallest_p: count.smallest_p(),
        samples: Some(count),
        ..TestOutput::default()
    })
}

/// Computes the bootstrap replicates t* (mean divided by standard error) of every resample for each
/// pair of systems. Resamples are the same for all pairs. They are redrawn for each piece of work,
/// which is faster than storing them.
fn replicates(input: &TestInput, pairs: &[PairDifferences], samples: usize) -> Vec<Vec<f64>> {
    let mut replicates = vec![Vec::with_capacity(samples); pairs.len()];
    let mut sums = vec![ResampleSums::default(); pairs.len()];
    let mut weights: Vec<[f64; RESAMPLES_PER_BLOCK]> = Vec::with_capacity(QUERIES_PER_CHUNK);
    for number in 0..samples.div_ceil(RESAMPLES_PER_BLOCK) {
        sums.fill(ResampleSums::default());
        let times = times_drawn(input, number as u64);
        for (chunk, times) in times.chunks(QUERIES_PER_CHUNK).enumerate() {
            weights.clear();
            weights.extend(times.iter().map(|times| times.map(f64::from)));
            for (pair, sums) in pairs.iter().zip(&mut sums) {
                sums.add(&weights, &pair.shifted[chunk * QUERIES_PER_CHUNK..]);
            }
        }
        let size = RESAMPLES_PER_BLOCK.min(samples - number * RESAMPLES_PER_BLOCK);
        for (sums, replicates) in sums.iter().zip(&mut replicates) {
            replicates.extend(&sums.studentised(input.queries())[..size]);
        }
    }
    replicates
}

/// Draws the resamples of the block with this number. Returns, for each query, how often each
/// resample drew it.
fn times_drawn(input: &TestInput, number: u64) -> Vec<[u8; RESAMPLES_PER_BLOCK]> {
    let queries = input.queries();
    let mut rng = stream(input.settings.seed, &[stream_id::BOOTSTRAP_TEST, number]);
    let mut times = vec![[0u8; RESAMPLES_PER_BLOCK]; queries];
    for draw in 0..RESAMPLES_PER_BLOCK * queries {
        let drawn = &mut times[uniform_index(&mut rng, queries)][draw / queries];
        // Saturation is harmless: the probability that one query is drawn 256 times is below
        // 10⁻⁵⁰⁰.
        *drawn = drawn.saturating_add(1);
    }
    times
}

/// Sums of the score differences of a pair, shifted to mean 0, and of their squares, for each
/// resample of a block.
#[derive(Clone)]
struct ResampleSums {
    /// Sum of the shifted differences in each resample.
    sums: [f64; RESAMPLES_PER_BLOCK],
    /// Sum of the squared shifted differences in each resample.
    squares: [f64; RESAMPLES_PER_BLOCK],
}

impl Default for ResampleSums {
    fn default() -> Self {
        Self {
            sums: [0.0; RESAMPLES_PER_BLOCK],
            squares: [0.0; RESAMPLES_PER_BLOCK],
        }
    }
}

impl ResampleSums {
    /// Adds the differences (with their squares) of some queries, weighted by how often each
    /// resample drew the query.
    fn add(&mut self, weights: &[[f64; RESAMPLES_PER_BLOCK]], differences: &[(f64, f64)]) {
        // Four queries at a time, so that sums are loaded and stored less often. The order of
        // addition is that of the queries.
        let (fours, rest) = weights.as_chunks::<4>();
        let (differences, last) = differences.split_at(4 * fours.len());
        let (differences, _) = differences.as_chunks::<4>();
        for (weights, differences) in fours.iter().zip(differences) {
            self.add_each(weights, differences);
        }
        for (weights, &difference) in rest.iter().zip(last) {
            self.add_each(&[*weights], &[difference]);
        }
    }

    /// Adds the differences of N queries to the sums of every resample.
    #[inline]
    fn add_each<const N: usize>(
        &mut self,
        weights: &[[f64; RESAMPLES_PER_BLOCK]; N],
        differences: &[(f64, f64); N],
    ) {
        let both = self.sums.iter_mut().zip(&mut self.squares);
        for (sample, (sum, squares)) in both.enumerate() {
            for (weights, &(d, square)) in weights.iter().zip(differences) {
                *sum += weights[sample] * d;
                *squares += weights[sample] * square;
            }
        }
    }

    /// Returns, for each resample, the mean shifted difference divided by its standard error: ±∞ if
    /// the resample has no variance, but 0 if its mean is 0.
    fn studentised(&self, queries: usize) -> [f64; RESAMPLES_PER_BLOCK] {
        let n = queries as f64;
        let mut replicates = self.sums;
        for (sum, squares) in replicates.iter_mut().zip(&self.squares) {
            let spread = squares - *sum * *sum / n;
            // If one value was drawn n times, the remainder is rounding error.
            let spread = if spread > 1e-12 * squares {
                spread
            } else {
                0.0
            };
            let error = (spread * n / (n - 1.0)).sqrt();
            *sum = if *sum == 0.0 { 0.0 } else { *sum / error };
        }
        replicates
    }
}

/// Score differences of a pair of systems, prepared for the bootstrap: their mean, standard error,
/// t statistic and deviations from the mean.
struct PairDifferences {
    mean: f64,
    standard_error: f64,
    t: f64,
    /// Deviation of each difference from the mean difference, with its square.
    shifted: Vec<(f64, f64)>,
}

impl PairDifferences {
    fn new(differences: &partita_stats::differences::Differences) -> Result<Self, StatsError> {
        let differences = differences.for_mean_test();
        let test = one_sample(&differences)?;
        let shifted = differences.iter().map(|d| d - test.mean_difference);
        Ok(Self {
            mean: test.mean_difference,
            standard_error: test.standard_error,
            t: test.t,
            shifted: shifted.map(|d| (d, d * d)).collect(),
        })
    }

    /// Compares the observed t with the bootstrap replicates: p-value, direction and interval of a
    /// pair.
    fn test_output(&self, mut replicates: Vec<f64>, input: &TestInput) -> PairTestOutput {
        if self.standard_error == 0.0 {
            return PairTestOutput::untested();
        }
        let slack = if self.t.is_finite() && input.is_rounded() {
            1e-9 * self.t.abs().max(1.0)
        } else {
            0.0
        };
        let extreme = |t: f64| match input.settings.tails {
            Tails::Two => t.abs() >= self.t.abs() - slack,
            Tails::One if self.t >= 0.0 => t >= self.t - slack,
            Tails::One => t <= self.t + slack,
        };
        let count = replicates.iter().filter(|&&t| extreme(t)).count();
        let samples = replicates.len() as f64;
        // p < alpha if fewer than this many resamples are as extreme. The ends of the interval use
        // the same rank, so that it excludes 0 exactly then.
        let enough = (input.settings.alpha.value() * (samples + 1.0)).ceil() as usize - 1;
        let two_tailed = input.settings.tails == Tails::Two;
        if two_tailed {
            replicates.iter_mut().for_each(|t| *t = t.abs());
        }
        let mut largest = |number: usize| match number {
            0 => f64::INFINITY,
            number => {
                let place = replicates.len() - number;
                *replicates.select_nth_unstable_by(place, f64::total_cmp).1
            }
        };
        let above = largest(enough);
        let below = match enough {
            _ if two_tailed => -above,
            0 => f64::NEG_INFINITY,
            enough => largest(samples as usize + 1 - enough),
        };
        let end = |t: f64| self.mean - t * self.standard_error;
        PairTestOutput {
            p: Some((count as f64 + 1.0) / (samples + 1.0)),
            direction: self.t.total_cmp(&0.0),
            interval: Some((end(above + slack), end(below - slack))),
        }
    }
}
