//! `partita token`: organisers' tokens, at the machine of the server.

use clap::{Args, Subcommand};

use super::campaign::{PlaceArgs, not_done};
use crate::failure::Failure;
use crate::show::ShowArgs;

/// Create, list and revoke tokens of organisers
#[derive(Subcommand, Debug)]
pub(crate) enum TokenCommand {
    Create(CreateArgs),
    List(ListArgs),
    Revoke(RevokeArgs),
}

/// Create a token; it is shown only once
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita token create --scope read,manage --data campaigns\n  partita token create --scope read --campaign melodies --data campaigns"
)]
pub(crate) struct CreateArgs {
    /// Permissions: read, manage, people, tokens
    #[arg(long, value_name = "SCOPE,...", value_delimiter = ',', required = true)]
    scope: Vec<String>,
    /// Limit the token to this campaign
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    show: ShowArgs,
}

/// List all tokens, without the tokens themselves
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    show: ShowArgs,
}

/// Revoke a token
#[derive(Args, Debug)]
pub(crate) struct RevokeArgs {
    /// Id of the token, as `list` shows it
    id: String,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(crate) fn run(command: &TokenCommand) -> Result<(), Failure> {
    match command {
        TokenCommand::Create(args) => {
            let place = args.place.place();
            let made = place.create_token(&args.scope, args.campaign.clone());
            let made = made.map_err(not_done)?;
            args.show.show(&made, &made, Vec::new())
        }
        TokenCommand::List(args) => {
            let listed = args.place.place().tokens().map_err(not_done)?;
            args.show.show(&listed, &listed, Vec::new())
        }
        TokenCommand::Revoke(args) => args.place.place().revoke_token(&args.id).map_err(not_done),
    }
}
