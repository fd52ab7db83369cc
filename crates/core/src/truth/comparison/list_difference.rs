//! Difference of two lists: groups that were split or merged, and items that moved.
//!
//! Group numbers alone say little, because one split changes every later number. So the groups of
//! the two lists are aligned first: in order, one to one, or one to several if a group was split or
//! several were merged, so that as many items as possible are in aligned groups. Aligned items kept
//! their place; the others moved. Only items in both lists are aligned; items in one list only are
//! reported as such.
//!
//! ```
//! use partita_core::QueryTruth;
//! use partita_core::truth::comparison::list_difference::{ItemChangeKind, list_difference};
//!
//! let first = QueryTruth::from_groups([["a", "b", "c"].as_slice(), &["d"], &["e"], &["f"]])?;
//! let second =
//!     QueryTruth::from_groups([["a"].as_slice(), &["b", "c"], &["f"], &["d"], &["e", "g"]])?;
//! let difference = list_difference(&first, &second);
//! let split = difference.splits().next().unwrap();
//! assert_eq!((&split.first[..], &split.second[..]), (&[1][..], &[1, 2][..]));
//! let changes: Vec<_> = (difference.items.iter())
//!     .filter(|item| item.change != ItemChangeKind::Same)
//!     .map(|item| (item.name.as_str(), item.change))
//!     .collect();
//! assert_eq!(changes[3..], [("f", ItemChangeKind::Earlier), ("g", ItemChangeKind::OnlySecond)]);
//! // Of 15 pairs, f is now before d and e, and a is no longer tied with b and c.
//! assert_eq!((difference.pairs.reversed, difference.pairs.tied_in_first_only), (2, 2));
//! # Ok::<(), partita_core::GroundTruthError>(())
//! ```

use schemars::JsonSchema;
use serde::Serialize;

use super::group_alignment::{align_groups, find_alignment};
use crate::data::ground_truth::QueryTruth;

pub use super::group_alignment::GroupAlignment;

/// Difference between two lists of the same query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListDifference {
    /// Groups of the two lists that are aligned with each other, in the order of the lists.
    pub aligned: Vec<GroupAlignment>,
    /// Change of each item: the items of the first list in order, then the items that are only in
    /// the second list.
    pub items: Vec<ItemChange>,
    /// Counts of the pairs of shared items, by their relations in the two lists.
    pub pairs: PairRelationCounts,
}

/// Change of an item's place between two lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ItemChange {
    /// Name of the item.
    #[serde(rename = "item")]
    pub name: String,
    /// Group of the item in the first list, counted from 1; null if it is not in that list.
    pub first: Option<usize>,
    /// Group of the item in the second list, counted from 1; null if it is not in that list.
    pub second: Option<usize>,
    /// Kind of change between the two lists.
    pub change: ItemChangeKind,
}

partita_named::named_enum! {
    /// Kind of change of an item between two lists, relative to the items that kept their place.
    pub enum ItemChangeKind: "change" {
        /// The item's groups in the two lists correspond
        Same = "same",
        /// The item's group was split, and the item is in one of the parts
        Split = "split",
        /// The item's group was merged with others
        Merged = "merged",
        /// The item moved towards the top
        Earlier = "earlier",
        /// The item moved towards the end
        Later = "later",
        /// The item is only in the first list
        OnlyFirst = "only_first",
        /// The item is only in the second list
        OnlySecond = "only_second",
    }
}

impl ItemChangeKind {
    /// Returns true if an item moved, or is in one list only.
    pub const fn is_move(self) -> bool {
        !matches!(self, Self::Same | Self::Split | Self::Merged)
    }
}

/// Counts of pairs of items by their relations in two lists. Every pair is in exactly one count.
/// Items of the same group are tied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairRelationCounts {
    /// Number of pairs in the same order in both lists, or tied in both.
    pub same: u64,
    /// Number of pairs tied in the first list and ordered in the second.
    pub tied_in_first_only: u64,
    /// Number of pairs ordered in the first list and tied in the second.
    pub tied_in_second_only: u64,
    /// Number of pairs in opposite orders in the two lists.
    pub reversed: u64,
}

impl std::ops::AddAssign for PairRelationCounts {
    fn add_assign(&mut self, other: Self) {
        self.same += other.same;
        self.tied_in_first_only += other.tied_in_first_only;
        self.tied_in_second_only += other.tied_in_second_only;
        self.reversed += other.reversed;
    }
}

impl ListDifference {
    /// Returns the alignments in which a group of the first list was split into several groups.
    pub fn splits(&self) -> impl Iterator<Item = &GroupAlignment> {
        self.aligned.iter().filter(|block| block.second.len() > 1)
    }

    /// Returns the alignments in which several groups of the first list were merged into one.
    pub fn merges(&self) -> impl Iterator<Item = &GroupAlignment> {
        self.aligned.iter().filter(|block| block.first.len() > 1)
    }

    /// Returns the items that moved relative to the others, and the items that are in one list
    /// only.
    pub fn moved(&self) -> impl Iterator<Item = &ItemChange> {
        self.items.iter().filter(|item| item.change.is_move())
    }
}

/// Computes the difference between two lists of the same query.
pub fn list_difference(first: &QueryTruth, second: &QueryTruth) -> ListDifference {
    let group = |list: &QueryTruth, name: &str| list.group(list.names().get(name)?);
    let name = |list: &'_ QueryTruth, item| list.names().name(item).to_owned();
    let mut items: Vec<ItemChange> = (first.list().items().iter())
        .map(|&item| {
            let name = name(first, item);
            ItemChange {
                first: first.group(item).map(|group| group + 1),
                second: group(second, &name).map(|group| group + 1),
                change: ItemChangeKind::OnlyFirst,
                name,
            }
        })
        .collect();
    let both: Vec<[usize; 2]> = (items.iter())
        .filter_map(|item| Some([item.first?, item.second?]))
        .collect();
    let aligned = align_groups(&both);
    let kept: Vec<[usize; 2]> = (both.iter().copied())
        .filter(|&groups| find_alignment(&aligned, groups).is_some())
        .collect();
    for item in &mut items {
        if let (Some(one), Some(other)) = (item.first, item.second) {
            item.change = change_kind(&aligned, &kept, [one, other]);
        }
    }
    let only_second = (second.list().items().iter())
        .filter(|&&item| group(first, second.names().name(item)).is_none());
    items.extend(only_second.map(|&item| ItemChange {
        name: name(second, item),
        first: None,
        second: second.group(item).map(|group| group + 1),
        change: ItemChangeKind::OnlySecond,
    }));
    ListDifference {
        aligned,
        items,
        pairs: count_pair_relations(&both),
    }
}

/// Returns the kind of change of an item with the given groups in the first and second list. `kept`
/// holds, for each item in aligned groups, its groups in both lists.
fn change_kind(
    aligned: &[GroupAlignment],
    kept: &[[usize; 2]],
    groups: [usize; 2],
) -> ItemChangeKind {
    match find_alignment(aligned, groups) {
        Some(block) if block.second.len() > 1 => ItemChangeKind::Split,
        Some(block) if block.first.len() > 1 => ItemChangeKind::Merged,
        Some(_) => ItemChangeKind::Same,
        // Count the items in aligned groups that this item overtook, minus those that overtook it.
        // An item that became tied with it, or is no longer tied with it, counts half.
        None => {
            let gained = |other: &[usize; 2]| {
                let [was, is] = [0, 1].map(|list| other[list].cmp(&groups[list]) as i64);
                is - was
            };
            let gained: i64 = kept.iter().map(gained).sum();
            if gained > 0 || gained == 0 && groups[1] < groups[0] {
                ItemChangeKind::Earlier
            } else {
                ItemChangeKind::Later
            }
        }
    }
}

/// Counts the pairs of items by their relations in the two lists. `both` holds the groups of each
/// item in the two lists.
fn count_pair_relations(both: &[[usize; 2]]) -> PairRelationCounts {
    let mut found = PairRelationCounts::default();
    for (index, one) in both.iter().enumerate() {
        for other in &both[..index] {
            let count = match [0, 1].map(|list| other[list].cmp(&one[list])) {
                [was, is] if was == is => &mut found.same,
                [was, _] if was.is_eq() => &mut found.tied_in_first_only,
                [_, is] if is.is_eq() => &mut found.tied_in_second_only,
                _ => &mut found.reversed,
            };
            *count += 1;
        }
    }
    found
}
