//! Request, report and error types of an import.

use std::collections::BTreeMap;
use std::io;

use partita_core::work::WorkError;
use partita_formats::{DiagnosticCode, FormatError, Warning, diagnostic};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::CollectionError;
use crate::readers::{MelodyFormat, MelodyReadOptions};

partita_named::named_enum! {
    /// Scheme that derives the id of a melody from its file name, for files that contain no ids.
    pub enum IdScheme: "way to name melodies" = Stem {
        /// File name without its extension
        Stem = "stem",
        /// File name
        Name = "name",
        /// Path relative to the imported source
        Path = "path",
    }
}

/// Sources of an import, and options of `partita collection import`, which are read from JSON by the names
/// of the options.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImportRequest {
    /// Paths of the files, folders and zip archives to import; `-` for standard input.
    #[serde(skip)]
    pub sources: Vec<String>,
    /// Format of all sources; `None` to detect the format of each file.
    #[serde(rename = "read")]
    pub format: Option<MelodyFormat>,
    /// Scheme for the ids of melodies whose files contain no ids.
    #[serde(rename = "id")]
    pub ids: IdScheme,
    /// Options for reading melodies.
    #[serde(skip)]
    pub options: MelodyReadOptions,
    /// True if imported items replace existing items with the same id.
    pub replace: bool,
    /// True if one item that cannot be read prevents the whole import from being written.
    pub strict: bool,
}

/// Counts of imported items, and items that could not be read.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ImportReport {
    /// Path of the collection file; for a collection in memory, the imported sources.
    pub collection: String,
    /// Number of items in the collection after the import.
    pub items: u64,
    /// Number of items with an id that was new to the collection.
    pub added: u64,
    /// Number of imported items whose id the collection already had with the same notes or samples.
    pub unchanged: u64,
    /// Number of items in the collection that were replaced by imported items with the same id and
    /// different notes or samples.
    pub replaced: u64,
    /// Files and melodies that could not be read.
    pub skipped: Vec<SkippedItem>,
}

/// File or melody that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedItem {
    /// Name of the input file in messages, for example `tunes/a.zip/x.mid`.
    pub file: String,
    /// Id that the item would have had; null if unknown.
    pub id: Option<String>,
    /// Line of the problem in the file, from 1; null if unknown.
    pub line: Option<u64>,
    /// Place of the problem within the line, file or melody, for example `column 7`, `byte 93` or
    /// `character 7`; null if unknown.
    pub place: Option<String>,
    /// Code that classifies the problem.
    #[serde(rename = "reason")]
    pub code: DiagnosticCode,
    /// Description of the problem.
    pub message: String,
}

impl SkippedItem {
    /// Creates a report row for an item that could not be read, from its id, if known, and its
    /// error.
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

impl ImportReport {
    /// Creates the warning about skipped files and melodies, at the place of the first: its reason
    /// and, if there are several, their number by reason. Returns `None` if nothing was skipped.
    pub(super) fn skipped_warning(&self) -> Option<Warning> {
        let first = self.skipped.first()?;
        let count = self.skipped.len();
        let reason = match &first.place {
            Some(place) => format!("{}, {place}", first.code),
            None => first.code.to_string(),
        };
        let message = &first.message;
        let problem = if count == 1 {
            diagnostic!(LeftOut { count, reason, message }: "skipped ({reason}): {message}")
        } else {
            let mut by_reason: BTreeMap<DiagnosticCode, usize> = BTreeMap::new();
            for item in &self.skipped {
                *by_reason.entry(item.code).or_default() += 1;
            }
            let mut by_reason: Vec<(DiagnosticCode, usize)> = by_reason.into_iter().collect();
            by_reason.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
            let reasons = by_reason
                .iter()
                .map(|(code, count)| format!("{count} {code}"));
            let reasons = reasons.collect::<Vec<_>>().join(", ");
            diagnostic!(LeftOut { count, reasons, reason, message }:
                "{count} melodies or files are skipped ({reasons}); the first is this one ({reason}): {message}")
        };
        Some(Warning {
            line: first.line,
            ..Warning::in_file(&first.file, problem)
        })
    }
}

/// Result of an import: report, warnings, and whether the collection was written.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOutcome {
    /// Counts of imported items, and the items that were skipped.
    pub report: ImportReport,
    /// Warnings about melodies that were read with corrections, and about what was skipped.
    pub warnings: Vec<Warning>,
    /// True if the collection was written or was already up to date.
    pub is_written: bool,
}

/// Error that stops an import.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A source, named by the first value, cannot be read.
    #[error("{0}: cannot be read: {1}")]
    UnreadableSource(String, io::Error),
    /// The existing collection at this path cannot be read.
    #[error("{0}: {1}")]
    Collection(String, CollectionError),
    /// The collection at this path cannot be written.
    #[error("{0}: cannot be written: {1}")]
    WriteFailed(String, io::Error),
    /// Two melodies of the import have the same id, and it is made from a file name.
    #[error("two melodies are called {id}: in {first} and in {second}")]
    DuplicateId {
        /// Id that both melodies have.
        id: String,
        /// File and, if known, line of the first melody.
        first: String,
        /// File and, if known, line of the second melody.
        second: String,
    },
    /// The collection already has an item with this id and different content, and replacement was
    /// not requested.
    #[error("the collection has another item called {id}; the new one is in {source_file}")]
    ExistingId {
        /// Id of the existing and the imported item.
        id: String,
        /// File and, if known, line of the imported item.
        source_file: String,
    },
    /// The import was cancelled.
    #[error(transparent)]
    Stopped(#[from] WorkError),
}
