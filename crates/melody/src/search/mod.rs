//! Search for melodies in collections with a retrieval system.

pub mod candidates;
mod source;
pub mod tuning;

pub use source::{SearchSource, SearchSourceError};

use partita_core::work::{Work, WorkError};
use partita_formats::{Diagnostic, DiagnosticCode, Warning};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Melody;
use crate::collection::{Collection, CollectionError};
use crate::systems::{self, DocumentScore, SearchOptions, Searcher, SystemError};

/// Request for a search: the options of `partita search`. Its fields are read from JSON by the names of
/// the options.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchRequest {
    /// Retrieval system with its parameters, for example `ShapeTime` or `US(n=4)`.
    pub system: String,
    /// Number of results per query; 0 means all.
    pub top: usize,
    /// True to let the index of the system, if it has one, select the melodies that are scored. It
    /// may miss some of the best.
    pub index: bool,
    /// True to score every melody, which is the default; it takes precedence over `index`.
    pub exhaustive: bool,
    /// True to leave the item with the id of the query out of its results.
    #[serde(rename = "without_query")]
    pub exclude_query: bool,
}

impl Default for SearchRequest {
    /// Returns a search for 50 melodies with ShapeTime.
    fn default() -> Self {
        Self {
            system: "ShapeTime".to_owned(),
            top: 50,
            index: false,
            exhaustive: false,
            exclude_query: false,
        }
    }
}

/// Melody with the id of its item or another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMelody {
    /// Item id, or the name of a query that is not in the collection.
    pub name: String,
    /// Notes of the melody.
    pub melody: Melody,
}

/// Results of all queries of a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchResults {
    /// Canonical name of the system, with the parameters that differ from their defaults.
    pub system: String,
    /// Number of melodies in the collection.
    pub items: usize,
    /// True if every melody was considered; false if an index may have left out some.
    pub exhaustive: bool,
    /// Search results of each query.
    pub searches: Vec<QueryResults>,
}

/// Search results of one query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueryResults {
    /// Query id.
    pub query: String,
    /// Number of melodies in the collection that have too few notes for the system.
    pub too_short: usize,
    /// Melodies found, by descending score.
    pub results: Vec<SearchHit>,
}

/// Melody that a search found, with its rank and score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchHit {
    /// Rank, from 1.
    pub rank: usize,
    /// Item id of the melody.
    pub item: String,
    /// Similarity to the query, rounded to 10 decimals. Systems that compute distances return the
    /// negated distance.
    pub score: f64,
}

/// Returns a warning about each of these systems whose name means another one in publications.
pub fn system_name_warnings<'a>(texts: impl IntoIterator<Item = &'a String>) -> Vec<Warning> {
    let remarks = texts.into_iter().filter_map(|text| {
        let remark = Diagnostic::new(DiagnosticCode::Remark, systems::name_remark(text)?);
        Some(Warning::in_file(text, remark))
    });
    remarks.collect()
}

/// Error of a search.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The text that describes the system has an unknown name or an invalid parameter.
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
        /// Id of the query that is too short.
        query: String,
        /// Number of notes of that query.
        notes: usize,
        /// Name of the retrieval system.
        system: String,
    },
    /// The search was cancelled.
    #[error(transparent)]
    Stopped(#[from] WorkError),
}

/// Collection of melodies, prepared for queries by a retrieval system.
pub struct SearchIndex {
    /// Canonical name of the retrieval system, with the parameters that differ from their defaults.
    system: String,
    /// True if the system has an index, so that a search need not score every melody.
    is_indexed: bool,
    /// Item ids of the melodies, in ascending order.
    ids: Vec<String>,
    searcher: Box<dyn Searcher>,
}

impl SearchIndex {
    /// Prepares melodies for searches with a system. They must be sorted by name, because ties in
    /// score are broken by position.
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

    /// Prepares the melodies of a collection for searches with a system; recordings are skipped.
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

    /// Returns the scores of the melodies with the given indices for a query, in no particular
    /// order. Melodies that are too short for the system are left out; there are no scores if the
    /// query is too short.
    pub(crate) fn scores(
        &self,
        query: &Melody,
        melodies: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        self.searcher.scores(query, melodies, work)
    }

    /// Returns true if a search scores every melody. This depends on the request alone and not on
    /// the number of its queries, so that the results of a query are the same beside any others.
    fn is_exhaustive(&self, request: &SearchRequest) -> bool {
        request.exhaustive || !request.index || !self.is_indexed || request.top == 0
    }

    /// Searches for the melodies that are most similar to one query.
    ///
    /// # Errors
    /// Returns [`SearchError`] if the query is too short or the search was cancelled.
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
            exhaustive: self.is_exhaustive(request),
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

    /// Searches for the melodies that are most similar to each query.
    ///
    /// # Errors
    /// Returns [`SearchError`] if a query is too short or the search was cancelled.
    pub fn search(
        &self,
        request: &SearchRequest,
        queries: &[NamedMelody],
        work: &dyn Work,
    ) -> Result<SearchResults, SearchError> {
        work.begin_stage("searching", queries.len());
        let mut searches = Vec::with_capacity(queries.len());
        for query in queries {
            searches.push(self.search_query(request, query, work)?);
            work.advance(1);
        }
        Ok(SearchResults {
            system: self.system.clone(),
            items: self.ids.len(),
            exhaustive: self.is_exhaustive(request),
            searches,
        })
    }
}
