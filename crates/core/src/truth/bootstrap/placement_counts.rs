//! Where items stand in many lists of the same items.

use crate::data::grouped_list::GroupedList;
use crate::data::names::Item;

/// Where items stand in many lists of the same items, such as those of the replicates of a
/// bootstrap.
#[derive(Clone, Debug)]
pub struct PlacementCounts {
    width: usize,
    lists: usize,
    /// How often the item of the row is in an earlier group than that of the column.
    before: Vec<u32>,
    /// How often the two are in the same group.
    together: Vec<u32>,
    /// The groups of each item, from 1, in ascending order.
    groups: Vec<Vec<u32>>,
}

/// Where an item stands relative to another, as shares of lists.
///
/// They add up to 1 less the share in which one of the two is in no list, because nobody drawn
/// ranked it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderShares {
    /// In an earlier group.
    pub before: f64,
    /// In the same group.
    pub same_group: f64,
    /// In a later group.
    pub after: f64,
}

impl PlacementCounts {
    /// Where the items with numbers below `width` stand in these lists. Panics if a list holds
    /// another item.
    pub fn from_lists<'l>(width: usize, lists: impl IntoIterator<Item = &'l GroupedList>) -> Self {
        let mut shares = Self {
            width,
            lists: 0,
            before: vec![0; width * width],
            together: vec![0; width * width],
            groups: vec![Vec::new(); width],
        };
        for list in lists {
            shares.count(list);
        }
        for groups in &mut shares.groups {
            groups.sort_unstable();
        }
        shares
    }

    fn count(&mut self, list: &GroupedList) {
        self.lists += 1;
        for (number, group) in list.groups().enumerate() {
            let later = &list.items()[list.group_ends()[number]..];
            for a in group {
                let row = a.index() * self.width;
                self.groups[a.index()].push(number as u32 + 1);
                for b in group {
                    self.together[row + b.index()] += 1;
                }
                for b in later {
                    self.before[row + b.index()] += 1;
                }
            }
        }
    }

    /// How often a is before b, with it, or after it. Panics if there is no such item.
    pub fn pair(&self, a: Item, b: Item) -> OrderShares {
        let share = |counts: &[u32], a: Item, b: Item| {
            f64::from(counts[a.index() * self.width + b.index()]) / self.lists.max(1) as f64
        };
        OrderShares {
            before: share(&self.before, a, b),
            same_group: share(&self.together, a, b),
            after: share(&self.before, b, a),
        }
    }

    /// The groups, counted from 1, that hold the item in this share of the lists, as many of the
    /// others lying above as below; `None` for an item that is in no list. Panics if there is no
    /// such item.
    pub fn groups(&self, item: Item, confidence: f64) -> Option<(usize, usize)> {
        let groups = &self.groups[item.index()];
        let last = groups.len().checked_sub(1)?;
        let tail = 0.5 * (1.0 - confidence.clamp(0.0, 1.0));
        let outside = ((tail * groups.len() as f64) as usize).min(last / 2);
        Some((groups[outside] as usize, groups[last - outside] as usize))
    }
}
