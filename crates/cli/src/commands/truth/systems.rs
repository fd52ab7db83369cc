//! Systems whose runs are scored against lists made of rankings.

use clap::Args;
use partita_core::truth::Recipe;
use partita_core::{GroundTruth, Rankings, Scale, SystemRankings, some_names};
use partita_formats::{Warning, problem, run};

use crate::failure::Failure;
use crate::reading::{RunArgs, open_all};

/// Which runs are read, and how.
#[derive(Args, Clone, Debug)]
pub(super) struct SystemArgs {
    /// Runs of systems to be scored; `-` is standard input
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
        let mut found = Vec::new();
        for source in &sources {
            let file = run::read_beside(source, &truth, &self.reading.options())?;
            warnings.extend(file.warnings);
            found.extend(file.runs.into_iter().map(|run| (run, source)));
        }
        let names = found
            .iter()
            .map(|(run, source)| (run.system.as_str(), *source));
        let names = run::settle_names(names);
        let empty = found
            .iter()
            .position(|(run, _)| run.missing().count() == truth.len());
        if let Some(empty) = empty {
            let message = format!(
                "{}: this run has none of the queries of the rankings",
                names[empty]
            );
            let known: Vec<&str> = truth.names().collect();
            return Err(Failure::input(message).hint(format!(
                "these are {}; both must call them alike",
                some_names(&known, 5)
            )));
        }
        let systems = names.into_iter().zip(found);
        let systems = systems.map(|(system, (mut run, _))| {
            let missing: Vec<&str> = run.missing().map(|q| truth.name(q)).collect();
            if !missing.is_empty() {
                let problem = problem!(MissingQueries {
                    count = missing.len(), all = truth.len(), queries = some_names(&missing, 5)
                }:
                    "{count} of {all} queries are missing in this run: {queries}; they count as \
                     empty results");
                warnings.push(Warning::file(&system, problem));
            }
            run.system = system;
            run
        });
        Ok(systems.collect())
    }
}
