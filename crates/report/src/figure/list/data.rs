//! What the figure of a list shows.

use std::collections::HashMap;

use partita_core::Rankings;
use partita_core::truth::{AuditedPair, CheckSettings, CheckedList, Tested};

/// Larger ranks are drawn as this one: no assessor orders more than this many items.
const LARGEST_RANK: f64 = 1e9;

/// A list made from many people's rankings, and where it disagrees with them, by places in the list.
pub(super) struct DrawnList<'a> {
    pub(super) list: &'a CheckedList,
    pub(super) items: Vec<DrawnItem<'a>>,
    pub(super) group_ends: Vec<usize>,
    /// The pairs in the same group that differ, the earlier item first, and those in different
    /// groups that do not.
    pub(super) pairs: [Vec<(usize, usize)>; 2],
    /// The tests by which items differ.
    pub(super) note: String,
}

/// An item and the ranks that people gave it.
pub(super) struct DrawnItem<'a> {
    pub(super) name: &'a str,
    pub(super) ranks: Vec<f64>,
}

impl<'a> DrawnList<'a> {
    pub(super) fn new(
        rankings: &Rankings,
        list: &'a CheckedList,
        settings: &CheckSettings,
    ) -> Self {
        let names = list.list.iter().flatten().map(String::as_str);
        let places: HashMap<&str, usize> = names.clone().zip(0..).collect();
        let places = |pair: &AuditedPair<Tested>| (places[&*pair.a], places[&*pair.b]);
        let items = names.map(|name| {
            let item = rankings.items().get(name);
            let item = item.expect("a list of what was ranked");
            let ranks = rankings.rows().filter_map(|row| row[item.index()]);
            let ranks = ranks.map(|rank| rank.min(LARGEST_RANK)).collect();
            DrawnItem { name, ranks }
        });
        let mut end = 0;
        let ends = list.list.iter().map(|group| {
            end += group.len();
            end
        });
        Self {
            items: items.collect(),
            group_ends: ends.collect(),
            pairs: [&list.audit.intra, &list.audit.inter]
                .map(|pairs| pairs.iter().map(places).collect()),
            note: format!(
                "{}-tailed Mann-Whitney U tests, alpha {}",
                settings.tails,
                settings.alpha.value()
            ),
            list,
        }
    }

    /// The first item of each group and the one after its last, counted from 0.
    pub(super) fn groups(&self) -> impl Iterator<Item = (usize, usize)> {
        let starts = std::iter::once(0).chain(self.group_ends.iter().copied());
        starts.zip(self.group_ends.iter().copied())
    }
}
