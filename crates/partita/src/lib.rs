//! Ground truths from people's judgments, and retrieval systems compared with them.

mod answers;
mod log_file;
mod threads;

pub use answers::{NobodyAnswered, answers_of_log};
pub use log_file::{LogFile, LogFileError, UnfinishedLine, read_campaign};
pub use threads::Threads;
