//! Buffer that collects and sorts the documents of a query.

use std::cmp::Ordering;

use partita_core::Names;

use super::sink::RankingSink;
use super::warnings::RunWarnings;
use super::{RunOrder, RunReadOptions, ScorePrecision, TieBreaking};

/// Buffer of the documents of a run in the order of the file: for one query, or for all queries if
/// their lines are mixed. The memory is reused for the next query.
#[derive(Default)]
pub(super) struct DocumentBuffer {
    documents: Vec<DocumentEntry>,
    texts: DocumentNames,
    sort_buffer: SortBuffer,
}

/// Document that a run returned for a query. Kept small, because a query has about a thousand of
/// them and the CPU cache is small.
#[derive(Clone, Copy)]
struct DocumentEntry {
    score: f64,
    rank: f64,
    /// Offset of the document's name in the buffer of names; `length` is its length in bytes.
    start: usize,
    length: u32,
    /// Line number of the document in the file, minus [`DocumentNames::first_line`].
    line: u32,
}

/// Names of all buffered documents, one after the other in one buffer, and the line number from
/// which the line numbers of the documents are counted.
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
    /// Clears the buffer but keeps its memory. The line numbers of further documents are stored as
    /// differences from `line`.
    pub(super) fn restart_at(&mut self, line: u64) {
        self.texts.first_line = line;
        self.texts.names.clear();
        self.documents.clear();
    }

    /// Adds the document whose name is at the positions `from..to` of the text. Returns `false` if
    /// its line is too far behind the first one for a difference of 32 bits.
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
        // Copying a fixed number of bytes takes a few instructions; copying a variable number is a
        // function call.
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

    /// Sorts the documents, all of one query, and passes their ranking to the sink.
    pub(super) fn flush_query<S: RankingSink>(
        &mut self,
        query: usize,
        options: &RunReadOptions,
        sink: &mut S,
        counters: &mut RunWarnings,
    ) {
        let (documents, texts) = (&mut self.documents, &self.texts);
        let sort_buffer = &mut self.sort_buffer;
        sort_buffer.flush(documents, texts, query, options, sink, counters);
    }

    /// Groups the documents by query, sorts each group, and passes the rankings to the sink.
    /// `queries` holds the query index of each document.
    pub(super) fn flush_queries<S: RankingSink>(
        &mut self,
        queries: &[u32],
        options: &RunReadOptions,
        sink: &mut S,
        counters: &mut RunWarnings,
    ) {
        let count = queries.iter().max().map_or(0, |&last| last as usize + 1);
        let mut ends = vec![0; count];
        for &query in queries {
            ends[query as usize] += 1;
        }
        let mut positions = vec![0u32; queries.len()];
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        for (position, &query) in (0..).zip(queries) {
            positions[ends[query as usize]] = position;
            ends[query as usize] += 1;
        }
        let mut documents = Vec::new();
        let mut start = 0;
        for (query, end) in ends.into_iter().enumerate() {
            let positions = &positions[std::mem::replace(&mut start, end)..end];
            if !positions.is_empty() {
                documents.clear();
                documents.extend(
                    positions
                        .iter()
                        .map(|&position| self.documents[position as usize]),
                );
                let (sort_buffer, texts) = (&mut self.sort_buffer, &self.texts);
                sort_buffer.flush(&mut documents, texts, query, options, sink, counters);
            }
        }
    }
}

/// Reusable memory for sorting documents.
#[derive(Default)]
struct SortBuffer {
    /// Positions of the documents whose sort key equals that of the document before them.
    ties: Vec<usize>,
    keys: Vec<(u64, u32)>,
    unsorted: Vec<DocumentEntry>,
    table: Vec<u64>,
}

impl SortBuffer {
    /// Sorts the documents of a query and passes their ranking to the sink.
    fn flush<S: RankingSink>(
        &mut self,
        documents: &mut [DocumentEntry],
        texts: &DocumentNames,
        query: usize,
        options: &RunReadOptions,
        sink: &mut S,
        counters: &mut RunWarnings,
    ) {
        if options.score_precision == ScorePrecision::Single {
            for document in &mut *documents {
                document.score = f64::from(document.score as f32);
            }
        }
        let agreed = self.sort(documents, texts, options);
        let documents = &*documents;
        if !agreed {
            for (before, after) in documents.iter().zip(documents.iter().skip(1)) {
                if rank_and_score_disagree(before, after, options.order) {
                    counters.count_conflict(texts.line(after), sink.name(query), texts.name(after));
                }
            }
        }
        if options.order == RunOrder::Score && options.ties != TieBreaking::Average {
            for &position in &self.ties {
                let [before, after] = [&documents[position - 1], &documents[position]];
                if before.rank > after.rank {
                    let name = texts.name(after);
                    counters.count_broken_tie(texts.line(after), sink.name(query), name);
                }
            }
        }
        let mut first_positions =
            FirstPositionTable::with_capacity(documents.len(), &mut self.table);
        let mut repeats = Vec::new();
        for (position, document) in documents.iter().enumerate() {
            let name = texts.name(document);
            let has_same_name = |other: usize| texts.name(&documents[other]) == name;
            if !first_positions.insert(Names::hash(name), position, has_same_name) {
                counters.count_repeat(texts.line(document), sink.name(query), name);
                repeats.push(position);
            }
        }
        let ranked = RankedDocuments {
            documents,
            texts,
            first_positions,
            repeats,
        };
        sink.write_ranking(query, &ranked, tied_ends(documents, options));
    }

    /// Sorts documents as the options require. Returns true if ranks and scores are known to give
    /// the same order, or if the order of the file is kept.
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
            // Most files are sorted by score already, so that only ties are left to sort.
            RunOrder::Score if descending => {}
            RunOrder::Score => self.sort_by(documents, |document| document.score),
            RunOrder::Rank => self.sort_by(documents, |document| -document.rank),
        }
        // Ties are sorted by descending name, or stay in the order of the file.
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
                // Most ties have two documents.
                [a, b] if among_ties(a, b).is_gt() => std::mem::swap(a, b),
                [_, _] => {}
                more => more.sort_unstable_by(among_ties),
            }
        }
        descending && rising
    }

    /// Sorts documents by descending key and finds the tied ones. Keys are never NaN.
    fn sort_by(&mut self, documents: &mut [DocumentEntry], key: impl Fn(&DocumentEntry) -> f64) {
        // Sorting small integer keys takes half the time of sorting documents.
        self.keys.clear();
        let keys = (0..).zip(&*documents).map(|(position, document)| {
            // Adding 0 turns -0 into +0. For negative numbers, bits increase as the number
            // decreases.
            let bits = (key(document) + 0.0).to_bits();
            let sign = 1 << 63;
            let rising = if bits < sign { bits | sign } else { !bits };
            (!rising, position)
        });
        self.keys.extend(keys);
        self.keys.sort_unstable_by_key(|&(key, _)| key);
        self.unsorted.clear();
        self.unsorted.extend_from_slice(documents);
        for (document, &(_, position)) in documents.iter_mut().zip(&self.keys) {
            *document = self.unsorted[position as usize];
        }
        self.find_ties(documents, key);
    }

    /// Stores the positions of the documents whose key equals that of the document before them.
    /// Returns true if keys never increase.
    fn find_ties(
        &mut self,
        documents: &[DocumentEntry],
        key: impl Fn(&DocumentEntry) -> f64,
    ) -> bool {
        let (mut before, mut descending) = (f64::NAN, true);
        // A branch on ties would often be mispredicted, so the loop has none: each position is
        // written, and kept only if it is tied.
        self.ties.resize(documents.len(), 0);
        let mut ties = 0;
        for (position, document) in documents.iter().enumerate() {
            let key = key(document);
            // The first document has no predecessor, so `before` starts as NaN, for which
            // comparisons are false.
            descending &= before.partial_cmp(&key) != Some(Ordering::Less);
            self.ties[ties] = position;
            ties += usize::from(before == key);
            before = key;
        }
        self.ties.truncate(ties);
        descending
    }
}

/// Returns the end position of each group of tied documents, or `None` if the options break ties
/// or keep the order of the file.
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

/// Sorted documents of one query, with lookup by name.
pub(super) struct RankedDocuments<'r> {
    documents: &'r [DocumentEntry],
    texts: &'r DocumentNames,
    first_positions: FirstPositionTable<'r>,
    repeats: Vec<usize>,
}

impl RankedDocuments<'_> {
    /// Returns the number of ranked documents, including repeated ones.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// Returns the names of the documents in the order of rank.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.documents
            .iter()
            .map(|document| self.texts.name(document))
    }

    /// Returns the positions at which a document occurs again, with the name of the document.
    pub(super) fn repeats(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let positions = self.repeats.iter().copied();
        positions.map(|position| (position, self.texts.name(&self.documents[position])))
    }

    /// Returns the first position at which the document with this name occurs.
    pub(super) fn position(&self, name: &[u8]) -> Option<usize> {
        let has_same_name = |position: usize| self.texts.name(&self.documents[position]) == name;
        self.first_positions
            .find(Names::hash(name), has_same_name)
            .ok()
    }
}

/// Hash table from the name of a document to the first position in the ranking at which it occurs.
///
/// It uses open addressing, and its memory is reused for the next query. An entry holds the upper
/// half of the hash and, in the lower half, the document's position plus 1, so that names are
/// compared only if the hashes match.
struct FirstPositionTable<'t> {
    table: &'t mut [u64],
}

impl<'t> FirstPositionTable<'t> {
    /// Creates an empty table for this number of documents.
    fn with_capacity(documents: usize, table: &'t mut Vec<u64>) -> Self {
        table.clear();
        // The load factor is at most 1/3, so most lookups need a single probe.
        table.resize((3 * documents).next_power_of_two().max(2), 0);
        Self { table }
    }

    /// Returns the position of the document with this hash for which `has_same_name(position)` is
    /// true. If there is none, returns the index of the free slot of the table as the error.
    #[inline(always)]
    fn find(&self, hash: u64, has_same_name: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let last = self.table.len() - 1;
        let mut at = hash as usize & last;
        loop {
            let entry = self.table[at];
            if entry == 0 {
                return Err(at);
            }
            let position = entry as u32 as usize - 1;
            if entry >> 32 == hash >> 32 && has_same_name(position) {
                return Ok(position);
            }
            at = (at + 1) & last;
        }
    }

    /// Adds the document at `position`. Returns `false` if the table already has a document of the
    /// same name.
    #[inline(always)]
    fn insert(
        &mut self,
        hash: u64,
        position: usize,
        has_same_name: impl Fn(usize) -> bool,
    ) -> bool {
        match self.find(hash, has_same_name) {
            Ok(_) => false,
            Err(at) => {
                self.table[at] = hash >> 32 << 32 | (position as u64 + 1);
                true
            }
        }
    }
}

/// Returns true if the rank column and the score column disagree on the order of two neighbouring
/// documents.
#[inline]
fn rank_and_score_disagree(before: &DocumentEntry, after: &DocumentEntry, order: RunOrder) -> bool {
    match order {
        RunOrder::Score => before.rank > after.rank && before.score > after.score,
        RunOrder::Rank => before.rank < after.rank && before.score < after.score,
        RunOrder::File => false,
    }
}
