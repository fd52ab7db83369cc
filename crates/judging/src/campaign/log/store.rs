//! Storage of a campaign log.

use super::{LogEntry, LogError, LogReader};

/// Append-only storage of a campaign log: a file, a database table, a vector.
///
/// A store keeps entries line by line ([`LogEntry::line`]). It does not interpret them: the
/// [`Campaign`](crate::campaign::Campaign) decides whether an event is valid.
pub trait CampaignStore {
    /// Error of the storage, such as an I/O or database error.
    type Error;

    /// Locks the log for this writer. Until [`CampaignStore::unlock`], or until the store is
    /// dropped, nobody else can append.
    fn lock(&mut self) -> Result<(), Self::Error>;

    /// Passes the entries with a number above `after` to a callback, in log order. Entries are passed
    /// one by one, so that the whole log need not be in memory. A line whose number or hash does not
    /// follow from the line before it is an error (see [`LogReader`]); the callback may already have
    /// received the entries above that line.
    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), Self::Error>;

    /// Returns the entries of [`CampaignStore::for_each_entry`].
    fn read(&mut self, after: u64) -> Result<Vec<LogEntry>, Self::Error> {
        let mut entries = Vec::new();
        self.for_each_entry(after, &mut |entry| entries.push(entry))?;
        Ok(entries)
    }

    /// Appends entries, all or none. Once this returns they are durable, even if the program or the
    /// machine crashes. Only called while the log is locked.
    fn append(&mut self, entries: &[LogEntry]) -> Result<(), Self::Error>;

    /// Releases the lock, so that others can append to the log.
    fn unlock(&mut self) -> Result<(), Self::Error>;

    /// Returns true if the store knows this assessor apart from the log, as a server knows everyone
    /// who entered. They can be excluded before their first answer.
    fn is_registered(&mut self, _assessor: &str) -> Result<bool, Self::Error> {
        Ok(false)
    }
}

/// Log in memory, without locking: for tests, and for logs that are stored elsewhere as a whole.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    /// Lines of the log.
    pub text: String,
}

impl CampaignStore for MemoryStore {
    type Error = LogError;

    fn lock(&mut self) -> Result<(), LogError> {
        // The store has a single owner, so nobody else can write.
        Ok(())
    }

    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), LogError> {
        // Ignore empty lines at the end.
        let whole = self.text.trim_end_matches(['\r', '\n']).len();
        if whole < self.text.len() {
            self.text.truncate(whole);
            self.text.push('\n');
        }
        let mut reader = LogReader::default();
        for line in self.text.lines() {
            let entry = reader.read_entry(line.as_bytes())?;
            if entry.seq > after {
                take(entry);
            }
        }
        Ok(())
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), LogError> {
        self.text.extend(entries.iter().map(LogEntry::line));
        Ok(())
    }

    fn unlock(&mut self) -> Result<(), LogError> {
        Ok(())
    }
}
