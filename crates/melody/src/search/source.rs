//! Sources of a search: a collection file, or files and folders that are imported into memory.

use std::path::Path;

use partita_core::work::Work;

use super::{NamedMelody, SearchError, SearchIndex, SearchRequest, SearchResults};
use crate::collection::{
    Collection, CollectionError, ImportError, ImportRequest, import_in_memory,
};

/// Collection to search, in which query names are also looked up.
///
/// ```
/// use partita_core::work::SequentialWork;
/// use partita_melody::search::{SearchRequest, SearchSource};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("up.krn"), "**kern\n4c\n4d\n4e\n4f\n*-\n")?;
/// std::fs::write(folder.path().join("down.krn"), "**kern\n4f\n4e\n4d\n4c\n*-\n")?;
/// let source = SearchSource::open(&folder.path().to_string_lossy(), &SequentialWork)?;
/// let queries = source.query("up", &SequentialWork)?;
/// let request = SearchRequest { system: "DP".to_owned(), exclude_query: true, ..Default::default() };
/// let found = source.search(&request, &queries, &SequentialWork)?;
/// assert_eq!(found.searches[0].results[0].item, "down");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearchSource {
    name: String,
    collection: Collection,
}

/// Error for a source that cannot be read or a query that cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum SearchSourceError {
    /// A file or folder cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The collection with this name cannot be read.
    #[error("{0}: {1}")]
    Collection(String, CollectionError),
    /// A file or folder contains no melody that can be read.
    #[error("{source_name}: no melody can be read: {reason}")]
    NoMelody {
        /// Name of that file or folder.
        source_name: String,
        /// First problem in the file or folder.
        reason: String,
    },
    /// The item with this id is a recording, which cannot be a query.
    #[error("{0} is a clip; only melodies can be searched for")]
    Clip(String),
    /// Neither an item of the collection nor a file has the name of the query.
    #[error("{source_name}: there is no item and no file called {id}")]
    UnknownItem {
        /// Name of the searched collection, file or folder.
        source_name: String,
        /// Query name that was given.
        id: String,
        /// Item id that is spelled most like the given name; `None` if none is similar.
        nearest: Option<String>,
    },
}

impl SearchSource {
    /// Creates a source from an open collection. `name` is its name in errors.
    pub fn new(name: &str, collection: Collection) -> Self {
        Self {
            name: name.to_owned(),
            collection,
        }
    }

    /// Opens a collection file, or imports a file or folder of melodies in memory.
    ///
    /// # Errors
    /// Returns [`SearchSourceError`] if the source cannot be read.
    pub fn open(name: &str, work: &dyn Work) -> Result<Self, SearchSourceError> {
        let collection = match Collection::open(Path::new(name)) {
            Err(CollectionError::NotACollection) => import_source(name, work)?,
            opened => opened.map_err(|error| collection_error(name, error))?,
        };
        Ok(Self::new(name, collection))
    }

    /// Returns the collection to search.
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Searches the collection for the melodies that are most similar to each query.
    ///
    /// # Errors
    /// Returns [`SearchError`] if the system is invalid, the collection cannot be read, a query is
    /// too short, or the search was cancelled.
    pub fn search(
        &self,
        request: &SearchRequest,
        queries: &[NamedMelody],
        work: &dyn Work,
    ) -> Result<SearchResults, SearchError> {
        let index = SearchIndex::from_collection(&request.system, &self.collection)?;
        index.search(request, queries, work)
    }

    /// Returns true if an item of the collection, a file or a folder has this name.
    pub fn has_item_or_file(&self, name: &str) -> bool {
        matches!(self.collection.position_of(name), Ok(Some(_))) || Path::new(name).exists()
    }

    /// Returns all melodies of the collection, in order of id; recordings are left out.
    ///
    /// # Errors
    /// Returns [`SearchSourceError::Collection`] if the collection cannot be read.
    pub fn melodies(&self) -> Result<Vec<NamedMelody>, SearchSourceError> {
        melodies_of_collection(&self.name, &self.collection)
    }

    /// Finds the melodies of one query: the item with this name, or else all melodies of the file
    /// or folder with this name.
    ///
    /// # Errors
    /// Returns [`SearchSourceError`] if no item, file or folder has this name, if it cannot be
    /// read, or if the item is a recording.
    pub fn query(
        &self,
        name: &str,
        work: &dyn Work,
    ) -> Result<Vec<NamedMelody>, SearchSourceError> {
        if let Some(item) = self.melody_by_id(name)? {
            return Ok(vec![item]);
        }
        if !Path::new(name).exists() {
            return Err(self.unknown_item(name));
        }
        melodies_of_collection(name, &import_source(name, work)?)
    }

    /// Finds the melodies of a set of queries: all melodies if the name is `all`, the items whose
    /// ids are listed in a file, one per line, if the first line is an item id, or else all
    /// melodies of a file or folder.
    ///
    /// # Errors
    /// Returns [`SearchSourceError`] if a query cannot be resolved.
    pub fn queries(
        &self,
        name: &str,
        work: &dyn Work,
    ) -> Result<Vec<NamedMelody>, SearchSourceError> {
        if name == "all" {
            return self.melodies();
        }
        let path = Path::new(name);
        if path.is_file()
            && let Ok(text) = std::fs::read_to_string(path)
        {
            let lines = text.lines().map(str::trim);
            let ids: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
            let first = ids
                .first()
                .map(|id| self.melody_by_id(id))
                .transpose()?
                .flatten();
            if first.is_some() {
                let item = |id: &&str| self.melody_by_id(id)?.ok_or_else(|| self.unknown_item(id));
                return ids.iter().map(item).collect();
            }
        }
        if !path.exists() {
            return Err(self.unknown_item(name));
        }
        melodies_of_collection(name, &import_source(name, work)?)
    }

    /// Returns the melody with this item id, or `None` if there is no such item. A recording is an
    /// error.
    fn melody_by_id(&self, id: &str) -> Result<Option<NamedMelody>, SearchSourceError> {
        let unreadable = |error| collection_error(&self.name, error);
        let Some(position) = self.collection.position_of(id).map_err(unreadable)? else {
            return Ok(None);
        };
        let item = self.collection.item(position).map_err(unreadable)?;
        match self.collection.melody(&item).map_err(unreadable)? {
            Some(melody) => Ok(Some(NamedMelody {
                name: item.id,
                melody,
            })),
            None => Err(SearchSourceError::Clip(id.to_owned())),
        }
    }

    /// Creates the error for a query name that neither an item nor a file has.
    fn unknown_item(&self, id: &str) -> SearchSourceError {
        SearchSourceError::UnknownItem {
            source_name: self.name.clone(),
            id: id.to_owned(),
            nearest: self.collection.nearest_id(id).ok().flatten(),
        }
    }
}

/// Creates the error for a collection that cannot be read.
fn collection_error(name: &str, error: CollectionError) -> SearchSourceError {
    SearchSourceError::Collection(name.to_owned(), error)
}

/// Imports a file or folder into a collection in memory.
fn import_source(name: &str, work: &dyn Work) -> Result<Collection, SearchSourceError> {
    let request = ImportRequest {
        sources: vec![name.to_owned()],
        ..ImportRequest::default()
    };
    let (outcome, collection) = import_in_memory(&request, work)?;
    collection.ok_or_else(|| {
        let first = outcome.report.skipped.into_iter().next();
        SearchSourceError::NoMelody {
            source_name: name.to_owned(),
            reason: first.map_or("there is nothing in it".to_owned(), |first| first.message),
        }
    })
}

/// Returns all melodies of a collection with their item ids. `name` is the name of the collection
/// in errors.
fn melodies_of_collection(
    name: &str,
    collection: &Collection,
) -> Result<Vec<NamedMelody>, SearchSourceError> {
    let all = collection.melodies(0).map(|item| {
        let (_, item, melody) = item.map_err(|error| collection_error(name, error))?;
        Ok(NamedMelody {
            name: item.id,
            melody,
        })
    });
    all.collect()
}
