//! `partita backup`, `restore`, `verify` and `move`: everything that a server keeps.

use std::path::PathBuf;

use clap::Args;
use partita_server::{NotDone, Place};

use super::campaign::{PlaceArgs, not_done};
use crate::failure::Failure;
use crate::output::say;
use crate::show::ShowArgs;

/// Back up all data of a server to one file, while it runs
///
/// The file is an SQLite database, even if the server uses PostgreSQL. It does not contain the
/// secret.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  partita backup monday.db --data campaigns")]
pub(crate) struct BackupArgs {
    /// File to write; it must not exist
    file: PathBuf,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Restore a backup to a new folder or an empty database
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  partita restore monday.db --data restored")]
pub(crate) struct RestoreArgs {
    /// Backup file
    file: PathBuf,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Check that the logs of all campaigns are complete and unchanged
///
/// The exit code is 0 if they are. Otherwise it is 1, and the first damaged event is named.
#[derive(Args, Debug)]
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
    show: ShowArgs,
}

/// Copy all data of a server from a folder to PostgreSQL, or back
#[derive(Args, Debug)]
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
    /// Accepted beside the other commands of a server
    #[arg(long, hide = true)]
    data: Option<PathBuf>,
}

/// What every copy comes without.
const SECRET: &str = "The secret is not copied: derived completion codes change unless the file `secret` of \
                      the old server is copied too.";

fn place(text: &str) -> Place {
    match text.starts_with("postgres://") || text.starts_with("postgresql://") {
        true => Place::Postgres(text.to_owned()),
        false => Place::Folder(text.into()),
    }
}

/// Why something could not be done with a backup.
fn no_backup(error: NotDone) -> Failure {
    match error {
        NotDone::Missing(_) => {
            Failure::input(error.to_string()).hint("`partita backup FILE --data DIR` creates one")
        }
        other => not_done(other),
    }
}

pub(crate) fn backup(args: &BackupArgs) -> Result<(), Failure> {
    args.place.place().backup(&args.file).map_err(not_done)
}

pub(crate) fn restore(args: &RestoreArgs) -> Result<(), Failure> {
    args.place.place().restore(&args.file).map_err(no_backup)?;
    say(&format!("warning: {SECRET}"));
    Ok(())
}

pub(crate) fn move_all(args: &MoveArgs) -> Result<(), Failure> {
    place(&args.from)
        .copy_to(&place(&args.to))
        .map_err(not_done)?;
    say(&format!("warning: {SECRET}"));
    Ok(())
}

pub(crate) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let place = match (&args.file, &args.database, &args.data) {
        (Some(file), _, _) => Place::File(file.clone()),
        (None, Some(url), _) => Place::Postgres(url.clone()),
        (None, None, Some(data)) => Place::Folder(data.clone()),
        (None, None, None) => unreachable!("one of them is required"),
    };
    let unread = match args.file {
        Some(_) => no_backup,
        None => not_done,
    };
    let verified = place.verify().map_err(unread)?;
    args.show.show(&verified, &verified, Vec::new())?;
    let unsound = verified.campaigns.iter();
    let mut unsound = unsound.filter_map(|campaign| Some((campaign, campaign.unsound.as_ref()?)));
    match unsound.next() {
        None => Ok(()),
        Some((campaign, unsound)) => Err(Failure::No(format!(
            "campaign `{}`, event {}: {}",
            campaign.campaign, unsound.event, unsound.reason
        ))),
    }
}
