//! Ground truths from preference judgments.
//!
//! Assessors hear a query and two candidates and say which is closer to it, or that they are equal
//! ([`Preference`](partita_core::Preference)). The answers to one pair are its [`Votes`]. A
//! [`DecisionRule`] decides from them whether the items differ. The [`SelfOrganisingSort`] asks for
//! the pairs that it needs to produce an ordered list of groups (Urbano, Morato, Marrero and
//! Martín, *Crowdsourcing preference judgments for evaluation of music similarity tasks*, 2010).
//!
//! A [`Campaign`](campaign::Campaign) does this for many lists over many days. It is a state
//! machine over an append-only log of events.
//!
//! This crate reads no file and no clock. Random numbers are a function of a seed.

mod analysis;
pub mod campaign;
mod lists;
mod model;
mod range_error;
mod screening;
pub mod simulate;
mod sort;
mod strategy;
mod votes;

pub use crate::analysis::agreement::{
    AgreementCoefficients, AgreementWeights, MeasurementLevel, fleiss_kappa, gwet_ac1, gwet_ac2,
    krippendorff_alpha,
};
pub use crate::analysis::batches::{
    BatchReport, BatchSummary, BatchTotals, BatchesReport, report_batches,
};
pub use crate::analysis::cross_table::CrossTable;
pub use crate::analysis::price::{
    Currency, Fee, Price, PriceOptions, PriceOptionsError, PriceParseError, PricePreset, Surcharge,
};
pub use crate::analysis::reference_comparison::{
    AnswerClass, ClassTable, CountUnit, DescribedAnswers, NoOverlapError, ReferenceComparison,
    ReferenceComparisonRequest, ReferenceJudgments, ReferenceKind, compare_with_reference,
};
pub use crate::lists::audit::{VoteEvidence, audit_preferences};
pub use crate::lists::bootstrap::{
    MissingPairRule, PreferenceBootstrap, PreferenceBootstrapResult, PreferenceReplicate,
};
pub use crate::lists::build::{Provenance, ReconstructedList, build_list};
pub use crate::lists::build_all::{
    ComparedPair, DecisionCounts, ListBuildNote, ListMethod, ListModel, ListProvenance,
    PreferenceLists, PreferenceListsRequest, PreferenceListsSettings, RelationProbabilities,
    build_preference_lists,
};
pub use crate::lists::check::{
    PreferenceBootstrapSettings, PreferenceCheck, PreferenceCheckRequest, PreferenceCheckSettings,
    PreferenceListUncertainty, RelationUncertainty, VoteCounts, VoteDetail, VoteMeasures,
    VoteTotals, check_grades, check_preferences, check_strategy_lists,
};
pub use crate::lists::grades::{AssessorGrade, GradeLists, Grades, GradesError};
pub use crate::lists::predictions::ProbabilitySource;
pub use crate::lists::strategy_list::StrategyLists;
pub use crate::range_error::{RangeError, require};
pub use crate::sort::replay::{SortComparison, SortReplay, SortReplayError, replay_sort};
pub use crate::votes::decision_rule::{DecisionRule, UnknownRuleError};
pub use crate::votes::list_votes::ListVotes;
pub use crate::votes::pair_votes::{PairVotes, pair_votes};
pub use crate::votes::relation::Relation;
pub use crate::votes::stopping::StoppingRule;
pub use model::{
    DavidsonFit, DavidsonModel, DecisionTable, GroupingRule, LAPSE_RATE, PooledFit,
    PredictiveModel, estimate_pair_spread, fit_pooled, vote_spread, with_lapses,
};
pub use screening::{
    AnswerCounts, AssessorCard, AssessorReliability, CrowdAgreement, CrowdSummary, FastAnswers,
    FrequentAnswer, GoldQuestion, GoldScore, RepeatedAnswers, ReportCounts, ReportedQuestions,
    ResponseTimes, Screening, ScreeningEvidence, ScreeningOptions, SideBias, Signal, SignalKind,
    SimilarAssessor, UncountedAnswer,
};
pub use sort::{PivotRule, SelfOrganisingSort};
pub use strategy::{
    OrderedSortStrategy, PairRequest, PairSelection, PooledStrategy, RefittedSortStrategy,
    SortStrategy, Strategy, StrategyName, StrategyOptions,
};
pub use votes::Votes;
