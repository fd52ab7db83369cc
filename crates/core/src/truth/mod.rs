//! Ground truths from the rankings of many assessors, and their audit. Imports `data`,
//! `significance` and `evaluation`.
//!
//! The method is that of Typke et al. (2005), with the functions and measures of Urbano, Marrero,
//! Martín and Lloréns, *Improving the generation of ground truths based on partially ordered lists*
//! (ISMIR 2010):
//!
//! 1. The rank samples of the items ([`RankSamples`]) determine their order ([`arrange()`]).
//! 2. All pairs of items are tested ([`ItemPairTests`]), once for all later steps.
//! 3. One of six functions groups the items ([`Aggregation`], [`RankEvidence::aggregate`]).
//! 4. [`consistency()`] measures the agreement of the list with the tests: ADR-1 with one-tailed
//!    tests, ADR-2 with two-tailed tests. An [`Audit`] lists every pair and triple that contradicts
//!    the list. [`assessor_concordance()`] measures the agreement between the assessors.
//!
//! [`RankEvidence`] holds the results of steps 1 and 2. For many queries, by name:
//!
//! - [`build()`] builds the lists of many queries, and [`check()`] audits them.
//! - [`study_aggregations()`] compares the six functions, and scores systems by each.
//! - [`ListBootstrap`] and [`SystemBootstrap`] resample the assessors ([`Panel`]) to estimate the
//!   uncertainty of the list, and of the scores of systems against it.
//! - [`list_similarity()`] compares two lists, and [`compare_truths()`] two ground truths.
//!
//! This module starts no threads: many lists are passed to a [`Work`](crate::work::Work).
//!
//! # Coverage of the intervals
//!
//! The intervals come from resampling assessors, each with their whole ranking (see
//! [`RecentredBootstrap`]). Simulations measured how often a 95% interval covers the true value,
//! the mean over panels of the same size: `cargo run --release -p partita-core --example coverage
//! -- normal 400 300`. This runs 400 trials of 300 replicates per setting, with seed t for trial t.
//! The true value is the mean of 4,000 other panels, and the lists are built with
//! [`NullDistribution::Normal`]. Coverage in percent:
//!
//! | assessors, items, queries | function | ADR | difference | ADR-1, ADR-2 | usual group | next group |
//! |---|---|---|---|---|---|---|
//! | 8, 12, 6 | Prev-1 | 96.4 | 96.1 | 92.5, 97.2 | 99.5 | 94.8 |
//! | 12, 12, 6 | Any-1 | 94.9 | 95.1 | 98.5, 96.5 | 99.6 | 95.5 |
//! | 12, 12, 6 | All-2 | 96.1 | 95.1 | 94.8, 94.0 | 99.9 | 95.9 |
//! | 15, 12, 6; the same people in two schools of taste | Any-1 | 93.9 | 95.4 | 97.8, 97.0 | 99.8 | 96.1 |
//! | 20, 12, 1 | Any-1 | 94.3 | 94.6 | 93.8, 92.5 | 99.8 | 95.4 |
//! | 20, 12, 6; two schools, up to 60% left unranked | Any-1 | 95.6 | 96.3 | 92.2, 94.8 | 99.8 | 96.3 |
//! | 20, 30, 2 | Any-2 | 95.7 | 95.1 | 96.0, 97.8 | 99.5 | 94.8 |
//! | 25, 12, 4 | All-2 | 95.6 | 95.0 | 94.2, 89.5 | 99.9 | 97.6 |
//! | 35, 12, 4 | Any-1 | 95.7 | 95.4 | 88.5, 88.0 | 99.9 | 95.3 |
//!
//! ADR, the average dynamic recall of a system, is pooled over four systems and the difference over
//! three pairs of them, with a standard error of up to one point. With the exact null distribution,
//! the default for panels of these sizes, the second row is 95.1, 95.4, 98.5 and 97.0, 99.6 and
//! 95.4. The method was chosen on these trials; 400 other trials (seeds from 100,000) of the first,
//! fourth and fifth row gave 96.2, 94.2 and 95.8 for ADR, and 95.5, 95.8 and 94.6 for differences.
//!
//! - **The ADR of a system and the difference of two systems** are covered by 94 to 96% of the
//!   intervals in every setting. Single systems and pairs range from 92 to 98, with a standard
//!   error of about one point each.
//! - **The consistency of a list** is covered less often if nearly all lists are consistent: down
//!   to 88% for panels of 35, whose mean ADR-1 is 0.99. The misses are intervals that end too low,
//!   because replicates cannot exceed 1. Otherwise coverage is 92 to 99%, except for ADR-2 of
//!   panels of 25.
//! - **The groups of an item** nearly always cover its usual group (that of the median panel), and
//!   cover the group that the next panel gives it in 95 to 98% of cases. They are thus a prediction
//!   interval for the next panel, and wide as an interval for the usual group.
//!
//! The shares of pairs ([`PlacementCounts::order_shares`]) are shares of replicates and have no
//! coverage.

mod aggregation_study;
mod bootstrap;
pub(crate) mod build;
mod check;
pub mod comparison;
mod list_scores;

pub use crate::evidence::{TruthCheckError, TruthCheckNote};
pub use crate::significance::alpha::Alpha;
pub use crate::significance::intransitivity::{
    IntransitiveTriple, IntransitiveTriples, Intransitivity, IntransitivityCounts,
    PairwiseRelations,
};
pub use aggregation_study::{
    AggregatedListSummary, AggregationStudy, AggregationStudyOptions, AggregationSummary,
    CorrelationSummary, OneTailedTTest, QueryAggregations, SystemAdrByFunction, study_aggregations,
};
pub use bootstrap::list_bootstrap::{ListBootstrap, ListBootstrapResult, ListReplicate};
pub use bootstrap::panel::Panel;
pub use bootstrap::placement_counts::{OrderShares, PlacementCounts};
pub use bootstrap::recentred_bootstrap::RecentredBootstrap;
pub use bootstrap::system_bootstrap::{ScoreReplicate, SystemBootstrap, SystemBootstrapResult};
pub use bootstrap::{
    IntervalEstimate, ItemIntervals, ListPlacements, ListUncertainty, PairOrderShares,
    PanelBootstrap, PanelBootstrapRequest, SystemPairUncertainty, SystemUncertainty,
};
pub use build::aggregation::{
    AggregatedList, Aggregation, GroupingDecision, GroupingOutcome, GroupingRationale,
};
pub use build::arrangement::arrange;
pub use build::item_pair_tests::{ItemPairTests, ItemPairVerdict, NullDistribution, Tails};
pub use build::rank_evidence::{ItemPairPValues, RankEvidence, RankTestOptions};
pub use build::rank_samples::{RankSamples, UnrankedPolicy};
pub use build::recipe::Recipe;
pub use build::{BuildOptions, BuiltLists, ItemPlacement, ListConsistency, PlacementTest, build};
pub use check::assessor_concordance::{AssessorConcordance, ChanceAgreement, assessor_concordance};
pub use check::audit::{
    Audit, AuditCounts, AuditedPair, AuditedTriple, Inconsistency, PairFinding, RankTestEvidence,
    UntestablePair,
};
pub use check::consistency::{Consistency, consistency};
pub use check::{
    CountsByTails, RankTestCounts, RankTestDetail, RankingMeasures, TruthCheck, TruthCheckRequest,
    TruthCheckSettings, TruthCheckTotals, check,
};
pub use comparison::list_similarity::{
    ListSimilarity, RboOptions, SampledAdr, list_as_ranking, list_similarity, sampled_adr,
};
pub use comparison::rbo::{RboTies, rank_biased_overlap};
pub use comparison::{
    GroupMerge, GroupSplit, ListComparison, MeanSimilarity, SampledComparison, SampledRange,
    TruthComparison, TruthComparisonError, TruthComparisonRequest, TruthComparisonSettings,
    compare_truths,
};
pub use list_scores::truth_from_list;
