//! Offers of a list, and the lists that need scheduling.

use std::sync::MutexGuard;

use schemars::JsonSchema;
use serde::Serialize;

use super::assignment::AssignmentRequest;
use super::lease::{Assignment, Leases};
use crate::campaign::Campaign;
use crate::campaign::log::Stamp;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};
use crate::campaign::spec::JudgmentKind;

/// Requested pair that lacks votes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairOffer {
    /// Query name.
    pub query: String,
    /// First item.
    pub a: String,
    /// Second item.
    pub b: String,
    /// Number of votes so far, held-out votes included.
    pub votes: u32,
    /// Number of requested votes that are missing, on lease or not.
    #[serde(rename = "lacks")]
    pub missing_votes: u32,
}

/// Set of list indices, stored as one flag per list because every answer of a log inserts one.
#[derive(Debug)]
pub(crate) struct UnscheduledLists(Vec<bool>);

impl UnscheduledLists {
    /// Creates the set of all indices below `lists`.
    pub(crate) fn all(lists: usize) -> Self {
        Self(vec![true; lists])
    }

    pub(crate) fn insert(&mut self, list: usize) {
        if list >= self.0.len() {
            self.0.resize(list + 1, false);
        }
        self.0[list] = true;
    }

    pub(crate) fn remove(&mut self, list: usize) {
        if let Some(mark) = self.0.get_mut(list) {
            *mark = false;
        }
    }

    fn contains(&self, list: usize) -> bool {
        self.0.get(list).is_some_and(|&mark| mark)
    }

    /// Returns the indices in ascending order.
    fn iter(&self) -> impl Iterator<Item = usize> {
        let marks = self.0.iter().enumerate();
        marks.filter_map(|(list, &mark)| mark.then_some(list))
    }
}

impl Extend<usize> for UnscheduledLists {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, lists: I) {
        lists.into_iter().for_each(|list| self.insert(list));
    }
}

impl Campaign {
    /// Returns the requested pairs of a list that lack votes, in candidate order. Empty while the
    /// campaign is paused or if the list is closed. A pair stays on offer until it has its votes: a
    /// blank answer or an expired lease leaves it there, and an exclusion can bring it back.
    pub fn offers(&self, list: usize) -> Vec<PairOffer> {
        let list = &self.lists[list];
        let open = list.incomplete_pairs.iter().filter(|_| !self.is_paused());
        let offer = open.map(|pair| PairOffer {
            query: list.name.clone(),
            a: list.class_name(pair.0).to_owned(),
            b: list.class_name(pair.1).to_owned(),
            votes: list.tally(pair).votes(),
            missing_votes: list.pairs[pair].missing_votes,
        });
        offer.collect()
    }

    /// Returns true if scheduling this list can add offers. False for closed lists, and for
    /// round-based strategies while more than half as many offers as items are free.
    fn wants_plan(&self, list: usize, leases: &Leases) -> bool {
        let of_list = &self.lists[list];
        let free = of_list.missing_votes.saturating_sub(leases.on_list(list)) as usize;
        let strategy = of_list.strategy(self.strategy.as_ref());
        let enough = strategy.asks_in_rounds() && free > of_list.members.len() / 2;
        of_list.closed.is_none() && !enough
    }

    /// Locks and returns the set of lists that changed since their last empty schedule.
    pub(crate) fn unplanned(&self) -> MutexGuard<'_, UnscheduledLists> {
        self.unplanned
            .lock()
            .expect("nobody panics while holding it")
    }

    /// Returns the lists, by index from 0, for which [`Campaign::next_list_batch`] can add offers.
    /// Omitted are closed lists, lists unchanged since their last empty schedule, and lists of
    /// round-based strategies with free offers for more than half their items. Fits no model.
    pub fn lists_to_schedule(&self, leases: &Leases) -> Vec<usize> {
        if self.is_paused() || self.is_closed() {
            return Vec::new();
        }
        let unplanned = self.unplanned();
        let lists = unplanned.iter();
        lists
            .filter(|&list| self.wants_plan(list, leases))
            .collect()
    }

    /// Returns true if a list has no offers that are free of leases, and scheduling can add some.
    pub fn has_run_out(&self, list: usize, leases: &Leases) -> bool {
        let free = self.lists[list].missing_votes > leases.on_list(list);
        let open = !self.is_paused() && !self.is_closed();
        open && !free && self.unplanned().contains(list) && self.wants_plan(list, leases)
    }

    /// Returns the list of the assessor's last question.
    fn last_list(&self, person: &str) -> Option<usize> {
        self.history(&self.canonical_name(person))?.last
    }
}

/// Maximum number of lists that are scheduled for one assignment.
const MAX_SCHEDULED_LISTS: usize = 4;

impl<S: CampaignStore> CampaignSession<S> {
    /// Returns the next question for an assessor as [`Campaign::choose_assignment`] does, and
    /// requests pairs as needed: for the list of the assessor's last answer if its offers are used
    /// up, and for other lists if there is no question at all. Requests are in the log before the
    /// question is returned.
    ///
    /// Schedules at most four lists per call, each of which may take a model fit. Call
    /// [`CampaignSession::ask`] once at the start to schedule all lists.
    pub fn next_assignment(
        &mut self,
        stamp: &Stamp,
        request: &AssignmentRequest,
        leases: &Leases,
    ) -> Result<Option<Assignment>, RecordError<S::Error>> {
        let last = self.campaign().last_list(&request.assessor);
        let last = last.filter(|_| request.kind == JudgmentKind::Preference);
        if let Some(list) = last.filter(|&list| self.campaign().has_run_out(list, leases)) {
            self.schedule_list(stamp, list)?;
        }
        let mut chosen = self.campaign().choose_assignment(request, leases);
        let nothing = chosen.is_none() && request.kind == JudgmentKind::Preference;
        if !nothing || self.campaign().is_excluded(&request.assessor) {
            return Ok(chosen);
        }
        let mut left = MAX_SCHEDULED_LISTS;
        for list in self.campaign().lists_to_schedule(leases) {
            if chosen.is_some() || left == 0 {
                break;
            }
            left -= 1;
            if self.schedule_list(stamp, list)? {
                chosen = self.campaign().choose_assignment(request, leases);
            }
        }
        Ok(chosen)
    }

    /// Requests the pairs that a list needs now in addition to those outstanding. Returns true if
    /// there were any.
    pub fn schedule_list(
        &mut self,
        stamp: &Stamp,
        list: usize,
    ) -> Result<bool, RecordError<S::Error>> {
        let asked = self.campaign().next_list_batch(list);
        let any = asked.is_some();
        self.record(stamp, asked.into_iter().collect())?;
        Ok(any)
    }
}
