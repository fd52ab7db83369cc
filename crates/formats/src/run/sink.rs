//! Sinks: receivers of the rankings that the reader of TREC runs produces, query by query.

use partita_core::{GroundTruth, Names, Ranking, Run, Slot, SystemRankings};

use super::document_buffer::RankedDocuments;

/// Receiver of the sorted ranking of each query of a run.
pub(super) trait RankingSink {
    /// Type of the run that [`RankingSink::finish`] returns.
    type Run;
    /// Returns the index of the query with this name, or `None` if the sink does not need the
    /// query.
    fn find_query(&mut self, name: &str) -> Option<usize>;
    /// Returns the name of the query with this index.
    fn name(&self, query: usize) -> &str;
    /// Stores the ranking of a query. `ends` holds the end position of each group of tied
    /// documents; `None` means that no documents are tied.
    fn write_ranking(
        &mut self,
        query: usize,
        ranked: &RankedDocuments<'_>,
        ends: Option<Vec<usize>>,
    );
    /// Returns the collected run under the given name.
    fn finish(self, name: String) -> Self::Run;
}

/// Sink that keeps only the queries and documents that a ground truth judges. Unjudged documents
/// keep their rank but not their name.
pub(super) struct TruthSink<'t> {
    truth: &'t GroundTruth,
    /// Index in the ground truth of the query after the one that was found last. It is tried first,
    /// because in most files it is the next query, so that no lookup is needed.
    next_query: usize,
    run: SystemRankings,
}

impl<'t> TruthSink<'t> {
    pub(super) fn new(truth: &'t GroundTruth) -> Self {
        Self {
            truth,
            next_query: 0,
            run: SystemRankings::new("", truth),
        }
    }
}

impl RankingSink for TruthSink<'_> {
    type Run = SystemRankings;

    fn find_query(&mut self, name: &str) -> Option<usize> {
        let is_next =
            self.next_query < self.truth.len() && self.truth.query_name(self.next_query) == name;
        let query = if is_next {
            self.next_query
        } else {
            self.truth.query_index(name)?
        };
        self.next_query = query + 1;
        Some(query)
    }

    fn name(&self, query: usize) -> &str {
        self.truth.query_name(query)
    }

    fn write_ranking(
        &mut self,
        query: usize,
        ranked: &RankedDocuments<'_>,
        ends: Option<Vec<usize>>,
    ) {
        let names = self.truth.query_truth(query).names();
        let get = |name| names.get_hashed(Names::hash(name), name);
        // Slot of a document: judged or unjudged.
        let slot = |name| Slot::from(get(name));
        let length = ranked.len();
        let repeats = (ranked.repeats()).map(|(position, name)| (position, slot(name)));
        let ranking = match ends {
            // If there are fewer judged than ranked documents, look up each judged one in the
            // ranking; otherwise look up each ranked one in the ground truth.
            None if names.len() < length => {
                let position = |item| ranked.position(names.name(item).as_bytes());
                let positions = names
                    .items()
                    .filter_map(|item| Some((item, position(item)?)));
                Ranking::from_positions(length, positions, repeats)
            }
            None => {
                let names = ranked.names().enumerate();
                let positions = names.filter_map(|(position, name)| Some((get(name)?, position)));
                Ranking::from_positions(length, positions, repeats)
            }
            Some(ends) => {
                let documents: Vec<(&[u8], Slot)> =
                    (ranked.names()).map(|name| (name, slot(name))).collect();
                let groups = split_at_ends(&documents, &ends);
                Ranking::from_document_groups(groups.map(|group| group.iter().copied()))
            }
        };
        self.run.set(query, ranking);
    }

    fn finish(mut self, name: String) -> SystemRankings {
        self.run.system = name;
        self.run
    }
}

/// Sink that keeps the complete rankings, with the names of all documents.
impl RankingSink for Run {
    type Run = Self;

    fn find_query(&mut self, name: &str) -> Option<usize> {
        Some(self.intern_query(name))
    }

    fn name(&self, query: usize) -> &str {
        self.query_name(query)
    }

    fn write_ranking(
        &mut self,
        query: usize,
        ranked: &RankedDocuments<'_>,
        ends: Option<Vec<usize>>,
    ) {
        let text = |name| std::str::from_utf8(name).expect("names are words of UTF-8 text");
        let documents: Vec<&str> = ranked.names().map(text).collect();
        let ends = ends.unwrap_or_else(|| (1..=documents.len()).collect());
        self.set_groups(query, split_at_ends(&documents, &ends));
    }

    fn finish(self, name: String) -> Self {
        self.with_name(name)
    }
}

/// Splits a list into consecutive parts that end at the given positions (exclusive).
fn split_at_ends<'a, T>(list: &'a [T], ends: &'a [usize]) -> impl Iterator<Item = &'a [T]> {
    let mut start = 0;
    ends.iter()
        .map(move |&end| &list[std::mem::replace(&mut start, end)..end])
}
