//! Interface for work in pieces: who does it, who is told how far it is, and who may stop it.
//!
//! The libraries start no thread. What can be done in pieces is handed to a [`Work`], which a front
//! implements once: the program with threads and a progress bar, a server with its own pool. The answer is the same whoever does the pieces, in whatever order.

use std::sync::{Mutex, OnceLock};

/// Whoever does the work of one request.
pub trait Work: Sync {
    /// Does the pieces 0 to `pieces` - 1, each once, and returns when all are done.
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync));

    /// `steps` steps of something begin. Stages may follow each other, and do not overlap.
    fn begin_stage(&self, what: &'static str, steps: usize) {
        let _ = (what, steps);
    }

    /// This many steps of the current stage are done.
    fn advance(&self, steps: usize) {
        let _ = steps;
    }

    /// Whether nobody wants the answer any more.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Why work was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// It was cancelled.
    #[error("the work was cancelled")]
    Cancelled,
}

impl dyn Work + '_ {
    /// What each piece gives, in order, with a step of progress for each.
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

    /// The same for work inside a stage that has begun: whoever calls it counts the steps.
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
            // A piece that is done twice gives the same twice.
            let _ = done[number].set(piece(number));
        });
        if self.is_cancelled() {
            return Err(WorkError::Cancelled);
        }
        let done = done.into_iter().map(OnceLock::into_inner);
        Ok(done
            .map(|value| value.expect("whoever does the work does every piece"))
            .collect())
    }

    /// The same with something that a piece may learn from the ones before it, such as tests that
    /// were made: there are as many of these as work at once, and they must not change the answer.
    pub fn map_with_state<S: Send, T: Send + Sync>(
        &self,
        pieces: usize,
        make: impl Fn() -> S + Sync,
        piece: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Result<Vec<T>, WorkError> {
        let idle: Mutex<Vec<S>> = Mutex::new(Vec::new());
        let idle = || idle.lock().expect("nobody panics while holding the lock");
        self.map_without_progress(pieces, |number| {
            let known = idle().pop();
            let mut known = known.unwrap_or_else(&make);
            let done = piece(&mut known, number);
            idle().push(known);
            self.advance(1);
            done
        })
    }
}

/// One piece after the other, on the thread that asks.
///
/// ```
/// use partita_core::work::{InTurn, Work};
///
/// let work: &dyn Work = &InTurn;
/// assert_eq!(work.map("squares", 5, |piece| piece * piece)?, [0, 1, 4, 9, 16]);
/// # Ok::<(), partita_core::work::Stopped>(())
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
