//! `partita token`: organiser tokens, on the machine of the server.

use clap::{Args, Subcommand};

use super::campaign::server_campaigns::StorageArgs;
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Create, list and revoke tokens of organisers
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    Create(CreateArgs),
    List(ListArgs),
    Revoke(RevokeArgs),
}

/// Create a token; it is shown only once
#[derive(Debug, Args)]
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
    place: StorageArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// List all tokens, without the tokens themselves
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    place: StorageArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// Revoke a token
#[derive(Debug, Args)]
pub(crate) struct RevokeArgs {
    /// Id of the token, as `list` shows it
    id: String,
    #[command(flatten)]
    place: StorageArgs,
}

pub(crate) fn run(command: &TokenCommand) -> Result<(), CliError> {
    match command {
        TokenCommand::Create(args) => {
            let storage = args.place.storage();
            let token = storage.create_token(&args.scope, args.campaign.clone())?;
            args.show.print(&token, &token, Vec::new())
        }
        TokenCommand::List(args) => {
            let listed = args.place.storage().tokens()?;
            args.show.print(&listed, &listed, Vec::new())
        }
        TokenCommand::Revoke(args) => Ok(args.place.storage().revoke_token(&args.id)?),
    }
}
