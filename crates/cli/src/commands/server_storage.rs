//! `partita backup`, `restore`, `verify` and `move`: administration of the data of a server.

use std::path::PathBuf;

use clap::Args;
use partita_server::{AdminError, ServerStorage};

use super::campaign::server_campaigns::StorageArgs;
use crate::output::destination::print_message;
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Back up all data of a server to one file, while it runs
///
/// The file is an SQLite database, even if the server uses PostgreSQL. It does not contain the
/// secret.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita backup monday.db --data campaigns")]
pub(crate) struct BackupArgs {
    /// File to write; it must not exist
    file: PathBuf,
    #[command(flatten)]
    place: StorageArgs,
}

/// Restore a backup to a new folder or an empty database
///
/// The logs of all campaigns are checked first, as by `partita verify`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita restore monday.db --data restored")]
pub(crate) struct RestoreArgs {
    /// Backup file
    file: PathBuf,
    /// Restore damaged campaigns too; they can be read up to the damaged event
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    place: StorageArgs,
}

/// Check that the logs of all campaigns are complete and unchanged
///
/// The exit code is 0 if they are. Otherwise it is 1, and the first damaged event is named.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita verify --data campaigns\n  partita verify monday.db")]
pub(crate) struct VerifyArgs {
    /// Backup to check instead of a server
    #[arg(conflicts_with_all = ["data", "database"], required_unless_present_any = ["data", "database"])]
    file: Option<PathBuf>,
    /// Folder of the server
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// URL of its PostgreSQL database, if it has one
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    #[command(flatten)]
    show: ResultArgs,
}

/// Copy all data of a server from a folder to PostgreSQL, or back
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita move --from campaigns --to postgres://partita@db/partita"
)]
pub(crate) struct MoveArgs {
    /// Folder or database URL to copy from
    #[arg(long, value_name = "DIR|URL")]
    from: String,
    /// Empty folder or database URL to copy to
    #[arg(long, value_name = "DIR|URL")]
    to: String,
    /// Accepted for consistency with the other server commands; it has no effect
    #[arg(long, hide = true)]
    data: Option<PathBuf>,
}

/// Notice that a copy does not include the secret.
const SECRET_NOTICE: &str = "The secret is not copied: derived completion codes change unless the file `secret` of \
                      the old server is copied too.";

fn parse_storage(text: &str) -> ServerStorage {
    match text.starts_with("postgres://") || text.starts_with("postgresql://") {
        true => ServerStorage::Postgres(text.to_owned()),
        false => ServerStorage::Folder(text.into()),
    }
}

/// Converts the error of a backup operation.
fn backup_error(error: AdminError) -> CliError {
    match error {
        AdminError::Missing(_) => CliError::input(error.to_string())
            .with_hint("`partita backup FILE --data DIR` creates one"),
        other => other.into(),
    }
}

pub(crate) fn backup(args: &BackupArgs) -> Result<(), CliError> {
    Ok(args.place.storage().backup(&args.file)?)
}

pub(crate) fn restore(args: &RestoreArgs) -> Result<(), CliError> {
    let restored = args.place.storage().restore(&args.file, args.anyway);
    for damaged in restored.map_err(backup_error)? {
        print_message(&format!("warning: {}", damaged.describe()));
    }
    print_message(&format!("warning: {SECRET_NOTICE}"));
    Ok(())
}

pub(crate) fn move_storage(args: &MoveArgs) -> Result<(), CliError> {
    parse_storage(&args.from).copy_to(&parse_storage(&args.to))?;
    print_message(&format!("warning: {SECRET_NOTICE}"));
    Ok(())
}

pub(crate) fn verify(args: &VerifyArgs) -> Result<(), CliError> {
    let place = match (&args.file, &args.database, &args.data) {
        (Some(file), _, _) => ServerStorage::Backup(file.clone()),
        (None, Some(url), _) => ServerStorage::Postgres(url.clone()),
        (None, None, Some(data)) => ServerStorage::Folder(data.clone()),
        (None, None, None) => unreachable!("one of them is required"),
    };
    let verified = place.verify().map_err(|error| match args.file {
        Some(_) => backup_error(error),
        None => error.into(),
    })?;
    args.show.print(&verified, &verified, Vec::new())?;
    let unsound = verified.campaigns.iter();
    let mut unsound = unsound.filter_map(|campaign| Some((campaign, campaign.unsound.as_ref()?)));
    match unsound.next() {
        None => Ok(()),
        Some((campaign, unsound)) => Err(CliError::CheckFailed(format!(
            "campaign `{}`, event {}: {}",
            campaign.campaign, unsound.event, unsound.reason
        ))),
    }
}
