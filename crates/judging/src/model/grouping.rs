//! Groups by the probability that items differ.

use partita_core::{GroupedList, Item};

use super::davidson_fit::DavidsonFit;
use crate::range_error::{RangeError, require};

/// When an item opens a new group.
///
/// Items are taken in the order of their worths. One opens a group if some item of the current group
/// is better by more than a difference that matters with a probability above a threshold.
///
/// What matters is told in units of the [spread](spread_of_votes) of the crowd's votes: the difference
/// is the one at which the mean vote, from -1 to 1, is `matters` times the spread. People who often
/// call items equal have mean votes near 0, and at a fixed mean vote their lists would collapse into
/// few groups. The paper's rule needs two votes more of ten, a mean of 0.2; where a third of all votes
/// are equal the spread is 0.83, and 0.2 is 0.242 of it.
///
/// Where items lie far apart beside the noise of the votes, differences that are small beside the scale of
/// the list's worths matter less: with δ the difference of that mean vote and s the scale, what matters is
/// √(δ² + (0.15 s)²). At a usual scale that is hardly more than δ; of people who see clearly, lists would
/// otherwise be cut too finely.
///
/// The threshold is low because a list that is too coarse hides what is known: at a probability of a
/// half, lists need more votes than the paper's sort to be as good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupingRule {
    /// The mean vote from which on a difference matters, in units of the spread of votes.
    pub matters: f64,
    /// The probability of such a difference above which items are parted.
    pub probability: f64,
}

impl GroupingRule {
    /// The mean vote from which on a difference matters, in units of the spread of votes, if it is not
    /// given.
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
    /// Groups by differences that matter from this mean vote on, in units of the spread of votes.
    pub fn with_matters(matters: f64) -> Result<Self, RangeError> {
        let is_mean = (0.0..1.0).contains(&matters);
        require("matters", matters, "at least 0 and below 1", is_mean)?;
        Ok(Self {
            matters,
            ..Self::default()
        })
    }

    /// The difference of worths that matters, where votes have this spread.
    pub fn difference(&self, fit: &DavidsonFit, spread: f64) -> f64 {
        let by_votes = fit.difference_for_mean_vote(self.matters * spread);
        (by_votes.powi(2) + (OF_SCALE * fit.scale).powi(2)).sqrt()
    }

    /// The list that a fit makes, where votes have this spread.
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

/// The share of the scale of worths that matters where votes alone would part items that are closer.
const OF_SCALE: f64 = 0.15;

/// What is believed of a crowd before its votes: that four of ten are equal, as firmly as after ten.
const BEFORE: (f64, f64) = (4.0, 10.0);

/// The spread of so many votes of which some are equal: the square root of the mean square of votes
/// that are -1, 0 or 1. Few votes count little beside what is believed of any crowd.
pub fn vote_spread(equal: f64, votes: f64) -> f64 {
    (1.0 - (BEFORE.0 + equal) / (BEFORE.1 + votes)).sqrt()
}
