//! Warnings about suspicious data in a run, such as repeated documents.

use partita_core::Names;

use crate::diagnostic;
use crate::diagnostic::{Warning, WarningCounter};
use crate::text::name_rules::{LONGEST_NAME, long_names};
use crate::text::shorten;

/// Counters of the suspicious data in a run, one per kind of warning.
#[derive(Debug, Default)]
pub(super) struct RunWarnings {
    repeats: WarningCounter,
    conflicts: WarningCounter,
    broken_ties: WarningCounter,
    odd_ranks: WarningCounter,
    long_names: WarningCounter,
    unknown: WarningCounter,
    unknown_queries: Names,
}

impl RunWarnings {
    /// Counts a document that was returned again for the same query.
    pub(super) fn count_repeat(&mut self, line: u64, query: &str, document: &[u8]) {
        self.repeats
            .add(line, || describe_document(query, document));
    }

    /// Counts a document whose rank and score disagree on its order.
    pub(super) fn count_conflict(&mut self, line: u64, query: &str, document: &[u8]) {
        self.conflicts
            .add(line, || describe_document(query, document));
    }

    /// Counts a document that follows one with the same score and a higher rank.
    pub(super) fn count_broken_tie(&mut self, line: u64, query: &str, document: &[u8]) {
        self.broken_ties
            .add(line, || describe_document(query, document));
    }

    /// Counts a rank that is not a number.
    pub(super) fn count_odd_rank(&mut self, line: u64, rank: &[u8]) {
        self.odd_ranks
            .add(line, || shorten(&String::from_utf8_lossy(rank)));
    }

    /// Counts a document name if it is unusually long.
    pub(super) fn count_if_long(&mut self, line: u64, name: &[u8]) {
        if name.len() > LONGEST_NAME {
            self.count_long_name(line, name);
        }
    }

    #[cold]
    pub(super) fn count_long_name(&mut self, line: u64, name: &[u8]) {
        self.long_names
            .add(line, || shorten(&String::from_utf8_lossy(name)));
    }

    /// Counts a query that is not in the ground truth, once for each query.
    pub(super) fn count_unknown_query(&mut self, line: u64, query: &str) {
        let known = self.unknown_queries.len();
        self.unknown_queries.intern(query);
        if self.unknown_queries.len() > known {
            self.unknown.add(line, || shorten(query));
        }
    }

    /// Removes the names of the queries that are not in the ground truth from the counters, and
    /// returns them.
    pub(super) fn take_unknown_queries(&mut self) -> Names {
        std::mem::take(&mut self.unknown_queries)
    }

    /// Creates the warnings about everything that was counted. `order` names the order of the
    /// documents: score, rank or file.
    pub(super) fn warnings(self, file: &str, order: &str) -> Vec<Warning> {
        let repeats = self.repeats.warning(file, |count, first| {
            diagnostic!(RepeatedDocuments { count, first }:
                "documents returned again for the same query: {count}, the first being {first}; \
                 a second copy takes up its place and counts no more")
        });
        let conflicts = self.conflicts.warning(file, |count, first| {
            diagnostic!(ConflictingOrder { count, first, order }:
                "rank and score disagree on the order of documents in {count} places, the first \
                 at {first}; the order was taken from the {order}")
        });
        let broken_ties = self.broken_ties.warning(file, |count, first| {
            diagnostic!(ConflictingOrder { count, first }:
                "equal scores that were not put in the order of their ranks: {count}, the first at \
                 {first}; the order `rank` keeps the ranks")
        });
        let odd_ranks = self.odd_ranks.warning(file, |count, first| {
            diagnostic!(OddRanks { count, first }:
                "ranks that are no numbers: {count}, the first being `{first}`; ranks were not \
                 used")
        });
        let unknown = self.unknown.warning(file, |count, first| {
            diagnostic!(UnknownQueries { count, first }:
                "queries in no ground truth, which were not scored: {count}, the first being \
                 `{first}`")
        });
        let long_names = self.long_names.warning(file, long_names);
        let all = [
            repeats,
            conflicts,
            broken_ties,
            odd_ranks,
            long_names,
            unknown,
        ];
        all.into_iter().flatten().collect()
    }
}

/// Formats the name of a document and its query for a warning.
fn describe_document(query: &str, document: &[u8]) -> String {
    let document = String::from_utf8_lossy(document);
    format!("`{}` for query `{query}`", shorten(&document))
}
