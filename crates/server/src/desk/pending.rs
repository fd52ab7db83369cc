//! The log of a campaign between the engine and the transaction that keeps it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};

use partita_judging::campaign::Store;
use partita_judging::campaign::log::Entry;

/// What is on its way: read from the database and not yet taken in, or recorded and not yet written.
#[derive(Default)]
struct Shelf {
    read: Vec<Entry>,
    recorded: Vec<Entry>,
}

/// The log as the engine sees it. What it appends is kept only when the transaction commits; if that
/// fails, the whole session is dropped.
#[derive(Clone, Default)]
pub(super) struct Pending(Arc<Mutex<Shelf>>);

impl Pending {
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().expect("nobody panics while holding it")
    }

    /// Puts entries there for the engine to take in.
    pub(super) fn put(&self, entries: Vec<Entry>) {
        self.shelf().read = entries;
    }

    /// Takes what the engine recorded.
    pub(super) fn take(&self) -> Vec<Entry> {
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
        self.shelf().recorded.extend_from_slice(entries);
        Ok(())
    }

    fn unlock(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
