//! The log of a campaign as a file: read, locked, added to.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;

use partita_formats::{Warning, stream};
use partita_judging::campaign::log::{self, Log};
use partita_judging::campaign::{Campaign, CampaignError, Event};

use crate::failure::Failure;
use crate::output::warn;

/// The campaign of a log that is only read.
pub(super) fn read(file: &str) -> Result<Campaign, Failure> {
    if file != "-" && !Path::new(file).exists() {
        return Err(unreadable(file, &io::ErrorKind::NotFound.into()));
    }
    // Logs that are put away may be packed.
    let mut bytes = Vec::new();
    let reading = stream(file)?.read_to_end(&mut bytes);
    reading.map_err(|error| unreadable(file, &error))?;
    let log = events(file, &bytes)?;
    if log.torn > 0 {
        warn_of_torn(
            file,
            &log,
            "it is left out, and the next command that writes puts it aside",
        );
    }
    replayed(file, &log)
}

fn unreadable(file: &str, error: &io::Error) -> Failure {
    let failure = Failure::input(format!("{file}: cannot be read: {error}"));
    match error.kind() {
        io::ErrorKind::NotFound => failure.hint("`partita judge init` begins a campaign"),
        io::ErrorKind::IsADirectory => failure.hint("name the log of the campaign, a file"),
        _ => failure,
    }
}

fn events(file: &str, bytes: &[u8]) -> Result<Log, Failure> {
    let log = log::read(bytes).map_err(|error| {
        let failure = Failure::input(format!("{file}:{}: {}", error.line, error.message));
        match error.line {
            1 => failure.hint("`partita judge init` begins a campaign"),
            _ => failure.hint(
                "the log was changed by something else than `partita judge`; take a copy from before",
            ),
        }
    })?;
    if log.events.is_empty() {
        let message = format!("{file}: the campaign was never begun: its first line is not whole");
        return Err(
            Failure::input(message).hint("remove the file and say `partita judge init` again")
        );
    }
    Ok(log)
}

fn replayed(file: &str, log: &Log) -> Result<Campaign, Failure> {
    Campaign::replay(&log.events).map_err(|(event, error)| {
        Failure::input(format!("{file}:{}: {error}", event + 1)).hint(
            "the log was changed by something else than `partita judge`; take a copy from before",
        )
    })
}

fn warn_of_torn(file: &str, log: &Log, remedy: &str) {
    warn(&[Warning {
        file: file.to_owned(),
        line: Some(log.events.len() as u64 + 1),
        message: format!(
            "the last line is unfinished ({} bytes), since a command was stopped while it wrote or \
             is writing now; {remedy}",
            log.torn
        ),
    }]);
}

/// A log that is added to. Nobody else can write to it in the meantime.
pub(super) struct Writer<'a> {
    path: &'a str,
    file: File,
    campaign: Campaign,
    /// The lines that are to be written.
    lines: String,
    /// How long the file is.
    length: u64,
}

impl<'a> Writer<'a> {
    /// Opens the log of a campaign.
    pub(super) fn open(path: &'a str) -> Result<Self, Failure> {
        let opened = OpenOptions::new().read(true).append(true).open(path);
        let mut file = opened.map_err(|error| unreadable(path, &error))?;
        lock(path, &file)?;
        let mut bytes = Vec::new();
        let reading = file.read_to_end(&mut bytes);
        reading.map_err(|error| unreadable(path, &error))?;
        let log = events(path, &bytes)?;
        if log.torn > 0 {
            put_aside(path, &file, &bytes[log.whole..], log.whole as u64)?;
            warn_of_torn(path, &log, &format!("it was put aside in {path}.torn"));
        }
        let campaign = replayed(path, &log)?;
        Ok(Self {
            path,
            file,
            campaign,
            lines: match log.unended {
                true => "\n".to_owned(),
                false => String::new(),
            },
            length: log.whole as u64,
        })
    }

    pub(super) fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// Lets something happen, to be written by [`Writer::commit`].
    pub(super) fn stage(&mut self, event: &Event) -> Result<(), CampaignError> {
        self.campaign.apply(event)?;
        self.lines.push_str(&log::line(event));
        Ok(())
    }

    /// Writes what happened: once this returns it is on the disk.
    pub(super) fn commit(&mut self) -> Result<(), Failure> {
        let lines = std::mem::take(&mut self.lines);
        if lines.trim_ascii().is_empty() {
            return Ok(());
        }
        let written = self.file.write_all(lines.as_bytes());
        let written = written.and_then(|()| self.file.sync_all());
        if let Err(error) = written {
            // A half-written event is of no use to anybody; a full disk may even have room for none.
            let _ = self.file.set_len(self.length);
            return Err(Failure::writing(self.path, &error));
        }
        self.length += lines.len() as u64;
        Ok(())
    }
}

fn lock(path: &str, file: &File) -> Result<(), Failure> {
    // The system lets go of the lock when the program ends, however it ends.
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            let message = format!("{path}: another command is writing to this campaign");
            Failure::input(message).hint("try again when it is done")
        }
        TryLockError::Error(error) => Failure::input(format!("{path}: cannot be locked: {error}")),
    })
}

/// Cuts an unfinished last line off, after a copy of it is on the disk.
fn put_aside(path: &str, file: &File, torn: &[u8], whole: u64) -> Result<(), Failure> {
    let aside = format!("{path}.torn");
    let failed = |error: io::Error| Failure::writing(&aside, &error);
    let mut copy = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&aside)
        .map_err(failed)?;
    let copied = copy.write_all(torn).and_then(|()| copy.write_all(b"\n"));
    copied.and_then(|()| copy.sync_all()).map_err(failed)?;
    let cut = file.set_len(whole).and_then(|()| file.sync_all());
    cut.map_err(|error| Failure::writing(path, &error))
}

/// Begins a log; a file that is there already is left alone.
pub(super) fn create(path: &str, event: &Event) -> Result<(), Failure> {
    let created = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = created.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::input(format!("{path}: there is something of this name already"))
                .hint("a campaign is never overwritten; choose another name")
        }
        _ => Failure::writing(path, &error),
    })?;
    let written = file.write_all(log::line(event).as_bytes());
    let written = written.and_then(|()| file.sync_all());
    written.map_err(|error| Failure::writing(path, &error))?;
    // The name of the file must be on the disk too. Not every system can sync a folder, and where
    // it cannot there is nothing else to be done.
    let folder = Path::new(path)
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
    Ok(())
}
