//! Readers and writers of ground truths, judgments, runs and scores.
//!
//! Formats are detected by content and file name extension. An ambiguous file is an error that
//! lists the choices; the readers never guess. Errors name the file, the line and the column.
//! Readable but suspicious data give a [`Warning`].
//!
//! ```
//! use partita_formats::{Source, run, truth};
//!
//! let truth = Source::from_bytes("truth.txt", "q1: (a, b), (c)\n");
//! let truth = truth::read(&truth, &truth::TruthReadOptions::default())?.truth;
//! assert_eq!(truth::write(&truth, "groups".parse()?)?, "query,item,group\nq1,a,1\nq1,b,1\nq1,c,2\n");
//! let run = Source::from_bytes("mine.json", r#"{"q1": ["b", "x", "a"]}"#);
//! let run = run::read(&run, &run::RunReadOptions::default())?.runs.remove(0);
//! assert_eq!(run.name(), "mine");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod campaign;
mod diagnostic;
mod evidence_kind;
mod file_kind;
pub mod preferences;
pub mod rankings;
mod remedy;
pub mod run;
pub mod scores;
mod shared;
pub mod strata;
mod table;
mod text;
pub mod truth;

pub use crate::diagnostic::{Diagnostic, DiagnosticCode, DiagnosticFields, FormatError, Warning};
pub use crate::evidence_kind::EvidenceKind;
pub use crate::file_kind::{DataKind, FileKind};
pub use crate::table::csv_writer::{CsvWriter, escape_formula};
pub use crate::text::source::{Source, io_error_message, open_stream};
pub use crate::text::zstd::{ZstdReader, is_zstd};
pub use remedy::{Remedy, RemedyTerm};
