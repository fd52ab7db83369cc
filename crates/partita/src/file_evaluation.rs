//! Evaluation of run files against a ground truth.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use partita_core::evaluation::{
    Evaluation, EvaluationError, EvaluationNote, EvaluationRequest, Evaluator, InputSettings,
    QueryStrata, RunEvaluation,
};
use partita_core::work::{Work, WorkError};
use partita_core::{GroundTruth, ZeroGainPolicy};
use partita_formats::run::{self, RunFile, RunFormat, RunReadOptions, RunSet};
use partita_formats::truth::{TruthFile, TruthReadOptions};
use partita_formats::{Diagnostic, DiagnosticCode, FormatError, Source, Warning, strata};
use partita_report::phrases::list_names;
use partita_report::views::evaluation::remark_text;

use crate::file_evidence::{EvidenceReadError, read_truth};

/// Files of an evaluation: ground truth, runs and strata.
#[derive(Clone, Debug)]
pub struct EvaluationFiles<'a> {
    /// File of the ground truth, or the log of a campaign, which gives its lists.
    pub truth: &'a Source,
    /// Options for reading the ground truth.
    pub truth_options: TruthReadOptions,
    /// Files of runs.
    pub runs: &'a [Source],
    /// Format of the runs; `None` to detect it.
    pub run_format: Option<RunFormat>,
    /// File of the strata of queries, if any.
    pub strata: Option<&'a Source>,
}

/// Evaluation of run files, with the ground truth that was read.
#[derive(Clone, Debug)]
pub struct FileEvaluation {
    /// Scores of the runs.
    pub evaluation: Evaluation,
    /// Ground truth against which the runs are scored.
    pub truth: GroundTruth,
    /// Warnings about the files.
    pub warnings: Vec<Warning>,
}

/// Error of evaluating run files.
#[derive(Debug, thiserror::Error)]
pub enum FileEvaluationError {
    /// A file cannot be read, or a run shares no query with the ground truth.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The ground truth, or the campaign that gives it, cannot be read.
    #[error(transparent)]
    Truth(Box<EvidenceReadError>),
    /// The request is invalid or does not fit the ground truth, or the work was cancelled.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl From<EvidenceReadError> for FileEvaluationError {
    fn from(error: EvidenceReadError) -> Self {
        Self::Truth(Box::new(error))
    }
}

impl From<WorkError> for FileEvaluationError {
    fn from(stopped: WorkError) -> Self {
        Self::Evaluation(stopped.into())
    }
}

/// Reads the ground truth and the run files, and scores each run as soon as it is read, so that only
/// the runs being scored are in memory.
///
/// ```
/// use partita::evaluation::EvaluationRequest;
/// use partita::formats::Source;
/// use partita::formats::truth::TruthReadOptions;
/// use partita::work::SequentialWork;
/// use partita::{EvaluationFiles, evaluate_files};
///
/// let truth = Source::from_bytes("truth.txt", "q1: (1, 2), (3, 4, 5)\n");
/// let run = Source::from_bytes("run.json", r#"{"q1": ["2", "3", "1", "5", "7", "8", "9", "4"]}"#);
/// let files = EvaluationFiles {
///     truth: &truth,
///     truth_options: TruthReadOptions::default(),
///     runs: &[run],
///     run_format: None,
///     strata: None,
/// };
/// let scored = evaluate_files(&EvaluationRequest::default(), &files, &SequentialWork)?;
/// let run = &scored.evaluation.runs[0];
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
) -> Result<FileEvaluation, FileEvaluationError> {
    let TruthFile {
        truth,
        mut warnings,
        ..
    } = read_truth(files.truth, &files.truth_options, work)?;
    let rules = request.rules();
    let mut request = request.clone();
    if let Some(source) = files.strata {
        let file = strata::read(source)?;
        warnings.extend(file.warnings);
        request.strata = Some(QueryStrata {
            names: file.strata,
            stratum_of: file.stratum_of,
        });
    }
    request.input = Some(InputSettings {
        truth: files.truth.name().to_owned(),
        keep_zero: files.truth_options.zero == ZeroGainPolicy::LastGroup,
        order: rules.order,
        ties: rules.ties,
        score_precision: rules.score_precision,
    });
    let evaluator = Evaluator::new(&request, &truth)?;
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
        let mut warning = evaluation_note_warning(note, files.truth.name(), &scored.file_of_run);
        if !others.is_empty() {
            let others = list_names(&others, 3);
            warning.message +=
                &format!(" Queries in no ground truth, such as {others}, were not scored.");
        }
        warnings.push(warning);
    }
    let read_otherwise = match request.judgments(&truth) {
        Cow::Owned(judgments) => Some(judgments),
        Cow::Borrowed(_) => None,
    };
    Ok(FileEvaluation {
        evaluation,
        truth: read_otherwise.unwrap_or(truth),
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
