//! State machine of a campaign: its state, and the methods that replay events and read the state.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use partita_core::judgment::Answer;
use partita_core::{Item, Names};

use super::answer_status::AnswerStatus;
use super::fitted_lists::FittedLists;
use super::history::AssessorHistory;
use super::list::{ListContext, ListRecord};
use super::pair::QueryPair;
use super::records::CampaignRecords;
use super::replay::LogReplay;
use super::schedule::{SchedulingMode, UnscheduledLists};
use super::validate::check_common_fields;
use crate::campaign::input_error::InputError;
use crate::campaign::kinds::preference::is_imported_vote;
use crate::campaign::log::event::Event;
use crate::campaign::spec::error::{CampaignSpecError, list_errors, list_logged_errors};
use crate::campaign::spec::{CampaignSpec, QuerySpec, Stimulus};
use crate::strategy::Strategy;
use crate::votes::decision_rule::DecisionRule;

/// Reason why an event cannot follow the events before it in the log.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CampaignError {
    /// The specification of the campaign is invalid, for all of these reasons.
    #[error("{}", list_errors(.0))]
    Spec(Vec<CampaignSpecError>),
    /// The specification in the first event of a log is invalid, for all of these reasons. The
    /// message gives their positions in the log line.
    #[error("{}", list_logged_errors(.0))]
    LoggedSpec(Vec<CampaignSpecError>),
    /// The content of the event is invalid, for example because it names an unknown query.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The first event does not open the campaign.
    #[error("the campaign is not opened by its first event")]
    NotOpened,
    /// A later event opens the campaign again.
    #[error("the campaign is opened a second time")]
    OpenedAgain,
    /// A batch of pair requests does not have the number that follows the last batch.
    #[error("batch {found} follows batch {last}")]
    BatchOutOfOrder {
        /// Number of the last recorded batch of pair requests.
        last: u32,
        /// Number of the rejected batch, which should be `last` plus 1.
        found: u32,
    },
    /// The campaign is closed: it can no longer request votes, be paused, resumed or extended.
    #[error("the campaign is closed")]
    Closed,
    /// The list of this query is closed.
    #[error("the list of the query `{0}` is closed: nothing can be added to it or asked about it")]
    ListClosed(String),
    /// An extension of the campaign changes nothing.
    #[error("an extension names no votes, no budget, no share of settled lists and no list")]
    NothingExtended,
    /// The event with this number is not an answer, a ranking or a grade, or it is already
    /// retracted.
    #[error("event {0} is no answer, ranking or grade, or was taken back before")]
    NothingToRetract(u64),
}

/// State of a campaign, as it results from the events of its log.
pub struct Campaign {
    pub(in crate::campaign) spec: Arc<CampaignSpec>,
    pub(in crate::campaign) strategy: Arc<dyn Strategy>,
    /// True if the strategy was passed in by the caller instead of built from the specification.
    pub(in crate::campaign) has_custom_strategy: bool,
    pub(in crate::campaign) queries: Names,
    pub(in crate::campaign) lists: Vec<ListRecord>,
    pub(in crate::campaign) assessors: Names,
    /// Excluded assessors, by name instead of index because an assessor can be excluded before
    /// their first answer.
    pub(in crate::campaign) excluded: BTreeSet<String>,
    /// One flag per assessor index, true if the assessor is excluded.
    pub(in crate::campaign) is_excluded_by_index: Vec<bool>,
    /// Names of all assessors who have answered a question (imported answers do not count) or
    /// reported a defect; `histories` has the same order.
    pub(in crate::campaign) history_names: Names,
    pub(in crate::campaign) histories: Vec<AssessorHistory>,
    /// Indices of the lists with requested pairs that lack votes, in ascending order.
    pub(in crate::campaign) lists_with_offers: Vec<usize>,
    /// Lists that changed since the strategy last had nothing to request for them. Only a cache: it
    /// determines when the strategy is run on a list, never which pairs are requested.
    pub(in crate::campaign) unscheduled: Mutex<UnscheduledLists>,
    /// Number of the last batch of pair requests; 0 if there is none.
    pub(in crate::campaign) last_batch: u32,
    /// Number of batches of pair requests that ask for at least one new answer.
    pub(in crate::campaign) issued_batches: u32,
    /// Number of preference answers in the log, gold pairs included.
    pub(in crate::campaign) answers: usize,
    /// Number of events in the log, including the one that opened the campaign.
    pub(in crate::campaign) events: usize,
    /// State that results from events other than pair requests and preferences, and the event
    /// numbers and ids of all answers.
    pub(in crate::campaign) records: CampaignRecords,
    /// Cache of the lists estimated by one model from the votes on all lists; see [`FittedLists`].
    pub(in crate::campaign) fitted_lists: OnceLock<FittedLists>,
}

impl fmt::Debug for Campaign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Campaign")
            .field("campaign", &self.spec.name)
            .field("lists", &self.lists.len())
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}

impl Campaign {
    /// Creates the state of a new campaign, with the strategy that the specification names.
    pub fn open(spec: CampaignSpec) -> Result<Self, CampaignError> {
        // Validate first: building a strategy requires a valid spec.
        require_valid(&spec)?;
        let settings = &spec.settings;
        let strategy = settings.strategy.build(&settings.strategy_options());
        let mut campaign = Self::from_valid_spec(spec, strategy)?;
        campaign.has_custom_strategy = false;
        Ok(campaign)
    }

    /// Creates the state of a new campaign, with a custom strategy instead of the one that the
    /// specification names.
    pub fn with_strategy(
        spec: CampaignSpec,
        strategy: Box<dyn Strategy>,
    ) -> Result<Self, CampaignError> {
        require_valid(&spec)?;
        Self::from_valid_spec(spec, strategy)
    }

    /// Creates the state of a new campaign from a specification that is known to be valid.
    fn from_valid_spec(
        mut spec: CampaignSpec,
        strategy: Box<dyn Strategy>,
    ) -> Result<Self, CampaignError> {
        spec.settings.state_alpha();
        spec.judging.state_graders(&spec.kinds);
        let strategy: Arc<dyn Strategy> = strategy.into();
        let mut queries = Names::with_capacity(spec.lists.len());
        let list = |candidates: &QuerySpec| {
            queries.intern(&candidates.query)?;
            ListRecord::new(candidates, &spec.settings, strategy.as_ref())
        };
        let lists: Option<Vec<ListRecord>> = spec.lists.iter().map(list).collect();
        let lists = lists.ok_or(InputError::TooManyNames)?;
        Ok(Self {
            unscheduled: Mutex::new(UnscheduledLists::all(lists.len())),
            spec: Arc::new(spec),
            strategy,
            has_custom_strategy: true,
            queries,
            lists,
            assessors: Names::new(),
            excluded: BTreeSet::new(),
            is_excluded_by_index: Vec::new(),
            history_names: Names::new(),
            histories: Vec::new(),
            lists_with_offers: Vec::new(),
            last_batch: 0,
            issued_batches: 0,
            answers: 0,
            events: 1,
            records: CampaignRecords::default(),
            fitted_lists: OnceLock::new(),
        })
    }

    /// Builds the campaign from all events of its log. An error carries the index, from 0, of the
    /// first event that cannot follow the events before it.
    pub fn replay<'a>(
        events: impl IntoIterator<Item = &'a Event>,
    ) -> Result<Self, (usize, CampaignError)> {
        let mut replay = LogReplay::default();
        events.into_iter().for_each(|event| replay.push(event));
        replay.finish()?.ok_or((0, CampaignError::NotOpened))
    }

    /// Validates and applies the next event.
    ///
    /// # Errors
    /// Returns the error of [`Campaign::check`] for an event that does not fit; the campaign is
    /// unchanged in that case.
    pub fn apply(&mut self, event: &Event) -> Result<(), CampaignError> {
        // Nearly all events are answers and batches, and looking up their pairs takes most of the
        // time. Validation therefore returns the pair locations for reuse.
        if let Event::Answered { answer, role } = event
            && let Some(adopted) = is_imported_vote(answer, *role)
        {
            let place = self.check_answer(answer)?;
            self.apply_answer(place, answer, adopted);
            self.events += 1;
            return Ok(());
        }
        if let Event::Asked { batch, pairs } = event {
            let places = self.check_batch(*batch, pairs)?;
            self.apply_batch(*batch, pairs, places);
            self.events += 1;
            return Ok(());
        }
        self.check(event)?;
        self.apply_validated(event);
        Ok(())
    }

    /// Checks the fields of a preference answer. Returns the index of its list and its two items in
    /// the order shown.
    pub(in crate::campaign) fn locate_answer(
        &self,
        answered: &Answer,
    ) -> Result<(usize, (Item, Item)), InputError> {
        let [a, b] = answered.question.pair().ok_or(InputError::WrongKind)?;
        let list = self.find_list(&answered.question.query)?;
        let pair = self.lists[list].find_two_items(a, b)?;
        check_common_fields(&answered.assessor, answered.seconds, answered.time)?;
        Ok((list, pair))
    }

    /// Returns true if the assessor has answered the pair, whatever their choice. Answers to
    /// gold pairs do not count.
    pub fn has_answered(&self, pair: &QueryPair, assessor: &str) -> bool {
        let answered = Answer::preference(&pair.query, &pair.a, &pair.b, assessor, None);
        let Ok((list, items)) = self.locate_answer(&answered) else {
            return false;
        };
        let assessor = self.assessor_index(assessor);
        assessor.is_some_and(|assessor| self.lists[list].is_answered_by(items, assessor))
    }

    /// Returns the index of the list of a query, by query name.
    pub(in crate::campaign) fn find_list(&self, name: &str) -> Result<usize, InputError> {
        let query = self.queries.get(name).map(Item::index);
        query.ok_or_else(|| InputError::UnknownQuery(name.to_owned()))
    }

    /// Returns the index of the list of a query, or `None` if the campaign has no such query.
    pub fn list_index(&self, query: &str) -> Option<usize> {
        self.find_list(query).ok()
    }

    /// Returns the data that all lists share for counting votes and requesting pairs.
    pub(in crate::campaign) fn list_context(&self) -> ListContext<'_> {
        let strategy = self.strategy.as_ref();
        ListContext::new(
            &self.spec,
            strategy,
            &self.is_excluded_by_index,
            &self.records,
        )
    }

    /// Returns the data that all lists share ([`ListContext`]), and mutable access to the lists.
    pub(in crate::campaign) fn context_and_lists(
        &mut self,
    ) -> (ListContext<'_>, &mut [ListRecord]) {
        let strategy = self.strategy.as_ref();
        let context = ListContext::new(
            &self.spec,
            strategy,
            &self.is_excluded_by_index,
            &self.records,
        );
        (context, &mut self.lists)
    }

    /// Returns the specification of the campaign with all extensions applied. It is shared, because
    /// it can have megabytes.
    pub fn spec(&self) -> &Arc<CampaignSpec> {
        &self.spec
    }

    /// Returns the stimulus of a query, or of one of its items; `None` if the campaign does not have
    /// it.
    pub fn stimulus(&self, query: &str, item: Option<&str>) -> Option<&Stimulus> {
        let list = self.list_index(query)?;
        let spec = &self.spec.lists[list];
        let Some(item) = item else {
            return Some(&spec.show);
        };
        let item = self.lists[list].items.get(item)?;
        Some(&spec.items[item.index()].show)
    }

    /// Returns the rule that decides a pair from its votes.
    pub fn rule(&self) -> DecisionRule {
        self.spec.settings.rule()
    }

    /// Returns the number of lists.
    pub fn list_count(&self) -> usize {
        self.lists.len()
    }

    /// Returns the name of the query to which the list with this index belongs.
    pub fn query_name(&self, list: usize) -> &str {
        &self.lists[list].name
    }

    /// Returns the number of events, including the one that opened the campaign.
    pub fn event_count(&self) -> usize {
        self.events
    }

    /// Returns the number of the last batch of pair requests; 0 if there is none.
    pub fn last_batch(&self) -> u32 {
        self.last_batch
    }

    /// Returns the number of preference answers in the log, gold pairs included.
    pub fn answer_count(&self) -> usize {
        self.answers
    }

    /// Returns true if the assessor is excluded.
    pub fn is_excluded(&self, assessor: &str) -> bool {
        self.excluded.contains(&self.canonical_name(assessor))
    }

    /// Returns all assessors who answered, in the order of their first answers.
    pub fn assessors(&self) -> &Names {
        &self.assessors
    }

    /// Returns the current list of a query as groups of item names, the group closest to the query
    /// first. Items with the same content are adjacent.
    pub fn groups(&self, list: usize) -> Vec<Vec<&str>> {
        let (number, list) = (list, &self.lists[list]);
        let members = |group: &[Item]| -> Vec<&str> {
            let members = group.iter().flat_map(|class| &list.members[class.index()]);
            members.map(|&item| list.items.name(item)).collect()
        };
        let grouped = self.current_list(number);
        grouped.groups().map(members).collect()
    }

    /// Returns true if the strategy needs no more votes on a list.
    pub fn is_list_settled(&self, list: usize) -> bool {
        self.lists[list].requests(&self.list_context()).is_empty()
    }

    /// Returns true if no list needs further votes, rankings or grades, whether the campaign is
    /// paused or not. Never true for an open list whose number of rankings is unlimited.
    pub fn is_settled(&self) -> bool {
        let mut lists = 0..self.lists.len();
        self.has_all_votes() && !lists.any(|list| self.has_missing_judgments(list))
    }

    /// Returns true if no list needs further votes, whether the campaign is paused or not.
    pub fn has_all_votes(&self) -> bool {
        let context = self.list_context();
        let mut lists = self.lists.iter();
        lists.all(|list| (list.votes_needed(&context, SchedulingMode::Rounds)).is_empty())
    }

    /// Returns the status of each preference answer in log order.
    pub fn answer_statuses(&self) -> Vec<AnswerStatus> {
        let mut flags = vec![AnswerStatus::Blank; self.answers];
        for stored in self.lists.iter().flat_map(|list| &list.answers) {
            flags[stored.number] = stored.status;
        }
        for (number, checked, _) in &self.records.gold_answers {
            flags[*number] = self.gold_answer_status(*number, checked);
        }
        flags
    }
}

/// Checks that a campaign can run with this specification.
pub(super) fn require_valid(spec: &CampaignSpec) -> Result<(), CampaignError> {
    let errors = spec.validate();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(CampaignError::Spec(errors)),
    }
}
