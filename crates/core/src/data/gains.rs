//! Graded relevance judgments of one query, as gains.

use serde::Deserialize;

use super::grouped_list::GroupedList;
use super::names::Item;

/// Gains of the judged items of one query: real numbers, higher is better.
///
/// Each item has one gain, and no absolute value exceeds [`Gains::MAX_ABS`]. A gain of 0 or less
/// means judged and not relevant; measures treat negative gains as 0.
///
/// ```
/// use partita_core::{Gains, Names};
///
/// let mut names = Names::new();
/// let (a, b) = (names.intern("a").unwrap(), names.intern("b").unwrap());
/// let gains = Gains::new(vec![(a, 4.5), (b, 0.0)])?;
/// assert_eq!(gains.highest(), Some(4.5));
/// assert!(Gains::new(vec![(a, 4.5), (a, 1.0)]).is_err());
/// # Ok::<(), partita_core::GainsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gains {
    /// Judged items; `None` if their indices are 0, 1, 2, ... in this order, as in most files.
    items: Option<Vec<Item>>,
    /// Gains in the order of `items`.
    values: Vec<f64>,
}

/// Error of judgments that do not form [`Gains`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum GainsError {
    /// A gain is not finite.
    #[error("the gain of item number {} is {gain}, not a finite number", item.index())]
    NotFinite { item: Item, gain: f64 },
    /// A gain exceeds [`Gains::MAX_ABS`] in absolute value.
    #[error(
        "the gain of item number {} is {gain:e}: no scale goes beyond {:e} or {:e}",
        item.index(), Gains::MAX_ABS, -Gains::MAX_ABS
    )]
    TooLarge { item: Item, gain: f64 },
    /// An item has two gains.
    #[error("item number {} is judged twice", item.index())]
    DuplicateItem { item: Item },
}

/// Treatment of judged items with a gain of 0 or less when gains are converted to a partially
/// ordered list of groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "bool")]
pub enum ZeroGainPolicy {
    /// Leave items with a gain of 0 or less out, so that the list contains only relevant items.
    #[default]
    LeaveOut,
    /// Put items with a gain of 0 or less into a last group: the literal reading of equation 5 of
    /// Urbano et al. (2011).
    LastGroup,
}

impl From<bool> for ZeroGainPolicy {
    /// Returns the policy of the option `keep_zero`: true for a last group.
    fn from(keep_zero: bool) -> Self {
        if keep_zero {
            Self::LastGroup
        } else {
            Self::LeaveOut
        }
    }
}

impl Gains {
    /// Largest absolute value of a gain. No practical scale reaches it, and every measure can add
    /// and multiply smaller gains without overflow.
    pub const MAX_ABS: f64 = 1e100;

    /// Creates gains from pairs of item and gain.
    ///
    /// # Errors
    /// Returns [`GainsError`] for an invalid gain or a duplicate item.
    pub fn new(gains: Vec<(Item, f64)>) -> Result<Self, GainsError> {
        let width = gains.iter().map(|(i, _)| i.index() + 1).max().unwrap_or(0);
        let mut seen = vec![false; width];
        for &(item, gain) in &gains {
            check_gain(item, gain)?;
            if std::mem::replace(&mut seen[item.index()], true) {
                return Err(GainsError::DuplicateItem { item });
            }
        }
        Ok(Self::from_valid(gains))
    }

    /// Creates the gains of the items 0, 1, 2, ..., in this order.
    ///
    /// # Errors
    /// Returns [`GainsError`] for an invalid gain.
    pub fn from_values(values: Vec<f64>) -> Result<Self, GainsError> {
        let gains = Self {
            items: None,
            values,
        };
        for (item, gain) in gains.iter() {
            check_gain(item, gain)?;
        }
        Ok(gains)
    }

    /// Creates gains from distinct items with valid gains, without checks.
    fn from_valid(gains: Vec<(Item, f64)>) -> Self {
        let in_order = (0..).zip(&gains).all(|(i, (item, _))| item.index() == i);
        Self {
            items: (!in_order).then(|| gains.iter().map(|&(item, _)| item).collect()),
            values: gains.into_iter().map(|(_, gain)| gain).collect(),
        }
    }

    /// Creates gains from a list without grades: in a list of g groups, items of the first group
    /// have gain g, those of the last group 1.
    pub fn from_list(list: &GroupedList) -> Self {
        let count = list.group_count();
        let gains = list
            .groups()
            .enumerate()
            .flat_map(|(g, group)| group.iter().map(move |&item| (item, (count - g) as f64)))
            .collect();
        Self::from_valid(gains)
    }

    /// Converts the gains to a partially ordered list: items with equal gains form a group, and
    /// groups with higher gains come first. Items within a group keep the order of the judgments.
    pub fn to_list(&self, zero: ZeroGainPolicy) -> GroupedList {
        let mut sorted: Vec<(Item, f64)> = self
            .iter()
            // Adding 0 turns -0.0 into 0.0, so that both are one grade.
            .map(|(item, gain)| (item, gain.max(0.0) + 0.0))
            .filter(|&(_, gain)| gain > 0.0 || zero == ZeroGainPolicy::LastGroup)
            .collect();
        sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut ends = Vec::new();
        for group in sorted.chunk_by(|a, b| a.1 == b.1) {
            ends.push(ends.last().copied().unwrap_or(0) + group.len());
        }
        let items = sorted.iter().map(|&(item, _)| item).collect();
        GroupedList::from_valid(items, ends)
    }

    /// Iterates over the judged items with their gains, in the order in which they were given to
    /// the constructor.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Item, f64)> + '_ {
        let item = |place: usize| match &self.items {
            None => Item::from_raw(place as u32),
            Some(items) => items[place],
        };
        let values = self.values.iter().enumerate();
        values.map(move |(place, &gain)| (item(place), gain))
    }

    /// Returns the number of judged items.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns true if no item is judged.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the highest gain, or `None` if no item is judged.
    pub fn highest(&self) -> Option<f64> {
        self.values.iter().copied().reduce(f64::max)
    }
}

/// Checks that the gain is finite and within [`Gains::MAX_ABS`].
fn check_gain(item: Item, gain: f64) -> Result<(), GainsError> {
    if !gain.is_finite() {
        return Err(GainsError::NotFinite { item, gain });
    }
    if gain.abs() > Gains::MAX_ABS {
        return Err(GainsError::TooLarge { item, gain });
    }
    Ok(())
}
