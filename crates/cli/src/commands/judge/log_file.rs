//! The log of a campaign on the command line: read, taken up, and what is said when it cannot be.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use partita::{LogFile, LogFileError, UnfinishedLine};
use partita_formats::{Source, Warning, preferences, problem};
use partita_judging::campaign::log::{Moment, Stamp};
use partita_judging::campaign::{Campaign, CampaignError, NotOpened, NotRecorded, Session};

use crate::failure::Failure;
use crate::output::warn;

/// Who does something, and when: what every line of a log says beside what happened.
#[derive(Args, Clone, Debug)]
pub(super) struct StampArgs {
    /// Author to record in the log
    #[arg(long, value_name = "NAME", default_value = "organiser", value_parser = author)]
    author: String,
    /// Time to record [default: system clock]
    #[arg(long, value_name = "TIME", value_parser = time)]
    now: Option<Moment>,
}

impl StampArgs {
    pub(super) fn stamp(&self) -> Stamp {
        Stamp {
            at: self.now.unwrap_or_else(clock),
            author: self.author.clone(),
        }
    }
}

fn author(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("the author must have a name".to_owned());
    }
    Ok(text.to_owned())
}

fn time(text: &str) -> Result<Moment, String> {
    let seconds = preferences::read_time(text);
    let moment = seconds.and_then(Moment::from_seconds);
    moment.ok_or_else(|| format!("`{text}` is not a time such as 2010-04-14T18:29:32Z"))
}

fn clock() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0.0, |since| since.as_secs_f64());
    Moment::from_seconds(seconds).expect("the clock is between 1970 and the year 10000")
}

/// The campaign of a log that is only read.
pub(super) fn read(file: &str) -> Result<Campaign, Failure> {
    if file != "-"
        && let Err(error) = std::fs::metadata(file)
    {
        let file = file.to_owned();
        return Err(LogFileError::Unreadable { file, error }.into());
    }
    of_source(&Source::open(file)?)
}

/// The campaign of a log that was opened for reading.
pub(crate) fn of_source(source: &Source) -> Result<Campaign, Failure> {
    let (campaign, unfinished) = partita::read_campaign(source)?;
    if let Some(line) = unfinished {
        let remedy =
            "it is ignored, and the next command that writes moves it to a file of its own";
        warn_of_unfinished(source.name(), &line, remedy);
    }
    Ok(campaign)
}

/// How long a command waits while another is writing.
#[derive(Args, Clone, Debug)]
pub(super) struct WaitArgs {
    /// Seconds to wait while another command writes to the campaign [default: 0]
    #[arg(long, value_name = "SECONDS", value_parser = patience)]
    wait: Option<Duration>,
}

fn patience(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let patience = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    patience.ok_or_else(|| format!("`{text}` is not a number of seconds"))
}

/// Takes up the campaign of a log. Nobody else can write to it in the meantime.
pub(super) fn open(file: &str) -> Result<Session<LogFile>, Failure> {
    open_waiting(file, &WaitArgs { wait: None })
}

/// The same, once nobody else is writing to it.
pub(super) fn open_waiting(file: &str, wait: &WaitArgs) -> Result<Session<LogFile>, Failure> {
    let log = LogFile::open(file)?.waiting(wait.wait.unwrap_or_default());
    let session = Session::open(log).map_err(|error| not_opened(file, error))?;
    if let Some(line) = session.store().unfinished() {
        let remedy = format!("it was moved to {file}.torn");
        warn_of_unfinished(file, line, &remedy);
    }
    Ok(session)
}

fn warn_of_unfinished(file: &str, line: &UnfinishedLine, remedy: &str) {
    let problem = problem!(UnfinishedLine { bytes = line.bytes, remedy }:
        "the last line is unfinished ({bytes} bytes): a command was stopped while writing, or is \
         writing now; {remedy}");
    warn(&[Warning::file(file, problem).line(line.line as u64)]);
}

/// Why a campaign cannot be begun or taken up.
pub(super) fn not_opened(file: &str, error: NotOpened<LogFileError>) -> Failure {
    match error {
        NotOpened::Store(error) => error.into(),
        NotOpened::Empty => LogFileError::NeverBegun(file.to_owned()).into(),
        NotOpened::Begun => LogFileError::Exists(file.to_owned()).into(),
        NotOpened::Settings(error) => Failure::input(error.to_string()),
        NotOpened::Refused(error) => Failure::input(error.to_string()),
        NotOpened::Event { seq, error } => LogFileError::event(file, seq, &error).into(),
    }
}

impl From<NotRecorded<LogFileError>> for Failure {
    fn from(error: NotRecorded<LogFileError>) -> Self {
        match error {
            // The names of people are not looked at before.
            NotRecorded::Event(CampaignError::Refused(error)) => Self::input(error.to_string()),
            // Whatever else a command wants to write was found to fit before.
            NotRecorded::Event(error) => Self::ours(error),
            NotRecorded::Store(error) => error.into(),
        }
    }
}

impl From<LogFileError> for Failure {
    fn from(error: LogFileError) -> Self {
        let failure = Self::input(error.to_string());
        match error {
            LogFileError::Format(error) => error.into(),
            LogFileError::Unreadable { error, .. } => match error.kind() {
                io::ErrorKind::NotFound => failure.hint("`partita judge init` creates a campaign"),
                io::ErrorKind::IsADirectory => failure.hint("name the log of the campaign, a file"),
                _ => failure,
            },
            LogFileError::Damaged { line: 1, .. } => {
                failure.hint("`partita judge init` creates a campaign")
            }
            LogFileError::Damaged { .. } => {
                failure.hint("the log was changed by another program; restore an earlier copy")
            }
            LogFileError::NeverBegun(_) => {
                failure.hint("remove the file and run `partita judge init` again")
            }
            LogFileError::Exists(_) => {
                failure.hint("a campaign is never overwritten; choose another name")
            }
            LogFileError::Busy(_) => failure.hint("try again later, or wait with `--wait 10`"),
            LogFileError::Later { .. }
            | LogFileError::Unlockable { .. }
            | LogFileError::Unwritable { .. } => failure,
        }
    }
}
