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

/// State that results from events other than pair requests and preferences (gold answers, rankings,
/// grades, defect reports and organiser actions), and the event numbers and ids of all answers.
#[derive(Default)]
pub(crate) struct CampaignRecords {
    pub(crate) paused: bool,
    /// True if the whole campaign is closed.
    pub(crate) closed: bool,
    /// Number of the log event of each preference answer, indexed by answer number.
    pub(crate) answer_events: Vec<usize>,
    /// Answer numbers of the retracted preference answers.
    pub(crate) retracted: BTreeSet<usize>,
    /// Event numbers of the retracted answers, rankings and grades.
    pub(crate) retracted_events: BTreeSet<usize>,
    /// Answers to gold pairs, each with its answer number.
    pub(crate) gold_answers: Vec<(usize, GoldAnswer)>,
    /// Rankings in log order, each with its event number.
    pub(crate) rankings: Vec<(usize, RankingAnswer)>,
    /// Grades in log order, each with its event number.
    pub(crate) grades: Vec<(usize, GradeAnswer)>,
    pub(crate) reports: Vec<DefectReport>,
    /// Event number at which each closed list was closed, by list index.
    pub(crate) closed_lists: BTreeMap<usize, usize>,
    /// Event number of the first use of each answer id, keyed by a hash of assessor and id.
    pub(crate) events_by_answer_id: HashMap<u64, usize>,
    /// Strategies that extensions of the specification replaced, each with the number of preference
    /// answers in the log at the time of its replacement.
    pub(crate) former_strategies: Vec<(usize, Arc<dyn Strategy>)>,
}

impl CampaignRecords {
    /// Records the event number and the id of the next preference answer.
    pub(crate) fn record_answer(&mut self, event: usize, person: &str, id: Option<&str>) {
        self.answer_events.push(event);
        self.record_answer_id(event, person, id);
    }

    /// Returns the number of the preference answer that this log event recorded, from 0; `None` if
    /// the event is not a preference answer.
    pub(crate) fn answer_number(&self, event: usize) -> Option<usize> {
        self.answer_events.binary_search(&event).ok()
    }

    /// Returns the ranking or grade that the log event with this number recorded, or `None` if the
    /// event is neither.
    pub(crate) fn ranking_or_grade(&self, event: usize) -> Option<Event> {
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
    /// Applies a validated event other than a pair request, a preference, an exclusion or a
    /// readmission. Its event number is the current event count plus one.
    pub(crate) fn apply_other_event(&mut self, event: &Event) {
        let number = self.events + 1;
        match event {
            Event::GoldAnswered(checked) => {
                let person = self.canonical_name(&checked.answer.assessor);
                // An assessor who answered only gold pairs is an assessor of the campaign too.
                self.intern_assessor(&person);
                let id = checked.answer.id.as_deref();
                self.records.record_answer(number, &person, id);
                self.records
                    .gold_answers
                    .push((self.answers, checked.clone()));
                self.answers += 1;
            }
            Event::Ranked(ranked) => {
                let index = self.records.rankings.len();
                let list =
                    self.register_judgment(&ranked.query, &ranked.assessor, ranked.id.as_deref());
                list.rankings.push(index);
                self.records.rankings.push((number, ranked.clone()));
            }
            Event::Graded(graded) => {
                let index = self.records.grades.len();
                let list =
                    self.register_judgment(&graded.query, &graded.assessor, graded.id.as_deref());
                list.grades.push(index);
                self.records.grades.push((number, graded.clone()));
            }
            Event::Reported(reported) => self.records.reports.push(reported.clone()),
            Event::Paused => self.records.paused = true,
            Event::Resumed => self.records.paused = false,
            Event::Closed { query } => self.apply_closing(query.as_deref(), number),
            Event::Extended(extended) => self.apply_extension(extended),
            Event::Retracted { answer, .. } => self.apply_retraction(*answer),
            Event::Opened { .. }
            | Event::Asked { .. }
            | Event::Answered(_)
            | Event::Adopted(_)
            | Event::Excluded { .. }
            | Event::Readmitted { .. } => {
                unreachable!("`apply_validated` handles these events itself")
            }
        }
    }

    /// Records the assessor and the id of a new ranking or grade. Clears the cache of missing
    /// rankings and grades of the judged list, and returns this list.
    fn register_judgment(
        &mut self,
        query: &str,
        assessor: &str,
        id: Option<&str>,
    ) -> &mut ListRecord {
        let person = self.canonical_name(assessor);
        self.intern_assessor(&person);
        self.records.record_answer_id(self.events + 1, &person, id);
        let list = self
            .find_list(query)
            .expect("validation checked that the query exists");
        self.lists[list].missing_judgments = OnceLock::new();
        &mut self.lists[list]
    }

    /// Closes the list of a query, or the whole campaign if no query is given. `event` is the
    /// number of the event that closes it.
    fn apply_closing(&mut self, query: Option<&str>, event: usize) {
        let lists = match query {
            Some(query) => {
                let list = self
                    .find_list(query)
                    .expect("validation checked that the query exists");
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

    /// Retracts the answer, ranking or grade that the log event with this number recorded.
    fn apply_retraction(&mut self, event: u64) {
        let event = usize::try_from(event).expect("validation checked that the event exists");
        self.records.retracted_events.insert(event);
        let Some(answer) = self.records.answer_number(event) else {
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

    /// Applies an extension: changes the specification, adds lists and candidates, and recounts all
    /// votes.
    fn apply_extension(&mut self, extended: &CampaignExtension) {
        Arc::make_mut(&mut self.spec).extend(extended);
        let spec = self.spec.clone();
        let settings = &spec.settings;
        let known = self.lists.len();
        for list in &extended.lists {
            if self.queries.get(&list.query).is_none() {
                let interned = self.queries.intern(&list.query);
                interned.expect("validation limits the number of queries");
            }
        }
        if !self.has_custom_strategy {
            let strategy = settings.strategy.build(&settings.strategy_options());
            let former = std::mem::replace(&mut self.strategy, strategy.into());
            self.records.former_strategies.push((self.answers, former));
        }
        for (number, candidates) in spec.lists.iter().enumerate() {
            let list = ListRecord::new(candidates, settings, self.strategy.as_ref());
            let list = list.expect("validation limits the number of candidates");
            match self.lists.get_mut(number).filter(|_| number < known) {
                Some(there) => there.replace_candidates(list),
                None => self.lists.push(list),
            }
        }
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

    /// Returns true if the organiser closed this list or the whole campaign.
    pub fn is_list_closed(&self, list: usize) -> bool {
        self.lists[list].closed.is_some()
    }

    /// Returns the answers to gold pairs that were not retracted, in log order.
    pub fn gold_answers(&self) -> impl Iterator<Item = &GoldAnswer> {
        let checks = self.records.gold_answers.iter();
        let left = checks.filter(|(number, _)| !self.records.retracted.contains(number));
        left.map(|(_, checked)| checked)
    }

    /// Returns true if the assessor reported this item as defective, or the query itself if `item`
    /// is `None`.
    pub fn has_reported(&self, query: &str, item: Option<&str>, assessor: &str) -> bool {
        let person = self.canonical_name(assessor);
        self.records.reports.iter().any(|report| {
            report.query == query
                && report.item.as_deref() == item
                && self.canonical_name(&report.assessor) == person
        })
    }

    /// Returns the number of votes on a pair that the strategy sees; held-out votes are excluded.
    pub(crate) fn votes_on(&self, QueryPair { query, a, b }: &QueryPair) -> u32 {
        self.find_pair(query, a, b)
            .map_or(0, |(list, pair)| list.tally(&pair).counted.len())
    }

    /// Returns true if votes on the pair were ever requested.
    pub(crate) fn is_requested(&self, query: &str, a: &str, b: &str) -> bool {
        self.find_pair(query, a, b)
            .is_some_and(|(list, pair)| list.requested_votes(&pair) > 0)
    }

    /// Looks up a pair by the names of its query and its two items. Returns its list and its key,
    /// or `None` if the campaign has no such query or items or both items are the same.
    pub(crate) fn find_pair(
        &self,
        query: &str,
        a: &str,
        b: &str,
    ) -> Option<(&ListRecord, PairKey)> {
        let list = &self.lists[self.find_list(query).ok()?];
        let (a, b) = list.find_two_items(a, b).ok()?;
        Some((list, list.class_pair(a, b)))
    }

    /// Checks that an event is an answer, a ranking or a grade that was not retracted.
    pub(crate) fn check_retraction(&self, answer: u64) -> Result<(), CampaignError> {
        let refused = Err(CampaignError::NothingToRetract(answer));
        let Ok(event) = usize::try_from(answer) else {
            return refused;
        };
        let records = &self.records;
        let exists =
            records.answer_number(event).is_some() || records.ranking_or_grade(event).is_some();
        if !exists || records.retracted_events.contains(&event) {
            return refused;
        }
        Ok(())
    }

    /// Returns the status of an answer to a gold pair. `number` is its answer number.
    pub(crate) fn gold_answer_status(&self, number: usize, checked: &GoldAnswer) -> AnswerStatus {
        if self.records.retracted.contains(&number) {
            AnswerStatus::Retracted
        } else if checked.answer.answer == PreferenceChoice::Blank {
            AnswerStatus::Blank
        } else {
            AnswerStatus::Gold
        }
    }

    /// Returns the index of an assessor by name, or `None` if the assessor has never answered.
    pub(crate) fn assessor_index(&self, name: &str) -> Option<Item> {
        self.assessors.get(&self.canonical_name(name))
    }

    /// Returns the form of an assessor name under which the campaign stores it: the name itself, or
    /// trimmed and in lower case if the campaign ignores case.
    pub fn canonical_name(&self, name: &str) -> String {
        self.spec
            .settings
            .name_matching
            .canonical_name(name)
            .into_owned()
    }
}
