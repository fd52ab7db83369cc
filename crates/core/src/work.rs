//! Interface for work that is divided into independent pieces: parallel execution, progress and
//! cancellation.
//!
//! The libraries start no threads. They pass divisible work to a [`Work`], which each front end
//! implements once: the command line with threads and a progress bar, the server with its own
//! thread pool. Results do not depend on the implementation or on the order of the pieces.

use std::sync::{Mutex, OnceLock};

/// Executor that runs the independent pieces of work of one request, possibly in parallel.
pub trait Work: Sync {
    /// Calls `piece` with each number from 0 to `pieces` - 1, and returns when all calls are done.
    /// May skip calls once the request is cancelled.
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync));

    /// Starts a stage of the progress display, named `what`, with `steps` steps. Stages follow each
    /// other and do not overlap.
    fn begin_stage(&self, what: &'static str, steps: usize) {
        let _ = (what, steps);
    }

    /// Reports to the progress display that `steps` more steps of the current stage are done.
    fn advance(&self, steps: usize) {
        let _ = steps;
    }

    /// Returns true if the request was cancelled, so that the remaining work can be skipped.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Error of work that stopped before all pieces were done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// The request was cancelled.
    #[error("the work was cancelled")]
    Cancelled,
}

impl dyn Work + '_ {
    /// Runs all pieces as a progress stage named `what` with one step per piece, and returns their
    /// results in order.
    ///
    /// # Errors
    /// Returns [`WorkError::Cancelled`] if the request was cancelled.
    pub fn map<T: Send + Sync>(
        &self,
        what: &'static str,
        pieces: usize,
        piece: impl Fn(usize) -> T + Sync,
    ) -> Result<Vec<T>, WorkError> {
        self.begin_stage(what, pieces);
        self.map_without_progress(pieces, |number| {
            let done = piece(number);
            self.advance(1);
            done
        })
    }

    /// Like `map`, but inside a progress stage that the caller has begun and advances.
    pub fn map_without_progress<T: Send + Sync>(
        &self,
        pieces: usize,
        piece: impl Fn(usize) -> T + Sync,
    ) -> Result<Vec<T>, WorkError> {
        let mut done: Vec<OnceLock<T>> = Vec::new();
        done.resize_with(pieces, OnceLock::new);
        self.run(pieces, &|number| {
            if self.is_cancelled() {
                return;
            }
            // If an implementation runs a piece twice, both results are equal, so the second is
            // ignored.
            let _ = done[number].set(piece(number));
        });
        if self.is_cancelled() {
            return Err(WorkError::Cancelled);
        }
        let done = done.into_iter().map(OnceLock::into_inner);
        Ok(done
            .map(|value| value.expect("`run` runs every piece"))
            .collect())
    }

    /// Like `map_without_progress`, but reports one progress step per piece and passes each piece a
    /// state made by `make` and reused by later pieces, such as a cache. The state must not affect
    /// the results.
    pub fn map_with_state<S: Send, T: Send + Sync>(
        &self,
        pieces: usize,
        make: impl Fn() -> S + Sync,
        piece: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Result<Vec<T>, WorkError> {
        let idle: Mutex<Vec<S>> = Mutex::new(Vec::new());
        let idle = || {
            idle.lock()
                .expect("no thread panics while holding the lock")
        };
        self.map_without_progress(pieces, |number| {
            let mut state = idle().pop().unwrap_or_else(&make);
            let done = piece(&mut state, number);
            idle().push(state);
            self.advance(1);
            done
        })
    }
}

/// Executor that runs the pieces one after the other on the calling thread.
///
/// ```
/// use partita_core::work::{SequentialWork, Work};
///
/// let work: &dyn Work = &SequentialWork;
/// assert_eq!(work.map("squares", 5, |piece| piece * piece)?, [0, 1, 4, 9, 16]);
/// # Ok::<(), partita_core::work::WorkError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SequentialWork;

impl Work for SequentialWork {
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync)) {
        for number in 0..pieces {
            if self.is_cancelled() {
                return;
            }
            piece(number);
        }
    }
}
