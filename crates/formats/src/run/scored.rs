//! Scoring of runs as they are read.

use partita_core::evaluation::{Evaluator, RunEvaluation};
use partita_core::work::{Work, WorkError};

use super::{
    RunFile, RunReadOptions, disambiguate_names, duplicate_source_warnings, read_for_truth,
};
use crate::diagnostic::{FormatError, Warning};
use crate::text::source::Source;

/// Scores of the runs of several files.
#[derive(Debug)]
pub struct ScoredRuns {
    /// Runs with distinct names.
    pub runs: Vec<RunEvaluation>,
    /// File of each run.
    pub files: Vec<String>,
    /// Warnings about the files.
    pub warnings: Vec<Warning>,
}

/// Error of scoring runs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScoringError {
    /// A file cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The work was cancelled or failed.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// Reads files of runs and scores each run as soon as it is read, so that only the runs being
/// scored are in memory.
///
/// # Errors
/// Returns [`ScoringError`] for the first file that cannot be read, or if the work was cancelled or
/// failed.
pub fn score_runs(
    sources: &[Source],
    evaluator: &Evaluator<'_>,
    options: &RunReadOptions,
    work: &dyn Work,
) -> Result<ScoredRuns, ScoringError> {
    let of_file = |number: usize| {
        let RunFile { runs, warnings } =
            read_for_truth(&sources[number], evaluator.truth(), options)?;
        let runs = runs.iter().map(|run| evaluator.score(run));
        Ok((runs.collect::<Vec<_>>(), warnings))
    };
    let files: Vec<Result<_, FormatError>> = if sources.len() == 1 {
        // A single file needs no other thread, and the current thread can reuse its memory.
        vec![of_file(0)]
    } else {
        work.map("scoring runs", sources.len(), of_file)?
    };
    let (mut found, mut warnings) = (Vec::new(), Vec::new());
    for (source, file) in sources.iter().zip(files) {
        let (runs, file_warnings) = file?;
        found.extend(runs.into_iter().map(|run| (run, source)));
        warnings.extend(file_warnings);
    }
    let mut warnings = Warning::merge(warnings);
    warnings.extend(duplicate_source_warnings(sources));
    let names = disambiguate_names(
        found
            .iter()
            .map(|(run, source)| (run.run.as_str(), *source)),
    );
    let named = names.into_iter().zip(found);
    let (runs, files) = named
        .map(|(name, (run, source))| {
            let run = RunEvaluation { run: name, ..run };
            (run, source.name().to_owned())
        })
        .unzip();
    Ok(ScoredRuns {
        runs,
        files,
        warnings,
    })
}
