//! What a run returned for its queries, and its order.

use std::cmp::Ordering;

use partita_core::Names;

use super::sink::RankingSink;
use super::warnings::RunWarnings;
use super::{RunOrder, RunReadOptions, TieBreaking};

/// What a run returned, as it stands in the file: for one query, or for all of them if their lines
/// are mixed. All memory is used again for the next query.
#[derive(Default)]
pub(super) struct DocumentBuffer {
    documents: Vec<DocumentEntry>,
    texts: DocumentNames,
    work: SortBuffer,
}

/// A document; kept small, because a query has a thousand of them and a core little cache.
#[derive(Clone, Copy)]
struct DocumentEntry {
    score: f64,
    rank: f64,
    /// Where its name starts, and how long it is.
    start: usize,
    length: u32,
    /// Its line, counted from the first.
    line: u32,
}

/// The names of all documents in one string, and the line that others are counted from.
#[derive(Default)]
struct DocumentNames {
    names: Vec<u8>,
    first_line: u64,
}

impl DocumentNames {
    fn name(&self, document: &DocumentEntry) -> &[u8] {
        &self.names[document.start..][..document.length as usize]
    }

    fn line(&self, document: &DocumentEntry) -> u64 {
        self.first_line + u64::from(document.line)
    }
}

impl DocumentBuffer {
    /// Forgets all but the memory.
    pub(super) fn restart_at(&mut self, line: u64) {
        self.texts.first_line = line;
        self.texts.names.clear();
        self.documents.clear();
    }

    /// Takes in a document, whose name stands here in the text. Gives `false` if its line is too
    /// far from the first.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        text: &[u8],
        (from, to): (usize, usize),
        score: f64,
        rank: f64,
        line: u64,
    ) -> bool {
        let names = &mut self.texts.names;
        let start = names.len();
        // Copying a fixed number of bytes is a few instructions; a varying number is a call.
        match text[from..].first_chunk::<32>() {
            Some(name_and_more) if to - from <= 32 => {
                names.extend_from_slice(name_and_more);
                names.truncate(start + to - from);
            }
            _ => names.extend_from_slice(&text[from..to]),
        }
        let Ok(line) = u32::try_from(line - self.texts.first_line) else {
            return false;
        };
        self.documents.push(DocumentEntry {
            score,
            rank,
            start,
            length: (to - from) as u32,
            line,
        });
        true
    }

    /// Puts the documents, which are all of one query, in their order on a shelf.
    pub(super) fn flush_query<S: RankingSink>(
        &mut self,
        query: usize,
        options: &RunReadOptions,
        shelf: &mut S,
        remarks: &mut RunWarnings,
    ) {
        let (documents, texts) = (&mut self.documents, &self.texts);
        let work = &mut self.work;
        work.put(documents, texts, query, options, shelf, remarks);
    }

    /// Puts the documents, which are of these queries, in their order on a shelf.
    pub(super) fn flush_queries<S: RankingSink>(
        &mut self,
        queries: &[u32],
        options: &RunReadOptions,
        shelf: &mut S,
        remarks: &mut RunWarnings,
    ) {
        let count = queries.iter().max().map_or(0, |&last| last as usize + 1);
        let mut ends = vec![0; count];
        for &query in queries {
            ends[query as usize] += 1;
        }
        let mut places = vec![0u32; queries.len()];
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        for (place, &query) in (0..).zip(queries) {
            places[ends[query as usize]] = place;
            ends[query as usize] += 1;
        }
        let mut documents = Vec::new();
        let mut start = 0;
        for (query, end) in ends.into_iter().enumerate() {
            let places = &places[std::mem::replace(&mut start, end)..end];
            if !places.is_empty() {
                documents.clear();
                documents.extend(places.iter().map(|&place| self.documents[place as usize]));
                let (work, texts) = (&mut self.work, &self.texts);
                work.put(&mut documents, texts, query, options, shelf, remarks);
            }
        }
    }
}

/// Memory for putting documents in order.
#[derive(Default)]
struct SortBuffer {
    /// The places whose key is equal to the one before.
    ties: Vec<usize>,
    keys: Vec<(u64, u32)>,
    unsorted: Vec<DocumentEntry>,
    table: Vec<u64>,
}

impl SortBuffer {
    /// Puts the documents of a query in their order on a shelf.
    fn put<S: RankingSink>(
        &mut self,
        documents: &mut [DocumentEntry],
        texts: &DocumentNames,
        query: usize,
        options: &RunReadOptions,
        shelf: &mut S,
        remarks: &mut RunWarnings,
    ) {
        if options.score_precision {
            for document in &mut *documents {
                document.score = f64::from(document.score as f32);
            }
        }
        let agreed = self.sort(documents, texts, options);
        let documents = &*documents;
        if !agreed {
            for (before, after) in documents.iter().zip(documents.iter().skip(1)) {
                if in_conflict(before, after, options.order) {
                    remarks.conflict(texts.line(after), shelf.name(query), texts.name(after));
                }
            }
        }
        let mut seen = FirstPositionTable::with_room(documents.len(), &mut self.table);
        let mut repeats = Vec::new();
        for (place, document) in documents.iter().enumerate() {
            let name = texts.name(document);
            let is_it = |other: usize| texts.name(&documents[other]) == name;
            if !seen.insert(Names::hash(name), place, is_it) {
                remarks.repeat(texts.line(document), shelf.name(query), name);
                repeats.push(place);
            }
        }
        let ranked = RankedDocuments {
            documents,
            texts,
            seen,
            repeats,
        };
        shelf.write_ranking(query, &ranked, tied_ends(documents, options));
    }

    /// Sorts documents, and says whether ranks and scores are known to agree on the order.
    fn sort(
        &mut self,
        documents: &mut [DocumentEntry],
        texts: &DocumentNames,
        options: &RunReadOptions,
    ) -> bool {
        let descending = self.find_ties(documents, |document| document.score);
        let rising = documents.is_sorted_by(|a, b| a.rank <= b.rank);
        match options.order {
            RunOrder::File => return true,
            // Most files are in order already: only ties are left to sort.
            RunOrder::Score if descending => {}
            RunOrder::Score => self.sort_by(documents, |document| document.score),
            RunOrder::Rank => self.sort_by(documents, |document| -document.rank),
        }
        // Ties: by name, descending, or as in the file.
        let among_ties = |a: &DocumentEntry, b: &DocumentEntry| {
            let by_name = match options.ties {
                TieBreaking::Docno => texts.name(b).cmp(texts.name(a)),
                TieBreaking::File | TieBreaking::Average => Ordering::Equal,
            };
            by_name.then(a.line.cmp(&b.line))
        };
        for tied in self.ties.chunk_by(|a, b| a + 1 == *b) {
            let (first, last) = (tied[0] - 1, tied[tied.len() - 1]);
            match &mut documents[first..=last] {
                // Most ties are of two.
                [a, b] if among_ties(a, b).is_gt() => std::mem::swap(a, b),
                [_, _] => {}
                more => more.sort_unstable_by(among_ties),
            }
        }
        descending && rising
    }

    /// Sorts documents by a key, highest first, and finds the ties. No key is NaN.
    fn sort_by(&mut self, documents: &mut [DocumentEntry], key: impl Fn(&DocumentEntry) -> f64) {
        // Small and plain keys are sorted in half the time of documents.
        self.keys.clear();
        let keys = (0..).zip(&*documents).map(|(place, document)| {
            // Adding 0 turns a negative zero into a positive one. Below zero, bits rise as numbers
            // fall.
            let bits = (key(document) + 0.0).to_bits();
            let sign = 1 << 63;
            let rising = if bits < sign { bits | sign } else { !bits };
            (!rising, place)
        });
        self.keys.extend(keys);
        self.keys.sort_unstable_by_key(|&(key, _)| key);
        self.unsorted.clear();
        self.unsorted.extend_from_slice(documents);
        for (document, &(_, place)) in documents.iter_mut().zip(&self.keys) {
            *document = self.unsorted[place as usize];
        }
        self.find_ties(documents, key);
    }

    /// Finds the places whose key is equal to the one before, and says whether none is above it.
    fn find_ties(
        &mut self,
        documents: &[DocumentEntry],
        key: impl Fn(&DocumentEntry) -> f64,
    ) -> bool {
        let (mut before, mut descending) = (f64::NAN, true);
        // Whether neighbours are tied cannot be predicted, so nothing may depend on it: each place
        // is noted, and stays if it is to stay.
        self.ties.resize(documents.len(), 0);
        let mut ties = 0;
        for (place, document) in documents.iter().enumerate() {
            let key = key(document);
            // There is nothing before the first: NaN is below nothing.
            descending &= before.partial_cmp(&key) != Some(Ordering::Less);
            self.ties[ties] = place;
            ties += usize::from(before == key);
            before = key;
        }
        self.ties.truncate(ties);
        descending
    }
}

/// The ends of the groups of tied documents, where they are not to be put in order.
fn tied_ends(documents: &[DocumentEntry], options: &RunReadOptions) -> Option<Vec<usize>> {
    if options.ties != TieBreaking::Average || options.order == RunOrder::File {
        return None;
    }
    let tied = |a: &DocumentEntry, b: &DocumentEntry| match options.order {
        RunOrder::Rank => a.rank == b.rank,
        _ => a.score == b.score,
    };
    let mut end = 0;
    let ends = documents.chunk_by(tied).map(|group| {
        end += group.len();
        end
    });
    Some(ends.collect())
}

/// What a run returned for one query, in its order, each document to be found by its name.
pub(super) struct RankedDocuments<'r> {
    documents: &'r [DocumentEntry],
    texts: &'r DocumentNames,
    seen: FirstPositionTable<'r>,
    repeats: Vec<usize>,
}

impl RankedDocuments<'_> {
    /// The number of places.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// The names of the documents.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.documents
            .iter()
            .map(|document| self.texts.name(document))
    }

    /// The places of documents that stand before as well, with their names.
    pub(super) fn repeats(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let places = self.repeats.iter().copied();
        places.map(|place| (place, self.texts.name(&self.documents[place])))
    }

    /// The first place of the document with this name.
    pub(super) fn place(&self, name: &[u8]) -> Option<usize> {
        let is_it = |place: usize| self.texts.name(&self.documents[place]) == name;
        self.seen.find(Names::hash(name), is_it).ok()
    }
}

/// The first places of documents, found by the hashes of their names.
///
/// A table with open addressing, of which the memory is used again for the next query. It holds
/// the upper half of a hash above the document's place plus 1, so that names are compared
/// only where hashes are the same.
struct FirstPositionTable<'t> {
    table: &'t mut [u64],
}

impl<'t> FirstPositionTable<'t> {
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
fn in_conflict(before: &DocumentEntry, after: &DocumentEntry, order: RunOrder) -> bool {
    match order {
        RunOrder::Score => before.rank > after.rank && before.score > after.score,
        RunOrder::Rank => before.rank < after.rank && before.score < after.score,
        RunOrder::File => false,
    }
}
