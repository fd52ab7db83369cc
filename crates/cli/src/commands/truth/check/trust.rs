//! How far lists can be trusted: the bootstrap over assessors.

mod csv;
mod json;
mod tables;

pub(super) use csv::print as print_csv;
pub(super) use json::{of_list as list_json, of_systems as systems_json};
pub(super) use tables::print as print_tables;

use clap::Args;
use indicatif::ProgressBar;
use partita_core::GroupedList;
use partita_core::truth::{Alpha, ListBootstrap, ListTrust, Panel, Recipe, SystemTrust, Systems};
use partita_formats::Warning;
use rayon::prelude::*;

use super::super::systems::SystemArgs;
use super::CheckArgs;
use super::checked::Checked;
use crate::failure::Failure;
use crate::progress;

/// What is drawn, and how often.
#[derive(Args, Clone, Debug)]
pub(super) struct TrustArgs {
    /// Draw the assessors anew this many times, and say how far the lists that --aggregate builds
    /// can be trusted
    #[arg(long, value_name = "N")]
    pub(super) bootstrap: Option<usize>,
    /// The confidence of intervals
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.95,
        requires = "bootstrap"
    )]
    pub(super) confidence: f64,
    /// The seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Assessors of one name are one person on all queries, and are drawn with all their rankings
    #[arg(long, requires = "bootstrap")]
    pub(super) shared_assessors: bool,
    #[command(flatten)]
    pub(super) systems: SystemArgs,
}

/// What the replicates say of all lists, and of systems.
pub(super) struct Trust {
    pub(super) lists: Vec<ListTrust>,
    pub(super) systems: Option<(Vec<String>, SystemTrust)>,
    pub(super) warnings: Vec<Warning>,
}

impl TrustArgs {
    /// Refuses what cannot be meant.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.bootstrap == Some(0) {
            return Err(Failure::input("--bootstrap must be at least 1"));
        }
        if self.bootstrap.is_none() && !self.systems.is_empty() {
            return Err(Failure::input("--run is for --bootstrap only")
                .hint("`partita truth build` and `partita evaluate` score runs"));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            let found = self.confidence;
            let message = format!("--confidence must be between 0 and 1, not {found}");
            return Err(Failure::input(message));
        }
        Ok(())
    }
}

/// Draws panels of assessors, if that was asked for.
pub(super) fn trust(
    args: &CheckArgs,
    lists: &[Checked],
    recipe: &Recipe,
    measured: Alpha,
) -> Result<Option<Trust>, Failure> {
    let Some(replicates) = args.trust.bootstrap else {
        return Ok(None);
    };
    let panels: Vec<Panel<'_>> = match args.trust.shared_assessors {
        true => {
            let rankings = lists.iter().map(|checked| &checked.query.rankings);
            Panel::shared(&rankings.collect::<Vec<_>>())
        }
        false => lists
            .iter()
            .map(|checked| Panel::new(&checked.query.name, &checked.query.rankings))
            .collect(),
    };
    let mut warnings: Vec<Warning> = other_lists(args, lists, recipe).into_iter().collect();
    let runs = match args.trust.systems.is_empty() {
        true => None,
        false => {
            let queries = lists.iter().map(|checked| &checked.query);
            let queries = queries.map(|query| (query.name.as_str(), &query.rankings));
            Some(args.trust.systems.read(queries)?)
        }
    };
    let parts = lists.len() + usize::from(runs.is_some());
    let progress = progress::bar(replicates * parts, "drawing assessors");
    let seed = args.trust.seed;
    let of_lists = panels
        .iter()
        .map(|panel| list_trust(panel, recipe, measured, (seed, replicates), &progress))
        .collect();
    let of_systems = runs.map(|runs| {
        let systems = Systems::new(&panels, *recipe, &runs.rankings);
        let drawn: Vec<_> = (0..replicates as u64)
            .into_par_iter()
            .map_init(
                || systems.clone(),
                |systems, replicate| {
                    let drawn = systems.replicate(seed, replicate);
                    progress.inc(1);
                    drawn
                },
            )
            .collect();
        warnings.extend(runs.warnings);
        (runs.names, systems.trust(&drawn))
    });
    progress.finish_and_clear();
    Ok(Some(Trust {
        lists: of_lists,
        systems: of_systems,
        warnings,
    }))
}

fn list_trust(
    panel: &Panel<'_>,
    recipe: &Recipe,
    measured: Alpha,
    (seed, replicates): (u64, usize),
    progress: &ProgressBar,
) -> ListTrust {
    // Each thread remembers its own tests. A replicate is a function of the seed and its number
    // all the same, so the number of threads changes nothing.
    let bootstrap = || ListBootstrap::new(panel, *recipe, measured);
    let drawn: Vec<_> = (0..replicates as u64)
        .into_par_iter()
        .map_init(bootstrap, |bootstrap, replicate| {
            let drawn = bootstrap.replicate(seed, replicate);
            progress.inc(1);
            drawn
        })
        .collect();
    ListTrust::new(panel, recipe, measured, &drawn)
}

/// Says if the lists that were given are not those that the replicates tell of.
fn other_lists(args: &CheckArgs, lists: &[Checked], recipe: &Recipe) -> Option<Warning> {
    let file = args.truth.as_ref()?;
    let built = |checked: &&Checked| -> GroupedList {
        let everyone: Vec<usize> = (0..checked.query.rankings.assessors().len()).collect();
        recipe.list(&checked.query.rankings, &everyone)
    };
    let others: Vec<&str> = lists
        .iter()
        .filter(|checked| !same_groups(&built(checked), &checked.list))
        .map(|checked| checked.query.name.as_str())
        .collect();
    (!others.is_empty()).then(|| Warning {
        file: file.clone(),
        line: None,
        message: format!(
            "{} lists are not those that {} makes of the rankings, which is what --bootstrap tells of: `{}`{}",
            others.len(),
            recipe.aggregation,
            others[..others.len().min(5)].join("`, `"),
            if others.len() > 5 { ", ..." } else { "" }
        ),
    })
}

/// Whether two lists hold the same groups, in whatever order inside them.
fn same_groups(a: &GroupedList, b: &GroupedList) -> bool {
    let sorted = |list: &GroupedList| -> Vec<Vec<partita_core::Item>> {
        let groups = list.groups().map(|group| {
            let mut group = group.to_vec();
            group.sort_by_key(|item| item.index());
            group
        });
        groups.collect()
    };
    sorted(a) == sorted(b)
}
