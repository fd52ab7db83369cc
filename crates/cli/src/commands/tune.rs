//! `partita tune`: the parameters of a system, found on queries whose answers are known.

use std::collections::HashMap;

use clap::Args;
use partita_formats::{Source as File, query_groups, truth};
use partita_melody::search::SearchSource;
use partita_melody::tune::{TuneError, TuneRequest, tune};
use partita_report::search::TuningView;

use super::search::search_failure;
use crate::failure::Failure;
use crate::reading::TruthArgs;
use crate::show::ShowArgs;
use crate::work::WorkArgs;

/// Tune the parameters of a system by cross-validation
///
/// Queries of one group are either all used for training or all held out. The reported mean is over
/// the scores of held-out queries.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita tune --in tunes.coll --truth t.json --system Align --groups g.csv"
)]
pub(crate) struct TuneArgs {
    /// Collection, or a source that can be imported
    #[arg(long = "in", value_name = "COLL|SOURCE")]
    place: String,
    /// Ground truth, whose queries are items of the collection
    #[arg(long, value_name = "FILE")]
    truth: String,
    #[command(flatten)]
    truth_reading: TruthArgs,
    /// System to tune; given parameters are the starting point
    #[arg(long, value_name = "SYSTEM")]
    system: String,
    /// Groups of queries that belong together: a file `query,group`
    #[arg(long, value_name = "FILE")]
    groups: Option<String>,
    /// Number of cross-validation folds
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(args: &TuneArgs) -> Result<(), Failure> {
    let file = truth::read(&File::open(&args.truth)?, &args.truth_reading.options())?;
    let mut warnings = file.warnings;
    let groups = match &args.groups {
        None => HashMap::new(),
        Some(name) => {
            let file = query_groups::read(&File::open(name)?)?;
            warnings.extend(file.warnings);
            file.group_of
        }
    };
    let request = TuneRequest {
        system: args.system.clone(),
        groups,
        folds: args.folds,
        seed: args.seed,
    };
    let workers = args.work.workers();
    let source = SearchSource::open(&args.place, &workers)?;
    let melodies = source.melodies()?.into_iter();
    let melodies: Vec<_> = melodies.map(|named| (named.name, named.melody)).collect();
    let result = tune(&request, &melodies, &file.truth, &workers);
    drop(workers);
    let result = result.map_err(|error| match error {
        TuneError::Search(error) => search_failure(&args.place, error),
        TuneError::TooFew { .. } => Failure::input(error.to_string()).hint("give fewer --folds"),
        error => Failure::input(error.to_string()),
    })?;
    args.show
        .show(&result, &TuningView { result: &result }, warnings)
}
