//! Campaign logs on the command line: reading, opening and errors.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use partita::formats::{Source, preferences};
use partita::judging::campaign::log::{Stamp, Timestamp};
use partita::judging::campaign::{
    Campaign, CampaignError, CampaignSession, OpenError, RecordError,
};
use partita::{FileStore, FileStoreError, TornLine};

use crate::output::destination::print_warnings;
use crate::output::error::CliError;

/// Author and time of a log entry.
#[derive(Clone, Debug, Args)]
pub(super) struct StampArgs {
    /// Author to record in the log
    #[arg(long, value_name = "NAME", default_value = "organiser", value_parser = parse_author)]
    author: String,
    /// Time to record [default: system clock]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    now: Option<Timestamp>,
}

impl StampArgs {
    /// Returns the author and time to record with a log entry.
    pub(super) fn stamp(&self) -> Stamp {
        Stamp {
            at: self.now.unwrap_or_else(current_time),
            author: self.author.clone(),
        }
    }
}

fn parse_author(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("the author must have a name".to_owned());
    }
    Ok(text.to_owned())
}

fn parse_time(text: &str) -> Result<Timestamp, String> {
    let seconds = preferences::parse_timestamp(text);
    let moment = seconds.and_then(Timestamp::from_seconds);
    moment.ok_or_else(|| format!("`{text}` is not a time such as 2010-04-14T18:29:32Z"))
}

fn current_time() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0.0, |since| since.as_secs_f64());
    Timestamp::from_seconds(seconds).expect("the clock is between 1970 and the year 10000")
}

/// Reads a campaign without opening its log for writing.
pub(super) fn read_campaign(file: &str) -> Result<Campaign, CliError> {
    if file != "-"
        && let Err(error) = std::fs::metadata(file)
    {
        let file = file.to_owned();
        return Err(FileStoreError::Read { file, error }.into());
    }
    campaign_from_source(&Source::open(file)?)
}

/// Reads the campaign of an open source.
pub(crate) fn campaign_from_source(source: &Source) -> Result<Campaign, CliError> {
    let (campaign, unfinished) = partita::read_campaign_log(source)?;
    if let Some(line) = unfinished {
        print_warnings(&[partita::ignored_line_warning(source.name(), &line)]);
    }
    Ok(campaign)
}

/// Waiting time while another command writes.
#[derive(Clone, Debug, Args)]
pub(super) struct WaitArgs {
    /// Seconds to wait while another command writes to the campaign [default: 0]
    #[arg(long, value_name = "SECONDS", value_parser = parse_wait)]
    wait: Option<Duration>,
}

fn parse_wait(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let patience = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    patience.ok_or_else(|| format!("`{text}` is not a number of seconds"))
}

/// Opens the campaign of a log for writing. The log is locked for other writers.
pub(super) fn open_session(file: &str) -> Result<CampaignSession<FileStore>, CliError> {
    open_session_with_wait(file, &WaitArgs { wait: None })
}

/// Opens the campaign of a log for writing, after waiting until no other command writes to it.
pub(super) fn open_session_with_wait(
    file: &str,
    wait: &WaitArgs,
) -> Result<CampaignSession<FileStore>, CliError> {
    let store = open_store(file, wait)?;
    let session = CampaignSession::open(store).map_err(|error| open_error(file, error))?;
    warn_of_moved_line(file, session.store());
    Ok(session)
}

/// Opens a log for writing. Its lock is waited for as long as the option says.
pub(super) fn open_store(file: &str, wait: &WaitArgs) -> Result<FileStore, CliError> {
    let store = FileStore::open(file)?;
    Ok(store.with_lock_timeout(wait.wait.unwrap_or_default()))
}

/// Warns if the log ended with an incomplete line when it was read, which moved the line.
pub(super) fn warn_of_moved_line(file: &str, store: &FileStore) {
    if let Some(line) = store.torn_line() {
        warn_of_unfinished(file, line, &format!("it was moved to {file}.torn"));
    }
}

/// Warns that the last line of a log is incomplete.
fn warn_of_unfinished(file: &str, line: &TornLine, remedy: &str) {
    print_warnings(&[partita::torn_line_warning(file, line, remedy)]);
}

/// Converts the error of creating or opening a campaign in a file or, by its name, on a server.
pub(super) fn open_error(file: &str, error: OpenError<impl Into<CliError>>) -> CliError {
    match error {
        OpenError::Store(error) => error.into(),
        OpenError::Empty => FileStoreError::NoFirstEntry(file.to_owned()).into(),
        OpenError::AlreadyExists => FileStoreError::AlreadyExists(file.to_owned()).into(),
        OpenError::Spec(errors) => {
            CliError::input(OpenError::<FileStoreError>::Spec(errors).to_string())
        }
        OpenError::Refused(error) => CliError::input(error.to_string()),
        OpenError::Event { seq, error } => FileStoreError::from_event(file, seq, &error).into(),
    }
}

impl<E: Into<CliError>> From<RecordError<E>> for CliError {
    fn from(error: RecordError<E>) -> Self {
        match error {
            // An invalid assessor name is only found when the event is recorded.
            RecordError::Event(CampaignError::Input(error)) => Self::input(error.to_string()),
            // All other events were validated before, so this is an internal error.
            RecordError::Event(error) => Self::internal(error),
            RecordError::Store(error) => error.into(),
        }
    }
}

impl From<FileStoreError> for CliError {
    fn from(error: FileStoreError) -> Self {
        let failure = Self::input(error.to_string());
        match error {
            FileStoreError::Format(error) => error.into(),
            FileStoreError::Read { error, .. } => match error.kind() {
                io::ErrorKind::NotFound => {
                    failure.with_hint("`partita campaign init` creates a campaign")
                }
                io::ErrorKind::IsADirectory => {
                    failure.with_hint("name the log of the campaign, a file")
                }
                _ => failure,
            },
            FileStoreError::Damaged { line: 1, .. } => {
                failure.with_hint("`partita campaign init` creates a campaign")
            }
            FileStoreError::Damaged { .. } => {
                failure.with_hint("the log was changed by another program; restore an earlier copy")
            }
            FileStoreError::NoFirstEntry(_) => {
                failure.with_hint("remove the file and run `partita campaign init` again")
            }
            FileStoreError::AlreadyExists(_) => {
                failure.with_hint("a campaign is never overwritten; choose another name")
            }
            FileStoreError::Locked(_) => {
                failure.with_hint("try again later, or wait with `--wait 10`")
            }
            FileStoreError::InvalidSpec { .. }
            | FileStoreError::NewerVersion { .. }
            | FileStoreError::Lock { .. }
            | FileStoreError::Write { .. } => failure,
        }
    }
}
