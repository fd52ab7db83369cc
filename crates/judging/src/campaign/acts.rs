//! What happens in a campaign beside questions and answers: gold, rankings, grades, reports, and the
//! acts of its organiser.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use partita_core::Item;

use super::event::{AnswerRecord, Checked, Event, Extended, Graded, Ranked, Reported, Said};
use super::exclusion::PairName;
use super::flag::{Flag, Refusal};
use super::list::List;
use super::pair::key;
use super::state::AnswerState;
use super::{Campaign, CampaignError};
use crate::strategy::Strategy;

/// All that is kept of events that are neither questions nor answers to them.
#[derive(Default)]
pub(super) struct Acts {
    pub(super) paused: bool,
    /// Whether the whole campaign is over.
    pub(super) closed: bool,
    /// The number of the event of each answer, by the number of the answer.
    answer_events: Vec<usize>,
    /// The answers that were taken back, by their numbers.
    pub(super) retracted: BTreeSet<usize>,
    /// The same by the numbers of events, for rankings and grades.
    retracted_events: BTreeSet<usize>,
    /// The answers to questions whose answers are known, each with its number among all answers.
    pub(super) checks: Vec<(usize, Checked)>,
    /// The rankings, each with the number of its event.
    pub(super) rankings: Vec<(usize, Ranked)>,
    /// The grades, each with the number of its event.
    pub(super) grades: Vec<(usize, Graded)>,
    pub(super) reports: Vec<Reported>,
    /// The event at which a list was closed.
    closed_lists: BTreeMap<usize, usize>,
    /// What had an id, by a hash of who said it and the id: the number of its event.
    ids: HashMap<u64, usize>,
    /// The strategies of former settings, each with the number of answers that came before it ended.
    pub(super) former: Vec<(usize, Arc<dyn Strategy>)>,
}

impl Acts {
    /// Takes note of the event of an answer that has the next number.
    pub(super) fn answered(&mut self, event: usize, person: &str, id: Option<&str>) {
        self.answer_events.push(event);
        self.identified(event, person, id);
    }

    fn identified(&mut self, event: usize, person: &str, id: Option<&str>) {
        if let Some(id) = id {
            self.ids.entry(identity(person, id)).or_insert(event);
        }
    }

    /// The number of the answer that an event is.
    fn answer_of(&self, event: usize) -> Option<usize> {
        self.answer_events.binary_search(&event).ok()
    }
}

fn identity(person: &str, id: &str) -> u64 {
    // Without keys of its own it is the same in every run.
    let mut hash = DefaultHasher::new();
    (person, id).hash(&mut hash);
    hash.finish()
}

impl Campaign {
    /// The effect of an event of this file that was checked. Its number is that of the events so far and
    /// one more.
    pub(super) fn act(&mut self, event: &Event) {
        let number = self.events + 1;
        match event {
            Event::Checked(checked) => {
                let person = self.known_as(&checked.answered.assessor);
                // Whoever only answered questions with known answers is one of the people too.
                self.assessor(&person);
                let id = checked.answered.id.as_deref();
                self.acts.answered(number, &person, id);
                self.acts.checks.push((self.answers, checked.clone()));
                self.answers += 1;
            }
            Event::Ranked(ranked) => {
                let person = self.known_as(&ranked.assessor);
                self.assessor(&person);
                self.acts.identified(number, &person, ranked.id.as_deref());
                let list = self.query(&ranked.query);
                let list = &mut self.lists[list.expect("a query that was checked")];
                list.rankings.push(self.acts.rankings.len());
                list.judged = OnceLock::new();
                self.acts.rankings.push((number, ranked.clone()));
            }
            Event::Graded(graded) => {
                let person = self.known_as(&graded.assessor);
                self.assessor(&person);
                self.acts.identified(number, &person, graded.id.as_deref());
                let list = self.query(&graded.query);
                let list = &mut self.lists[list.expect("a query that was checked")];
                list.grades.push(self.acts.grades.len());
                list.judged = OnceLock::new();
                self.acts.grades.push((number, graded.clone()));
            }
            Event::Reported(reported) => self.acts.reports.push(reported.clone()),
            Event::Paused => self.acts.paused = true,
            Event::Resumed => self.acts.paused = false,
            Event::Closed { query } => self.close(query.as_deref(), number),
            Event::Extended(extended) => self.extend(extended),
            Event::Retracted { answer, .. } => self.retract(*answer),
            Event::Opened { .. }
            | Event::Asked { .. }
            | Event::Answered(_)
            | Event::Adopted(_)
            | Event::Excluded { .. }
            | Event::Readmitted { .. } => unreachable!("they are no acts"),
        }
    }

    fn close(&mut self, query: Option<&str>, event: usize) {
        let lists = match query {
            Some(query) => {
                let list = self.query(query).expect("a query that was checked");
                list..list + 1
            }
            None => {
                self.acts.closed = true;
                0..self.lists.len()
            }
        };
        for list in lists {
            self.acts.closed_lists.entry(list).or_insert(event);
            let answers = self.answers;
            let (rules, lists) = self.rules_and_lists();
            lists[list].closed.get_or_insert(answers);
            lists[list].count_all(&rules);
        }
    }

    fn retract(&mut self, event: u64) {
        let event = usize::try_from(event).expect("an event that was checked");
        self.acts.retracted_events.insert(event);
        let Some(answer) = self.acts.answer_of(event) else {
            return;
        };
        self.acts.retracted.insert(answer);
        let (rules, lists) = self.rules_and_lists();
        for list in lists {
            let answers = &list.answers;
            let place = answers.binary_search_by_key(&answer, |kept| kept.number);
            if let Ok(place) = place {
                list.count_with(place, &rules);
            }
        }
    }

    fn extend(&mut self, extended: &Extended) {
        let settings = self.settings.extended(extended);
        let known = self.lists.len();
        for list in &extended.lists {
            if self.queries.get(&list.query).is_none() {
                let interned = self.queries.intern(&list.query);
                interned.expect("there is room for a query that was checked");
            }
        }
        if !self.own_strategy {
            let strategy = settings.strategy.make(&settings.strategy_settings());
            let former = std::mem::replace(&mut self.strategy, strategy.into());
            self.acts.former.push((self.answers, former));
        }
        for (number, candidates) in settings.lists.iter().enumerate() {
            let list = List::new(candidates, &settings, self.strategy.as_ref());
            let list = list.expect("there is room for candidates that were checked");
            match self.lists.get_mut(number).filter(|_| number < known) {
                Some(there) => there.become_longer(list),
                None => self.lists.push(list),
            }
        }
        self.settings = settings;
        let (rules, lists) = self.rules_and_lists();
        for list in lists {
            list.count_all(&rules);
        }
    }

    /// Whether the organiser lets nothing be asked for the time being.
    pub fn is_paused(&self) -> bool {
        self.acts.paused
    }

    /// Whether the whole campaign is over.
    pub fn is_closed(&self) -> bool {
        self.acts.closed
    }

    /// Whether a list is over, settled or not.
    pub fn is_list_closed(&self, list: usize) -> bool {
        self.lists[list].closed.is_some()
    }

    /// The answers to questions whose answers are known that were not taken back, in the order of the
    /// log.
    pub fn checks(&self) -> impl Iterator<Item = &Checked> {
        let checks = self.acts.checks.iter();
        let left = checks.filter(|(number, _)| !self.acts.retracted.contains(number));
        left.map(|(_, checked)| checked)
    }

    /// What could not be judged, in the order of the log.
    pub fn reports(&self) -> &[Reported] {
        &self.acts.reports
    }

    /// Whether a person could not judge an item of a query, or the query itself.
    pub fn has_reported(&self, query: &str, item: Option<&str>, assessor: &str) -> bool {
        let person = self.known_as(assessor);
        self.acts.reports.iter().any(|report| {
            report.query == query
                && report.item.as_deref() == item
                && self.known_as(&report.assessor) == person
        })
    }

    /// The rankings of a list that count: the last of each person who is not excluded, in the order of
    /// the log.
    pub fn rankings(&self, list: usize) -> Vec<&Ranked> {
        let places = self.lists[list].rankings.iter();
        let rankings = places.map(|&place| &self.acts.rankings[place]);
        let of_list =
            rankings.filter(|(event, ranked)| self.counts(list, *event, &ranked.assessor));
        let mut last: BTreeMap<_, (usize, &Ranked)> = BTreeMap::new();
        for (event, ranked) in of_list {
            last.insert(self.known_as(&ranked.assessor), (*event, ranked));
        }
        let mut last: Vec<(usize, &Ranked)> = last.into_values().collect();
        last.sort_unstable_by_key(|(event, _)| *event);
        last.into_iter().map(|(_, ranked)| ranked).collect()
    }

    /// The grades of the items of a list that count: the last of each person who is not excluded for each
    /// item, in the order of the log.
    pub fn grades(&self, list: usize) -> Vec<&Graded> {
        let places = self.lists[list].grades.iter();
        let grades = places.map(|&place| &self.acts.grades[place]);
        let of_list = grades.filter(|(event, graded)| self.counts(list, *event, &graded.assessor));
        let mut last: BTreeMap<_, (usize, &Graded)> = BTreeMap::new();
        for (event, graded) in of_list {
            let key = (self.known_as(&graded.assessor), graded.item.as_str());
            last.insert(key, (*event, graded));
        }
        let mut last: Vec<(usize, &Graded)> = last.into_values().collect();
        last.sort_unstable_by_key(|(event, _)| *event);
        last.into_iter().map(|(_, graded)| graded).collect()
    }

    /// Whether a ranking or a grade is none that was taken back, came after the end, or is of somebody
    /// excluded.
    fn counts(&self, list: usize, event: usize, assessor: &str) -> bool {
        let closed = self.acts.closed_lists.get(&list);
        !self.acts.retracted_events.contains(&event)
            && closed.is_none_or(|&closed| event < closed)
            && !self.is_excluded(assessor)
    }

    /// The number of the event that said something under an id, if the person has used it.
    pub fn event_with_id(&self, assessor: &str, id: &str) -> Option<usize> {
        let person = self.known_as(assessor);
        self.acts.ids.get(&identity(&person, id)).copied()
    }

    /// Whether what a person said under an id is this answer; nothing if they have not used the id. Ids of
    /// other places may be used again, so that an answer from there is only known by all it says.
    pub(super) fn is_under_its_id(
        &self,
        answered: &AnswerRecord,
        adopted: bool,
    ) -> Result<Option<bool>, Refusal> {
        let id = answered.id.as_deref().filter(|_| !adopted);
        let Some(id) = id else {
            return Ok(None);
        };
        let Some(event) = self.event_with_id(&answered.assessor, id) else {
            return Ok(None);
        };
        let same = self.said(event).is_some_and(|(query, a, b, answer)| {
            query == answered.query
                && (a, b) == (&answered.a, &answered.b)
                && answer == answered.answer
        });
        if !same {
            return Err(Refusal::IdReused {
                id: id.to_owned(),
                assessor: answered.assessor.clone(),
            });
        }
        Ok(Some(true))
    }

    /// How many votes a pair has, those that only check the list left out.
    pub(super) fn votes_on(&self, PairName { query, a, b }: &PairName) -> u32 {
        let Ok(list) = self.query(query) else {
            return 0;
        };
        let list = &self.lists[list];
        list.two_items(a, b).map_or(0, |(a, b)| {
            list.tally(&key(list.class(a), list.class(b))).known.len()
        })
    }

    /// Whether a pair was ever asked for its own sake.
    pub(super) fn is_asked(&self, query: &str, a: &str, b: &str) -> bool {
        let Ok(list) = self.query(query) else {
            return false;
        };
        let list = &self.lists[list];
        list.two_items(a, b)
            .is_ok_and(|(a, b)| list.target(&key(list.class(a), list.class(b))) > 0)
    }

    /// What an answer says, by the number of its event.
    fn said(&self, event: usize) -> Option<(&str, &str, &str, Said)> {
        let answer = self.acts.answer_of(event)?;
        let checks = &self.acts.checks;
        if let Ok(place) = checks.binary_search_by_key(&answer, |(number, _)| *number) {
            let given = &checks[place].1.answered;
            return Some((&given.query, &given.a, &given.b, given.answer));
        }
        self.lists.iter().find_map(|list| {
            let place = list
                .answers
                .binary_search_by_key(&answer, |kept| kept.number);
            let kept = &list.answers[place.ok()?];
            let [a, b] = [kept.a, kept.b].map(|item| list.items.name(item));
            Some((list.name.as_str(), a, b, kept.answer.into()))
        })
    }

    /// Whether an event can be taken back: an answer, a ranking or a grade that was not.
    pub(super) fn check_retraction(&self, answer: u64) -> Result<(), CampaignError> {
        let refused = Err(CampaignError::NothingToRetract(answer));
        let Ok(event) = usize::try_from(answer) else {
            return refused;
        };
        let acts = &self.acts;
        let there = acts.answer_of(event).is_some()
            || acts
                .rankings
                .binary_search_by_key(&event, |(event, _)| *event)
                .is_ok()
            || acts
                .grades
                .binary_search_by_key(&event, |(event, _)| *event)
                .is_ok();
        if !there || acts.retracted_events.contains(&event) {
            return refused;
        }
        Ok(())
    }

    /// What became of an answer to a question whose answer is known.
    pub(super) fn flag_of_check(&self, number: usize, checked: &Checked) -> Flag {
        if self.acts.retracted.contains(&number) {
            Flag::Retracted
        } else if checked.answered.answer == Said::Blank {
            Flag::Blank
        } else {
            Flag::Gold
        }
    }

    /// An answer to a question whose answer is known, beside the others.
    pub(super) fn check_state(&self, number: usize, checked: &Checked) -> AnswerState {
        let answered = &checked.answered;
        AnswerState {
            query: answered.query.clone(),
            a: answered.a.clone(),
            b: answered.b.clone(),
            assessor: self.known_as(&answered.assessor),
            answer: answered.answer,
            seconds: answered.seconds,
            time: answered.time,
            id: answered.id.clone(),
            batch: "gold".to_owned(),
            flag: self.flag_of_check(number, checked),
        }
    }

    /// The person of a name, by the number that they have.
    pub(super) fn person(&self, name: &str) -> Option<Item> {
        self.assessors.get(&self.known_as(name))
    }

    /// The name by which a person is known, however it is spelt.
    pub fn known_as(&self, name: &str) -> String {
        self.settings.names.known_as(name).into_owned()
    }
}
