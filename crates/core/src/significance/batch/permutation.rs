//! Permutation test of paired differences.
//!
//! If two systems were equal, each of their score differences could equally have had the other sign
//! (Fisher 1935; for retrieval Smucker, Allan and Carterette 2007). All choices of signs are
//! counted for up to 10 queries; beyond, [`DRAWN_PATTERNS`] are drawn and p = (1 + #)/(1 + drawn),
//! where # counts the choices at least as extreme as observed. A drawn pattern (a choice of one
//! sign per query) is shared by all pairs of a sample, so the sums of 15 systems serve 105 pairs.
//! Every sample draws its own patterns.
//!
//! The sums of a pattern are assembled from sums over eight queries, which have at most 256
//! patterns. Scores are integers here, so the order of addition does not matter. Counting stops
//! once the p-value of a pair has reached alpha, since it can only grow.
//!
//! Sums are compared unrounded; sums closer than half of the rounding unit of differences are
//! equal. On scores with few decimals the exact p-values equal those of
//! [`partita_stats::randomization`], which rounds each difference. On other scores that test may
//! distinguish values that are tied here.

use partita_stats::random::{Rng, stream, stream_id};

use super::fixed_point_scores::FixedPointScores;
use super::sample_batch::SampleBatch;
use super::verdict::SystemPairVerdict;
use super::{BatchVerdicts, PairTest, SystemPairPValue, TestParameters, pairs};
use crate::ScoreMatrix;
use crate::significance::tails::Tails;

/// Number of sign patterns (one sign per query) drawn for a sample of queries that has too many
/// patterns to count all.
const DRAWN_PATTERNS: usize = 999;

/// Permutation test prepared for many samples of the queries.
struct PermutationBatch {
    parameters: TestParameters,
    systems: usize,
    scores: FixedPointScores,
}

/// Prepares the permutation test for samples of the queries of these scores.
pub(crate) fn prepare(scores: &ScoreMatrix, parameters: TestParameters) -> Box<dyn PairTest> {
    Box::new(PermutationBatch {
        parameters,
        systems: scores.systems().len(),
        scores: FixedPointScores::new(scores),
    })
}

/// Number of queries whose sums of scores with all choices of signs are tabulated together.
const QUERIES_PER_TABLE: usize = 8;

/// Number of sign patterns that are compared before checking whether the pair is already decided.
const PATTERNS_PER_CHECK: usize = 128;

/// Buffers for one sample of queries, reused from sample to sample.
#[derive(Default)]
struct PermutationBuffers {
    /// Number of queries in the sample.
    size: usize,
    /// Sign patterns, each with one bit per query of the sample, in as many words as that needs.
    patterns: Vec<u64>,
    /// Sums of the scores of up to eight queries with every choice of signs: one row per choice,
    /// one column per system.
    table: Vec<f64>,
    /// Sums of the signed scores over the sample: one row per sign pattern, one column per system.
    rows: Vec<f64>,
    /// Transposed `rows`: for each system, its sums for all sign patterns.
    columns: Vec<f64>,
    /// Sum of the scores of each system over the sample, with observed signs.
    observed: Vec<f64>,
}

/// Returns true if all sign patterns of a sample of `size` queries are counted, not drawn.
fn is_exact(size: usize) -> bool {
    size <= 10
}

/// Returns the number of sign patterns that are counted or drawn for a sample of `size` queries. If
/// all are counted, a pattern and its opposite (all signs flipped) count as one.
fn pattern_count(size: usize) -> usize {
    // The first sign is fixed: flipping all signs does not change absolute sums.
    if is_exact(size) {
        1 << (size - 1)
    } else {
        DRAWN_PATTERNS
    }
}

/// Returns the p-value of a pair on a sample of `size` queries if `count` sign patterns give a sum
/// of differences at least as extreme as the observed one.
fn p_value(size: usize, tails: Tails, count: u32) -> f64 {
    let (patterns, count) = (pattern_count(size) as f64, f64::from(count));
    match tails {
        _ if !is_exact(size) => (1.0 + count) / (1.0 + patterns),
        Tails::Two => count / patterns,
        // Each counted pattern also represents its opposite, with all signs flipped.
        Tails::One => count / (2.0 * patterns),
    }
}

impl PermutationBatch {
    /// Returns the distance below which two sums over `size` queries count as equal: half of the
    /// rounding unit of differences plus the accumulated rounding error of the integer scores.
    fn tolerance(&self, size: usize) -> f64 {
        0.5 * self.scores.quantum() + size as f64
    }

    /// Enumerates or draws the sign patterns of a sample. Computes the observed sum of each system
    /// and its sum for every pattern.
    fn compute_sums(&self, batch: &SampleBatch, lane: usize, work: &mut PermutationBuffers) {
        let queries = batch.sample(lane);
        let (size, systems) = (queries.len(), self.systems);
        let (count, words) = (pattern_count(size), size.div_ceil(64));
        work.size = size;
        work.patterns.clear();
        if is_exact(size) {
            work.patterns
                .extend((0..count as u64).map(|bits| bits << 1));
        } else {
            let [trial, second] = batch.sample_id(lane);
            let path = [
                stream_id::RELIABILITY_SIGNS,
                batch.size() as u64,
                trial,
                second,
            ];
            let mut random = stream(self.parameters.seed, &path);
            let drawn = (0..count * words).map(|_| random.next_u64());
            work.patterns.extend(drawn);
        }
        work.observed.resize(systems, 0.0);
        self.scores.sum(queries, &mut work.observed);
        work.rows.clear();
        work.rows.resize(count * systems, 0.0);
        for (number, octet) in queries.chunks(QUERIES_PER_TABLE).enumerate() {
            self.tabulate_signed_sums(octet, &mut work.table);
            let bits = (1 << octet.len()) - 1;
            let (word, shift) = (
                number * QUERIES_PER_TABLE / 64,
                number * QUERIES_PER_TABLE % 64,
            );
            let patterns = work.patterns.chunks_exact(words);
            for (pattern, sums) in patterns.zip(work.rows.chunks_exact_mut(systems)) {
                let row = (pattern[word] >> shift & bits) as usize;
                let row = &work.table[row * systems..(row + 1) * systems];
                for (sum, part) in sums.iter_mut().zip(row) {
                    *sum += part;
                }
            }
        }
        work.columns.resize(count * systems, 0.0);
        for (pattern, sums) in work.rows.chunks_exact(systems).enumerate() {
            for (system, &sum) in sums.iter().enumerate() {
                work.columns[system * count + pattern] = sum;
            }
        }
    }

    /// Tabulates the sums of the scores of up to eight queries for every choice of signs. Bit i of
    /// a row's index flips the sign of query i.
    fn tabulate_signed_sums(&self, queries: &[u32], table: &mut Vec<f64>) {
        table.clear();
        table.resize(self.systems, 0.0);
        self.scores.sum(queries, table);
        for &query in queries {
            // Doubles the table: appends a copy of all rows with the sign of this query flipped.
            let known = table.len();
            table.extend_from_within(..);
            for row in table[known..].chunks_exact_mut(self.systems) {
                for (sum, score) in row.iter_mut().zip(self.scores.row(query)) {
                    *sum -= 2.0 * score;
                }
            }
        }
    }

    /// Counts the sign patterns for which the sum of differences of a pair is at least as extreme
    /// as observed. May stop once the count has reached `enough`.
    fn count_extreme_patterns(
        &self,
        (a, b): (usize, usize),
        enough: u32,
        work: &PermutationBuffers,
    ) -> u32 {
        let observed = work.observed[a] - work.observed[b];
        let bound = observed.abs() - self.tolerance(work.size);
        // Orders the pair by the observed sums, so that the difference is not negative.
        let pair = if observed < 0.0 { (b, a) } else { (a, b) };
        let (up, down) = (
            |d: f64| u64::from(d >= bound),
            |d: f64| u64::from(-d >= bound),
        );
        match self.parameters.tails {
            Tails::Two => self.count_until(pair, enough, work, |d| u64::from(d.abs() >= bound)),
            // Each counted pattern also represents its opposite, with all signs flipped.
            Tails::One if is_exact(work.size) => {
                self.count_until(pair, enough, work, |d| up(d) + down(d))
            }
            Tails::One => self.count_until(pair, enough, work, up),
        }
    }

    /// Adds up `extreme` over the sums of differences of a pair, one per sign pattern. Checks every
    /// [`PATTERNS_PER_CHECK`] patterns if the total has reached `enough`, and then stops.
    #[inline]
    fn count_until(
        &self,
        (a, b): (usize, usize),
        enough: u32,
        work: &PermutationBuffers,
        extreme: impl Fn(f64) -> u64 + Copy,
    ) -> u32 {
        let patterns = work.columns.len() / self.systems;
        let column = |system: usize| &work.columns[system * patterns..(system + 1) * patterns];
        let mut count = 0;
        let portions = column(a)
            .chunks(PATTERNS_PER_CHECK)
            .zip(column(b).chunks(PATTERNS_PER_CHECK));
        for (ours, theirs) in portions {
            count += count_extreme(ours, theirs, extreme);
            if count >= enough {
                break;
            }
        }
        count
    }

    /// Returns the observed sum of differences of a pair; 0 if it is within rounding error.
    fn lead(&self, (a, b): (usize, usize), work: &PermutationBuffers) -> f64 {
        let difference = work.observed[a] - work.observed[b];
        if difference.abs() < self.tolerance(work.size) {
            0.0
        } else {
            difference
        }
    }
}

/// Adds up `extreme` over the differences between the sums of two systems, one per sign pattern.
#[inline]
fn count_extreme(ours: &[f64], theirs: &[f64], extreme: impl Fn(f64) -> u64) -> u32 {
    // Counters as wide as the sums, in parallel, so that both fill vector registers.
    const COUNTERS: usize = 8;
    let mut counts = [0u64; COUNTERS];
    let (whole, rest) = ours.as_chunks::<COUNTERS>();
    let (their_whole, their_rest) = theirs.as_chunks::<COUNTERS>();
    for (ours, theirs) in whole.iter().zip(their_whole) {
        for counter in 0..COUNTERS {
            counts[counter] += extreme(ours[counter] - theirs[counter]);
        }
    }
    let rest = rest
        .iter()
        .zip(their_rest)
        .map(|(ours, theirs)| extreme(ours - theirs));
    (counts.iter().sum::<u64>() + rest.sum::<u64>()) as u32
}

impl PairTest for PermutationBatch {
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts) {
        let size = batch.size();
        let TestParameters { alpha, tails, .. } = self.parameters;
        let not_significant = |count: &u32| p_value(size, tails, *count) >= alpha;
        let enough = (0..=2 * pattern_count(size) as u32).find(not_significant);
        let enough = enough.unwrap_or(u32::MAX);
        let mut work = PermutationBuffers::default();
        for lane in 0..batch.len() {
            self.compute_sums(batch, lane, &mut work);
            for (number, pair) in pairs(self.systems).enumerate() {
                let significant = self.count_extreme_patterns(pair, enough, &work) < enough;
                let lead = self.lead(pair, &work);
                verdicts.set(number, lane, SystemPairVerdict::new(lead, significant));
            }
        }
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let mut work = PermutationBuffers::default();
        self.compute_sums(batch, lane, &mut work);
        let evidence = pairs(self.systems).map(|pair| SystemPairPValue {
            p: p_value(
                batch.size(),
                self.parameters.tails,
                self.count_extreme_patterns(pair, u32::MAX, &work),
            ),
            lead: self.lead(pair, &work),
        });
        evidence.collect()
    }
}
