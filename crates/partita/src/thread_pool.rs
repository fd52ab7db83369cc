//! Work on all cores.

use std::sync::atomic::{AtomicBool, Ordering};

use partita_core::work::Work;
use rayon::prelude::*;

/// Does work on several threads, until it is cancelled.
///
/// ```
/// use partita::Threads;
/// use partita::work::Work;
///
/// let threads = Threads::new(2);
/// let work: &dyn Work = &threads;
/// assert_eq!(work.map("squares", 4, |piece| piece * piece)?, [0, 1, 4, 9]);
/// # Ok::<(), partita::work::Stopped>(())
/// ```
pub struct ThreadPool {
    pool: rayon::ThreadPool,
    cancelled: AtomicBool,
}

impl ThreadPool {
    /// This many threads; 0 for one per core.
    ///
    /// # Panics
    /// When the system gives no threads.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        Self {
            pool: pool.build().expect("the system gives threads"),
            cancelled: AtomicBool::new(false),
        }
    }

    /// Stops the work as soon as the pieces that are being done are done.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Work for ThreadPool {
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync)) {
        // Work inside work shares the pool.
        let all = || (0..pieces).into_par_iter().for_each(piece);
        self.pool.install(all);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
