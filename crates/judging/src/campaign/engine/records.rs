//! Records of events other than pair requests and preferences: gold answers, rankings, grades,
//! defect reports and organiser actions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use partita_core::judgment::Answer;
use partita_core::{Item, Preference};

use super::answer_status::AnswerStatus;
use super::list::ListRecord;
use super::pair::{PairKey, QueryPair};
use crate::campaign::log::event::{CampaignExtension, DefectReport, Event};
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
    /// Answers to gold pairs, each with its answer number and the correct choice.
    pub(crate) gold_answers: Vec<(usize, Answer, Preference)>,
    /// Judgments other than preferences in log order, each with its event number.
    pub(crate) judgments: Vec<(usize, Answer)>,
    /// Reports of defects in log order, each with its event number.
    pub(crate) reports: Vec<(usize, DefectReport)>,
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

    /// Returns the judgment other than a preference that the log event with this number recorded,
    /// or `None` if the event is not such a judgment.
    pub(crate) fn judgment(&self, event: usize) -> Option<&Answer> {
        let place = self
            .judgments
            .binary_search_by_key(&event, |(event, _)| *event);
        Some(&self.judgments[place.ok()?].1)
    }
}

impl Campaign {
    /// Applies a validated event other than a pair request, a preference, an exclusion or a
    /// readmission. Its event number is the current event count plus one.
    pub(crate) fn apply_other_event(&mut self, event: &Event) {
        let number = self.events + 1;
        match event {
            Event::Reported(reported) => {
                self.records.reports.push((number, reported.clone()));
                self.record_defect(reported);
            }
            Event::Paused => self.records.paused = true,
            Event::Resumed => self.records.paused = false,
            Event::Closed { query } => self.apply_closing(query.as_deref(), number),
            Event::Extended(extended) => self.apply_extension(extended),
            Event::Retracted { answer, .. } => self.apply_retraction(*answer),
            Event::Opened { .. }
            | Event::Asked { .. }
            | Event::Answered { .. }
            | Event::Excluded { .. }
            | Event::Readmitted { .. } => {
                unreachable!("`apply_validated` handles these events itself")
            }
        }
    }

    /// Applies a validated answer to a gold pair. `expected` is the correct choice.
    pub(crate) fn apply_gold_answer(&mut self, answer: &Answer, expected: Preference) {
        let person = self.canonical_name(&answer.assessor);
        // An assessor who answered only gold pairs is an assessor of the campaign too.
        self.intern_assessor(&person);
        let (event, id) = (self.events + 1, answer.id.as_deref());
        self.records.record_answer(event, &person, id);
        let gold = (self.answers, answer.clone(), expected);
        self.records.gold_answers.push(gold);
        self.answers += 1;
        self.record_answered_question(&person, &answer.question);
    }

    /// Applies a validated judgment of a kind of which the latest of each assessor counts.
    pub(crate) fn apply_judgment(&mut self, answer: &Answer) {
        let person = self.canonical_name(&answer.assessor);
        self.intern_assessor(&person);
        let (event, id) = (self.events + 1, answer.id.as_deref());
        self.records.record_answer_id(event, &person, id);
        let list = self.find_list(&answer.question.query);
        let list = &mut self.lists[list.expect("validation checked that the query exists")];
        list.missing_judgments = OnceLock::new();
        list.judgments.push(self.records.judgments.len());
        self.records.judgments.push((event, answer.clone()));
        self.record_answered_question(&person, &answer.question);
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
    /// Each comes with the correct choice.
    pub fn gold_answers(&self) -> impl Iterator<Item = (&Answer, Preference)> {
        let gold = self.records.gold_answers.iter();
        let left = gold.filter(|(number, ..)| !self.records.retracted.contains(number));
        left.map(|(_, answer, expected)| (answer, *expected))
    }

    /// Returns the reports of defective queries and items in log order, each with the number of its
    /// event.
    pub fn reports(&self) -> &[(usize, DefectReport)] {
        &self.records.reports
    }

    /// Returns true if the assessor reported this item as defective, or the query itself if `item`
    /// is `None`.
    pub fn has_reported(&self, query: &str, item: Option<&str>, assessor: &str) -> bool {
        let person = self.canonical_name(assessor);
        self.records.reports.iter().any(|(_, report)| {
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
        let exists = records.answer_number(event).is_some() || records.judgment(event).is_some();
        if !exists || records.retracted_events.contains(&event) {
            return refused;
        }
        Ok(())
    }

    /// Returns the status of an answer to a gold pair. `number` is its answer number.
    pub(crate) fn gold_answer_status(&self, number: usize, checked: &Answer) -> AnswerStatus {
        if self.records.retracted.contains(&number) {
            AnswerStatus::Retracted
        } else if checked.judgment.preference().is_none() {
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
