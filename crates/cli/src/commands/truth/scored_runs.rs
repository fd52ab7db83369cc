//! Runs scored against lists built from rankings.

use clap::Args;
use partita_core::evaluation::{EvaluationNote, MissingQueryPolicy};
use partita_core::truth::Recipe;
use partita_core::{AssessorRankings, GroundTruth, SystemRankings, TruthScale};
use partita_formats::{Warning, run};

use crate::args::input::{RunInputArgs, open_all};
use crate::commands::evaluate::remark_warning;
use crate::output::error::CliError;

/// Options for reading runs.
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
        let (mut found, mut remarks) = (Vec::new(), Vec::new());
        for source in &sources {
            let file = run::read_for_truth(source, &truth, &self.reading.options())?;
            remarks.extend(file.warnings);
            found.extend(file.runs.into_iter().map(|run| (run, source)));
        }
        warnings.extend(Warning::merge(remarks));
        warnings.extend(run::duplicate_source_warnings(&sources));
        let names = found
            .iter()
            .map(|(run, source)| (run.system.as_str(), *source));
        let names = run::disambiguate_names(names);
        let files = found.iter().map(|(_, source)| source.name().to_owned());
        let files: Vec<(String, String)> = names.into_iter().zip(files).collect();
        let named = files.iter().zip(found);
        let systems = named.map(|((system, _), (mut run, _))| {
            run.system.clone_from(system);
            run
        });
        let systems: Vec<SystemRankings> = systems.collect();
        let lacking = systems.iter().map(|run| {
            let missing = run
                .missing_queries()
                .map(|query| truth.query_name(query).to_owned());
            (run.system.clone(), missing.collect())
        });
        let remarks =
            EvaluationNote::from_missing_queries(lacking, truth.len(), MissingQueryPolicy::Empty);
        let remarks = remarks.iter();
        warnings.extend(remarks.map(|note| remark_warning(note, "the lists", &files)));
        Ok(systems)
    }
}
