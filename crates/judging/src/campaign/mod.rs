//! Campaigns of judgments as an event-sourced state machine.
//!
//! A [`Campaign`] is a fold over [`Event`]s. The next questions, the answers that count as votes,
//! and the lists are all functions of the log. A campaign can therefore be stopped and resumed at
//! any point, on any machine, by a command-line program or a server.
//!
//! [`Campaign::check`] validates an event without changing anything, and [`Campaign::apply`]
//! applies it. The program that runs a campaign validates an event, appends it to the log, and
//! applies it once it is stored: a [`CampaignSession`] does this with any [`CampaignStore`].
//!
//! ```
//! use partita_core::Preference;
//! use partita_judging::campaign::log::Stamp;
//! use partita_judging::campaign::{
//!     Answer, CampaignSession, CampaignSpec, EngineSettings, Event, MemoryStore, QuerySpec,
//! };
//!
//! let lists = vec![QuerySpec::new("q", ["x", "y", "z"])];
//! let settings =
//!     EngineSettings { votes: 2, decide: "majority".parse()?, ..EngineSettings::default() };
//! let spec = CampaignSpec { settings, ..CampaignSpec::new("c", lists) };
//! // The library reads no clock: the caller passes the time.
//! let stamp = Stamp { at: "2010-04-14T18:29:32Z".parse()?, author: "ann".to_owned() };
//! let mut session = CampaignSession::create(MemoryStore::default(), spec, &stamp)?;
//! // All assessors prefer the item whose name comes first.
//! loop {
//!     let open = session.ask(&stamp, None)?;
//!     if open.pairs.is_empty() {
//!         break;
//!     }
//!     for pair in open.pairs {
//!         let answers = ["bob", "cid"].map(|assessor| {
//!             let choice = if pair.a < pair.b { Preference::A } else { Preference::B };
//!             Event::vote(Answer::preference(&pair.query, &pair.a, &pair.b, assessor, Some(choice)))
//!         });
//!         session.record(&stamp, answers.to_vec())?;
//!     }
//! }
//! assert!(session.campaign().is_settled());
//! assert_eq!(session.campaign().groups(0), [["x"], ["y"], ["z"]]);
//!
//! // Replaying the log gives the same state.
//! let reopened = CampaignSession::open(session.into_store())?;
//! assert_eq!(reopened.campaign().groups(0), [["x"], ["y"], ["z"]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod actions;
pub(crate) mod engine;
mod input_error;
pub(crate) mod kinds;
pub mod log;
mod session;
mod spec;
pub(crate) mod views;

pub use crate::lists::grades::{GradeScale, GradeSummary, ItemGrades};
pub use actions::action::{Action, AnswerReference};
pub use actions::assign::AskError;
pub use actions::effect::{ActionEffect, ExclusionEffect};
pub use actions::intake::{
    IntakeError, IntakeOutcome, IntakePlan, IntakeReport, IntakeRequest, IntakeRow,
    JudgmentIntakeReport, RejectedRow,
};
pub use actions::question_sheets::{QuestionSheet, QuestionSheets, QuestionSheetsRequest};
pub use engine::answer_ids::{PendingAnswers, Submission};
pub use engine::answer_status::AnswerStatus;
pub use engine::assignment::{Assignment, AssignmentRequest};
pub use engine::campaign::{Campaign, CampaignError};
pub use engine::history::MAX_REPORTS_IN_A_ROW;
pub use engine::lease::{Lease, Leases};
pub use engine::pair::QueryPair;
pub use engine::replay::LogReplay;
pub use engine::schedule::{NeededPair, PairOffer, PairRequestError};
pub use engine::schedule_snapshot::{Schedule, ScheduleSnapshot};
pub use input_error::{InputError, MAX_NAME_BYTES};
pub use kinds::latest_answers::JudgmentCounts;
pub use kinds::{
    JudgmentFieldError, asks_for_votes, judgment_noun, judgment_schema, parse_judgment,
};
pub use log::event::{BatchPair, CampaignExtension, Defect, DefectReport, Event, PreferenceChoice};
pub use log::store::{CampaignStore, MemoryStore};
pub use partita_core::judgment::{
    Answer, AnswerRole, AnswerRow, BroadGrade, Judgment, JudgmentKind, Playback, Question,
    StimulusPart,
};
pub use session::{CampaignSession, OpenError, RecordError};
pub use spec::draft::CampaignSpecDraft;
pub use spec::error::{CampaignSpecError, CampaignSpecErrorKind};
pub use spec::gold::{GoldPair, GoldPairError, GoldSet};
pub use spec::judging_options::{
    Consent, DEFAULT_GRADERS, FineScale, JudgingOptions, ListeningRule,
};
pub use spec::page_texts::{PageTexts, Title, value_in_language};
pub use spec::recruiter::{
    OutcomeRedirect, PanelLimitError, Recruiter, RecruiterPreset, WorkOutcome,
};
pub use spec::validate::{MAX_CANDIDATES, MAX_VOTES_PER_PAIR};
pub use spec::{CampaignSpec, EngineSettings, ItemSpec, NameMatching, QuerySpec, Stimulus};
pub use views::blocked_pairs::BlockedPairs;
pub use views::current_lists::CurrentList;
pub use views::decisions::CampaignDecisions;
pub use views::evidence::CampaignEvidence;
pub use views::export::{AnswerSelection, ExportRequest, ExportedLists, PairDecision, PairFormat};
pub use views::held_out::HeldOutAgreement;
pub use views::open_pairs::{OpenPair, OpenPairState, OpenPairs};
pub use views::predictions::{CampaignListPrediction, CampaignPredictions};
pub use views::preferences::{AssessorFilter, CampaignPreferences};
pub use views::snapshot::{
    AnswerWithStatus, AssessorSummary, AssessorWork, CampaignSnapshot, ListSnapshot, PairProgress,
    PairSnapshot,
};
pub use views::status::{CampaignStatus, ListStatus};
pub use views::vote_forecast::VoteForecast;
pub use views::work_forecast::WorkForecast;
