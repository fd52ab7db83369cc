//! The log of a campaign as a file: read, locked, added to.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use partita_formats::{FileKind, FormatError, Source, reason};
use partita_judging::campaign::log::{self, Entry, Log};
use partita_judging::campaign::{Campaign, CampaignError, Store};

/// What is wrong with the log of a campaign.
#[derive(Debug, thiserror::Error)]
pub enum LogFileError {
    /// It cannot be read.
    #[error("{file}: cannot be read: {}", reason(.error))]
    Unreadable {
        /// The file as it was named.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// It cannot be read as text.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A line is not what was written there.
    #[error("{file}:{line}: {message}")]
    Damaged {
        /// The file as it was named.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// The very first line is not whole.
    #[error("{0}: the campaign was never begun: its first line is not whole")]
    NeverBegun(String),
    /// There is a file of this name.
    #[error("{0}: there is something of this name already")]
    Exists(String),
    /// Somebody else adds to it.
    #[error("{0}: another command is writing to this campaign")]
    Busy(String),
    /// It cannot be locked.
    #[error("{file}: cannot be locked: {}", reason(.error))]
    Unlockable {
        /// The file as it was named.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// It cannot be written.
    #[error("{file}: cannot be written: {}", reason(.error))]
    Unwritable {
        /// The file as it was named.
        file: String,
        /// Why.
        error: io::Error,
    },
}

impl LogFileError {
    /// An event does not fit those before it.
    pub fn event(file: &str, seq: u64, error: &CampaignError) -> Self {
        Self::Damaged {
            file: file.to_owned(),
            line: usize::try_from(seq).expect("as many events as lines in a file"),
            message: error.to_string(),
        }
    }
}

/// An unfinished last line: a writer was stopped while it wrote, or is writing now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedLine {
    /// The line, counted from 1.
    pub line: usize,
    /// How many bytes there are of it.
    pub bytes: usize,
    /// Where it was put aside, if it was.
    pub aside: Option<String>,
}

/// The campaign of a log that is only read, packed or not, and the unfinished line at its end, which
/// is left out.
///
/// # Errors
/// A log that cannot be read, was never begun, or has a line that is not what was written there.
pub fn read_campaign(source: &Source) -> Result<(Campaign, Option<UnfinishedLine>), LogFileError> {
    let file = source.name();
    let log = parsed(file, &source.bytes()?)?;
    if log.entries.is_empty() {
        return Err(LogFileError::NeverBegun(file.to_owned()));
    }
    let campaign = Campaign::replay(log.events())
        .map_err(|(place, error)| LogFileError::event(file, log.entries[place].seq, &error))?;
    Ok((campaign, unfinished(&log)))
}

fn parsed(file: &str, bytes: &[u8]) -> Result<Log, LogFileError> {
    log::read(bytes).map_err(|error| {
        let other = FileKind::mistaken(FileKind::Log, file, bytes);
        other.filter(|_| error.line == 1).map_or_else(
            || LogFileError::Damaged {
                file: file.to_owned(),
                line: error.line,
                message: error.message,
            },
            LogFileError::Format,
        )
    })
}

fn unfinished(log: &Log) -> Option<UnfinishedLine> {
    (log.torn > 0).then(|| UnfinishedLine {
        line: log.entries.len() + 1,
        bytes: log.torn,
        aside: None,
    })
}

/// A log that is added to: the [`Store`] of a campaign in a file.
///
/// What is appended is on the disk when [`Store::append`] returns, all of it or nothing. An
/// unfinished last line is put aside, in a file of the same name and `.torn`, by the first reading
/// under the lock.
#[derive(Debug)]
pub struct LogFile {
    name: String,
    file: File,
    locked: bool,
    /// How long the file is, as far as its lines are whole.
    length: u64,
    /// Whether the last line lacks its end.
    unended: bool,
    unfinished: Option<UnfinishedLine>,
}

impl LogFile {
    /// The log in a file that is there.
    ///
    /// # Errors
    /// A file that cannot be opened for reading and writing.
    pub fn open(name: &str) -> Result<Self, LogFileError> {
        let opened = OpenOptions::new().read(true).append(true).open(name);
        let file = opened.map_err(|error| LogFileError::Unreadable {
            file: name.to_owned(),
            error,
        })?;
        Ok(Self::of(name, file))
    }

    /// A log that begins, in a file that is not there yet.
    ///
    /// # Errors
    /// A file that is there, which is left alone, or that cannot be made.
    pub fn create(name: &str) -> Result<Self, LogFileError> {
        let mut options = OpenOptions::new();
        let created = options.read(true).append(true).create_new(true).open(name);
        let file = created.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LogFileError::Exists(name.to_owned()),
            _ => unwritable(name, error),
        })?;
        Ok(Self::of(name, file))
    }

    fn of(name: &str, file: File) -> Self {
        Self {
            name: name.to_owned(),
            file,
            locked: false,
            length: 0,
            unended: false,
            unfinished: None,
        }
    }

    /// The file as it was named.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The unfinished line that was found at its end.
    pub fn unfinished(&self) -> Option<&UnfinishedLine> {
        self.unfinished.as_ref()
    }

    /// Cuts an unfinished last line off, after a copy of it is on the disk.
    fn put_aside(&self, torn: &[u8], whole: u64) -> Result<String, LogFileError> {
        let aside = format!("{}.torn", self.name);
        let failed = |error| unwritable(&aside, error);
        let mut copy = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&aside)
            .map_err(failed)?;
        let copied = copy.write_all(torn).and_then(|()| copy.write_all(b"\n"));
        copied.and_then(|()| copy.sync_all()).map_err(failed)?;
        let cut = self.file.set_len(whole).and_then(|()| self.file.sync_all());
        cut.map_err(|error| unwritable(&self.name, error))?;
        Ok(aside)
    }
}

fn unwritable(file: &str, error: io::Error) -> LogFileError {
    LogFileError::Unwritable {
        file: file.to_owned(),
        error,
    }
}

impl Store for LogFile {
    type Error = LogFileError;

    fn lock(&mut self) -> Result<(), LogFileError> {
        // The system lets go of the lock when the program ends, however it ends.
        self.file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LogFileError::Busy(self.name.clone()),
            TryLockError::Error(error) => LogFileError::Unlockable {
                file: self.name.clone(),
                error,
            },
        })?;
        self.locked = true;
        Ok(())
    }

    fn read(&mut self, after: u64) -> Result<Vec<Entry>, LogFileError> {
        let mut bytes = Vec::new();
        let reading = self.file.rewind();
        let reading = reading.and_then(|()| self.file.read_to_end(&mut bytes));
        reading.map_err(|error| LogFileError::Unreadable {
            file: self.name.clone(),
            error,
        })?;
        let log = parsed(&self.name, &bytes)?;
        self.length = log.whole as u64;
        self.unended = log.unended;
        self.unfinished = unfinished(&log);
        // A campaign that was never begun is nothing to be mended.
        if self.locked && log.torn > 0 && !log.entries.is_empty() {
            let aside = self.put_aside(&bytes[log.whole..], self.length)?;
            self.unfinished = unfinished(&log).map(|line| UnfinishedLine {
                aside: Some(aside),
                ..line
            });
        }
        let entries = log.entries.into_iter();
        Ok(entries.filter(|entry| entry.seq > after).collect())
    }

    fn append(&mut self, entries: &[Entry]) -> Result<(), LogFileError> {
        let begins = self.length == 0;
        let mut lines = String::new();
        if self.unended {
            lines.push('\n');
        }
        lines.extend(entries.iter().map(Entry::line));
        let written = self.file.write_all(lines.as_bytes());
        let written = written.and_then(|()| self.file.sync_all());
        if let Err(error) = written {
            // A half-written event is of no use to anybody; a full disk may even have room for none.
            let _ = self.file.set_len(self.length);
            return Err(unwritable(&self.name, error));
        }
        if begins {
            sync_folder(Path::new(&self.name));
        }
        self.length += lines.len() as u64;
        self.unended = false;
        Ok(())
    }

    fn unlock(&mut self) -> Result<(), LogFileError> {
        self.locked = false;
        self.file
            .unlock()
            .map_err(|error| LogFileError::Unlockable {
                file: self.name.clone(),
                error,
            })
    }
}

/// The name of a new file must be on the disk too. Not every system can sync a folder, and where it
/// cannot there is nothing else to be done.
fn sync_folder(file: &Path) {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder: PathBuf = folder.map_or_else(|| ".".into(), Path::to_path_buf);
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
