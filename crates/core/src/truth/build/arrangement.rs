//! The order of the items before they are grouped.

use std::cmp::Ordering;

use super::rank_samples::RankSamples;
use crate::data::names::{Item, Names};

/// The items in the order of their median ranks; of equal medians by their mean ranks, and of
/// equal means by their names (Urbano et al. 2010, section 2; the names are our addition).
///
/// An item without any rank is left out: there is no place for it.
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
