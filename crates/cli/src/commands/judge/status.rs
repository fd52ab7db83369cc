//! `partita judge status`: how far a campaign has come.

use clap::Args;
use partita_report::judging::StatusView;
use partita_report::status_figure;

use super::log_file;
use crate::failure::Failure;
use crate::figure::FigurePlace;
use crate::show::ShowArgs;
use crate::work::WorkArgs;

/// Say how far a campaign has come, and what is left
///
/// What is still to come is an estimate: the rest of each list is rehearsed some times, every pair
/// to come getting votes like those of a pair so far, drawn at random.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge status campaign.jsonl\n  partita judge status campaign.jsonl --format json"
)]
pub(crate) struct StatusArgs {
    /// The log of the campaign; `-` is standard input
    log: String,
    /// How many times the rest of each list is rehearsed at most, fewer for many lists if not given;
    /// a list is not rehearsed again once the standard error is within 5% of the mean
    #[arg(long, alias = "rehearsals", value_name = "N")]
    trials: Option<usize>,
    /// Draw how far each list has come
    #[arg(long, value_name = "FILE")]
    figure: Option<FigurePlace>,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(args: &StatusArgs) -> Result<(), Failure> {
    let campaign = log_file::read(&args.log)?;
    let rehearsals = args.trials;
    let rehearsals = rehearsals.unwrap_or_else(|| campaign.usual_rehearsals());
    let status = campaign.status(rehearsals, &args.work.workers())?;
    if let Some(place) = &args.figure {
        place.write([("status".to_owned(), status_figure(&status))])?;
    }
    args.show.show(&status, &StatusView(&status), Vec::new())
}
