//! What became of a list: which groups were split or merged, and which items moved.
//!
//! The number of a group says little, since one split makes every later number another. So the
//! groups of two lists are aligned first: in order, one to one, or one to several where a group was
//! split or several were merged, such that as many items as possible are in aligned groups. These
//! have kept their place among the others, and what is left has moved. Only items in both lists
//! are aligned; items in one alone are named as such.
//!
//! ```
//! use partita_core::Judged;
//! use partita_core::difference::{Change, difference};
//!
//! let first = Judged::of_groups([["a", "b", "c"].as_slice(), &["d"], &["e"], &["f"]])?;
//! let second = Judged::of_groups([["a"].as_slice(), &["b", "c"], &["f"], &["d"], &["e", "g"]])?;
//! let found = difference(&first, &second);
//! let split = found.splits().next().unwrap();
//! assert_eq!((&split.first[..], &split.second[..]), (&[1][..], &[1, 2][..]));
//! let told: Vec<_> = (found.items.iter())
//!     .filter(|item| item.change != Change::Same)
//!     .map(|item| (item.name.as_str(), item.change))
//!     .collect();
//! assert_eq!(told[3..], [("f", Change::Earlier), ("g", Change::OnlySecond)]);
//! // Of 15 pairs, f goes before d and before e, and a is no longer tied to b and to c.
//! assert_eq!((found.pairs.reversed, found.pairs.tied_in_first_only), (2, 2));
//! # Ok::<(), partita_core::JudgedError>(())
//! ```

use schemars::JsonSchema;
use serde::Serialize;

use crate::data::ground_truth::QueryTruth;

pub use super::group_alignment::GroupAlignment;

/// How a list differs from another one of the same query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListDifference {
    /// The groups that belong together, in order.
    pub aligned: Vec<GroupAlignment>,
    /// What became of each item: those of the first list in order, then the others.
    pub items: Vec<ItemChange>,
    /// How many pairs of items in both lists have which relations.
    pub pairs: PairRelationCounts,
}

/// What became of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ItemChange {
    /// The item.
    #[serde(rename = "item")]
    pub name: String,
    /// Its group in the first list, counted from 1.
    pub first: Option<usize>,
    /// Its group in the second list, counted from 1.
    pub second: Option<usize>,
    /// What became of it.
    pub change: ItemChangeKind,
}

partita_named::named_enum! {
    /// What became of an item, as seen from the items that kept their place.
    pub enum ItemChangeKind: "change" {
        /// Its groups in the two lists belong together
        Same = "same",
        /// Its group was split, and it is in one of the parts
        Split = "split",
        /// Its group was merged with others
        Merged = "merged",
        /// It moved towards the top
        Earlier = "earlier",
        /// It moved towards the end
        Later = "later",
        /// It is in the first list alone
        OnlyFirst = "only_first",
        /// It is in the second list alone
        OnlySecond = "only_second",
    }
}

impl ItemChangeKind {
    /// Whether an item moved, or is in one list alone.
    pub const fn is_move(self) -> bool {
        !matches!(self, Self::Same | Self::Split | Self::Merged)
    }
}

/// How many pairs of items have which relations in two lists. These are all there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairRelationCounts {
    /// In the same order in both lists, or tied in both.
    pub same: u64,
    /// Tied in the first list and ordered in the second.
    pub tied_in_first_only: u64,
    /// Ordered in the first list and tied in the second.
    pub tied_in_second_only: u64,
    /// In opposite orders.
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
    /// The groups of the first list that were split.
    pub fn splits(&self) -> impl Iterator<Item = &GroupAlignment> {
        self.aligned.iter().filter(|block| block.second.len() > 1)
    }

    /// The groups of the first list that were merged.
    pub fn merges(&self) -> impl Iterator<Item = &GroupAlignment> {
        self.aligned.iter().filter(|block| block.first.len() > 1)
    }

    /// The items that moved, and those in one list alone.
    pub fn moved(&self) -> impl Iterator<Item = &ItemChange> {
        self.items.iter().filter(|item| item.change.is_move())
    }
}

/// Finds out how the second list differs from the first.
pub fn list_difference(first: &QueryTruth, second: &QueryTruth) -> ListDifference {
    let group = |list: &QueryTruth, name: &str| list.group(list.names().get(name)?);
    let name = |list: &'_ QueryTruth, item| list.names().name(item).to_owned();
    let mut items: Vec<ItemChange> = Vec::new();
    for &item in first.list().items() {
        let name = name(first, item);
        let other = group(second, &name);
        items.push(ItemChange {
            first: first.group(item).map(|group| group + 1),
            second: other.map(|group| group + 1),
            change: ItemChangeKind::OnlyFirst,
            name,
        });
    }
    let both: Vec<[usize; 2]> = (items.iter())
        .filter_map(|item| Some([item.first?, item.second?]))
        .collect();
    let aligned = super::group_alignment::align(&both);
    let kept: Vec<[usize; 2]> = both
        .iter()
        .copied()
        .filter(|&groups| super::group_alignment::find_alignment(&aligned, groups).is_some())
        .collect();
    for item in &mut items {
        if let (Some(one), Some(other)) = (item.first, item.second) {
            item.change = change(&aligned, &kept, [one, other]);
        }
    }
    let alone = second.list().items().iter();
    let alone = alone.filter(|&&item| group(first, second.names().name(item)).is_none());
    items.extend(alone.map(|&item| ItemChange {
        name: name(second, item),
        first: None,
        second: second.group(item).map(|group| group + 1),
        change: ItemChangeKind::OnlySecond,
    }));
    ListDifference {
        aligned,
        items,
        pairs: pairs(&both),
    }
}

/// What became of an item in these groups.
fn change(aligned: &[GroupAlignment], kept: &[[usize; 2]], groups: [usize; 2]) -> ItemChangeKind {
    match super::group_alignment::find_alignment(aligned, groups) {
        Some(block) if block.second.len() > 1 => ItemChangeKind::Split,
        Some(block) if block.first.len() > 1 => ItemChangeKind::Merged,
        Some(_) => ItemChangeKind::Same,
        // How many more items that kept their place come after it now than did; half for a tie.
        None => {
            let gained = |other: &[usize; 2]| {
                let [was, is] = [0, 1].map(|list| other[list].cmp(&groups[list]) as i64);
                is - was
            };
            let gained: i64 = kept.iter().map(gained).sum();
            match gained > 0 || gained == 0 && groups[1] < groups[0] {
                true => ItemChangeKind::Earlier,
                false => ItemChangeKind::Later,
            }
        }
    }
}

fn pairs(both: &[[usize; 2]]) -> PairRelationCounts {
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
