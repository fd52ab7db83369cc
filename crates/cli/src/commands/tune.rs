//! `partita tune`: parameter tuning of a system by cross-validation.

use std::collections::HashMap;

use clap::Args;
use partita::formats::{Source as File, strata};
use partita::melody::search::tuning::{TuningError, TuningRequest, tune};
use partita::melody::search::{SearchSource, system_name_warnings};

use super::search::search_error;
use crate::args::input::TruthInputArgs;
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Tune the parameters of a system by cross-validation
///
/// Queries of one group are either all used for training or all held out. The reported mean is over
/// the scores of held-out queries.
#[derive(Debug, Args)]
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
    truth_reading: TruthInputArgs,
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
    work: ThreadArgs,
    #[command(flatten)]
    show: ResultArgs,
}

pub(crate) fn run(args: &TuneArgs) -> Result<(), CliError> {
    let file = args.truth_reading.read(&File::open(&args.truth)?)?;
    let mut warnings = file.warnings;
    warnings.extend(system_name_warnings([&args.system]));
    let groups = match &args.groups {
        None => HashMap::new(),
        Some(name) => {
            let file = strata::read(&File::open(name)?)?;
            warnings.extend(file.warnings);
            file.stratum_of
        }
    };
    let request = TuningRequest {
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
        TuningError::Search(error) => search_error(&args.place, error),
        TuningError::TooFewGroups { .. } => {
            CliError::input(error.to_string()).with_hint("give fewer --folds")
        }
        error => CliError::input(error.to_string()),
    })?;
    args.show.print(&result, &result, warnings)
}
