//! The log of a campaign as a file: read, locked, added to.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use partita_formats::{FileKind, FormatError, Source, reason};
use partita_judging::campaign::log::{self, Entry, Extent, Fault};
use partita_judging::campaign::{Campaign, CampaignError, Replay, Store};

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
    /// Its version or one of its events is unknown to this version of the program.
    #[error("{file}:{line}: {message}")]
    Later {
        /// The file as it was named.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is unknown.
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
    let mut replay = Replay::default();
    let extent = parsed(file, &source.bytes()?, |entry| replay.take(&entry.event))?;
    let campaign = replay
        .end()
        .map_err(|(place, error)| LogFileError::event(file, place as u64 + 1, &error))?;
    let campaign = campaign.ok_or_else(|| LogFileError::NeverBegun(file.to_owned()))?;
    Ok((campaign, unfinished(&extent)))
}

fn parsed(file: &str, bytes: &[u8], take: impl FnMut(Entry)) -> Result<Extent, LogFileError> {
    log::read_each(bytes, take).map_err(|error| {
        let other = FileKind::mistaken(FileKind::Log, file, bytes);
        other.filter(|_| error.line == 1).map_or_else(
            || not_read(file, error.line, error.fault, error.message.clone()),
            LogFileError::Format,
        )
    })
}

fn not_read(file: &str, line: usize, fault: Fault, message: String) -> LogFileError {
    let file = file.to_owned();
    match fault {
        Fault::Later => LogFileError::Later {
            file,
            line,
            message,
        },
        Fault::NoLog | Fault::Changed => LogFileError::Damaged {
            file,
            line,
            message,
        },
    }
}

fn unfinished(log: &Extent) -> Option<UnfinishedLine> {
    (log.torn > 0).then(|| UnfinishedLine {
        line: log.events + 1,
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
    /// Where a log that begins is written until it is whole.
    beside: Option<String>,
    /// How long it waits for the lock.
    patience: Duration,
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
        let file = opened.map_err(|error| {
            // What can be read cannot be written.
            if File::open(name).is_ok() && !Path::new(name).is_dir() {
                return unwritable(name, error);
            }
            LogFileError::Unreadable {
                file: name.to_owned(),
                error,
            }
        })?;
        Ok(Self::of(name, file))
    }

    /// A log that begins, in a file that is not there yet. It is written beside its place and has its
    /// name once its first lines are on the disk, so that what fails leaves nothing behind.
    ///
    /// # Errors
    /// A file that is there, which is left alone, or that cannot be made.
    pub fn create(name: &str) -> Result<Self, LogFileError> {
        if fs::symlink_metadata(name).is_ok() {
            return Err(LogFileError::Exists(name.to_owned()));
        }
        let beside = format!("{name}.{}.new", std::process::id());
        let mut options = OpenOptions::new();
        let created = options.read(true).append(true).create_new(true);
        let file = created.open(&beside);
        let file = file.map_err(|error| unwritable(name, error))?;
        let mut log = Self::of(name, file);
        log.beside = Some(beside);
        Ok(log)
    }

    /// The same log, for whose lock a command waits so long when another is writing.
    #[must_use]
    pub fn waiting(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Gives a log that begins its name, unless something else has it by now.
    fn come_into_place(&mut self) -> Result<(), LogFileError> {
        let Some(beside) = self.beside.as_ref() else {
            return Ok(());
        };
        let placed = fs::hard_link(beside, &self.name).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            // Not every file system has links.
            _ if fs::symlink_metadata(&self.name).is_err() => fs::rename(beside, &self.name),
            _ => Err(io::ErrorKind::AlreadyExists.into()),
        });
        placed.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LogFileError::Exists(self.name.clone()),
            _ => unwritable(&self.name, error),
        })?;
        let _ = fs::remove_file(beside);
        self.beside = None;
        sync_folder(Path::new(&self.name));
        Ok(())
    }

    fn of(name: &str, file: File) -> Self {
        Self {
            name: name.to_owned(),
            file,
            beside: None,
            patience: Duration::ZERO,
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
        let began = Instant::now();
        loop {
            match self.file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if began.elapsed() < self.patience => {
                    thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(LogFileError::Busy(self.name.clone()));
                }
                Err(TryLockError::Error(error)) => {
                    return Err(LogFileError::Unlockable {
                        file: self.name.clone(),
                        error,
                    });
                }
            }
        }
        self.locked = true;
        Ok(())
    }

    fn read(&mut self, after: u64) -> Result<Vec<Entry>, LogFileError> {
        let mut entries = Vec::new();
        self.read_each(after, &mut |entry| entries.push(entry))?;
        Ok(entries)
    }

    fn read_each(&mut self, after: u64, take: &mut dyn FnMut(Entry)) -> Result<(), LogFileError> {
        let mut bytes = Vec::new();
        let reading = self.file.rewind();
        let reading = reading.and_then(|()| self.file.read_to_end(&mut bytes));
        reading.map_err(|error| LogFileError::Unreadable {
            file: self.name.clone(),
            error,
        })?;
        let later = |entry: Entry| {
            if entry.seq > after {
                take(entry);
            }
        };
        let log = parsed(&self.name, &bytes, later)?;
        self.length = log.whole as u64;
        self.unended = log.unended;
        self.unfinished = unfinished(&log);
        if self.locked && log.blank > 0 {
            let cut = self.file.set_len(self.length);
            cut.map_err(|error| unwritable(&self.name, error))?;
        }
        // A campaign that was never begun is nothing to be mended.
        if self.locked && log.torn > 0 && log.events > 0 {
            let aside = self.put_aside(&bytes[log.whole..], self.length)?;
            self.unfinished = unfinished(&log).map(|line| UnfinishedLine {
                aside: Some(aside),
                ..line
            });
        }
        Ok(())
    }

    fn append(&mut self, entries: &[Entry]) -> Result<(), LogFileError> {
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
        self.come_into_place()?;
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

impl Drop for LogFile {
    fn drop(&mut self) {
        // A log that never began is nobody's.
        if let Some(beside) = &self.beside {
            let _ = fs::remove_file(beside);
        }
    }
}

/// How long a command waits before it tries again to take the lock.
const PAUSE: Duration = Duration::from_millis(20);

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
