//! Two ground truths against each other.

use partita_stats::correlation::kendall::{KendallTau, kendall};
use partita_stats::random::{shuffle, stream, stream_id};

use super::rbo::{RboTies, rank_biased_overlap};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};
use crate::measure::{ScoreRange, average_dynamic_recall};
use crate::truth::list_scores::mean;

/// How alike two lists of one query are.
#[derive(Clone, Debug, PartialEq)]
pub struct ListSimilarity {
    /// The ADR of the second list, read as a result, against the first: over all orders within
    /// its groups. `None` if the first is empty.
    pub second_by_first: Option<ScoreRange>,
    /// The ADR of the first list against the second.
    pub first_by_second: Option<ScoreRange>,
    /// How many items are in both lists.
    pub shared: usize,
    /// Kendall's tau-b of the groups of the items that are in both; `None` if these are fewer
    /// than 2 or all in one group of either list.
    pub tau: Option<KendallTau>,
    /// Rank-biased overlap; `None` if a list is empty.
    pub rbo: Option<f64>,
}

/// How rank-biased overlap is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RboOptions {
    /// The probability of going on to the next depth, between 0 and 1.
    pub p: f64,
    /// What a tie means.
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

/// Compares two lists of one query (paper 004, section 5.4, which takes one as ground truth and
/// the other as a result).
///
/// ```
/// use partita_core::Judged;
/// use partita_core::truth::{Rbo, likeness};
///
/// // The example of the paper: the order of D, E and C is a matter of chance.
/// let first = Judged::of_groups([["A", "B", "C"].as_slice(), &["D", "E"]])?;
/// let second = Judged::of_groups([["A", "B"].as_slice(), &["D", "E", "C"]])?;
/// let found = likeness(&first, &second, Rbo::default());
/// let adr = found.second_by_first.unwrap();
/// assert_eq!(adr.max, 1.0);
/// assert!((adr.min - 14.0 / 15.0).abs() < 1e-12);
/// # Ok::<(), partita_core::JudgedError>(())
/// ```
pub fn list_similarity(first: &QueryTruth, second: &QueryTruth, rbo: RboOptions) -> ListSimilarity {
    // The groups of the items in both, in the order of the first.
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

/// A list as a result, in the item numbers of a ground truth.
pub fn list_as_ranking(list: &QueryTruth, truth: &QueryTruth) -> Ranking {
    let name = |&item: &_| list.names().name(item);
    Ranking::from_name_groups(
        truth.names(),
        list.list().groups().map(|group| group.iter().map(name)),
    )
}

/// The exact range of ADR over the orders within the groups of a list that is read as a result.
fn adr_range(truth: &QueryTruth, list: &QueryTruth) -> Option<ScoreRange> {
    let result = list_as_ranking(list, truth);
    let score = |ranking: &Ranking| average_dynamic_recall(truth, ranking);
    Some(ScoreRange {
        min: score(&result.worst_order(truth))?,
        mean: score(&result)?,
        max: score(&result.best_order(truth))?,
    })
}

/// The ADR of lists of several queries in random orders within their groups: the way of paper 004,
/// which draws 1,000 sets of such lists.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledAdr {
    /// The extremes and the mean, over the samples, of the mean over the queries: what Table 7 of
    /// the paper prints.
    pub of_means: ScoreRange,
    /// The same for each query by itself.
    pub by_query: Vec<Option<ScoreRange>>,
}

/// The ADR of one list in a random order within its groups: a function of the seed, the number of
/// the sample and the name of the query.
pub fn adr_of_random_order(
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
        // By name first, so that the order of a file changes nothing.
        let name = |slot: &Slot| slot.item().map(|item| truth.names().name(item));
        slots[start..].sort_by(|a, b| name(a).cmp(&name(b)));
        shuffle(&mut random, &mut slots[start..]);
    }
    average_dynamic_recall(truth, &Ranking::from_slots(slots))
}

/// The ADR of results against truths, a name and both for each query, in this many random orders.
///
/// `None` if there is no sample or no query whose ADR is defined. The exact extremes of one query
/// are wider than those of 1,000 samples, and those of a mean over queries far more so.
pub fn sampled_adr(
    queries: &[(&str, &QueryTruth, &Ranking)],
    samples: u64,
    seed: u64,
) -> Option<SampledAdr> {
    // A row for each query; NaN where ADR is undefined.
    let scores: Vec<Vec<f64>> = (queries.iter())
        .map(|(query, truth, result)| {
            (0..samples)
                .map(|sample| adr_of_random_order(truth, result, query, seed, sample))
                .map(|adr| adr.unwrap_or(f64::NAN))
                .collect()
        })
        .collect();
    let mut by_name: Vec<usize> = (0..queries.len()).collect();
    by_name.sort_by_key(|&query| queries[query].0);
    let means = (0..samples as usize)
        .map(|sample| mean(by_name.iter().map(|&query| scores[query][sample])));
    Some(SampledAdr {
        of_means: range(&means.collect::<Vec<f64>>())?,
        by_query: scores.iter().map(|row| range(row)).collect(),
    })
}

fn range(values: &[f64]) -> Option<ScoreRange> {
    if values.is_empty() || values.iter().any(|value| value.is_nan()) {
        return None;
    }
    Some(ScoreRange {
        min: values.iter().copied().fold(f64::INFINITY, f64::min),
        mean: mean(values.iter().copied()),
        max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    })
}
