//! `partita judge decide`: what the votes say of each pair.

use clap::Args;
use partita_report::judging::DecisionsView;

use super::log_file;
use crate::failure::Failure;
use crate::show::ShowArgs;

/// Print the decision on each pair that was asked
///
/// An open pair shows the decision that its current votes imply. In CSV and JSON `less` means that
/// a is closer to the query, `greater` that b is.
#[derive(Args, Debug)]
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
    show: ShowArgs,
}

pub(crate) fn run(args: &DecideArgs) -> Result<(), Failure> {
    let decisions = log_file::read(&args.log)?.decisions(&args.query)?;
    let view = DecisionsView(&decisions);
    args.show.show(&decisions, &view, Vec::new())
}
