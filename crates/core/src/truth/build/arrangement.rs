//! Order of the items before grouping.

use std::cmp::Ordering;

use super::rank_samples::RankSamples;
use crate::data::names::{Item, Names};

/// Sorts the items by median rank, then by mean rank (Urbano et al. 2010, section 2), then by name
/// (our addition).
///
/// Items without any rank are left out.
pub fn arrange(samples: &RankSamples, names: &Names) -> Vec<Item> {
    let mut places: Vec<ItemRankKey> = (names.items())
        .filter_map(|item| ItemRankKey::from_samples(item, samples))
        .collect();
    places.sort_by(|a, b| {
        a.compare(b)
            .then_with(|| names.name(a.item).cmp(names.name(b.item)))
    });
    places.into_iter().map(|place| place.item).collect()
}

struct ItemRankKey {
    median: f64,
    mean: f64,
    item: Item,
}

impl ItemRankKey {
    fn from_samples(item: Item, samples: &RankSamples) -> Option<Self> {
        let (median, mean) = (samples.median(item)?, samples.mean(item)?);
        Some(Self { median, mean, item })
    }

    fn compare(&self, other: &Self) -> Ordering {
        let medians = self.median.total_cmp(&other.median);
        medians.then(self.mean.total_cmp(&other.mean))
    }
}
