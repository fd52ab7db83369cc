//! `item,show`: what people are shown of items and queries, a text or the name of a file.
//!
//! ```
//! use partita_formats::{Source, shown};
//!
//! let read = shown::read(&Source::memory("s.csv", "item,show\nx,clips/x.ogg\n"))?;
//! assert_eq!(read.rows, [("x".to_owned(), "clips/x.ogg".to_owned())]);
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

use crate::error::{FormatError, Warning};
use crate::problem;
use crate::source::Source;
use crate::table::{ITEM, QUERY, Table};
use crate::text::Text;

/// What is shown, as it was read.
#[derive(Clone, Debug)]
pub struct ShownFile {
    /// The name of each item or query, and what is shown of it.
    pub rows: Vec<(String, String)>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

const REMEDY: &str = "the first line must name the column show, and item or query or both";

/// Reads what is shown. A row is about its item, or about its query if it has no item.
pub fn read(source: &Source) -> Result<ShownFile, FormatError> {
    let text = Text::read(source)?;
    let table = Table::new(&text)?;
    let header = table.header();
    let [show] = header.places([&["show"]], REMEDY)?;
    let (item, query) = (header.place(ITEM), header.place(QUERY));
    if item.is_none() && query.is_none() {
        let problem = problem!(MissingColumn: "no column is called item or query");
        return Err(header.line.error(problem).column(1).remedy(REMEDY));
    }
    let mut rows = Vec::new();
    for row in table.rows() {
        let row = row?;
        let name = row.filled(item).or_else(|| row.filled(query));
        let name = name.ok_or_else(|| {
            let problem = problem!(MissingValue: "there is neither an item nor a query");
            row.line.error(problem)
        })?;
        rows.push((name.to_owned(), row.name(show, "show")?.to_owned()));
    }
    Ok(ShownFile {
        rows,
        warnings: text.warning.into_iter().collect(),
    })
}
