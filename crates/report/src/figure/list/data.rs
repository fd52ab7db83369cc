//! The data of the figure of a list.

/// No rank is larger: no assessor orders more than this many items.
const LARGEST_RANK: f64 = 1e9;

/// Why the audit of a list could not be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ListError {
    /// The list has no item.
    #[error("the list of query \"{query}\" has no items")]
    NoItems {
        /// The query.
        query: String,
    },
    /// A rank is not a number above 0, or it is beyond all reason.
    #[error("item \"{item}\": {rank} is not a rank above 0 and up to 1,000,000,000")]
    NotARank {
        /// The item.
        item: String,
        /// The rank.
        rank: f64,
    },
    /// The ends of the groups do not grow, or a group is empty.
    #[error("query \"{query}\": a group cannot end at {end} after {previous}")]
    GroupEnds {
        /// The query.
        query: String,
        /// Where the group before it ends, 0 for the first group.
        previous: usize,
        /// Where the group is said to end.
        end: usize,
    },
    /// The last group does not end where the list ends.
    #[error("query \"{query}\": the groups end at {end}, and there are {items} items")]
    LastGroup {
        /// The query.
        query: String,
        /// Where the last group ends, 0 without groups.
        end: usize,
        /// The number of items.
        items: usize,
    },
    /// A pair names an item that is not there, or the same item twice.
    #[error("query \"{query}\": ({}, {}) is not a pair of the {items} items 0, 1, …", pair.0, pair.1)]
    NotAPair {
        /// The query.
        query: String,
        /// The pair.
        pair: (usize, usize),
        /// The number of items.
        items: usize,
    },
    /// A pair is given twice.
    #[error("query \"{query}\": the pair ({}, {}) is given twice", pair.0, pair.1)]
    TwiceTheSamePair {
        /// The query.
        query: String,
        /// The pair.
        pair: (usize, usize),
    },
    /// A pair is said to be in one group and is not, or the other way around.
    #[error(
        "query \"{query}\": the pair ({}, {}) is {} group",
        pair.0, pair.1,
        if *.same_group { "not in the same" } else { "in the same" }
    )]
    WrongGroups {
        /// The query.
        query: String,
        /// The pair.
        pair: (usize, usize),
        /// Whether the pair was said to be in the same group.
        same_group: bool,
    },
    /// A consistency is not between 0 and 1.
    #[error("query \"{query}\": {value} is not a consistency between 0 and 1")]
    NotConsistency {
        /// The query.
        query: String,
        /// The value.
        value: f64,
    },
}

/// An item of a list and the ranks that people gave it.
///
/// ```
/// use partita_report::{ListError, ListItem};
///
/// let item = ListItem::new("700.000.686-1.1.1", vec![3., 2., 2.5])?;
/// assert_eq!(item.ranks(), [3., 2., 2.5]);
/// assert!(ListItem::new("700.000.686-1.1.1", vec![0.0]).is_err());
/// # Ok::<(), ListError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ListItem {
    name: String,
    ranks: Vec<f64>,
}

impl ListItem {
    /// An item and its ranks, one for each person who ranked it, in any order;
    /// none when nobody did.
    ///
    /// # Errors
    /// When a rank is not a number above 0.
    pub fn new(name: impl Into<String>, ranks: Vec<f64>) -> Result<Self, ListError> {
        let name = name.into();
        let possible = |rank: f64| rank > 0.0 && rank <= LARGEST_RANK;
        match ranks.iter().find(|rank| !possible(**rank)) {
            Some(&rank) => Err(ListError::NotARank { item: name, rank }),
            None => Ok(Self { name, ranks }),
        }
    }

    /// The name of the item.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ranks, as they were given.
    #[must_use]
    pub fn ranks(&self) -> &[f64] {
        &self.ranks
    }
}

/// A list made from many people's rankings, and where it disagrees with them.
///
/// ```
/// use partita_report::{ListAudit, ListError, ListItem};
///
/// let items = vec![
///     ListItem::new("A", vec![1., 1., 2.])?,
///     ListItem::new("B", vec![2., 3., 1.])?,
///     ListItem::new("C", vec![3., 2., 3.])?,
/// ];
/// // The list ⟨(A, B), (C)⟩, of which B and C do not differ.
/// let audit = ListAudit::new("000.111.706-1.1.1", items, vec![2, 3])?
///     .with_inconsistent_pairs(vec![], vec![(1, 2)])?
///     .with_consistency(0.75, 0.75)?
///     .with_note("Mann-Whitney U test, alpha 0.25");
/// assert_eq!(audit.same_group_pairs(), 1);
/// assert_eq!(audit.different_group_pairs(), 2);
/// # Ok::<(), ListError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ListAudit {
    query: String,
    items: Vec<ListItem>,
    group_ends: Vec<usize>,
    intra: Vec<(usize, usize)>,
    inter: Vec<(usize, usize)>,
    consistency: Option<(f64, f64)>,
    note: Option<String>,
}

impl ListAudit {
    /// The list of a query, in order. `group_ends` are the positions, counted
    /// from 1, of the last item of each group; the last one is the length of
    /// the list.
    ///
    /// # Errors
    /// When there is no item, when the ends of the groups do not grow, or when
    /// the last group does not end with the list.
    pub fn new(
        query: impl Into<String>,
        items: Vec<ListItem>,
        group_ends: Vec<usize>,
    ) -> Result<Self, ListError> {
        let query = query.into();
        if items.is_empty() {
            return Err(ListError::NoItems { query });
        }
        let mut previous = 0;
        for &end in &group_ends {
            if end <= previous {
                return Err(ListError::GroupEnds {
                    query,
                    previous,
                    end,
                });
            }
            previous = end;
        }
        if previous != items.len() {
            return Err(ListError::LastGroup {
                query,
                end: previous,
                items: items.len(),
            });
        }
        Ok(Self {
            query,
            items,
            group_ends,
            intra: Vec::new(),
            inter: Vec::new(),
            consistency: None,
            note: None,
        })
    }

    /// The same list with its inconsistent pairs: `intra`, those in the same
    /// group that differ, and `inter`, those in different groups that do not.
    /// Items are counted from 0, and either of a pair may stand first.
    ///
    /// # Errors
    /// When a pair is none of the list, is given twice, or is in the same group
    /// where it should not be or the other way around.
    pub fn with_inconsistent_pairs(
        mut self,
        intra: Vec<(usize, usize)>,
        inter: Vec<(usize, usize)>,
    ) -> Result<Self, ListError> {
        self.intra = self.checked_pairs(intra, true)?;
        self.inter = self.checked_pairs(inter, false)?;
        Ok(self)
    }

    /// The same list with its consistency by one-tailed and by two-tailed tests
    /// (ADR-1 and ADR-2; Urbano et al. 2010, section 4.1).
    ///
    /// # Errors
    /// When one is not in 0..=1.
    pub fn with_consistency(mut self, adr_1: f64, adr_2: f64) -> Result<Self, ListError> {
        for value in [adr_1, adr_2] {
            if !(0.0..=1.0).contains(&value) {
                let query = self.query;
                return Err(ListError::NotConsistency { query, value });
            }
        }
        self.consistency = Some((adr_1, adr_2));
        Ok(self)
    }

    /// The same list with a line under the title, such as the test by which
    /// items differ and the function that made the groups.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The name of the query.
    #[must_use]
    pub fn query(&self) -> &str {
        &self.query
    }

    /// The items in order.
    #[must_use]
    pub fn items(&self) -> &[ListItem] {
        &self.items
    }

    /// Where the groups end.
    #[must_use]
    pub fn group_ends(&self) -> &[usize] {
        &self.group_ends
    }

    /// The pairs in the same group that differ, the earlier item first.
    #[must_use]
    pub fn intra(&self) -> &[(usize, usize)] {
        &self.intra
    }

    /// The pairs in different groups that do not differ, the earlier item first.
    #[must_use]
    pub fn inter(&self) -> &[(usize, usize)] {
        &self.inter
    }

    /// ADR-1 and ADR-2 consistency, if they were given.
    #[must_use]
    pub fn consistency(&self) -> Option<(f64, f64)> {
        self.consistency
    }

    /// The line under the title, if there is one.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The number of pairs of items in the same group.
    #[must_use]
    pub fn same_group_pairs(&self) -> usize {
        self.groups().map(|(from, to)| pairs_of(to - from)).sum()
    }

    /// The number of pairs of items in different groups.
    #[must_use]
    pub fn different_group_pairs(&self) -> usize {
        pairs_of(self.items.len()) - self.same_group_pairs()
    }

    /// The first item of each group and the one after its last, counted from 0.
    pub(super) fn groups(&self) -> impl Iterator<Item = (usize, usize)> {
        let starts = std::iter::once(0).chain(self.group_ends.iter().copied());
        starts.zip(self.group_ends.iter().copied())
    }

    /// The number of the group of an item.
    fn group_of(&self, item: usize) -> usize {
        self.group_ends.partition_point(|end| *end <= item)
    }

    /// The pairs in order, the earlier item of each first.
    fn checked_pairs(
        &self,
        pairs: Vec<(usize, usize)>,
        same_group: bool,
    ) -> Result<Vec<(usize, usize)>, ListError> {
        let query = || self.query.clone();
        let ordered = |(one, other): (usize, usize)| (one.min(other), one.max(other));
        let mut pairs: Vec<(usize, usize)> = pairs.into_iter().map(ordered).collect();
        pairs.sort_unstable();
        for (index, &pair) in pairs.iter().enumerate() {
            let (earlier, later) = pair;
            if earlier == later || later >= self.items.len() {
                return Err(ListError::NotAPair {
                    query: query(),
                    pair,
                    items: self.items.len(),
                });
            }
            if index > 0 && pairs[index - 1] == pair {
                return Err(ListError::TwiceTheSamePair {
                    query: query(),
                    pair,
                });
            }
            if (self.group_of(earlier) == self.group_of(later)) != same_group {
                return Err(ListError::WrongGroups {
                    query: query(),
                    pair,
                    same_group,
                });
            }
        }
        Ok(pairs)
    }
}

/// The number of pairs of so many items.
fn pairs_of(items: usize) -> usize {
    items * items.saturating_sub(1) / 2
}
