//! How two items relate.

use std::cmp::Ordering;

use partita_core::Answer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an item a relates to an item b.
///
/// As in the paper, less means that a is preferred: it is closer to the query, so its rank is less.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
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
    pub fn of(answer: Answer) -> Self {
        match answer {
            Answer::A => Self::Less,
            Answer::Equal => Self::Equal,
            Answer::B => Self::Greater,
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

    /// How the rank of a compares with that of b.
    pub fn ordering(self) -> Ordering {
        match self {
            Self::Less => Ordering::Less,
            Self::Equal => Ordering::Equal,
            Self::Greater => Ordering::Greater,
        }
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
