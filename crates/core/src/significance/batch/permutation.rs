//! The permutation test of paired differences.
//!
//! If two systems were alike, each difference might as well have had the other sign (Fisher 1935;
//! for retrieval Smucker, Allan and Carterette 2007). All ways to choose the signs are counted where
//! these are no more than [`PATTERNS`]; otherwise so many are drawn and p = (1 + #)/(1 + drawn). A
//! drawn pattern turns the signs of whole queries and is shared by all pairs of a sample: then the
//! sums of 15 systems serve 105 pairs. Every sample draws its own.
//!
//! The sums of a pattern are put together from those of eight queries at a time, which have 256
//! patterns at most: scores are whole numbers here, so the order of adding does not matter. A pair
//! whose p-value has reached alpha is not counted further, since it only grows.
//!
//! Sums are compared before anything is rounded, and those closer than half of what differences are
//! rounded to are equal. On scores of few decimals the exact p-values are those of
//! [`partita_stats::randomization`], which rounds each difference; on others it may tell apart what is
//! tied.

use partita_stats::random::{Rng, stream, stream_id};

use super::fixed_point_scores::FixedPointScores;
use super::sample_batch::SampleBatch;
use super::verdict::SystemPairVerdict;
use super::{BatchVerdicts, PairTest, SystemPairPValue, TestParameters, pairs};
use crate::ScoreMatrix;
use crate::truth::Tails;

/// The number of patterns that are drawn.
const PATTERNS: usize = 999;

struct PermutationBatch {
    setting: TestParameters,
    systems: usize,
    scores: FixedPointScores,
}

pub(crate) fn prepare(scores: &ScoreMatrix, setting: TestParameters) -> Box<dyn PairTest> {
    Box::new(PermutationBatch {
        setting,
        systems: scores.systems().len(),
        scores: FixedPointScores::new(scores),
    })
}

/// How many queries share a table of signed sums.
const OCTET: usize = 8;

/// How many patterns are compared before it is asked whether a pair is settled.
const PORTION: usize = 128;

/// What is filled again for sample after sample.
#[derive(Default)]
struct Workspace {
    /// The size of the sample.
    size: usize,
    /// The patterns, each of so many words that every query has a bit.
    patterns: Vec<u64>,
    /// The signed sums of eight queries, a row of systems for each pattern.
    table: Vec<f64>,
    /// The sums of a sample, a row of systems for each pattern.
    rows: Vec<f64>,
    /// The same, a column of patterns for each system.
    columns: Vec<f64>,
    /// The sums as the scores are.
    observed: Vec<f64>,
}

/// Whether all patterns of a sample of this size are counted.
fn is_exact(size: usize) -> bool {
    size <= 10
}

/// How many patterns a sample of this size has.
fn patterns(size: usize) -> usize {
    // The first sign is left as it is: turning all signs changes no absolute sum.
    if is_exact(size) {
        1 << (size - 1)
    } else {
        PATTERNS
    }
}

/// The p-value of a sample of this size of which so many patterns are as extreme.
fn p_value(size: usize, tails: Tails, count: u32) -> f64 {
    let (patterns, count) = (patterns(size) as f64, f64::from(count));
    match tails {
        _ if !is_exact(size) => (1.0 + count) / (1.0 + patterns),
        Tails::Two => count / patterns,
        // Each pattern stands for the one with all signs turned as well.
        Tails::One => count / (2.0 * patterns),
    }
}

impl PermutationBatch {
    /// Sums that differ by less than half of what differences are rounded to are equal, or by less
    /// than the rounding of scores to whole numbers adds up to.
    fn close(&self, size: usize) -> f64 {
        0.5 * self.scores.quantum() + size as f64
    }

    /// Fills in the patterns of a sample, its sums as they are and by pattern.
    fn sum(&self, batch: &SampleBatch, lane: usize, work: &mut Workspace) {
        let queries = batch.sample(lane);
        let (size, systems) = (queries.len(), self.systems);
        let (count, words) = (patterns(size), size.div_ceil(64));
        work.size = size;
        work.patterns.clear();
        if is_exact(size) {
            work.patterns
                .extend((0..count as u64).map(|bits| bits << 1));
        } else {
            let [trial, second] = batch.number(lane);
            let path = [
                stream_id::RELIABILITY_SIGNS,
                batch.size() as u64,
                trial,
                second,
            ];
            let mut random = stream(self.setting.seed, &path);
            let drawn = (0..count * words).map(|_| random.next_u64());
            work.patterns.extend(drawn);
        }
        work.observed.resize(systems, 0.0);
        self.scores.sum(queries, &mut work.observed);
        work.rows.clear();
        work.rows.resize(count * systems, 0.0);
        for (number, octet) in queries.chunks(OCTET).enumerate() {
            self.tabulate(octet, &mut work.table);
            let bits = (1 << octet.len()) - 1;
            let (word, shift) = (number * OCTET / 64, number * OCTET % 64);
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

    /// The signed sums of up to eight queries: a bit of a row's number turns the sign of its query.
    fn tabulate(&self, queries: &[u32], table: &mut Vec<f64>) {
        table.clear();
        table.resize(self.systems, 0.0);
        self.scores.sum(queries, table);
        for &query in queries {
            // All rows so far once more, with this query turned.
            let known = table.len();
            table.extend_from_within(..);
            for row in table[known..].chunks_exact_mut(self.systems) {
                for (sum, score) in row.iter_mut().zip(self.scores.row(query)) {
                    *sum -= 2.0 * score;
                }
            }
        }
    }

    /// How many patterns are as extreme as the signs of a pair are, counted until they are enough.
    fn count(&self, (a, b): (usize, usize), enough: u32, work: &Workspace) -> u32 {
        let observed = work.observed[a] - work.observed[b];
        let bound = observed.abs() - self.close(work.size);
        // The first is the one that is ahead.
        let pair = if observed < 0.0 { (b, a) } else { (a, b) };
        let (up, down) = (
            |d: f64| u64::from(d >= bound),
            |d: f64| u64::from(-d >= bound),
        );
        match self.setting.tails {
            Tails::Two => self.counted(pair, enough, work, |d| u64::from(d.abs() >= bound)),
            // Both a pattern and the one with all signs turned.
            Tails::One if is_exact(work.size) => {
                self.counted(pair, enough, work, |d| up(d) + down(d))
            }
            Tails::One => self.counted(pair, enough, work, up),
        }
    }

    #[inline]
    fn counted(
        &self,
        (a, b): (usize, usize),
        enough: u32,
        work: &Workspace,
        extreme: impl Fn(f64) -> u64 + Copy,
    ) -> u32 {
        let patterns = work.columns.len() / self.systems;
        let column = |system: usize| &work.columns[system * patterns..(system + 1) * patterns];
        let mut count = 0;
        let portions = column(a).chunks(PORTION).zip(column(b).chunks(PORTION));
        for (ours, theirs) in portions {
            count += as_extreme(ours, theirs, extreme);
            if count >= enough {
                break;
            }
        }
        count
    }

    fn lead(&self, (a, b): (usize, usize), work: &Workspace) -> f64 {
        let difference = work.observed[a] - work.observed[b];
        if difference.abs() < self.close(work.size) {
            0.0
        } else {
            difference
        }
    }
}

/// How many differences of sums are extreme.
#[inline]
fn as_extreme(ours: &[f64], theirs: &[f64], extreme: impl Fn(f64) -> u64) -> u32 {
    // Counts as wide as the sums, side by side: both then fill vector registers.
    const SIDES: usize = 8;
    let mut counts = [0u64; SIDES];
    let (whole, rest) = ours.as_chunks::<SIDES>();
    let (their_whole, their_rest) = theirs.as_chunks::<SIDES>();
    for (ours, theirs) in whole.iter().zip(their_whole) {
        for side in 0..SIDES {
            counts[side] += extreme(ours[side] - theirs[side]);
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
        let TestParameters { alpha, tails, .. } = self.setting;
        let not_significant = |count: &u32| p_value(size, tails, *count) >= alpha;
        let enough = (0..=2 * patterns(size) as u32).find(not_significant);
        let enough = enough.unwrap_or(u32::MAX);
        let mut work = Workspace::default();
        for lane in 0..batch.len() {
            self.sum(batch, lane, &mut work);
            for (number, pair) in pairs(self.systems).enumerate() {
                let significant = self.count(pair, enough, &work) < enough;
                let lead = self.lead(pair, &work);
                verdicts.set(number, lane, SystemPairVerdict::new(lead, significant));
            }
        }
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let mut work = Workspace::default();
        self.sum(batch, lane, &mut work);
        let evidence = pairs(self.systems).map(|pair| SystemPairPValue {
            p: p_value(
                batch.size(),
                self.setting.tails,
                self.count(pair, u32::MAX, &work),
            ),
            lead: self.lead(pair, &work),
        });
        evidence.collect()
    }
}
