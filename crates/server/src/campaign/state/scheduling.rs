//! Scheduling of lists, that is, the choice of the pairs to ask next. Strategies that fit a model
//! are slow and are scheduled in the background; all others are scheduled synchronously.

use partita::judging::campaign::{JudgmentKind, Schedule, ScheduleSnapshot};
use tokio::sync::watch;

use super::{CampaignState, SERVER_AUTHOR};
use crate::writer::UnixMillis;

/// Maximum number of lists per campaign whose background schedules are queued or being computed. A
/// low limit keeps schedules up to date: few answers arrive between the snapshot and the end of the
/// computation.
const MAX_CONCURRENT_SCHEDULES: usize = 4;

impl CampaignState {
    /// Returns true if the strategy fits a statistical model, so that schedules are computed on the
    /// scheduler thread.
    pub(super) fn schedules_in_background(&self) -> bool {
        self.spec().settings.strategy.fits_model()
    }

    /// Returns the indices of the lists that need a new schedule, that is, a new choice of pairs to
    /// ask.
    fn lists_to_schedule(&self) -> Vec<usize> {
        if self.spec().kinds.contains(&JudgmentKind::Preference) {
            self.campaign().lists_to_schedule(&self.leases)
        } else {
            Vec::new()
        }
    }

    /// Computes and records a schedule of every list that needs one, unless schedules are computed
    /// in the background.
    pub(crate) fn schedule_now(&mut self, now: UnixMillis) {
        if self.damage.is_some() || self.schedules_in_background() {
            return;
        }
        for list in self.lists_to_schedule() {
            let scheduled = self
                .session
                .schedule_list(&now.to_stamp(SERVER_AUTHOR), list);
            scheduled.expect("the engine accepts its own questions");
        }
    }

    /// Takes snapshots of the lists to schedule next in the background, and marks these lists as
    /// being scheduled.
    pub(crate) fn take_schedule_snapshots(&mut self) -> Vec<ScheduleSnapshot> {
        if self.damage.is_some()
            || !self.schedules_in_background()
            || self.lists_being_scheduled.len() >= MAX_CONCURRENT_SCHEDULES
        {
            return Vec::new();
        }
        let mut due = self.lists_to_schedule();
        due.retain(|list| !self.lists_being_scheduled.contains(list));
        // Rotate through the lists, so that frequently due lists do not starve others.
        let after = due.partition_point(|&list| list <= self.last_scheduled_list);
        due.rotate_left(after);
        due.truncate(MAX_CONCURRENT_SCHEDULES - self.lists_being_scheduled.len());
        if let Some(&last) = due.last() {
            self.last_scheduled_list = last;
        }
        self.lists_being_scheduled.extend(&due);
        let campaign = self.session.campaign();
        due.into_iter()
            .map(|list| campaign.schedule_snapshot(list))
            .collect()
    }

    /// Computes and records due background schedules, at most [`MAX_CONCURRENT_SCHEDULES`], on the
    /// calling thread, for simulations and other uses without waiting clients.
    pub(crate) fn schedule_synchronously(&mut self, now: UnixMillis) {
        for snapshot in self.take_schedule_snapshots() {
            self.record_schedule(snapshot.compute(), now);
        }
    }

    /// Records the questions of a schedule that was computed in the background. Questions that have
    /// been answered since its snapshot are left out; nothing is recorded if the schedule is
    /// outdated.
    pub(crate) fn record_schedule(&mut self, schedule: Schedule, now: UnixMillis) {
        self.lists_being_scheduled.remove(&schedule.list());
        let recorded = self
            .session
            .record_schedule(&now.to_stamp(SERVER_AUTHOR), schedule);
        recorded.expect("the engine accepts its own questions");
        self.schedules_recorded
            .send_modify(|schedules| *schedules += 1);
    }

    /// Returns a receiver that is notified of each finished schedule, outdated or not; `None` if no
    /// list needs or awaits a background schedule.
    pub(crate) fn subscribe_to_schedules(&self) -> Option<watch::Receiver<u64>> {
        let is_pending = self.damage.is_none()
            && self.schedules_in_background()
            && (!self.lists_being_scheduled.is_empty() || !self.lists_to_schedule().is_empty());
        is_pending.then(|| self.schedules_recorded.subscribe())
    }

    /// Returns true if the campaign needs no further votes on pairs. If the strategy fits a model,
    /// this is an approximation without a fit: the result may be false although nothing more is
    /// needed.
    pub(crate) fn has_all_votes(&self) -> bool {
        match self.schedules_in_background() {
            true => !self.campaign().may_need_votes(),
            false => self.campaign().has_all_votes(),
        }
    }
}
