//! The log of a campaign between the engine and the transaction that keeps it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};

use partita_judging::campaign::CampaignStore;
use partita_judging::campaign::log::{HashChain, LogEntry};

/// A line of a log as a database keeps it.
pub(crate) struct LogLine {
    pub(crate) seq: u64,
    /// Without its end.
    pub(crate) text: String,
    pub(crate) chain: HashChain,
}

impl From<&LogEntry> for LogLine {
    fn from(entry: &LogEntry) -> Self {
        let mut text = entry.line();
        text.truncate(text.trim_end().len());
        Self {
            seq: entry.seq,
            text,
            chain: entry.chain,
        }
    }
}

/// What is on its way: read from the database and not yet taken in, or recorded and not yet written.
#[derive(Default)]
struct LogBuffers {
    incoming: Vec<LogEntry>,
    outgoing: Vec<LogLine>,
}

/// The log as the engine sees it. What it appends is kept only when the transaction commits; if that
/// fails, the whole session is dropped.
#[derive(Clone, Default)]
pub(crate) struct LogBuffer(Arc<Mutex<LogBuffers>>);

impl LogBuffer {
    fn shelf(&self) -> MutexGuard<'_, LogBuffers> {
        self.0.lock().expect("nobody panics while holding it")
    }

    /// Puts entries there for the engine to take in.
    pub(crate) fn push_incoming(&self, entries: Vec<LogEntry>) {
        self.shelf().incoming = entries;
    }

    /// Takes what the engine recorded.
    pub(crate) fn drain_outgoing(&self) -> Vec<LogLine> {
        std::mem::take(&mut self.shelf().outgoing)
    }
}

impl CampaignStore for LogBuffer {
    type Error = Infallible;

    fn lock(&mut self) -> Result<(), Infallible> {
        // The transaction has locked the campaign.
        Ok(())
    }

    fn read(&mut self, _after: u64) -> Result<Vec<LogEntry>, Infallible> {
        Ok(std::mem::take(&mut self.shelf().incoming))
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), Infallible> {
        (self.shelf().outgoing).extend(entries.iter().map(LogLine::from));
        Ok(())
    }

    fn unlock(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
