//! Comparison of two ground truths, query by query.

pub(crate) mod group_alignment;
pub mod list_difference;
pub(crate) mod list_similarity;
pub(crate) mod rbo;

use schemars::JsonSchema;
use serde::Serialize;

use crate::data::ground_truth::{GroundTruth, QueryTruth};
use crate::data::names::summarize_names;
use crate::data::ordered_map::OrderedMap;
use crate::evaluation::mean;
use crate::measure::ScoreRange;
use crate::work::{Work, WorkError};
use list_difference::{ItemChange, ListDifference, PairRelationCounts, list_difference};
use list_similarity::{RboOptions, list_as_ranking, list_similarity, sampled_adr};
use rbo::RboTies;

/// Request to compare two ground truths with [`compare_truths`].
#[derive(Clone, Copy, Debug)]
pub struct TruthComparisonRequest<'a> {
    /// First ground truth, with its name.
    pub first: (&'a str, &'a GroundTruth),
    /// Second ground truth, with its name.
    pub second: (&'a str, &'a GroundTruth),
    /// Options of rank-biased overlap.
    pub rbo: RboOptions,
    /// Number of random permutations within the groups that are scored in addition to the list
    /// itself; `None` for no permutations.
    pub samples: Option<u64>,
    /// Random seed of the permutations within groups.
    pub seed: u64,
}

/// Comparison of two ground truths.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TruthComparison {
    /// Names of the two ground truths.
    pub truths: [String; 2],
    /// Settings of the comparison.
    pub settings: TruthComparisonSettings,
    /// Comparison of the two lists of each query that is in both ground truths.
    pub queries: Vec<ListComparison>,
    /// Mean similarity over the queries that are in both ground truths.
    pub mean: MeanSimilarity,
    /// Counts of the pairs of shared items, summed over the queries, by their relations in the two
    /// lists.
    pub pairs: PairRelationCounts,
    /// ADR (average dynamic recall) of the lists in random orders within groups, if requested.
    pub sampled: Option<SampledComparison>,
    /// Queries that are only in the first ground truth, and queries that are only in the second.
    #[serde(skip)]
    #[serde(rename = "alone")]
    pub unmatched_queries: [Vec<String>; 2],
}

/// Settings of the comparison of two ground truths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TruthComparisonSettings {
    /// Persistence of rank-biased overlap: probability of continuing to the next depth, between 0
    /// and 1.
    pub rbo_p: f64,
    /// Treatment of ties in rank-biased overlap.
    pub rbo_ties: RboTies,
}

/// Comparison of the two lists that two ground truths have for one query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ListComparison {
    /// Name of the query.
    pub query: String,
    /// Numbers of items in the first and in the second list.
    pub items: [usize; 2],
    /// Number of items in both lists.
    pub shared: usize,
    /// ADR (average dynamic recall) of the second list, treated as a result, against the first: the
    /// range over all orders within its groups; null if the first list is empty.
    pub second_by_first: Option<ScoreRange>,
    /// ADR (average dynamic recall) of the first list, treated as a result, against the second;
    /// null if the second list is empty.
    pub first_by_second: Option<ScoreRange>,
    /// Kendall's tau-b between the group numbers of the items in both lists; null if there are
    /// fewer than 2 such items, or if all are in one group of either list.
    pub tau_b: Option<f64>,
    /// Two-tailed p-value of tau-b; null if tau-b is null.
    pub tau_p: Option<f64>,
    /// Rank-biased overlap of the two lists; null if a list is empty or the persistence is not
    /// between 0 and 1.
    pub rbo: Option<f64>,
    /// Groups of the first list that were split into several groups of the second.
    pub splits: Vec<GroupSplit>,
    /// Groups of the first list that were merged into one group of the second.
    pub merges: Vec<GroupMerge>,
    /// Items that moved relative to the others, and items that are in one list only.
    pub moved: Vec<ItemChange>,
    /// Counts of the pairs of shared items, by their relations (ordered or tied) in the two lists.
    pub pairs: PairRelationCounts,
    /// Full difference of the two lists: the changes of all groups and items.
    #[serde(skip)]
    pub difference: ListDifference,
}

/// Group of the first list that was split into several groups of the second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GroupSplit {
    /// Number of the group in the first list, counted from 1.
    pub group: usize,
    /// Numbers of the groups in the second list that it was split into, counted from 1.
    pub into: Vec<usize>,
}

/// Groups of the first list that were merged into one group of the second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GroupMerge {
    /// Numbers of the groups in the first list, counted from 1.
    pub groups: Vec<usize>,
    /// Number of the group in the second list that they were merged into, counted from 1.
    pub into: usize,
}

/// Mean similarity of two ground truths over their common queries. Queries for which a value is
/// undefined are left out; the mean is null if all are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeanSimilarity {
    /// Mean ADR (average dynamic recall) of the second list, treated as a result, against the
    /// first.
    pub second_by_first: Option<ScoreRange>,
    /// Mean ADR (average dynamic recall) of the first list, treated as a result, against the
    /// second.
    pub first_by_second: Option<ScoreRange>,
    /// Mean of Kendall's tau-b between the group numbers of the items in both lists.
    pub tau_b: Option<f64>,
    /// Mean rank-biased overlap of the two lists.
    pub rbo: Option<f64>,
}

/// ADR (average dynamic recall) of lists with the items of each group in random order (Urbano,
/// Morato, Marrero and Martín 2010, Table 7).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SampledComparison {
    /// Number of random orders drawn for each list.
    pub samples: u64,
    /// Random seed of the random orders.
    pub seed: u64,
    /// ADR of the second list, treated as a result, against the first.
    pub second_by_first: SampledRange,
    /// ADR of the first list, treated as a result, against the second.
    pub first_by_second: SampledRange,
}

/// Range of ADR (average dynamic recall) over random orders of the items within groups.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SampledRange {
    /// Range of the mean ADR over the queries; null if ADR is undefined for every query.
    pub mean: Option<ScoreRange>,
    /// Range of the ADR of each query, by name; null for a query without ADR, and as a whole if
    /// `mean` is null.
    pub per_query: Option<OrderedMap<Option<ScoreRange>>>,
}

/// Error of a comparison of two ground truths.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TruthComparisonError {
    /// The two ground truths have no query in common.
    #[error("{} and {} have no query in common", truths[0], truths[1])]
    NoCommonQuery {
        /// Names of the two ground truths.
        truths: [String; 2],
        /// Names of the queries of each ground truth.
        queries: [Vec<String>; 2],
    },
    /// The work was cancelled or failed.
    #[error(transparent)]
    Work(#[from] WorkError),
}

impl TruthComparisonError {
    /// Returns a hint for the user, the first queries of both ground truths, if they have no query
    /// in common.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoCommonQuery { queries, .. } => Some(format!(
                "the first has {}; the second has {}",
                summarize_names(&queries[0], 5),
                summarize_names(&queries[1], 5)
            )),
            Self::Work(_) => None,
        }
    }
}

/// Compares two ground truths.
///
/// ```
/// use partita_core::{GroundTruth, QueryTruth, TruthScale};
/// use partita_core::truth::{RboOptions, TruthComparisonRequest, compare_truths};
/// use partita_core::work::SequentialWork;
///
/// // The example of Urbano, Morato, Marrero and Martín (2010): the order of D, E and C is random.
/// let truth = |groups: [&[&str]; 2]| {
///     let list = QueryTruth::from_groups(groups).unwrap();
///     GroundTruth::new(TruthScale::Groups, vec![("q".to_owned(), list)]).unwrap()
/// };
/// let first = truth([&["A", "B", "C"], &["D", "E"]]);
/// let second = truth([&["A", "B"], &["D", "E", "C"]]);
/// let request = TruthComparisonRequest {
///     first: ("first", &first),
///     second: ("second", &second),
///     rbo: RboOptions::default(),
///     samples: None,
///     seed: 1,
/// };
/// let comparison = compare_truths(&request, &SequentialWork)?;
/// assert_eq!(comparison.mean.second_by_first.unwrap().max, 1.0);
/// assert_eq!(comparison.queries[0].moved[0].name, "C");
/// # Ok::<(), partita_core::truth::TruthComparisonError>(())
/// ```
///
/// # Errors
/// Returns [`TruthComparisonError`] if they have no query in common, or if the work was cancelled
/// or failed.
pub fn compare_truths(
    request: &TruthComparisonRequest<'_>,
    work: &dyn Work,
) -> Result<TruthComparison, TruthComparisonError> {
    let (first, second) = (request.first.1, request.second.1);
    let truths = [request.first.0, request.second.0].map(str::to_owned);
    let both: Vec<(&str, &QueryTruth, &QueryTruth)> = (first.iter())
        .filter_map(|(name, judged)| {
            Some((name, judged, second.query_truth(second.query_index(name)?)))
        })
        .collect();
    if both.is_empty() {
        return Err(TruthComparisonError::NoCommonQuery {
            truths,
            queries: [first, second].map(|truth| truth.query_names().map(str::to_owned).collect()),
        });
    }
    let queries = work.map("comparing", both.len(), |number| {
        let (query, one, other) = both[number];
        compare_lists(query, one, other, request.rbo)
    })?;
    let mean_of = |value: fn(&ListComparison) -> Option<f64>| mean(queries.iter().map(value));
    let mean_range = |adr: fn(&ListComparison) -> Option<ScoreRange>| {
        let mean_of_end = |end: fn(&ScoreRange) -> f64| {
            mean(queries.iter().map(|query| adr(query).as_ref().map(end)))
        };
        Some(ScoreRange {
            min: mean_of_end(|range| range.min)?,
            mean: mean_of_end(|range| range.mean)?,
            max: mean_of_end(|range| range.max)?,
        })
    };
    let mut pairs = PairRelationCounts::default();
    for query in &queries {
        pairs += query.pairs;
    }
    Ok(TruthComparison {
        truths,
        settings: TruthComparisonSettings {
            rbo_p: request.rbo.p,
            rbo_ties: request.rbo.ties,
        },
        mean: MeanSimilarity {
            second_by_first: mean_range(|query| query.second_by_first),
            first_by_second: mean_range(|query| query.first_by_second),
            tau_b: mean_of(|query| query.tau_b),
            rbo: mean_of(|query| query.rbo),
        },
        queries,
        pairs,
        sampled: match request.samples {
            Some(samples) => Some(sample_orders(&both, samples, request.seed, work)?),
            None => None,
        },
        unmatched_queries: [(first, second), (second, first)].map(|(truth, other)| {
            let names = truth.query_names();
            let unmatched = names.filter(|query| other.query_index(query).is_none());
            unmatched.map(str::to_owned).collect()
        }),
    })
}

/// Compares the two lists of a query by similarity and by differences of groups and items.
fn compare_lists(
    query: &str,
    one: &QueryTruth,
    other: &QueryTruth,
    rbo: RboOptions,
) -> ListComparison {
    let similarity = list_similarity(one, other, rbo);
    let difference = list_difference(one, other);
    let splits = difference.splits().flat_map(|block| {
        let split = |&group: &usize| GroupSplit {
            group,
            into: block.second.clone(),
        };
        block.first.iter().map(split)
    });
    let merges = difference.merges().flat_map(|block| {
        let merge = |&into: &usize| GroupMerge {
            groups: block.first.clone(),
            into,
        };
        block.second.iter().map(merge)
    });
    ListComparison {
        query: query.to_owned(),
        items: [one.list().len(), other.list().len()],
        shared: similarity.shared,
        second_by_first: similarity.second_by_first,
        first_by_second: similarity.first_by_second,
        tau_b: similarity.tau.map(|tau| tau.tau),
        tau_p: similarity.tau.map(|tau| tau.p.two_sided),
        rbo: similarity.rbo,
        splits: splits.collect(),
        merges: merges.collect(),
        moved: difference.moved().cloned().collect(),
        pairs: difference.pairs,
        difference,
    }
}

/// Computes the ADR (average dynamic recall) of both lists, each against the other, with the items
/// of each group in random order.
fn sample_orders(
    both: &[(&str, &QueryTruth, &QueryTruth)],
    samples: u64,
    seed: u64,
    work: &dyn Work,
) -> Result<SampledComparison, WorkError> {
    // Direction 0 takes the first list as the ground truth, direction 1 the second.
    let ranges = work.map("sampling", 2, |direction| {
        let results: Vec<_> = (both.iter())
            .map(|&(name, first, second)| {
                let (truth, list) = [(first, second), (second, first)][direction];
                (name, truth, list_as_ranking(list, truth))
            })
            .collect();
        let queries: Vec<_> = (results.iter())
            .map(|(name, truth, result)| (*name, *truth, result))
            .collect();
        let sampled = sampled_adr(&queries, samples, seed);
        SampledRange {
            mean: sampled.as_ref().map(|sampled| sampled.of_means),
            per_query: sampled.map(|sampled| {
                let names = both.iter().map(|(name, ..)| *name);
                names.zip(sampled.by_query).collect()
            }),
        }
    })?;
    let [second_by_first, first_by_second] =
        <[SampledRange; 2]>::try_from(ranges).expect("the work has two directions");
    Ok(SampledComparison {
        samples,
        seed,
        second_by_first,
        first_by_second,
    })
}
