//! `partita campaign`: the campaigns of a server, at its own machine.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use partita_formats::Source;
use partita_judging::campaign::Kind;
use partita_server::{NotDone, Place};

use crate::failure::Failure;
use crate::output::{Destination, say};
use crate::show::{ShowArgs, named};

/// Where a server keeps everything.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlaceArgs {
    /// Folder of the server
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// URL of its PostgreSQL database, if it has one
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

impl PlaceArgs {
    pub(crate) fn place(&self) -> Place {
        Place::of(&self.data, self.database.as_deref())
    }
}

/// Create, list and close the campaigns of a server, running or not
#[derive(Subcommand, Debug)]
pub(crate) enum CampaignCommand {
    Create(CreateArgs),
    List(ListArgs),
    Invite(InviteArgs),
    /// Pause a campaign: assign no questions until it is resumed
    Pause(NamedArgs),
    /// Resume a paused campaign
    Resume(NamedArgs),
    /// Close a campaign for good
    Close(NamedArgs),
    Export(ExportArgs),
}

/// Create a campaign from a JSON document, or a zip of it and its files
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita campaign create campaign.json --data campaigns\n  partita campaign create melodies.zip --data campaigns"
)]
pub(crate) struct CreateArgs {
    /// JSON document or zip file
    file: String,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    show: ShowArgs,
}

/// List all campaigns
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    show: ShowArgs,
}

/// Create invitation links, each for one person
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita campaign invite melodies --kind preference --count 20 \\\n      --public-url https://judge.example.org --data campaigns"
)]
pub(crate) struct InviteArgs {
    /// The campaign
    name: String,
    /// Kind of judgment these people give
    #[arg(long, value_name = "KIND", value_parser = named::<Kind>())]
    kind: Kind,
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
    place: PlaceArgs,
    #[command(flatten)]
    show: ShowArgs,
}

/// A campaign by its name.
#[derive(Args, Debug)]
pub(crate) struct NamedArgs {
    /// The campaign
    name: String,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    show: ShowArgs,
}

impl NamedArgs {
    /// Does something to the campaign, and shows how it is then.
    fn act(&self, act: fn(&Place, &str) -> Result<(), NotDone>) -> Result<(), Failure> {
        let place = self.place.place();
        act(&place, &self.name).map_err(not_done)?;
        shown(&place, &self.name, &self.show)
    }
}

/// Shows a campaign.
fn shown(place: &Place, name: &str, show: &ShowArgs) -> Result<(), Failure> {
    let campaign = place.campaign(name).map_err(not_done)?;
    show.show(&campaign, &campaign, Vec::new())
}

/// Write the log of a campaign to a file, which `partita judge` reads
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// The campaign
    name: String,
    /// File to write [default: standard output]
    file: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Why something could not be done at a place.
pub(crate) fn not_done(error: NotDone) -> Failure {
    match error {
        NotDone::Place(error) => super::serve::not_served(error),
        NotDone::Refused(message) => Failure::input(message),
        NotDone::NotEmpty(_) => Failure::input(error.to_string())
            .hint("give a folder that does not exist yet, or an empty database"),
        NotDone::Missing(_) => {
            Failure::input(error.to_string()).hint("`partita serve --data DIR` creates it")
        }
    }
}

pub(crate) fn run(command: &CampaignCommand) -> Result<(), Failure> {
    match command {
        CampaignCommand::Create(args) => {
            let bytes = Source::open(&args.file)?.stored_bytes()?;
            let place = args.place.place();
            let name = place.create_campaign(&bytes);
            let name = name.map_err(|error| match error {
                NotDone::Refused(message) => {
                    let lines = message.lines();
                    let lines: Vec<String> =
                        lines.map(|line| format!("{}: {line}", args.file)).collect();
                    Failure::input(lines.join("\n"))
                }
                other => not_done(other),
            })?;
            say(&format!(
                "Created campaign `{name}`. Next: `partita campaign invite {name} --kind KIND --data DIR`"
            ));
            shown(&place, &name, &args.show)
        }
        CampaignCommand::List(args) => {
            let listed = args.place.place().campaigns().map_err(not_done)?;
            args.show.show(&listed, &listed, Vec::new())
        }
        CampaignCommand::Invite(args) => {
            let place = args.place.place();
            let label = args.label.clone();
            let made = place.invite(&args.name, args.kind, args.count, label, &args.public_url);
            let made = made.map_err(not_done)?;
            args.show.show(&made, &made, Vec::new())
        }
        CampaignCommand::Pause(args) => args.act(Place::pause),
        CampaignCommand::Resume(args) => args.act(Place::resume),
        CampaignCommand::Close(args) => args.act(Place::close),
        CampaignCommand::Export(args) => {
            let log = args.place.place().log(&args.name).map_err(not_done)?;
            Destination {
                output: args.file.clone(),
            }
            .write(&log)
        }
    }
}
