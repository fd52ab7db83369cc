//! Groups by the probability that items differ.

use partita_core::{GroupedList, Item};

use super::fit::Fit;

/// When an item opens a new group.
///
/// Items are taken in the order of their worths. One opens a group if some item of the current group
/// is better by more than a difference that matters with a probability above a threshold. The
/// difference is the one at which the mean vote, from -1 to 1, is `matters`. The paper's rule needs
/// two votes more of ten, a mean of 0.2.
///
/// The threshold is low because a list that is too coarse hides what is known: at a probability of a
/// half, lists need more votes than the paper's sort to be as good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grouping {
    /// The mean vote from which on a difference matters.
    pub matters: f64,
    /// The probability of such a difference above which items are parted.
    pub probability: f64,
}

impl Default for Grouping {
    fn default() -> Self {
        Self {
            matters: 0.2,
            probability: 0.25,
        }
    }
}

impl Grouping {
    /// The list that a fit makes.
    pub fn list(&self, fit: &Fit) -> GroupedList {
        let by = fit.difference_at(self.matters);
        let mut groups: Vec<Vec<Item>> = Vec::new();
        for item in fit.order() {
            match groups.last_mut() {
                Some(group)
                    if !(group.iter())
                        .any(|&other| fit.better(other, item, by) > self.probability) =>
                {
                    group.push(item);
                }
                _ => groups.push(vec![item]),
            }
        }
        GroupedList::new(groups).expect("each item of the order goes into one group")
    }
}
