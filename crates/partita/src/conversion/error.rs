//! Errors of conversions.

use partita_core::UnknownQueryError;
use partita_formats::{DataKind, FormatError};
use partita_named::NamedEnum;

/// Error of a conversion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConversionError {
    /// A file cannot be read, or the format cannot hold its content.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A file cannot be read as the kind of data that the request states.
    #[error(transparent)]
    StatedKind(FormatError),
    /// There are several files, which are not rankings.
    #[error("several files must all be rankings")]
    SeveralFiles,
    /// Several queries were requested of data other than a ground truth.
    #[error("only ground truths take several queries")]
    SeveralQueries,
    /// An option was given that the kind of data does not have.
    #[error("{option} is only for {kinds}, but the input is {}", kind.summary())]
    OptionOfOtherKind {
        /// Name of the option.
        option: &'static str,
        /// Kinds of data that have the option.
        kinds: String,
        /// Kind of the input.
        kind: DataKind,
    },
    /// The kind of data has no format of the requested name.
    #[error("{} cannot be written as {to}", kind.summary())]
    UnknownFormat {
        /// Kind of the input.
        kind: DataKind,
        /// Name of the requested format.
        to: String,
    },
    /// The content of the file is no kind of data.
    #[error("{file}: this is not recognised as {}", list_kinds(DataKind::VARIANTS))]
    NotRecognised {
        /// Name of the file.
        file: String,
    },
    /// The content of the file may be of several kinds.
    #[error("{file}: this can be {}", list_kinds(kinds))]
    Ambiguous {
        /// Name of the file.
        file: String,
        /// Possible kinds.
        kinds: Vec<DataKind>,
    },
    /// A requested query is not in the ground truth.
    #[error(transparent)]
    Query(#[from] UnknownQueryError),
    /// The requested query is not in the rankings.
    #[error("there is no query `{name}`")]
    NoRankings {
        /// Name of the requested query.
        name: String,
        /// Some names of the queries with rankings.
        known: String,
    },
    /// The name of a query cannot be the name of its file.
    #[error("the query `{0}` cannot be the name of a file")]
    FileName(String),
}

/// Joins the names of kinds of data: `a run or scores`.
pub(super) fn list_kinds(kinds: &[DataKind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.summary()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
