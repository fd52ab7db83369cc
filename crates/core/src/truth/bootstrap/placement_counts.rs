//! Counts of the placements of items over many lists.

use crate::data::grouped_list::GroupedList;
use crate::data::names::Item;

/// Counts of the placements of items (group number, order of each pair) over many lists of the same
/// items, such as the replicates of a bootstrap.
#[derive(Clone, Debug)]
pub struct PlacementCounts {
    item_count: usize,
    list_count: usize,
    /// Matrix of the number of lists in which the item of the row is in an earlier group than the
    /// item of the column.
    before: Vec<u32>,
    /// Matrix of the number of lists in which the item of the row and that of the column are in the
    /// same group.
    same_group: Vec<u32>,
    /// Group numbers, counted from 1, that each item has in the lists, in ascending order.
    groups: Vec<Vec<u32>>,
    /// Twice the places, counted from 1, that each item has in the lists, in ascending order. Items
    /// of a group share the mean of their places, so that twice a place is a whole number.
    doubled_places: Vec<Vec<u32>>,
}

/// Returns the mean of the places of the items of a group, whose first place is `first`.
pub(super) fn mean_place(first: usize, items: usize) -> f64 {
    first as f64 + (items as f64 - 1.0) / 2.0
}

/// Relative order of two items, as shares of lists.
///
/// The shares add up to 1 minus the share of lists that lack one of the two because no drawn
/// assessor ranked it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderShares {
    /// Share of lists in which the first item is in an earlier group than the second.
    pub before: f64,
    /// Share of lists in which both items are in the same group.
    pub same_group: f64,
    /// Share of lists in which the first item is in a later group than the second.
    pub after: f64,
}

impl PlacementCounts {
    /// Counts the placements of the items with numbers below `item_count`. Panics if a list holds
    /// another item.
    pub fn from_lists<'l>(
        item_count: usize,
        lists: impl IntoIterator<Item = &'l GroupedList>,
    ) -> Self {
        let mut shares = Self {
            item_count,
            list_count: 0,
            before: vec![0; item_count * item_count],
            same_group: vec![0; item_count * item_count],
            groups: vec![Vec::new(); item_count],
            doubled_places: vec![Vec::new(); item_count],
        };
        for list in lists {
            shares.add_list(list);
        }
        for values in shares.groups.iter_mut().chain(&mut shares.doubled_places) {
            values.sort_unstable();
        }
        shares
    }

    /// Adds the placements of the items of one list to the counts.
    fn add_list(&mut self, list: &GroupedList) {
        self.list_count += 1;
        let mut first = 1;
        for (number, group) in list.groups().enumerate() {
            let doubled_place = (2.0 * mean_place(first, group.len())) as u32;
            first += group.len();
            let later = &list.items()[list.group_ends()[number]..];
            for a in group {
                let row = a.index() * self.item_count;
                self.groups[a.index()].push(number as u32 + 1);
                self.doubled_places[a.index()].push(doubled_place);
                for b in group {
                    self.same_group[row + b.index()] += 1;
                }
                for b in later {
                    self.before[row + b.index()] += 1;
                }
            }
        }
    }

    /// Returns the shares of lists in which a is in an earlier group than b, in the same group, or
    /// in a later group. Panics if there is no such item.
    pub fn order_shares(&self, a: Item, b: Item) -> OrderShares {
        let share = |counts: &[u32], a: Item, b: Item| {
            f64::from(counts[a.index() * self.item_count + b.index()])
                / self.list_count.max(1) as f64
        };
        OrderShares {
            before: share(&self.before, a, b),
            same_group: share(&self.same_group, a, b),
            after: share(&self.before, b, a),
        }
    }

    /// Returns the central interval, at this confidence, of the group numbers that an item has in
    /// the lists, counted from 1. Returns `None` for an item that is in no list. Panics if there is
    /// no such item.
    pub fn group_interval(&self, item: Item, confidence: f64) -> Option<(usize, usize)> {
        let (lower, upper) = central_interval(&self.groups[item.index()], confidence)?;
        Some((lower as usize, upper as usize))
    }

    /// Returns the central interval, at this confidence, of the places that an item has in the
    /// lists, counted from 1; items of a group share the mean of their places. Returns `None` for an
    /// item that is in no list. Panics if there is no such item.
    pub fn place_interval(&self, item: Item, confidence: f64) -> Option<(f64, f64)> {
        let (lower, upper) = central_interval(&self.doubled_places[item.index()], confidence)?;
        Some((f64::from(lower) / 2.0, f64::from(upper) / 2.0))
    }
}

/// Returns the central interval of sorted values at this confidence; `None` without values.
fn central_interval(values: &[u32], confidence: f64) -> Option<(u32, u32)> {
    let last = values.len().checked_sub(1)?;
    let tail = 0.5 * (1.0 - confidence.clamp(0.0, 1.0));
    let outside = ((tail * values.len() as f64) as usize).min(last / 2);
    Some((values[outside], values[last - outside]))
}
