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
    Agreement, Scale, Weights, fleiss_kappa, gwet_ac1, gwet_ac2, krippendorff_alpha,
};
pub use audit::{Voted, audit_preferences};
pub use batches::{AllBatches, Batch, Batches, PricedBatch, batches};
pub use build::{Built, Way, build};
pub use check::{
    PreferenceCheck, PreferenceCheckRequest, PreferenceCheckSettings, PreferenceCheckedList,
    PreferenceTrustSettings, PreferenceTrustedList, TrustedRelation, check_preferences,
};
pub use cost::{Fee, NoAmount, Price, Surcharge};
pub use cross_table::CrossTable;
pub use decision::{Rule, UnknownRule};
pub use list_votes::ListVotes;
pub use lists::{
    DecidedPair, DecisionCounts, ListModel, ListNote, ListWay, ListsBy, ListsRequest,
    ListsSettings, PreferenceLists, RelationOdds, build_lists,
};
pub use model::{
    Davidson, DecisionTable, Fit, Grouping, PooledLists, Predictive, pair_spread, pooled_lists,
    spread_of_votes,
};
pub use odds::OddsBy;
pub use others::{
    Class, ClassTable, ComparisonRequest, ComparisonWithOthers, Counted, DescribedAnswers, Kind,
    NothingInCommon, Others, compare_with_others,
};
pub use pairs::{PairVotes, pair_votes};
pub use range::{OutOfRange, require};
pub use relation::Relation;
pub use replay::{Asked, NotASort, Replay, replay};
pub use screening::{
    Alike, AnswerBeside, AnswerCounts, Card, Crowd, Fast, Frequent, Gold, GoldPair, Reliability,
    Repeats, Screening, ScreeningEvidence, ScreeningSettings, Side, Signal, SignalKind, Times,
    WithOthers,
};
pub use sort::{Pivot, SelfOrganisingSort};
pub use stop::Stop;
pub use strategy::{
    Choice, Ordered, Pooled, Refitted, Request, Sorting, Strategy, StrategyName, StrategySettings,
};
pub use trust::{PeopleDrawn, PreferenceBootstrap, PreferenceReplicate, PreferenceTrust, Unasked};
pub use votes::Votes;
