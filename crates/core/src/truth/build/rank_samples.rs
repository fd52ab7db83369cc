//! Samples of the ranks that assessors gave each item.

use crate::data::assessor_rankings::AssessorRankings;
use crate::data::names::Item;

partita_named::named_enum! {
    /// Treatment of items that an assessor left unranked.
    ///
    /// The sample sizes 15 and 21 in the appendix of Urbano et al. (2010), who had 35 experts, show
    /// that they dropped unranked items. The worst rank of an assessor who ranked r of n items is
    /// the mean of the n - r ranks r+1, ..., n. If the assessor's largest rank m exceeds r, it is
    /// the mean of the n - r ranks after m.
    pub enum UnrankedPolicy: "treatment of unranked items" = LeftOut {
        /// Left out: the assessor adds no rank to the item's sample
        LeftOut = "drop",
        /// Worst rank: the mean of the ranks after the assessor's last one
        Worst = "worst",
    }
}

/// Rank samples of the items of one query: the ranks of each item, in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub struct RankSamples {
    /// Ranks of all items, item by item.
    ranks: Vec<f64>,
    /// Index in `ranks` after the last rank of each item.
    ends: Vec<usize>,
}

impl RankSamples {
    /// Collects the ranks that all assessors gave the items, and imputed ranks if `unranked`
    /// requires them.
    pub fn new(rankings: &AssessorRankings, unranked: UnrankedPolicy) -> Self {
        Self::from_assessors(rankings, unranked, &all_assessors(rankings))
    }

    /// Collects the ranks that the given assessors gave the items, and imputed ranks if `unranked`
    /// requires them. An assessor may occur several times. Panics if there is no such assessor.
    pub fn from_assessors(
        rankings: &AssessorRankings,
        unranked: UnrankedPolicy,
        assessors: &[usize],
    ) -> Self {
        let rows: Vec<(&[Option<f64>], Option<f64>)> = (assessors.iter())
            .map(|&assessor| rankings.row(assessor))
            .map(|row| (row, imputed_rank(row, unranked)))
            .collect();
        let items = rankings.items().len();
        let mut ranks = Vec::with_capacity(items * rows.len());
        let mut ends = Vec::with_capacity(items);
        for item in 0..items {
            let start = ranks.len();
            ranks.extend(
                rows.iter()
                    .filter_map(|(row, imputed)| row[item].or(*imputed)),
            );
            ranks[start..].sort_unstable_by(f64::total_cmp);
            ends.push(ranks.len());
        }
        Self { ranks, ends }
    }

    /// Returns the number of items, including those without any rank.
    pub fn item_count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the ranks of an item, in ascending order. Panics if there is no such item.
    pub fn sample(&self, item: Item) -> &[f64] {
        let index = item.index();
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ranks[start..self.ends[index]]
    }

    /// Returns the median rank of an item; `None` if it has no rank. For an even number of ranks it
    /// is the mean of the middle two.
    pub fn median(&self, item: Item) -> Option<f64> {
        let sample = self.sample(item);
        let upper = *sample.get(sample.len() / 2)?;
        let lower = sample[(sample.len() - 1) / 2];
        Some(lower + (upper - lower) / 2.0)
    }

    /// Returns the mean rank of an item; `None` if it has no rank.
    pub fn mean(&self, item: Item) -> Option<f64> {
        let sample = self.sample(item);
        // The ranks are summed in ascending order, so that the order of the assessors cannot change
        // the rounding.
        (!sample.is_empty()).then(|| sample.iter().sum::<f64>() / sample.len() as f64)
    }
}

/// Returns the indices of all assessors in the rankings.
pub(crate) fn all_assessors(rankings: &AssessorRankings) -> Vec<usize> {
    (0..rankings.assessors().len()).collect()
}

/// Returns the rank that replaces missing ranks in the row of an assessor; `None` if missing ranks
/// are left out.
fn imputed_rank(row: &[Option<f64>], unranked: UnrankedPolicy) -> Option<f64> {
    if unranked == UnrankedPolicy::LeftOut {
        return None;
    }
    let ranks = row.iter().flatten();
    let count = ranks.clone().count();
    let last_taken = ranks.fold(count as f64, |most, &rank| most.max(rank));
    Some(last_taken + ((row.len() - count) as f64 + 1.0) / 2.0)
}
