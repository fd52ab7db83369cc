//! `partita campaign decide`: decision on each pair.

use clap::Args;

use super::campaign_place::CampaignArgs;
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Print the decision on each pair that was asked
///
/// An open pair shows the decision that its current votes imply. In CSV and JSON `less` means that
/// a is closer to the query, `greater` that b is.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign decide campaign.jsonl\n  partita campaign decide campaign.jsonl --query q1 --format json"
)]
pub(crate) struct DecideArgs {
    #[command(flatten)]
    campaign: CampaignArgs,
    /// Print only these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
    #[command(flatten)]
    show: ResultArgs,
}

pub(crate) fn run(args: &DecideArgs) -> Result<(), CliError> {
    let decisions = args.campaign.place()?.read()?.decisions(&args.query)?;
    args.show.print(&decisions, &decisions, Vec::new())
}
