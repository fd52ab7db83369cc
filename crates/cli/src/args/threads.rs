//! Worker threads with a progress bar.

use std::sync::{Mutex, MutexGuard};

use clap::Args;
use partita::ThreadPool;
use partita::work::Work;

use crate::output::progress::ProgressReporter;

/// Number of worker threads.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ThreadArgs {
    /// Number of threads; 0 for one per core. The result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}

impl ThreadArgs {
    /// Returns the worker threads that the option requests.
    pub(crate) fn workers(self) -> ProgressThreads {
        ProgressThreads {
            threads: ThreadPool::new(self.threads),
            progress: Mutex::new(None),
        }
    }
}

/// Worker threads that report their progress.
pub(crate) struct ProgressThreads {
    threads: ThreadPool,
    progress: Mutex<Option<ProgressReporter>>,
}

impl ProgressThreads {
    /// Locks and returns the progress bar of the current stage.
    fn progress(&self) -> MutexGuard<'_, Option<ProgressReporter>> {
        let progress = self.progress.lock();
        progress.expect("nobody panics while drawing a bar")
    }
}

impl Work for ProgressThreads {
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync)) {
        self.threads.run(pieces, piece);
    }

    fn begin_stage(&self, what: &'static str, steps: usize) {
        // Clear the bar of the previous stage first.
        let mut progress = self.progress();
        *progress = None;
        *progress = Some(ProgressReporter::new(what, steps));
    }

    fn advance(&self, steps: usize) {
        if let Some(progress) = &mut *self.progress() {
            progress.advance(steps);
        }
    }
}
