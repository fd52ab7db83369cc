//! What happens in a campaign beside questions and answers: gold, rankings, grades, reports, and the
//! acts of its organiser.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use partita_core::Item;

use super::answer_status::{AnswerStatus, InputError};
use super::list::ListRecord;
use super::pair::pair_key;
use crate::campaign::actions::exclusion::QueryPair;
use crate::campaign::log::event::{
    CampaignExtension, DefectReport, Event, GoldAnswer, GradeAnswer, PreferenceAnswer,
    PreferenceChoice, RankingAnswer,
};
use crate::campaign::views::snapshot::AnswerWithStatus;
use crate::campaign::{Campaign, CampaignError};
use crate::strategy::Strategy;

/// All that is kept of events that are neither questions nor answers to them.
#[derive(Default)]
pub(crate) struct CampaignRecords {
    pub(crate) paused: bool,
    /// Whether the whole campaign is over.
    pub(crate) closed: bool,
    /// The number of the event of each answer, by the number of the answer.
    answer_events: Vec<usize>,
    /// The answers that were taken back, by their numbers.
    pub(crate) retracted: BTreeSet<usize>,
    /// The same by the numbers of events, for rankings and grades.
    retracted_events: BTreeSet<usize>,
    /// The answers to questions whose answers are known, each with its number among all answers.
    pub(crate) checks: Vec<(usize, GoldAnswer)>,
    /// The rankings, each with the number of its event.
    pub(crate) rankings: Vec<(usize, RankingAnswer)>,
    /// The grades, each with the number of its event.
    pub(crate) grades: Vec<(usize, GradeAnswer)>,
    pub(crate) reports: Vec<DefectReport>,
    /// The event at which a list was closed.
    closed_lists: BTreeMap<usize, usize>,
    /// What had an id, by a hash of who said it and the id: the number of its event.
    events_by_answer_id: HashMap<u64, usize>,
    /// The strategies of former settings, each with the number of answers that came before it ended.
    pub(crate) former_strategies: Vec<(usize, Arc<dyn Strategy>)>,
}

impl CampaignRecords {
    /// Takes note of the event of an answer that has the next number.
    pub(crate) fn answered(&mut self, event: usize, person: &str, id: Option<&str>) {
        self.answer_events.push(event);
        self.identified(event, person, id);
    }

    fn identified(&mut self, event: usize, person: &str, id: Option<&str>) {
        if let Some(id) = id {
            self.events_by_answer_id
                .entry(identity(person, id))
                .or_insert(event);
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
    pub(crate) fn apply_action(&mut self, event: &Event) {
        let number = self.events + 1;
        match event {
            Event::GoldAnswered(checked) => {
                let person = self.canonical_name(&checked.answer.assessor);
                // Whoever only answered questions with known answers is one of the people too.
                self.assessor(&person);
                let id = checked.answer.id.as_deref();
                self.records.answered(number, &person, id);
                self.records.checks.push((self.answers, checked.clone()));
                self.answers += 1;
            }
            Event::Ranked(ranked) => {
                let person = self.canonical_name(&ranked.assessor);
                self.assessor(&person);
                self.records
                    .identified(number, &person, ranked.id.as_deref());
                let list = self.query(&ranked.query);
                let list = &mut self.lists[list.expect("a query that was checked")];
                list.rankings.push(self.records.rankings.len());
                list.missing_judgments = OnceLock::new();
                self.records.rankings.push((number, ranked.clone()));
            }
            Event::Graded(graded) => {
                let person = self.canonical_name(&graded.assessor);
                self.assessor(&person);
                self.records
                    .identified(number, &person, graded.id.as_deref());
                let list = self.query(&graded.query);
                let list = &mut self.lists[list.expect("a query that was checked")];
                list.grades.push(self.records.grades.len());
                list.missing_judgments = OnceLock::new();
                self.records.grades.push((number, graded.clone()));
            }
            Event::Reported(reported) => self.records.reports.push(reported.clone()),
            Event::Paused => self.records.paused = true,
            Event::Resumed => self.records.paused = false,
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
                self.records.closed = true;
                0..self.lists.len()
            }
        };
        for list in lists {
            self.records.closed_lists.entry(list).or_insert(event);
            let answers = self.answers;
            let (rules, lists) = self.rules_and_lists();
            lists[list].closed.get_or_insert(answers);
            lists[list].recount_all(&rules);
        }
    }

    fn retract(&mut self, event: u64) {
        let event = usize::try_from(event).expect("an event that was checked");
        self.records.retracted_events.insert(event);
        let Some(answer) = self.records.answer_of(event) else {
            return;
        };
        self.records.retracted.insert(answer);
        let (rules, lists) = self.rules_and_lists();
        for list in lists {
            let answers = &list.answers;
            let place = answers.binary_search_by_key(&answer, |kept| kept.number);
            if let Ok(place) = place {
                list.recount_pair_of_answer(place, &rules);
            }
        }
    }

    fn extend(&mut self, extended: &CampaignExtension) {
        let settings = self.settings.with_extension(extended);
        let known = self.lists.len();
        for list in &extended.lists {
            if self.queries.get(&list.query).is_none() {
                let interned = self.queries.intern(&list.query);
                interned.expect("there is room for a query that was checked");
            }
        }
        if !self.has_custom_strategy {
            let strategy = settings.strategy.build(&settings.strategy_options());
            let former = std::mem::replace(&mut self.strategy, strategy.into());
            self.records.former_strategies.push((self.answers, former));
        }
        for (number, candidates) in settings.lists.iter().enumerate() {
            let list = ListRecord::new(candidates, &settings, self.strategy.as_ref());
            let list = list.expect("there is room for candidates that were checked");
            match self.lists.get_mut(number).filter(|_| number < known) {
                Some(there) => there.replace_candidates(list),
                None => self.lists.push(list),
            }
        }
        self.settings = settings;
        let (rules, lists) = self.rules_and_lists();
        for list in lists {
            list.recount_all(&rules);
        }
    }

    /// Whether the organiser lets nothing be asked for the time being.
    pub fn is_paused(&self) -> bool {
        self.records.paused
    }

    /// Whether the whole campaign is over.
    pub fn is_closed(&self) -> bool {
        self.records.closed
    }

    /// Whether a list is over, settled or not.
    pub fn is_list_closed(&self, list: usize) -> bool {
        self.lists[list].closed.is_some()
    }

    /// The answers to questions whose answers are known that were not taken back, in the order of the
    /// log.
    pub fn gold_checks(&self) -> impl Iterator<Item = &GoldAnswer> {
        let checks = self.records.checks.iter();
        let left = checks.filter(|(number, _)| !self.records.retracted.contains(number));
        left.map(|(_, checked)| checked)
    }

    /// What could not be judged, in the order of the log.
    pub fn defect_reports(&self) -> &[DefectReport] {
        &self.records.reports
    }

    /// Whether a person could not judge an item of a query, or the query itself.
    pub fn has_reported(&self, query: &str, item: Option<&str>, assessor: &str) -> bool {
        let person = self.canonical_name(assessor);
        self.records.reports.iter().any(|report| {
            report.query == query
                && report.item.as_deref() == item
                && self.canonical_name(&report.assessor) == person
        })
    }

    /// The rankings of a list that count: the last of each person who is not excluded, in the order of
    /// the log.
    pub fn rankings(&self, list: usize) -> Vec<&RankingAnswer> {
        let places = self.lists[list].rankings.iter();
        let rankings = places.map(|&place| &self.records.rankings[place]);
        let of_list =
            rankings.filter(|(event, ranked)| self.counts(list, *event, &ranked.assessor));
        let mut last: BTreeMap<_, (usize, &RankingAnswer)> = BTreeMap::new();
        for (event, ranked) in of_list {
            last.insert(self.canonical_name(&ranked.assessor), (*event, ranked));
        }
        let mut last: Vec<(usize, &RankingAnswer)> = last.into_values().collect();
        last.sort_unstable_by_key(|(event, _)| *event);
        last.into_iter().map(|(_, ranked)| ranked).collect()
    }

    /// The grades of the items of a list that count: the last of each person who is not excluded for each
    /// item, in the order of the log.
    pub fn grades(&self, list: usize) -> Vec<&GradeAnswer> {
        let places = self.lists[list].grades.iter();
        let grades = places.map(|&place| &self.records.grades[place]);
        let of_list = grades.filter(|(event, graded)| self.counts(list, *event, &graded.assessor));
        let mut last: BTreeMap<_, (usize, &GradeAnswer)> = BTreeMap::new();
        for (event, graded) in of_list {
            let key = (self.canonical_name(&graded.assessor), graded.item.as_str());
            last.insert(key, (*event, graded));
        }
        let mut last: Vec<(usize, &GradeAnswer)> = last.into_values().collect();
        last.sort_unstable_by_key(|(event, _)| *event);
        last.into_iter().map(|(_, graded)| graded).collect()
    }

    /// Whether a ranking or a grade is none that was taken back, came after the end, or is of somebody
    /// excluded.
    fn counts(&self, list: usize, event: usize, assessor: &str) -> bool {
        let closed = self.records.closed_lists.get(&list);
        !self.records.retracted_events.contains(&event)
            && closed.is_none_or(|&closed| event < closed)
            && !self.is_excluded(assessor)
    }

    /// The number of the event that said something under an id, if the person has used it.
    pub fn event_with_id(&self, assessor: &str, id: &str) -> Option<usize> {
        let person = self.canonical_name(assessor);
        self.records
            .events_by_answer_id
            .get(&identity(&person, id))
            .copied()
    }

    /// Whether what a person said under an id is this answer; nothing if they have not used the id. Ids of
    /// other places may be used again, so that an answer from there is only known by all it says.
    pub(crate) fn is_under_its_id(
        &self,
        answered: &PreferenceAnswer,
        adopted: bool,
    ) -> Result<Option<bool>, InputError> {
        let id = answered.id.as_deref().filter(|_| !adopted);
        let Some(id) = id else {
            return Ok(None);
        };
        let Some(event) = self.event_with_id(&answered.assessor, id) else {
            return Ok(None);
        };
        let same = self
            .stored_judgment(event)
            .is_some_and(|(query, a, b, answer)| {
                query == answered.query
                    && (a, b) == (&answered.a, &answered.b)
                    && answer == answered.answer
            });
        if !same {
            return Err(InputError::IdReused {
                id: id.to_owned(),
                assessor: answered.assessor.clone(),
            });
        }
        Ok(Some(true))
    }

    /// How many votes a pair has, those that only check the list left out.
    pub(crate) fn votes_on(&self, QueryPair { query, a, b }: &QueryPair) -> u32 {
        let Ok(list) = self.query(query) else {
            return 0;
        };
        let list = &self.lists[list];
        list.two_items(a, b).map_or(0, |(a, b)| {
            list.tally(&pair_key(list.class(a), list.class(b)))
                .counted
                .len()
        })
    }

    /// Whether a pair was ever asked for its own sake.
    pub(crate) fn is_asked(&self, query: &str, a: &str, b: &str) -> bool {
        let Ok(list) = self.query(query) else {
            return false;
        };
        let list = &self.lists[list];
        list.two_items(a, b)
            .is_ok_and(|(a, b)| list.target(&pair_key(list.class(a), list.class(b))) > 0)
    }

    /// What an answer says, by the number of its event.
    fn stored_judgment(&self, event: usize) -> Option<(&str, &str, &str, PreferenceChoice)> {
        let answer = self.records.answer_of(event)?;
        let checks = &self.records.checks;
        if let Ok(place) = checks.binary_search_by_key(&answer, |(number, _)| *number) {
            let given = &checks[place].1.answer;
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
    pub(crate) fn check_retraction(&self, answer: u64) -> Result<(), CampaignError> {
        let refused = Err(CampaignError::NothingToRetract(answer));
        let Ok(event) = usize::try_from(answer) else {
            return refused;
        };
        let acts = &self.records;
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
    pub(crate) fn flag_of_check(&self, number: usize, checked: &GoldAnswer) -> AnswerStatus {
        if self.records.retracted.contains(&number) {
            AnswerStatus::Retracted
        } else if checked.answer.answer == PreferenceChoice::Blank {
            AnswerStatus::Blank
        } else {
            AnswerStatus::Gold
        }
    }

    /// An answer to a question whose answer is known, beside the others.
    pub(crate) fn check_state(&self, number: usize, checked: &GoldAnswer) -> AnswerWithStatus {
        let answered = &checked.answer;
        AnswerWithStatus {
            query: answered.query.clone(),
            a: answered.a.clone(),
            b: answered.b.clone(),
            assessor: self.canonical_name(&answered.assessor),
            answer: answered.answer,
            seconds: answered.seconds,
            time: answered.time,
            id: answered.id.clone(),
            batch: "gold".to_owned(),
            flag: self.flag_of_check(number, checked),
        }
    }

    /// The person of a name, by the number that they have.
    pub(crate) fn person(&self, name: &str) -> Option<Item> {
        self.assessors.get(&self.canonical_name(name))
    }

    /// The name by which a person is known, however it is spelt.
    pub fn canonical_name(&self, name: &str) -> String {
        self.settings
            .name_matching
            .canonical_name(name)
            .into_owned()
    }
}
