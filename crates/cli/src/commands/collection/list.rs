//! `partita collection list`: items of a collection.

use clap::Args;

use super::{collection_error, open};
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// List the items of a collection
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita collection list rism.coll --limit 10\n  partita collection list rism.coll --format csv"
)]
pub(crate) struct ListArgs {
    /// Collection
    #[arg(value_name = "COLL")]
    collection: String,
    /// Maximum number of items
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Number of items to skip first
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
    #[command(flatten)]
    show: ResultArgs,
}

pub(crate) fn run(args: &ListArgs) -> Result<(), CliError> {
    let file = &args.collection;
    let collection = open(file)?;
    let listing = collection.listing(args.offset, args.limit);
    let listing = listing.map_err(|error| collection_error(file, &error))?;
    args.show.print(&listing, &listing, Vec::new())
}
