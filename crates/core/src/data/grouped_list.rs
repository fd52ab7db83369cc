//! Partially ordered lists: groups of items of equal relevance, most relevant group first.

use super::names::{Item, Names};

/// Groups of a partially ordered list, most relevant group first, each as the names of its items.
pub type NamedGroups = Vec<Vec<String>>;

/// Partially ordered list: groups of items, most relevant group first.
///
/// Items within a group are not known to differ in relevance. Their given order is kept
/// nevertheless, because the audit of a list that was arranged by median rank uses that order.
///
/// A list contains no item twice and no empty group. It may have no groups at all, if nothing is
/// relevant to the query.
///
/// ```
/// use partita_core::{GroupedList, Names};
///
/// let mut names = Names::new();
/// let list = GroupedList::from_names(&mut names, [["1", "2"].as_slice(), &["3", "4", "5"]])?;
/// assert_eq!(list.len(), 5);
/// assert_eq!(list.group_ends(), [2, 5]);
/// # Ok::<(), partita_core::GroupedListError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupedList {
    items: Vec<Item>,
    /// Number of items up to and including each group.
    ends: Vec<usize>,
}

/// Error of groups that do not form a [`GroupedList`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum GroupedListError {
    /// The group with number `group`, counted from 1, has no items.
    #[error("group {group} is empty")]
    EmptyGroup { group: usize },
    /// An item occurs twice, in the groups `first` and `again`, counted from 1.
    #[error("item number {} stands in group {first} and again in group {again}", item.index())]
    DuplicateItem {
        item: Item,
        first: usize,
        again: usize,
    },
    /// There are more items than [`Item::MAX_COUNT`].
    #[error("more than {} items", Item::MAX_COUNT)]
    TooManyItems,
}

impl GroupedList {
    /// Creates a list from groups, most relevant first.
    ///
    /// # Errors
    /// Returns [`GroupedListError`] for an empty group or a duplicate item.
    pub fn new<G>(groups: impl IntoIterator<Item = G>) -> Result<Self, GroupedListError>
    where
        G: IntoIterator<Item = Item>,
    {
        let mut items = Vec::new();
        let mut ends = Vec::new();
        for group in groups {
            items.extend(group);
            if ends.last().copied().unwrap_or(0) == items.len() {
                return Err(GroupedListError::EmptyGroup {
                    group: ends.len() + 1,
                });
            }
            ends.push(items.len());
        }
        let list = Self::from_valid(items, ends);
        list.refuse_repeated_items()?;
        Ok(list)
    }

    /// Creates a list from groups of names and interns the names.
    ///
    /// # Errors
    /// Returns [`GroupedListError`] for an empty group, a duplicate item, or too many items.
    pub fn from_names<'n, G>(
        names: &mut Names,
        groups: impl IntoIterator<Item = G>,
    ) -> Result<Self, GroupedListError>
    where
        G: IntoIterator<Item = &'n &'n str>,
    {
        let groups: Option<Vec<Vec<Item>>> = groups
            .into_iter()
            .map(|group| group.into_iter().map(|name| names.intern(name)).collect())
            .collect();
        Self::new(groups.ok_or(GroupedListError::TooManyItems)?)
    }

    /// Creates a list from distinct items in order and the end position of each group, without
    /// checks. Group i holds the items from `ends[i - 1]` (0 for the first group) to `ends[i] - 1`.
    pub(crate) fn from_valid(items: Vec<Item>, ends: Vec<usize>) -> Self {
        debug_assert_eq!(ends.last().copied().unwrap_or(0), items.len());
        Self { items, ends }
    }

    /// Returns [`GroupedListError::DuplicateItem`] if an item occurs twice.
    fn refuse_repeated_items(&self) -> Result<(), GroupedListError> {
        let width = self.items.iter().map(|i| i.index() + 1).max().unwrap_or(0);
        let mut seen = vec![0usize; width];
        for (number, group) in self.groups().enumerate() {
            for &item in group {
                let first = &mut seen[item.index()];
                if *first > 0 {
                    return Err(GroupedListError::DuplicateItem {
                        item,
                        first: *first,
                        again: number + 1,
                    });
                }
                *first = number + 1;
            }
        }
        Ok(())
    }

    /// Returns the number of items in all groups.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns true if the list has no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the number of groups.
    pub fn group_count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the end position of each group: the number of items up to and including it.
    pub fn group_ends(&self) -> &[usize] {
        &self.ends
    }

    /// Returns the items in order, group after group.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns the groups, most relevant first.
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = &[Item]> + ExactSizeIterator {
        (0..self.ends.len()).map(|g| &self.items[self.group_start(g)..self.ends[g]])
    }

    /// Returns the groups with items replaced by their names. Panics if an item is not in `names`.
    pub fn to_named_groups(&self, names: &Names) -> NamedGroups {
        let name = |&item: &Item| names.name(item).to_owned();
        let groups = self.groups();
        groups
            .map(|group| group.iter().map(name).collect())
            .collect()
    }

    /// Iterates over the items in order, each with its group number, counted from 1.
    pub fn items_with_groups(&self) -> impl Iterator<Item = (usize, Item)> {
        let groups = (1..).zip(self.groups());
        groups.flat_map(|(number, group)| group.iter().map(move |&item| (number, item)))
    }

    /// Returns true if both lists have the same groups, regardless of the order within groups.
    pub fn has_same_groups(&self, other: &Self) -> bool {
        let sorted = |group: &[Item]| {
            let mut group = group.to_vec();
            group.sort_unstable();
            group
        };
        let mut both = self.groups().zip(other.groups());
        self.ends == other.ends && both.all(|(one, other)| sorted(one) == sorted(other))
    }

    /// Returns the number of items before the group with this index (from 0).
    pub(crate) fn group_start(&self, group: usize) -> usize {
        group.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// Returns the list with the order of its groups reversed.
    pub fn reversed(&self) -> Self {
        let mut items = Vec::with_capacity(self.items.len());
        let mut ends = Vec::with_capacity(self.ends.len());
        for group in self.groups().rev() {
            items.extend_from_slice(group);
            ends.push(items.len());
        }
        Self::from_valid(items, ends)
    }
}
