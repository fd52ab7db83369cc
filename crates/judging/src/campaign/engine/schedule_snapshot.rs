//! Computation of pair requests in the background: the strategy runs on a snapshot of a list on
//! another thread, and the result is dropped if another batch of the list was recorded or the
//! strategy was replaced in the meantime.

use std::sync::Arc;

use super::list::ListRecord;
use super::pair::PairKey;
use super::schedule::SchedulingMode;
use crate::campaign::Campaign;
use crate::campaign::log::event::Event;
use crate::strategy::{PairRequest, Strategy};
use crate::votes::list_votes::ListVotes;

/// Inputs from which the pair requests of one list are computed, copied at one point in time.
/// [`ScheduleSnapshot::compute`] can run on another thread while the campaign continues.
#[derive(Clone)]
pub struct ScheduleSnapshot {
    list: usize,
    /// Number of the last batch that requested a pair of the list.
    last_batch: u32,
    strategy: Arc<dyn Strategy>,
    votes: ListVotes,
    /// Requested pairs that lacked votes. A pair occurs once per missing vote, held-out votes not
    /// counted.
    outstanding_pairs: Vec<PairKey>,
    seed: u64,
}

/// Pair requests of one list, computed from a snapshot of the list.
#[derive(Clone)]
pub struct Schedule {
    snapshot: ScheduleSnapshot,
    requests: Vec<PairRequest>,
}

impl ScheduleSnapshot {
    /// Returns the index of the list, from 0.
    pub fn list(&self) -> usize {
        self.list
    }

    /// Runs the strategy on the snapshot and returns the pair requests. This fits a model if the
    /// strategy uses one.
    pub fn compute(self) -> Schedule {
        let requests = (self.strategy).requests(&self.votes, &self.outstanding_pairs, self.seed);
        Schedule {
            snapshot: self,
            requests,
        }
    }
}

impl Schedule {
    /// Returns the index of the list, from 0.
    pub fn list(&self) -> usize {
        self.snapshot.list
    }
}

impl ListRecord {
    /// Returns true if the snapshot is still up to date: it has the same votes as this list and the
    /// same `outstanding_pairs`, the requested pairs that lack votes.
    fn matches_snapshot(&self, snapshot: &ScheduleSnapshot, outstanding_pairs: &[PairKey]) -> bool {
        snapshot.outstanding_pairs == outstanding_pairs && snapshot.votes == self.votes
    }
}

impl Campaign {
    /// Copies the inputs from which the pair requests of a list are computed.
    pub fn schedule_snapshot(&self, list: usize) -> ScheduleSnapshot {
        let of_list = &self.lists[list];
        let strategy = of_list.own_strategy.as_ref().unwrap_or(&self.strategy);
        ScheduleSnapshot {
            list,
            last_batch: of_list.last_batch,
            strategy: strategy.clone(),
            votes: of_list.votes.clone(),
            outstanding_pairs: of_list.outstanding_pairs(&self.list_context()),
            seed: of_list.seed,
        }
    }

    /// Returns the batch of pair requests that a schedule contains. If the list has not changed
    /// since the snapshot, this equals [`Campaign::next_list_batch`]. If answers have arrived
    /// meanwhile, only the requests that are still unmet are included. Returns `None` if nothing is
    /// left to request, while the campaign is paused, if another batch of the list was recorded
    /// since the snapshot, or if the strategy was replaced.
    pub fn batch_from_schedule(&self, schedule: Schedule) -> Option<Event> {
        let Schedule { snapshot, requests } = schedule;
        let list = self.lists.get(snapshot.list)?;
        let strategy = list.own_strategy.as_ref().unwrap_or(&self.strategy);
        if list.last_batch != snapshot.last_batch || !Arc::ptr_eq(strategy, &snapshot.strategy) {
            return None;
        }
        if list.matches_snapshot(&snapshot, &list.outstanding_pairs(&self.list_context())) {
            list.cache_requests(requests);
            return self.next_list_batch(snapshot.list);
        }
        let context = self.list_context();
        let needs = list.votes_needed_for_requests(&requests, &context, SchedulingMode::Continuous);
        self.build_batch(needs.into_iter().map(|need| (list, need)))
    }

    /// Returns true if there may be pair questions left, without running a strategy: a list without
    /// cached pair requests counts as having questions. [`Campaign::has_all_votes`] gives the exact
    /// answer.
    pub fn may_need_votes(&self) -> bool {
        let context = self.list_context();
        let mut lists = self.lists.iter();
        lists.any(|list| {
            let open = list.closed.is_none() && context.asks_pairs;
            let wants = match list.cached_requests() {
                Some(requests) => !list
                    .votes_needed_for_requests(requests, &context, SchedulingMode::Rounds)
                    .is_empty(),
                None => true,
            };
            open && wants
        })
    }
}
