//! `partita collection features`: melodies in numbers and letters.

use clap::Args;
use partita_melody::feature;
use partita_report::candidates::FeaturesView;

use super::open;
use super::show::not_shown;
use crate::failure::Failure;
use crate::show::ShowArgs;

/// Print features of melodies: range, intervals, contour, motives, key
///
/// The lists of pitches and intervals have the definitions and names of Verovio.
#[derive(Args, Debug)]
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
    show: ShowArgs,
}

pub(crate) fn run(args: &FeaturesArgs) -> Result<(), Failure> {
    let collection = open(&args.collection)?;
    let items = feature::each(&collection, &args.items);
    let items = items.map_err(|error| not_shown(&args.collection, error))?;
    let mut failed = None;
    let view = FeaturesView::new(items.map_while(|item| match item {
        Ok(item) => Some(item),
        Err(error) => {
            failed = Some(error);
            None
        }
    }));
    args.show.show(&view, &view, Vec::new())?;
    drop(view);
    match failed {
        Some(error) => Err(not_shown(&args.collection, error.into())),
        None => Ok(()),
    }
}
