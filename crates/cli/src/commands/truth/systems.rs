//! Systems whose runs are scored against lists made of rankings.

use clap::Args;
use partita_core::truth::truth_of;
use partita_core::{GroundTruth, GroupedList, Ranking, Rankings, Scale};
use partita_formats::{Source, Warning, run};

use crate::failure::Failure;
use crate::reading::RunArgs;

/// Which runs are read, and how.
#[derive(Args, Clone, Debug)]
pub(super) struct SystemArgs {
    /// Runs of systems to be scored; `-` is standard input
    #[arg(long, value_name = "RUN", num_args = 1..)]
    run: Vec<String>,
    #[command(flatten)]
    reading: RunArgs,
}

/// The systems of runs, with their rankings in the item numbers of what people ranked.
pub(super) struct SystemRuns {
    pub(super) names: Vec<String>,
    /// For each system its rankings, one for each query; an empty one where it returned nothing.
    pub(super) rankings: Vec<Vec<Ranking>>,
    pub(super) warnings: Vec<Warning>,
}

impl SystemArgs {
    pub(super) fn is_empty(&self) -> bool {
        self.run.is_empty()
    }

    pub(super) fn is_standard_input(&self) -> bool {
        self.run.iter().any(|file| file == "-")
    }

    /// Reads the runs on these queries.
    pub(super) fn read<'a>(
        &self,
        queries: impl Iterator<Item = (&'a str, &'a Rankings)>,
    ) -> Result<SystemRuns, Failure> {
        let truth = known_items(queries)?;
        let sources = self.run.iter().map(|run| Source::open(run));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        let mut warnings = Vec::new();
        let mut found = Vec::new();
        for source in &sources {
            let file = run::read(source, &truth, &self.reading.options())?;
            warnings.extend(file.warnings);
            found.extend(file.runs.into_iter().map(|named| (named, source)));
        }
        let places: Vec<run::Found<'_>> = found
            .iter()
            .map(|(named, source)| run::Found {
                own_name: named.own_name.as_deref(),
                source,
            })
            .collect();
        let names = run::settle_names(&places);
        for (name, (named, _)) in names.iter().zip(&found) {
            let missing: Vec<&str> = named.run.missing().map(|q| truth.name(q)).collect();
            if !missing.is_empty() {
                let some = missing[..missing.len().min(5)].join(", ");
                let more = if missing.len() > 5 { ", ..." } else { "" };
                warnings.push(Warning {
                    file: name.clone(),
                    line: None,
                    message: format!(
                        "{} of {} queries are missing in this run: {some}{more}; they count as empty results",
                        missing.len(),
                        truth.len()
                    ),
                });
            }
        }
        let ranking =
            |run: &partita_core::Run, query| run.ranking(query).cloned().unwrap_or_default();
        let rankings = found.iter().map(|(named, _)| {
            let queries = 0..truth.len();
            queries.map(|query| ranking(&named.run, query)).collect()
        });
        Ok(SystemRuns {
            rankings: rankings.collect(),
            names,
            warnings,
        })
    }
}

/// A ground truth of all that people ranked, beside which runs are read. Which list it holds does
/// not matter: a ranking refers to items alone.
fn known_items<'a>(
    queries: impl Iterator<Item = (&'a str, &'a Rankings)>,
) -> Result<GroundTruth, Failure> {
    let judged = queries.map(|(name, rankings)| {
        let items = rankings.items();
        let list = GroupedList::new([items.items()]).map_err(Failure::ours)?;
        let judged = truth_of(items, &list).map_err(Failure::ours)?;
        Ok((name.to_owned(), judged))
    });
    let judged = judged.collect::<Result<Vec<_>, Failure>>()?;
    GroundTruth::new(Scale::Groups, judged).map_err(Failure::ours)
}
