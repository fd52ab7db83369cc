//! `partita judge status`: how far a campaign has come.

use clap::Args;
use partita_judging::campaign::Stuck;
use partita_report::judging::StatusView;
use partita_report::status_figure;

use super::{log_file, say};
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
    /// Say of each list how many of its pairs other people would decide as they stand in it
    #[arg(long)]
    odds: bool,
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
    let mut status = campaign.status(rehearsals, &args.work.workers())?;
    if args.odds {
        status.add_odds(&campaign);
    }
    if let Some(place) = &args.figure {
        place.write([("status".to_owned(), status_figure(&status))])?;
    }
    args.show.show(&status, &StatusView(&status), Vec::new())?;
    if let Some(stuck) = &status.stuck {
        say(&remedy(stuck, status.votes_per_pair, &args.log));
    }
    Ok(())
}

/// What can be done about pairs that the people there are cannot decide.
fn remedy(stuck: &Stuck, votes: u32, log: &str) -> String {
    let fewer = if stuck.votes < votes {
        let votes = stuck.votes;
        format!("say `partita judge votes {log} {votes}` to decide them by the votes they have, ")
    } else {
        String::new()
    };
    let query = stuck.queries.first().map_or("NAME", String::as_str);
    format!(
        "Find more people; if nobody else comes, {fewer}or `partita judge close {log} --query {query}` \
         to leave the list as it is."
    )
}
