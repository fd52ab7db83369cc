//! What is asked next of each list: at once where that takes no time, and beside the writer where it takes a
//! model.

use partita_judging::campaign::{JudgmentKind, Schedule, ScheduleSnapshot};
use tokio::sync::watch;

use super::{CampaignState, SERVER_AUTHOR};
use crate::writer::UnixMillis;

/// The most plans of a campaign that are worked out at a time: what they are made of is then still fresh when
/// they are done.
const MAX_CONCURRENT_SCHEDULES: usize = 4;

impl CampaignState {
    /// Whether what is asked next takes a model, which is worked out beside the writer.
    pub(super) fn schedules_in_background(&self) -> bool {
        self.campaign().spec().strategy.fits_model()
    }

    /// The lists that are worth planning.
    fn lists_to_schedule(&self) -> Vec<usize> {
        if self.document.kinds.contains(&JudgmentKind::Preference) {
            self.campaign().lists_to_schedule(&self.leases)
        } else {
            Vec::new()
        }
    }

    /// Asks what all lists want now, where that takes no model and so no time.
    pub(crate) fn schedule_now(&mut self, now: UnixMillis) {
        if self.schedules_in_background() {
            return;
        }
        for list in self.lists_to_schedule() {
            let planned = self
                .session
                .schedule_list(&now.to_stamp(SERVER_AUTHOR), list);
            planned.expect("what the engine asks fits");
        }
    }

    /// What the plans are made of that are to be worked out beside the writer now.
    pub(crate) fn take_schedule_snapshots(&mut self) -> Vec<ScheduleSnapshot> {
        if !self.schedules_in_background()
            || self.lists_being_scheduled.len() >= MAX_CONCURRENT_SCHEDULES
        {
            return Vec::new();
        }
        let mut due = self.lists_to_schedule();
        due.retain(|list| !self.lists_being_scheduled.contains(list));
        // Every list gets its turn, however often others are due.
        let after = due.partition_point(|&list| list <= self.last_planned);
        due.rotate_left(after);
        due.truncate(MAX_CONCURRENT_SCHEDULES - self.lists_being_scheduled.len());
        if let Some(&last) = due.last() {
            self.last_planned = last;
        }
        self.lists_being_scheduled.extend(&due);
        let campaign = self.session.campaign();
        due.into_iter()
            .map(|list| campaign.schedule_snapshot(list))
            .collect()
    }

    /// Works out at once what takes a model, where nobody waits for the writer.
    pub(crate) fn schedule_synchronously(&mut self, now: UnixMillis) {
        for basis in self.take_schedule_snapshots() {
            self.record_schedule(basis.compute(), now);
        }
    }

    /// Asks what a plan wants that was worked out beside the writer, as far as it still holds.
    pub(crate) fn record_schedule(&mut self, plan: Schedule, now: UnixMillis) {
        self.lists_being_scheduled.remove(&plan.list());
        let taken = self
            .session
            .record_schedule(&now.to_stamp(SERVER_AUTHOR), plan);
        taken.expect("what the engine asks fits");
        self.schedules_recorded.send_modify(|plans| *plans += 1);
    }

    /// What changes with every plan that is taken, if plans are under way or due.
    pub(crate) fn subscribe_to_schedules(&self) -> Option<watch::Receiver<u64>> {
        let any = self.schedules_in_background()
            && (!self.lists_being_scheduled.is_empty() || !self.lists_to_schedule().is_empty());
        any.then(|| self.schedules_recorded.subscribe())
    }

    /// Whether there is nothing left to ask about pairs, as far as that is known without a fit.
    pub(crate) fn is_settled(&self) -> bool {
        match self.schedules_in_background() {
            true => !self.campaign().may_have_questions(),
            false => self.campaign().is_settled(),
        }
    }
}
