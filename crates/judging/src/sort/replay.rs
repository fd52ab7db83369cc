//! Replay of the self-organising sort from the pairs that were asked in each batch.

use std::collections::BTreeSet;

use partita_core::{GroupedList, Item};

use crate::sort::RelationMatrix;
use crate::votes::relation::Relation;

/// Compared pair of a sort, with its decided relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortComparison {
    /// First item of the pair.
    pub a: Item,
    /// Second item of the pair.
    pub b: Item,
    /// Relation of a to b.
    pub relation: Relation,
}

/// Result of replaying a recorded sort: the lists that it can have produced.
#[derive(Clone, Debug, PartialEq)]
pub struct SortReplay {
    /// All lists consistent with the recorded comparisons, without repetition. There are several if
    /// either item of a segment's last open pair can have been the pivot.
    pub lists: Vec<GroupedList>,
    /// True if the record ends before every segment of every list is closed.
    pub unfinished: bool,
}

/// Reason why the recorded comparisons cannot come from the sort, or cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SortReplayError {
    /// No item of a segment can have been its pivot: the pairs asked within the segment must be all
    /// pairs of the pivot that were not compared before, and no others.
    #[error("in batch {} no pivot explains the pairs that were asked", batch + 1)]
    NoPivot {
        /// Number of the first inconsistent batch, from 0.
        batch: usize,
    },
    /// A pair was asked whose items lay in different segments or had been compared before.
    #[error("in batch {} a pair was asked that no open segment needed", batch + 1)]
    UnneededPair {
        /// Number of the batch in which the pair was asked, from 0.
        batch: usize,
    },
    /// The record is consistent with more different runs of the sort than can be followed.
    #[error("the record can be read in more than {MAX_RUNS} ways")]
    Ambiguous,
}

/// Maximum number of different runs of the sort that a replay follows at the same time.
const MAX_RUNS: usize = 4096;

/// Division of the items into segments, each with its items in ascending order, since the record
/// does not contain their order.
type Segments = Vec<Vec<Item>>;

/// Replays the sort of `items` items from the pairs asked in each batch (one iteration each) and
/// returns all lists it can have produced.
///
/// The initial order is not needed: in each iteration the pivot of an open segment is the item
/// common to all pairs asked within it. A segment without pairs in a batch is left as it is,
/// because it may have waited.
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
            match possible_divisions(segments, asked, &before, &known, batch) {
                Ok(reached) => next.extend(reached),
                Err(error) => failure = Some(error),
            }
            if next.len() > MAX_RUNS {
                return Err(SortReplayError::Ambiguous);
            }
        }
        // Drop the runs that this batch contradicts.
        states = match (next.is_empty(), failure) {
            (true, Some(error)) => return Err(error),
            _ => next,
        };
    }
    let mut segments = states.iter().flatten();
    let unfinished = segments.any(|segment| !known.is_closed(segment));
    let list = |segments: &Segments| {
        GroupedList::new(segments.iter().map(|segment| segment.iter().copied()))
            .expect("the segments are a partition of the items")
    };
    Ok(SortReplay {
        lists: states.iter().map(list).collect(),
        unfinished,
    })
}

/// Returns all divisions into segments that one iteration of the sort can produce from `segments`,
/// given the pairs asked in it.
fn possible_divisions(
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
        let mut divisions: BTreeSet<Segments> = BTreeSet::new();
        if pairs.is_empty() {
            divisions.insert(vec![segment.clone()]);
        }
        for &pivot in segment {
            // The pivot is in all pairs asked, and every item it was not yet compared with is
            // asked.
            let in_all = pairs.iter().all(|pair| pair.a == pivot || pair.b == pivot);
            let open = segment
                .iter()
                .filter(|&&item| item != pivot && before.get(item, pivot).is_none());
            if !pairs.is_empty() && in_all && open.count() == pairs.len() {
                let parts = after.partition(segment, pivot).map(|mut part| {
                    part.sort_unstable();
                    part
                });
                divisions.insert(parts.into_iter().filter(|part| !part.is_empty()).collect());
            }
        }
        if divisions.is_empty() {
            return Err(SortReplayError::NoPivot { batch });
        }
        let longer = |state: &Segments, division: &Segments| [state.as_slice(), division].concat();
        reached = (reached.iter())
            .flat_map(|state| {
                divisions
                    .iter()
                    .map(move |division| longer(state, division))
            })
            .collect();
        if reached.len() > MAX_RUNS {
            return Err(SortReplayError::Ambiguous);
        }
    }
    if explained < asked.len() {
        return Err(SortReplayError::UnneededPair { batch });
    }
    Ok(reached)
}
