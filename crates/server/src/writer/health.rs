//! Health of the writer: whether its last transaction was saved.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time after which a transaction that waits for the database counts as failed.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Result of the last transaction, and the start of a wait for the database.
#[derive(Default)]
pub(crate) struct WriteHealth(Mutex<WriteState>);

/// Content of [`WriteHealth`].
#[derive(Default)]
struct WriteState {
    /// Reason why the last transaction failed; `None` if it was saved, or if there was none.
    failure: Option<String>,
    /// Time since which the writer has been waiting for the database to begin or commit a
    /// transaction; `None` if it is not waiting.
    waiting_since: Option<Instant>,
}

/// Wait of the writer for the database. It ends when this value is dropped.
pub(super) struct DatabaseWait<'a>(&'a WriteHealth);

impl Drop for DatabaseWait<'_> {
    fn drop(&mut self) {
        self.0.state().waiting_since = None;
    }
}

impl WriteHealth {
    fn state(&self) -> MutexGuard<'_, WriteState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the start of a wait for the database.
    pub(super) fn start_waiting(&self) -> DatabaseWait<'_> {
        self.state().waiting_since = Some(Instant::now());
        DatabaseWait(self)
    }

    /// Records that a transaction was saved.
    pub(super) fn record_success(&self) {
        self.state().failure = None;
    }

    /// Records that the database could not save a transaction.
    pub(super) fn record_failure(&self, reason: impl Display) {
        self.state().failure = Some(reason.to_string());
    }

    /// Returns the reason why nothing can be saved; `None` if the last transaction was saved.
    pub(crate) fn failure(&self) -> Option<String> {
        let state = self.state();
        let waits = (state.waiting_since).is_some_and(|since| since.elapsed() > MAX_WAIT);
        match &state.failure {
            Some(reason) => Some(format!("the last transaction failed: {reason}")),
            None if waits => Some("a transaction waits for the database".to_owned()),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_b6_a_failure_lasts_until_a_transaction_is_saved() {
        let health = WriteHealth::default();
        assert_eq!(health.failure(), None);
        health.record_failure("disk full");
        drop(health.start_waiting());
        let reason = health.failure();
        assert_eq!(
            reason.as_deref(),
            Some("the last transaction failed: disk full")
        );
        health.record_success();
        assert_eq!(health.failure(), None);
    }

    #[test]
    fn server_b6_a_transaction_that_waits_long_counts_as_failed() {
        let health = WriteHealth::default();
        let waiting = health.start_waiting();
        assert_eq!(health.failure(), None);
        health.state().waiting_since = Instant::now().checked_sub(MAX_WAIT * 2);
        assert!(health.failure().is_some());
        drop(waiting);
        assert_eq!(health.failure(), None);
    }
}
