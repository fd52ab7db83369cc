//! Requests for votes on pairs, and assignment of questions to assessors. A batch of requested
//! pairs is in the log before any of its questions is shown.

use partita_core::judgment::JudgmentKind;

use crate::campaign::engine::assignment::{Assignment, AssignmentRequest};
use crate::campaign::engine::lease::Leases;
use crate::campaign::engine::pair::QueryPair;
use crate::campaign::engine::schedule::PairRequestError;
use crate::campaign::engine::schedule_snapshot::Schedule;
use crate::campaign::log::Stamp;
use crate::campaign::log::event::Event;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};
use crate::campaign::views::open_pairs::{OpenPair, OpenPairs};

/// Maximum number of lists for which one call of [`CampaignSession::next_assignment`] computes new
/// pair requests when no question is left.
const MAX_SCHEDULED_LISTS: usize = 4;

/// Reason why votes on pairs could not be requested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AskError<E> {
    /// No further votes can be requested on the pair that the organiser named.
    #[error(transparent)]
    NotAsked(#[from] PairRequestError),
    /// The requests could not be written to the log.
    #[error(transparent)]
    NotRecorded(#[from] RecordError<E>),
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Records requests for all votes that the strategy needs now, and returns the requested pairs
    /// that are still needed and lack answers. If `extra_pair` is given, votes on this pair are
    /// requested and the pair is returned, even if the strategy does not need it. The requests are
    /// in the log before this returns.
    pub fn ask(
        &mut self,
        stamp: &Stamp,
        extra_pair: Option<&QueryPair>,
    ) -> Result<OpenPairs, AskError<S::Error>> {
        let before = self.campaign().last_batch();
        if let Some(pair) = extra_pair {
            let asked = self
                .campaign()
                .batch_for_pair(&pair.query, &pair.a, &pair.b)?;
            self.record(stamp, vec![asked])?;
        }
        while let Some(asked) = self.campaign().next_batch() {
            self.record(stamp, vec![asked])?;
        }
        let mut questions = self.campaign().open_pairs(before);
        if let Some(pair) = extra_pair {
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
    /// first requests further pairs if needed: for the list of the assessor's last question if all
    /// its requested votes have arrived or are on lease, and for other lists if no question can be
    /// assigned at all. Requests are in the log before the question is returned.
    ///
    /// Computes requests for at most four other lists per call, because the strategy may fit a
    /// model to each list. Call [`CampaignSession::ask`] once at the start to request pairs of all
    /// lists.
    pub fn next_assignment(
        &mut self,
        stamp: &Stamp,
        request: &AssignmentRequest,
        leases: &Leases,
    ) -> Result<Option<Assignment>, RecordError<S::Error>> {
        let last = self.campaign().last_list(&request.assessor);
        let last = last.filter(|_| request.kind == JudgmentKind::Preference);
        if let Some(list) = last.filter(|&list| self.campaign().has_run_out_of_offers(list, leases))
        {
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

    /// Runs the strategy on one list and records a batch of the pairs that the list needs in
    /// addition to those already requested and unanswered. Returns true if a batch was recorded.
    pub fn schedule_list(
        &mut self,
        stamp: &Stamp,
        list: usize,
    ) -> Result<bool, RecordError<S::Error>> {
        let batch = self.campaign().next_list_batch(list);
        self.record_batch(stamp, batch)
    }

    /// Records the batch of pairs that a [precomputed](crate::campaign::ScheduleSnapshot::compute)
    /// schedule requests. Returns false if there is nothing to request or the schedule is out of
    /// date (see
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

    /// Records a batch of pair requests ([`Event::Asked`]), or nothing if `batch` is `None`.
    /// Returns true if a batch was recorded.
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
