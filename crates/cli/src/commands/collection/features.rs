//! `partita collection features`: melodies in numbers and letters.

use clap::Args;
use partita_melody::feature::features;
use partita_report::candidates::FeaturesView;

use super::open;
use super::show::not_shown;
use crate::failure::Failure;
use crate::show::ShowArgs;

/// Say of melodies what can be counted: range, intervals, contour, motives, key
///
/// The lists of pitches and intervals are those of Verovio, by its names.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita collection features rism.coll 000.111.706-1.1.1\n  partita collection features tunes.coll --format csv > features.csv"
)]
pub(crate) struct FeaturesArgs {
    /// The collection
    #[arg(value_name = "COLL")]
    collection: String,
    /// The ids of the melodies [default: all]
    #[arg(value_name = "ITEM")]
    items: Vec<String>,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(args: &FeaturesArgs) -> Result<(), Failure> {
    let collection = open(&args.collection)?;
    let found = features(&collection, &args.items);
    let found = found.map_err(|error| not_shown(&args.collection, error))?;
    let view = FeaturesView { result: &found };
    args.show.show(&found, &view, Vec::new())
}
