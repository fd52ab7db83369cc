//! `partita campaign status`: progress of a campaign.

use clap::Args;
use partita::judging::campaign::BlockedPairs;
use partita::report::status_figure;

use super::campaign_place::CampaignArgs;
use super::print_message;
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::ResultArgs;

/// Show the progress of a campaign and what is left
///
/// The remaining work is an estimate: the rest of each list is simulated several times, with random
/// votes like those given so far.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign status campaign.jsonl\n  partita campaign status campaign.jsonl --format json"
)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    campaign: CampaignArgs,
    /// Maximum number of simulations per list [default: fewer for many lists]; they stop when the
    /// standard error is within 5% of the mean
    #[arg(long, alias = "rehearsals", value_name = "N")]
    trials: Option<usize>,
    /// Estimate how many pairs of each list a new panel would order the same way
    #[arg(long)]
    odds: bool,
    /// Draw the progress of each list
    #[arg(long, value_name = "FILE")]
    figure: Option<FigureTarget>,
    #[command(flatten)]
    work: ThreadArgs,
    #[command(flatten)]
    show: ResultArgs,
}

pub(crate) fn run(args: &StatusArgs) -> Result<(), CliError> {
    let place = args.campaign.place()?;
    let campaign = place.read()?;
    let trials = args
        .trials
        .unwrap_or_else(|| campaign.default_forecast_runs());
    let mut status = campaign.status(trials, &args.work.workers())?;
    if args.odds {
        status.add_predictions(&campaign);
    }
    if let Some(place) = &args.figure {
        place.write([("status".to_owned(), status_figure(&status))])?;
    }
    args.show.print(&status, &status, Vec::new())?;
    if let Some(blocked) = &status.blocked {
        print_message(&blocked_pairs_advice(
            blocked,
            status.votes_per_pair,
            &place.arguments(),
        ));
    }
    Ok(())
}

/// Returns advice on pairs that the present assessors cannot decide.
fn blocked_pairs_advice(blocked: &BlockedPairs, votes: u32, log: &str) -> String {
    let fewer = if blocked.votes < votes {
        let votes = blocked.votes;
        format!(
            "say `partita campaign votes {log} {votes}` to decide them by the votes they have, "
        )
    } else {
        String::new()
    };
    let query = blocked.queries.first().map_or("NAME", String::as_str);
    format!(
        "Find more people; if nobody else comes, {fewer}or `partita campaign close {log} --query {query}` \
         to leave the list as it is."
    )
}
