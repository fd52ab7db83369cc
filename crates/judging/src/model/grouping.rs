//! Grouping of items by the probability that they differ.

use partita_core::{GroupedList, Item};

use super::davidson_fit::DavidsonFit;
use crate::range_error::{RangeError, require};

/// Rule that decides when an item starts a new group.
///
/// Items are processed in the order of their worths. An item starts a group if some item of the
/// current group is better by more than the difference that matters, with a probability above a
/// threshold.
///
/// The difference that matters is given in units of the [spread](vote_spread) of the crowd's votes:
/// it is the difference at which the mean vote, from -1 to 1, is `matters` times the spread.
/// Assessors who often call items equal have mean votes near 0; at a fixed mean vote their lists
/// would collapse into few groups. The paper's rule needs a margin of two votes of ten, a mean vote
/// of 0.2. If a third of all votes are equal, the spread is 0.83, and 0.2 is 0.242 of it.
///
/// If items lie far apart relative to the noise of the votes, differences that are small relative
/// to the scale of the list's worths matter less. With δ the difference of that mean vote and s the
/// scale, the difference that matters is √(δ² + (0.15 s)²). At a usual scale this is hardly more
/// than δ. Without it, lists of precise assessors would be split too finely.
///
/// The threshold is low because a list that is too coarse hides information. At a probability of
/// one half, lists need more votes than the paper's sort to be as good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupingRule {
    /// Smallest difference that matters, expressed as the mean vote that it produces (from -1 to
    /// 1), in units of the vote spread.
    pub matters: f64,
    /// Minimum probability of a difference that matters for an item to start a new group.
    pub probability: f64,
}

impl GroupingRule {
    /// Default of the smallest difference that matters, as a mean vote in units of the vote spread.
    pub const DEFAULT_MATTERS: f64 = 0.242;
}

impl Default for GroupingRule {
    fn default() -> Self {
        Self {
            matters: Self::DEFAULT_MATTERS,
            probability: 0.2,
        }
    }
}

impl GroupingRule {
    /// Creates the rule with this smallest difference that matters, given as a mean vote in units
    /// of the vote spread.
    ///
    /// # Errors
    /// Returns [`RangeError`] if `matters` is out of range.
    pub fn with_matters(matters: f64) -> Result<Self, RangeError> {
        let is_mean = (0.0..1.0).contains(&matters);
        require("matters", matters, "at least 0 and below 1", is_mean)?;
        Ok(Self {
            matters,
            ..Self::default()
        })
    }

    /// Returns the smallest difference in worth that matters at this vote spread.
    pub fn difference(&self, fit: &DavidsonFit, spread: f64) -> f64 {
        let by_votes = fit.difference_for_mean_vote(self.matters * spread);
        (by_votes.powi(2) + (SCALE_SHARE * fit.scale).powi(2)).sqrt()
    }

    /// Returns the grouped list of a fit at this vote spread.
    pub fn list(&self, fit: &DavidsonFit, spread: f64) -> GroupedList {
        let by = self.difference(fit, spread);
        let mut groups: Vec<Vec<Item>> = Vec::new();
        for item in fit.order() {
            match groups.last_mut() {
                Some(group)
                    if !(group.iter()).any(|&other| {
                        fit.order_probability(other, item, by) > self.probability
                    }) =>
                {
                    group.push(item);
                }
                _ => groups.push(vec![item]),
            }
        }
        GroupedList::new(groups).expect("each item of the order goes into one group")
    }
}

/// Factor of the scale s in the difference that matters, √(δ² + (0.15 s)²).
const SCALE_SHARE: f64 = 0.15;

/// Beta prior of the share of equal votes, as pseudo-counts: 4 of 10 votes are equal.
const EQUAL_PRIOR: (f64, f64) = (4.0, 10.0);

/// Returns the spread of votes: the root mean square of votes that are -1, 0 or 1, given the number
/// of equal and of all votes. The prior dominates for few votes.
pub fn vote_spread(equal: f64, votes: f64) -> f64 {
    (1.0 - (EQUAL_PRIOR.0 + equal) / (EQUAL_PRIOR.1 + votes)).sqrt()
}
