//! The self-organising sort run again from its record.

use std::collections::BTreeSet;

use partita_core::{GroupedList, Item};

use crate::sort::RelationMatrix;
use crate::votes::relation::Relation;

/// A pair that was asked, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortComparison {
    /// One item.
    pub a: Item,
    /// The other.
    pub b: Item,
    /// How a relates to b.
    pub relation: Relation,
}

/// What a record of the sort leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct SortReplay {
    /// Every list that the record can have led to, without repetition. There is more than one where
    /// the last open pair of a segment can have had either item for its pivot.
    pub lists: Vec<GroupedList>,
    /// Whether the record breaks off before every segment of every list is closed.
    pub unfinished: bool,
}

/// Why a record is not one of the sort.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SortReplayError {
    /// No item of an open segment is common to the pairs asked within it, and to no others.
    #[error("in batch {} no pivot explains the pairs that were asked", batch + 1)]
    NoPivot {
        /// The batch, counted from 0.
        batch: usize,
    },
    /// A pair was asked whose items lay in different segments, or were compared before.
    #[error("in batch {} a pair was asked that no open segment needed", batch + 1)]
    UnneededPair {
        /// The batch, counted from 0.
        batch: usize,
    },
    /// There are too many ways to run it.
    #[error("the record can be read in more than {MAX_READINGS} ways")]
    Ambiguous,
}

/// Beyond this many ways to read a record it says nothing.
const MAX_READINGS: usize = 4096;

/// Segments, each with its items in ascending order, since the record does not tell theirs.
type Segments = Vec<Vec<Item>>;

/// Runs the sort of so many items again from the pairs that were asked in each batch (one iteration each), and finds
/// every list that it can have led to.
///
/// The initial order is not needed: in each iteration the pivot of an open segment is the item that
/// is common to all the pairs asked within it. A segment may also have waited in a batch.
pub fn replay_sort(
    items: usize,
    batches: &[Vec<SortComparison>],
) -> Result<SortReplay, SortReplayError> {
    let mut known = RelationMatrix::new(items);
    let whole: Segments = match items {
        0 => Vec::new(),
        _ => vec![(0..items).filter_map(Item::from_index).collect()],
    };
    let mut states: BTreeSet<Segments> = BTreeSet::from([whole]);
    for (batch, asked) in batches.iter().enumerate() {
        let before = known.clone();
        for pair in asked {
            known.set(pair.a, pair.b, pair.relation);
        }
        let mut next = BTreeSet::new();
        let mut failure = None;
        for segments in &states {
            match iteration(segments, asked, &before, &known, batch) {
                Ok(reached) => next.extend(reached),
                Err(error) => failure = Some(error),
            }
            if next.len() > MAX_READINGS {
                return Err(SortReplayError::Ambiguous);
            }
        }
        // A way that a later batch contradicts was never taken.
        states = match (next.is_empty(), failure) {
            (true, Some(error)) => return Err(error),
            _ => next,
        };
    }
    let mut segments = states.iter().flatten();
    let unfinished = segments.any(|segment| !known.is_closed(segment));
    let list = |segments: &Segments| {
        GroupedList::new(segments.iter().map(|segment| segment.iter().copied()))
            .expect("segments part the items: none is empty, none holds an item of another")
    };
    Ok(SortReplay {
        lists: states.iter().map(list).collect(),
        unfinished,
    })
}

/// Every state that one iteration can lead to.
fn iteration(
    segments: &Segments,
    asked: &[SortComparison],
    before: &RelationMatrix,
    after: &RelationMatrix,
    batch: usize,
) -> Result<Vec<Segments>, SortReplayError> {
    let mut reached: Vec<Segments> = vec![Vec::new()];
    let mut explained = 0;
    for segment in segments {
        let inside = |item: &Item| segment.binary_search(item).is_ok();
        let within = |pair: &&SortComparison| {
            let unknown = before.get(pair.a, pair.b).is_none();
            unknown && [pair.a, pair.b].iter().all(inside)
        };
        let pairs: Vec<&SortComparison> = asked.iter().filter(within).collect();
        explained += pairs.len();
        let mut ways: BTreeSet<Segments> = BTreeSet::new();
        if pairs.is_empty() {
            ways.insert(vec![segment.clone()]);
        }
        for &pivot in segment {
            // The pivot is in all pairs asked, and all that it was not compared with are asked.
            let in_all = pairs.iter().all(|pair| pair.a == pivot || pair.b == pivot);
            let open = segment
                .iter()
                .filter(|&&item| item != pivot && before.get(item, pivot).is_none());
            if !pairs.is_empty() && in_all && open.count() == pairs.len() {
                let parts = after.partition(segment, pivot).map(|mut part| {
                    part.sort_unstable();
                    part
                });
                ways.insert(parts.into_iter().filter(|part| !part.is_empty()).collect());
            }
        }
        if ways.is_empty() {
            return Err(SortReplayError::NoPivot { batch });
        }
        let longer = |state: &Segments, way: &Segments| [state.as_slice(), way].concat();
        reached = (reached.iter())
            .flat_map(|state| ways.iter().map(move |way| longer(state, way)))
            .collect();
        if reached.len() > MAX_READINGS {
            return Err(SortReplayError::Ambiguous);
        }
    }
    if explained < asked.len() {
        return Err(SortReplayError::UnneededPair { batch });
    }
    Ok(reached)
}
