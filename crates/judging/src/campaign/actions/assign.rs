//! Pair requests and assignment of questions in a session. Batches are recorded before their
//! questions are shown.

use crate::campaign::engine::assignment::{Assignment, AssignmentRequest};
use crate::campaign::engine::lease::Leases;
use crate::campaign::engine::pair::QueryPair;
use crate::campaign::engine::schedule::PairRequestError;
use crate::campaign::engine::schedule_snapshot::Schedule;
use crate::campaign::log::Stamp;
use crate::campaign::log::event::Event;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};
use crate::campaign::spec::JudgmentKind;
use crate::campaign::views::open_pairs::{OpenPair, OpenPairs};

/// Maximum number of lists that are scheduled for one assignment.
const MAX_SCHEDULED_LISTS: usize = 4;

/// Reason why pairs could not be requested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AskError<E> {
    /// The pair given by name cannot be requested.
    #[error(transparent)]
    NotAsked(#[from] PairRequestError),
    /// The batch could not be recorded.
    #[error(transparent)]
    NotRecorded(#[from] RecordError<E>),
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Records all batches that are due and returns the open pairs. `by_hand` names a pair to
    /// request even if the strategy does not need it. The requests are in the log before this
    /// returns.
    pub fn ask(
        &mut self,
        stamp: &Stamp,
        by_hand: Option<&QueryPair>,
    ) -> Result<OpenPairs, AskError<S::Error>> {
        let before = self.campaign().last_batch();
        if let Some(pair) = by_hand {
            let asked = self
                .campaign()
                .batch_for_pair(&pair.query, &pair.a, &pair.b)?;
            self.record(stamp, vec![asked])?;
        }
        while let Some(asked) = self.campaign().next_batch() {
            self.record(stamp, vec![asked])?;
        }
        let mut questions = self.campaign().open_pairs(before);
        if let Some(pair) = by_hand {
            let is_it = |known: &OpenPair| {
                let same = known.a == pair.a && known.b == pair.b;
                let turned = known.a == pair.b && known.b == pair.a;
                known.query == pair.query && (same || turned)
            };
            if !questions.pairs.iter().any(is_it) {
                let asked = self.campaign().open_pair_by_name(pair, before);
                questions.pairs.extend(asked);
            }
        }
        Ok(questions)
    }

    /// Returns the next question for an assessor as
    /// [`Campaign::choose_assignment`](crate::campaign::Campaign::choose_assignment) does, and
    /// first requests further pairs if needed: for the list of the assessor's last question if its
    /// offers are used up, and for other lists if no question can be assigned at all. Requests are
    /// in the log before the question is returned.
    ///
    /// Schedules at most four of these other lists per call, because each may take a model fit.
    /// Call [`CampaignSession::ask`] once at the start to schedule all lists.
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
        let lists = self.campaign().lists_to_schedule(leases);
        for list in lists.into_iter().take(MAX_SCHEDULED_LISTS) {
            if chosen.is_some() {
                break;
            }
            if self.schedule_list(stamp, list)? {
                chosen = self.campaign().choose_assignment(request, leases);
            }
        }
        Ok(chosen)
    }

    /// Requests the pairs that a list needs in addition to its outstanding pairs. Returns true if a
    /// batch was recorded.
    pub fn schedule_list(
        &mut self,
        stamp: &Stamp,
        list: usize,
    ) -> Result<bool, RecordError<S::Error>> {
        let batch = self.campaign().next_list_batch(list);
        self.record_batch(stamp, batch)
    }

    /// Records the batch that follows from a
    /// [computed](crate::campaign::ScheduleSnapshot::compute) schedule. Returns false if there is
    /// nothing to request or the schedule is out of date (see
    /// [`Campaign::batch_from_schedule`](crate::campaign::Campaign::batch_from_schedule)).
    ///
    /// # Errors
    /// Returns the errors of [`CampaignSession::record`].
    pub fn record_schedule(
        &mut self,
        stamp: &Stamp,
        schedule: Schedule,
    ) -> Result<bool, RecordError<S::Error>> {
        let batch = self.campaign().batch_from_schedule(schedule);
        self.record_batch(stamp, batch)
    }

    /// Records a batch, if there is one, and returns true if so.
    fn record_batch(
        &mut self,
        stamp: &Stamp,
        batch: Option<Event>,
    ) -> Result<bool, RecordError<S::Error>> {
        let is_some = batch.is_some();
        self.record(stamp, batch.into_iter().collect())?;
        Ok(is_some)
    }
}
