//! Records of events other than pair requests and preferences: gold answers, rankings, grades,
//! defect reports and organiser actions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use partita_core::Item;

use super::answer_status::AnswerStatus;
use super::list::ListRecord;
use super::pair::{PairKey, QueryPair};
use crate::campaign::log::event::{
    CampaignExtension, DefectReport, Event, GoldAnswer, GradeAnswer, PreferenceChoice,
    RankingAnswer,
};
use crate::campaign::{Campaign, CampaignError};
use crate::strategy::Strategy;

/// Records of events other than pair requests and preferences.
#[derive(Default)]
pub(crate) struct CampaignRecords {
    pub(crate) paused: bool,
    /// True if the whole campaign is closed.
    pub(crate) closed: bool,
    /// Event number of each answer, indexed by answer number.
    pub(crate) answer_events: Vec<usize>,
    /// Retracted answers by answer number.
    pub(crate) retracted: BTreeSet<usize>,
    /// Retracted answers, rankings and grades by event number.
    pub(crate) retracted_events: BTreeSet<usize>,
    /// Answers to gold pairs, each with its answer number.
    pub(crate) checks: Vec<(usize, GoldAnswer)>,
    /// Rankings, each with its event number.
    pub(crate) rankings: Vec<(usize, RankingAnswer)>,
    /// Grades, each with its event number.
    pub(crate) grades: Vec<(usize, GradeAnswer)>,
    pub(crate) reports: Vec<DefectReport>,
    /// Closed lists, each with the number of the event that closed it.
    pub(crate) closed_lists: BTreeMap<usize, usize>,
    /// Event number of the first use of each answer id, keyed by a hash of assessor and id.
    pub(crate) events_by_answer_id: HashMap<u64, usize>,
    /// Strategies that an extension of the spec replaced, each with the number of answers that had
    /// arrived by then.
    pub(crate) former_strategies: Vec<(usize, Arc<dyn Strategy>)>,
}

impl CampaignRecords {
    /// Records the event number and the id of the next answer.
    pub(crate) fn answered(&mut self, event: usize, person: &str, id: Option<&str>) {
        self.answer_events.push(event);
        self.record_answer_id(event, person, id);
    }

    /// Returns the number of the answer that this event recorded.
    pub(crate) fn answer_of(&self, event: usize) -> Option<usize> {
        self.answer_events.binary_search(&event).ok()
    }

    /// Returns the ranking or grade with this event number.
    pub(crate) fn judgment(&self, event: usize) -> Option<Event> {
        let ranked = self
            .rankings
            .binary_search_by_key(&event, |(event, _)| *event);
        let graded = self
            .grades
            .binary_search_by_key(&event, |(event, _)| *event);
        match (ranked, graded) {
            (Ok(place), _) => Some(Event::Ranked(self.rankings[place].1.clone())),
            (_, Ok(place)) => Some(Event::Graded(self.grades[place].1.clone())),
            _ => None,
        }
    }
}

impl Campaign {
    /// Applies a validated event of the kinds recorded here. Its event number is the current event
    /// count plus one.
    pub(crate) fn apply_action(&mut self, event: &Event) {
        let number = self.events + 1;
        match event {
            Event::GoldAnswered(checked) => {
                let person = self.canonical_name(&checked.answer.assessor);
                // An assessor who answered only gold pairs is an assessor of the campaign too.
                self.assessor(&person);
                let id = checked.answer.id.as_deref();
                self.records.answered(number, &person, id);
                self.records.checks.push((self.answers, checked.clone()));
                self.answers += 1;
            }
            Event::Ranked(ranked) => {
                let index = self.records.rankings.len();
                let list = self.judged_list(&ranked.query, &ranked.assessor, ranked.id.as_deref());
                list.rankings.push(index);
                self.records.rankings.push((number, ranked.clone()));
            }
            Event::Graded(graded) => {
                let index = self.records.grades.len();
                let list = self.judged_list(&graded.query, &graded.assessor, graded.id.as_deref());
                list.grades.push(index);
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
            | Event::Readmitted { .. } => unreachable!("they are no records"),
        }
    }

    /// Records the assessor and the id of the next ranking or grade. Returns its list, whose missing
    /// judgments are to be counted again.
    fn judged_list(&mut self, query: &str, assessor: &str, id: Option<&str>) -> &mut ListRecord {
        let person = self.canonical_name(assessor);
        self.assessor(&person);
        self.records.record_answer_id(self.events + 1, &person, id);
        let list = self.query(query).expect("a query that was checked");
        self.lists[list].missing_judgments = OnceLock::new();
        &mut self.lists[list]
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
            let (context, lists) = self.context_and_lists();
            lists[list].closed.get_or_insert(answers);
            lists[list].recount_all(&context);
        }
    }

    fn retract(&mut self, event: u64) {
        let event = usize::try_from(event).expect("an event that was checked");
        self.records.retracted_events.insert(event);
        let Some(answer) = self.records.answer_of(event) else {
            return;
        };
        self.records.retracted.insert(answer);
        let (context, lists) = self.context_and_lists();
        for list in lists {
            let answers = &list.answers;
            let place = answers.binary_search_by_key(&answer, |stored| stored.number);
            if let Ok(place) = place {
                list.recount_pair_of_answer(place, &context);
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
        let (context, lists) = self.context_and_lists();
        for list in lists {
            list.recount_all(&context);
        }
    }

    /// Returns true while the campaign is paused.
    pub fn is_paused(&self) -> bool {
        self.records.paused
    }

    /// Returns true if the whole campaign is closed.
    pub fn is_closed(&self) -> bool {
        self.records.closed
    }

    /// Returns true if a list was closed, whether it is settled or not.
    pub fn is_list_closed(&self, list: usize) -> bool {
        self.lists[list].closed.is_some()
    }

    /// Returns the answers to gold pairs that were not retracted, in log order.
    pub fn gold_checks(&self) -> impl Iterator<Item = &GoldAnswer> {
        let checks = self.records.checks.iter();
        let left = checks.filter(|(number, _)| !self.records.retracted.contains(number));
        left.map(|(_, checked)| checked)
    }

    /// Returns true if the assessor reported this item, or the query itself if `item` is `None`.
    pub fn has_reported(&self, query: &str, item: Option<&str>, assessor: &str) -> bool {
        let person = self.canonical_name(assessor);
        self.records.reports.iter().any(|report| {
            report.query == query
                && report.item.as_deref() == item
                && self.canonical_name(&report.assessor) == person
        })
    }

    /// Returns the number of votes on a pair, held-out votes excluded.
    pub(crate) fn votes_on(&self, QueryPair { query, a, b }: &QueryPair) -> u32 {
        self.find_pair(query, a, b)
            .map_or(0, |(list, pair)| list.tally(&pair).counted.len())
    }

    /// Returns true if votes on the pair were ever requested.
    pub(crate) fn is_requested(&self, query: &str, a: &str, b: &str) -> bool {
        self.find_pair(query, a, b)
            .is_some_and(|(list, pair)| list.target(&pair) > 0)
    }

    /// Looks up two different items of a query by name.
    pub(crate) fn find_pair(
        &self,
        query: &str,
        a: &str,
        b: &str,
    ) -> Option<(&ListRecord, PairKey)> {
        let list = &self.lists[self.query(query).ok()?];
        let (a, b) = list.two_items(a, b).ok()?;
        Some((list, list.class_pair(a, b)))
    }

    /// Checks that an event is an answer, a ranking or a grade that was not retracted.
    pub(crate) fn check_retraction(&self, answer: u64) -> Result<(), CampaignError> {
        let refused = Err(CampaignError::NothingToRetract(answer));
        let Ok(event) = usize::try_from(answer) else {
            return refused;
        };
        let records = &self.records;
        let exists = records.answer_of(event).is_some() || records.judgment(event).is_some();
        if !exists || records.retracted_events.contains(&event) {
            return refused;
        }
        Ok(())
    }

    /// Returns the status of an answer to a gold pair.
    pub(crate) fn gold_answer_status(&self, number: usize, checked: &GoldAnswer) -> AnswerStatus {
        if self.records.retracted.contains(&number) {
            AnswerStatus::Retracted
        } else if checked.answer.answer == PreferenceChoice::Blank {
            AnswerStatus::Blank
        } else {
            AnswerStatus::Gold
        }
    }

    /// Returns the index of an assessor by name.
    pub(crate) fn assessor_index(&self, name: &str) -> Option<Item> {
        self.assessors.get(&self.canonical_name(name))
    }

    /// Returns the canonical form of an assessor name.
    pub fn canonical_name(&self, name: &str) -> String {
        self.settings
            .name_matching
            .canonical_name(name)
            .into_owned()
    }
}
