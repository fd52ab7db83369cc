//! Campaigns: what counts, what is asked, and that a log is all there is to know.

mod acts;
mod adoption;
mod answers;
mod aside;
mod exclusion;
mod log;
mod next_task;
mod people;
mod plain;
mod progress;
mod protocol;
mod results;
mod schema;
mod sheets;
mod versions;
mod world;

pub(crate) use world::stamp;
