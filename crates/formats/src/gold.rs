//! `query,a,b,answer`: questions whose answers are known.
//!
//! ```
//! use partita_core::Answer;
//! use partita_formats::{Source, gold};
//!
//! let read = gold::read(&Source::memory("g.csv", "query,a,b,answer\nq1,x,y,a\n"))?;
//! assert_eq!(read.rows[0].answer, Answer::A);
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

use partita_core::Answer;

use crate::error::{FormatError, Warning};
use crate::problem;
use crate::source::Source;
use crate::table::{QUERY, Table};
use crate::text::Text;

/// A question whose answer is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldRow {
    /// The line, counted from 1.
    pub line: u64,
    /// The query.
    pub query: String,
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// What is to be said.
    pub answer: Answer,
}

/// Questions with known answers as they were read.
#[derive(Clone, Debug)]
pub struct GoldFile {
    /// The questions in the order of the rows.
    pub rows: Vec<GoldRow>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

const REMEDY: &str = "the first line must name the columns query, a, b and answer (a, b or equal)";

/// Reads questions whose answers are known.
pub fn read(source: &Source) -> Result<GoldFile, FormatError> {
    let text = Text::read(source)?;
    let table = Table::new(&text)?;
    let header = table.header();
    let [query, a, b, answer] = header.places([QUERY, &["a"], &["b"], &["answer"]], REMEDY)?;
    let mut rows = Vec::new();
    for row in table.rows() {
        let row = row?;
        let said = row.name(answer, "answer")?;
        let known = Answer::ALL
            .into_iter()
            .find(|known| known.name().eq_ignore_ascii_case(said));
        let Some(known) = known else {
            let problem = problem!(NotAnAnswer { found = said }:
                "a known answer is a, b or equal, not `{found}`");
            return Err(row.error(answer, problem));
        };
        rows.push(GoldRow {
            line: row.line.number,
            query: row.name(query, "query")?.to_owned(),
            a: row.name(a, "item")?.to_owned(),
            b: row.name(b, "item")?.to_owned(),
            answer: known,
        });
    }
    if rows.is_empty() {
        return Err(source.empty());
    }
    Ok(GoldFile {
        rows,
        warnings: text.warning.into_iter().collect(),
    })
}
