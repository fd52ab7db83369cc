//! The effect of each event.

use std::sync::OnceLock;

use partita_core::Item;

use super::Campaign;
use super::event::{AnswerRecord, AskedPair, Event};
use super::pair::Place;

impl Campaign {
    /// The effect of an event that was checked.
    pub(super) fn happen(&mut self, event: &Event) {
        // What is asked changes no list.
        if !matches!(event, Event::Asked { .. }) {
            self.fitted = OnceLock::new();
        }
        match event {
            Event::Opened { .. } => {
                unreachable!("no event opens a campaign again once it is checked")
            }
            Event::Asked { batch, pairs } => {
                let places = self.check_asked(*batch, pairs);
                self.ask_at(*batch, pairs, places.expect("a batch that was checked"));
            }
            Event::Answered(answered) | Event::Adopted(answered) => {
                let place = self.place(answered).expect("an answer that was checked");
                self.answer_at(place, answered, matches!(event, Event::Adopted(_)));
            }
            Event::Excluded { assessor, .. } => {
                let person = self.known_as(assessor);
                self.exclude(&person, true);
                self.excluded.insert(person);
            }
            Event::Readmitted { assessor } => {
                let person = self.known_as(assessor);
                self.excluded.remove(&person);
                self.exclude(&person, false);
            }
            act => {
                self.act(act);
                self.remember(act);
                if let Event::Closed { .. } | Event::Extended(_) | Event::Retracted { .. } = act {
                    self.unplanned().extend(0..self.lists.len());
                    self.look_everywhere();
                }
            }
        }
        self.events += 1;
    }

    pub(super) fn assessor(&mut self, name: &str) -> Item {
        let assessor = self.assessors.intern(name);
        let assessor = assessor.expect("there is room for one more name once an event is checked");
        if assessor.index() == self.left_out.len() {
            self.left_out.push(self.excluded.contains(name));
        }
        assessor
    }

    /// Leaves a person's votes out or takes them in. Lists without an answer of this person stay as
    /// they are.
    fn exclude(&mut self, assessor: &str, excluded: bool) {
        let Some(assessor) = self.assessors.get(assessor) else {
            return;
        };
        self.left_out[assessor.index()] = excluded;
        let (rules, lists) = self.rules_and_lists();
        let lists = lists.iter_mut().enumerate();
        let touched = lists
            .filter_map(|(number, list)| list.count_person(assessor, &rules).then_some(number));
        let touched: Vec<usize> = touched.collect();
        self.unplanned().extend(touched);
        self.look_everywhere();
    }

    /// Takes note that something has happened to a list.
    fn touch(&mut self, list: usize) {
        let unplanned = self.unplanned.get_mut();
        let unplanned = unplanned.expect("nobody panics while holding it");
        unplanned.insert(list);
        self.look_at(list);
    }

    /// Takes note whether a list has pairs that lack votes.
    fn look_at(&mut self, list: usize) {
        let offers = !self.lists[list].lacking.is_empty();
        match (self.offering.binary_search(&list), offers) {
            (Ok(place), false) => drop(self.offering.remove(place)),
            (Err(place), true) => self.offering.insert(place, list),
            _ => {}
        }
    }

    /// The same of all lists, after something that can change any of them.
    fn look_everywhere(&mut self) {
        for list in 0..self.lists.len() {
            self.lists[list].judged = OnceLock::new();
            self.look_at(list);
        }
    }

    /// The effect of a batch that was checked, whose pairs have these places.
    pub(super) fn ask_at(&mut self, batch: u32, pairs: &[AskedPair], places: Vec<Place>) {
        for (position, (pair, (list, items))) in (1..).zip(pairs.iter().zip(places)) {
            let (rules, lists) = self.rules_and_lists();
            lists[list].ask(pair, items, batch, position, &rules);
            self.touch(list);
        }
        self.batches = batch;
        self.asking += u32::from(pairs.iter().any(|pair| pair.more > 0));
    }

    /// The effect of an answer that was checked, about a pair of a list.
    pub(super) fn answer_at(
        &mut self,
        (list, pair): Place,
        answered: &AnswerRecord,
        adopted: bool,
    ) {
        self.fitted = OnceLock::new();
        // Borrowed where names are taken to the letter: this is done for every answer of a log.
        let person = self.settings.names.known_as(&answered.assessor);
        let assessor = self.assessor(&person);
        let id = answered.id.as_deref();
        self.acts.answered(self.events + 1, &person, id);
        let number = self.answers;
        let (rules, lists) = self.rules_and_lists();
        lists[list].keep(pair, assessor, answered, adopted, number, &rules);
        self.answers += 1;
        self.touch(list);
        if !adopted {
            self.history_of(&person).answered(list);
        }
    }
}
