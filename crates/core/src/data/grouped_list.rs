//! Partially ordered lists.

use super::names::{Item, Names};

/// The groups of a list by the names of their items, most relevant first.
pub type NamedGroups = Vec<Vec<String>>;

/// A partially ordered list: groups of items, the earlier groups being more relevant.
///
/// Items of one group are not known to differ in relevance. The order in which they were given is
/// kept all the same, because a list that was arranged by median rank is audited in that order.
///
/// A `GroupedList` holds no item twice and no empty group. It may hold no group at all: a query
/// for which nothing is relevant.
///
/// ```
/// use partita_core::{GroupedList, Names};
///
/// let mut names = Names::new();
/// let list = GroupedList::of(&mut names, [["1", "2"].as_slice(), &["3", "4", "5"]])?;
/// assert_eq!(list.len(), 5);
/// assert_eq!(list.group_ends(), [2, 5]);
/// # Ok::<(), partita_core::GroupedListError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupedList {
    items: Vec<Item>,
    ends: Vec<usize>,
}

/// Why groups do not make a [`GroupedList`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum GroupedListError {
    /// A group without items. Groups are counted from 1.
    #[error("group {group} is empty")]
    EmptyGroup { group: usize },
    /// An item that stands in two places. Groups are counted from 1.
    #[error("item number {} stands in group {first} and again in group {again}", item.index())]
    DuplicateItem {
        item: Item,
        first: usize,
        again: usize,
    },
    /// More items than [`Item::MOST`].
    #[error("more than {} items", Item::MAX_COUNT)]
    TooManyItems,
}

impl GroupedList {
    /// The list of these groups, most relevant first.
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

    /// The list of these groups of names, which are interned.
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

    /// The list of items known to be distinct, with rising ends of its groups.
    pub(crate) fn from_valid(items: Vec<Item>, ends: Vec<usize>) -> Self {
        debug_assert_eq!(ends.last().copied().unwrap_or(0), items.len());
        Self { items, ends }
    }

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

    /// The number of items, written n in the papers.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the list has no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The number of groups, written g in the papers.
    pub fn group_count(&self) -> usize {
        self.ends.len()
    }

    /// The number of items through the end of each group.
    pub fn group_ends(&self) -> &[usize] {
        &self.ends
    }

    /// The items in order, group after group.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The groups, most relevant first.
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = &[Item]> + ExactSizeIterator {
        (0..self.ends.len()).map(|g| &self.items[self.group_start(g)..self.ends[g]])
    }

    /// The groups by the names of their items. Panics if an item is none of these names.
    pub fn to_named_groups(&self, names: &Names) -> NamedGroups {
        let name = |&item: &Item| names.name(item).to_owned();
        let groups = self.groups();
        groups
            .map(|group| group.iter().map(name).collect())
            .collect()
    }

    /// Every item with the number of its group, counted from 1, in order.
    pub fn items_with_groups(&self) -> impl Iterator<Item = (usize, Item)> {
        let groups = (1..).zip(self.groups());
        groups.flat_map(|(number, group)| group.iter().map(move |&item| (number, item)))
    }

    /// Whether another list holds the same groups, in whatever order inside them.
    pub fn has_same_groups(&self, other: &Self) -> bool {
        let sorted = |group: &[Item]| {
            let mut group = group.to_vec();
            group.sort_unstable();
            group
        };
        let mut both = self.groups().zip(other.groups());
        self.ends == other.ends && both.all(|(one, other)| sorted(one) == sorted(other))
    }

    /// The number of items before a group; groups are counted from 0 here.
    pub(crate) fn group_start(&self, group: usize) -> usize {
        group.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// The list with the order of its groups reversed.
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
