//! Planning beside a campaign that goes on: what takes a model is worked out elsewhere, and what comes of it
//! is asked if it still holds.

use std::sync::Arc;

use super::list::ListRecord;
use super::pair::PairKey;
use super::schedule::SchedulingMode;
use crate::campaign::Campaign;
use crate::campaign::log::Stamp;
use crate::campaign::log::event::Event;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};
use crate::strategy::{PairRequest, Strategy};
use crate::votes::list_votes::ListVotes;

/// All that a plan of a list depends on, at one moment: it can be [worked out](PlanBasis::work) on another
/// thread while the campaign goes on.
#[derive(Clone)]
pub struct ScheduleSnapshot {
    list: usize,
    /// The last batch that asked something of the list.
    batch: u32,
    strategy: Arc<dyn Strategy>,
    votes: ListVotes,
    out: Vec<PairKey>,
    seed: u64,
}

/// What a strategy wants to know of a list as it was.
#[derive(Clone)]
pub struct Schedule {
    basis: ScheduleSnapshot,
    requests: Vec<PairRequest>,
}

impl ScheduleSnapshot {
    /// The number of the list, from 0.
    pub fn list(&self) -> usize {
        self.list
    }

    /// Asks the strategy: a fit, where it fits a model.
    pub fn compute(self) -> Schedule {
        let requests = (self.strategy).requests(&self.votes, &self.out, self.seed);
        Schedule {
            basis: self,
            requests,
        }
    }
}

impl Schedule {
    /// The number of the list, from 0.
    pub fn list(&self) -> usize {
        self.basis.list
    }
}

impl ListRecord {
    /// Whether nothing has happened that a plan depends on.
    fn is_as(&self, basis: &ScheduleSnapshot, out: &[PairKey]) -> bool {
        basis.out == out && basis.votes == self.votes
    }
}

impl Campaign {
    /// What a plan of a list depends on, as it is now.
    pub fn schedule_snapshot(&self, list: usize) -> ScheduleSnapshot {
        let of_list = &self.lists[list];
        let strategy = of_list.own_strategy.as_ref().unwrap_or(&self.strategy);
        ScheduleSnapshot {
            list,
            batch: of_list.batch,
            strategy: strategy.clone(),
            votes: of_list.votes.clone(),
            out: of_list.outstanding_pairs(&self.rules()),
            seed: of_list.seed,
        }
    }

    /// What is to be asked of a list by a plan that was worked out of what was known of it before: as
    /// [`Campaign::plan`] if nothing has happened to the list since. Where answers have come, what the plan
    /// wants is asked as far as it is still missing: it is as good as any that was made before them. Nothing
    /// comes of a plan after which the list was asked something else, or whose strategy is no more.
    pub fn batch_from_schedule(&self, worked: Schedule) -> Option<Event> {
        let Schedule { basis, requests } = worked;
        let list = self.lists.get(basis.list)?;
        let strategy = list.own_strategy.as_ref().unwrap_or(&self.strategy);
        if list.batch != basis.batch || !Arc::ptr_eq(strategy, &basis.strategy) {
            return None;
        }
        if list.is_as(&basis, &list.outstanding_pairs(&self.rules())) {
            list.cache_requests(requests);
            return self.next_list_batch(basis.list);
        }
        let rules = self.rules();
        let needs = list.needs_for_requests(&requests, &rules, SchedulingMode::Continuous);
        self.build_batch(needs.into_iter().map(|need| (list, need)))
    }

    /// Whether there may be something left to ask, without asking a strategy for it: a list that was not
    /// planned since something happened to it may go on. [`Campaign::is_settled`] tells for certain.
    pub fn may_have_questions(&self) -> bool {
        let rules = self.rules();
        let mut lists = self.lists.iter().enumerate();
        lists.any(|(number, list)| {
            let open = list.closed.is_none() && rules.asks_pairs;
            let wants = match list.cached_requests() {
                Some(requests) => !list
                    .needs_for_requests(requests, &rules, SchedulingMode::Rounds)
                    .is_empty(),
                None => true,
            };
            (open && wants) || self.has_missing_judgments(number)
        })
    }
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Asks what a plan wants that was [worked out](PlanBasis::work) beside the campaign, as far as it still
    /// holds; whether that was something.
    ///
    /// # Errors
    /// As [`Session::record`].
    pub fn record_schedule(
        &mut self,
        stamp: &Stamp,
        worked: Schedule,
    ) -> Result<bool, RecordError<S::Error>> {
        let asked = self.campaign().batch_from_schedule(worked);
        let any = asked.is_some();
        self.record(stamp, asked.into_iter().collect())?;
        Ok(any)
    }
}
