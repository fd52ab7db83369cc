//! Runs scored against lists built from rankings.

use clap::Args;
use partita::evaluation::{EvaluationNote, MissingQueryPolicy};
use partita::formats::Warning;
use partita::formats::run::{self, RunSet};
use partita::truth::Recipe;
use partita::{AssessorRankings, GroundTruth, SystemRankings, TruthScale, evaluation_note_warning};

use crate::args::input::{RunInputArgs, open_all};
use crate::output::error::CliError;

/// Runs to score against lists, with the options for reading them.
#[derive(Clone, Debug, Args)]
pub(super) struct ScoredRunArgs {
    /// Runs to score; `-` is standard input
    #[arg(long, value_name = "RUN", num_args = 1..)]
    run: Vec<String>,
    #[command(flatten)]
    reading: RunInputArgs,
}

impl ScoredRunArgs {
    pub(super) fn is_empty(&self) -> bool {
        self.run.is_empty()
    }

    pub(super) fn is_standard_input(&self) -> bool {
        self.run.iter().any(|file| file == "-")
    }

    /// Reads the runs that are scored against the lists that `recipe` builds for these queries.
    pub(super) fn read(
        &self,
        queries: &[(&str, &AssessorRankings)],
        recipe: &Recipe,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<SystemRankings>, CliError> {
        if self.run.is_empty() {
            return Ok(Vec::new());
        }
        let lists = queries.iter();
        let lists = lists.map(|(query, rankings)| ((*query).to_owned(), recipe.truth(rankings)));
        let truth =
            GroundTruth::new(TruthScale::Groups, lists.collect()).map_err(CliError::internal)?;
        let sources = open_all(&self.run)?;
        let options = self.reading.options();
        let files = sources
            .iter()
            .map(|source| run::read_for_truth(source, &truth, &options));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        let set = RunSet::from_files(&sources, files, |run| &mut run.system);
        warnings.extend(set.warnings);
        let lacking = set.runs.iter().map(|run| {
            let missing = run
                .missing_queries()
                .map(|query| truth.query_name(query).to_owned());
            (run.system.clone(), missing.collect())
        });
        let notes =
            EvaluationNote::from_missing_queries(lacking, truth.len(), MissingQueryPolicy::Empty);
        let notes = notes.iter();
        warnings
            .extend(notes.map(|note| evaluation_note_warning(note, "the lists", &set.file_of_run)));
        Ok(set.runs)
    }
}
