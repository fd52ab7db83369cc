//! Order of the items by rank, before they are grouped.

use super::rank_samples::RankSamples;
use crate::data::names::{Item, Names};

/// Sorts the items by median rank, then by mean rank (Urbano et al. 2010, section 2), then by name
/// (our addition).
///
/// Items without any rank are left out.
pub fn arrange(samples: &RankSamples, names: &Names) -> Vec<Item> {
    let mut ranked: Vec<(f64, f64, Item)> = (names.items())
        .filter_map(|item| Some((samples.median(item)?, samples.mean(item)?, item)))
        .collect();
    ranked.sort_by(|(median_a, mean_a, a), (median_b, mean_b, b)| {
        (median_a.total_cmp(median_b))
            .then(mean_a.total_cmp(mean_b))
            .then_with(|| names.name(*a).cmp(names.name(*b)))
    });
    ranked.into_iter().map(|(_, _, item)| item).collect()
}
