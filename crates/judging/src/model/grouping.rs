//! Division of an ordered list into groups of items that do not differ enough.

use partita_core::{GroupedList, Item};

use super::davidson_fit::DavidsonFit;
use crate::range_error::{RangeError, require};
use crate::votes::list_votes::ListVotes;

/// Rule that decides when an item starts a new group.
///
/// Items are processed in the order of their worths. An item starts a group if some item of the
/// current group is better by more than the difference that matters, with a probability above a
/// threshold.
///
/// The difference that matters is given in units of the [spread](vote_spread) of the crowd's votes,
/// their root mean square as -1, 0 or 1: it is the difference at which the mean vote is `matters`
/// times the spread. Assessors who often call items equal have mean votes near 0; at a fixed mean
/// vote their lists would collapse into few groups. The rule of Urbano et al. (2010) needs a margin
/// of two votes of ten, a mean vote of 0.2. If a third of all votes are equal, the spread is 0.83,
/// and 0.2 is 0.242 of it.
///
/// If items lie far apart relative to the noise of the votes, differences that are small relative
/// to the scale of the list's worths matter less. With δ the difference of that mean vote and s the
/// scale, the difference that matters is √(δ² + (0.15 s)²). At a usual scale this is hardly more
/// than δ. Without it, lists of precise assessors would be split too finely.
///
/// The probability threshold is low because a list that is too coarse hides information. At a
/// probability of one half, lists need more votes than the sort of Urbano et al. (2010) to be as
/// good.
///
/// That threshold is for complete lists. Before there are votes every probability is near one half,
/// and the rule would order all items by nothing. While a list still needs votes it therefore has
/// [a higher threshold](Self::for_open_list), and without a vote that prefers an item a list is one
/// group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupingRule {
    /// Smallest difference between items that matters: the mean vote that it produces (from -1 to
    /// 1), in units of the root mean square of the votes.
    pub matters: f64,
    /// Posterior probability of a difference that matters above which an item starts a new group.
    pub probability: f64,
}

impl GroupingRule {
    /// Default of [`GroupingRule::matters`]: a mean vote of 0.2 if a third of the votes are equal.
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
    /// Creates the rule with the smallest difference that matters, given as a mean vote in units of
    /// the root mean square of the votes.
    ///
    /// # Errors
    /// Returns [`RangeError`] unless `matters` is at least 0 and below 1.
    pub fn with_matters(matters: f64) -> Result<Self, RangeError> {
        let is_mean = (0.0..1.0).contains(&matters);
        require("matters", matters, "at least 0 and below 1", is_mean)?;
        Ok(Self {
            matters,
            ..Self::default()
        })
    }

    /// Returns the rule for a list that still needs votes: it starts a group only where the votes
    /// show a difference that matters with a probability above 0.75. This corresponds to the
    /// significance level of 0.25 at which Urbano et al. (2010) decide a pair. A single vote does not
    /// reach it.
    #[must_use]
    pub fn for_open_list(self) -> Self {
        Self {
            probability: self.probability.max(OPEN_LIST_PROBABILITY),
            ..self
        }
    }

    /// Returns the smallest difference in worth that separates two groups, if the root mean square
    /// of the votes on a list (as -1, 0 or 1) is `spread`.
    pub fn difference_that_matters(&self, fit: &DavidsonFit, spread: f64) -> f64 {
        let by_votes = fit.difference_for_mean_vote(self.matters * spread);
        (by_votes.powi(2) + (SCALE_SHARE * fit.scale).powi(2)).sqrt()
    }

    /// Returns the items of a fit to these votes as a list divided into groups. If no vote prefers
    /// an item, the list is one group.
    pub fn list(&self, fit: &DavidsonFit, votes: &ListVotes) -> GroupedList {
        if votes.has_preferences() {
            self.list_by_spread(fit, votes.vote_spread())
        } else {
            one_group(fit)
        }
    }

    /// Returns the items of a fit as a list divided into groups, if the root mean square of the
    /// votes is `spread`.
    pub fn list_by_spread(&self, fit: &DavidsonFit, spread: f64) -> GroupedList {
        let by = self.difference_that_matters(fit, spread);
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

/// Returns the items of a fit as a list of one group, in the order of their worths.
pub(crate) fn one_group(fit: &DavidsonFit) -> GroupedList {
    let items = fit.order();
    let groups = (!items.is_empty()).then_some(items);
    GroupedList::new(groups).expect("each item of the order goes into the one group")
}

/// Minimum of [`GroupingRule::probability`] for a list that still needs votes.
const OPEN_LIST_PROBABILITY: f64 = 0.75;

/// Factor of the scale of worths s in the smallest difference that matters, √(δ² + (0.15 s)²),
/// where δ is the difference in worth that produces a mean vote of [`GroupingRule::matters`] times
/// the root mean square of the votes.
const SCALE_SHARE: f64 = 0.15;

/// Beta prior of the share of equal votes, as pseudo-counts (equal, all).
const EQUAL_SHARE_PRIOR: (f64, f64) = (4.0, 10.0);

/// Returns the spread of votes: the root mean square of votes that are -1, 0 or 1, from the number
/// of equal votes and of all votes. A prior of 4 equal in 10 votes dominates for few votes.
pub fn vote_spread(equal: f64, votes: f64) -> f64 {
    (1.0 - (EQUAL_SHARE_PRIOR.0 + equal) / (EQUAL_SHARE_PRIOR.1 + votes)).sqrt()
}
