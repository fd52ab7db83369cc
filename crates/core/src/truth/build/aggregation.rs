//! The six functions that group an arranged list.

use super::item_pair_tests::{ItemPairVerdict, Tails};

/// Which earlier items the next one must differ from to open a new group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GroupingRationale {
    /// Every item of the current group, which lets groups grow large.
    All,
    /// Any item of the current group, which keeps groups small.
    Any,
    /// The item just before.
    Prev,
}

partita_named::named_enum! {
    /// An aggregation function: a rationale and a test (Urbano et al. 2010, section 4).
    ///
    /// The two-tailed functions ask whether the ranks of two items differ. The one-tailed ones ask
    /// only whether the ranks of the earlier item are smaller, because the list is arranged: that the
    /// test the other way would reject does not set two items apart. (It does count as an
    /// inconsistency of the list.)
    ///
    /// ```
    /// use partita_core::truth::{Aggregation, Rationale, Tails};
    ///
    /// let original: Aggregation = "All-2".parse()?;
    /// assert_eq!((original.rationale(), original.tails()), (Rationale::All, Tails::Two));
    /// assert_eq!(original.to_string(), "all-2");
    /// # Ok::<(), partita_named::UnknownName>(())
    /// ```
    pub enum Aggregation: "aggregation function" = Any1 {
        /// Differs from all items of the group, 2-tailed: the original lists of Typke et al. (2005)
        All2 = "all-2",
        /// Differs from any item of the group, 2-tailed
        Any2 = "any-2",
        /// Differs from the item just before, 2-tailed
        Prev2 = "prev-2",
        /// Differs from all items of the group, 1-tailed
        All1 = "all-1",
        /// Differs from any item of the group, 1-tailed: the most consistent lists
        Any1 = "any-1",
        /// Differs from the item just before, 1-tailed
        Prev1 = "prev-1",
    }
}

impl Aggregation {
    /// The six functions, in the order of the paper's tables; the original is the first.
    pub const ALL_FUNCTIONS: [Self; 6] = [
        Self::All2,
        Self::Any2,
        Self::Prev2,
        Self::All1,
        Self::Any1,
        Self::Prev1,
    ];

    /// Which earlier items count.
    pub fn rationale(self) -> GroupingRationale {
        match self {
            Self::All1 | Self::All2 => GroupingRationale::All,
            Self::Any1 | Self::Any2 => GroupingRationale::Any,
            Self::Prev1 | Self::Prev2 => GroupingRationale::Prev,
        }
    }

    /// How they are tested.
    pub fn tails(self) -> Tails {
        match self {
            Self::All1 | Self::Any1 | Self::Prev1 => Tails::One,
            Self::All2 | Self::Any2 | Self::Prev2 => Tails::Two,
        }
    }

    /// Whether this verdict on an earlier item against a later one sets them apart.
    pub fn separates(self, verdict: ItemPairVerdict) -> bool {
        match self.tails() {
            Tails::One => verdict.less,
            Tails::Two => verdict.two_sided,
        }
    }
}
