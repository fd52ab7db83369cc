//! Planning beside a campaign that goes on: what takes a model is worked out elsewhere, and what comes of it
//! is asked if it still holds.

use std::sync::Arc;

use super::Campaign;
use super::event::Event;
use super::list::List;
use super::log::Stamp;
use super::pair::PairKey;
use super::plan::Pace;
use super::session::{NotRecorded, Session};
use super::store::Store;
use crate::list_votes::ListVotes;
use crate::strategy::{Request, Strategy};

/// All that a plan of a list depends on, at one moment: it can be [worked out](PlanBasis::work) on another
/// thread while the campaign goes on.
#[derive(Clone)]
pub struct PlanBasis {
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
pub struct WorkedPlan {
    basis: PlanBasis,
    requests: Vec<Request>,
}

impl PlanBasis {
    /// The number of the list, from 0.
    pub fn list(&self) -> usize {
        self.list
    }

    /// Asks the strategy: a fit, where it fits a model.
    pub fn work(self) -> WorkedPlan {
        let requests = (self.strategy).requests(&self.votes, &self.out, self.seed);
        WorkedPlan {
            basis: self,
            requests,
        }
    }
}

impl WorkedPlan {
    /// The number of the list, from 0.
    pub fn list(&self) -> usize {
        self.basis.list
    }
}

impl List {
    /// Whether nothing has happened that a plan depends on.
    fn is_as(&self, basis: &PlanBasis, out: &[PairKey]) -> bool {
        basis.out == out && basis.votes == self.votes
    }
}

impl Campaign {
    /// What a plan of a list depends on, as it is now.
    pub fn plan_basis(&self, list: usize) -> PlanBasis {
        let of_list = &self.lists[list];
        let strategy = of_list.own_strategy.as_ref().unwrap_or(&self.strategy);
        PlanBasis {
            list,
            batch: of_list.batch,
            strategy: strategy.clone(),
            votes: of_list.votes.clone(),
            out: of_list.out(&self.rules()),
            seed: of_list.seed,
        }
    }

    /// What is to be asked of a list by a plan that was worked out of what was known of it before: as
    /// [`Campaign::plan`] if nothing has happened to the list since. Where answers have come, what the plan
    /// wants is asked as far as it is still missing: it is as good as any that was made before them. Nothing
    /// comes of a plan after which the list was asked something else, or whose strategy is no more.
    pub fn plan_worked_out(&self, worked: WorkedPlan) -> Option<Event> {
        let WorkedPlan { basis, requests } = worked;
        let list = self.lists.get(basis.list)?;
        let strategy = list.own_strategy.as_ref().unwrap_or(&self.strategy);
        if list.batch != basis.batch || !Arc::ptr_eq(strategy, &basis.strategy) {
            return None;
        }
        if list.is_as(&basis, &list.out(&self.rules())) {
            list.knows_requests(requests);
            return self.plan(basis.list);
        }
        let rules = self.rules();
        let needs = list.needs_of(&requests, &rules, Pace::Steady);
        self.batch_of(needs.into_iter().map(|need| (list, need)))
    }

    /// Whether there may be something left to ask, without asking a strategy for it: a list that was not
    /// planned since something happened to it may go on. [`Campaign::is_settled`] tells for certain.
    pub fn may_go_on(&self) -> bool {
        let rules = self.rules();
        let mut lists = self.lists.iter().enumerate();
        lists.any(|(number, list)| {
            let open = list.closed.is_none() && rules.asks_pairs;
            let wants = match list.known_requests() {
                Some(requests) => !list.needs_of(requests, &rules, Pace::Rounds).is_empty(),
                None => true,
            };
            (open && wants) || self.lacks_judgments(number)
        })
    }
}

impl<S: Store> Session<S> {
    /// Asks what a plan wants that was [worked out](PlanBasis::work) beside the campaign, as far as it still
    /// holds; whether that was something.
    ///
    /// # Errors
    /// As [`Session::record`].
    pub fn take_plan(
        &mut self,
        stamp: &Stamp,
        worked: WorkedPlan,
    ) -> Result<bool, NotRecorded<S::Error>> {
        let asked = self.campaign().plan_worked_out(worked);
        let any = asked.is_some();
        self.record(stamp, asked.into_iter().collect())?;
        Ok(any)
    }
}
