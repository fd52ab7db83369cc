//! The scores of systems on queries: one file a format.
//!
//! | format | looks like |
//! |---|---|
//! | `rows` | `system,query,measure,value`, as `evaluate --per-query --format csv` prints them |
//! | `judged` | `system,query,judge,measure,value`, the scores by the judgments of each of several people |
//! | `matrix` | a row a query, a column a system; a first column `query` names the queries and one called `stratum` their strata |
//!
//! In the first two, rows of the query `all` are means over the queries, as `evaluate` prints them
//! (those over a stratum of them name it in a column `stratum`), and are left out. No other name means
//! anything. A query of that very name cannot be told from a mean: where `all` stands twice for a
//! system, the file is refused.
//!
//! ```
//! use partita_formats::{Source, scores};
//!
//! let file = Source::memory("scores.csv", "query,bm25,dfr\nq1,0.2,0.3\nq2,0.6,0.4\n");
//! let read = scores::read(&file, &scores::ReadOptions::default())?;
//! assert_eq!(read.tables[0].scores.systems(), ["bm25", "dfr"]);
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

mod matrix;
mod partial_matrix;
mod rows;

pub use partita_core::MissingScorePolicy;
use partita_core::measure::is_same_measure;
use partita_core::{AssessorScores, ScoreMatrix, Strata};
use partita_named::NamedEnum;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::file_kind::{FileKind, or_mismatch_error};
use crate::remedy::Remedy;
use crate::strata::StrataFile;
use crate::table::csv_writer::CsvWriter;
use crate::table::{InputRow, Table};
use crate::text::SourceText;
use crate::text::source::Source;

pub use matrix::write_matrix;
use rows::Columns;

/// How scores are read.
#[derive(Clone, Debug, Default)]
pub struct ScoresReadOptions {
    /// The measures that are wanted; all if none is named.
    pub measures: Vec<String>,
    /// What becomes of a score that is not there.
    pub missing: MissingScorePolicy,
}

impl ScoresReadOptions {
    fn includes_measure(&self, measure: &str) -> bool {
        let mut asked = self.measures.iter();
        self.measures.is_empty() || asked.any(|name| is_same_measure(name, measure))
    }
}

/// The scores by one measure.
#[derive(Clone, Debug)]
pub struct ScoresTable {
    /// The scores.
    pub scores: ScoreMatrix,
    /// The strata of the queries, if the file names them.
    pub strata: Option<Strata>,
}

/// Scores as they were read.
#[derive(Clone, Debug, Default)]
pub struct ScoresFile {
    /// A table for each measure, in the order of their first score.
    pub tables: Vec<ScoresTable>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// Reads scores.
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
    read().map_err(|error| or_mismatch_error(FileKind::Scores, source, error))
}

/// Scores by the judgments of each of several people, as they were read.
#[derive(Clone, Debug, Default)]
pub struct AssessorScoresFile {
    /// The scores for each measure, in the order of their first score.
    pub tables: Vec<AssessorScores>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// Scores, by the judgments of several people or not.
#[derive(Clone, Debug)]
pub enum ScoresInput {
    /// One score of a system on a query.
    Plain(ScoresFile),
    /// A score by the judgments of each of several people.
    ByAssessor(AssessorScoresFile),
}

/// Reads scores that may have a column of judges.
///
/// ```
/// use partita_formats::scores::{AnyScores, ReadOptions, read_any};
/// use partita_formats::Source;
///
/// let text = "system,query,judge,value\na,q1,ann,0.5\na,q1,bob,0.4\n";
/// let file = Source::memory("scores.csv", text);
/// let AnyScores::Judged(read) = read_any(&file, &ReadOptions::default())? else { panic!() };
/// assert_eq!(read.tables[0].judges(), ["ann", "bob"]);
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
    /// A format of scores.
    pub enum ScoresFormat: "format of scores" {
        /// system,query,measure,value
        Rows = "rows",
        /// A row per query, a column per system, of one measure
        Matrix = "matrix",
    }
}

/// Writes scores.
///
/// # Errors
/// Several measures in a matrix.
pub fn write(tables: &[ScoresTable], format: ScoresFormat) -> Result<String, FormatError> {
    const MEMORY: &str = "memory can be written to";
    let mut text = Vec::new();
    match (format, tables) {
        (ScoresFormat::Rows, _) => {
            let mut writer = CsvWriter::new(&mut text);
            writer
                .write_row(["system", "query", "measure", "value"])
                .expect(MEMORY);
            for ScoresTable { scores, .. } in tables {
                for (number, system) in scores.systems().iter().enumerate() {
                    for (query, row) in scores.queries().iter().zip(scores.rows()) {
                        let value = row[number].to_string();
                        let row = [system.as_str(), query, scores.measure(), &value];
                        writer.write_row(row).expect(MEMORY);
                    }
                }
            }
            writer.finish().expect(MEMORY);
        }
        (ScoresFormat::Matrix, [ScoresTable { scores, strata }]) => {
            let systems: Vec<&str> = scores.systems().iter().map(String::as_str).collect();
            let mut stratum_of = vec![None; scores.queries().len()];
            for (stratum, name) in strata.iter().flat_map(|s| s.names().iter().enumerate()) {
                let members = strata.as_ref().map_or(&[][..], |s| s.queries(stratum));
                members
                    .iter()
                    .for_each(|&query| stratum_of[query] = Some(name.as_str()));
            }
            let rows = scores.queries().iter().zip(scores.rows()).zip(stratum_of);
            let rows = rows.map(|((query, row), stratum)| {
                (
                    query.as_str(),
                    stratum,
                    row.iter().copied().map(Some).collect(),
                )
            });
            write_matrix(&mut text, &systems, strata.is_some(), rows).expect(MEMORY);
        }
        (ScoresFormat::Matrix, _) => {
            let names = tables.iter().map(|table| table.scores.measure());
            let problem = diagnostic!(Unrepresentable { count = tables.len() }:
                "a matrix holds the scores by one measure, but there are {count}");
            let remedy = format!("choose one: {}", names.collect::<Vec<_>>().join(", "));
            return Err(FormatError::in_file(format.name(), problem).with_remedy(remedy));
        }
    }
    Ok(String::from_utf8(text).expect("text was written"))
}

/// The strata of the queries of these scores, from a file `query,stratum`.
pub fn match_strata(
    source: &Source,
    groups: &StrataFile,
    scores: &ScoreMatrix,
) -> Result<Strata, FormatError> {
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

/// The score that a column holds; nothing where it is empty, or `NA` as R writes it.
fn score(row: &InputRow<'_>, column: usize) -> Result<Option<f64>, FormatError> {
    let said = row.fields[column].as_ref();
    if said.is_empty() || said == "NA" {
        return Ok(None);
    }
    let problem = match row.parse_number(column) {
        Some(score) if score.is_finite() => return Ok(Some(score)),
        Some(found) => diagnostic!(NotANumber { found }:
            "a score must be a finite number, not {found}"),
        None => diagnostic!(NotANumber { found = said }: "a score must be a number, not `{found}`"),
    };
    Err(row.error(column, problem).with_remedy(Remedy::parse(
        "leave a score that is not there empty, and say with {missing} what becomes of it",
    )))
}
