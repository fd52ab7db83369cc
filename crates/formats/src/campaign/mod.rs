//! DOC formats campaign

pub mod candidates;
pub mod durations;
pub mod grades;
pub mod recorded_votes;
