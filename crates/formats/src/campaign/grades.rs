//! Grades that assessors gave to items: `query,assessor,item,broad,fine`.
//!
//! `broad` is NS, SS or VS (not, somewhat, very similar), `fine` a number from 0 to 100; one of the
//! two may be empty. The columns `seconds` and `id` are optional.
//!
//! ```
//! use partita_core::judgment::{BroadGrade, Judgment};
//! use partita_formats::{Source, campaign::grades};
//!
//! let file = Source::from_bytes("g.csv", "query,assessor,item,broad,fine\nq1,ann,x,VS,8.5\n");
//! let read = grades::read(&file, None)?;
//! let grade = Judgment::Grade { broad: Some(BroadGrade::Very), fine: Some(8.5) };
//! assert_eq!(read.rows[0].as_ref().map(|row| &row.judgment), Ok(&grade));
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

use partita_core::judgment::{AnswerRow, BroadGrade, Judgment};
use partita_named::NamedEnum as _;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::remedy::Remedy;
use crate::table::{ASSESSOR, ITEM, QUERY, SECONDS, Table};
use crate::text::SourceText;
use crate::text::source::Source;

/// Content of a file of grades.
#[derive(Clone, Debug)]
pub struct GradesFile {
    /// Grades in the order of the rows, each with its error if the broad grade is none.
    pub rows: Vec<Result<AnswerRow, FormatError>>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Remedy in errors about a table of grades: the columns that it must have.
const REMEDY: &str =
    "the first line must name the columns query, assessor and item, and broad (NS, SS, VS) or fine";

/// Remedy in the error about a table of grades without queries.
const QUERY_REMEDY: &str = "the first line must name the columns query, assessor and item; {query NAME} \
                            names the list of a table without queries";

/// Reads a table of grades. Without a column of queries, all grades are of the query `only_query`,
/// or the table is refused if there is none. A fine grade must be a number; its range is validated when the grade is
/// added to a campaign.
pub fn read(source: &Source, only_query: Option<&str>) -> Result<GradesFile, FormatError> {
    let text = SourceText::read(source)?;
    let table = Table::new(&text)?;
    let header = table.header();
    let query = header.column_index(QUERY);
    if query.is_none() && only_query.is_none() {
        let missing = header.required_columns([QUERY], REMEDY);
        missing.map_err(|error| error.with_remedy(Remedy::parse(QUERY_REMEDY)))?;
    }
    let [assessor, item] = header.required_columns([ASSESSOR, ITEM], REMEDY)?;
    let [broad, fine, id] = ["broad", "fine", "id"].map(|name| header.column_index(&[name]));
    let seconds = header.column_index(SECONDS);
    if broad.is_none() && fine.is_none() {
        let problem = diagnostic!(MissingColumn: "no column is called broad or fine");
        return Err(header.line.error(problem).at_column(1).with_remedy(REMEDY));
    }
    let mut rows = Vec::new();
    for row in table.rows() {
        let row = row?;
        let items = vec![row.require_name(item, "item")?.to_owned()];
        let fine = row.optional_number(fine, "the fine grade")?;
        let grade = AnswerRow {
            position: Some(row.line.position()),
            query: match query {
                Some(column) => Some(row.require_name(column, "query")?.to_owned()),
                None => only_query.map(str::to_owned),
            },
            assessor: Some(row.require_name(assessor, "assessor")?.to_owned()),
            items,
            seconds: row.optional_number(seconds, "the seconds")?,
            id: row.non_empty(id).map(str::to_owned),
            ..AnswerRow::default()
        };
        let broad = row.non_empty(broad).map(BroadGrade::from_name).transpose();
        rows.push(match broad {
            Ok(broad) => Ok(AnswerRow {
                judgment: Judgment::Grade { broad, fine },
                ..grade
            }),
            Err(unknown) => {
                let problem = diagnostic!(NotAnAnswer { found = unknown.name }:
                    "a broad grade is NS, SS or VS, not `{found}`");
                Err(row.line.error(problem))
            }
        });
    }
    Ok(GradesFile {
        rows,
        warnings: text.warning.into_iter().collect(),
    })
}
