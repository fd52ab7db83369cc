//! Index for ShapeH that selects the documents worth aligning with a query.
//!
//! A hybrid alignment pays for every trigram that it skips at the start, so documents with high
//! scores share trigrams with the query at nearly the same positions, including some of the first
//! trigrams. The index maps every run of three intervals at every position near the start to the
//! documents that contain it there. For each document that shares one of the query's first runs, a
//! search records which of the query's runs it shares. The score is estimated from these runs: the
//! highest prefix sum over the query's trigrams, in which shared trigrams add and others subtract,
//! divided by the number of trigrams of the shorter melody. The documents with the highest
//! estimates are aligned. The index may miss an item, but it never changes a score.

use std::collections::HashMap;
use std::sync::Mutex;

use super::ragged::RaggedArray;
use super::trigram::Trigram;

/// Largest number of runs (three successive intervals) at the start of the query that are looked up
/// in the index. Each has one bit in the bit mask of a document.
const LOOKED_UP_RUNS: usize = 16;

/// Number of runs (three successive intervals) at the start of the query of which a document with
/// more than three notes must share at least one to be aligned.
const EARLY_RUNS: usize = 4;

/// Largest difference between the positions at which query and document contain a run (three
/// successive intervals) that still counts as shared.
const MAX_POSITION_DIFFERENCE: usize = 2;

/// Number of documents with the highest estimated scores that are selected for alignment per
/// requested search result.
const CANDIDATES_PER_RESULT: usize = 20;

/// Number of documents with the highest estimated scores that are selected for alignment even if
/// few results are requested.
const MIN_CANDIDATES: usize = 500;

/// Amount that each trigram of the query adds to the estimated score of a document that shares it.
const SHARED_TRIGRAM_REWARD: i16 = 2;

/// Amount that each trigram of the query subtracts from the estimated score of a document that does
/// not share it.
const OTHER_TRIGRAM_PENALTY: i16 = 1;

/// Number of different values to which estimated scores are rounded, from 0.
const ESTIMATE_LEVELS: usize = 512;

/// Estimated score of a document that shares all trigrams with a query of as many trigrams, if all
/// of them are looked up.
const IDENTICAL_MELODY_LEVEL: usize = 384;

/// Inverted index of runs (three successive intervals at a position) near the start of all
/// documents.
pub(crate) struct ShapeIndex {
    /// For each run, encoded by [`run_code`], the range of `documents` that contain it.
    ranges: HashMap<u64, (u32, u32)>,
    /// Posting lists of all runs, concatenated: indices of the documents that contain each run.
    documents: Vec<u32>,
    /// Number of trigrams of each document, capped at 255.
    lengths: Vec<u8>,
    /// Table of the contributions of eight successive trigrams of the query to an estimated score,
    /// indexed by a byte in which one bits mark the trigrams that query and document share.
    eight_trigram_table: Vec<EightTrigrams>,
    /// Pool of zeroed vectors for reuse by later searches. Each has one bit mask per document,
    /// which marks the runs of the query that the document contains.
    mask_pool: Mutex<Vec<Vec<u16>>>,
}

/// Contribution of eight successive trigrams of the query to an estimated score.
#[derive(Clone, Copy)]
struct EightTrigrams {
    /// Sum of the alignment scores of all eight trigrams: rewards for matches, less penalties.
    sum: i16,
    /// Highest sum of the rewards and penalties of any number of trigrams from the first on.
    best: i16,
}

impl EightTrigrams {
    /// Computes the contribution from a byte in which one bits mark the shared trigrams.
    fn from_bits(shared: u8) -> Self {
        let (mut sum, mut best) = (0, 0);
        for gram in 0..u8::BITS {
            let is_shared = shared >> gram & 1 == 1;
            sum += if is_shared {
                SHARED_TRIGRAM_REWARD
            } else {
                -OTHER_TRIGRAM_PENALTY
            };
            best = best.max(sum);
        }
        Self { sum, best }
    }
}

/// Encodes a run, which is three successive intervals at a position, as one number. The intervals
/// are given by two successive trigrams.
fn run_code(position: usize, first: Trigram, second: Trigram) -> u64 {
    let grams = (first.number() as u64) << 16 | second.number() as u64;
    (position as u64) << 32 | grams
}

/// Iterates over the codes of those runs of a document that are near enough to its start to be
/// shared with a looked-up run of a query.
fn run_codes_near_start(grams: &[Trigram]) -> impl Iterator<Item = u64> + '_ {
    let pairs = grams
        .windows(2)
        .take(LOOKED_UP_RUNS + MAX_POSITION_DIFFERENCE)
        .enumerate();
    pairs.map(|(position, two)| run_code(position, two[0], two[1]))
}

/// Encodes the trigram of a document with only three notes, which contains no run, as a number that
/// differs from all run codes.
fn single_trigram_code(gram: Trigram) -> u64 {
    u64::MAX << 32 | gram.number() as u64
}

impl ShapeIndex {
    /// Builds the index from the trigrams of all documents.
    pub(crate) fn build(lines: &RaggedArray<Trigram>) -> Self {
        let mut postings: Vec<(u64, u32)> = Vec::new();
        let mut lengths = Vec::with_capacity(lines.len());
        for number in 0..lines.len() {
            let line = lines.row(number);
            lengths.push(u8::try_from(line.len()).unwrap_or(u8::MAX));
            let document = number as u32;
            match line {
                [only] => postings.push((single_trigram_code(*only), document)),
                grams => postings.extend(run_codes_near_start(grams).map(|code| (code, document))),
            }
        }
        postings.sort_unstable();
        let mut ranges = HashMap::new();
        let mut start = 0;
        for same in postings.chunk_by(|one, other| one.0 == other.0) {
            let end = start + same.len();
            ranges.insert(same[0].0, (start as u32, end as u32));
            start = end;
        }
        Self {
            ranges,
            documents: postings.into_iter().map(|(_, document)| document).collect(),
            lengths,
            eight_trigram_table: (0..=u8::MAX).map(EightTrigrams::from_bits).collect(),
            mask_pool: Mutex::new(Vec::new()),
        }
    }

    /// Returns the documents that contain the run with this code.
    fn documents_with(&self, run_code: u64) -> &[u32] {
        match self.ranges.get(&run_code) {
            Some(&(start, end)) => &self.documents[start as usize..end as usize],
            None => &[],
        }
    }

    /// Returns the documents with the highest estimated scores and the documents of three notes
    /// that consist of the first trigram of the query, or `None` if they are fewer than `top`, so
    /// that all documents must be aligned.
    pub(crate) fn candidates(&self, query: &[Trigram], top: usize) -> Option<Vec<u32>> {
        let found = self.estimate_scores(query);
        let wanted = (CANDIDATES_PER_RESULT * top).max(MIN_CANDIDATES);
        let mut chosen = select_highest(&found, wanted);
        if let Some(first) = query.first() {
            let lone = self.documents_with(single_trigram_code(*first));
            chosen.extend(lone.iter().take(wanted));
        }
        // Sorting makes the alignment read documents in memory order.
        chosen.sort_unstable();
        (chosen.len() >= top).then_some(chosen)
    }

    /// Returns the documents that share one of the first [`EARLY_RUNS`] runs of the query, each
    /// after its estimated score.
    fn estimate_scores(&self, query: &[Trigram]) -> Vec<(u16, u32)> {
        let mask_pool = || {
            self.mask_pool
                .lock()
                .expect("nobody panics while holding the lock")
        };
        let reused = mask_pool().pop();
        let mut masks = reused.unwrap_or_else(|| vec![0; self.lengths.len()]);
        let mut found: Vec<u32> = Vec::new();
        for (number, two) in query.windows(2).take(LOOKED_UP_RUNS).enumerate() {
            let bit = 1 << number;
            for position in
                number.saturating_sub(MAX_POSITION_DIFFERENCE)..=number + MAX_POSITION_DIFFERENCE
            {
                for &document in self.documents_with(run_code(position, two[0], two[1])) {
                    let mask = &mut masks[document as usize];
                    if number < EARLY_RUNS && *mask == 0 {
                        found.push(document);
                    }
                    *mask |= bit;
                }
            }
        }
        let estimate = self.score_estimator(query.len());
        let estimates = found.into_iter().map(|document| {
            let level = estimate(masks[document as usize], document as usize);
            (level, document)
        });
        let estimates = estimates.collect();
        masks.fill(0);
        mask_pool().push(masks);
        estimates
    }

    /// Returns a function that estimates the score of a document from the bit mask of the runs that
    /// it shares with the query, and its index. `grams` is the number of trigrams of the query.
    fn score_estimator(&self, grams: usize) -> impl Fn(u16, usize) -> u16 + '_ {
        /// Representation of 1 in fixed point, for the reciprocals of document lengths.
        const FIXED_POINT_ONE: usize = 1 << 12;
        // Multiplying by the reciprocal of a length is faster than dividing by the length.
        let reciprocals: [u32; 256] = std::array::from_fn(|length| {
            let shorter = length.clamp(1, grams.max(1));
            (IDENTICAL_MELODY_LEVEL * FIXED_POINT_ONE / SHARED_TRIGRAM_REWARD as usize / shorter)
                as u32
        });
        move |mask, document| {
            // A run consists of two successive trigrams, so a shared run means two shared trigrams.
            let grams = u32::from(mask) | u32::from(mask) << 1;
            let [first, second, last, _] = grams.to_le_bytes();
            let (first, second) = (
                self.eight_trigram_table[usize::from(first)],
                self.eight_trigram_table[usize::from(second)],
            );
            let whole = first.sum + second.sum + SHARED_TRIGRAM_REWARD * i16::from(last);
            let best = first.best.max(first.sum + second.best).max(whole);
            let level = best.unsigned_abs() as usize
                * reciprocals[usize::from(self.lengths[document])] as usize;
            (level / FIXED_POINT_ONE).min(ESTIMATE_LEVELS - 1) as u16
        }
    }
}

/// Selects the `wanted` documents with the highest estimated scores; ties go to those found first.
fn select_highest(found: &[(u16, u32)], wanted: usize) -> Vec<u32> {
    let mut counts = [0usize; ESTIMATE_LEVELS];
    for &(level, _) in found {
        counts[usize::from(level)] += 1;
    }
    let (mut least, mut sum) = (ESTIMATE_LEVELS - 1, 0);
    while least > 0 && sum + counts[least] < wanted {
        sum += counts[least];
        least -= 1;
    }
    // All documents above the lowest selected level, and as many documents at that level as are
    // still needed.
    let above = (found.iter()).filter(|&&(level, _)| usize::from(level) > least);
    let last = (found.iter()).filter(|&&(level, _)| usize::from(level) == least);
    let chosen = above.chain(last.take(wanted - sum));
    chosen.map(|&(_, document)| document).collect()
}
