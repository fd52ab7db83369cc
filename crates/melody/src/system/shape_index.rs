//! An index for ShapeH: which documents are worth aligning with a query.
//!
//! A hybrid alignment pays for every gram that it skips at the start, so documents that score high share
//! grams with the query at nearly the same places. The index knows for every run of three intervals at
//! every place which documents have it there. A query collects those that share runs with it at the same
//! place or one beside, and the documents that share most, over the length of the shorter melody, are
//! aligned. An item may be missed; no score changes.

use std::collections::HashMap;
use std::sync::Mutex;

use super::gram::{Lines, Trigram};

/// Runs at later places are not kept.
const PLACES: usize = 256;

/// By how much the places of a run may differ.
const DRIFT: usize = 1;

/// How many documents are aligned for each result that is wanted, and how many at least.
const PER_RESULT: usize = 60;
const LEAST: usize = 1000;

/// More runs than this count as so many, and so do more levels of what they cover.
const MANY: usize = 31;
const LEVELS: usize = 512;

pub(super) struct ShapeIndex {
    /// Where the documents of each run are.
    runs: HashMap<u64, (u32, u32)>,
    documents: Vec<u32>,
    /// The number of grams of each document, as far as it fits.
    lengths: Vec<u8>,
    /// Counts of shared runs, all 0, for whoever searches next.
    idle: Mutex<Vec<Vec<u8>>>,
}

/// Three intervals at a place, as one number. Two grams that follow each other have them.
fn run(place: usize, first: Trigram, second: Trigram) -> u64 {
    let grams = (first.number() as u64) << 16 | second.number() as u64;
    (place as u64) << 32 | grams
}

fn runs(grams: &[Trigram]) -> impl Iterator<Item = u64> + '_ {
    let pairs = grams.windows(2).take(PLACES).enumerate();
    pairs.map(|(place, two)| run(place, two[0], two[1]))
}

/// A document of one gram has no run: it is found by its gram.
fn alone(gram: Trigram) -> u64 {
    u64::MAX << 32 | gram.number() as u64
}

impl ShapeIndex {
    pub(super) fn of(lines: &Lines<Trigram>) -> Self {
        let mut places: Vec<(u64, u32)> = Vec::new();
        let mut lengths = Vec::with_capacity(lines.len());
        for number in 0..lines.len() {
            let line = lines.line(number);
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
            idle: Mutex::new(Vec::new()),
        }
    }

    fn documents(&self, run: u64) -> &[u32] {
        match self.runs.get(&run) {
            Some(&(start, end)) => &self.documents[start as usize..end as usize],
            None => &[],
        }
    }

    /// The documents that share most runs with the query.
    pub(super) fn candidates(&self, query: &[Trigram], top: usize) -> Vec<u32> {
        let idle = || {
            self.idle
                .lock()
                .expect("nobody panics while holding the lock")
        };
        let known = idle().pop();
        let mut shared = known.unwrap_or_else(|| vec![0u8; self.lengths.len()]);
        let mut touched: Vec<u32> = Vec::new();
        for (place, two) in query.windows(2).take(PLACES).enumerate() {
            for place in place.saturating_sub(DRIFT)..=place + DRIFT {
                for &document in self.documents(run(place, two[0], two[1])) {
                    let count = &mut shared[document as usize];
                    if *count == 0 {
                        touched.push(document);
                    }
                    *count = count.saturating_add(1);
                }
            }
        }
        // The share of the shorter melody's grams that the runs cover, in 255ths, for each number of runs
        // (more are as good as the most) and each length.
        let covers: Vec<[u16; 256]> = (0..=MANY)
            .map(|runs| {
                let share = |length: usize| (runs + 1) * 255 / length.clamp(1, query.len().max(1));
                std::array::from_fn(|length| share(length).min(LEVELS - 1) as u16)
            })
            .collect();
        let cover = |document: u32| {
            let runs = usize::from(shared[document as usize]).min(MANY);
            usize::from(covers[runs][usize::from(self.lengths[document as usize])])
        };
        let wanted = (PER_RESULT * top).max(LEAST);
        let mut counts = [0usize; LEVELS];
        for &document in &touched {
            counts[cover(document)] += 1;
        }
        let (mut least, mut sum) = (LEVELS - 1, 0);
        while least > 0 && sum + counts[least] < wanted {
            sum += counts[least];
            least -= 1;
        }
        // All above the last level, and as many of that as are still wanted.
        let mut of_last = wanted - sum;
        let mut chosen: Vec<u32> = Vec::with_capacity(wanted);
        for &document in &touched {
            let level = cover(document);
            if level > least {
                chosen.push(document);
            } else if level == least && of_last > 0 {
                of_last -= 1;
                chosen.push(document);
            }
        }
        for &document in &touched {
            shared[document as usize] = 0;
        }
        idle().push(shared);
        let only: Vec<u32> = match query.first() {
            Some(first) => self.documents(alone(*first)).to_vec(),
            None => Vec::new(),
        };
        chosen.extend(only.into_iter().take(wanted));
        chosen.sort_unstable();
        chosen
    }
}
