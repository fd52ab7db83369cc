//! Campaigns: what counts, what is asked, and that a log is all there is to know.

mod answers;
mod exclusion;
mod log;
mod progress;
mod world;
