//! Rankings of the items of queries by several assessors, one module per format.
//!
//! | format | looks like | query |
//! |---|---|---|
//! | `rows` | `query,assessor,item,rank`; an empty rank means unranked | from its column, or the option `query` |
//! | `matrix` | one row per assessor, one column per item | the file's stem, or the option `query` |
//! | `orders` | one row per assessor with the items from best to worst | the file's stem, or the option `query` |
//! | `preflib` | `3: 1,{2,3},4` after a header; three assessors | the file's stem, or the option `query` |
//!
//! A rank is a positive number; 1 is best. Values that are no ranking of the items, such as ratings,
//! are refused or get a warning ([`read`]). Several files give several queries. A query may be
//! spread over files as long as no assessor ranks one of its items twice.
//!
//! ```
//! use partita_formats::{Source, rankings};
//!
//! let file = Source::from_bytes("songs.csv", "assessor,a,b\nann,1,2\nbob,2,1\ncy,1,\n");
//! let read = rankings::read(&[file], &rankings::RankingsReadOptions::default())?;
//! let songs = &read.queries[0];
//! assert_eq!((songs.name.as_str(), songs.rankings.assessors().len()), ("songs", 3));
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

mod builder;
mod matrix;
mod orders;
mod preflib;
mod rows;
mod write;

use partita_core::AssessorRankings;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::file_kind::{FileKind, prefer_mismatch_error};
use crate::table::{InputRow, Table};
use crate::text::SourceText;
use crate::text::source::Source;

use builder::RankingsBuilder;
pub(crate) use orders::are_orders;
pub use write::write;

partita_named::named_enum! {
    /// File format of rankings.
    pub enum RankingsFormat: "format of rankings" {
        /// query,assessor,item,rank; an empty rank is left unranked
        Rows = "rows",
        /// A row per assessor, a column per item
        Matrix = "matrix",
        /// A row per assessor, which holds the items from best to worst
        Orders = "orders",
        /// PrefLib's .soc, .soi, .toc and .toi; every vote is an assessor
        Preflib = "preflib",
    }
}

/// Options for reading rankings.
#[derive(Clone, Debug, Default)]
pub struct RankingsReadOptions {
    /// Format of the files; `None` to detect it.
    pub format: Option<RankingsFormat>,
    /// Name of the query of a file without a column of queries; `None` for the file's stem. A table
    /// `assessor,item,rank` needs it.
    pub query: Option<String>,
    /// True to take values for ranks even if no row is a ranking of its items.
    pub as_ranks: bool,
}

/// Rankings of the items of one query by its assessors.
#[derive(Clone, Debug)]
pub struct QueryRankings {
    /// Name of the ranked query.
    pub name: String,
    /// Name of the file with the first row of the query.
    pub file: String,
    /// Rank of each item by each assessor.
    pub rankings: AssessorRankings,
}

/// Content of files of rankings.
#[derive(Debug)]
pub struct RankingsInput {
    /// The queries in the order of their first appearance.
    pub queries: Vec<QueryRankings>,
    /// Warnings about the files.
    pub warnings: Vec<Warning>,
}

/// Reads the rankings of several files.
///
/// Warns about rows that are no ranking of the items of their query: with values below 1 or above
/// the number of items, without a first place, or with gaps that ties do not explain.
///
/// # Errors
/// Returns [`FormatError`] for a file that cannot be read. Unless `as_ranks` is set, also if no row
/// of a query is a ranking, or if its columns are rankings and its rows are not.
pub fn read(
    sources: &[Source],
    options: &RankingsReadOptions,
) -> Result<RankingsInput, FormatError> {
    let mut builder = RankingsBuilder::default();
    for source in sources {
        let read = read_into(&mut builder, source, options);
        read.map_err(|error| prefer_mismatch_error(FileKind::Rankings, source, error))?;
    }
    builder.finish(options.as_ranks)
}

/// Reads the rankings of one file into the builder.
fn read_into(
    builder: &mut RankingsBuilder,
    source: &Source,
    options: &RankingsReadOptions,
) -> Result<(), FormatError> {
    let text = SourceText::read(source)?;
    let query = options.query.as_deref().unwrap_or(source.stem());
    match options.format.unwrap_or_else(|| find_format(&text)) {
        RankingsFormat::Rows => {
            text.refuse_overlong_lines()?;
            rows::read(&text, options.query.as_deref(), builder)?;
        }
        RankingsFormat::Matrix => matrix::read(&text, query, builder)?,
        RankingsFormat::Orders => orders::read(&text, query, builder)?,
        RankingsFormat::Preflib => preflib::read(&text, query, builder)?,
    }
    builder.warn(text.warning);
    Ok(())
}

/// Detects the format of rankings by file name extension and content.
fn find_format(text: &SourceText<'_>) -> RankingsFormat {
    if crate::shared::preflib::is_preflib_extension(text.source.extension())
        || crate::shared::preflib::starts_like_preflib(text.text.trim_start())
    {
        return RankingsFormat::Preflib;
    }
    match Table::new(text) {
        Ok(table) if rows::is_header(&table.header()) => RankingsFormat::Rows,
        Ok(table) if orders::looks_like_orders(&table) => RankingsFormat::Orders,
        _ => RankingsFormat::Matrix,
    }
}

/// Returns true if a row looks like the header of a table `query,assessor,item,rank`.
pub(crate) fn is_header(row: &InputRow<'_>) -> bool {
    rows::is_header(row)
}

/// Parses the rank in a column of a row; `None` if the column is empty, for an unranked item.
fn parse_rank(row: &InputRow<'_>, column: usize) -> Result<Option<f64>, FormatError> {
    if row.fields[column].is_empty() {
        return Ok(None);
    }
    let rank = (row.require_number(column, "a rank")).map_err(|error| error.with_remedy(REMEDY))?;
    if rank > 0.0 {
        return Ok(Some(rank));
    }
    let found = &row.fields[column];
    let problem = diagnostic!(OutOfRange { found }: "a rank must be above 0, not {found}");
    Err(row.error(column, problem).with_remedy(
        "1 is the best rank, and an unranked item has no rank; if these are ratings, turn each row into \
         ranks first",
    ))
}

/// Remedy in errors about an invalid rank.
const REMEDY: &str = "1 is the best rank; nothing at all means that the item was left unranked";
