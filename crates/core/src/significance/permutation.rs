//! Permutation (randomisation) test.
//!
//! If two systems were equal, each of their differences could equally have had the other sign. p is
//! the share of the choices of signs with a mean difference at least as extreme as the observed one
//! (Fisher 1935; for retrieval Smucker, Allan and Carterette 2007). The test compares means. It is
//! exact if the differences are symmetric about 0, as they are if the systems are exchangeable on
//! every query. With skewed differences of mean 0 and few queries it rejects too often, as the
//! t-test does.
//!
//! For up to 20 queries all choices are counted. Beyond, B are drawn, and p = (1 + #)/(B + 1).
//! Signs are drawn per query and shared by all pairs: with signs sᵢ the sum of the differences of
//! systems a and b is Sₐ - Sᵦ, where S = Σ sᵢxᵢ for the scores of each system. So a hundred systems
//! cost little more than a few, and the p-value of a pair does not depend on the other systems.
//! Sums that differ only by rounding error are equal, unless the options turn rounding off.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::comparison::{ComparisonOptions, compare};
//! use partita_core::work::SequentialWork;
//!
//! // Fisher's (1935) data of Darwin's plants: 1726 of 32768 choices of signs.
//! let differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
//! let values = differences.iter().flat_map(|&d| [f64::from(d), 0.0]).collect();
//! let plants = (1..=15).map(|plant| plant.to_string());
//! let scores = ScoreMatrix::new("height", ["crossed", "selfed"], plants, values)?;
//! let found = compare(&scores, "permutation", &ComparisonOptions::default(), &SequentialWork)?;
//! assert_eq!(found.pairs[0].p, Some(1726.0 / 32768.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Ordering;

use partita_stats::PValues;
use partita_stats::differences::max_abs;
use partita_stats::random::{Rng, stream, stream_id};
use partita_stats::randomization::{MAX_EXACT, test_differences};
use schemars::JsonSchema;
use serde::Serialize;

use super::batch::permutation as resampled;
use super::sample_test::{
    PairedSamples, ResamplingOptions as Samples, SampleTest, SampleTestError, SampleTestInput,
};
use super::system_test::{PairTestOutput, TestInput, TestOutput};
use super::{SignificanceTest, SystemTest, TestGoal, TestOption};
use crate::comparison::ComparisonError;
use crate::significance::tails::Tails;

/// Registry entry of the test `permutation`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "permutation",
    aliases: &["randomisation", "randomization"],
    summary: "the permutation test of the difference of means",
    description: "Over all choices of signs of the differences (or many that are drawn), the share \
                  with a mean at least as extreme as the observed one.",
    reference: "R.A. Fisher, The Design of Experiments, 1935, section 21; M.D. Smucker, J. Allan \
                and B. Carterette, A Comparison of Statistical Significance Tests for Information \
                Retrieval Evaluation, CIKM 2007",
    system_test: Some(SystemTest {
        simultaneous: false,
        goal: TestGoal::Difference,
        options: &[TestOption::Tails, TestOption::Samples],
        run: run_test,
        prepare_batch: Some(resampled::prepare),
    }),
    sample_test: Some(SampleTest::new::<PairedSamples>(
        "paired samples: is the mean difference 0? exact up to 20, drawn with a seed beyond",
        r#"{"d":[..],"round":"relative|none"}, or x and y for d"#,
        r#"{"p_less","p_greater","p_two_sided","rounded_ties"}, and "seed" and "resamples" where signs were drawn"#,
    )),
};

/// Number of samples (random choices of one sign per query) processed together, so that their sums
/// stay in a core's cache.
const SAMPLES_PER_BLOCK: usize = 256;

/// Runs the test on all pairs of systems.
fn run_test(input: &TestInput) -> Result<TestOutput, ComparisonError> {
    let tails = input.settings.tails;
    if input.queries() <= MAX_EXACT {
        let pairs = input.test_pairs(|differences| {
            // For so few queries all signs are counted, so nothing is drawn from this stream.
            let unused_stream = &mut stream(input.settings.seed, &[stream_id::PERMUTATION_TEST]);
            Ok(PairTestOutput::from_p_values(
                test_differences(differences, 1, unused_stream)?.p,
                tails,
            ))
        })?;
        return Ok(TestOutput {
            pairs,
            smallest_p: input.smallest_p_of_signs(),
            ..TestOutput::default()
        });
    }
    // A sample of a pair takes about half a nanosecond, so this bound is about 25 seconds of one
    // core. It is not reached by up to 260 systems at level 0.05 with Holm's correction.
    let most = 50_000_000_000 / input.pairs.len();
    let samples = input.sample_count(100_000, most);
    let counter = PermutationCounter::new(input);
    let counts = counter.count_extreme(input, samples.drawn)?;
    let observed = counter.observed.iter().zip(&counts);
    let pairs = observed.map(|(&observed, &count)| PairTestOutput {
        p: Some((f64::from(count) + 1.0) / (samples.drawn as f64 + 1.0)),
        direction: observed.total_cmp(&0.0),
        interval: None,
    });
    Ok(TestOutput {
        pairs: pairs.collect(),
        smallest_p: samples.smallest_p(),
        samples: Some(samples),
        ..TestOutput::default()
    })
}

/// Observed sum of differences of each pair of systems, and the bound from which the sum of a
/// sample (a random choice of signs) counts as at least as extreme.
struct PermutationCounter {
    /// Observed sum of score differences of each pair; exactly 0 if it is 0 up to rounding error.
    observed: Vec<f64>,
    /// Bound, for each pair, from which the sum of a sample counts as extreme. The ordering selects
    /// the tail: `Greater` or `Less` for one tail, `Equal` for absolute values. `None` if every
    /// sample counts.
    bounds: Vec<Option<(f64, Ordering)>>,
}

impl PermutationCounter {
    fn new(input: &TestInput) -> Self {
        // Tolerance of the comparison: the rounding unit of differences, or the error of sums if
        // that is larger.
        let slack = |(a, b): (usize, usize)| {
            let noise = input.rounding_unit((a, b));
            let scale = max_abs(input.columns[a].iter().chain(&input.columns[b]));
            let of_sums = input.queries() as f64 * scale * 1e-14;
            if input.is_rounded() {
                noise.max(of_sums)
            } else {
                0.0
            }
        };
        let slacks: Vec<f64> = input.pairs.iter().map(|&pair| slack(pair)).collect();
        let sum = |column: &Vec<f64>| column.iter().sum::<f64>();
        let sums: Vec<f64> = input.columns.iter().map(sum).collect();
        let observed: Vec<f64> = (input.pairs.iter().zip(&slacks))
            .map(|(&(a, b), &slack)| match sums[a] - sums[b] {
                difference if difference.abs() < slack => 0.0,
                difference => difference,
            })
            .collect();
        let two_tailed = input.settings.tails == Tails::Two;
        let bound = |(&observed, &slack): (&f64, &f64)| match two_tailed {
            true if observed == 0.0 => None,
            true => Some((observed.abs() - slack, Ordering::Equal)),
            // One-tailed: the tail of the observed sign, or the upper one if the sum is 0.
            false if observed >= 0.0 => Some((observed - slack, Ordering::Greater)),
            false => Some((observed + slack, Ordering::Less)),
        };
        Self {
            bounds: observed.iter().zip(&slacks).map(bound).collect(),
            observed,
        }
    }

    /// Counts, for each pair, the samples whose sum is at least as extreme as the observed one.
    fn count_extreme(
        &self,
        input: &TestInput,
        samples: usize,
    ) -> Result<Vec<u32>, ComparisonError> {
        let blocks = samples.div_ceil(SAMPLES_PER_BLOCK);
        let pieces = blocks.min(64);
        let tallies = input.work.map("drawing signs", pieces, |piece| {
            let mut counts = vec![0u32; input.pairs.len()];
            let mut block = SignBlock::new(input.columns.len());
            for number in (piece..blocks).step_by(pieces) {
                let size = SAMPLES_PER_BLOCK.min(samples - number * SAMPLES_PER_BLOCK);
                block.draw(input.settings.seed, number as u64, input.columns);
                for ((count, &(a, b)), bound) in
                    counts.iter_mut().zip(input.pairs).zip(&self.bounds)
                {
                    *count += block.count_reaching(a, b, *bound, size);
                }
            }
            counts
        })?;
        let mut total = vec![0; input.pairs.len()];
        for tally in tallies {
            for (total, count) in total.iter_mut().zip(tally) {
                *total += count;
            }
        }
        Ok(total)
    }
}

/// Block of samples (random choices of one sign per query) that are drawn together.
struct SignBlock {
    /// Signs (1 or -1) in each sample, one row per query, for 64 queries at a time: one random word
    /// per sample.
    signs: Vec<[f64; SAMPLES_PER_BLOCK]>,
    /// Sum of the signed scores in each sample, one row per system.
    sums: Vec<[f64; SAMPLES_PER_BLOCK]>,
}

impl SignBlock {
    fn new(systems: usize) -> Self {
        Self {
            signs: vec![[0.0; SAMPLES_PER_BLOCK]; u64::BITS as usize],
            sums: vec![[0.0; SAMPLES_PER_BLOCK]; systems],
        }
    }

    /// Draws the signs of the block with this number and sums the signed scores of each system.
    fn draw(&mut self, seed: u64, number: u64, columns: &[Vec<f64>]) {
        let mut rng = stream(seed, &[stream_id::PERMUTATION_TEST, number]);
        self.sums.fill([0.0; SAMPLES_PER_BLOCK]);
        let queries = columns.first().map_or(0, Vec::len);
        for first in (0..queries).step_by(self.signs.len()) {
            for sample in 0..SAMPLES_PER_BLOCK {
                let mut bits = rng.next_u64();
                for signs in &mut self.signs {
                    signs[sample] = if bits & 1 == 1 { 1.0 } else { -1.0 };
                    bits >>= 1;
                }
            }
            for (sums, column) in self.sums.iter_mut().zip(columns) {
                for (signs, x) in self.signs.iter().zip(&column[first..]) {
                    for (sum, sign) in sums.iter_mut().zip(signs) {
                        *sum += sign * x;
                    }
                }
            }
        }
    }

    /// Counts the samples among the first `size` in which the sum of system a minus that of system
    /// b reaches the bound.
    fn count_reaching(
        &self,
        a: usize,
        b: usize,
        bound: Option<(f64, Ordering)>,
        size: usize,
    ) -> u32 {
        let Some((bound, side)) = bound else {
            return size as u32;
        };
        let differences =
            (self.sums[a][..size].iter().zip(&self.sums[b][..size])).map(|(a, b)| a - b);
        // Counters as wide as the numbers, so that the compiler vectorizes the loop.
        let count: u64 = match side {
            Ordering::Equal => differences.map(|d| u64::from(d.abs() >= bound)).sum(),
            Ordering::Greater => differences.map(|d| u64::from(d >= bound)).sum(),
            Ordering::Less => differences.map(|d| u64::from(d <= bound)).sum(),
        };
        count as u32
    }
}

/// P-values of the permutation test of paired differences.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    p: PValues,
    /// Number of absolute differences that rounding made equal to another one or to 0.
    rounded_ties: usize,
    /// Seed of the random signs, if signs were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// Number of random choices of signs, if signs were drawn; absent if all choices were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    resamples: Option<usize>,
}

impl SampleTestInput for PairedSamples {
    type Output = Output;

    fn run(self, Samples { seed, resamples }: Samples) -> Result<Output, SampleTestError> {
        // Every input draws from the same stream, so its result does not depend on its position.
        let mut rng = stream(seed, &[stream_id::SAMPLE_PERMUTATION]);
        let differences = self.differences()?;
        let test = test_differences(&differences, resamples, &mut rng)?;
        Ok(Output {
            p: test.p,
            rounded_ties: differences.ties_from_rounding(),
            seed: (!test.exact).then_some(seed),
            resamples: (!test.exact).then_some(resamples),
        })
    }
}
