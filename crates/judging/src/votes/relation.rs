//! Relation of two items: which is preferred, or that they are equal.

use std::cmp::Ordering;

use partita_core::{GroupedList, Preference};
use schemars::JsonSchema;
use serde::Serialize;

/// Relation of an item a to an item b.
///
/// As in Urbano et al. (2010), less means that a is preferred: it is closer to the query, so its
/// rank is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// a is preferred to b.
    Less,
    /// The items are equal.
    Equal,
    /// b is preferred to a.
    Greater,
}

impl Relation {
    /// All three relations, from a preferred to b preferred.
    pub const ALL: [Self; 3] = [Self::Less, Self::Equal, Self::Greater];

    /// Returns the relation of a to b that one assessor's answer expresses.
    pub fn from_preference(answer: Preference) -> Self {
        match answer {
            Preference::A => Self::Less,
            Preference::Equal => Self::Equal,
            Preference::B => Self::Greater,
        }
    }

    /// Returns the relation of b to a.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Equal => Self::Equal,
            Self::Greater => Self::Less,
        }
    }

    /// Returns the relation of two items of a list from the numbers of their groups; the item of
    /// the earlier group is preferred.
    pub(crate) fn from_group_numbers(a: usize, b: usize) -> Self {
        Self::from(a.cmp(&b))
    }

    /// Returns the name of the relation in files: `less`, `equal` or `greater`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Less => "less",
            Self::Equal => "equal",
            Self::Greater => "greater",
        }
    }
}

/// Converts the comparison of a's rank with b's rank; the lower rank is preferred.
impl From<Ordering> for Relation {
    fn from(ordering: Ordering) -> Self {
        match ordering {
            Ordering::Less => Self::Less,
            Ordering::Equal => Self::Equal,
            Ordering::Greater => Self::Greater,
        }
    }
}

/// Returns the group number, from 0, of each item with a number below `items`; 0 for items that are
/// not in the list.
pub(crate) fn group_numbers(list: &GroupedList, items: usize) -> Vec<usize> {
    let mut groups = vec![0; items];
    for (number, group) in list.groups().enumerate() {
        group.iter().for_each(|item| groups[item.index()] = number);
    }
    groups
}
