//! Ground truths from people's judgments, and retrieval systems compared with them.

mod log_file;
mod threads;

pub use log_file::{LogFile, LogFileError, UnfinishedLine, read_campaign};
pub use threads::Threads;
