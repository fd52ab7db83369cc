//! Interface between a retrieval system and the search: preparing documents and queries, and
//! scoring.

use crate::Melody;

/// Retrieval system that compares a query with one document at a time.
pub(super) trait Scorer: Send + Sync {
    /// All documents of a collection in the form that the system compares.
    type Documents: Default + Send + Sync;
    /// Query in the form that the system compares.
    type Query: Send + Sync;
    /// Scratch memory for scoring documents, never shared between queries or threads.
    type Scratch: Default + Send;

    /// Returns the smallest number of notes of a melody that the system can compare.
    fn min_notes(&self) -> usize;

    /// Adds a melody as the next document. Melodies that are too short to be scored are added too,
    /// because their n-grams count for frequencies.
    fn add(&self, documents: &mut Self::Documents, melody: &Melody);

    /// Computes values that depend on all documents, such as inverse document frequencies. The
    /// search calls it once, after the last document.
    fn finish_documents(&self, documents: &mut Self::Documents) {
        let _ = documents;
    }

    /// Prepares a query, which has at least `min_notes` notes.
    fn prepare_query(&self, documents: &Self::Documents, query: &Melody) -> Self::Query;

    /// Returns the similarity of a document, which has at least `min_notes` notes, to the query.
    fn score(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
        scratch: &mut Self::Scratch,
    ) -> f64;

    /// Returns an upper bound on the score of a document, or `None` if the system has no bound that
    /// is cheaper than the score.
    fn upper_bound(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
    ) -> Option<f64> {
        let _ = (documents, query, document);
        None
    }

    /// Returns true if the score of a document is certainly below `score`. The search calls it for
    /// documents whose upper bound is not below `score`. It may take longer than the upper bound,
    /// but not longer than the score.
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

    /// Returns a second score for documents with equal scores; higher values come first. Remaining
    /// ties are broken by difference in number of notes, then by index.
    fn tie_break_score(
        &self,
        documents: &Self::Documents,
        query: &Self::Query,
        document: usize,
    ) -> f64 {
        let _ = (documents, query, document);
        0.0
    }

    /// Returns the documents that the index of the system selects for scoring, if `top` results are
    /// requested, or `None` if all documents must be scored.
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
