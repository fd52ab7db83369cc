//! Campaign log in a file: reading, locking and appending.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use partita_formats::{FileKind, FormatError, Source, io_error_message};
use partita_judging::campaign::log::{self, LogEntry, LogErrorKind, LogExtent};
use partita_judging::campaign::{Campaign, CampaignError, CampaignStore, LogReplay};

/// Error of reading, locking or writing the log file of a campaign.
#[derive(Debug, thiserror::Error)]
pub enum FileStoreError {
    /// The log file cannot be read.
    #[error("{file}: cannot be read: {}", io_error_message(.error))]
    Read {
        /// File name as given.
        file: String,
        /// Error of the operating system.
        error: io::Error,
    },
    /// The file cannot be read or decompressed, or is of another kind than a log.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A line is not a log entry, or was changed after it was written, as its hash shows.
    #[error("{file}:{line}: {message}")]
    Damaged {
        /// File name as given.
        file: String,
        /// Number of the damaged line, counted from 1.
        line: usize,
        /// Description of the damage.
        message: String,
    },
    /// The specification in the first line is invalid.
    #[error("{}", message_at_each_line(.file, *.line, .message))]
    InvalidSpec {
        /// File name as given.
        file: String,
        /// Number of the line with the specification, counted from 1.
        line: usize,
        /// All errors, one per line, each with its JSON pointer into the log line.
        message: String,
    },
    /// The log was written by a newer version of the program: its version or an event is unknown.
    #[error("{file}:{line}: {message}")]
    NewerVersion {
        /// File name as given.
        file: String,
        /// Number of the line with the unknown version or event, counted from 1.
        line: usize,
        /// Description of the unknown version or event.
        message: String,
    },
    /// The first line of the log, which creates the campaign, is incomplete or missing.
    #[error("{0}: the campaign was never begun: its first line is not whole")]
    NoFirstEntry(String),
    /// A new log cannot be created because the file exists already.
    #[error("{0}: there is something of this name already")]
    AlreadyExists(String),
    /// Another process holds the lock of the log file.
    #[error("{0}: another command is writing to this campaign")]
    Locked(String),
    /// The lock of the log file cannot be taken.
    #[error("{file}: cannot be locked: {}", io_error_message(.error))]
    Lock {
        /// File name as given.
        file: String,
        /// Error of the operating system.
        error: io::Error,
    },
    /// The log file cannot be written.
    #[error("{file}: cannot be written: {}", io_error_message(.error))]
    Write {
        /// File name as given.
        file: String,
        /// Error of the operating system.
        error: io::Error,
    },
}

impl FileStoreError {
    /// Creates the error for an event in the log that the campaign cannot apply after the events
    /// before it.
    pub fn from_event(file: &str, seq: u64, error: &CampaignError) -> Self {
        let line = usize::try_from(seq).expect("as many events as lines in a file");
        let (file, message) = (file.to_owned(), error.to_string());
        match error {
            CampaignError::LoggedSpec(_) => Self::InvalidSpec {
                file,
                line,
                message,
            },
            _ => Self::Damaged {
                file,
                line,
                message,
            },
        }
    }
}

/// Puts the position in the file before each line of a message.
fn message_at_each_line(file: &str, line: usize, message: &str) -> String {
    let parts = message.lines().map(|part| format!("{file}:{line}: {part}"));
    parts.collect::<Vec<String>>().join("\n")
}

/// Incomplete last line of a log: its writer was interrupted, or is writing now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornLine {
    /// Number of the incomplete line, counted from 1.
    pub line: usize,
    /// Number of bytes of the incomplete line.
    pub bytes: usize,
}

/// Reads a campaign from its log, compressed or not, without locking the file. An incomplete last
/// line is ignored, and its position is returned.
///
/// # Errors
/// Returns [`FileStoreError`] if the log cannot be read, is empty or damaged, or was written by a
/// newer version.
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

/// Passes each entry of a log, given as its bytes, to `take`. Returns the extent of the log, which
/// shows an incomplete last line.
fn parse_log(
    file: &str,
    bytes: &[u8],
    take: impl FnMut(LogEntry),
) -> Result<LogExtent, FileStoreError> {
    log::for_each_entry(bytes, take).map_err(|error| {
        if error.line == 1
            && error.kind != LogErrorKind::InvalidSpec
            && let Some(mismatch) = FileKind::mismatch_error(FileKind::Log, file, bytes)
        {
            return FileStoreError::Format(mismatch);
        }
        let (file, line, message) = (file.to_owned(), error.line, error.message);
        match error.kind {
            LogErrorKind::NewerVersion => FileStoreError::NewerVersion {
                file,
                line,
                message,
            },
            LogErrorKind::InvalidSpec => FileStoreError::InvalidSpec {
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
    })
}

/// Returns the incomplete last line, if there is one.
fn torn_line(log: &LogExtent) -> Option<TornLine> {
    (log.torn_bytes > 0).then(|| TornLine {
        line: log.events + 1,
        bytes: log.torn_bytes,
    })
}

/// [`CampaignStore`] that keeps the log of a campaign in a file.
///
/// Appended entries are on disk when [`CampaignStore::append`] returns, all or none. A read under
/// the lock moves an incomplete last line that follows complete ones to a file with the suffix
/// `.torn`.
#[derive(Debug)]
pub struct FileStore {
    name: String,
    file: File,
    /// File in which a new log is written until its first entries are on disk.
    temporary_name: Option<String>,
    /// Maximum time to wait while another process holds the lock.
    lock_timeout: Duration,
    locked: bool,
    /// Total length in bytes of all complete lines of the log.
    complete_bytes: u64,
    /// True if the last line is a complete entry without its newline.
    lacks_newline: bool,
    torn_line: Option<TornLine>,
}

impl FileStore {
    /// Opens an existing log.
    ///
    /// # Errors
    /// Returns [`FileStoreError`] if the file cannot be opened for reading and writing.
    pub fn open(name: &str) -> Result<Self, FileStoreError> {
        let opened = OpenOptions::new().read(true).append(true).open(name);
        let file = opened.map_err(|error| {
            // The file can be read but not written.
            if File::open(name).is_ok() && !Path::new(name).is_dir() {
                return write_error(name, error);
            }
            read_error(name, error)
        })?;
        Ok(Self::from_file(name, file))
    }

    /// Creates a new log. It is written to a temporary file, which gets its final name when the
    /// first entries are on disk, so that a failure leaves no partial log behind.
    ///
    /// # Errors
    /// Returns [`FileStoreError`] if the file exists already, in which case it is not changed, or
    /// cannot be created.
    pub fn create(name: &str) -> Result<Self, FileStoreError> {
        if fs::symlink_metadata(name).is_ok() {
            return Err(FileStoreError::AlreadyExists(name.to_owned()));
        }
        let temporary = format!("{name}.{}.new", std::process::id());
        let mut options = OpenOptions::new();
        let created = options.read(true).append(true).create_new(true);
        let file = created.open(&temporary);
        let file = file.map_err(|error| write_error(name, error))?;
        let mut log = Self::from_file(name, file);
        log.temporary_name = Some(temporary);
        Ok(log)
    }

    /// Sets the maximum time to wait while another process holds the lock; the default is 0.
    #[must_use]
    pub fn with_lock_timeout(mut self, timeout: Duration) -> Self {
        self.lock_timeout = timeout;
        self
    }

    /// Gives the temporary file of a new log its final name, unless that name is taken by now.
    fn publish(&mut self) -> Result<(), FileStoreError> {
        let Some(temporary) = self.temporary_name.as_ref() else {
            return Ok(());
        };
        let placed = fs::hard_link(temporary, &self.name).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            // Some file systems do not support hard links: rename the file instead.
            _ if fs::symlink_metadata(&self.name).is_err() => fs::rename(temporary, &self.name),
            _ => Err(io::ErrorKind::AlreadyExists.into()),
        });
        placed.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => FileStoreError::AlreadyExists(self.name.clone()),
            _ => write_error(&self.name, error),
        })?;
        let _ = fs::remove_file(temporary);
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

    /// Returns the incomplete line that the last read found at the end of the file, if any.
    pub fn torn_line(&self) -> Option<&TornLine> {
        self.torn_line.as_ref()
    }

    fn lock_error(&self, error: io::Error) -> FileStoreError {
        FileStoreError::Lock {
            file: self.name.clone(),
            error,
        }
    }

    /// Copies an incomplete last line to a file with the suffix `.torn`, then truncates the log.
    fn back_up_torn_line(&self, torn: &[u8]) -> Result<(), FileStoreError> {
        let backup = format!("{}.torn", self.name);
        let failed = |error| write_error(&backup, error);
        let mut copy = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&backup)
            .map_err(failed)?;
        let copied = copy.write_all(torn).and_then(|()| copy.write_all(b"\n"));
        copied.and_then(|()| copy.sync_all()).map_err(failed)?;
        (self.file.set_len(self.complete_bytes))
            .and_then(|()| self.file.sync_all())
            .map_err(|error| write_error(&self.name, error))
    }
}

fn read_error(file: &str, error: io::Error) -> FileStoreError {
    FileStoreError::Read {
        file: file.to_owned(),
        error,
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
        // The operating system releases the lock when the process ends, however it ends.
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
                Err(TryLockError::Error(error)) => return Err(self.lock_error(error)),
            }
        }
        self.locked = true;
        Ok(())
    }

    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), FileStoreError> {
        let mut bytes = Vec::new();
        (self.file.rewind())
            .and_then(|()| self.file.read_to_end(&mut bytes))
            .map_err(|error| read_error(&self.name, error))?;
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
        // A log without any complete event is left unchanged.
        if self.locked && log.torn_bytes > 0 && log.events > 0 {
            self.back_up_torn_line(&bytes[log.complete_bytes..])?;
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
            // Remove partially written entries, for example if the disk was full.
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
        self.file.unlock().map_err(|error| self.lock_error(error))
    }
}

impl Drop for FileStore {
    fn drop(&mut self) {
        // Remove the temporary file of a log that was never published.
        if let Some(temporary) = &self.temporary_name {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Time between two attempts to take the lock.
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// Syncs the directory of a file, so that the name of a new file is on disk too. Errors are ignored
/// because some systems cannot sync directories.
fn sync_folder(file: &Path) {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder: PathBuf = folder.map_or_else(|| ".".into(), Path::to_path_buf);
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
