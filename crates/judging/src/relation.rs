//! How two items relate.

/// How an item a relates to an item b.
///
/// As in the paper, less means that a is preferred: it is closer to the query, so its rank is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// a is preferred to b.
    Less,
    /// Neither is preferred.
    Equal,
    /// b is preferred to a.
    Greater,
}

impl Relation {
    /// How b relates to a.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Equal => Self::Equal,
            Self::Greater => Self::Less,
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
