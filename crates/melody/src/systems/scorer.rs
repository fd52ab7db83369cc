//! Prepared collections and the search in them.
//!
//! A system defines how to compare two melodies ([`Scorer`]). This module contains what all systems
//! share: the treatment of short melodies, rounding and comparison of scores, tie breaking, pruning
//! of documents that cannot reach the top, and parallel work with a deterministic result.

use std::sync::atomic::{AtomicU64, Ordering};

use partita_core::work::{Work, WorkError};

use crate::Melody;

/// Options of a search in a prepared collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Number of results; 0 means all.
    pub top: usize,
    /// True if every document is scored, even if the system has an index.
    pub exhaustive: bool,
}

impl SearchOptions {
    /// Options for all documents, each scored.
    pub const ALL: Self = Self {
        top: 0,
        exhaustive: true,
    };
}

/// Document with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DocumentScore {
    /// Index of the document in the collection, from 0.
    pub document: usize,
    /// Score, rounded to 10 decimals; higher is more similar.
    pub score: f64,
}

/// Collection that a system has prepared for queries.
pub trait Searcher: Send + Sync {
    /// Returns the number of documents.
    fn documents(&self) -> usize;

    /// Returns the number of documents that are too short for the system.
    fn too_short_count(&self) -> usize;

    /// Returns the documents, best first, or `None` if the query is too short.
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
    /// query is too short.
    fn score(&self, query: &Melody, document: usize) -> Option<f64>;

    /// Returns the scores of these documents in no particular order, without those that are too
    /// short. This is faster than repeated calls of [`Searcher::score`], which prepare the query
    /// each time.
    fn scores(
        &self,
        query: &Melody,
        documents: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError>;

    /// Returns the number of scores that all searches so far have computed. Documents that were
    /// excluded by bounds or an index do not count.
    fn scored_count(&self) -> u64;
}

/// Similarity function of a system over prepared documents.
pub(super) trait Scorer: Send + Sync {
    /// Prepared documents of a collection.
    type Documents: Send + Sync;
    /// Prepared query.
    type Query: Send + Sync;
    /// Scratch memory for scoring, one per thread.
    type Scratch: Send;

    /// Returns the smallest number of notes that can be compared.
    fn min_notes(&self) -> usize;

    /// Creates an empty collection of documents.
    fn empty_documents(&self) -> Self::Documents;

    /// Adds a document. Short melodies are added too, because their grams count for frequencies.
    fn add(&self, documents: &mut Self::Documents, melody: &Melody);

    /// Called once after the last document.
    fn finish_documents(&self, documents: &mut Self::Documents) {
        let _ = documents;
    }

    /// Prepares a query with at least `min_notes` notes.
    fn prepare_query(&self, documents: &Self::Documents, query: &Melody) -> Self::Query;

    /// Creates scratch memory for a query.
    fn new_scratch(&self, documents: &Self::Documents, query: &Self::Query) -> Self::Scratch;

    /// Scores a document with at least `min_notes` notes.
    fn score(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
        scratch: &mut Self::Scratch,
    ) -> f64;

    /// Returns an upper bound on the score of a document, if one is cheaper than the score.
    fn upper_bound(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
    ) -> Option<f64> {
        let _ = (documents, query, document);
        None
    }

    /// Returns true if the score of the document is certainly below `score`. It is called if the
    /// upper bound does not exclude the document. It may cost more time than the bound, but less
    /// than the score.
    fn cannot_reach(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
        score: f64,
        scratch: &mut Self::Scratch,
    ) -> bool {
        let _ = (documents, query, document, score, scratch);
        false
    }

    /// Returns the score that breaks ties before the difference in length does; higher values come
    /// first.
    fn tie_break_score(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
    ) -> f64 {
        let _ = (documents, query, document);
        0.0
    }

    /// Returns the documents that an index selects for scoring, or `None` without an index.
    fn index_candidates(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        top: usize,
    ) -> Option<Vec<u32>> {
        let _ = (documents, query, top);
        None
    }
}

/// Collection prepared for a [`Scorer`].
pub(super) struct PreparedCollection<C: Scorer> {
    pub(super) comparison: C,
    pub(super) documents: C::Documents,
    /// Number of notes of each document.
    pub(super) lengths: Vec<u32>,
    /// Number of documents scored so far.
    scored: AtomicU64,
}

/// Number of documents per unit of work.
const BLOCK: usize = 1024;

/// Tolerance for rounding errors in bounds.
const SLACK: f64 = 1e-9;

impl<C: Scorer> PreparedCollection<C> {
    /// Creates an empty collection.
    pub(super) fn new(comparison: C) -> Self {
        Self {
            documents: comparison.empty_documents(),
            comparison,
            lengths: Vec::new(),
            scored: AtomicU64::new(0),
        }
    }

    pub(super) fn add(&mut self, melody: &Melody) {
        let notes = u32::try_from(melody.len());
        let notes = notes.expect("a melody has fewer than four billion notes");
        self.lengths.push(notes);
        self.comparison.add(&mut self.documents, melody);
    }

    /// Finishes the collection after the last document.
    pub(super) fn finish(mut self) -> Self {
        self.comparison.finish_documents(&mut self.documents);
        self
    }

    pub(super) fn is_long_enough(&self, document: usize) -> bool {
        self.lengths[document] as usize >= self.comparison.min_notes()
    }

    pub(super) fn ask(&self, query: &Melody) -> Option<C::Query> {
        let enough = query.len() >= self.comparison.min_notes();
        enough.then(|| self.comparison.prepare_query(&self.documents, query))
    }

    /// Returns all documents whose score is at least the `top`-th highest, in no particular order.
    pub(super) fn top_hits_with_ties(
        &self,
        query: &C::Query,
        wanted: SearchOptions,
        among: &(dyn Fn(usize) -> bool + Sync),
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        let top = wanted.top;
        let chosen = match (wanted.exhaustive, top) {
            (false, 1..) => (self.comparison).index_candidates(&self.documents, query, top),
            _ => None,
        };
        let is_chosen = |document: usize| self.is_long_enough(document) && among(document);
        let first_bound = || (0..self.lengths.len()).find(|&document| is_chosen(document));
        if let Some(chosen) = chosen {
            return self.score_all(query, chosen.len(), top, work, &|number| {
                Some(chosen[number] as usize).filter(|&document| is_chosen(document))
            });
        }
        let bounded = top > 0
            && first_bound().is_some_and(|document| {
                (self
                    .comparison
                    .upper_bound(&self.documents, query, document))
                .is_some()
            });
        if bounded {
            return self.score_by_bound(query, top, work, &is_chosen);
        }
        self.score_all(query, self.lengths.len(), top, work, &|number| {
            Some(number).filter(|&document| is_chosen(document))
        })
    }

    /// Returns the scores of these documents, in no particular order. Documents that are too short
    /// are left out.
    pub(super) fn score_documents(
        &self,
        query: &C::Query,
        documents: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        let document = |number: usize| {
            Some(documents[number]).filter(|&document| self.is_long_enough(document))
        };
        self.score_all(query, documents.len(), 0, work, &document)
    }

    /// Scores documents in blocks and drops scores below the `top`-th best so far.
    fn score_all(
        &self,
        query: &C::Query,
        count: usize,
        top: usize,
        work: &dyn Work,
        document: &(dyn Fn(usize) -> Option<usize> + Sync),
    ) -> Result<Vec<DocumentScore>, WorkError> {
        // Each block finds a lower bound on the `top`-th highest score. All blocks share the
        // largest of these bounds.
        let shared = SharedThreshold::default();
        let blocks = count.div_ceil(BLOCK);
        let found = work.map_without_progress(blocks, |block| {
            let mut best = TopHits::new(top, shared.get());
            let mut scratch = self.comparison.new_scratch(&self.documents, query);
            let end = count.min((block + 1) * BLOCK);
            let mut scored = 0;
            for document in (block * BLOCK..end).filter_map(document) {
                let score = (self.comparison).score(&self.documents, query, document, &mut scratch);
                best.offer(document, rounded(score));
                scored += 1;
            }
            self.scored.fetch_add(scored, Ordering::Relaxed);
            let best = best.finish();
            shared.raise(&best, top);
            best
        })?;
        let mut best = TopHits::new(top, f64::NEG_INFINITY);
        for hit in found.into_iter().flatten() {
            best.offer(hit.document, hit.score);
        }
        Ok(best.finish())
    }

    /// Scores documents in descending order of their upper bounds, until no other document can
    /// reach the `top`-th score.
    fn score_by_bound(
        &self,
        query: &C::Query,
        top: usize,
        work: &dyn Work,
        is_chosen: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Vec<DocumentScore>, WorkError> {
        let chosen: Vec<usize> = (0..self.lengths.len()).filter(|&d| is_chosen(d)).collect();
        let blocks = chosen.len().div_ceil(BLOCK);
        let bounds = work.map_without_progress(blocks, |block| {
            let these = &chosen[block * BLOCK..chosen.len().min((block + 1) * BLOCK)];
            let bound = |&document: &usize| {
                let bound = self
                    .comparison
                    .upper_bound(&self.documents, query, document);
                (bound.unwrap_or(f64::INFINITY), document)
            };
            these.iter().map(bound).collect::<Vec<(f64, usize)>>()
        })?;
        let mut order: Vec<(f64, usize)> = bounds.into_iter().flatten().collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut best = TopHits::new(top, f64::NEG_INFINITY);
        // Small units in small rounds: the threshold of one round prunes documents of the next.
        for round in order.chunks(64) {
            if round[0].0 + SLACK < best.floor {
                break;
            }
            let floor = best.floor;
            let scores = work.map_without_progress(round.len().div_ceil(8), |piece| {
                let mut scratch = self.comparison.new_scratch(&self.documents, query);
                let these = &round[piece * 8..round.len().min((piece + 1) * 8)];
                let possible = these.iter().filter(|(bound, _)| bound + SLACK >= floor);
                let score = |&(_, document): &(f64, usize)| {
                    let (comparison, documents) = (&self.comparison, &self.documents);
                    let least = floor - SLACK;
                    if least.is_finite()
                        && comparison.cannot_reach(documents, query, document, least, &mut scratch)
                    {
                        return None;
                    }
                    let score = comparison.score(documents, query, document, &mut scratch);
                    Some((document, rounded(score)))
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

    /// Sorts hits by score, then by the tie rule, then by index, and keeps the first `top`.
    pub(super) fn sort_hits(
        &self,
        query: &C::Query,
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
                        let tie = &self.comparison;
                        (
                            tie.tie_break_score(&self.documents, query, hit.document),
                            hit,
                        )
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

impl<C: Scorer> Searcher for PreparedCollection<C> {
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
        let Some(asked) = self.ask(query) else {
            return Ok(None);
        };
        let hits = self.top_hits_with_ties(&asked, wanted, &|_| true, work)?;
        Ok(Some(self.sort_hits(&asked, query.len(), hits, wanted.top)))
    }

    fn score(&self, query: &Melody, document: usize) -> Option<f64> {
        let asked = self.ask(query)?;
        self.is_long_enough(document).then(|| {
            let mut scratch = self.comparison.new_scratch(&self.documents, &asked);
            rounded((self.comparison).score(&self.documents, &asked, document, &mut scratch))
        })
    }

    fn scores(
        &self,
        query: &Melody,
        documents: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        match self.ask(query) {
            Some(asked) => self.score_documents(&asked, documents, work),
            None => Ok(Vec::new()),
        }
    }

    fn scored_count(&self) -> u64 {
        self.scored.load(Ordering::Relaxed)
    }
}

/// Rounds a score to 10 decimals, so that ties do not depend on the order of additions.
pub(super) fn rounded(score: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (score * 1e10).round() / 1e10 + 0.0
}

/// Best hits so far, including all ties with the last one.
struct TopHits {
    top: usize,
    floor: f64,
    hits: Vec<DocumentScore>,
    /// Number of hits at which the list is pruned.
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

    /// Drops hits that can no longer be among the best.
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

    fn finish(mut self) -> Vec<DocumentScore> {
        self.prune();
        self.hits
    }
}

/// Largest known lower bound on the `top`-th highest score, shared by threads.
struct SharedThreshold(AtomicU64);

impl Default for SharedThreshold {
    fn default() -> Self {
        Self(AtomicU64::new(f64::NEG_INFINITY.to_bits()))
    }
}

impl SharedThreshold {
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    fn raise(&self, best: &[DocumentScore], top: usize) {
        if top == 0 || best.len() < top {
            return;
        }
        let least = best.iter().map(|hit| hit.score).reduce(f64::min);
        let least = least.expect("there are as many as wanted");
        let higher = |bits: u64| (least > f64::from_bits(bits)).then_some(least.to_bits());
        // Losing the race against another thread is harmless: the threshold only rises.
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, higher);
    }
}
