//! Candidates: the items that assessors are to order for each query.
//!
//! The file is a table with the columns `query` and `item`, named by its header, separated by
//! commas, semicolons, tabs or blanks. Optional columns: `prior` is the position of an item in a
//! previously known order (lower is closer to the query); `same_as` names an item of the same query
//! with the same content; `content` is a word, such as a checksum, that is equal for items with the
//! same content; `audio`, `image`, `text` and `alt` are what pages show of the item, and `query_audio`,
//! `query_image`, `query_text` and `query_alt` what they show of the query, from its first row.
//!
//! ```
//! use partita_formats::{Source, campaign::candidates};
//!
//! let file = Source::from_bytes("c.csv", "query,item,content\nq1,x,77f\nq1,y,03a\nq1,z,77f\n");
//! let read = candidates::read(&file)?;
//! assert_eq!(read.lists[0].1[2].same_as.as_deref(), Some("x"));
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

use std::collections::HashMap;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::table::{ITEM, QUERY, Table};
use crate::text::SourceText;
use crate::text::source::Source;

/// Row of a file of candidates: an item that assessors are to compare for a query.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateRow {
    /// Line of the file on which the row begins, counted from 1.
    pub line: u64,
    /// Name of the item.
    pub item: String,
    /// Position of the item in a previously known order of the query's items; lower is closer to
    /// the query.
    pub prior: Option<f64>,
    /// Name of an item of the same query with the same content: the column `same_as`, or else the
    /// first item with the same `content`; `None` if there is neither.
    pub same_as: Option<String>,
    /// Parts that pages show of the item.
    pub show: CandidateStimulus,
    /// Parts that pages show of the query.
    pub show_query: CandidateStimulus,
}

/// Parts that pages show of a query or an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CandidateStimulus {
    /// Audio clip: the name of a file, or the SHA-256 of its bytes.
    pub audio: Option<String>,
    /// Image: the name of a file, or the SHA-256 of its bytes.
    pub image: Option<String>,
    /// Text to read.
    pub text: Option<String>,
    /// Alternative text of the image.
    pub alt: Option<String>,
}

/// Content of a file of candidates.
#[derive(Clone, Debug)]
pub struct CandidatesFile {
    /// The queries in the order of their first row, each with its candidates in the order of the
    /// rows.
    pub lists: Vec<(String, Vec<CandidateRow>)>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Remedy in errors about a table of candidates: the columns that it must have.
const REMEDY: &str = "the first line must name the columns query and item, and may name prior, same_as, content, audio, \
     image, text and alt";

/// Reads a table of candidates (items to be judged for each query). Refuses a table without rows,
/// an item that is listed twice for the same query, and a `same_as` that contradicts `content` or
/// names no candidate of the query.
pub fn read(source: &Source) -> Result<CandidatesFile, FormatError> {
    let text = SourceText::read(source)?;
    let table = Table::new(&text)?;
    let header = table.header();
    let [query_column, item_column] = header.required_columns([QUERY, ITEM], REMEDY)?;
    let [prior_column, same_as_column, content_column] =
        ["prior", "same_as", "content"].map(|name| header.column_index(&[name]));
    let shown = ["audio", "image", "text", "alt"].map(|name| header.column_index(&[name]));
    let shown_query = ["query_audio", "query_image", "query_text", "query_alt"]
        .map(|name| header.column_index(&[name]));
    let mut lists: Vec<(String, Vec<CandidateRow>)> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut contents: HashMap<(usize, String), String> = HashMap::new();
    for row in table.rows() {
        let row = row?;
        let query = row.require_name(query_column, "query")?;
        let item = row.require_name(item_column, "item")?;
        let prior = row.optional_number(prior_column, "the prior")?;
        let number = *numbers.entry(query.to_owned()).or_insert_with(|| {
            lists.push((query.to_owned(), Vec::new()));
            lists.len() - 1
        });
        let twin = row.non_empty(content_column).and_then(|content| {
            let first = contents.entry((number, content.to_owned()));
            let first = first.or_insert_with(|| item.to_owned());
            (first != item).then(|| first.clone())
        });
        let same_as = row.non_empty(same_as_column).map(str::to_owned);
        if let (Some(said), Some(found)) = (&same_as, &twin)
            && said != found
        {
            let problem = diagnostic!(Contradiction { item, found, said }:
                "`{item}` has the content of `{found}` but is said to be the same as `{said}`");
            return Err(row.line.error(problem));
        }
        let stimulus = |columns: [Option<usize>; 4]| {
            let [audio, image, text, alt] =
                columns.map(|column| row.non_empty(column).map(str::to_owned));
            CandidateStimulus {
                audio,
                image,
                text,
                alt,
            }
        };
        lists[number].1.push(CandidateRow {
            show: stimulus(shown),
            show_query: stimulus(shown_query),
            line: row.line.number,
            item: item.to_owned(),
            prior,
            same_as: same_as.or(twin),
        });
    }
    for (query, rows) in &lists {
        let mut lines: HashMap<&str, u64> = HashMap::new();
        for row in rows {
            if let Some(first) = lines.insert(&row.item, row.line) {
                let problem = diagnostic!(Duplicate { item = row.item, query, first }:
                    "`{item}` comes twice for the query `{query}`; first on line {first}");
                return Err(source.error(problem).at_line(row.line));
            }
        }
        for row in rows {
            let twin = row.same_as.as_deref();
            if let Some(twin) = twin.filter(|twin| !lines.contains_key(twin)) {
                let problem = diagnostic!(UnknownName { item = row.item, twin, query }:
                    "`{item}` is said to be the same as `{twin}`, which is no candidate of the \
                     query `{query}`");
                return Err(source.error(problem).at_line(row.line));
            }
        }
    }
    if lists.is_empty() {
        return Err(source.no_rows_error("candidate"));
    }
    Ok(CandidatesFile {
        lists,
        warnings: text.warning.into_iter().collect(),
    })
}
