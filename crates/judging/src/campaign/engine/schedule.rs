//! Scheduling: the pairs of a list that need votes, the batches that request these votes, and the
//! requested pairs that lack votes.

use std::sync::MutexGuard;

use partita_core::Item;
use partita_stats::random::{shuffle, stream, stream_id, uniform_index};
use schemars::JsonSchema;
use serde::Serialize;

use super::lease::Leases;
use super::list::{ListContext, ListRecord};
use super::pair::{PairKey, pair_key};
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;
use crate::campaign::log::event::{BatchPair, Event};
use crate::strategy::PairRequest;
use crate::votes::relation::Relation;

/// Pair that needs votes, whether they have been requested or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededPair {
    /// First item.
    pub a: String,
    /// Second item.
    pub b: String,
    /// Number of votes that the pair needs in addition to the votes and surplus answers that it
    /// has.
    pub votes: u32,
    /// Number of needed votes that no batch has requested.
    pub unasked: u32,
}

/// Requested pair that lacks votes, so that it can be assigned to assessors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairOffer {
    /// Query name.
    pub query: String,
    /// First item.
    pub a: String,
    /// Second item.
    pub b: String,
    /// Number of votes that the pair has, held-out votes included.
    pub votes: u32,
    /// Number of requested votes that the pair lacks, whether they are on lease or not.
    #[serde(rename = "lacks")]
    pub missing_votes: u32,
}

/// Reason why votes on a pair cannot be requested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PairRequestError {
    /// The campaign has no such query or items, or both items are the same.
    #[error(transparent)]
    Refused(#[from] InputError),
    /// The two items have the same content, so they are equal without a question.
    #[error("the two have the same content, so they are equal without a question")]
    Identical,
    /// The votes decide the pair already.
    #[error("the pair is decided already ({}, by {votes} of its votes)", relation.name())]
    Decided {
        /// Decided relation of item a to item b.
        relation: Relation,
        /// Number of votes that decide the pair.
        votes: u32,
    },
    /// All votes that the pair can get have arrived or been requested. The number counts the
    /// requested answers that have not arrived.
    #[error("the pair is asked already and waits for {0} more answers")]
    AlreadyRequested(u32),
}

/// Set of the indices of lists that changed since the strategy last had nothing to request for
/// them. It stores one flag per list, so that insertion is fast: every answer of a log inserts an
/// index.
#[derive(Debug)]
pub(crate) struct UnscheduledLists(Vec<bool>);

impl UnscheduledLists {
    /// Creates the set of all list indices below `lists`.
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

    /// Returns the list indices in ascending order.
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

/// Timing of pair requests relative to the answers about earlier requests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchedulingMode {
    /// A round-based strategy requests the next round of pairs when the current one is answered.
    /// Suits question sheets, which are handed out in advance.
    Rounds,
    /// The strategy requests pairs in addition to those that are requested and unanswered, so that
    /// no assessor has to wait for another.
    Continuous,
}

/// Number of votes that a pair should have, and how many of them are missing.
pub(crate) struct PairVotesNeeded {
    /// Pair that needs the votes.
    pub(crate) pair: PairKey,
    /// Number of votes that the pair should have in total, existing votes included.
    votes: u32,
    /// Number of new answers that the pair needs to reach `votes` votes, after its surplus answers
    /// have become votes.
    pub(crate) missing: u32,
}

impl ListRecord {
    /// Returns the pairs of this list that need votes, with the numbers of votes.
    pub(crate) fn votes_needed(
        &self,
        context: &ListContext<'_>,
        mode: SchedulingMode,
    ) -> Vec<PairVotesNeeded> {
        if self.closed.is_some() || !context.asks_pairs {
            return Vec::new();
        }
        self.votes_needed_for_requests(self.requests(context), context, mode)
    }

    /// Returns the pairs of this list that need votes, given the result of
    /// [`ListRecord::requests()`].
    pub(crate) fn votes_needed_for_requests(
        &self,
        requests: &[PairRequest],
        context: &ListContext<'_>,
        mode: SchedulingMode,
    ) -> Vec<PairVotesNeeded> {
        if self.closed.is_some() || !context.asks_pairs {
            return Vec::new();
        }
        let held_alone = self.held_out.iter();
        let held_alone = held_alone.map(|&pair| (pair, context.held_out_votes));
        let mut wanted: Vec<(PairKey, u32)> = held_alone.collect();
        let in_rounds = self.strategy(context.strategy).asks_in_rounds();
        let waiting = in_rounds && !requests.is_empty() && !self.incomplete_pairs.is_empty();
        if waiting {
            // The requested pairs of the current round stay needed until they have their votes. If
            // the strategy requests nothing, the list is settled and they are not needed.
            let asked = self.incomplete_pairs.iter();
            wanted.extend(asked.map(|pair| (*pair, self.requested_votes(pair))));
        }
        if !waiting || mode == SchedulingMode::Continuous {
            wanted.extend(requests.iter().map(|request| {
                let pair = pair_key(request.a, request.b);
                (pair, request.votes + self.held_out_votes(&pair, context))
            }));
        }
        wanted.sort_unstable();
        // A pair can occur several times, for example because it is held out and the strategy
        // requests it. Keep the largest number of votes.
        wanted.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 = first.1.max(later.1);
            }
            same
        });
        let need = |(pair, votes): (PairKey, u32)| {
            let tally = self.tally(&pair);
            // Surplus answers become votes once more votes are requested, so they are not missing.
            let missing = votes.saturating_sub(tally.votes() + tally.surplus);
            let more = votes > self.requested_votes(&pair) && votes > tally.votes();
            (missing > 0 || (tally.surplus > 0 && more)).then_some(PairVotesNeeded {
                pair,
                votes,
                missing,
            })
        };
        wanted.into_iter().filter_map(need).collect()
    }
}

impl Campaign {
    /// Returns the next batch of pair requests over all lists. The order of the pairs and the item
    /// shown first are random. Returns `None` if all needed votes have been requested, or while the
    /// campaign is paused. A round-based strategy waits for the answers of one round before it
    /// requests the next.
    ///
    /// Once the batch is in the log, [apply](Campaign::apply) it. A batch in which all
    /// [`BatchPair::new_votes`] are 0 asks nobody: it only raises the requested votes so that
    /// surplus answers count. Another batch may follow it.
    pub fn next_batch(&self) -> Option<Event> {
        let context = self.list_context();
        let lists = self.lists.iter();
        self.build_batch(lists.flat_map(|list| {
            let needs = list
                .votes_needed(&context, SchedulingMode::Rounds)
                .into_iter();
            needs.map(move |need| (list, need))
        }))
    }

    /// Returns the next batch of pair requests of one list, in addition to those that are
    /// unanswered and independent of other lists. Returns `None` if all needed votes have been
    /// requested, if the list is closed, or while the campaign is paused. Apply it as described for
    /// [`Campaign::next_batch`].
    ///
    /// This can take long because the strategy may fit a model. Recording answers and choosing
    /// [assignments](Campaign::choose_assignment) do not have to wait for it. Call it between
    /// answers, when an assessor has no question, or when few requested pairs of a list [lack
    /// votes](Campaign::offers).
    pub fn next_list_batch(&self, list: usize) -> Option<Event> {
        let of_list = &self.lists[list];
        let needs = of_list
            .votes_needed(&self.list_context(), SchedulingMode::Continuous)
            .into_iter();
        let asked = self.build_batch(needs.map(|need| (of_list, need)));
        if asked.is_none() && !self.is_paused() {
            self.unscheduled().remove(list);
        }
        asked
    }

    /// Builds a batch that requests the needed votes that have not been requested yet. Returns
    /// `None` if all have been requested, or while the campaign is paused.
    pub(crate) fn build_batch<'l>(
        &self,
        needs: impl Iterator<Item = (&'l ListRecord, PairVotesNeeded)>,
    ) -> Option<Event> {
        if self.is_paused() {
            return None;
        }
        let mut found: Vec<(&ListRecord, PairVotesNeeded, u32)> = Vec::new();
        for (list, need) in needs {
            let more = need
                .missing
                .saturating_sub(list.outstanding_answers(&need.pair));
            if more > 0 || need.votes > list.requested_votes(&need.pair) {
                found.push((list, need, more));
            }
        }
        if found.is_empty() {
            return None;
        }
        let batch = self.last_batch + 1;
        let mut random = stream(
            self.spec.settings.seed,
            &[stream_id::BATCH, u64::from(batch)],
        );
        shuffle(&mut random, &mut found);
        let pairs = found.into_iter().map(|(list, need, more)| {
            let (mut a, mut b) = need.pair;
            if uniform_index(&mut random, 2) == 1 {
                (a, b) = (b, a);
            }
            batch_pair(list, (a, b), need.votes, more)
        });
        Some(Event::Asked {
            batch,
            pairs: pairs.collect(),
        })
    }

    /// Returns the pairs of a list that need votes now.
    pub fn needed_pairs(&self, list: usize) -> Vec<NeededPair> {
        let list = &self.lists[list];
        let needs = list
            .votes_needed(&self.list_context(), SchedulingMode::Rounds)
            .into_iter();
        let needed = needs.filter(|need| need.missing > 0).map(|need| {
            let [a, b] = [need.pair.0, need.pair.1].map(|class| list.class_name(class).to_owned());
            NeededPair {
                a,
                b,
                votes: need.missing,
                unasked: need
                    .missing
                    .saturating_sub(list.outstanding_answers(&need.pair)),
            }
        });
        needed.collect()
    }

    /// Returns a batch that requests votes on this one pair, even if the strategy does not need it.
    ///
    /// # Errors
    /// Returns [`PairRequestError`] if the pair is decided already or cannot be requested.
    pub fn batch_for_pair(&self, query: &str, a: &str, b: &str) -> Result<Event, PairRequestError> {
        let list = &self.lists[self.find_list(query)?];
        let context = self.list_context();
        let (a, b) = list.find_two_items(a, b)?;
        let (a, b) = (list.class(a), list.class(b));
        if a == b {
            return Err(PairRequestError::Identical);
        }
        let votes = list.votes.get(a, b);
        if let Some(relation) = list.strategy(context.strategy).decided_relation(votes) {
            return Err(PairRequestError::Decided {
                relation,
                votes: votes.len(),
            });
        }
        let pair = pair_key(a, b);
        let outstanding = list.outstanding_answers(&pair);
        let target = self.spec.settings.votes + list.held_out_votes(&pair, &context);
        match target.saturating_sub(list.tally(&pair).votes() + outstanding) {
            0 => Err(PairRequestError::AlreadyRequested(outstanding)),
            more => Ok(Event::Asked {
                batch: self.last_batch + 1,
                pairs: vec![batch_pair(list, (a, b), target, more)],
            }),
        }
    }

    /// Returns the requested pairs of a list that lack votes, in candidate order. Empty while the
    /// campaign is paused or if the list is closed. A pair is included until it has its votes: a
    /// blank answer or an expired lease does not remove it, and an exclusion can bring it back.
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

    /// Returns true if running the strategy on this list can add pairs to assign. False for closed
    /// lists, and for round-based strategies while the number of missing votes that are not on
    /// lease exceeds half the number of items.
    fn can_add_offers(&self, list: usize, leases: &Leases) -> bool {
        let of_list = &self.lists[list];
        let free = of_list
            .missing_votes
            .saturating_sub(leases.leased_votes_on_list(list)) as usize;
        let strategy = of_list.strategy(self.strategy.as_ref());
        let enough = strategy.asks_in_rounds() && free > of_list.members.len() / 2;
        of_list.closed.is_none() && !enough
    }

    /// Locks and returns the set of lists that changed since the strategy last had nothing to
    /// request for them.
    pub(crate) fn unscheduled(&self) -> MutexGuard<'_, UnscheduledLists> {
        self.unscheduled
            .lock()
            .expect("no thread panics while it holds this lock")
    }

    /// Returns the lists, by index from 0, for which [`Campaign::next_list_batch`] can add pairs to
    /// assign. Omits closed lists and lists that have not changed since the strategy last had
    /// nothing to request for them. Also omits lists of round-based strategies while their missing
    /// votes that are not on lease exceed half the number of items. Empty while the campaign is
    /// paused. Fits no model.
    pub fn lists_to_schedule(&self, leases: &Leases) -> Vec<usize> {
        if self.is_paused() || self.is_closed() {
            return Vec::new();
        }
        let unscheduled = self.unscheduled();
        let lists = unscheduled.iter();
        lists
            .filter(|&list| self.can_add_offers(list, leases))
            .collect()
    }

    /// Returns true if a list has no missing votes or all of them are on lease, and the list is one
    /// of the [`Campaign::lists_to_schedule`].
    pub fn has_run_out_of_offers(&self, list: usize, leases: &Leases) -> bool {
        let free = self.lists[list].missing_votes > leases.leased_votes_on_list(list);
        let open = !self.is_paused() && !self.is_closed();
        open && !free && self.unscheduled().contains(list) && self.can_add_offers(list, leases)
    }

    /// Returns the index of the list of the question that the assessor answered last.
    pub(crate) fn last_list(&self, person: &str) -> Option<usize> {
        self.history(&self.canonical_name(person))?.last_list
    }
}

/// Builds the entry of a batch that requests `more` new answers about a pair, so that the pair has
/// `votes` votes in total once they have arrived.
fn batch_pair(list: &ListRecord, (a, b): (Item, Item), votes: u32, more: u32) -> BatchPair {
    BatchPair {
        query: list.name.clone(),
        a: list.class_name(a).to_owned(),
        b: list.class_name(b).to_owned(),
        votes,
        new_votes: more,
    }
}
