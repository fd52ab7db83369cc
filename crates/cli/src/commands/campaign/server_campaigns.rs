//! `partita campaign create`, `list`, `invite`, `log` and `delete`: campaigns of a server, on its machine.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use partita::formats::Source;
use partita::formats::campaign::invited_people;
use partita::judging::campaign::{JudgmentKind, log};
use partita_server::{
    AdminError, InvitedPeople, PublicUrl, ServeError, ServerStorage, running_server_url,
};

use super::campaign_log::campaign_from_source;
use super::campaign_place::ServerArgs;
use crate::output::destination::{Destination, print_message};
use crate::output::error::CliError;
use crate::output::result::{ResultArgs, named_value_parser};

/// Server of an administrative command.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("data", |data| data.required(true)))]
pub(crate) struct StorageArgs {
    #[command(flatten)]
    server: ServerArgs,
}

impl StorageArgs {
    /// Returns the storage of the server: its folder, or a PostgreSQL database.
    pub(crate) fn storage(&self) -> ServerStorage {
        self.server.required_storage()
    }
}

/// Server of a campaign: one of the options is required.
#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("server").required(true).multiple(true).args(["data", "database"])
)]
pub(crate) struct CampaignServerArgs {
    #[command(flatten)]
    server: ServerArgs,
}

impl CampaignServerArgs {
    fn storage(&self) -> ServerStorage {
        self.server.required_storage()
    }

    /// Returns the URL with which links to the running server begin.
    fn running_url(&self) -> Result<String, CliError> {
        let Some(folder) = self.server.folder() else {
            let problem = "the database does not know the address of its servers";
            let hint = "give --public-url, or the folder of a running server with --data";
            return Err(CliError::input(problem).with_hint(hint));
        };
        let url = running_server_url(folder).map_err(ServeError::from)?;
        url.ok_or_else(|| {
            let folder = folder.display();
            CliError::input(format!(
                "no server runs on `{folder}`, so the address of the links is unknown"
            ))
            .with_hint(format!(
                "give --public-url, or start the server first: `partita serve --data {folder}`"
            ))
        })
    }
}

/// Create a campaign from a JSON document, a zip or a log
///
/// The clips and pictures of a document are read from its folder. A log is taken over with all that happened in it: that of a campaign in a file, or of a campaign
/// that another server ran.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign create campaign.json --data campaigns\n  partita campaign create melodies.zip --data campaigns\n  partita campaign create campaign.jsonl --data campaigns --media clips"
)]
pub(crate) struct CreateArgs {
    /// JSON document with its files beside it, zip file, or log of a campaign
    file: String,
    /// Folder with the clips and pictures of a log; they are found by their SHA-256, whatever their
    /// names
    #[arg(long, value_name = "FOLDER")]
    media: Option<PathBuf>,
    #[command(flatten)]
    place: CampaignServerArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// List all campaigns
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    place: CampaignServerArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// Create invitation links, each for one person
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign invite melodies --kind preference --count 20 --data campaigns\n  partita campaign invite melodies --people people.csv --data campaigns \\\n      --format csv\n  partita campaign invite melodies --kind preference --data campaigns \\\n      --public-url https://judge.example.org"
)]
pub(crate) struct InviteArgs {
    /// The campaign
    name: String,
    /// Kind of judgment these people give
    #[arg(
        long,
        value_name = "KIND",
        value_parser = named_value_parser::<JudgmentKind>(),
        required_unless_present = "people"
    )]
    kind: Option<JudgmentKind>,
    /// Number of links
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u32,
    /// Label of these links in the list
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// People to invite, each by a link with their name as the label: CSV with the column name,
    /// optionally email and kind; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "label"])]
    people: Option<String>,
    /// Public address of the server, with which the links begin [default: that of the server that
    /// runs on the folder]
    #[arg(long, value_name = "URL")]
    public_url: Option<PublicUrl>,
    #[command(flatten)]
    place: CampaignServerArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// Write the log of a server's campaign, to use it as a log file
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign log melodies --output melodies.jsonl --data campaigns"
)]
pub(crate) struct LogArgs {
    /// The campaign
    name: String,
    #[command(flatten)]
    place: CampaignServerArgs,
    #[command(flatten)]
    destination: Destination,
}

/// Delete a closed campaign with its log, people and links
///
/// Its clips and pictures are deleted too, unless another campaign uses them. Export what you need
/// first.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign log melodies --output melodies.jsonl --data campaigns\n  partita campaign delete melodies --yes --data campaigns"
)]
pub(crate) struct DeleteArgs {
    /// The campaign
    name: String,
    /// Confirm the deletion
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    place: CampaignServerArgs,
}

impl From<AdminError> for CliError {
    fn from(error: AdminError) -> Self {
        match error {
            AdminError::Storage(error) => error.into(),
            AdminError::Rejected(message) => Self::input(message),
            AdminError::Damaged { .. } => Self::input(error.to_string()).with_hint(
                "restore another backup, or add --anyway to read what precedes the damage",
            ),
            AdminError::UnreadableBackup { .. } => Self::input(error.to_string())
                .with_hint("give a file that `partita backup` wrote, or an earlier one"),
            AdminError::NotEmpty(_) => Self::input(error.to_string())
                .with_hint("give a folder that does not exist yet, or an empty database"),
            AdminError::Missing(_) => {
                Self::input(error.to_string()).with_hint("`partita serve --data DIR` creates it")
            }
        }
    }
}

pub(crate) fn create(args: &CreateArgs) -> Result<(), CliError> {
    let place = args.place.storage();
    let source = Source::open(&args.file)?;
    let bytes = source.raw_bytes()?;
    let is_log = log::is_log(&bytes);
    if is_log {
        // Reads it as commands on log files do, for the same errors and warnings.
        campaign_from_source(&source)?;
    }
    place.check_exists()?;
    let created = if is_log {
        place.create_campaign_from_log(&bytes, args.media.as_deref())
    } else if args.media.is_some() {
        return Err(CliError::input("`--media` is for the log of a campaign")
            .with_hint("the files of a JSON document are found beside it"));
    } else {
        let folder = (args.file != "-")
            .then(|| Path::new(&args.file).parent())
            .flatten();
        // The parent of a plain file name is empty.
        let folder = folder.map(|folder| match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        });
        place.create_campaign(&bytes, folder)
    };
    let name = created.map_err(|error| match error {
        AdminError::Rejected(message) => {
            let lines = message.lines();
            let lines: Vec<String> = lines.map(|line| format!("{}: {line}", args.file)).collect();
            CliError::input(lines.join("\n"))
        }
        other => other.into(),
    })?;
    print_message(&format!(
        "Created campaign `{name}`. Next: `partita campaign invite {name} --kind KIND --data DIR`"
    ));
    let campaign = place.campaign(&name)?;
    args.show.print(&campaign, &campaign, Vec::new())
}

/// Refuses a log file in the place of the name of a server's campaign. A campaign of that name comes
/// first.
fn refuse_log_file(place: &ServerStorage, name: &str, hint: &str) -> Result<(), CliError> {
    if Path::new(name).is_file() && place.campaign(name).is_err() {
        let problem = format!("`{name}` is a file, and this command needs a server's campaign");
        return Err(CliError::input(problem).with_hint(hint));
    }
    Ok(())
}

pub(crate) fn list(args: &ListArgs) -> Result<(), CliError> {
    let listed = args.place.storage().campaigns()?;
    args.show.print(&listed, &listed, Vec::new())
}

pub(crate) fn invite(args: &InviteArgs) -> Result<(), CliError> {
    let place = args.place.storage();
    let hint = "`partita campaign next LOG` prints the questions of a campaign in a file";
    refuse_log_file(&place, &args.name, hint)?;
    let people = match (&args.people, args.kind) {
        (Some(file), kind) => InvitedPeople::Named {
            kind,
            people: invited_people::read(&Source::open(file)?)?,
        },
        (None, Some(kind)) => InvitedPeople::Count {
            kind,
            count: args.count,
            label: args.label.clone(),
        },
        (None, None) => return Err(CliError::internal("one of --kind and --people is required")),
    };
    let url = match &args.public_url {
        Some(url) => url.to_string(),
        None => args.place.running_url()?,
    };
    let invites = place.create_invites(&args.name, people, &url)?;
    args.show.print(&invites, &invites, Vec::new())
}

pub(crate) fn log(args: &LogArgs) -> Result<(), CliError> {
    let place = args.place.storage();
    refuse_log_file(&place, &args.name, "a campaign in a file is its own log")?;
    let log = place.export_log(&args.name)?;
    args.destination.write(&log)
}

pub(crate) fn delete(args: &DeleteArgs) -> Result<(), CliError> {
    let (place, name) = (args.place.storage(), &args.name);
    refuse_log_file(
        &place,
        name,
        "delete the file of a campaign in a file yourself",
    )?;
    place.campaign(name)?;
    if !args.yes {
        let problem = format!("the campaign `{name}` would be deleted for good");
        return Err(CliError::input(problem).with_hint("add --yes to delete it"));
    }
    place.delete_campaign(name)?;
    print_message(&format!("Deleted campaign `{name}`."));
    Ok(())
}
