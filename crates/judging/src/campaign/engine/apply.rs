//! State changes caused by each event.

use std::sync::OnceLock;

use partita_core::Item;

use super::pair::PairLocation;
use crate::campaign::Campaign;
use crate::campaign::log::event::{BatchPair, Event, PreferenceAnswer};

impl Campaign {
    /// Applies an event that has passed validation.
    pub(crate) fn apply_validated(&mut self, event: &Event) {
        // Pair requests do not change any list, so the fitted lists stay valid.
        if !matches!(event, Event::Asked { .. }) {
            self.fitted_lists = OnceLock::new();
        }
        match event {
            Event::Opened { .. } => {
                unreachable!("no event opens a campaign again once it is checked")
            }
            Event::Asked { batch, pairs } => {
                let places = self.check_asked(*batch, pairs);
                self.apply_batch(*batch, pairs, places.expect("a batch that was checked"));
            }
            Event::Answered(answered) | Event::Adopted(answered) => {
                let place = self.locate(answered).expect("an answer that was checked");
                self.apply_answer(place, answered, matches!(event, Event::Adopted(_)));
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
            }
            act => {
                self.apply_action(act);
                self.update_history(act);
                if let Event::Closed { .. } | Event::Extended(_) | Event::Retracted { .. } = act {
                    self.unscheduled().extend(0..self.lists.len());
                    self.update_all_offerings();
                }
            }
        }
        self.events += 1;
    }

    pub(crate) fn assessor(&mut self, name: &str) -> Item {
        let assessor = self.assessors.intern(name);
        let assessor = assessor.expect("there is room for one more name once an event is checked");
        if assessor.index() == self.is_excluded_by_index.len() {
            self.is_excluded_by_index.push(self.excluded.contains(name));
        }
        assessor
    }

    /// Excludes or readmits an assessor. Only lists with an answer of this assessor are recounted.
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
        self.update_all_offerings();
    }

    /// Marks a list as changed, so that it is scheduled again.
    fn mark_changed(&mut self, list: usize) {
        let unscheduled = self.unscheduled.get_mut();
        let unscheduled = unscheduled.expect("nobody panics while holding it");
        unscheduled.insert(list);
        self.update_offering(list);
    }

    /// Adds a list to `lists_with_offers` if it has incomplete pairs, and removes it otherwise.
    fn update_offering(&mut self, list: usize) {
        let offers = !self.lists[list].incomplete_pairs.is_empty();
        match (self.lists_with_offers.binary_search(&list), offers) {
            (Ok(place), false) => drop(self.lists_with_offers.remove(place)),
            (Err(place), true) => self.lists_with_offers.insert(place, list),
            _ => {}
        }
    }

    /// Updates `lists_with_offers` and clears the cached missing judgments after an event that can
    /// change any list.
    fn update_all_offerings(&mut self) {
        for list in 0..self.lists.len() {
            self.lists[list].missing_judgments = OnceLock::new();
            self.update_offering(list);
        }
    }

    /// Applies a validated batch to the given pair locations.
    pub(crate) fn apply_batch(
        &mut self,
        batch: u32,
        pairs: &[BatchPair],
        places: Vec<PairLocation>,
    ) {
        for (position, (pair, (list, items))) in (1..).zip(pairs.iter().zip(places)) {
            let (context, lists) = self.context_and_lists();
            lists[list].ask(pair, items, batch, position, &context);
            self.mark_changed(list);
        }
        self.batches = batch;
        self.issued_batches += u32::from(pairs.iter().any(|pair| pair.new_votes > 0));
    }

    /// Applies a validated answer about a pair of a list.
    pub(crate) fn apply_answer(
        &mut self,
        (list, pair): PairLocation,
        answered: &PreferenceAnswer,
        adopted: bool,
    ) {
        self.fitted_lists = OnceLock::new();
        // With exact name matching this borrows the name instead of copying it. It runs for every
        // answer of a log.
        let names = self.settings.name_matching;
        let person = names.canonical_name(&answered.assessor);
        let assessor = self.assessor(&person);
        let id = answered.id.as_deref();
        self.records.answered(self.events + 1, &person, id);
        let number = self.answers;
        let (context, lists) = self.context_and_lists();
        lists[list].add_answer(pair, assessor, answered, adopted, number, &context);
        self.answers += 1;
        self.mark_changed(list);
        if !adopted {
            self.history_of(&person).answered(list);
        }
    }
}
