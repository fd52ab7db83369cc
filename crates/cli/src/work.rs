//! Who does the work of a command: threads, with a bar that shows how far they are.

use std::sync::Mutex;

use clap::Args;
use indicatif::ProgressBar;
use partita::Threads;
use partita_core::work::Work;

use crate::progress::bar;

/// How many threads work.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct WorkArgs {
    /// How many threads work; 0 for one per core. The result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}

impl WorkArgs {
    pub(crate) fn workers(self) -> Workers {
        Workers {
            threads: Threads::new(self.threads),
            bar: Mutex::new(ProgressBar::hidden()),
        }
    }
}

/// Threads that show how far they are.
pub(crate) struct Workers {
    threads: Threads,
    bar: Mutex<ProgressBar>,
}

impl Workers {
    fn bar(&self) -> std::sync::MutexGuard<'_, ProgressBar> {
        self.bar.lock().expect("nobody panics while drawing a bar")
    }
}

impl Work for Workers {
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync)) {
        self.threads.run(pieces, piece);
    }

    fn begin(&self, what: &'static str, steps: usize) {
        let mut current = self.bar();
        current.finish_and_clear();
        *current = bar(steps, what);
    }

    fn advance(&self, steps: usize) {
        self.bar().inc(steps as u64);
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.bar().finish_and_clear();
    }
}
