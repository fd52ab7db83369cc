//! A collection as a system sees it, and how a query is put to it.
//!
//! A system says how two melodies compare ([`Comparison`]); what is the same for all of them is here:
//! who is too short, how scores are rounded and compared, how ties are broken, which documents need not
//! be scored, and how threads share the work without changing the answer.

use std::sync::atomic::{AtomicU64, Ordering};

use partita_core::work::{Work, WorkError};

use crate::Melody;

/// How many results of a search are wanted, and how they are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// How many of the best; 0 means all.
    pub top: usize,
    /// Whether every document is scored, although an index could say which are worth it.
    pub exhaustive: bool,
}

impl SearchOptions {
    /// All documents, each scored.
    pub const ALL: Self = Self {
        top: 0,
        exhaustive: true,
    };
}

/// A document that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DocumentScore {
    /// Its number in the collection, from 0.
    pub document: usize,
    /// How close it is to the query, rounded to 10 decimals; higher is closer.
    pub score: f64,
}

/// A collection that a system has made ready for queries.
pub trait Searcher: Send + Sync {
    /// How many documents there are.
    fn documents(&self) -> usize;

    /// How many of them are too short for the system.
    fn too_short_count(&self) -> usize;

    /// The documents in order, the closest first; nothing where the query is too short.
    ///
    /// Equal scores go by the tie rule of the system, then by the number of the document. Whoever does
    /// the work, the answer is the same.
    fn search(
        &self,
        query: &Melody,
        wanted: SearchOptions,
        work: &dyn Work,
    ) -> Result<Option<Vec<DocumentScore>>, WorkError>;

    /// The score of one document, rounded as in a search; nothing where it or the query is too short.
    fn score(&self, query: &Melody, document: usize) -> Option<f64>;

    /// The scores of these documents, in no order; those that are too short are left out. Less work than as
    /// many times [`Searcher::score`], which prepares the query each time.
    fn scores(
        &self,
        query: &Melody,
        documents: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError>;

    /// How many documents all searches so far have scored: the others were spared by bounds or an index.
    fn scored_count(&self) -> u64;
}

/// How a system compares melodies.
pub(super) trait Scorer: Send + Sync {
    /// What it keeps of a collection.
    type Documents: Send + Sync;
    /// What it makes of a query.
    type Query: Send + Sync;
    /// What it writes on while it compares: one for each thread.
    type Scratch: Send;

    /// The fewest notes that can be compared.
    fn min_notes(&self) -> usize;

    /// No documents yet.
    fn empty_documents(&self) -> Self::Documents;

    /// Keeps of a melody what comparisons need. The short ones come too: their grams count.
    fn add(&self, documents: &mut Self::Documents, melody: &Melody);

    /// All have come.
    fn finish_documents(&self, documents: &mut Self::Documents) {
        let _ = documents;
    }

    /// Makes a query ready, which is long enough.
    fn prepare_query(&self, documents: &Self::Documents, query: &Melody) -> Self::Query;

    /// Room for comparisons.
    fn new_scratch(&self, documents: &Self::Documents, query: &Self::Query) -> Self::Scratch;

    /// The score of a document that is long enough.
    fn score(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
        room: &mut Self::Scratch,
    ) -> f64;

    /// A score that the document cannot exceed, if that is known for less than the score costs.
    fn upper_bound(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
    ) -> Option<f64> {
        let _ = (documents, query, document);
        None
    }

    /// Whether the document is known not to reach a score. Asked where its bound does not say so: it may
    /// cost more than a bound, and less than the score.
    fn cannot_reach(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
        score: f64,
        room: &mut Self::Scratch,
    ) -> bool {
        let _ = (documents, query, document, score, room);
        false
    }

    /// What decides first between documents of one score: the higher comes first.
    fn tie_break_score(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
    ) -> f64 {
        let _ = (documents, query, document);
        0.0
    }

    /// The documents that an index thinks worth scoring; nothing where there is no index.
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

/// What a [`Comparison`] makes of a collection.
pub(super) struct PreparedCollection<C: Scorer> {
    pub(super) comparison: C,
    pub(super) documents: C::Documents,
    /// The number of notes of each document.
    pub(super) lengths: Vec<u32>,
    /// How many documents were scored.
    scored: AtomicU64,
}

/// How many documents a thread takes at once.
const BLOCK: usize = 1024;

/// By how much a bound may be off through rounding.
const SLACK: f64 = 1e-9;

impl<C: Scorer> PreparedCollection<C> {
    /// No documents yet.
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

    /// All documents have come.
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

    /// All documents whose score is at least that of the `top`-th, in no order.
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

    /// The scores of these documents, in no order.
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

    /// Scores documents in blocks; a score below the `top`-th of those seen is forgotten.
    fn score_all(
        &self,
        query: &C::Query,
        count: usize,
        top: usize,
        work: &dyn Work,
        document: &(dyn Fn(usize) -> Option<usize> + Sync),
    ) -> Result<Vec<DocumentScore>, WorkError> {
        // Every block knows a floor that the result will not fall below; they share the highest.
        let shared = SharedThreshold::default();
        let blocks = count.div_ceil(BLOCK);
        let found = work.map_without_progress(blocks, |block| {
            let mut best = TopHits::new(top, shared.get());
            let mut room = self.comparison.new_scratch(&self.documents, query);
            let end = count.min((block + 1) * BLOCK);
            let mut scored = 0;
            for document in (block * BLOCK..end).filter_map(document) {
                let score = (self.comparison).score(&self.documents, query, document, &mut room);
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

    /// Scores documents in the order of what they can reach at most, until none can reach the
    /// `top`-th score any more.
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
        // Small pieces in small rounds: what one round finds spares the next.
        for round in order.chunks(64) {
            if round[0].0 + SLACK < best.floor {
                break;
            }
            let floor = best.floor;
            let scores = work.map_without_progress(round.len().div_ceil(8), |piece| {
                let mut room = self.comparison.new_scratch(&self.documents, query);
                let these = &round[piece * 8..round.len().min((piece + 1) * 8)];
                let possible = these.iter().filter(|(bound, _)| bound + SLACK >= floor);
                let score = |&(_, document): &(f64, usize)| {
                    let (comparison, documents) = (&self.comparison, &self.documents);
                    let least = floor - SLACK;
                    if least.is_finite()
                        && comparison.cannot_reach(documents, query, document, least, &mut room)
                    {
                        return None;
                    }
                    let score = comparison.score(documents, query, document, &mut room);
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

    /// Puts hits in order: by score, then by the tie rule, then by number; the first `top` of them.
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
            let mut room = self.comparison.new_scratch(&self.documents, &asked);
            rounded((self.comparison).score(&self.documents, &asked, document, &mut room))
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

/// A score to 10 decimals: what differs by less is a tie, whatever the order of additions.
pub(super) fn rounded(score: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (score * 1e10).round() / 1e10 + 0.0
}

/// The best hits so far, and all that tie with the last of them.
struct TopHits {
    top: usize,
    floor: f64,
    hits: Vec<DocumentScore>,
    /// How many there may be before those that are too low are left out.
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
            // Where many are tied, few can be left out.
            self.limit = self.limit.max(2 * self.hits.len());
        }
    }

    /// Leaves out what cannot be among the best any more.
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

/// The highest score that so many documents are known to reach, shared by threads.
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
        // Whether another thread was faster does not matter: the floor only rises.
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, higher);
    }
}
