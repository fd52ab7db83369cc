//! Evaluation of run files against a ground truth.

use std::collections::{BTreeMap, BTreeSet};

use partita_core::GroundTruth;
use partita_core::evaluation::{
    Evaluation, EvaluationError, EvaluationNote, EvaluationRequest, Evaluator, InputSettings,
    QueryStrata, RunEvaluation,
};
use partita_core::work::{Work, WorkError};
use partita_formats::run::{self, RunFile, RunFormat, RunReadOptions, RunSet};
use partita_formats::{Diagnostic, DiagnosticCode, FormatError, Source, Warning, strata};
use partita_report::phrases::list_names;
use partita_report::views::evaluation::remark_text;

use crate::JobResult;

/// Ground truth, runs and strata of an evaluation.
#[derive(Clone, Debug)]
pub struct EvaluationFiles<'a> {
    /// Ground truth.
    pub truth: &'a GroundTruth,
    /// Name of the file of the ground truth, which the result and warnings repeat.
    pub truth_name: &'a str,
    /// True if judged items with a grade of 0 or less form the last group of a query's list.
    pub keep_zero: bool,
    /// Files of runs.
    pub runs: &'a [Source],
    /// Format of the runs; `None` to detect it.
    pub run_format: Option<RunFormat>,
    /// File of the strata of queries, if any.
    pub strata: Option<&'a Source>,
}

/// Error of evaluating run files.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FileEvaluationError {
    /// A file cannot be read, or a run shares no query with the ground truth.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The request is invalid or does not fit the ground truth, or the work was cancelled.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl From<WorkError> for FileEvaluationError {
    fn from(stopped: WorkError) -> Self {
        Self::Evaluation(stopped.into())
    }
}

/// Reads run files and scores each run as soon as it is read, so that only the runs being scored
/// are in memory.
///
/// ```
/// use partita::evaluation::EvaluationRequest;
/// use partita::formats::{Source, truth};
/// use partita::work::SequentialWork;
/// use partita::{EvaluationFiles, evaluate_files};
///
/// let truth = Source::from_bytes("truth.txt", "q1: (1, 2), (3, 4, 5)\n");
/// let truth = truth::read(&truth, &truth::TruthReadOptions::default())?.truth;
/// let run = Source::from_bytes("run.json", r#"{"q1": ["2", "3", "1", "5", "7", "8", "9", "4"]}"#);
/// let files = EvaluationFiles {
///     truth: &truth,
///     truth_name: "truth.txt",
///     keep_zero: false,
///     runs: &[run],
///     run_format: None,
///     strata: None,
/// };
/// let scored = evaluate_files(&EvaluationRequest::default(), &files, &SequentialWork)?;
/// let run = &scored.result.runs[0];
/// assert_eq!((run.run.as_str(), run.mean.get("ADR")), ("run", Some(&Some(0.86))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`FileEvaluationError`] for an invalid request, for the first file that cannot be read
/// or has a run that shares no query with the ground truth, or if the work was cancelled.
pub fn evaluate_files(
    request: &EvaluationRequest,
    files: &EvaluationFiles<'_>,
    work: &dyn Work,
) -> Result<JobResult<Evaluation>, FileEvaluationError> {
    let rules = request.rules();
    let mut request = request.clone();
    let mut warnings = Vec::new();
    if let Some(source) = files.strata {
        let file = strata::read(source)?;
        warnings.extend(file.warnings);
        request.strata = Some(QueryStrata {
            names: file.strata,
            stratum_of: file.stratum_of,
        });
    }
    request.input = Some(InputSettings {
        truth: files.truth_name.to_owned(),
        keep_zero: files.keep_zero,
        order: rules.order,
        ties: rules.ties,
        score_precision: rules.score_precision,
    });
    let evaluator = Evaluator::new(&request, files.truth)?;
    let options = RunReadOptions {
        format: files.run_format,
        name: None,
        order: rules.order,
        ties: rules.ties,
        score_precision: rules.score_precision,
    };
    let scored = score_runs(files.runs, &evaluator, &options, work)?;
    warnings.extend(scored.warnings);
    let evaluation = evaluator.finish(scored.runs);
    for note in &evaluation.notes {
        let others = take_unknown_query_warnings(note, &scored.file_of_run, &mut warnings);
        let mut warning = evaluation_note_warning(note, files.truth_name, &scored.file_of_run);
        if !others.is_empty() {
            let others = list_names(&others, 3);
            warning.message +=
                &format!(" Queries in no ground truth, such as {others}, were not scored.");
        }
        warnings.push(warning);
    }
    Ok(JobResult {
        result: evaluation,
        warnings,
    })
}

/// Reads each run file and scores its runs.
fn score_runs(
    sources: &[Source],
    evaluator: &Evaluator<'_>,
    options: &RunReadOptions,
    work: &dyn Work,
) -> Result<RunSet<RunEvaluation>, FileEvaluationError> {
    let score_file = |number: usize| {
        let file = run::read_for_truth(&sources[number], evaluator.truth(), options)?;
        Ok(RunFile {
            runs: file.runs.iter().map(|run| evaluator.score(run)).collect(),
            warnings: file.warnings,
        })
    };
    let files: Vec<Result<_, FormatError>> = if sources.len() == 1 {
        // A single file needs no other thread, and the current thread can reuse its memory.
        vec![score_file(0)]
    } else {
        work.map("scoring runs", sources.len(), score_file)?
    };
    let files: Vec<RunFile<RunEvaluation>> = files.into_iter().collect::<Result<_, _>>()?;
    Ok(RunSet::from_files(sources, files, |run| &mut run.run))
}

/// Removes the warnings about unknown queries in the files of the runs that a low-overlap note
/// names, because the note is sufficient. Returns one unknown query per removed warning.
fn take_unknown_query_warnings(
    note: &EvaluationNote,
    file_of_run: &BTreeMap<String, String>,
    warnings: &mut Vec<Warning>,
) -> Vec<String> {
    let EvaluationNote::LowQueryOverlap { runs, .. } = note else {
        return Vec::new();
    };
    let files = runs.iter().filter_map(|(run, _)| file_of_run.get(run));
    let files: Vec<&String> = files.collect();
    let is_of_those = |warning: &mut Warning| {
        warning.code == DiagnosticCode::UnknownQueries && files.contains(&&warning.file)
    };
    let taken = warnings.extract_if(.., is_of_those);
    taken
        .filter_map(|warning| Some(format!("`{}`", warning.fields.get("first")?)))
        .collect()
}

/// Returns the warning about output in the format of trec_eval if a query cannot be told from a mean
/// there. `truth` is the name of the ground truth.
pub fn trec_eval_output_warning(evaluation: &Evaluation, truth: &str) -> Option<Warning> {
    let note = EvaluationNote::for_trec_eval_output(evaluation)?;
    Some(evaluation_note_warning(&note, truth, &BTreeMap::new()))
}

/// Returns a note on an evaluation as a warning about the file concerned. `file_of_run` names the
/// file of each run, and `truth` that of the ground truth.
pub fn evaluation_note_warning(
    note: &EvaluationNote,
    truth: &str,
    file_of_run: &BTreeMap<String, String>,
) -> Warning {
    let (code, queries): (DiagnosticCode, Vec<&String>) = match note {
        EvaluationNote::ReservedQueryName => (DiagnosticCode::ReservedName, Vec::new()),
        EvaluationNote::TruncatedGrades(_) => (DiagnosticCode::LeftOut, Vec::new()),
        EvaluationNote::TooFewQueriesToResample
        | EvaluationNote::FewQueriesToResample { .. }
        | EvaluationNote::ConstantScores { .. } => (DiagnosticCode::TooLittle, Vec::new()),
        EvaluationNote::QueriesWithoutRelevant { queries, .. } => {
            (DiagnosticCode::EmptyQueries, queries.iter().collect())
        }
        EvaluationNote::QueriesWithoutStratum { queries, .. } => {
            (DiagnosticCode::UnmatchedQueries, queries.iter().collect())
        }
        EvaluationNote::LowQueryOverlap { .. } => (DiagnosticCode::UnmatchedQueries, Vec::new()),
        EvaluationNote::MissingQueries { runs, .. } => {
            let queries = runs.iter().flat_map(|(_, queries)| queries);
            let queries: BTreeSet<&String> = queries.collect();
            (
                DiagnosticCode::MissingQueries,
                queries.into_iter().collect(),
            )
        }
    };
    let mut problem = Diagnostic::new(code, remark_text(note));
    if !queries.is_empty() {
        problem = problem.with_field("count", queries.len());
        let queries: Vec<&str> = queries.into_iter().map(String::as_str).collect();
        problem = problem.with_field("queries", queries.join(", "));
    }
    let runs = note.runs();
    if !runs.is_empty() {
        problem = problem.with_field("runs", runs.join(", "));
    }
    // A note on several runs concerns the queries of the ground truth.
    let file = match runs[..] {
        [run] => file_of_run.get(run).map_or(run, String::as_str),
        _ => truth,
    };
    Warning::in_file(file, problem)
}
