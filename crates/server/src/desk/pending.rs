//! The log of a campaign between the engine and the transaction that keeps it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};

use partita_judging::campaign::Store;
use partita_judging::campaign::log::{Chain, Entry};

/// A line of a log as a database keeps it.
pub(crate) struct Line {
    pub(super) seq: u64,
    /// Without its end.
    pub(super) text: String,
    pub(super) chain: Chain,
}

impl From<&Entry> for Line {
    fn from(entry: &Entry) -> Self {
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
struct Shelf {
    read: Vec<Entry>,
    recorded: Vec<Line>,
}

/// The log as the engine sees it. What it appends is kept only when the transaction commits; if that
/// fails, the whole session is dropped.
#[derive(Clone, Default)]
pub(crate) struct Pending(Arc<Mutex<Shelf>>);

impl Pending {
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().expect("nobody panics while holding it")
    }

    /// Puts entries there for the engine to take in.
    pub(super) fn put(&self, entries: Vec<Entry>) {
        self.shelf().read = entries;
    }

    /// Takes what the engine recorded.
    pub(crate) fn take(&self) -> Vec<Line> {
        std::mem::take(&mut self.shelf().recorded)
    }
}

impl Store for Pending {
    type Error = Infallible;

    fn lock(&mut self) -> Result<(), Infallible> {
        // The transaction has locked the campaign.
        Ok(())
    }

    fn read(&mut self, _after: u64) -> Result<Vec<Entry>, Infallible> {
        Ok(std::mem::take(&mut self.shelf().read))
    }

    fn append(&mut self, entries: &[Entry]) -> Result<(), Infallible> {
        (self.shelf().recorded).extend(entries.iter().map(Line::from));
        Ok(())
    }

    fn unlock(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
