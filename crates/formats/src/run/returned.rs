//! What a run returned for one query, and its order.

use std::cmp::Ordering;

use partita_core::Names;

use super::remarks::Remarks;
use super::shelf::Shelf;
use super::{Order, ReadOptions, Ties};
use crate::words::Decimal;

/// What a run returned for one query, first as it stands in the file.
///
/// The names lie in one string, and all memory is used again for the next query.
pub(super) struct Returned {
    names: Vec<u8>,
    entries: Vec<Document>,
    first_line: u64,
    /// Whether no score is above the one before.
    descending: bool,
    /// The places whose score is equal to the one before.
    ties: Vec<usize>,
    table: Vec<u64>,
}

/// A document; kept small, because a query has a thousand of them and a core little cache.
struct Document {
    /// The score, or its digits where that gives the same order.
    score: f64,
    decimals: u8,
    rank: f64,
    start: u32,
    end: u32,
    /// Its line, counted from that of the first document.
    line: u32,
}

impl Default for Returned {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            entries: Vec::new(),
            first_line: 0,
            descending: true,
            ties: Vec::new(),
            table: Vec::new(),
        }
    }
}

impl Returned {
    /// What a query returned of which this is the first line.
    pub(super) fn starting_at(line: u64) -> Self {
        Self {
            first_line: line,
            ..Self::default()
        }
    }

    /// Forgets all but the memory.
    pub(super) fn restart_at(&mut self, line: u64) {
        self.first_line = line;
        self.names.clear();
        self.entries.clear();
        self.descending = true;
        self.ties.clear();
    }

    /// Takes in a document, whose name stands here in the text. Gives `false` if there is no room
    /// for more.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        text: &[u8],
        (from, to): (usize, usize),
        score: Decimal,
        rank: f64,
        line: u64,
    ) -> bool {
        let start = self.names.len();
        // Copying a fixed number of bytes is a few instructions; a varying number is a call.
        match text[from..].first_chunk::<32>() {
            Some(name_and_more) if to - from <= 32 => {
                self.names.extend_from_slice(name_and_more);
                self.names.truncate(start + to - from);
            }
            _ => self.names.extend_from_slice(&text[from..to]),
        }
        let Ok(end) = u32::try_from(self.names.len()) else {
            return false;
        };
        let Ok(line) = u32::try_from(line - self.first_line) else {
            return false;
        };
        self.entries.push(Document {
            score: score.digits,
            decimals: score.decimals,
            rank,
            start: start as u32,
            end,
            line,
        });
        true
    }

    /// Puts the documents in their order on a shelf.
    pub(super) fn put_in_order<S: Shelf>(
        &mut self,
        query: usize,
        name: &str,
        options: &ReadOptions,
        shelf: &mut S,
        remarks: &mut Remarks,
    ) {
        self.settle_scores(options);
        self.sort(options);
        let ends = self.tied_ends(options);
        let (names, entries) = (self.names.as_slice(), self.entries.as_slice());
        let document = |entry: &Document| &names[entry.start as usize..entry.end as usize];
        let line = |entry: &Document| self.first_line + u64::from(entry.line);
        for (before, after) in entries.iter().zip(entries.iter().skip(1)) {
            if in_conflict(before, after, options.order) {
                remarks.conflict(line(after), name, document(after));
            }
        }
        let mut seen = Seen::with_room(entries.len(), &mut self.table);
        let mut repeats = Vec::new();
        for (place, entry) in entries.iter().enumerate() {
            let text = document(entry);
            let is_it = |other: usize| document(&entries[other]) == text;
            if !seen.insert(Names::hash(text), place, is_it) {
                remarks.repeat(line(entry), name, text);
                repeats.push(place);
            }
        }
        let ranked = Ranked {
            names,
            entries,
            seen,
            repeats,
        };
        shelf.put(query, &ranked, ends);
    }

    /// Makes scores of what was read, and looks whether they are in order.
    fn settle_scores(&mut self, options: &ReadOptions) {
        // Where all have the same decimals, their digits are in the same order as their values.
        let same = |pair: &[Document]| pair[0].decimals == pair[1].decimals;
        if options.single_precision || !self.entries.windows(2).all(same) {
            for entry in &mut self.entries {
                let score = Decimal {
                    digits: entry.score,
                    decimals: entry.decimals,
                };
                entry.score = match options.single_precision {
                    true => f64::from(score.value() as f32),
                    false => score.value(),
                };
                entry.decimals = 0;
            }
        }
        let (mut before, mut descending) = (f64::NAN, true);
        // Whether neighbours are tied cannot be predicted, so nothing may depend on it: each place
        // is noted, and stays if it is to stay.
        self.ties.resize(self.entries.len(), 0);
        let mut ties = 0;
        for (place, entry) in self.entries.iter().enumerate() {
            // There is nothing before the first: NaN is below nothing.
            descending &= before.partial_cmp(&entry.score) != Some(Ordering::Less);
            self.ties[ties] = place;
            ties += usize::from(before == entry.score);
            before = entry.score;
        }
        self.ties.truncate(ties);
        self.descending = descending;
    }

    fn sort(&mut self, options: &ReadOptions) {
        let Self { names, entries, .. } = self;
        let document = |entry: &Document| &names[entry.start as usize..entry.end as usize];
        // Equal keys: by name, descending, or as in the file. No key is NaN.
        let among_ties = |a: &Document, b: &Document| {
            let by_name = match options.ties {
                Ties::Docno => document(b).cmp(document(a)),
                Ties::File | Ties::Average => Ordering::Equal,
            };
            by_name.then(a.line.cmp(&b.line))
        };
        let by = |x: f64, y: f64| x.partial_cmp(&y).unwrap_or(Ordering::Equal);
        match options.order {
            Order::File => {}
            // Most files are in order already: only ties are left to sort.
            Order::Score if self.descending => {
                for tied in self.ties.chunk_by(|a, b| a + 1 == *b) {
                    let (first, last) = (tied[0] - 1, tied[tied.len() - 1]);
                    match &mut entries[first..=last] {
                        // Most ties are of two.
                        [a, b] if among_ties(a, b).is_gt() => std::mem::swap(a, b),
                        [_, _] => {}
                        more => more.sort_unstable_by(among_ties),
                    }
                }
            }
            Order::Score => {
                entries.sort_unstable_by(|a, b| by(b.score, a.score).then_with(|| among_ties(a, b)))
            }
            Order::Rank => {
                entries.sort_unstable_by(|a, b| by(a.rank, b.rank).then_with(|| among_ties(a, b)));
            }
        }
    }

    /// The ends of the groups of tied documents, where they are not to be put in order.
    fn tied_ends(&self, options: &ReadOptions) -> Option<Vec<usize>> {
        if options.ties != Ties::Average || options.order == Order::File {
            return None;
        }
        let tied = |a: &Document, b: &Document| match options.order {
            Order::Rank => a.rank == b.rank,
            _ => a.score == b.score,
        };
        let mut end = 0;
        let groups = self.entries.chunk_by(tied);
        let ends = groups.map(|group| {
            end += group.len();
            end
        });
        Some(ends.collect())
    }
}

/// What a run returned for one query, in its order.
pub(super) struct Ranked<'r> {
    names: &'r [u8],
    entries: &'r [Document],
    seen: Seen<'r>,
    repeats: Vec<usize>,
}

impl Ranked<'_> {
    /// The number of places.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The names of the documents.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.entries.iter().map(|entry| self.name(entry))
    }

    /// The places of documents that stand before as well, with their names.
    pub(super) fn repeats(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let places = self.repeats.iter().copied();
        places.map(|place| (place, self.name(&self.entries[place])))
    }

    /// The first place of the document with this name.
    pub(super) fn place(&self, name: &[u8]) -> Option<usize> {
        let is_it = |place: usize| self.name(&self.entries[place]) == name;
        self.seen.find(Names::hash(name), is_it).ok()
    }

    fn name(&self, entry: &Document) -> &[u8] {
        &self.names[entry.start as usize..entry.end as usize]
    }
}

/// The first places of documents, found by the hashes of their names.
///
/// A table with open addressing, of which the memory is used again for the next query. It holds
/// the upper half of a hash above the document's place plus 1, so that names are compared
/// only where hashes are the same.
struct Seen<'t> {
    table: &'t mut [u64],
}

impl<'t> Seen<'t> {
    /// None yet, with room for this many.
    fn with_room(documents: usize, table: &'t mut Vec<u64>) -> Self {
        table.clear();
        // It is mostly empty, so that most documents find their place at once.
        table.resize((3 * documents).next_power_of_two().max(2), 0);
        Self { table }
    }

    /// The place of the document with this hash for which `is_it` is true, or where in the table
    /// it would have to stand.
    #[inline(always)]
    fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let last = self.table.len() - 1;
        let mut at = hash as usize & last;
        loop {
            let entry = self.table[at];
            if entry == 0 {
                return Err(at);
            }
            let place = entry as u32 as usize - 1;
            if entry >> 32 == hash >> 32 && is_it(place) {
                return Ok(place);
            }
            at = (at + 1) & last;
        }
    }

    /// Adds a document, unless it is there already.
    #[inline(always)]
    fn insert(&mut self, hash: u64, place: usize, is_it: impl Fn(usize) -> bool) -> bool {
        match self.find(hash, is_it) {
            Ok(_) => false,
            Err(at) => {
                self.table[at] = hash >> 32 << 32 | (place as u64 + 1);
                true
            }
        }
    }
}

/// Whether rank and score disagree on the order of two neighbours.
#[inline]
fn in_conflict(before: &Document, after: &Document, order: Order) -> bool {
    match order {
        Order::Score => before.rank > after.rank && before.score > after.score,
        Order::Rank => before.rank < after.rank && before.score < after.score,
        Order::File => false,
    }
}
