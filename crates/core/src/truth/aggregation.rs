//! The six functions that group an arranged list.

use std::fmt;
use std::str::FromStr;

use super::comparisons::{Tails, Verdict};

/// Which earlier items the next one must differ from to open a new group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rationale {
    /// Every item of the current group, which lets groups grow large.
    All,
    /// Any item of the current group, which keeps groups small.
    Any,
    /// The item just before.
    Prev,
}

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
/// let original: Aggregation = "all-2".parse()?;
/// assert_eq!(original, Aggregation::new(Rationale::All, Tails::Two));
/// assert_eq!(original.to_string(), "all-2");
/// assert_eq!("Any-1".parse(), Ok(Aggregation::ANY_1));
/// # Ok::<(), partita_core::truth::UnknownAggregation>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Aggregation {
    /// Which earlier items count.
    pub rationale: Rationale,
    /// How they are tested.
    pub tails: Tails,
}

/// A name that is none of the six functions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no aggregation function is called {name}: expected all-1, all-2, any-1, any-2, prev-1 or prev-2"
)]
pub struct UnknownAggregation {
    /// The name.
    pub name: String,
}

impl Aggregation {
    /// All-2: that of the original lists of Typke et al. (2005).
    pub const ALL_2: Self = Self::new(Rationale::All, Tails::Two);
    /// Any-2.
    pub const ANY_2: Self = Self::new(Rationale::Any, Tails::Two);
    /// Prev-2.
    pub const PREV_2: Self = Self::new(Rationale::Prev, Tails::Two);
    /// All-1.
    pub const ALL_1: Self = Self::new(Rationale::All, Tails::One);
    /// Any-1: that of the most consistent lists.
    pub const ANY_1: Self = Self::new(Rationale::Any, Tails::One);
    /// Prev-1.
    pub const PREV_1: Self = Self::new(Rationale::Prev, Tails::One);

    /// The six functions, in the order of the paper's tables; the original is the first.
    pub const EVERY: [Self; 6] = [
        Self::ALL_2,
        Self::ANY_2,
        Self::PREV_2,
        Self::ALL_1,
        Self::ANY_1,
        Self::PREV_1,
    ];

    /// The function of this rationale and test.
    pub const fn new(rationale: Rationale, tails: Tails) -> Self {
        Self { rationale, tails }
    }

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match (self.rationale, self.tails) {
            (Rationale::All, Tails::One) => "all-1",
            (Rationale::All, Tails::Two) => "all-2",
            (Rationale::Any, Tails::One) => "any-1",
            (Rationale::Any, Tails::Two) => "any-2",
            (Rationale::Prev, Tails::One) => "prev-1",
            (Rationale::Prev, Tails::Two) => "prev-2",
        }
    }

    /// Whether this verdict on an earlier item against a later one sets them apart.
    pub fn separates(self, verdict: Verdict) -> bool {
        match self.tails {
            Tails::One => verdict.less,
            Tails::Two => verdict.two_sided,
        }
    }
}

impl Default for Aggregation {
    fn default() -> Self {
        Self::ANY_1
    }
}

impl fmt::Display for Aggregation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Aggregation {
    type Err = UnknownAggregation;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut every = Self::EVERY.into_iter();
        every
            .find(|function| function.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownAggregation {
                name: name.to_owned(),
            })
    }
}
