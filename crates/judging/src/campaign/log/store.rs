//! Where a log is kept.

use super::{LogEntry, LogError, LogReader};
use crate::campaign::log;

/// Where the log of a campaign is kept: a file, a table of a database, a vector.
///
/// A store keeps entries as they are given to it, line by line ([`Entry::line`]); what they mean, and
/// whether they fit, is a matter of the [`Campaign`](crate::campaign::Campaign) alone.
pub trait CampaignStore {
    /// Why a store could not do what it was asked.
    type Error;

    /// Takes the log for this writer alone. Until [`Store::unlock`], or until the store is dropped,
    /// nobody else can append.
    fn lock(&mut self) -> Result<(), Self::Error>;

    /// The entries after the one with this number, in their order; with 0, all. Lines that do not
    /// follow from those before them are an error ([`Reader`] tells).
    fn read(&mut self, after: u64) -> Result<Vec<LogEntry>, Self::Error>;

    /// Hands over the entries that [`Store::read`] gives, one after the other, so that they need not be
    /// kept. With an error, those before it may have been handed over.
    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), Self::Error> {
        self.read(after)?.into_iter().for_each(take);
        Ok(())
    }

    /// Adds entries, all of them or none. Once this returns they are kept, whatever happens to the
    /// program or its machine. It is only called while the log is locked.
    fn append(&mut self, entries: &[LogEntry]) -> Result<(), Self::Error>;

    /// Lets others append.
    fn unlock(&mut self) -> Result<(), Self::Error>;
}

/// A log in memory: for trials, and for logs that are kept elsewhere as a whole.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    /// The lines.
    pub text: String,
}

impl CampaignStore for MemoryStore {
    type Error = LogError;

    fn lock(&mut self) -> Result<(), LogError> {
        // Whoever has it has it alone.
        Ok(())
    }

    fn read(&mut self, after: u64) -> Result<Vec<LogEntry>, LogError> {
        // Empty lines at the end are no lines.
        let whole = self.text.trim_end_matches(['\r', '\n']).len();
        if whole < self.text.len() {
            self.text.truncate(whole);
            self.text.push('\n');
        }
        let mut reader = LogReader::default();
        let entries = self
            .text
            .lines()
            .map(|line| reader.read_entry(line.as_bytes()));
        let entries: Result<Vec<LogEntry>, LogError> = entries.collect();
        let later = entries?.into_iter().filter(|entry| entry.seq > after);
        Ok(later.collect())
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), LogError> {
        self.text.extend(entries.iter().map(log::LogEntry::line));
        Ok(())
    }

    fn unlock(&mut self) -> Result<(), LogError> {
        Ok(())
    }
}
