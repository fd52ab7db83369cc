//! Searching a collection: queries in, ranked items out.

pub mod candidates;
mod source;
pub mod tuning;

pub use source::{SearchSource, SearchSourceError};

use partita_core::work::{Work, WorkError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Melody;
use crate::collection::{Collection, CollectionError};
use crate::systems;
use crate::systems::{DocumentScore, SearchOptions, Searcher, SystemError};

/// What is searched for, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// The system, as in `ShapeTime` or `US(n=4)`.
    pub system: String,
    /// How many results each query has; 0 means all.
    pub top: usize,
    /// Whether every item is scored, although an index could say which are worth it.
    pub exhaustive: bool,
    /// Whether the item of the query's id is left out.
    pub exclude_query: bool,
}

/// A melody by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMelody {
    /// What it is called.
    pub name: String,
    /// Its notes.
    pub melody: Melody,
}

/// What searches found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchResults {
    /// The system, with what differs from its defaults.
    pub system: String,
    /// How many melodies were searched.
    pub items: usize,
    /// Whether each of them was scored, or only those that an index chose.
    pub exhaustive: bool,
    /// What each query found.
    pub searches: Vec<QueryResults>,
}

/// What a query found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueryResults {
    /// The query.
    pub query: String,
    /// How many items are too short for the system.
    pub too_short: usize,
    /// The items, the closest first.
    pub results: Vec<SearchHit>,
}

/// An item that was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchHit {
    /// Its place, from 1.
    pub rank: usize,
    /// What it is called.
    pub item: String,
    /// How close it is, rounded to 10 decimals; higher is closer, and distances are negative.
    pub score: f64,
}

/// Why nothing was searched.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The system is none.
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
        /// The query.
        query: String,
        /// How many notes it has.
        notes: usize,
        /// The system.
        system: String,
    },
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] WorkError),
}

/// For fewer queries an index takes longer to make than it saves.
const MIN_QUERIES_FOR_INDEX: usize = 10;

/// A collection that a system has made ready for queries.
pub struct SearchIndex {
    system: String,
    indexed: bool,
    ids: Vec<String>,
    searcher: Box<dyn Searcher>,
}

impl SearchIndex {
    /// Makes these melodies ready, which come in the order of their names: it decides between equals.
    ///
    /// # Errors
    /// [`SystemError`] where the system is none.
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
            indexed: systems::parse_definition(system)?.indexed,
            system: name,
            ids,
            searcher,
        })
    }

    /// Makes the melodies of a collection ready; clips are passed over.
    ///
    /// # Errors
    /// [`SearchError`] where the system is none or the collection cannot be read.
    pub fn from_collection(system: &str, collection: &Collection) -> Result<Self, SearchError> {
        let mut problem = None;
        let melodies = collection.melodies(0).map_while(|item| match item {
            Ok((_, item, melody)) => Some(NamedMelody {
                name: item.id,
                melody,
            }),
            Err(error) => {
                problem = Some(error);
                None
            }
        });
        let ready = Self::from_melodies(system, melodies)?;
        match problem {
            Some(error) => Err(error.into()),
            None => Ok(ready),
        }
    }

    /// The scores of melodies by their places, in no order; those that are too short are left out.
    pub(crate) fn scores(
        &self,
        query: &Melody,
        places: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        self.searcher.scores(query, places, work)
    }

    /// Searches for one query.
    ///
    /// # Errors
    /// [`SearchError`] where the query is too short, or the work was stopped.
    pub fn search_query(
        &self,
        request: &SearchRequest,
        query: &NamedMelody,
        work: &dyn Work,
    ) -> Result<QueryResults, SearchError> {
        let own = || self.ids.binary_search(&query.name).ok();
        let own = request.exclude_query.then(own).flatten();
        let wanted = SearchOptions {
            // One more, in the place of the one that is left out.
            top: match request.top {
                0 => 0,
                top => top + usize::from(own.is_some()),
            },
            exhaustive: request.exhaustive,
        };
        let found = self.searcher.search(&query.melody, wanted, work)?;
        let found = found.ok_or_else(|| SearchError::TooShort {
            query: query.name.clone(),
            notes: query.melody.len(),
            system: self.system.clone(),
        })?;
        let found = found.into_iter().filter(|hit| Some(hit.document) != own);
        let most = if request.top == 0 {
            usize::MAX
        } else {
            request.top
        };
        let results = (1..).zip(found.take(most)).map(|(rank, hit)| SearchHit {
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
    /// [`SearchError`] where a query is too short, or the work was stopped.
    pub fn search(
        &self,
        request: &SearchRequest,
        queries: &[NamedMelody],
        work: &dyn Work,
    ) -> Result<SearchResults, SearchError> {
        let exhaustive = request.exhaustive
            || !self.indexed
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
