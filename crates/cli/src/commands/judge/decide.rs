//! `partita judge decide`: what the votes say of each pair.

use clap::Args;
use partita_report::judging::DecisionsView;

use super::log_file;
use crate::failure::Failure;
use crate::show::ShowArgs;

/// Print what the votes say of each pair that was asked
///
/// What is said of a pair that is still open is what its votes so far would say. CSV and JSON say
/// `less` where a is closer to the query, `greater` where b is.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge decide campaign.jsonl\n  partita judge decide campaign.jsonl --query q1 --format json"
)]
pub(crate) struct DecideArgs {
    /// The log of the campaign; `-` is standard input
    log: String,
    /// Only these queries
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
