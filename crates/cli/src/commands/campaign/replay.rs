//! `partita campaign replay`: state of a campaign, rebuilt from its log.

use clap::Args;
use partita::report::write_json;

use super::campaign_place::CampaignArgs;
use crate::output::destination::Destination;
use crate::output::error::CliError;

/// Rebuild the state of a campaign from its log, as JSON
///
/// The same log gives the same bytes on every machine.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign replay campaign.jsonl | sha256sum\n  partita campaign replay campaign.jsonl | jq '.lists[].groups'"
)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    campaign: CampaignArgs,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &ReplayArgs) -> Result<(), CliError> {
    let campaign = args.campaign.place()?.read()?;
    let state = campaign.snapshot();
    args.destination.stream(|place| write_json(&state, place))
}
