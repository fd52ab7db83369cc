//! Reading and scoring of run files, one after the other.

use partita_core::evaluation::{Evaluator, RunEvaluation};
use partita_core::work::{Work, WorkError};
use partita_formats::run::{self, RunFile, RunReadOptions, RunSet};
use partita_formats::{FormatError, Source};

/// Error of reading or scoring run files.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScoringError {
    /// A run file cannot be read, or one of its runs shares no query with the ground truth.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The scoring work was cancelled or failed.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// Reads run files and scores each run as soon as it is read, so that only the runs being scored
/// are in memory.
///
/// ```
/// use partita::evaluation::{EvaluationRequest, Evaluator};
/// use partita::formats::{Source, run, truth};
/// use partita::work::SequentialWork;
///
/// let truth = Source::from_bytes("truth.txt", "q1: (1, 2), (3, 4, 5)\n");
/// let truth = truth::read(&truth, &truth::TruthReadOptions::default())?.truth;
/// let run = Source::from_bytes("run.json", r#"{"q1": ["2", "3", "1", "5", "7", "8", "9", "4"]}"#);
/// let request = EvaluationRequest::default();
/// let evaluator = Evaluator::new(&request, &truth)?;
/// let options = run::RunReadOptions::default();
/// let scored = partita::score_run_files(&[run], &evaluator, &options, &SequentialWork)?;
/// let evaluation = evaluator.finish(scored.runs);
/// assert_eq!(evaluation.runs[0].run, "run");
/// assert_eq!(evaluation.runs[0].mean.get("ADR"), Some(&Some(0.86)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`ScoringError`] for the first file that cannot be read or has a run that shares no
/// query with the ground truth, or if the work was cancelled or failed.
pub fn score_run_files(
    sources: &[Source],
    evaluator: &Evaluator<'_>,
    options: &RunReadOptions,
    work: &dyn Work,
) -> Result<RunSet<RunEvaluation>, ScoringError> {
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
