//! Ground truths from preference judgments.
//!
//! People hear a query and two candidates and say which is closer to it, or that neither is
//! ([`Answer`](partita_core::Answer)). The answers to one pair are its [`Votes`]; a [`Rule`] decides
//! by them whether the pair differs; and the [`SelfOrganisingSort`] asks for the pairs that it needs
//! to make an ordered list of groups (Urbano, Morato, Marrero and Martín, *Crowdsourcing preference
//! judgments for evaluation of music similarity tasks*, 2010).
//!
//! A [`Campaign`](campaign::Campaign) is all of that over many lists and days: a fold over an
//! append-only log of events.
//!
//! Nothing here reads a file, a clock or a random number of its own: what is drawn is a function of
//! a seed.

mod agreement;
mod audit;
mod batches;
mod build;
pub mod campaign;
mod check;
mod cost;
mod cross_table;
mod decision;
mod list_votes;
mod lists;
mod model;
mod odds;
mod others;
mod pairs;
mod range;
mod relation;
mod replay;
mod screening;
pub mod simulate;
mod sort;
mod stop;
mod strategy;
mod trust;
mod votes;

pub use agreement::{
    AgreementCoefficients, AgreementWeights, MeasurementLevel, fleiss_kappa, gwet_ac1, gwet_ac2,
    krippendorff_alpha,
};
pub use audit::{VoteEvidence, audit_preferences};
pub use batches::{BatchReport, BatchSummary, BatchTotals, BatchesReport, report_batches};
pub use build::{Provenance, ReconstructedList, build_list};
pub use check::{
    PreferenceBootstrapSettings, PreferenceCheck, PreferenceCheckRequest, PreferenceCheckSettings,
    PreferenceCheckedList, PreferenceListUncertainty, RelationUncertainty, check_preferences,
};
pub use cost::{Fee, Price, PriceParseError, Surcharge};
pub use cross_table::CrossTable;
pub use decision::{DecisionRule, UnknownRuleError};
pub use list_votes::ListVotes;
pub use lists::{
    ComparedPair, DecisionCounts, ListBuildNote, ListMethod, ListModel, ListProvenance,
    PreferenceLists, PreferenceListsRequest, PreferenceListsSettings, RelationProbabilities,
    build_preference_lists,
};
pub use model::{
    DavidsonFit, DavidsonModel, DecisionTable, GroupingRule, PooledFit, PredictiveModel,
    estimate_pair_spread, fit_pooled, vote_spread,
};
pub use odds::ProbabilitySource;
pub use others::{
    AnswerClass, ClassTable, CountUnit, DescribedAnswers, Kind, NoOverlapError,
    ReferenceComparison, ReferenceComparisonRequest, ReferenceJudgments, compare_with_reference,
};
pub use pairs::{PairVotes, pair_votes};
pub use range::{RangeError, require};
pub use relation::Relation;
pub use replay::{Replay, SortComparison, SortReplayError, replay_sort};
pub use screening::{
    AnswerCounts, AssessorCard, AssessorReliability, CrowdAgreement, CrowdSummary, FastAnswers,
    FrequentAnswer, GoldPair, GoldScore, RepeatedAnswers, ResponseTimes, Screening,
    ScreeningEvidence, ScreeningOptions, SideBias, Signal, SignalKind, SimilarAssessor,
    UncountedAnswer,
};
pub use sort::{PivotRule, SelfOrganisingSort};
pub use stop::StoppingRule;
pub use strategy::{
    OrderedSortStrategy, PairRequest, PairSelection, PooledStrategy, RefittedSortStrategy,
    SortStrategy, Strategy, StrategyName, StrategyOptions,
};
pub use trust::{
    AssessorResampler, MissingPairRule, PreferenceBootstrap, PreferenceBootstrapResult,
    PreferenceReplicate,
};
pub use votes::Votes;
