//! Parallel execution on several cores.

use std::sync::atomic::{AtomicBool, Ordering};

use partita_core::work::Work;
use rayon::prelude::*;

/// Executor on several threads that can be cancelled.
///
/// ```
/// use partita::ThreadPool;
/// use partita::work::Work;
///
/// let threads = ThreadPool::new(2);
/// let work: &dyn Work = &threads;
/// assert_eq!(work.map("squares", 4, |piece| piece * piece)?, [0, 1, 4, 9]);
/// # Ok::<(), partita::work::WorkError>(())
/// ```
pub struct ThreadPool {
    pool: rayon::ThreadPool,
    cancelled: AtomicBool,
}

impl ThreadPool {
    /// Creates a pool of this many threads; 0 means one per core.
    ///
    /// # Panics
    /// Panics if the operating system cannot create the threads.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        Self {
            pool: pool.build().expect("the system gives threads"),
            cancelled: AtomicBool::new(false),
        }
    }

    /// Cancels the work of this pool. Pieces of work that are already running are finished.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Work for ThreadPool {
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync)) {
        // Work that is started within a piece runs in the same pool.
        let all = || (0..pieces).into_par_iter().for_each(piece);
        self.pool.install(all);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
