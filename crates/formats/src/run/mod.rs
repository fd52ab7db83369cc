//! Runs, one module per format.
//!
//! | format | looks like | order |
//! |---|---|---|
//! | `trec` | `query Q0 item rank score tag` | by score, rank or file |
//! | `systems` | `system query item`, or a header that names these and perhaps `score` or `rank` | as in the file, or by score or rank |
//! | `lines` | `query item item ...` | as in the line |
//! | `json` | `{"query": ["a", ["b", "c"]]}` | as in the list; an inner list is a tie |
//! | `scores-json` | `{"query": {"a": 0.9, "b": 0.2}}` | by score |

mod document_buffer;
mod json;
mod lines;
mod run_set;
mod sink;
mod systems;
mod trec;
mod warnings;

use std::collections::HashSet;

use partita_core::{GroundTruth, NoCommonQueryError, Run, SystemRankings};
use partita_named::NamedEnum;
use serde::Deserialize;

use crate::diagnostic;
use crate::diagnostic::{Diagnostic, DiagnosticCode, FormatError, Warning};
use crate::file_kind::{FileKind, prefer_mismatch_error};
use crate::remedy::Remedy;
use crate::table::{InputRow, Separator};
use crate::text::line::{SourceLine, count_of_columns};
use crate::text::name_rules::check_line_start;
use crate::text::source::Source;
use crate::text::{BlockReader, is_comment_or_blank};

pub use partita_core::{RunOrder, ScorePrecision, TieBreaking};
pub use run_set::RunSet;

use sink::TruthSink;
use warnings::RunWarnings;

partita_named::named_enum! {
    /// File format of runs.
    pub enum RunFormat: "format of runs" {
        /// query Q0 item rank score tag
        Trec = "trec",
        /// system query item, in the order of rank
        Systems = "systems",
        /// query item item ..., a line per query
        Lines = "lines",
        /// {"query": ["a", "b"]}, with inner lists for tied items
        Json = "json",
        /// {"query": {"a": 0.9}}, scores as pytrec_eval, ranx and BEIR have them
        ScoresJson = "scores-json",
    }
}

/// Options for reading runs. By default documents are ordered as trec_eval does, except that scores
/// are compared in double precision.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunReadOptions {
    /// Format of the file; `None` to detect it.
    #[serde(rename = "run_format")]
    pub format: Option<RunFormat>,
    /// Name of a run that has no name in its file; `None` for the file's stem.
    #[serde(skip)]
    pub name: Option<String>,
    /// Order of the documents of a query: by score, by rank, or as in the file.
    pub order: RunOrder,
    /// Order of documents whose scores (or ranks) are equal.
    pub ties: TieBreaking,
    /// Precision in which scores are compared; trec_eval compares in single precision.
    pub score_precision: ScorePrecision,
}

impl RunReadOptions {
    /// Returns the name for a run that has no name in its file.
    fn name_or_stem<'a>(&'a self, source: &'a Source) -> &'a str {
        self.name.as_deref().unwrap_or(source.stem())
    }
}

/// Runs of a file. `R` is [`Run`] with the names of all documents, or [`SystemRankings`] with only
/// the documents that a ground truth judges. A run is named by its tag or the column of systems,
/// else by [`RunReadOptions::name`], else by the file's stem.
#[derive(Debug)]
pub struct RunFile<R> {
    /// Runs in the order of their first row in the file.
    pub runs: Vec<R>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Reads the runs of a file with the names of all documents.
pub fn read(source: &Source, options: &RunReadOptions) -> Result<RunFile<Run>, FormatError> {
    let read = || match find_format(source, options)? {
        RunFormat::Trec => Ok(trec::read(|| Run::new(""), source, options)?.0),
        format => {
            let lists = read_other_format(source, format, options)?;
            Ok(RunFile {
                runs: lists.runs.into_iter().map(|(run, _)| run).collect(),
                warnings: lists.warnings,
            })
        }
    };
    read().map_err(|error| prefer_mismatch_error(FileKind::Run, source, error))
}

/// Reads the runs of a file, keeping only the documents that the ground truth judges. Refuses a
/// run that shares no query with the ground truth.
///
/// Names of unjudged documents are not kept, so that even a long run takes little memory.
pub fn read_for_truth(
    source: &Source,
    truth: &GroundTruth,
    options: &RunReadOptions,
) -> Result<RunFile<SystemRankings>, FormatError> {
    let read = || match find_format(source, options)? {
        RunFormat::Trec => {
            let (file, others) = trec::read(|| TruthSink::new(truth), source, options)?;
            let others = || others.items().map(|query| others.name(query));
            let check = |run| NoCommonQueryError::check(run, truth, others());
            let checked = file.runs.iter().try_for_each(check);
            checked.map_err(|error| no_common_query_error(source, &error))?;
            Ok(file)
        }
        format => read_other_format(source, format, options)?.into_truth_file(source, truth),
    };
    read().map_err(|error| prefer_mismatch_error(FileKind::Run, source, error))
}

/// Reads the runs of a file in a format other than TREC's.
fn read_other_format(
    source: &Source,
    format: RunFormat,
    options: &RunReadOptions,
) -> Result<ParsedRuns, FormatError> {
    match format {
        RunFormat::Systems => systems::read(source, options),
        RunFormat::Lines => lines::read(source, options.name_or_stem(source)),
        RunFormat::Trec | RunFormat::Json | RunFormat::ScoresJson => {
            json::read(source, format, options)
        }
    }
}

/// Creates a run from the documents of each query with their scores: ordered by score, or as given
/// if the options keep the order of the file.
fn run_from_scores(
    name: &str,
    mut queries: Vec<(String, Vec<(String, f64)>)>,
    options: &RunReadOptions,
) -> Run {
    if options.order == RunOrder::File {
        let lists = queries.into_iter().map(|(query, scores)| {
            let items = scores.into_iter().map(|(item, _)| item);
            (query, items)
        });
        return Run::from_lists(name, lists);
    }
    if options.score_precision == ScorePrecision::Single {
        for (_, score) in queries.iter_mut().flat_map(|(_, scores)| scores) {
            *score = f64::from(*score as f32);
        }
    }
    Run::from_scores(name, queries, options.ties).expect("the reader refuses NaN scores")
}

/// Runs of a file in a format other than TREC's, each with the lines on which its queries start.
#[derive(Default)]
struct ParsedRuns {
    runs: Vec<(Run, Vec<u64>)>,
    warnings: Vec<Warning>,
}

impl ParsedRuns {
    /// Creates the content of a file with one run. Returns an error if the run has no query.
    fn from_single_run(
        source: &Source,
        run: Run,
        lines: Vec<u64>,
        warning: Option<Warning>,
    ) -> Result<Self, FormatError> {
        if lines.is_empty() {
            return Err(source.empty_error());
        }
        Ok(Self {
            runs: vec![(run, lines)],
            warnings: warning.into_iter().collect(),
        })
    }

    /// Reduces the runs to the queries and documents of a ground truth, with warnings about
    /// unknown queries, long names and repeated documents. Refuses a run that shares no query with
    /// the ground truth.
    fn into_truth_file(
        self,
        source: &Source,
        truth: &GroundTruth,
    ) -> Result<RunFile<SystemRankings>, FormatError> {
        let mut counters = RunWarnings::default();
        for (run, lines) in &self.runs {
            for ((query, groups), &line) in run.queries().zip(lines) {
                if truth.query_index(query).is_none() {
                    counters.count_unknown_query(line, query);
                    continue;
                }
                let mut seen = HashSet::new();
                for document in groups.concat() {
                    counters.count_if_long(line, document.as_bytes());
                    if !seen.insert(document) {
                        counters.count_repeat(line, query, document.as_bytes());
                    }
                }
            }
        }
        let mut warnings = self.warnings;
        warnings.extend(counters.warnings(source.name(), RunOrder::File.name()));
        let runs = self.runs.iter().map(|(run, _)| {
            let rankings = run.rankings_for(truth);
            NoCommonQueryError::check(&rankings, truth, run.queries().map(|(query, _)| query))
                .map_err(|error| no_common_query_error(source, &error))?;
            Ok(rankings)
        });
        Ok(RunFile {
            runs: runs.collect::<Result<_, FormatError>>()?,
            warnings,
        })
    }
}

/// Creates the error for a run that shares no query with the ground truth.
fn no_common_query_error(source: &Source, error: &NoCommonQueryError) -> FormatError {
    let problem = Diagnostic::new(DiagnosticCode::UnmatchedQueries, error.to_string())
        .with_field("run", &error.run)
        .with_field("of_run", error.run_queries.join(", "))
        .with_field("of_truth", error.truth_queries.join(", "));
    source
        .error(problem)
        .with_remedy("both must call the queries alike")
}

/// Writes runs as the text of a file. Returns an error for anything that the format cannot hold:
/// several runs, ties, repeated documents, or some names.
pub fn write(runs: &[Run], format: RunFormat) -> Result<String, FormatError> {
    if let RunFormat::Trec | RunFormat::Lines = format {
        for (query, _) in runs.iter().flat_map(Run::queries) {
            check_line_start(format.name(), query)?;
        }
    }
    match format {
        RunFormat::Trec => trec::write(runs),
        RunFormat::Systems => systems::write(runs),
        RunFormat::Lines => lines::write(runs),
        RunFormat::Json => json::write(runs),
        RunFormat::ScoresJson => json::write_scores(runs),
    }
}

/// Returns the queries that the format cannot represent: those without documents, if the format has
/// one line per document.
pub fn unwritable_queries(runs: &[Run], format: RunFormat) -> Vec<&str> {
    let by_document = matches!(format, RunFormat::Trec | RunFormat::Systems);
    let queries = runs.iter().flat_map(Run::queries);
    let empty = queries.filter(|(_, groups)| by_document && groups.is_empty());
    empty.map(|(query, _)| query).collect()
}

/// Returns the only run, or an error unless there is exactly one, for formats that hold one.
fn require_single_run<'a>(runs: &'a [Run], format: &str) -> Result<&'a Run, FormatError> {
    match runs {
        [run] => Ok(run),
        runs => {
            let problem = diagnostic!(Unrepresentable { count = runs.len() }:
                "a file holds one run, but there are {count}");
            Err(FormatError::in_file(format, problem)
                .with_remedy(Remedy::parse("use {to systems}")))
        }
    }
}

/// Returns an error if documents are tied, for formats that cannot represent ties.
fn refuse_ties(format: &str, query: &str, groups: &[Vec<&str>]) -> Result<(), FormatError> {
    if groups.iter().any(|group| group.len() > 1) {
        let problem =
            diagnostic!(Unrepresentable { query }: "documents are tied for query `{query}`");
        let remedy = Remedy::parse("use {to json} or {to trec}, which can tie them");
        return Err(FormatError::in_file(format, problem).with_remedy(remedy));
    }
    Ok(())
}

/// Returns the format that the options name, else detects it from the first line that is neither
/// blank nor a comment.
fn find_format(source: &Source, options: &RunReadOptions) -> Result<RunFormat, FormatError> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let (number, first) = first_line(source)?;
    if first.trim_start().starts_with(['{', '[']) {
        return Ok(RunFormat::Json);
    }
    let separator = Separator::detect(&first, 3);
    let row = InputRow::new(SourceLine::new(source, number, &first), separator);
    if systems::SystemColumns::from_header(&row).is_some() {
        return Ok(RunFormat::Systems);
    }
    // If columns are separated by tabs, count columns instead of words, because items may contain
    // blanks.
    let columns = row.fields.len();
    let words = match separator {
        Separator::Tab => columns,
        _ => first.split_ascii_whitespace().count(),
    };
    // The second column of a TREC run is the constant `Q0`, which some files write as `q0`. In a
    // file with three columns, `q0` may be the name of a query, but `Q0` is taken as the constant.
    let constant = first.split_ascii_whitespace().nth(1).unwrap_or_default();
    if words == 6 || constant == "Q0" || columns != 3 && constant.eq_ignore_ascii_case("Q0") {
        return Ok(RunFormat::Trec);
    }
    // A header with three columns may belong to another kind of table, such as a ground truth.
    let is_truth_header = columns == 3 && crate::truth::is_header(&row);
    if columns == 3 && !is_truth_header || systems::SystemColumns::from_trec_row(&row).is_some() {
        return Ok(RunFormat::Systems);
    }
    let found = count_of_columns(columns);
    let problem = diagnostic!(UnknownFormat { found }:
        "a run cannot be recognised by a line of {found}");
    let remedy = Remedy::parse(
        "say its format with {run_format}: trec (query Q0 item rank score tag), systems (system query \
         item), lines (query item item ...) or json",
    );
    Err(source
        .error(problem)
        .at_line(number)
        .at_column(1)
        .with_remedy(remedy))
}

/// Returns the first line that is neither blank nor a comment, with its number.
fn first_line(source: &Source) -> Result<(u64, String), FormatError> {
    let mut blocks = BlockReader::with_small_blocks(source)?;
    while let Some(block) = blocks.next()? {
        let mut lines = (block.first_line..).zip(block.text().lines());
        if let Some((number, line)) = lines.find(|(_, line)| !is_comment_or_blank(line)) {
            return Ok((number, line.to_owned()));
        }
    }
    Err(source.empty_error())
}
