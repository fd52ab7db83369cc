//! Buffer for log entries between the judging engine and the database.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};

use partita::judging::campaign::CampaignStore;
use partita::judging::campaign::log::{HashChain, LogEntry};

/// Line of a campaign log as stored in the database.
pub(crate) struct LogLine {
    pub(crate) seq: u64,
    /// Text of the log line without its line terminator.
    pub(crate) text: String,
    /// Hash at the end of the log line.
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

/// Log entries read from the database and not yet applied (`incoming`), and entries recorded by the
/// engine and not yet written (`outgoing`).
#[derive(Default)]
struct LogBuffers {
    incoming: Vec<LogEntry>,
    outgoing: Vec<LogLine>,
}

/// Log storage of a campaign session of the judging engine. Appended entries become durable when
/// the transaction commits; if the commit fails, the whole session is dropped.
#[derive(Clone, Default)]
pub(crate) struct LogBuffer(Arc<Mutex<LogBuffers>>);

impl LogBuffer {
    fn buffers(&self) -> MutexGuard<'_, LogBuffers> {
        self.0
            .lock()
            .expect("no thread panics while it holds the lock")
    }

    /// Sets the log entries from the database that the engine applies next.
    pub(crate) fn set_incoming(&self, entries: Vec<LogEntry>) {
        self.buffers().incoming = entries;
    }

    /// Removes and returns the log entries that the engine recorded.
    pub(crate) fn drain_outgoing(&self) -> Vec<LogLine> {
        std::mem::take(&mut self.buffers().outgoing)
    }
}

impl CampaignStore for LogBuffer {
    type Error = Infallible;

    fn lock(&mut self) -> Result<(), Infallible> {
        // No lock is needed: the transaction has already locked the campaign.
        Ok(())
    }

    fn for_each_entry(
        &mut self,
        _after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), Infallible> {
        let incoming = std::mem::take(&mut self.buffers().incoming);
        incoming.into_iter().for_each(take);
        Ok(())
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), Infallible> {
        (self.buffers().outgoing).extend(entries.iter().map(LogLine::from));
        Ok(())
    }

    fn unlock(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn is_registered(&mut self, _assessor: &str) -> Result<bool, Infallible> {
        // Handlers find an assessor among those who entered before they name them in an action.
        Ok(true)
    }
}
