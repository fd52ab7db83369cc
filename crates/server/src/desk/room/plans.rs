//! What is asked next of each list: at once where that takes no time, and beside the writer where it takes a
//! model.

use partita_judging::campaign::{Kind, PlanBasis, WorkedPlan};
use tokio::sync::watch;

use super::{Room, SERVER};
use crate::desk::Now;

/// The most plans of a campaign that are worked out at a time: what they are made of is then still fresh when
/// they are done.
const MOST_UNDER_WAY: usize = 4;

impl Room {
    /// Whether what is asked next takes a model, which is worked out beside the writer.
    pub(super) fn plans_aside(&self) -> bool {
        self.campaign().settings().strategy.fits_a_model()
    }

    /// The lists that are worth planning.
    fn due(&self) -> Vec<usize> {
        if self.document.kinds.contains(&Kind::Preference) {
            self.campaign().due(&self.leases)
        } else {
            Vec::new()
        }
    }

    /// Asks what all lists want now, where that takes no model and so no time.
    pub(in crate::desk) fn plan_at_once(&mut self, now: Now) {
        if self.plans_aside() {
            return;
        }
        for list in self.due() {
            let planned = self.session.plan(&now.stamp(SERVER), list);
            planned.expect("what the engine asks fits");
        }
    }

    /// What the plans are made of that are to be worked out beside the writer now.
    pub(in crate::desk) fn plans_to_work_out(&mut self) -> Vec<PlanBasis> {
        if !self.plans_aside() || self.under_way.len() >= MOST_UNDER_WAY {
            return Vec::new();
        }
        let mut due = self.due();
        due.retain(|list| !self.under_way.contains(list));
        // Every list gets its turn, however often others are due.
        let after = due.partition_point(|&list| list <= self.last_planned);
        due.rotate_left(after);
        due.truncate(MOST_UNDER_WAY - self.under_way.len());
        if let Some(&last) = due.last() {
            self.last_planned = last;
        }
        self.under_way.extend(&due);
        let campaign = self.session.campaign();
        due.into_iter()
            .map(|list| campaign.plan_basis(list))
            .collect()
    }

    /// Works out at once what takes a model, where nobody waits for the writer.
    pub(crate) fn plan_here(&mut self, now: Now) {
        for basis in self.plans_to_work_out() {
            self.take_plan(basis.work(), now);
        }
    }

    /// Asks what a plan wants that was worked out beside the writer, as far as it still holds.
    pub(in crate::desk) fn take_plan(&mut self, plan: WorkedPlan, now: Now) {
        self.under_way.remove(&plan.list());
        let taken = self.session.take_plan(&now.stamp(SERVER), plan);
        taken.expect("what the engine asks fits");
        self.plans.send_modify(|plans| *plans += 1);
    }

    /// What changes with every plan that is taken, if plans are under way or due.
    pub(in crate::desk) fn plans_to_come(&self) -> Option<watch::Receiver<u64>> {
        let any = self.plans_aside() && (!self.under_way.is_empty() || !self.due().is_empty());
        any.then(|| self.plans.subscribe())
    }

    /// Whether there is nothing left to ask about pairs, as far as that is known without a fit.
    pub(crate) fn is_settled(&self) -> bool {
        match self.plans_aside() {
            true => !self.campaign().may_go_on(),
            false => self.campaign().is_settled(),
        }
    }
}
