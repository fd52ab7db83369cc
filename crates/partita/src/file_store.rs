//! The log of a campaign as a file: read, locked, added to.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use partita_formats::{FileKind, FormatError, Source, io_error_message};
use partita_judging::campaign::log::{self, LogEntry, LogErrorKind, LogExtent};
use partita_judging::campaign::{Campaign, CampaignError, CampaignStore, LogReplay};

/// What is wrong with the log of a campaign.
#[derive(Debug, thiserror::Error)]
pub enum FileStoreError {
    /// It cannot be read.
    #[error("{file}: cannot be read: {}", io_error_message(.error))]
    Read {
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
    NewerVersion {
        /// The file as it was named.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is unknown.
        message: String,
    },
    /// The very first line is not whole.
    #[error("{0}: the campaign was never begun: its first line is not whole")]
    NoFirstEntry(String),
    /// There is a file of this name.
    #[error("{0}: there is something of this name already")]
    AlreadyExists(String),
    /// Somebody else adds to it.
    #[error("{0}: another command is writing to this campaign")]
    Locked(String),
    /// It cannot be locked.
    #[error("{file}: cannot be locked: {}", io_error_message(.error))]
    Lock {
        /// The file as it was named.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// It cannot be written.
    #[error("{file}: cannot be written: {}", io_error_message(.error))]
    Write {
        /// The file as it was named.
        file: String,
        /// Why.
        error: io::Error,
    },
}

impl FileStoreError {
    /// An event does not fit those before it.
    pub fn from_event(file: &str, seq: u64, error: &CampaignError) -> Self {
        Self::Damaged {
            file: file.to_owned(),
            line: usize::try_from(seq).expect("as many events as lines in a file"),
            message: error.to_string(),
        }
    }
}

/// An unfinished last line: a writer was stopped while it wrote, or is writing now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornLine {
    /// The line, counted from 1.
    pub line: usize,
    /// How many bytes there are of it.
    pub bytes: usize,
    /// Where it was put aside, if it was.
    pub backup: Option<String>,
}

/// The campaign of a log that is only read, packed or not, and the unfinished line at its end, which
/// is left out.
///
/// # Errors
/// A log that cannot be read, was never begun, or has a line that is not what was written there.
pub fn read_campaign_log(source: &Source) -> Result<(Campaign, Option<TornLine>), FileStoreError> {
    let file = source.name();
    let mut replay = LogReplay::default();
    let extent = parse_log(file, &source.bytes()?, |entry| replay.push(&entry.event))?;
    let campaign = replay
        .finish()
        .map_err(|(place, error)| FileStoreError::from_event(file, place as u64 + 1, &error))?;
    let campaign = campaign.ok_or_else(|| FileStoreError::NoFirstEntry(file.to_owned()))?;
    Ok((campaign, torn_line(&extent)))
}

fn parse_log(
    file: &str,
    bytes: &[u8],
    take: impl FnMut(LogEntry),
) -> Result<LogExtent, FileStoreError> {
    log::for_each_entry(bytes, take).map_err(|error| {
        let other = FileKind::mismatch_error(FileKind::Log, file, bytes);
        other.filter(|_| error.line == 1).map_or_else(
            || log_error(file, error.line, error.kind, error.message.clone()),
            FileStoreError::Format,
        )
    })
}

fn log_error(file: &str, line: usize, fault: LogErrorKind, message: String) -> FileStoreError {
    let file = file.to_owned();
    match fault {
        LogErrorKind::NewerVersion => FileStoreError::NewerVersion {
            file,
            line,
            message,
        },
        LogErrorKind::NotALog | LogErrorKind::BrokenChain => FileStoreError::Damaged {
            file,
            line,
            message,
        },
    }
}

fn torn_line(log: &LogExtent) -> Option<TornLine> {
    (log.torn_bytes > 0).then(|| TornLine {
        line: log.events + 1,
        bytes: log.torn_bytes,
        backup: None,
    })
}

/// A log that is added to: the [`Store`] of a campaign in a file.
///
/// What is appended is on the disk when [`Store::append`] returns, all of it or nothing. An
/// unfinished last line is put aside, in a file of the same name and `.torn`, by the first reading
/// under the lock.
#[derive(Debug)]
pub struct FileStore {
    name: String,
    file: File,
    /// Where a log that begins is written until it is whole.
    temporary_name: Option<String>,
    /// How long it waits for the lock.
    lock_timeout: Duration,
    locked: bool,
    /// How long the file is, as far as its lines are whole.
    complete_bytes: u64,
    /// Whether the last line lacks its end.
    lacks_newline: bool,
    torn_line: Option<TornLine>,
}

impl FileStore {
    /// The log in a file that is there.
    ///
    /// # Errors
    /// A file that cannot be opened for reading and writing.
    pub fn open(name: &str) -> Result<Self, FileStoreError> {
        let opened = OpenOptions::new().read(true).append(true).open(name);
        let file = opened.map_err(|error| {
            // What can be read cannot be written.
            if File::open(name).is_ok() && !Path::new(name).is_dir() {
                return write_error(name, error);
            }
            FileStoreError::Read {
                file: name.to_owned(),
                error,
            }
        })?;
        Ok(Self::from_file(name, file))
    }

    /// A log that begins, in a file that is not there yet. It is written beside its place and has its
    /// name once its first lines are on the disk, so that what fails leaves nothing behind.
    ///
    /// # Errors
    /// A file that is there, which is left alone, or that cannot be made.
    pub fn create(name: &str) -> Result<Self, FileStoreError> {
        if fs::symlink_metadata(name).is_ok() {
            return Err(FileStoreError::AlreadyExists(name.to_owned()));
        }
        let beside = format!("{name}.{}.new", std::process::id());
        let mut options = OpenOptions::new();
        let created = options.read(true).append(true).create_new(true);
        let file = created.open(&beside);
        let file = file.map_err(|error| write_error(name, error))?;
        let mut log = Self::from_file(name, file);
        log.temporary_name = Some(beside);
        Ok(log)
    }

    /// The same log, for whose lock a command waits so long when another is writing.
    #[must_use]
    pub fn with_lock_timeout(mut self, patience: Duration) -> Self {
        self.lock_timeout = patience;
        self
    }

    /// Gives a log that begins its name, unless something else has it by now.
    fn publish(&mut self) -> Result<(), FileStoreError> {
        let Some(beside) = self.temporary_name.as_ref() else {
            return Ok(());
        };
        let placed = fs::hard_link(beside, &self.name).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            // Not every file system has links.
            _ if fs::symlink_metadata(&self.name).is_err() => fs::rename(beside, &self.name),
            _ => Err(io::ErrorKind::AlreadyExists.into()),
        });
        placed.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => FileStoreError::AlreadyExists(self.name.clone()),
            _ => write_error(&self.name, error),
        })?;
        let _ = fs::remove_file(beside);
        self.temporary_name = None;
        sync_folder(Path::new(&self.name));
        Ok(())
    }

    fn from_file(name: &str, file: File) -> Self {
        Self {
            name: name.to_owned(),
            file,
            temporary_name: None,
            lock_timeout: Duration::ZERO,
            locked: false,
            complete_bytes: 0,
            lacks_newline: false,
            torn_line: None,
        }
    }

    /// The file as it was named.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The unfinished line that was found at its end.
    pub fn torn_line(&self) -> Option<&TornLine> {
        self.torn_line.as_ref()
    }

    /// Cuts an unfinished last line off, after a copy of it is on the disk.
    fn back_up_torn_line(&self, torn: &[u8], whole: u64) -> Result<String, FileStoreError> {
        let aside = format!("{}.torn", self.name);
        let failed = |error| write_error(&aside, error);
        let mut copy = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&aside)
            .map_err(failed)?;
        let copied = copy.write_all(torn).and_then(|()| copy.write_all(b"\n"));
        copied.and_then(|()| copy.sync_all()).map_err(failed)?;
        let cut = self.file.set_len(whole).and_then(|()| self.file.sync_all());
        cut.map_err(|error| write_error(&self.name, error))?;
        Ok(aside)
    }
}

fn write_error(file: &str, error: io::Error) -> FileStoreError {
    FileStoreError::Write {
        file: file.to_owned(),
        error,
    }
}

impl CampaignStore for FileStore {
    type Error = FileStoreError;

    fn lock(&mut self) -> Result<(), FileStoreError> {
        // The system lets go of the lock when the program ends, however it ends.
        let began = Instant::now();
        loop {
            match self.file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if began.elapsed() < self.lock_timeout => {
                    thread::sleep(LOCK_RETRY_INTERVAL);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(FileStoreError::Locked(self.name.clone()));
                }
                Err(TryLockError::Error(error)) => {
                    return Err(FileStoreError::Lock {
                        file: self.name.clone(),
                        error,
                    });
                }
            }
        }
        self.locked = true;
        Ok(())
    }

    fn read(&mut self, after: u64) -> Result<Vec<LogEntry>, FileStoreError> {
        let mut entries = Vec::new();
        self.for_each_entry(after, &mut |entry| entries.push(entry))?;
        Ok(entries)
    }

    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), FileStoreError> {
        let mut bytes = Vec::new();
        let reading = self.file.rewind();
        let reading = reading.and_then(|()| self.file.read_to_end(&mut bytes));
        reading.map_err(|error| FileStoreError::Read {
            file: self.name.clone(),
            error,
        })?;
        let later = |entry: LogEntry| {
            if entry.seq > after {
                take(entry);
            }
        };
        let log = parse_log(&self.name, &bytes, later)?;
        self.complete_bytes = log.complete_bytes as u64;
        self.lacks_newline = log.lacks_newline;
        self.torn_line = torn_line(&log);
        if self.locked && log.blank_bytes > 0 {
            let cut = self.file.set_len(self.complete_bytes);
            cut.map_err(|error| write_error(&self.name, error))?;
        }
        // A campaign that was never begun is nothing to be mended.
        if self.locked && log.torn_bytes > 0 && log.events > 0 {
            let aside =
                self.back_up_torn_line(&bytes[log.complete_bytes..], self.complete_bytes)?;
            self.torn_line = torn_line(&log).map(|line| TornLine {
                backup: Some(aside),
                ..line
            });
        }
        Ok(())
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), FileStoreError> {
        let mut lines = String::new();
        if self.lacks_newline {
            lines.push('\n');
        }
        lines.extend(entries.iter().map(LogEntry::line));
        let written = self.file.write_all(lines.as_bytes());
        let written = written.and_then(|()| self.file.sync_all());
        if let Err(error) = written {
            // A half-written event is of no use to anybody; a full disk may even have room for none.
            let _ = self.file.set_len(self.complete_bytes);
            return Err(write_error(&self.name, error));
        }
        self.publish()?;
        self.complete_bytes += lines.len() as u64;
        self.lacks_newline = false;
        Ok(())
    }

    fn unlock(&mut self) -> Result<(), FileStoreError> {
        self.locked = false;
        self.file.unlock().map_err(|error| FileStoreError::Lock {
            file: self.name.clone(),
            error,
        })
    }
}

impl Drop for FileStore {
    fn drop(&mut self) {
        // A log that never began is nobody's.
        if let Some(beside) = &self.temporary_name {
            let _ = fs::remove_file(beside);
        }
    }
}

/// How long a command waits before it tries again to take the lock.
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(20);

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
