//! Grades that assessors gave to items: `query,assessor,item,broad,fine`.
//!
//! `broad` is NS, SS or VS (not, somewhat, very similar), `fine` a number from 0 to 100; one of the
//! two may be empty. The columns `seconds` and `id` are optional.
//!
//! ```
//! use partita_formats::{Source, campaign::grades};
//!
//! let file = Source::from_bytes("g.csv", "query,assessor,item,broad,fine\nq1,ann,x,VS,8.5\n");
//! let read = grades::read(&file)?;
//! assert_eq!(read.rows[0].fine, Some(8.5));
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::table::{ASSESSOR, ITEM, QUERY, SECONDS, Table};
use crate::text::SourceText;
use crate::text::source::Source;

/// Row of a file of grades: the grade that an assessor gave to an item.
#[derive(Clone, Debug, PartialEq)]
pub struct GradeRow {
    /// Line of the file on which the row begins, counted from 1.
    pub line: u64,
    /// Name of the query.
    pub query: String,
    /// Name of the assessor who gave the grade.
    pub assessor: String,
    /// Name of the graded item.
    pub item: String,
    /// Broad grade as written in the file, usually NS, SS or VS. It is not validated here.
    pub broad: Option<String>,
    /// Fine grade, a number from 0 to 100. The range is not validated here.
    pub fine: Option<f64>,
    /// Time that the assessor took for the grade, in seconds.
    pub seconds: Option<f64>,
    /// Identifier of the answer on the crowdsourcing platform.
    pub id: Option<String>,
}

/// Content of a file of grades.
#[derive(Clone, Debug)]
pub struct GradesFile {
    /// The grades in the order of the rows.
    pub rows: Vec<GradeRow>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Remedy in errors about a table of grades: the columns that it must have.
const REMEDY: &str =
    "the first line must name the columns query, assessor and item, and broad (NS, SS, VS) or fine";

/// Reads a table of grades. A fine grade must be a number; its range, and broad grades, are
/// validated when they are added to a campaign.
pub fn read(source: &Source) -> Result<GradesFile, FormatError> {
    let text = SourceText::read(source)?;
    let table = Table::new(&text)?;
    let header = table.header();
    let [query, assessor, item] = header.required_columns([QUERY, ASSESSOR, ITEM], REMEDY)?;
    let [broad, fine, id] = ["broad", "fine", "id"].map(|name| header.column_index(&[name]));
    let seconds = header.column_index(SECONDS);
    if broad.is_none() && fine.is_none() {
        let problem = diagnostic!(MissingColumn: "no column is called broad or fine");
        return Err(header.line.error(problem).at_column(1).with_remedy(REMEDY));
    }
    let mut rows = Vec::new();
    for row in table.rows() {
        let row = row?;
        rows.push(GradeRow {
            line: row.line.number,
            query: row.require_name(query, "query")?.to_owned(),
            assessor: row.require_name(assessor, "assessor")?.to_owned(),
            item: row.require_name(item, "item")?.to_owned(),
            broad: row.non_empty(broad).map(str::to_owned),
            fine: row.optional_number(fine, "the fine grade")?,
            seconds: row.optional_number(seconds, "the seconds")?,
            id: row.non_empty(id).map(str::to_owned),
        });
    }
    Ok(GradesFile {
        rows,
        warnings: text.warning.into_iter().collect(),
    })
}
