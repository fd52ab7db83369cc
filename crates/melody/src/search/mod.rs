//! Search in collections: queries in, ranked items out.

pub mod candidates;
mod source;
pub mod tuning;

pub use source::{SearchSource, SearchSourceError};

use partita_core::work::{Work, WorkError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Melody;
use crate::collection::{Collection, CollectionError};
use crate::systems::{self, DocumentScore, SearchOptions, Searcher, SystemError};

/// System and options of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// System, for example `ShapeTime` or `US(n=4)`.
    pub system: String,
    /// Number of results per query; 0 means all.
    pub top: usize,
    /// True if every item is scored, even if the system has an index.
    pub exhaustive: bool,
    /// True if the item with the query's id is left out.
    pub exclude_query: bool,
}

/// Melody with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMelody {
    /// Item id, or the name of a query that is no item.
    pub name: String,
    /// Notes.
    pub melody: Melody,
}

/// Results of all queries of a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchResults {
    /// Canonical name of the system, with the parameters that differ from their defaults.
    pub system: String,
    /// Number of melodies in the collection.
    pub items: usize,
    /// True if every melody was scored; false if an index selected some.
    pub exhaustive: bool,
    /// Results of each query.
    pub searches: Vec<QueryResults>,
}

/// Results of one query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueryResults {
    /// Query id.
    pub query: String,
    /// Number of items that are too short for the system.
    pub too_short: usize,
    /// Hits, best first.
    pub results: Vec<SearchHit>,
}

/// One search result.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchHit {
    /// Rank, from 1.
    pub rank: usize,
    /// Item id.
    pub item: String,
    /// Score, rounded to 10 decimals. Higher is more similar; distances are negative.
    pub score: f64,
}

/// Error of a search.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The text of the system has an unknown name or an invalid parameter.
    #[error(transparent)]
    System(#[from] SystemError),
    /// The collection cannot be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// A query has too few notes for the system.
    #[error(
        "the query {query} has {notes} {}, which is too short for {system}",
        if *notes == 1 { "note" } else { "notes" }
    )]
    TooShort {
        /// Query id.
        query: String,
        /// Number of notes of the query.
        notes: usize,
        /// System name.
        system: String,
    },
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] WorkError),
}

/// Smallest number of queries for which building an index saves time.
const MIN_QUERIES_FOR_INDEX: usize = 10;

/// Collection that a system has prepared for queries.
pub struct SearchIndex {
    /// Canonical name of the system.
    system: String,
    /// True if the system has an index.
    is_indexed: bool,
    /// Item ids, in ascending order.
    ids: Vec<String>,
    searcher: Box<dyn Searcher>,
}

impl SearchIndex {
    /// Prepares melodies for a system. They must be sorted by name, because ties are broken by
    /// position.
    ///
    /// # Errors
    /// Returns [`SystemError`] if the system is invalid.
    pub fn from_melodies(
        system: &str,
        melodies: impl Iterator<Item = NamedMelody>,
    ) -> Result<Self, SystemError> {
        let name = systems::canonical_name(system)?;
        let mut ids = Vec::new();
        let mut melodies = melodies.map(|named| {
            ids.push(named.name);
            named.melody
        });
        let searcher = systems::parse(system)?.prepare(&mut melodies);
        Ok(Self {
            is_indexed: systems::parse_definition(system)?.indexed,
            system: name,
            ids,
            searcher,
        })
    }

    /// Prepares the melodies of a collection for a system; clips are skipped.
    ///
    /// # Errors
    /// Returns [`SearchError`] if the system is invalid or the collection cannot be read.
    pub fn from_collection(system: &str, collection: &Collection) -> Result<Self, SearchError> {
        let mut read_error = None;
        let melodies = collection.melodies(0).map_while(|item| match item {
            Ok((_, item, melody)) => Some(NamedMelody {
                name: item.id,
                melody,
            }),
            Err(error) => {
                read_error = Some(error);
                None
            }
        });
        let index = Self::from_melodies(system, melodies)?;
        match read_error {
            Some(error) => Err(error.into()),
            None => Ok(index),
        }
    }

    /// Returns the scores of the melodies with these indices, in no particular order. Melodies that
    /// are too short are left out.
    pub(crate) fn scores(
        &self,
        query: &Melody,
        melodies: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        self.searcher.scores(query, melodies, work)
    }

    /// Searches for one query.
    ///
    /// # Errors
    /// Returns [`SearchError`] if the query is too short or the work was stopped.
    pub fn search_query(
        &self,
        request: &SearchRequest,
        query: &NamedMelody,
        work: &dyn Work,
    ) -> Result<QueryResults, SearchError> {
        let position = || self.ids.binary_search(&query.name).ok();
        let excluded = request.exclude_query.then(position).flatten();
        let options = SearchOptions {
            // If the query's own item is left out, one more result is requested to replace it.
            top: match request.top {
                0 => 0,
                top => top + usize::from(excluded.is_some()),
            },
            exhaustive: request.exhaustive,
        };
        let found = self.searcher.search(&query.melody, options, work)?;
        let found = found.ok_or_else(|| SearchError::TooShort {
            query: query.name.clone(),
            notes: query.melody.len(),
            system: self.system.clone(),
        })?;
        let hits = found
            .into_iter()
            .filter(|hit| Some(hit.document) != excluded);
        let most = match request.top {
            0 => usize::MAX,
            top => top,
        };
        let results = (1..).zip(hits.take(most)).map(|(rank, hit)| SearchHit {
            rank,
            item: self.ids[hit.document].clone(),
            score: hit.score,
        });
        Ok(QueryResults {
            query: query.name.clone(),
            too_short: self.searcher.too_short_count(),
            results: results.collect(),
        })
    }

    /// Searches for each query.
    ///
    /// # Errors
    /// Returns [`SearchError`] if a query is too short or the work was stopped.
    pub fn search(
        &self,
        request: &SearchRequest,
        queries: &[NamedMelody],
        work: &dyn Work,
    ) -> Result<SearchResults, SearchError> {
        let exhaustive = request.exhaustive
            || !self.is_indexed
            || request.top == 0
            || queries.len() < MIN_QUERIES_FOR_INDEX;
        let request = &SearchRequest {
            exhaustive,
            ..request.clone()
        };
        work.begin_stage("searching", queries.len());
        let mut searches = Vec::with_capacity(queries.len());
        for query in queries {
            searches.push(self.search_query(request, query, work)?);
            work.advance(1);
        }
        Ok(SearchResults {
            system: self.system.clone(),
            items: self.ids.len(),
            exhaustive,
            searches,
        })
    }
}
