//! Files that campaigns read: candidates, clip durations, grades and recorded votes.

pub mod candidates;
pub mod durations;
pub mod grades;
pub mod recorded_votes;
