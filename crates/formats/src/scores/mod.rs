//! Scores of systems on queries, one module per format.
//!
//! | format | looks like |
//! |---|---|
//! | `rows` | `system,query,measure,value`, as printed by `evaluate --per-query --format csv` |
//! | `judged` | `system,query,judge,measure,value`, with scores by the judgments of each assessor |
//! | `matrix` | one row per query, one column per system; a first column `query` names the queries and a column `stratum` their strata |
//!
//! In the first two, a column `kind` tells the scores of queries (`query`) from means over queries
//! (`mean`), which are left out. In rows of another kind and in files without this column, rows of
//! the query `all` are means (means over a stratum name it in a column `stratum`). No other name is
//! reserved. A file that has two such rows for the same system, measure, assessor and stratum is
//! refused.
//!
//! ```
//! use partita_formats::{Source, scores};
//!
//! let file = Source::from_bytes("scores.csv", "query,bm25,dfr\nq1,0.2,0.3\nq2,0.6,0.4\n");
//! let read = scores::read(&file, &scores::ScoresReadOptions::default())?;
//! assert_eq!(read.tables[0].scores.systems(), ["bm25", "dfr"]);
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

mod matrix;
mod partial_matrix;
mod rows;

pub use partita_core::MissingScorePolicy;
use partita_core::measure::is_asked_measure;
pub use partita_core::reliability::StratifiedScores;
use partita_core::{AssessorScores, ScoreMatrix, Strata};
use partita_named::NamedEnum;
use serde::Deserialize;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::file_kind::{FileKind, prefer_mismatch_error};
use crate::remedy::Remedy;
use crate::strata::StrataFile;
use crate::table::csv_writer::CsvWriter;
use crate::table::{InputRow, Table};
use crate::text::SourceText;
use crate::text::source::Source;

pub use matrix::write_matrix;
use rows::Columns;

/// Options for reading scores.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScoresReadOptions {
    /// Names of the measures to read; empty for all. In scores without assessors, the minimum and
    /// maximum over tied orders (`:min`, `:max`) are then left out if the file has the mean.
    #[serde(rename = "measure")]
    pub measures: Vec<String>,
    /// Treatment of queries for which some system has no score: an error, leaving the query out, or
    /// a score of 0.
    pub missing: MissingScorePolicy,
}

impl ScoresReadOptions {
    fn includes_measure(&self, measure: &str) -> bool {
        let mut asked = self.measures.iter();
        self.measures.is_empty() || asked.any(|name| is_asked_measure(name, measure))
    }
}

/// Content of a file of scores.
#[derive(Clone, Debug, Default)]
pub struct ScoresFile {
    /// Scores of each measure, in the order in which the measures first appear.
    pub tables: Vec<StratifiedScores>,
    /// Headings of columns that are not part of the scores, such as the bounds of intervals.
    pub other_columns: Vec<String>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Reads a file with one score per system, query and measure, as rows or as a matrix.
pub fn read(source: &Source, options: &ScoresReadOptions) -> Result<ScoresFile, FormatError> {
    let read = || {
        let text = SourceText::read(source)?;
        let mut file = match Columns::from_header(&Table::new(&text)?.header()) {
            Some(columns) => rows::read(&text, &columns, options)?,
            None => matrix::read(&text, options)?,
        };
        file.warnings.extend(text.warning);
        Ok(file)
    };
    read().map_err(|error| prefer_mismatch_error(FileKind::Scores, source, error))
}

/// Content of a file of scores computed separately from the judgments of each assessor.
#[derive(Clone, Debug, Default)]
pub struct AssessorScoresFile {
    /// Scores of each measure, in the order in which the measures first appear.
    pub tables: Vec<AssessorScores>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Content of a file of scores, which may have a column of assessors.
#[derive(Clone, Debug)]
pub enum ScoresInput {
    /// Scores without assessors: one per system and query.
    Plain(ScoresFile),
    /// One score per system, query and assessor by whose judgments it was computed.
    ByAssessor(AssessorScoresFile),
}

/// Reads a file of scores with or without a column of assessors (`judge`).
///
/// ```
/// use partita_formats::Source;
/// use partita_formats::scores::{ScoresInput, ScoresReadOptions, read_any};
///
/// let text = "system,query,judge,value\na,q1,ann,0.5\na,q1,bob,0.4\n";
/// let file = Source::from_bytes("scores.csv", text);
/// let options = ScoresReadOptions::default();
/// let ScoresInput::ByAssessor(read) = read_any(&file, &options)? else { panic!() };
/// assert_eq!(read.tables[0].assessors(), ["ann", "bob"]);
/// # Ok::<(), partita_formats::FormatError>(())
/// ```
pub fn read_any(source: &Source, options: &ScoresReadOptions) -> Result<ScoresInput, FormatError> {
    let text = SourceText::read(source)?;
    let columns = Columns::from_header(&Table::new(&text)?.header());
    let Some(columns) = columns.filter(|columns| columns.judge.is_some()) else {
        return read(source, options).map(ScoresInput::Plain);
    };
    let mut file = rows::read_by_assessor(&text, &columns, options)?;
    file.warnings.extend(text.warning);
    Ok(ScoresInput::ByAssessor(file))
}

partita_named::named_enum! {
    /// File format in which scores are written.
    pub enum ScoresFormat: "format of scores" {
        /// system,query,measure,value
        Rows = "rows",
        /// A row per query, a column per system, of one measure
        Matrix = "matrix",
    }
}

/// Scores as the text of a file.
#[derive(Clone, Debug)]
pub struct ScoresText {
    /// Content of the file to write.
    pub text: String,
    /// Headings of columns of the original file that the text does not have.
    pub lost_columns: Vec<String>,
}

/// Writes scores as the text of a file.
///
/// # Errors
/// Returns [`FormatError`] for several measures in a matrix.
pub fn write(file: &ScoresFile, format: ScoresFormat) -> Result<ScoresText, FormatError> {
    let mut lost_columns = file.other_columns.clone();
    let text = match (format, &file.tables[..]) {
        (ScoresFormat::Rows, tables) => {
            if tables.iter().any(|table| table.strata.is_some()) {
                lost_columns.push("stratum".to_owned());
            }
            write_rows(tables)
        }
        (ScoresFormat::Matrix, [table]) => {
            let mut text = Vec::new();
            matrix::write(table, &mut text).expect("writing to memory cannot fail");
            String::from_utf8(text).expect("cells are UTF-8 text")
        }
        (ScoresFormat::Matrix, tables) => {
            let names = tables.iter().map(|table| table.scores.measure());
            let problem = diagnostic!(Unrepresentable { count = tables.len() }:
                "a matrix holds the scores by one measure, but there are {count}");
            let remedy = format!("choose one: {}", names.collect::<Vec<_>>().join(", "));
            return Err(FormatError::in_file(format.name(), problem).with_remedy(remedy));
        }
    };
    Ok(ScoresText { text, lost_columns })
}

/// Writes the rows of all tables. If a query has the name of means, a column says that the rows are
/// scores of queries.
fn write_rows(tables: &[StratifiedScores]) -> String {
    let mut queries = tables.iter().flat_map(|table| table.scores.queries());
    let has_name_of_means = queries.any(|query| query == rows::MEAN_QUERY_NAME);
    let heading = has_name_of_means.then_some(rows::KIND);
    let kind = has_name_of_means.then_some(rows::KIND_QUERY);
    let mut csv = CsvWriter::in_memory();
    csv.push_row(
        ["system", "query", "measure", "value"]
            .into_iter()
            .chain(heading),
    );
    for StratifiedScores { scores, .. } in tables {
        for (number, system) in scores.systems().iter().enumerate() {
            for (query, row) in scores.queries().iter().zip(scores.rows()) {
                let value = row[number].to_string();
                let row = [system.as_str(), query, scores.measure(), &value];
                csv.push_row(row.into_iter().chain(kind));
            }
        }
    }
    csv.into_text()
}

/// Returns the stratum of every query of `scores`, given the content of a file `query,stratum`.
/// Returns an error if there are more strata than queries, or if a query has no stratum.
pub fn match_strata(
    source: &Source,
    groups: &StrataFile,
    scores: &ScoreMatrix,
) -> Result<Strata, FormatError> {
    let (strata, queries) = (groups.strata.len(), scores.queries().len());
    if strata > queries {
        let measure = scores.measure();
        let problem = diagnostic!(TooLittle { strata, queries, measure }:
            "there are {strata} strata, and only {queries} queries with scores by {measure}");
        let remedy = "a stratum needs queries to draw from; is this the right file?";
        return Err(source.error(problem).with_remedy(remedy));
    }
    let stratum = |query: &String| {
        groups.stratum_of.get(query).ok_or_else(|| {
            let problem = diagnostic!(MissingValue { query }: "the query `{query}` has no stratum");
            let remedy = "every query of the scores needs a line `query,stratum`";
            source.error(problem).with_remedy(remedy)
        })
    };
    let strata: Result<Vec<&String>, FormatError> = scores.queries().iter().map(stratum).collect();
    Ok(Strata::new(strata?))
}

/// Parses the score in a column of a row; `None` if it is empty, or `NA` as R writes it.
fn parse_score(row: &InputRow<'_>, column: usize) -> Result<Option<f64>, FormatError> {
    let value = row.fields[column].as_ref();
    if value.is_empty() || value == "NA" {
        return Ok(None);
    }
    let problem = match row.parse_number(column) {
        Some(score) if score.is_finite() => return Ok(Some(score)),
        Some(found) => diagnostic!(NotANumber { found }:
            "a score must be a finite number, not {found}"),
        None => {
            diagnostic!(NotANumber { found = value }: "a score must be a number, not `{found}`")
        }
    };
    Err(row.error(column, problem).with_remedy(Remedy::parse(
        "leave a score that is not there empty, and say with {missing} what becomes of it",
    )))
}
