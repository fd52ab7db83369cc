//! Interface between a system and the search: how a system prepares and scores documents.

use crate::Melody;

/// Similarity function of a system over prepared documents.
pub(super) trait Scorer: Send + Sync {
    /// Prepared documents of a collection.
    type Documents: Default + Send + Sync;
    /// Prepared query.
    type Query: Send + Sync;
    /// Scratch memory for scoring documents with one query, one per thread.
    type Scratch: Default + Send;

    /// Returns the smallest number of notes that can be compared.
    fn min_notes(&self) -> usize;

    /// Adds a document. Short melodies are added too, because their grams count for frequencies.
    fn add(&self, documents: &mut Self::Documents, melody: &Melody);

    /// Completes the documents. The search calls it once, after the last document.
    fn finish_documents(&self, documents: &mut Self::Documents) {
        let _ = documents;
    }

    /// Prepares a query with at least `min_notes` notes.
    fn prepare_query(&self, documents: &Self::Documents, query: &Melody) -> Self::Query;

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
