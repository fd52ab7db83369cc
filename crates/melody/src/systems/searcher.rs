//! Prepared collections and the search in them.
//!
//! A system defines how to compare two melodies ([`Scorer`]). This module contains what all systems
//! share: the treatment of short melodies, rounding and comparison of scores, tie breaking, pruning
//! of documents that cannot reach the top, and parallel work with a deterministic result.

use std::sync::atomic::{AtomicU64, Ordering};

use partita_core::work::{Work, WorkError};

use super::scorer::Scorer;
use crate::Melody;

/// Options of a search in a collection that a system has prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Largest number of results; 0 means all documents.
    pub top: usize,
    /// True to consider every document, even if the system has an index that could select some.
    pub exhaustive: bool,
}

impl SearchOptions {
    /// Options that score and return every document.
    pub const ALL: Self = Self {
        top: 0,
        exhaustive: true,
    };
}

/// Document with its score for a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DocumentScore {
    /// Index of the document in the collection, from 0.
    pub document: usize,
    /// Similarity to the query, rounded to 10 decimals; higher is more similar.
    pub score: f64,
}

/// Collection that a system has prepared for queries.
pub trait Searcher: Send + Sync {
    /// Returns the number of documents in the collection.
    fn documents(&self) -> usize;

    /// Returns the number of documents that have too few notes for the system.
    fn too_short_count(&self) -> usize;

    /// Returns the documents that are most similar to the query, best first, or `None` if the query
    /// has too few notes for the system.
    ///
    /// Ties are broken by the tie rule of the system, then by document index. The result does not
    /// depend on the number of threads.
    fn search(
        &self,
        query: &Melody,
        wanted: SearchOptions,
        work: &dyn Work,
    ) -> Result<Option<Vec<DocumentScore>>, WorkError>;

    /// Returns the score of one document, rounded as in a search, or `None` if the document or the
    /// query has too few notes for the system.
    fn score(&self, query: &Melody, document: usize) -> Option<f64>;

    /// Returns the scores of the given documents in no particular order, without those that are too
    /// short for the system; empty if the query is too short. This is faster than repeated calls of
    /// [`Searcher::score`], which prepare the query each time.
    fn scores(
        &self,
        query: &Melody,
        documents: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError>;

    /// Returns the number of scores that all searches so far have computed, for tests and
    /// benchmarks of pruning. Documents that were excluded by bounds or an index do not count.
    fn scored_count(&self) -> u64;
}

/// Collection in the form that a [`Scorer`] compares.
pub(super) struct PreparedCollection<S: Scorer> {
    pub(super) scorer: S,
    pub(super) documents: S::Documents,
    /// Number of notes of each document.
    pub(super) lengths: Vec<u32>,
    /// Number of scores computed by all searches so far.
    scored: AtomicU64,
}

/// Largest number of documents that one thread scores at a time.
const DOCUMENTS_PER_WORK_UNIT: usize = 1024;

/// Margin for rounding errors when an upper bound on a score is compared with a score.
const BOUND_TOLERANCE: f64 = 1e-9;

impl<S: Scorer> PreparedCollection<S> {
    /// Creates a collection without documents.
    pub(super) fn new(scorer: S) -> Self {
        Self {
            documents: S::Documents::default(),
            scorer,
            lengths: Vec::new(),
            scored: AtomicU64::new(0),
        }
    }

    /// Adds a melody as the next document.
    pub(super) fn add(&mut self, melody: &Melody) {
        let notes = u32::try_from(melody.len());
        let notes = notes.expect("a melody has fewer than four billion notes");
        self.lengths.push(notes);
        self.scorer.add(&mut self.documents, melody);
    }

    /// Completes the collection after its last document.
    pub(super) fn finish(mut self) -> Self {
        self.scorer.finish_documents(&mut self.documents);
        self
    }

    /// Returns true if a document has enough notes for the system.
    pub(super) fn is_long_enough(&self, document: usize) -> bool {
        self.lengths[document] as usize >= self.scorer.min_notes()
    }

    /// Prepares a query, or returns `None` if it has too few notes for the system.
    pub(super) fn prepare_query(&self, query: &Melody) -> Option<S::Query> {
        let enough = query.len() >= self.scorer.min_notes();
        enough.then(|| self.scorer.prepare_query(&self.documents, query))
    }

    /// Returns the `wanted.top` best documents among those that `accepts` allows, and all documents
    /// that tie with the last of them, in no particular order; all allowed documents if
    /// `wanted.top` is 0. The index of the system, if it has one, may leave out some of them unless
    /// the search is exhaustive.
    pub(super) fn top_hits_with_ties(
        &self,
        query: &S::Query,
        wanted: SearchOptions,
        accepts: &(dyn Fn(usize) -> bool + Sync),
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        let top = wanted.top;
        let selected = match (wanted.exhaustive, top) {
            (false, 1..) => (self.scorer).index_candidates(&self.documents, query, top),
            _ => None,
        };
        let is_eligible = |document: usize| self.is_long_enough(document) && accepts(document);
        if let Some(selected) = selected {
            return self.score_all(query, selected.len(), top, work, &|number| {
                Some(selected[number] as usize).filter(|&document| is_eligible(document))
            });
        }
        let upper_bound = |document| (self.scorer).upper_bound(&self.documents, query, document);
        let first = (0..self.lengths.len()).find(|&document| is_eligible(document));
        if top > 0 && first.and_then(upper_bound).is_some() {
            return self.score_by_bound(query, top, work, &is_eligible);
        }
        self.score_all(query, self.lengths.len(), top, work, &|number| {
            Some(number).filter(|&document| is_eligible(document))
        })
    }

    /// Returns the scores of the given documents, in no particular order. Documents that are too
    /// short for the system are left out.
    pub(super) fn score_documents(
        &self,
        query: &S::Query,
        documents: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        let document = |number: usize| {
            Some(documents[number]).filter(|&document| self.is_long_enough(document))
        };
        self.score_all(query, documents.len(), 0, work, &document)
    }

    /// Scores all documents in parallel and keeps the `top` best with ties, or all if `top` is 0.
    /// `document` maps the numbers below `count` to documents, or to `None` to skip them.
    fn score_all(
        &self,
        query: &S::Query,
        count: usize,
        top: usize,
        work: &dyn Work,
        document: &(dyn Fn(usize) -> Option<usize> + Sync),
    ) -> Result<Vec<DocumentScore>, WorkError> {
        // Each block finds a lower bound on the `top`-th highest score. All blocks share the
        // largest of these bounds.
        let shared = SharedThreshold::default();
        let blocks = count.div_ceil(DOCUMENTS_PER_WORK_UNIT);
        let found = work.map_without_progress(blocks, |block| {
            let mut best = TopHits::new(top, shared.current());
            let mut scratch = S::Scratch::default();
            let end = count.min((block + 1) * DOCUMENTS_PER_WORK_UNIT);
            let mut scored = 0;
            for document in (block * DOCUMENTS_PER_WORK_UNIT..end).filter_map(document) {
                let score = (self.scorer).score(&self.documents, query, document, &mut scratch);
                best.offer(document, round_score(score));
                scored += 1;
            }
            self.scored.fetch_add(scored, Ordering::Relaxed);
            let best = best.finish();
            shared.raise_to_lowest_of(&best, top);
            best
        })?;
        let mut best = TopHits::new(top, f64::NEG_INFINITY);
        for hit in found.into_iter().flatten() {
            best.offer(hit.document, hit.score);
        }
        Ok(best.finish())
    }

    /// Scores documents in descending order of their upper bounds, until no other document can be
    /// among the `top` best.
    fn score_by_bound(
        &self,
        query: &S::Query,
        top: usize,
        work: &dyn Work,
        is_eligible: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Vec<DocumentScore>, WorkError> {
        let eligible: Vec<usize> = (0..self.lengths.len())
            .filter(|&d| is_eligible(d))
            .collect();
        let blocks = eligible.len().div_ceil(DOCUMENTS_PER_WORK_UNIT);
        let bounds = work.map_without_progress(blocks, |block| {
            let these = &eligible[block * DOCUMENTS_PER_WORK_UNIT
                ..eligible.len().min((block + 1) * DOCUMENTS_PER_WORK_UNIT)];
            let bound = |&document: &usize| {
                let bound = (self.scorer).upper_bound(&self.documents, query, document);
                (bound.unwrap_or(f64::INFINITY), document)
            };
            these.iter().map(bound).collect::<Vec<(f64, usize)>>()
        })?;
        let mut order: Vec<(f64, usize)> = bounds.into_iter().flatten().collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut best = TopHits::new(top, f64::NEG_INFINITY);
        // Rounds are small, because the lowest score of the best documents so far can exclude more
        // documents in the next round.
        for round in order.chunks(64) {
            if round[0].0 + BOUND_TOLERANCE < best.floor {
                break;
            }
            let floor = best.floor;
            let scores = work.map_without_progress(round.len().div_ceil(8), |piece| {
                let mut scratch = S::Scratch::default();
                let these = &round[piece * 8..round.len().min((piece + 1) * 8)];
                let possible = these
                    .iter()
                    .filter(|(bound, _)| bound + BOUND_TOLERANCE >= floor);
                let score = |&(_, document): &(f64, usize)| {
                    let (scorer, documents) = (&self.scorer, &self.documents);
                    let least = floor - BOUND_TOLERANCE;
                    if least.is_finite()
                        && scorer.cannot_reach(documents, query, document, least, &mut scratch)
                    {
                        return None;
                    }
                    let score = scorer.score(documents, query, document, &mut scratch);
                    Some((document, round_score(score)))
                };
                possible.filter_map(score).collect::<Vec<(usize, f64)>>()
            })?;
            for (document, score) in scores.into_iter().flatten() {
                best.offer(document, score);
                self.scored.fetch_add(1, Ordering::Relaxed);
            }
            best.prune();
        }
        Ok(best.finish())
    }

    /// Sorts documents by score, then by the tie rule of the system, then by index, and keeps the
    /// first `top`, or all if `top` is 0.
    pub(super) fn sort_hits(
        &self,
        query: &S::Query,
        query_notes: usize,
        mut hits: Vec<DocumentScore>,
        top: usize,
    ) -> Vec<DocumentScore> {
        hits.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.document.cmp(&b.document))
        });
        let distance =
            |hit: &DocumentScore| (self.lengths[hit.document] as usize).abs_diff(query_notes);
        let mut start = 0;
        while start < hits.len() && (top == 0 || start < top) {
            let score = hits[start].score;
            let tied = hits[start..].iter().take_while(|hit| hit.score == score);
            let end = start + tied.count();
            if end > start + 1 {
                let mut tied: Vec<(f64, DocumentScore)> = (hits[start..end].iter())
                    .map(|&hit| {
                        let tie =
                            (self.scorer).tie_break_score(&self.documents, query, hit.document);
                        (tie, hit)
                    })
                    .collect();
                tied.sort_by(|(tie, hit), (other_tie, other)| {
                    (other_tie.total_cmp(tie))
                        .then_with(|| distance(hit).cmp(&distance(other)))
                        .then_with(|| hit.document.cmp(&other.document))
                });
                for (place, (_, hit)) in hits[start..end].iter_mut().zip(tied) {
                    *place = hit;
                }
            }
            start = end;
        }
        if top > 0 {
            hits.truncate(top);
        }
        hits
    }
}

impl<S: Scorer> Searcher for PreparedCollection<S> {
    fn documents(&self) -> usize {
        self.lengths.len()
    }

    fn too_short_count(&self) -> usize {
        let all = 0..self.lengths.len();
        all.filter(|&document| !self.is_long_enough(document))
            .count()
    }

    fn search(
        &self,
        query: &Melody,
        wanted: SearchOptions,
        work: &dyn Work,
    ) -> Result<Option<Vec<DocumentScore>>, WorkError> {
        let Some(prepared) = self.prepare_query(query) else {
            return Ok(None);
        };
        let hits = self.top_hits_with_ties(&prepared, wanted, &|_| true, work)?;
        Ok(Some(self.sort_hits(
            &prepared,
            query.len(),
            hits,
            wanted.top,
        )))
    }

    fn score(&self, query: &Melody, document: usize) -> Option<f64> {
        let prepared = self.prepare_query(query)?;
        self.is_long_enough(document).then(|| {
            let mut scratch = S::Scratch::default();
            round_score((self.scorer).score(&self.documents, &prepared, document, &mut scratch))
        })
    }

    fn scores(
        &self,
        query: &Melody,
        documents: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        match self.prepare_query(query) {
            Some(prepared) => self.score_documents(&prepared, documents, work),
            None => Ok(Vec::new()),
        }
    }

    fn scored_count(&self) -> u64 {
        self.scored.load(Ordering::Relaxed)
    }
}

/// Rounds a score to 10 decimals, so that ties do not depend on the order of additions.
pub(super) fn round_score(score: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (score * 1e10).round() / 1e10 + 0.0
}

/// Collector of the `top` best documents, including all that tie with the last of them.
struct TopHits {
    top: usize,
    floor: f64,
    hits: Vec<DocumentScore>,
    /// Length of `hits` at which documents that can no longer be among the best are dropped.
    limit: usize,
}

impl TopHits {
    fn new(top: usize, floor: f64) -> Self {
        Self {
            top,
            floor,
            hits: Vec::new(),
            limit: 4 * top + 64,
        }
    }

    /// Adds a document, unless its score is too low.
    fn offer(&mut self, document: usize, score: f64) {
        if self.top > 0 && score < self.floor {
            return;
        }
        self.hits.push(DocumentScore { document, score });
        if self.top > 0 && self.hits.len() >= self.limit {
            self.prune();
            // Many ties leave little to prune, so the limit grows.
            self.limit = self.limit.max(2 * self.hits.len());
        }
    }

    /// Drops documents that can no longer be among the `top` best, and raises the floor for new
    /// ones.
    fn prune(&mut self) {
        if self.top == 0 || self.hits.len() < self.top {
            return;
        }
        let by_score = |a: &DocumentScore, b: &DocumentScore| b.score.total_cmp(&a.score);
        let (_, last, _) = self.hits.select_nth_unstable_by(self.top - 1, by_score);
        self.floor = self.floor.max(last.score);
        let floor = self.floor;
        self.hits.retain(|hit| hit.score >= floor);
    }

    /// Returns the best documents in no particular order.
    fn finish(mut self) -> Vec<DocumentScore> {
        self.prune();
        self.hits
    }
}

/// Largest known lower bound on the `top`-th highest score, shared by all threads of a search. It
/// is stored as the bits of a floating-point number.
struct SharedThreshold(AtomicU64);

impl Default for SharedThreshold {
    fn default() -> Self {
        Self(AtomicU64::new(f64::NEG_INFINITY.to_bits()))
    }
}

impl SharedThreshold {
    /// Returns the current lower bound on the `top`-th highest score.
    fn current(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Raises the bound to the lowest score in `best`, if `best` has at least `top` documents.
    fn raise_to_lowest_of(&self, best: &[DocumentScore], top: usize) {
        if top == 0 || best.len() < top {
            return;
        }
        let least = best.iter().map(|hit| hit.score).reduce(f64::min);
        let least = least.expect("`best` has at least one document");
        let higher = |bits: u64| (least > f64::from_bits(bits)).then_some(least.to_bits());
        // Losing the race against another thread is harmless: the threshold only rises.
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, higher);
    }
}
