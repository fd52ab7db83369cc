//! Systems whose runs are scored against lists made of rankings.

use clap::Args;
use partita_core::evaluation::{MissingQueries, Remark};
use partita_core::truth::Recipe;
use partita_core::{GroundTruth, Rankings, Scale, SystemRankings};
use partita_formats::{Warning, run};

use crate::commands::evaluate::warning_of;
use crate::failure::Failure;
use crate::reading::{RunArgs, open_all};

/// Which runs are read, and how.
#[derive(Args, Clone, Debug)]
pub(super) struct SystemArgs {
    /// Runs to score; `-` is standard input
    #[arg(long, value_name = "RUN", num_args = 1..)]
    run: Vec<String>,
    #[command(flatten)]
    reading: RunArgs,
}

impl SystemArgs {
    pub(super) fn is_empty(&self) -> bool {
        self.run.is_empty()
    }

    pub(super) fn is_standard_input(&self) -> bool {
        self.run.iter().any(|file| file == "-")
    }

    /// Reads the runs beside the lists that are made of these queries.
    pub(super) fn read(
        &self,
        queries: &[(&str, &Rankings)],
        recipe: &Recipe,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<SystemRankings>, Failure> {
        if self.run.is_empty() {
            return Ok(Vec::new());
        }
        let lists = queries.iter();
        let lists = lists.map(|(query, rankings)| ((*query).to_owned(), recipe.judged(rankings)));
        let truth = GroundTruth::new(Scale::Groups, lists.collect()).map_err(Failure::ours)?;
        let sources = open_all(&self.run)?;
        let (mut found, mut remarks) = (Vec::new(), Vec::new());
        for source in &sources {
            let file = run::read_beside(source, &truth, &self.reading.options())?;
            remarks.extend(file.warnings);
            found.extend(file.runs.into_iter().map(|run| (run, source)));
        }
        warnings.extend(Warning::merged(remarks));
        warnings.extend(run::given_twice(&sources));
        let names = found
            .iter()
            .map(|(run, source)| (run.system.as_str(), *source));
        let names = run::settle_names(names);
        let files = found.iter().map(|(_, source)| source.name().to_owned());
        let files: Vec<(String, String)> = names.into_iter().zip(files).collect();
        let named = files.iter().zip(found);
        let systems = named.map(|((system, _), (mut run, _))| {
            run.system.clone_from(system);
            run
        });
        let systems: Vec<SystemRankings> = systems.collect();
        let lacking = systems.iter().map(|run| {
            let missing = run.missing().map(|query| truth.name(query).to_owned());
            (run.system.clone(), missing.collect())
        });
        let remarks = Remark::of_missing(lacking, truth.len(), MissingQueries::Empty);
        let remarks = remarks.iter();
        warnings.extend(remarks.map(|said| warning_of(said, "the lists", &files)));
        Ok(systems)
    }
}
