//! Progress bar of long computations.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Delay before a progress bar appears.
const BAR_DELAY: Duration = Duration::from_millis(500);

/// Progress of a computation. The bar appears after a delay, and only if standard error is a
/// terminal.
pub(crate) struct ProgressReporter {
    what: &'static str,
    steps: usize,
    done: usize,
    begun: Instant,
    bar: Option<ProgressBar>,
}

impl ProgressReporter {
    pub(crate) fn new(what: &'static str, steps: usize) -> Self {
        Self {
            what,
            steps,
            done: 0,
            begun: Instant::now(),
            bar: None,
        }
    }

    pub(crate) fn advance(&mut self, steps: usize) {
        self.done += steps;
        if self.bar.is_none() && self.begun.elapsed() >= BAR_DELAY && self.steps > 1 {
            self.bar = Some(self.bar());
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
        }
    }

    fn bar(&self) -> ProgressBar {
        let style = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} ({eta} left)");
        let style = style
            .expect("the template of the progress bar is valid")
            .progress_chars("=> ");
        let bar = ProgressBar::new(self.steps as u64).with_elapsed(self.begun.elapsed());
        bar.with_style(style).with_message(self.what)
    }
}

impl Drop for ProgressReporter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_progress_bar_is_not_shown_in_the_first_half_second() {
        let mut progress = ProgressReporter::new("scoring runs", 40);
        progress.advance(16);
        assert!(progress.bar.is_none());
        progress.begun -= BAR_DELAY;
        progress.advance(1);
        assert_eq!(progress.bar.as_ref().map(ProgressBar::position), Some(17));
    }
}
