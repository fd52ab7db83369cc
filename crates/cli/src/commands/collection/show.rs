//! `partita collection show`: all that is known of items.

use clap::Args;
use partita_melody::collection::NotShown;
use partita_report::collection::ShownItemsView;

use super::{open, unreadable};
use crate::failure::Failure;
use crate::show::ShowArgs;

/// Show all that is known of items: notes, clef, key, metre, where they come from
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita collection show rism.coll 000.111.706-1.1.1\n  partita collection show tunes.coll BanishMisfortune --format json"
)]
pub(crate) struct ShowItemsArgs {
    /// The collection
    #[arg(value_name = "COLL")]
    collection: String,
    /// The ids of the items
    #[arg(required = true, value_name = "ITEM")]
    items: Vec<String>,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(args: &ShowItemsArgs) -> Result<(), Failure> {
    let collection = open(&args.collection)?;
    let shown = collection.show(&args.items);
    let shown = shown.map_err(|error| not_shown(&args.collection, error))?;
    let view = ShownItemsView { result: &shown };
    args.show.show(&shown, &view, Vec::new())
}

/// Why items are not shown, and what they may be called.
pub(crate) fn not_shown(file: &str, error: NotShown) -> Failure {
    match error {
        NotShown::Collection(error) => unreadable(file, &error),
        NotShown::Unknown { ref nearest, .. } => {
            let failure = Failure::input(format!("{file}: {error}"));
            match nearest {
                Some(nearest) => failure.hint(format!("the nearest is {nearest}")),
                None => failure.hint("`partita collection list` lists all"),
            }
        }
    }
}
