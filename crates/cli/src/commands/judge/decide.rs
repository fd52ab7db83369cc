//! `partita judge decide`: decision on each pair.

use clap::Args;

use super::campaign_log;
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Print the decision on each pair that was asked
///
/// An open pair shows the decision that its current votes imply. In CSV and JSON `less` means that
/// a is closer to the query, `greater` that b is.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita judge decide campaign.jsonl\n  partita judge decide campaign.jsonl --query q1 --format json"
)]
pub(crate) struct DecideArgs {
    /// Log of the campaign; `-` is standard input
    log: String,
    /// Print only these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
    #[command(flatten)]
    show: ResultArgs,
}

pub(crate) fn run(args: &DecideArgs) -> Result<(), CliError> {
    let decisions = campaign_log::read_campaign(&args.log)?.decisions(&args.query)?;
    args.show.print(&decisions, &decisions, Vec::new())
}
