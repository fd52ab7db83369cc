//! Ground truths from many people's rankings, and an honest audit of them.
//!
//! The method is that of Typke et al. (2005), with the functions and measures of Urbano, Marrero,
//! Martín and Lloréns, *Improving the generation of ground truths based on partially ordered
//! lists* (ISMIR 2010):
//!
//! 1. The rank samples of the items ([`RankSamples`]) put them in order ([`arrange()`]).
//! 2. Each item is tested against each other ([`Comparisons`]), once for all that follows.
//! 3. One of six functions groups them ([`Aggregation`], [`Evidence::aggregate`]).
//! 4. [`consistency()`] says how far the list agrees with the tests, and an [`Audit`] names every pair
//!    and triple for which it does not. [`agreement()`] asks the same of the assessors.
//!
//! [`Evidence`] holds 1 and 2. Beyond one list, and by names:
//!
//! - [`build()`] makes the lists of many queries, and [`check()`] audits them;
//!
//! 5. [`study()`] puts the six functions side by side, and scores systems by each.
//! 6. [`ListTrust`] and [`SystemTrust`] draw the assessors again ([`Panel`]) and say how far the
//!    list, and the scores of systems by it, can be trusted.
//! 7. [`likeness()`] compares two lists, and [`compare()`] two ground truths.
//!
//! Nothing here starts a thread: many lists are handed to a [`Work`](crate::work::Work).
//!
//! # What the intervals cover
//!
//! The intervals come from resampling assessors, each with the whole of a ranking ([`Recentred`]
//! says how). How often a 95% interval holds the truth, which is the mean over panels of the same
//! size, was measured by simulation: `cargo run --release -p partita-core --example coverage --
//! normal 400 300`, that is 400 trials of 300 replicates a world, trial t being drawn by seed t,
//! the truth being the mean of 4,000 other panels, and the lists being made by [`Law::Normal`]. In
//! percent:
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
//! ADR is pooled over four systems and the difference over three pairs of them, with a standard
//! error of up to one point. By the exact law, which is what a panel of these sizes gets unless
//! another is asked for, the second row is 95.1, 95.4, 98.5 and 97.0, 99.6 and 95.4. The method was
//! chosen on these trials; 400 others (from 100,000 on) of the first, fourth and fifth row gave
//! 96.2, 94.2 and 95.8 for ADR, and 95.5, 95.8 and 94.6 for differences.
//!
//! - **A system's ADR and the difference of two** are held by 94 to 96% of the intervals, in every
//!   world. Single systems and pairs range from 92 to 98, with an error of about one point each.
//! - **The consistency of a list** falls short where nearly all lists are consistent: down to 88%
//!   for panels of 35, whose mean ADR-1 is 0.99. The misses are intervals that end too low:
//!   replicates cannot exceed 1. Elsewhere it is held by 92 to 99%, but for ADR-2 of panels of 25.
//! - **The groups of an item** hold its usual group, that of the median panel, nearly always, and
//!   the group that the next panel gives it in 95 to 98 of 100 cases. They are thus to be read as
//!   a prediction of the next panel, and are wide as an interval of the usual group.
//!
//! The shares of pairs ([`ListShares::pair`]) are shares of replicates and have no coverage.

mod aggregation_study;
mod bootstrap;
pub(crate) mod build;
mod check;
pub mod comparison;
mod list_scores;

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
    IntervalEstimate, ItemGroupInterval, ListPlacements, ListUncertainty, PairOrderShares,
    PanelBootstrap, PanelBootstrapRequest, SystemPairUncertainty, SystemUncertainty,
};
pub use build::aggregate::{AggregatedList, GroupingDecision, GroupingOutcome};
pub use build::aggregation::{Aggregation, GroupingRationale};
pub use build::arrangement::arrange;
pub use build::item_pair_tests::{ItemPairTests, ItemPairVerdict, NullDistribution, Tails};
pub use build::rank_evidence::{
    ItemPairPValues, MAX_QUICK_EXACT, PValueAccuracy, RankEvidence, RankTestOptions,
};
pub use build::rank_samples::{RankSamples, UnrankedPolicy};
pub use build::recipe::Recipe;
pub use build::{BuildOptions, BuiltLists, ItemPlacement, ListConsistency, PlacementTest, build};
pub use check::assessor_concordance::{AssessorConcordance, assessor_concordance};
pub use check::audit::{
    Audit, AuditCounts, AuditedPair, AuditedTriple, Inconsistency, PairFinding, RankTestEvidence,
    UntestablePair, find_inconsistencies,
};
pub use check::consistency::{Consistency, consistency};
pub use check::{
    CheckedList, CountsByTails, TruthCheck, TruthCheckError, TruthCheckNote, TruthCheckRequest,
    TruthCheckSettings, WithNotes, check, common_queries,
};
pub use comparison::list_similarity::{
    ListSimilarity, RboOptions, SampledAdr, adr_of_random_order, list_as_ranking, list_similarity,
    sampled_adr,
};
pub use comparison::rbo::{RboTies, rank_biased_overlap};
pub use comparison::{
    GroupMerge, GroupSplit, ListComparison, MeanSimilarity, SampledComparison, SampledRange,
    TruthComparison, TruthComparisonError, TruthComparisonRequest, TruthComparisonSettings,
    compare_truths,
};
pub use list_scores::truth_from_list;
