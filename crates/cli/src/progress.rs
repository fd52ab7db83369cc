//! The progress of long work.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for this many steps of something. Where standard error is no terminal, nothing is drawn.
pub(crate) fn bar(steps: usize, what: &'static str) -> ProgressBar {
    if steps < 2 {
        return ProgressBar::hidden();
    }
    // The template is ours; if it were wrong, the plain bar would do.
    let style = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} ({eta})")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(steps as u64)
        .with_style(style.progress_chars("=> "))
        .with_message(what)
}
