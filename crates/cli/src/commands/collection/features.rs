//! `partita collection features`: features of melodies.

use clap::Args;
use partita::melody::features;
use partita::report::views::melody::candidates::FeaturesView;

use super::open;
use super::show::item_error;
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Print features of melodies: range, intervals, contour, motives, key
///
/// The lists of pitches and intervals have the definitions and names of Verovio.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita collection features rism.coll 000.111.706-1.1.1\n  partita collection features tunes.coll --format csv > features.csv"
)]
pub(crate) struct FeaturesArgs {
    /// Collection
    #[arg(value_name = "COLL")]
    collection: String,
    /// Ids of the melodies [default: all]
    #[arg(value_name = "ITEM")]
    items: Vec<String>,
    #[command(flatten)]
    show: ResultArgs,
}

pub(crate) fn run(args: &FeaturesArgs) -> Result<(), CliError> {
    let collection = open(&args.collection)?;
    let items = features::iter_features(&collection, &args.items);
    let items = items.map_err(|error| item_error(&args.collection, error))?;
    let mut failed = None;
    let view = FeaturesView::new(items.map_while(|item| match item {
        Ok(item) => Some(item),
        Err(error) => {
            failed = Some(error);
            None
        }
    }));
    args.show.print(&view, &view, Vec::new())?;
    drop(view);
    match failed {
        Some(error) => Err(item_error(&args.collection, error.into())),
        None => Ok(()),
    }
}
