//! Question sheets: tables of questions for one or more assessors, who fill in the answers.

use crate::table::Table;
use crate::text::SourceText;
use crate::{FormatError, Source, diagnostic};

/// Row of a question sheet, answered or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionSheetRow {
    /// Line on which the row begins, counted from 1.
    pub line: u64,
    /// Name of the assessor who is asked.
    pub assessor: String,
    /// Name of the query.
    pub query: String,
    /// Name of the item shown first.
    pub a: String,
    /// Name of the item shown second.
    pub b: String,
}

/// Reads the questions of a question sheet: a table with the columns question, assessor, query, a
/// and b.
///
/// # Errors
/// Returns [`FormatError`] if the file cannot be read, is not such a sheet, or lacks a name in a
/// row.
pub fn read_question_sheet(source: &Source) -> Result<Vec<QuestionSheetRow>, FormatError> {
    let text = SourceText::read(source)?;
    let table = Table::new(&text)?;
    let header = table.header();
    let heading = |name: &str| header.column_index(&[name]);
    let all = ["question", "assessor", "query", "a", "b"].map(heading);
    let [Some(_), Some(assessor), Some(query), Some(a), Some(b)] = all else {
        return Err(header.line.error(diagnostic!(MissingColumn:
            "this is no sheet of questions: those have the columns question, query, a, b and assessor")));
    };
    let mut rows = Vec::new();
    for row in table.rows() {
        let row = row?;
        let name = |column, what| row.require_name(column, what).map(str::to_owned);
        rows.push(QuestionSheetRow {
            line: row.line.number,
            assessor: name(assessor, "assessor")?,
            query: name(query, "query")?,
            a: name(a, "first item")?,
            b: name(b, "second item")?,
        });
    }
    Ok(rows)
}
