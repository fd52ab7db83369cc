//! The permutation (randomisation) test.
//!
//! If two systems were alike, each of their differences might as well have had the other sign. p
//! is the share of the choices of signs with a mean difference at least as extreme as the observed
//! one (Fisher 1935; for retrieval Smucker, Allan and Carterette 2007). It asks for the means and
//! assumes no distribution.
//!
//! Up to 20 queries all choices are counted. Beyond, B are drawn, and p = (1 + #)/(B + 1). A choice
//! of signs is drawn for the queries, and serves all pairs at once: with signs sᵢ the sum of the
//! differences of systems a and b is Sₐ - Sᵦ, where S = Σ sᵢxᵢ of each system's scores. So a
//! hundred systems cost little more than a few, and one pair's p-value does not depend on which
//! other systems are there. Sums that differ by the error of binary fractions only are equal, unless
//! the settings say otherwise.
//!
//! ```
//! use partita_core::Scores;
//! use partita_core::compare::{Settings, compare};
//! use partita_core::work::InTurn;
//!
//! // Fisher's (1935) data of Darwin's plants: 1726 of 32768 choices of signs.
//! let differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
//! let values = differences.iter().flat_map(|&d| [f64::from(d), 0.0]).collect();
//! let plants = (1..=15).map(|plant| plant.to_string());
//! let scores = Scores::new("height", ["crossed", "selfed"], plants, values)?;
//! let found = compare(&scores, "permutation", &Settings::default(), &InTurn)?;
//! assert_eq!(found.pairs[0].p, 1726.0 / 32768.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Ordering;

use partita_stats::differences::max_abs;
use partita_stats::random::{Rng, stream, stream_id};
use partita_stats::randomization::{MAX_EXACT, test_differences};
use schemars::JsonSchema;
use serde::Serialize;

use super::batch::permutation as resampled;
use super::sample_test::{
    PValueFields, PairedSamples, ResamplingOptions as Samples, SampleTest, SampleTestError,
    SampleTestInput,
};
use super::system_test::{PairTestOutput, TestInput, TestOutput};
use super::{SignificanceTest, SystemTest, TestGoal, TestOption};
use crate::comparison::ComparisonError;
use crate::truth::Tails;

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
        run: answer,
        prepare_batch: Some(resampled::prepare),
    }),
    sample_test: Some(SampleTest::new::<PairedSamples>(
        "paired samples: is the mean difference 0? exact up to 20, drawn with a seed beyond",
        r#"{"d":[..],"round":"relative|none"}, or x and y for d"#,
        r#"{"p_less","p_greater","p_two_sided","rounded_ties"}, and "seed" and "resamples" where signs were drawn"#,
    )),
};

/// Samples drawn at once: their sums stay in a core's cache.
const BLOCK: usize = 256;

fn answer(question: &TestInput) -> Result<TestOutput, ComparisonError> {
    let tails = question.settings.tails;
    if question.queries() <= MAX_EXACT {
        let pairs = question.test_pairs(|differences| {
            // Nothing is drawn for so few.
            let nothing = &mut stream(question.settings.seed, &[stream_id::PERMUTATION_TEST]);
            Ok(PairTestOutput::from_p_values(
                test_differences(differences, 1, nothing)?.p,
                tails,
            ))
        })?;
        return Ok(TestOutput {
            pairs,
            smallest_p: question.smallest_by_signs(),
            ..TestOutput::default()
        });
    }
    // A sample of a pair takes about half a nanosecond.
    let most = 20_000_000_000 / question.pairs.len();
    let samples = question.sample_count(100_000, most);
    let drawing = PermutationCounter::new(question);
    let counts = drawing.counts(question, samples)?;
    let observed = drawing.observed.iter().zip(&counts);
    let pairs = observed.map(|(&observed, &count)| PairTestOutput {
        p: (f64::from(count) + 1.0) / (samples as f64 + 1.0),
        direction: observed.total_cmp(&0.0),
        interval: None,
    });
    Ok(TestOutput {
        pairs: pairs.collect(),
        smallest_p: 1.0 / (samples as f64 + 1.0),
        samples: Some(samples),
        ..TestOutput::default()
    })
}

/// What is the same for every sample.
struct PermutationCounter {
    /// The sum of differences of each pair; exactly 0 where it is 0 but for rounding.
    observed: Vec<f64>,
    /// What the sum of a sample must reach to count, and whether from below or from above; `None`
    /// where every sample counts.
    bounds: Vec<Option<(f64, Ordering)>>,
}

impl PermutationCounter {
    fn new(question: &TestInput) -> Self {
        // What differences are rounded to, or the error of sums where that is more.
        let slack = |(a, b): (usize, usize)| {
            let noise = question.rounding_unit((a, b));
            let scale = max_abs(question.columns[a].iter().chain(&question.columns[b]));
            let of_sums = question.queries() as f64 * scale * 1e-14;
            if question.is_rounded() {
                noise.max(of_sums)
            } else {
                0.0
            }
        };
        let slacks: Vec<f64> = question.pairs.iter().map(|&pair| slack(pair)).collect();
        let sum = |column: &Vec<f64>| column.iter().sum::<f64>();
        let sums: Vec<f64> = question.columns.iter().map(sum).collect();
        let observed: Vec<f64> = (question.pairs.iter().zip(&slacks))
            .map(|(&(a, b), &slack)| match sums[a] - sums[b] {
                difference if difference.abs() < slack => 0.0,
                difference => difference,
            })
            .collect();
        let two_tailed = question.settings.tails == Tails::Two;
        let bound = |(&observed, &slack): (&f64, &f64)| match two_tailed {
            true if observed == 0.0 => None,
            true => Some((observed.abs() - slack, Ordering::Equal)),
            // The tail of the observed sign; where there is none, the upper one.
            false if observed >= 0.0 => Some((observed - slack, Ordering::Greater)),
            false => Some((observed + slack, Ordering::Less)),
        };
        Self {
            bounds: observed.iter().zip(&slacks).map(bound).collect(),
            observed,
        }
    }

    /// How many of the samples are at least as extreme as the observed sum, for each pair.
    fn counts(&self, question: &TestInput, samples: usize) -> Result<Vec<u32>, ComparisonError> {
        let blocks = samples.div_ceil(BLOCK);
        let pieces = blocks.min(64);
        let tallies = question.work.map("drawing signs", pieces, |piece| {
            let mut counts = vec![0u32; question.pairs.len()];
            let mut block = SignBlock::new(question.columns.len());
            for number in (piece..blocks).step_by(pieces) {
                let size = BLOCK.min(samples - number * BLOCK);
                block.draw(question.settings.seed, number as u64, question.columns);
                for ((count, &(a, b)), bound) in
                    counts.iter_mut().zip(question.pairs).zip(&self.bounds)
                {
                    *count += block.reaching(a, b, *bound, size);
                }
            }
            counts
        })?;
        let mut total = vec![0; question.pairs.len()];
        for tally in tallies {
            for (total, count) in total.iter_mut().zip(tally) {
                *total += count;
            }
        }
        Ok(total)
    }
}

/// Samples that are drawn at once.
struct SignBlock {
    /// A row a query, as many as a drawn word has bits: its sign in each sample.
    signs: Vec<[f64; BLOCK]>,
    /// A row a system: its signed sum in each sample.
    sums: Vec<[f64; BLOCK]>,
}

impl SignBlock {
    fn new(systems: usize) -> Self {
        Self {
            signs: vec![[0.0; BLOCK]; u64::BITS as usize],
            sums: vec![[0.0; BLOCK]; systems],
        }
    }

    fn draw(&mut self, seed: u64, number: u64, columns: &[Vec<f64>]) {
        let mut rng = stream(seed, &[stream_id::PERMUTATION_TEST, number]);
        self.sums.fill([0.0; BLOCK]);
        let queries = columns.first().map_or(0, Vec::len);
        for first in (0..queries).step_by(self.signs.len()) {
            for sample in 0..BLOCK {
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

    /// In how many of the first `size` samples the difference of two sums reaches the bound.
    fn reaching(&self, a: usize, b: usize, bound: Option<(f64, Ordering)>, size: usize) -> u32 {
        let Some((bound, side)) = bound else {
            return size as u32;
        };
        let differences =
            (self.sums[a][..size].iter().zip(&self.sums[b][..size])).map(|(a, b)| a - b);
        // Counted as wide as the numbers are, which compilers do several at a time.
        let count: u64 = match side {
            Ordering::Equal => differences.map(|d| u64::from(d.abs() >= bound)).sum(),
            Ordering::Greater => differences.map(|d| u64::from(d >= bound)).sum(),
            Ordering::Less => differences.map(|d| u64::from(d <= bound)).sum(),
        };
        count as u32
    }
}

/// What the test says of plain differences.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    p: PValueFields,
    rounded_ties: usize,
    /// The seed, where signs were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// How many choices were drawn, where any were.
    #[serde(skip_serializing_if = "Option::is_none")]
    resamples: Option<usize>,
}

impl SampleTestInput for PairedSamples {
    type Output = Output;

    fn run(self, Samples { seed, resamples }: Samples) -> Result<Output, SampleTestError> {
        // Every question draws from the same stream: its answer does not depend on its place.
        let mut rng = stream(seed, &[stream_id::SAMPLE_PERMUTATION]);
        let differences = self.differences()?;
        let test = test_differences(&differences, resamples, &mut rng)?;
        Ok(Output {
            p: test.p.into(),
            rounded_ties: differences.ties_from_rounding(),
            seed: (!test.exact).then_some(seed),
            resamples: (!test.exact).then_some(resamples),
        })
    }
}
