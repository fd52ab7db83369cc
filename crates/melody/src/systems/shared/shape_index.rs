//! An index for ShapeH: which documents are worth aligning with a query.
//!
//! A hybrid alignment pays for every gram that it skips at the start, so documents that score high share
//! grams with the query at nearly the same places, and some of the first ones. The index knows for every run
//! of three intervals at every place which documents have it there. A query notes for the documents that share
//! one of its first runs which of its runs they share. From that follows about what they score: the best
//! beginning of the query by the grams that are shared and those that are not, over the length of the shorter
//! melody. Those for whom it is highest are aligned. An item may be missed; no score changes.

use std::collections::HashMap;
use std::sync::Mutex;

use super::trigram::{RaggedArray, Trigram};

/// How many runs of a query are looked for: as many as a document's note of them has bits.
const RUNS: usize = 16;

/// A document is thought of only if it shares one of so many first runs.
const EARLY: usize = 4;

/// By how much the places of a run may differ.
const DRIFT: usize = 2;

/// How many documents are aligned for each result that is wanted, and how many at least.
const PER_RESULT: usize = 20;
const LEAST: usize = 500;

/// What a shared gram adds to the guess at a score, and what one that is not shared takes away.
const SHARED: i16 = 2;
const NOT_SHARED: i16 = 1;

/// How many different guesses there are, and how many of them lie below that of a melody all of whose grams
/// are shared.
const LEVELS: usize = 512;
const WHOLE: usize = 384;

pub(crate) struct ShapeIndex {
    /// Where the documents of each run are.
    runs: HashMap<u64, (u32, u32)>,
    documents: Vec<u32>,
    /// The number of grams of each document, as far as it fits.
    lengths: Vec<u8>,
    /// What eight grams add to a guess, by which of them are shared.
    eights: Vec<EightGrams>,
    /// Notes of shared runs, all empty, for whoever searches next.
    idle: Mutex<Vec<Vec<u16>>>,
}

/// What eight grams that follow each other add: all of them, and the best beginning.
#[derive(Clone, Copy)]
struct EightGrams {
    all: i16,
    best: i16,
}

impl EightGrams {
    fn from_bits(shared: u8) -> Self {
        let (mut all, mut best) = (0, 0);
        for gram in 0..u8::BITS {
            let is_shared = shared >> gram & 1 == 1;
            all += if is_shared { SHARED } else { -NOT_SHARED };
            best = best.max(all);
        }
        Self { all, best }
    }
}

/// Three intervals at a place, as one number. Two grams that follow each other have them.
fn run(place: usize, first: Trigram, second: Trigram) -> u64 {
    let grams = (first.number() as u64) << 16 | second.number() as u64;
    (place as u64) << 32 | grams
}

/// The runs of a document that a query can ask for.
fn runs(grams: &[Trigram]) -> impl Iterator<Item = u64> + '_ {
    let pairs = grams.windows(2).take(RUNS + DRIFT).enumerate();
    pairs.map(|(place, two)| run(place, two[0], two[1]))
}

/// A document of one gram has no run: it is found by its gram.
fn alone(gram: Trigram) -> u64 {
    u64::MAX << 32 | gram.number() as u64
}

impl ShapeIndex {
    pub(crate) fn build(lines: &RaggedArray<Trigram>) -> Self {
        let mut places: Vec<(u64, u32)> = Vec::new();
        let mut lengths = Vec::with_capacity(lines.len());
        for number in 0..lines.len() {
            let line = lines.row(number);
            lengths.push(u8::try_from(line.len()).unwrap_or(u8::MAX));
            let document = number as u32;
            match line {
                [only] => places.push((alone(*only), document)),
                grams => places.extend(runs(grams).map(|run| (run, document))),
            }
        }
        places.sort_unstable();
        let mut found = HashMap::new();
        let mut start = 0;
        for same in places.chunk_by(|one, other| one.0 == other.0) {
            let end = start + same.len();
            found.insert(same[0].0, (start as u32, end as u32));
            start = end;
        }
        Self {
            runs: found,
            documents: places.into_iter().map(|(_, document)| document).collect(),
            lengths,
            eights: (0..=u8::MAX).map(EightGrams::from_bits).collect(),
            idle: Mutex::new(Vec::new()),
        }
    }

    fn documents(&self, run: u64) -> &[u32] {
        match self.runs.get(&run) {
            Some(&(start, end)) => &self.documents[start as usize..end as usize],
            None => &[],
        }
    }

    /// The documents that are likely to score highest; nothing where too few are known to share anything, so
    /// that all must be aligned.
    pub(crate) fn candidates(&self, query: &[Trigram], top: usize) -> Option<Vec<u32>> {
        let found = self.estimate_scores(query);
        let wanted = (PER_RESULT * top).max(LEAST);
        let mut chosen = highest(&found, wanted);
        if let Some(first) = query.first() {
            let alone = self.documents(alone(*first));
            chosen.extend(alone.iter().take(wanted));
        }
        // In the order in which they lie in memory.
        chosen.sort_unstable();
        (chosen.len() >= top).then_some(chosen)
    }

    /// The documents that share one of the query's first runs, each with a guess at its score.
    fn estimate_scores(&self, query: &[Trigram]) -> Vec<(u16, u32)> {
        let idle = || {
            self.idle
                .lock()
                .expect("nobody panics while holding the lock")
        };
        let known = idle().pop();
        let mut shared = known.unwrap_or_else(|| vec![0; self.lengths.len()]);
        let mut found: Vec<u32> = Vec::new();
        for (number, two) in query.windows(2).take(RUNS).enumerate() {
            let bit = 1 << number;
            for place in number.saturating_sub(DRIFT)..=number + DRIFT {
                for &document in self.documents(run(place, two[0], two[1])) {
                    let runs = &mut shared[document as usize];
                    if number < EARLY && *runs == 0 {
                        found.push(document);
                    }
                    *runs |= bit;
                }
            }
        }
        let guess = self.guess(query.len());
        let guesses = found.into_iter().map(|document| {
            let level = guess(shared[document as usize], document as usize);
            (level, document)
        });
        let guesses = guesses.collect();
        shared.fill(0);
        idle().push(shared);
        guesses
    }

    /// What a document may score that shares these runs with a query of so many grams.
    fn guess(&self, grams: usize) -> impl Fn(u16, usize) -> u16 + '_ {
        // Divisions by each length, as multiplications.
        const ONE: usize = 1 << 12;
        let over: [u32; 256] = std::array::from_fn(|length| {
            let shorter = length.clamp(1, grams.max(1));
            (WHOLE * ONE / SHARED as usize / shorter) as u32
        });
        move |runs, document| {
            // A run is two grams.
            let grams = u32::from(runs) | u32::from(runs) << 1;
            let [first, second, last, _] = grams.to_le_bytes();
            let (first, second) = (
                self.eights[usize::from(first)],
                self.eights[usize::from(second)],
            );
            let whole = first.all + second.all + SHARED * i16::from(last);
            let best = first.best.max(first.all + second.best).max(whole);
            let level =
                best.unsigned_abs() as usize * over[usize::from(self.lengths[document])] as usize;
            (level / ONE).min(LEVELS - 1) as u16
        }
    }
}

/// So many of the documents, those with the highest guesses; the first that were found of equal ones.
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
    // All above the last level, and as many of that as are still wanted.
    let above = (found.iter()).filter(|&&(level, _)| usize::from(level) > least);
    let last = (found.iter()).filter(|&&(level, _)| usize::from(level) == least);
    let chosen = above.chain(last.take(wanted - sum));
    chosen.map(|&(_, document)| document).collect()
}
