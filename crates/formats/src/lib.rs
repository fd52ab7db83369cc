//! Readers and writers of ground truths, judgments and runs.
//!
//! Formats are told apart by content and by ending; what stays ambiguous is an error that names
//! the choices, never a guess. Errors name the file, the line and the column. What is odd but
//! readable gives a [`Warning`], never silence.
//!
//! ```
//! use partita_core::evaluation::{Evaluator, Request};
//! use partita_core::work::InTurn;
//! use partita_formats::{Source, run, truth};
//!
//! let truth = Source::memory("truth.txt", "q1: (1, 2), (3, 4, 5)\n");
//! let truth = truth::read(&truth, &truth::ReadOptions::default())?.truth;
//! let run = Source::memory("run.json", r#"{"q1": ["2", "3", "1", "5", "7", "8", "9", "4"]}"#);
//! let request = Request::default();
//! let evaluator = Evaluator::new(&request, &truth)?;
//! let scored = run::score(&[run], &evaluator, &run::ReadOptions::default(), &InTurn)?;
//! let evaluation = evaluator.finish(scored.runs);
//! assert_eq!(evaluation.runs[0].run, "run");
//! assert_eq!(evaluation.runs[0].mean.get("ADR"), Some(&Some(0.86)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod campaign;
mod diagnostic;
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
pub use crate::file_kind::{DataKind, FileKind};
pub use crate::table::csv_writer::{CsvWriter, escape_formula};
pub use crate::text::source::{Source, io_error_message, open_stream};
pub use crate::text::zstd::{ZstdReader, is_zstd};
pub use remedy::{Remedy, RemedyPart, RemedyTerm};
