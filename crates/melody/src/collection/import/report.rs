//! Request, report and error types of an import.

use std::io;

use partita_core::work::WorkError;
use partita_formats::{DiagnosticCode, FormatError, Warning};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::CollectionError;
use crate::readers::{MelodyFormat, MelodyReadOptions};

partita_named::named_enum! {
    /// Scheme for the ids of melodies in files without ids.
    pub enum IdScheme: "way to name melodies" = Stem {
        /// File name without its extension
        Stem = "stem",
        /// File name
        Name = "name",
        /// Path relative to the imported source
        Path = "path",
    }
}

/// Sources of an import and the options for reading them.
#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// Files, folders and zip archives.
    pub sources: Vec<String>,
    /// Format of all sources; detected if `None`.
    pub format: Option<MelodyFormat>,
    /// Scheme for the ids of melodies without an id.
    pub ids: IdScheme,
    /// Options for reading melodies.
    pub options: MelodyReadOptions,
    /// True if imported items replace existing items with the same id.
    pub replace: bool,
    /// True if one item that cannot be read prevents the whole import from being written.
    pub strict: bool,
}

/// Result of an import.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ImportReport {
    /// Collection file.
    pub collection: String,
    /// Number of items in the collection after the import.
    pub items: u64,
    /// Number of new items.
    pub added: u64,
    /// Number of imported items that the collection already had with the same notes or samples.
    pub unchanged: u64,
    /// Number of existing items that were replaced, because their notes or samples differed.
    pub replaced: u64,
    /// Files and melodies that could not be read.
    pub skipped: Vec<SkippedItem>,
}

/// File or melody that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedItem {
    /// File name, as given by the user.
    pub file: String,
    /// Id that the item would have, if known.
    pub id: Option<String>,
    /// Line in the file, from 1.
    pub line: Option<u64>,
    /// Place in the line, in the file or in the melody: `column 7`, `byte 93`, `character 7`.
    pub place: Option<String>,
    /// Code of the problem.
    #[serde(rename = "reason")]
    pub code: DiagnosticCode,
    /// Description of the problem.
    pub message: String,
}

impl SkippedItem {
    /// Creates a report row from the error of the item with this id.
    pub(super) fn new(id: Option<String>, error: FormatError) -> Self {
        let field = |name: &str| Some(format!("{name} {}", error.fields.get(name)?));
        let column = error.column.map(|column| format!("column {column}"));
        Self {
            place: column
                .or_else(|| field("byte"))
                .or_else(|| field("character")),
            file: error.file,
            id,
            line: error.line,
            code: error.code,
            message: error.message,
        }
    }
}

/// Report and warnings of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOutcome {
    /// Counts of imported items, and the items that were skipped.
    pub report: ImportReport,
    /// Warnings about melodies that were read.
    pub warnings: Vec<Warning>,
    /// True if the collection was written or was already up to date.
    pub is_written: bool,
}

/// Error that stops an import.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A source cannot be read.
    #[error("{0}: cannot be read: {1}")]
    UnreadableSource(String, io::Error),
    /// The collection cannot be read.
    #[error("{0}: {1}")]
    Collection(String, CollectionError),
    /// The collection cannot be written.
    #[error("{0}: cannot be written: {1}")]
    WriteFailed(String, io::Error),
    /// Two melodies of the import have the same id.
    #[error("two melodies are called {id}: in {first} and in {second}")]
    DuplicateId {
        /// Duplicate id.
        id: String,
        /// Location of the first melody.
        first: String,
        /// Location of the second melody.
        second: String,
    },
    /// The collection already has a different item with this id.
    #[error("the collection has another item called {id}; the new one is in {source_file}")]
    ExistingId {
        /// Id of both items.
        id: String,
        /// Location of the new item.
        source_file: String,
    },
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] WorkError),
}
