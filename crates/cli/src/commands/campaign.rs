//! `partita campaign`: administration of the campaigns of a server on its own machine.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use partita::formats::Source;
use partita::judging::campaign::JudgmentKind;
use partita_server::{AdminError, ServerStorage};

use crate::output::destination::{Destination, print_message};
use crate::output::error::CliError;
use crate::output::result::{ResultArgs, named_value_parser};

/// Location of the data of a server.
#[derive(Clone, Debug, Args)]
pub(crate) struct StorageArgs {
    /// Folder of the server
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// URL of its PostgreSQL database, if it has one
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

impl StorageArgs {
    /// Returns the storage of the server: its folder, or a PostgreSQL database.
    pub(crate) fn storage(&self) -> ServerStorage {
        ServerStorage::from_options(&self.data, self.database.as_deref())
    }
}

/// Create, list and close the campaigns of a server, running or not
#[derive(Debug, Subcommand)]
pub(crate) enum CampaignCommand {
    Create(CreateArgs),
    List(ListArgs),
    Invite(InviteArgs),
    /// Pause a campaign: assign no questions until it is resumed
    Pause(CampaignNameArgs),
    /// Resume a paused campaign
    Resume(CampaignNameArgs),
    /// Close a campaign for good
    Close(CampaignNameArgs),
    Export(ExportArgs),
}

/// Create a campaign from a JSON document, or a zip of it and its files
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign create campaign.json --data campaigns\n  partita campaign create melodies.zip --data campaigns"
)]
pub(crate) struct CreateArgs {
    /// JSON document or zip file
    file: String,
    #[command(flatten)]
    place: StorageArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// List all campaigns
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    place: StorageArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// Create invitation links, each for one person
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign invite melodies --kind preference --count 20 \\\n      --public-url https://judge.example.org --data campaigns"
)]
pub(crate) struct InviteArgs {
    /// The campaign
    name: String,
    /// Kind of judgment these people give
    #[arg(long, value_name = "KIND", value_parser = named_value_parser::<JudgmentKind>())]
    kind: JudgmentKind,
    /// Number of links
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u32,
    /// Label of these links in the list
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Public address of the server
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    public_url: String,
    #[command(flatten)]
    place: StorageArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// Name of a campaign.
#[derive(Debug, Args)]
pub(crate) struct CampaignNameArgs {
    /// The campaign
    name: String,
    #[command(flatten)]
    place: StorageArgs,
    #[command(flatten)]
    show: ResultArgs,
}

impl CampaignNameArgs {
    /// Pauses, resumes or closes a campaign and prints its new state.
    fn change_phase(
        &self,
        act: fn(&ServerStorage, &str) -> Result<(), AdminError>,
    ) -> Result<(), CliError> {
        let place = self.place.storage();
        act(&place, &self.name)?;
        print_campaign(&place, &self.name, &self.show)
    }
}

/// Prints the state of the campaign of this name.
fn print_campaign(place: &ServerStorage, name: &str, show: &ResultArgs) -> Result<(), CliError> {
    let campaign = place.campaign(name)?;
    show.print(&campaign, &campaign, Vec::new())
}

/// Write the log of a campaign to a file, which `partita judge` reads
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The campaign
    name: String,
    /// File to write [default: standard output]
    file: Option<String>,
    #[command(flatten)]
    place: StorageArgs,
}

impl From<AdminError> for CliError {
    fn from(error: AdminError) -> Self {
        match error {
            AdminError::Storage(error) => error.into(),
            AdminError::Rejected(message) => Self::input(message),
            AdminError::NotEmpty(_) => Self::input(error.to_string())
                .with_hint("give a folder that does not exist yet, or an empty database"),
            AdminError::Missing(_) => {
                Self::input(error.to_string()).with_hint("`partita serve --data DIR` creates it")
            }
        }
    }
}

pub(crate) fn run(command: &CampaignCommand) -> Result<(), CliError> {
    match command {
        CampaignCommand::Create(args) => {
            let bytes = Source::open(&args.file)?.raw_bytes()?;
            let place = args.place.storage();
            let name = place.create_campaign(&bytes).map_err(|error| match error {
                AdminError::Rejected(message) => {
                    let lines = message.lines();
                    let lines: Vec<String> =
                        lines.map(|line| format!("{}: {line}", args.file)).collect();
                    CliError::input(lines.join("\n"))
                }
                other => other.into(),
            })?;
            print_message(&format!(
                "Created campaign `{name}`. Next: `partita campaign invite {name} --kind KIND --data DIR`"
            ));
            print_campaign(&place, &name, &args.show)
        }
        CampaignCommand::List(args) => {
            let listed = args.place.storage().campaigns()?;
            args.show.print(&listed, &listed, Vec::new())
        }
        CampaignCommand::Invite(args) => {
            let place = args.place.storage();
            let label = args.label.clone();
            let invites =
                place.create_invites(&args.name, args.kind, args.count, label, &args.public_url)?;
            args.show.print(&invites, &invites, Vec::new())
        }
        CampaignCommand::Pause(args) => args.change_phase(ServerStorage::pause),
        CampaignCommand::Resume(args) => args.change_phase(ServerStorage::resume),
        CampaignCommand::Close(args) => args.change_phase(ServerStorage::close),
        CampaignCommand::Export(args) => {
            let log = args.place.storage().export_log(&args.name)?;
            let output = args.file.clone();
            Destination { output }.write(&log)
        }
    }
}
