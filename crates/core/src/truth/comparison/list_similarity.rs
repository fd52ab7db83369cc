//! Similarity of two lists of one query.

use partita_stats::correlation::kendall::{KendallTau, kendall};
use partita_stats::random::{shuffle, stream, stream_id};

use super::rbo::{RboTies, rank_biased_overlap};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};
use crate::evaluation::mean;
use crate::measure::{ScoreRange, average_dynamic_recall};

/// Similarity of two partially ordered lists of one query, by several measures.
#[derive(Clone, Debug, PartialEq)]
pub struct ListSimilarity {
    /// ADR (average dynamic recall) of the second list, treated as a result, against the first: the
    /// range over all orders within its groups. `None` if the first list is empty.
    pub second_by_first: Option<ScoreRange>,
    /// ADR (average dynamic recall) of the first list, treated as a result, against the second;
    /// `None` if the second list is empty.
    pub first_by_second: Option<ScoreRange>,
    /// Number of items in both lists.
    pub shared: usize,
    /// Kendall's tau-b between the groups of the items in both lists; `None` if there are fewer
    /// than 2 such items, or if all are in one group of either list.
    pub tau: Option<KendallTau>,
    /// Rank-biased overlap of the two lists; `None` if a list is empty or the persistence is not
    /// between 0 and 1.
    pub rbo: Option<f64>,
}

/// Options of rank-biased overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RboOptions {
    /// Persistence: probability of continuing to the next depth, between 0 and 1.
    pub p: f64,
    /// Treatment of tied items, which are in the same group of a list.
    pub ties: RboTies,
}

impl Default for RboOptions {
    fn default() -> Self {
        Self {
            p: 0.9,
            ties: RboTies::default(),
        }
    }
}

/// Compares two lists of one query, treating one as ground truth and the other as a result (Urbano,
/// Morato, Marrero and Martín 2010, section 5.4).
///
/// ```
/// use partita_core::QueryTruth;
/// use partita_core::truth::{RboOptions, list_similarity};
///
/// // The example of the paper: the order of D, E and C is random.
/// let first = QueryTruth::from_groups([["A", "B", "C"].as_slice(), &["D", "E"]])?;
/// let second = QueryTruth::from_groups([["A", "B"].as_slice(), &["D", "E", "C"]])?;
/// let similarity = list_similarity(&first, &second, RboOptions::default());
/// let adr = similarity.second_by_first.unwrap();
/// assert_eq!(adr.max, 1.0);
/// assert!((adr.min - 14.0 / 15.0).abs() < 1e-12);
/// # Ok::<(), partita_core::GroundTruthError>(())
/// ```
pub fn list_similarity(first: &QueryTruth, second: &QueryTruth, rbo: RboOptions) -> ListSimilarity {
    // Groups of each shared item in both lists, in the order of the first list.
    let both = first
        .list()
        .items_with_groups()
        .filter_map(|(group, item)| {
            let other = second.names().get(first.names().name(item))?;
            Some((group as f64, second.group(other)? as f64))
        });
    let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
    ListSimilarity {
        second_by_first: adr_range(first, second),
        first_by_second: adr_range(second, first),
        shared: x.len(),
        tau: kendall(&x, &y).ok().flatten(),
        rbo: rank_biased_overlap(first, second, rbo.p, rbo.ties),
    }
}

/// Converts a list to a ranking, as if a system had returned it, in the item numbers of `truth`.
pub fn list_as_ranking(list: &QueryTruth, truth: &QueryTruth) -> Ranking {
    let name = |&item: &_| list.names().name(item);
    Ranking::from_name_groups(
        truth.names(),
        list.list().groups().map(|group| group.iter().map(name)),
    )
}

/// Computes the exact range of the ADR (average dynamic recall) of a list that is treated as a
/// result, over all orders of the items within its groups.
fn adr_range(truth: &QueryTruth, list: &QueryTruth) -> Option<ScoreRange> {
    let result = list_as_ranking(list, truth);
    let score = |ranking: &Ranking| average_dynamic_recall(truth, ranking);
    Some(ScoreRange {
        min: score(&result.worst_order(truth))?,
        mean: score(&result)?,
        max: score(&result.best_order(truth))?,
    })
}

/// ADR (average dynamic recall) of the lists of several queries, with the items of each group in
/// random order. This is the method of Urbano, Morato, Marrero and Martín (2010), who draw 1,000
/// sets of lists.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledAdr {
    /// Minimum, mean and maximum, over the random orders, of the ADR averaged over the queries, as
    /// in Table 7 of Urbano, Morato, Marrero and Martín (2010).
    pub of_means: ScoreRange,
    /// Minimum, mean and maximum, over the random orders, of the ADR of each query; `None` where
    /// ADR is undefined.
    pub by_query: Vec<Option<ScoreRange>>,
}

/// Computes the ADR (average dynamic recall) of one list with the items of each group in random
/// order. The random stream depends only on the seed, the sample number and the name of the query.
fn adr_of_random_order(
    truth: &QueryTruth,
    result: &Ranking,
    query: &str,
    seed: u64,
    sample: u64,
) -> Option<f64> {
    let mut path = vec![stream_id::SAMPLED_ORDERS, sample];
    path.extend(query.bytes().map(u64::from));
    let mut random = stream(seed, &path);
    let mut slots: Vec<Slot> = Vec::with_capacity(result.len());
    for group in result.groups() {
        let start = slots.len();
        slots.extend_from_slice(group);
        // Sort by name before shuffling, so that the order of the items in a file has no effect.
        let name = |slot: &Slot| slot.item().map(|item| truth.names().name(item));
        slots[start..].sort_by(|a, b| name(a).cmp(&name(b)));
        shuffle(&mut random, &mut slots[start..]);
    }
    average_dynamic_recall(truth, &Ranking::from_slots(slots))
}

/// Computes the ADR (average dynamic recall) of results against ground truths, each in `samples`
/// random orders of the tied items. Each query has a name, a ground truth and a result.
///
/// Returns `None` if there are no samples or no query has a defined ADR. The range over samples is
/// never wider than the exact range, and usually much narrower for a mean over queries.
pub fn sampled_adr(
    queries: &[(&str, &QueryTruth, &Ranking)],
    samples: u64,
    seed: u64,
) -> Option<SampledAdr> {
    // ADR of each random order, one row per query; `None` if ADR is undefined.
    let scores: Vec<Vec<Option<f64>>> = (queries.iter())
        .map(|(query, truth, result)| {
            (0..samples)
                .map(|sample| adr_of_random_order(truth, result, query, seed, sample))
                .collect()
        })
        .collect();
    let means: Vec<Option<f64>> = (0..samples as usize)
        .map(|sample| mean(scores.iter().map(|row| row[sample])))
        .collect();
    Some(SampledAdr {
        of_means: score_range(&means)?,
        by_query: scores.iter().map(|row| score_range(row)).collect(),
    })
}

/// Returns the minimum, mean and maximum of some scores; `None` if there are no scores or one is
/// undefined.
fn score_range(scores: &[Option<f64>]) -> Option<ScoreRange> {
    let defined: Vec<f64> = scores.iter().copied().collect::<Option<_>>()?;
    Some(ScoreRange {
        min: defined.iter().copied().fold(f64::INFINITY, f64::min),
        mean: mean(scores.iter().copied())?,
        max: defined.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    })
}
