//! How two items relate.

use std::cmp::Ordering;

use partita_core::{GroupedList, Preference};
use schemars::JsonSchema;
use serde::Serialize;

/// How an item a relates to an item b.
///
/// As in the paper, less means that a is preferred: it is closer to the query, so its rank is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// a is preferred to b.
    Less,
    /// Neither is preferred.
    Equal,
    /// b is preferred to a.
    Greater,
}

impl Relation {
    /// All three, in their order.
    pub const ALL: [Self; 3] = [Self::Less, Self::Equal, Self::Greater];

    /// What one answer says of a and b.
    pub fn from_preference(answer: Preference) -> Self {
        match answer {
            Preference::A => Self::Less,
            Preference::Equal => Self::Equal,
            Preference::B => Self::Greater,
        }
    }

    /// How b relates to a.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Equal => Self::Equal,
            Self::Greater => Self::Less,
        }
    }

    /// How an item in the one group relates to an item in the other.
    pub(crate) fn from_group_numbers(a: usize, b: usize) -> Self {
        Self::from(a.cmp(&b))
    }

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Less => "less",
            Self::Equal => "equal",
            Self::Greater => "greater",
        }
    }
}

/// How the rank of a compares with that of b.
impl From<Ordering> for Relation {
    fn from(ordering: Ordering) -> Self {
        match ordering {
            Ordering::Less => Self::Less,
            Ordering::Equal => Self::Equal,
            Ordering::Greater => Self::Greater,
        }
    }
}

/// The number of the group of each of so many items, from 0.
pub(crate) fn group_numbers(list: &GroupedList, items: usize) -> Vec<usize> {
    let mut groups = vec![0; items];
    for (number, group) in list.groups().enumerate() {
        group.iter().for_each(|item| groups[item.index()] = number);
    }
    groups
}
