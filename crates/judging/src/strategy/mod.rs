//! Which pairs are asked next, and what list the votes make: one file a strategy.
//!
//! A strategy has no memory: what it asks is a function of the votes so far and of a seed. A campaign
//! can therefore stop and go on at any point, votes can be taken back, and the same log always leads
//! to the same list.

mod pooled;
mod refitted;
mod sorting;

use partita_core::{GroupedList, Item};

use crate::list_votes::ListVotes;

pub use pooled::{Choice, Pooled};
pub use refitted::Refitted;
pub use sorting::Sorting;

/// A pair that is to be asked until it has so many votes in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// One item.
    pub a: Item,
    /// The other.
    pub b: Item,
    /// The number of votes that it should have, those so far included.
    pub votes: u32,
}

/// A way to choose pairs and to make a list of the votes.
pub trait Strategy: Send + Sync {
    /// The name by which it is chosen.
    fn name(&self) -> &'static str;

    /// The pairs to ask now; none if the list is settled. `seed` is that of the list.
    fn requests(&self, votes: &ListVotes, seed: u64) -> Vec<Request>;

    /// The list that the votes so far make.
    fn list(&self, votes: &ListVotes, seed: u64) -> GroupedList;

    /// Whether the order inside the groups of its lists means something.
    fn orders_inside_groups(&self) -> bool {
        false
    }
}
