//! A campaign of preference judgments: an append-only list of events in, its state out.
//!
//! Nothing is known of a campaign but its [`Event`]s. The [`Campaign`] is a fold over them: what to
//! ask next, which answers are votes, and what lists they make are functions of the log, so that a
//! campaign can be stopped and taken up at any point, on any machine, by a program in a terminal or
//! by a server.
//!
//! [`Campaign::check`] says whether an event fits without any effect, and [`Campaign::apply`] lets it
//! happen. Whoever drives a campaign checks an event, appends it to the log, and applies it once it is
//! kept there: that is what a [`Session`] does with any [`Store`].
//!
//! ```
//! use partita_core::Answer;
//! use partita_judging::campaign::log::Stamp;
//! use partita_judging::campaign::{
//!     AnswerRecord, Candidates, Event, MemoryStore, Session, Settings,
//! };
//!
//! let lists = vec![Candidates::of("q", ["x", "y", "z"])];
//! let settings = Settings { votes: 2, decide: "majority".parse()?, ..Settings::new("c", lists) };
//! // A driver has a clock; the library has none.
//! let stamp = Stamp { at: "2010-04-14T18:29:32Z".parse()?, author: "ann".to_owned() };
//! let mut session = Session::begin(MemoryStore::default(), settings, &stamp)?;
//! // Everybody prefers the item whose name comes first.
//! loop {
//!     let questions = session.ask(&stamp, None)?;
//!     if questions.pairs.is_empty() {
//!         break;
//!     }
//!     for pair in questions.pairs {
//!         let answered = ["bob", "cid"].map(|person| {
//!             let answer = if pair.a < pair.b { Answer::A } else { Answer::B };
//!             Event::Answered(AnswerRecord::new(&pair.query, &pair.a, &pair.b, person, Some(answer)))
//!         });
//!         session.record(&stamp, answered.to_vec())?;
//!     }
//! }
//! assert!(session.campaign().is_settled());
//! assert_eq!(session.campaign().list(0), [["x"], ["y"], ["z"]]);
//!
//! // The log alone gives the same.
//! let again = Session::open(session.into_store())?;
//! assert_eq!(again.campaign().list(0), [["x"], ["y"], ["z"]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod actions;
pub(crate) mod engine;
mod gold;
pub(crate) mod kinds;
pub mod log;
mod session;
mod spec;
pub(crate) mod views;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use partita_core::{Item, Names};

use crate::strategy::Strategy;
use crate::votes::decision_rule::DecisionRule;

pub use actions::effect::ActionEffect;
pub use actions::exclusion::{
    ExclusionEffect, ExclusionError, ExclusionPlan, ExclusionRequest, QueryPair,
};
pub use actions::intake::{
    IntakeError, IntakeOutcome, IntakePlan, IntakeReport, IntakeRequest, IntakeRow, RejectedRow,
};
pub use actions::question_sheets::{QuestionSheet, QuestionSheets, QuestionSheetsRequest};
pub use engine::answer_status::{AnswerStatus, InputError, MAX_NAME_BYTES};
pub use engine::assignment::AssignmentRequest;
pub use engine::lease::{Assignment, Lease, Leases, Question};
pub use engine::offers::PairOffer;
pub use engine::replay::LogReplay;
pub use engine::schedule::{NeededPair, PairRequestError};
pub use engine::schedule_snapshot::{Schedule, ScheduleSnapshot};
pub use gold::{GoldPair, GoldPairError, GoldSet};
pub use kinds::ranking::{
    GradeScale, GradeSummary, ItemGrades, JudgmentCounts, JudgmentIntakePlan, JudgmentIntakeReport,
};
pub use log::event::{
    BatchPair, BroadGrade, CampaignExtension, Defect, DefectReport, Event, GoldAnswer, GradeAnswer,
    Playback, PreferenceAnswer, PreferenceChoice, RankingAnswer,
};
pub use log::store::{CampaignStore, MemoryStore};
pub use session::{CampaignSession, OpenError, RecordError};
pub use spec::{
    CampaignSpec, CampaignSpecError, DEFAULT_GRADERS, ItemSpec, JudgmentKind, MAX_CANDIDATES,
    MAX_VOTES_PER_PAIR, NameMatching, QuerySpec,
};
pub use views::blocked_pairs::BlockedPairs;
pub use views::decisions::CampaignDecisions;
pub use views::export::{AnswerSelection, ExportRequest, ExportedLists, PairDecision, PairFormat};
pub use views::held_out::HeldOutAgreement;
pub use views::open_pairs::{AskError, OpenPair, OpenPairState, OpenPairs};
pub use views::predictions::{CampaignListPrediction, CampaignPredictions};
pub use views::preferences::{AssessorFilter, CampaignPreferences};
pub use views::snapshot::{
    AnswerWithStatus, AssessorSummary, CampaignSnapshot, ListSnapshot, PairProgress, PairSnapshot,
};
pub use views::status::{CampaignStatus, ListStatus};
pub use views::vote_forecast::VoteForecast;

use engine::fitted_lists::FittedLists;
use engine::history::AssessorHistory;
use engine::list::{ListContext, ListRecord};
use engine::offers::UnscheduledLists;
use engine::records::CampaignRecords;
use engine::schedule::SchedulingMode;

/// Why an event does not fit the events before it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CampaignError {
    /// The settings are no settings of a campaign.
    #[error(transparent)]
    Settings(#[from] CampaignSpecError),
    /// It is about something that the campaign does not know.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The first event does not open the campaign.
    #[error("the campaign is not opened by its first event")]
    NotOpened,
    /// A later event opens it.
    #[error("the campaign is opened a second time")]
    OpenedAgain,
    /// The batches are not numbered one after the other.
    #[error("batch {found} follows batch {last}")]
    BatchOutOfOrder {
        /// The last batch.
        last: u32,
        /// The batch that follows.
        found: u32,
    },
    /// The campaign is over.
    #[error("the campaign is closed")]
    Closed,
    /// A list is over.
    #[error("the list of the query `{0}` is closed")]
    ListClosed(String),
    /// Nothing else is wanted than before.
    #[error("an extension names no votes, no budget and no list")]
    NothingExtended,
    /// There is no answer, ranking or grade of this number that could be taken back.
    #[error("event {0} is no answer, ranking or grade, or was taken back before")]
    NothingToRetract(u64),
}

/// A campaign as far as it has come.
pub struct Campaign {
    settings: CampaignSpec,
    strategy: Arc<dyn Strategy>,
    /// Whether the strategy is none that the settings name.
    has_custom_strategy: bool,
    queries: Names,
    lists: Vec<ListRecord>,
    assessors: Names,
    /// By name: people can be excluded before they answer, and leave no number behind if they are
    /// readmitted before they do.
    excluded: BTreeSet<String>,
    /// Whether each person is excluded, by their number.
    is_excluded_by_index: Vec<bool>,
    /// Everybody who has been shown something, answered or not, and what.
    history_names: Names,
    histories: Vec<AssessorHistory>,
    /// The lists with pairs that were asked and lack votes, in the order of their numbers.
    lists_with_offers: Vec<usize>,
    /// The lists to which something has happened since a plan of them was found to ask nothing. It is only a
    /// note: nothing that is asked depends on it but when it is looked for.
    unplanned: Mutex<UnscheduledLists>,
    batches: u32,
    /// The batches that asked somebody.
    issued_batches: u32,
    answers: usize,
    events: usize,
    /// What else happened.
    records: CampaignRecords,
    /// The lists that a model of all votes makes, by class, once somebody looks at one.
    fitted_lists: OnceLock<FittedLists>,
}

impl fmt::Debug for Campaign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Campaign")
            .field("campaign", &self.settings.name)
            .field("lists", &self.lists.len())
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}

impl Campaign {
    /// A campaign with these settings in which nothing has happened yet.
    pub fn open(settings: CampaignSpec) -> Result<Self, CampaignError> {
        // A strategy cannot be made of any settings.
        settings.check()?;
        let strategy = settings.strategy.build(&settings.strategy_options());
        let mut campaign = Self::with_strategy(settings, strategy)?;
        campaign.has_custom_strategy = false;
        Ok(campaign)
    }

    /// The same with a strategy of one's own, whatever the settings name.
    pub fn with_strategy(
        settings: CampaignSpec,
        strategy: Box<dyn Strategy>,
    ) -> Result<Self, CampaignError> {
        settings.check()?;
        let strategy: Arc<dyn Strategy> = strategy.into();
        let mut queries = Names::with_capacity(settings.lists.len());
        let list = |candidates: &QuerySpec| {
            queries.intern(&candidates.query)?;
            ListRecord::new(candidates, &settings, strategy.as_ref())
        };
        let lists: Option<Vec<ListRecord>> = settings.lists.iter().map(list).collect();
        let lists = lists.ok_or(InputError::TooManyNames)?;
        Ok(Self {
            unplanned: Mutex::new(UnscheduledLists::all(lists.len())),
            settings,
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
            batches: 0,
            issued_batches: 0,
            answers: 0,
            events: 1,
            records: CampaignRecords::default(),
            fitted_lists: OnceLock::new(),
        })
    }

    /// The campaign that these events make; with an error, the number of the event that does not
    /// fit, from 0.
    pub fn replay<'a>(
        events: impl IntoIterator<Item = &'a Event>,
    ) -> Result<Self, (usize, CampaignError)> {
        let mut replay = LogReplay::default();
        events.into_iter().for_each(|event| replay.push(event));
        replay.finish()?.ok_or((0, CampaignError::NotOpened))
    }

    /// Takes in what happened next.
    ///
    /// # Errors
    /// Something that does not fit what happened before, as [`Campaign::check`] says; nothing has
    /// changed then.
    pub fn apply(&mut self, event: &Event) -> Result<(), CampaignError> {
        // Nearly all of a log are answers and what was asked, and finding their places is most of the work.
        if let Event::Answered(answered) | Event::Adopted(answered) = event {
            let place = self.check_answer(answered)?;
            let adopted = matches!(event, Event::Adopted(_));
            self.apply_answer(place, answered, adopted);
            self.events += 1;
            return Ok(());
        }
        if let Event::Asked { batch, pairs } = event {
            let places = self.check_asked(*batch, pairs)?;
            self.apply_batch(*batch, pairs, places);
            self.events += 1;
            return Ok(());
        }
        self.check(event)?;
        self.apply_validated(event);
        Ok(())
    }

    /// Where an answer belongs.
    fn locate(&self, answered: &PreferenceAnswer) -> Result<(usize, (Item, Item)), InputError> {
        let list = self.query(&answered.query)?;
        let pair = self.lists[list].two_items(&answered.a, &answered.b)?;
        if answered.assessor.is_empty() {
            return Err(InputError::NoName("the assessor"));
        }
        for (what, number) in [("seconds", answered.seconds), ("time", answered.time)] {
            if let Some(value) = number.filter(|number| !number.is_finite()) {
                return Err(InputError::BadNumber { what, value });
            }
        }
        Ok((list, pair))
    }

    /// Whether an answer can be a part of the campaign, and whether the very same is one already,
    /// so that nothing is to be kept of it. What came unasked can be adopted still. An answer that has an
    /// id is the same under it whatever its clock says.
    ///
    /// # Errors
    /// An answer that cannot be a part of it, or whose id stands for something else that the person said.
    pub fn classify_answer(
        &self,
        answered: &PreferenceAnswer,
        adopted: bool,
    ) -> Result<bool, InputError> {
        let (list, pair) = self.locate(answered)?;
        if let Some(same) = self.is_under_its_id(answered, adopted)? {
            return Ok(same);
        }
        let assessor = self.person(&answered.assessor);
        let there = |assessor| self.lists[list].contains_answer(pair, assessor, answered, adopted);
        Ok(assessor.is_some_and(there))
    }

    /// Whether somebody has answered about a pair, whatever they said.
    pub fn has_answered(&self, pair: &QueryPair, assessor: &str) -> bool {
        let answered = PreferenceAnswer::new(&pair.query, &pair.a, &pair.b, assessor, None);
        let Ok((list, items)) = self.locate(&answered) else {
            return false;
        };
        let assessor = self.person(assessor);
        assessor.is_some_and(|assessor| self.lists[list].is_answered_by(items, assessor))
    }

    fn query(&self, name: &str) -> Result<usize, InputError> {
        let query = self.queries.get(name).map(Item::index);
        query.ok_or_else(|| InputError::UnknownQuery(name.to_owned()))
    }

    /// The number of the list of this query.
    pub fn list_index(&self, query: &str) -> Option<usize> {
        self.query(query).ok()
    }

    fn rules(&self) -> ListContext<'_> {
        let strategy = self.strategy.as_ref();
        ListContext::new(
            &self.settings,
            strategy,
            &self.is_excluded_by_index,
            &self.records,
        )
    }

    /// What all lists share, and the lists to change by it.
    fn rules_and_lists(&mut self) -> (ListContext<'_>, &mut [ListRecord]) {
        let strategy = self.strategy.as_ref();
        let rules = ListContext::new(
            &self.settings,
            strategy,
            &self.is_excluded_by_index,
            &self.records,
        );
        (rules, &mut self.lists)
    }

    /// What was settled before the first question.
    pub fn spec(&self) -> &CampaignSpec {
        &self.settings
    }

    /// How the votes on a pair decide it.
    pub fn rule(&self) -> DecisionRule {
        self.settings.rule
    }

    /// The number of lists.
    pub fn list_count(&self) -> usize {
        self.lists.len()
    }

    /// The query of a list.
    pub fn query_name(&self, list: usize) -> &str {
        &self.lists[list].name
    }

    /// The number of events, the opening included.
    pub fn event_count(&self) -> usize {
        self.events
    }

    /// The number of the last batch.
    pub fn last_batch(&self) -> u32 {
        self.batches
    }

    /// The number of answers in the log.
    pub fn answer_count(&self) -> usize {
        self.answers
    }

    /// Whether a person's votes are left out.
    pub fn is_excluded(&self, assessor: &str) -> bool {
        self.excluded.contains(&self.canonical_name(assessor))
    }

    /// Everybody who answered, in the order of their first answers.
    pub fn assessors(&self) -> &Names {
        &self.assessors
    }

    /// A list as it is now, the groups by the names of their items. Items with the same content stand
    /// beside each other.
    pub fn groups(&self, list: usize) -> Vec<Vec<&str>> {
        let (number, list) = (list, &self.lists[list]);
        let members = |group: &[Item]| -> Vec<&str> {
            let members = group.iter().flat_map(|class| &list.members[class.index()]);
            members.map(|&item| list.items.name(item)).collect()
        };
        let grouped = self.current_list(number);
        grouped.groups().map(members).collect()
    }

    /// Whether the strategy wants to know nothing more of a list.
    pub fn is_list_settled(&self, list: usize) -> bool {
        self.lists[list].requests(&self.rules()).is_empty()
    }

    /// Whether there is nothing left to ask, were the campaign not paused.
    pub fn is_settled(&self) -> bool {
        let rules = self.rules();
        let mut lists = self.lists.iter().enumerate();
        lists.all(|(number, list)| {
            let needs = list.needs(&rules, SchedulingMode::Rounds);
            needs.is_empty() && !self.has_missing_judgments(number)
        })
    }

    /// What became of each answer, in the order of the log.
    pub fn answer_statuses(&self) -> Vec<AnswerStatus> {
        let mut flags = vec![AnswerStatus::Blank; self.answers];
        for kept in self.lists.iter().flat_map(|list| &list.answers) {
            flags[kept.number] = kept.flag;
        }
        for (number, checked) in &self.records.checks {
            flags[*number] = self.flag_of_check(*number, checked);
        }
        flags
    }
}
