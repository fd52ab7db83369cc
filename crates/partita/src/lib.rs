//! Ground truths from people's judgments, and retrieval systems compared with them.

mod threads;

pub use threads::Threads;
