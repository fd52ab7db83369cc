//! What an import is asked for, and what became of it.

use std::io;

use partita_core::work::WorkError;
use partita_formats::{DiagnosticCode, FormatError, Warning};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::CollectionError;
use crate::readers::{MelodyFormat, MelodyReadOptions};

partita_named::named_enum! {
    /// What a file that names no melodies calls them.
    pub enum IdScheme: "way to name melodies" = Stem {
        /// The name of the file without its ending
        Stem = "stem",
        /// The name of the file
        Name = "name",
        /// The path of the file, from what is imported
        Path = "path",
    }
}

/// What is imported, and how.
#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// Files, folders and zips.
    pub sources: Vec<String>,
    /// The format of all of them, if it is not to be found out.
    pub format: Option<MelodyFormat>,
    /// What melodies are called that have no name.
    pub ids: IdScheme,
    /// How melodies are read.
    pub options: MelodyReadOptions,
    /// Whether items that the collection has are replaced by others of the same id.
    pub replace: bool,
    /// Whether nothing is written if something cannot be read.
    pub strict: bool,
}

/// What became of an import.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ImportReport {
    /// The collection.
    pub collection: String,
    /// How many items it has now.
    pub items: u64,
    /// How many are new.
    pub added: u64,
    /// How many were there with the same notes or samples.
    pub unchanged: u64,
    /// How many were there with others.
    pub replaced: u64,
    /// What could not be read.
    pub skipped: Vec<SkippedItem>,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedItem {
    /// The file, as it was named.
    pub file: String,
    /// What it would have been called, where that is known.
    pub id: Option<String>,
    /// The line of the file, from 1.
    pub line: Option<u64>,
    /// Place in the line, in the file or in the melody: `column 7`, `byte 93`, `character 7`.
    pub place: Option<String>,
    /// The kind of problem.
    #[serde(rename = "reason")]
    pub code: DiagnosticCode,
    /// The problem in words.
    pub message: String,
}

impl SkippedItem {
    /// Makes the row of what would have had this id.
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

/// An import: its report, and what is odd.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOutcome {
    /// What became of it.
    pub report: ImportReport,
    /// What is odd about what was read.
    pub warnings: Vec<Warning>,
    /// Whether a collection was written, or found to be the same.
    pub is_written: bool,
}

/// Why nothing was imported.
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
    /// Two melodies of one import have one id.
    #[error("two melodies are called {id}: in {first} and in {second}")]
    DuplicateId {
        /// The id.
        id: String,
        /// Where one of them is.
        first: String,
        /// Where the other is.
        second: String,
    },
    /// The collection has another item of that id.
    #[error("the collection has another item called {id}; the new one is in {source_file}")]
    ExistingId {
        /// The id.
        id: String,
        /// Where the new one is.
        source_file: String,
    },
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] WorkError),
}
