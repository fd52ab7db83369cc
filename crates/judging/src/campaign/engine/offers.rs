//! What can be given out, and which lists are to be planned.

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

/// A pair that was asked and lacks votes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairOffer {
    /// The query.
    pub query: String,
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// How many votes it has, those that check the list included.
    pub votes: u32,
    /// How many it lacks of those that it was asked for, whoever may have it.
    #[serde(rename = "lacks")]
    pub missing_votes: u32,
}

/// Some of the lists, by their numbers. A mark for each: every answer of a log makes one.
#[derive(Debug)]
pub(crate) struct UnscheduledLists(Vec<bool>);

impl UnscheduledLists {
    /// All of so many lists.
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

    /// Their numbers, in their order.
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
    /// The pairs of a list that were asked and lack votes, in the order of the candidates; none while
    /// the campaign is paused, or if the list is closed. What is asked stays on offer until it has its
    /// votes: a blank answer, an expired lease or an exclusion leaves it there or puts it there again.
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

    /// Whether planning a list to which something has happened may offer more, given what is with people: if
    /// some offers are free, a strategy that asks in rounds knows what it wants.
    fn wants_plan(&self, list: usize, leases: &Leases) -> bool {
        let of_list = &self.lists[list];
        let free = of_list.missing_votes.saturating_sub(leases.on_list(list)) as usize;
        let strategy = of_list.strategy(self.strategy.as_ref());
        let enough = strategy.asks_in_rounds() && free > of_list.members.len() / 2;
        of_list.closed.is_none() && !enough
    }

    /// The lists that were not planned since something happened to them.
    pub(crate) fn unplanned(&self) -> MutexGuard<'_, UnscheduledLists> {
        self.unplanned
            .lock()
            .expect("nobody panics while holding it")
    }

    /// The lists that are worth [planning](Campaign::plan) because planning may offer more: all that
    /// are open but those whose plan was found to ask nothing since the last answer about them, and
    /// those with half as many free offers as items whose strategy asks in rounds. They are numbered
    /// from 0. No list is fitted for this.
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

    /// Whether all offers of a list are with people, or there are none, and planning may offer more.
    pub fn has_run_out(&self, list: usize, leases: &Leases) -> bool {
        let free = self.lists[list].missing_votes > leases.on_list(list);
        let open = !self.is_paused() && !self.is_closed();
        open && !free && self.unplanned().contains(list) && self.wants_plan(list, leases)
    }

    /// The list that a person was asked about last.
    fn last_list(&self, person: &str) -> Option<usize> {
        self.history(&self.canonical_name(person))?.last
    }
}

/// The most lists that are planned for one person before they are told to wait.
const MAX_SCHEDULED_LISTS: usize = 4;

impl<S: CampaignStore> CampaignSession<S> {
    /// The next task for a person as [`Campaign::choose`] gives it, and whatever is to be asked for
    /// that: the list of their last answer if its offers are used up, and others if there is nothing
    /// for them at all. What is asked is in the log before anybody sees it.
    ///
    /// At most four lists are planned at a time, which a fit each takes. Begin with [`Session::ask`],
    /// which plans all.
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

    /// Asks what a list wants now, beside what is out; whether there was something.
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
