//! Index for ShapeH that selects the documents worth aligning with a query.
//!
//! A hybrid alignment pays for every gram that it skips at the start, so documents with high scores
//! share grams with the query at nearly the same positions, including some of the first grams. The
//! index maps every run of three intervals at every position to the documents that contain it
//! there. For each document that shares one of the query's first runs, a search records which of
//! the query's runs it shares. The score is estimated from these runs: the highest prefix sum over
//! the query's grams, in which shared grams add and others subtract, divided by the length of the
//! shorter melody. The documents with the highest estimates are aligned. The index may miss an
//! item, but it never changes a score.

use std::collections::HashMap;
use std::sync::Mutex;

use super::ragged::RaggedArray;
use super::trigram::Trigram;

/// Number of runs at the start of the query that are looked up. Each has one bit in the mask of a
/// document.
const QUERY_RUNS: usize = 16;

/// Number of runs at the start of the query, of which a candidate document must share at least one.
const EARLY_RUNS: usize = 4;

/// Largest difference between the positions of a shared run in the query and in the document.
const MOST_DRIFT: usize = 2;

/// Number of documents to align per requested result.
const CANDIDATES_PER_RESULT: usize = 20;

/// Smallest number of documents to align.
const LEAST_CANDIDATES: usize = 500;

/// Amount that a gram which query and document share adds to an estimate.
const SHARED_GRAM: i16 = 2;

/// Amount that any other gram of the query subtracts from an estimate.
const UNSHARED_GRAM: i16 = 1;

/// Number of levels to which estimates are rounded.
const LEVELS: usize = 512;

/// Level of a document that shares all grams with the query.
const FULL_LEVEL: usize = 384;

/// Index of the runs of all documents.
pub(crate) struct ShapeIndex {
    /// For each run code, the range of `documents` that lists the documents with this run.
    ranges: HashMap<u64, (u32, u32)>,
    documents: Vec<u32>,
    /// Number of grams of each document, capped at 255.
    lengths: Vec<u8>,
    /// Contribution of eight consecutive grams to an estimate, indexed by the bit mask of the
    /// shared grams.
    eights: Vec<EightGrams>,
    /// Pool of zeroed masks of shared runs, one entry per document, for reuse by later searches.
    mask_pool: Mutex<Vec<Vec<u16>>>,
}

/// Contribution of eight consecutive grams to an estimate.
#[derive(Clone, Copy)]
struct EightGrams {
    sum: i16,
    /// Highest sum of any number of grams from the first on.
    best: i16,
}

impl EightGrams {
    fn from_bits(shared: u8) -> Self {
        let (mut sum, mut best) = (0, 0);
        for gram in 0..u8::BITS {
            let is_shared = shared >> gram & 1 == 1;
            sum += if is_shared {
                SHARED_GRAM
            } else {
                -UNSHARED_GRAM
            };
            best = best.max(sum);
        }
        Self { sum, best }
    }
}

/// Encodes three intervals at a position, given by two consecutive grams, as one number.
fn run_code(place: usize, first: Trigram, second: Trigram) -> u64 {
    let grams = (first.number() as u64) << 16 | second.number() as u64;
    (place as u64) << 32 | grams
}

/// Returns the runs of a document that are near enough to its start for a query to look up.
fn run_codes(grams: &[Trigram]) -> impl Iterator<Item = u64> + '_ {
    let pairs = grams.windows(2).take(QUERY_RUNS + MOST_DRIFT).enumerate();
    pairs.map(|(place, two)| run_code(place, two[0], two[1]))
}

/// Encodes the gram of a document with only one gram, which has no run.
fn lone_gram_code(gram: Trigram) -> u64 {
    u64::MAX << 32 | gram.number() as u64
}

impl ShapeIndex {
    pub(crate) fn build(lines: &RaggedArray<Trigram>) -> Self {
        let mut postings: Vec<(u64, u32)> = Vec::new();
        let mut lengths = Vec::with_capacity(lines.len());
        for number in 0..lines.len() {
            let line = lines.row(number);
            lengths.push(u8::try_from(line.len()).unwrap_or(u8::MAX));
            let document = number as u32;
            match line {
                [only] => postings.push((lone_gram_code(*only), document)),
                grams => postings.extend(run_codes(grams).map(|code| (code, document))),
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
            eights: (0..=u8::MAX).map(EightGrams::from_bits).collect(),
            mask_pool: Mutex::new(Vec::new()),
        }
    }

    fn documents_with(&self, run_code: u64) -> &[u32] {
        match self.ranges.get(&run_code) {
            Some(&(start, end)) => &self.documents[start as usize..end as usize],
            None => &[],
        }
    }

    /// Returns the documents with the highest estimates, or `None` if these are fewer than `top`,
    /// so that all documents must be aligned.
    pub(crate) fn candidates(&self, query: &[Trigram], top: usize) -> Option<Vec<u32>> {
        let found = self.estimate_scores(query);
        let wanted = (CANDIDATES_PER_RESULT * top).max(LEAST_CANDIDATES);
        let mut chosen = highest(&found, wanted);
        if let Some(first) = query.first() {
            let lone = self.documents_with(lone_gram_code(*first));
            chosen.extend(lone.iter().take(wanted));
        }
        // Sorting makes the alignment read documents in memory order.
        chosen.sort_unstable();
        (chosen.len() >= top).then_some(chosen)
    }

    /// Returns the documents that share one of the query's first runs, with their estimates.
    fn estimate_scores(&self, query: &[Trigram]) -> Vec<(u16, u32)> {
        let mask_pool = || {
            self.mask_pool
                .lock()
                .expect("nobody panics while holding the lock")
        };
        let reused = mask_pool().pop();
        let mut masks = reused.unwrap_or_else(|| vec![0; self.lengths.len()]);
        let mut found: Vec<u32> = Vec::new();
        for (number, two) in query.windows(2).take(QUERY_RUNS).enumerate() {
            let bit = 1 << number;
            for place in number.saturating_sub(MOST_DRIFT)..=number + MOST_DRIFT {
                for &document in self.documents_with(run_code(place, two[0], two[1])) {
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

    /// Returns a function that estimates the score from the mask of shared runs and the length of a
    /// document, for a query with this many grams.
    fn score_estimator(&self, grams: usize) -> impl Fn(u16, usize) -> u16 + '_ {
        // Reciprocals of all lengths in fixed point, to replace divisions.
        const ONE: usize = 1 << 12;
        let over: [u32; 256] = std::array::from_fn(|length| {
            let shorter = length.clamp(1, grams.max(1));
            (FULL_LEVEL * ONE / SHARED_GRAM as usize / shorter) as u32
        });
        move |mask, document| {
            // A run covers two grams, so a shared run means two shared grams.
            let grams = u32::from(mask) | u32::from(mask) << 1;
            let [first, second, last, _] = grams.to_le_bytes();
            let (first, second) = (
                self.eights[usize::from(first)],
                self.eights[usize::from(second)],
            );
            let whole = first.sum + second.sum + SHARED_GRAM * i16::from(last);
            let best = first.best.max(first.sum + second.best).max(whole);
            let level =
                best.unsigned_abs() as usize * over[usize::from(self.lengths[document])] as usize;
            (level / ONE).min(LEVELS - 1) as u16
        }
    }
}

/// Selects the documents with the highest estimates; ties go to those found first.
fn highest(found: &[(u16, u32)], wanted: usize) -> Vec<u32> {
    let mut counts = [0usize; LEVELS];
    for &(level, _) in found {
        counts[usize::from(level)] += 1;
    }
    let (mut least, mut sum) = (LEVELS - 1, 0);
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
