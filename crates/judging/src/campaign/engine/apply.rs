//! Application of events: how each kind of event changes the state of a campaign.

use std::sync::OnceLock;

use partita_core::Item;
use partita_core::judgment::Answer;

use super::pair::PairLocation;
use crate::campaign::Campaign;
use crate::campaign::kinds::protocol;
use crate::campaign::log::event::{BatchPair, Event};

impl Campaign {
    /// Applies an event that has passed validation.
    pub(crate) fn apply_validated(&mut self, event: &Event) {
        // `apply_batch` keeps the fitted lists unless the requests turn surplus answers into votes.
        if !matches!(event, Event::Asked { .. }) {
            self.fitted_lists = OnceLock::new();
        }
        match event {
            Event::Opened { .. } => {
                unreachable!("validation rejects a second opening event")
            }
            Event::Asked { batch, pairs } => {
                let locations = self.check_batch(*batch, pairs);
                self.apply_batch(*batch, pairs, locations.expect("the batch was validated"));
            }
            Event::Answered { answer, role } => {
                protocol(answer.question.kind).apply(self, answer, *role);
            }
            Event::Excluded { assessor, .. } => {
                let person = self.canonical_name(assessor);
                self.exclude(&person, true);
                self.excluded.insert(person);
            }
            Event::Readmitted { assessor } => {
                let person = self.canonical_name(assessor);
                self.excluded.remove(&person);
                self.exclude(&person, false);
                self.forget_reports_in_a_row(&person);
            }
            other => {
                self.apply_other_event(other);
                if let Event::Closed { .. } | Event::Extended(_) | Event::Retracted { .. } = other {
                    self.unscheduled().extend(0..self.lists.len());
                    self.update_lists_with_offers();
                }
            }
        }
        self.events += 1;
    }

    /// Returns the index of the assessor with this canonical name; adds the assessor if new.
    pub(crate) fn intern_assessor(&mut self, name: &str) -> Item {
        let assessor = self.assessors.intern(name);
        let assessor = assessor.expect("validation limits the number of assessors");
        if assessor.index() == self.is_excluded_by_index.len() {
            self.is_excluded_by_index.push(self.excluded.contains(name));
        }
        assessor
    }

    /// Excludes (`excluded` true) or readmits (false) an assessor. Recounts the votes on the pairs
    /// that this assessor has answered.
    fn exclude(&mut self, assessor: &str, excluded: bool) {
        let Some(assessor) = self.assessors.get(assessor) else {
            return;
        };
        self.is_excluded_by_index[assessor.index()] = excluded;
        let (context, lists) = self.context_and_lists();
        let touched: Vec<usize> = (lists.iter_mut().enumerate())
            .filter_map(|(number, list)| {
                list.recount_assessor(assessor, &context).then_some(number)
            })
            .collect();
        self.unscheduled().extend(touched);
        self.update_lists_with_offers();
    }

    /// Marks a list as changed, so that the pairs to request are computed again.
    fn mark_changed(&mut self, list: usize) {
        let unscheduled = self.unscheduled.get_mut();
        let unscheduled = unscheduled.expect("no thread panics while it holds this lock");
        unscheduled.insert(list);
        self.update_list_with_offers(list);
    }

    /// Adds a list to `lists_with_offers` if it has requested pairs that lack votes, and removes it
    /// otherwise.
    fn update_list_with_offers(&mut self, list: usize) {
        let offers = !self.lists[list].incomplete_pairs.is_empty();
        match (self.lists_with_offers.binary_search(&list), offers) {
            (Ok(place), false) => drop(self.lists_with_offers.remove(place)),
            (Err(place), true) => self.lists_with_offers.insert(place, list),
            _ => {}
        }
    }

    /// Updates `lists_with_offers` for all lists, after an event that can change any of them. Also
    /// clears the lists' caches of missing rankings and grades.
    fn update_lists_with_offers(&mut self) {
        for list in 0..self.lists.len() {
            self.lists[list].missing_judgments = OnceLock::new();
            self.update_list_with_offers(list);
        }
    }

    /// Applies a validated batch of pair requests. `locations` are the list and the items of each
    /// pair of the batch.
    pub(crate) fn apply_batch(
        &mut self,
        batch: u32,
        pairs: &[BatchPair],
        locations: Vec<PairLocation>,
    ) {
        for (position, (pair, (list, items))) in (1..).zip(pairs.iter().zip(locations)) {
            let (context, lists) = self.context_and_lists();
            if lists[list].record_request(pair, items, batch, position, &context) {
                self.fitted_lists = OnceLock::new();
            }
            self.mark_changed(list);
        }
        self.last_batch = batch;
        self.issued_batches += u32::from(pairs.iter().any(|pair| pair.new_votes > 0));
    }

    /// Applies a validated preference answer. `adopted` is true if the answer was imported.
    pub(crate) fn apply_answer(
        &mut self,
        (list, pair): PairLocation,
        answered: &Answer,
        adopted: bool,
    ) {
        self.fitted_lists = OnceLock::new();
        // `canonical_name` borrows the name under exact name matching. Avoiding the copy matters
        // because this runs for every answer of a log.
        let names = self.spec.settings.name_matching;
        let person = names.canonical_name(&answered.assessor);
        let assessor = self.intern_assessor(&person);
        let id = answered.id.as_deref();
        self.records.record_answer(self.events + 1, &person, id);
        let number = self.answers;
        let (context, lists) = self.context_and_lists();
        lists[list].add_answer(pair, assessor, answered, adopted, number, &context);
        self.answers += 1;
        self.mark_changed(list);
        if !adopted {
            self.history_mut(&person).record_pair_answer(list);
        }
    }
}
