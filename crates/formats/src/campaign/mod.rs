//! Files that campaigns read: candidates, clip durations, grades, people to invite and recorded votes.

pub mod candidates;
pub mod durations;
pub mod grades;
pub mod invited_people;
pub mod recorded_votes;
