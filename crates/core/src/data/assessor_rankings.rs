//! Rankings of the items of one query by several assessors.

use super::ground_truth::QueryTruth;
use super::grouped_list::GroupedList;
use super::names::{Item, Names, summarize_names};

/// Ranks that assessors gave to the items of one query; 1 is best.
///
/// Ranks are finite and positive, may be fractional, and may be tied. Unranked items are `None`.
///
/// ```
/// use partita_core::AssessorRankings;
///
/// let rankings = AssessorRankings::new([
///     ("ann", "a", Some(1.0)),
///     ("ann", "b", Some(2.0)),
///     ("bob", "b", Some(1.0)),
///     ("bob", "a", None),
/// ])?;
/// let a = rankings.items().get("a").unwrap();
/// assert_eq!(rankings.rank(0, a), Some(1.0));
/// assert_eq!(rankings.rank(1, a), None);
/// # Ok::<(), partita_core::AssessorRankingsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AssessorRankings {
    items: Names,
    assessors: Names,
    /// Matrix of ranks with one row per assessor and one column per item, stored row by row.
    ranks: Vec<Option<f64>>,
}

/// Error of entries (assessor, item, rank) that do not form [`AssessorRankings`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum AssessorRankingsError {
    /// There are no entries, so there is nothing to rank.
    #[error("no rankings")]
    Empty,
    /// A rank is 0, negative, infinite or NaN.
    #[error("{assessor} gave {item} the rank {rank}, and a rank is a number above 0")]
    InvalidRank {
        assessor: String,
        item: String,
        rank: f64,
    },
    /// Two entries have the same assessor and item.
    #[error("{assessor} ranked {item} twice")]
    DuplicateRank { assessor: String, item: String },
    /// There are more items or assessors than [`Item::MAX_COUNT`].
    #[error("more than {} names", Item::MAX_COUNT)]
    TooMany,
    /// A ground truth list contains items that do not occur in the rankings.
    #[error("no assessor mentions {}", summarize(.items))]
    UnknownItems { items: Vec<String> },
}

impl AssessorRankings {
    /// Creates rankings from entries of assessor, item and rank.
    ///
    /// An entry without a rank only registers the item. Items and assessors are numbered by first
    /// appearance; no result computed from the rankings depends on these numbers.
    pub fn new<'n>(
        entries: impl IntoIterator<Item = (&'n str, &'n str, Option<f64>)>,
    ) -> Result<Self, AssessorRankingsError> {
        let (mut items, mut assessors) = (Names::new(), Names::new());
        let mut cells = Vec::new();
        for (assessor, item, rank) in entries {
            if let Some(rank) = rank.filter(|&rank| !(rank > 0.0 && rank.is_finite())) {
                let (assessor, item) = (assessor.to_owned(), item.to_owned());
                return Err(AssessorRankingsError::InvalidRank {
                    assessor,
                    item,
                    rank,
                });
            }
            let row = assessors
                .intern(assessor)
                .ok_or(AssessorRankingsError::TooMany)?;
            let column = items.intern(item).ok_or(AssessorRankingsError::TooMany)?;
            cells.push((row, column, rank));
        }
        Self::from_indexed(items, assessors, &cells)
    }

    /// Creates rankings from entries of assessor index, item index and rank. Ranks must be finite
    /// and positive.
    ///
    /// # Errors
    /// Returns [`AssessorRankingsError`] if there is no entry, or two entries share assessor and
    /// item.
    pub fn from_indexed(
        items: Names,
        assessors: Names,
        cells: &[(Item, Item, Option<f64>)],
    ) -> Result<Self, AssessorRankingsError> {
        if cells.is_empty() {
            return Err(AssessorRankingsError::Empty);
        }
        let width = items.len();
        let mut ranks = vec![None; assessors.len() * width];
        let mut seen = vec![false; ranks.len()];
        for &(assessor, item, rank) in cells {
            let cell = assessor.index() * width + item.index();
            if std::mem::replace(&mut seen[cell], true) {
                return Err(AssessorRankingsError::DuplicateRank {
                    assessor: assessors.name(assessor).to_owned(),
                    item: items.name(item).to_owned(),
                });
            }
            ranks[cell] = rank;
        }
        Ok(Self {
            items,
            assessors,
            ranks,
        })
    }

    /// Returns all items that an assessor mentions, also those without a rank.
    pub fn items(&self) -> &Names {
        &self.items
    }

    /// Returns the assessors, in the order of first appearance.
    pub fn assessors(&self) -> &Names {
        &self.assessors
    }

    /// Returns the name of the assessor with this index, counted from 0. Panics if there is no such
    /// assessor.
    pub fn assessor_name(&self, assessor: usize) -> &str {
        self.assessors.name(Item::from_raw(assessor as u32))
    }

    /// Returns the rank that an assessor gave to an item. Panics if there is no such assessor or
    /// item.
    pub fn rank(&self, assessor: usize, item: Item) -> Option<f64> {
        self.row(assessor)[item.index()]
    }

    /// Returns the ranks that an assessor gave, indexed by item; `None` for an unranked item.
    /// Panics if there is no such assessor.
    pub fn row(&self, assessor: usize) -> &[Option<f64>] {
        let width = self.items.len();
        &self.ranks[assessor * width..(assessor + 1) * width]
    }

    /// Iterates over the assessors; yields for each the ranks they gave, indexed by item.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Option<f64>]> {
        // Rankings have at least one item, so the width is not 0.
        self.ranks.chunks_exact(self.items.len().max(1))
    }

    /// Returns the number of items that share their rank with another item of the same assessor.
    pub fn tied_count(&self, assessor: usize) -> usize {
        let mut given: Vec<f64> = self.row(assessor).iter().copied().flatten().collect();
        given.sort_by(f64::total_cmp);
        let runs = given.chunk_by(|a, b| a == b).map(<[f64]>::len);
        runs.filter(|&run| run > 1).sum()
    }

    /// Converts the list of a query truth, which numbers its items differently, to the items of
    /// these rankings. Used for example to audit a ground truth that was read from a file.
    ///
    /// # Errors
    /// Returns [`AssessorRankingsError::UnknownItems`] if the list contains items that are not in
    /// these rankings.
    pub fn resolve_list(&self, truth: &QueryTruth) -> Result<GroupedList, AssessorRankingsError> {
        let name = |item: &Item| truth.names().name(*item);
        let known = |item: &Item| self.items.get(name(item));
        let list = truth.list();
        let items: Option<Vec<Item>> = list.items().iter().map(known).collect();
        match items {
            Some(items) => Ok(GroupedList::from_valid(items, list.group_ends().to_vec())),
            None => Err(AssessorRankingsError::UnknownItems {
                items: (list.items().iter())
                    .filter(|item| known(item).is_none())
                    .map(|item| name(item).to_owned())
                    .collect(),
            }),
        }
    }

    /// Returns warnings about the rankings, such as a single assessor or items that nobody ranked.
    pub fn notes(&self) -> Vec<AssessorRankingsNote> {
        let mut notes = Vec::new();
        if self.assessors.len() == 1 {
            notes.push(AssessorRankingsNote::OneAssessor);
        }
        if self.items.len() == 1 {
            notes.push(AssessorRankingsNote::OneItem);
        }
        if self.items.len() > 1 && self.is_all_tied() {
            notes.push(AssessorRankingsNote::AllTied);
        }
        let mut push = |names: Vec<String>, note: fn(Vec<String>) -> AssessorRankingsNote| {
            if !names.is_empty() {
                notes.push(note(names));
            }
        };
        let given = |item: &Item| {
            self.rows()
                .filter(|row| row[item.index()].is_some())
                .count()
        };
        let items = |wanted: usize| {
            let found = self.items.items().filter(|item| given(item) == wanted);
            found.map(|item| self.items.name(item).to_owned()).collect()
        };
        push(items(0), AssessorRankingsNote::UnrankedItems);
        if self.assessors.len() > 1 {
            push(items(1), AssessorRankingsNote::ItemsRankedOnce);
        }
        let assessors = |wanted: &dyn Fn(usize) -> bool| {
            let found = (0..self.assessors.len()).filter(|&a| wanted(a));
            found.map(|a| self.assessor_name(a).to_owned()).collect()
        };
        let silent = |a: usize| self.row(a).iter().all(Option::is_none);
        push(
            assessors(&silent),
            AssessorRankingsNote::AssessorsWithoutRanks,
        );
        push(
            assessors(&|a| self.tied_count(a) > 0),
            AssessorRankingsNote::AssessorsWithTies,
        );
        notes
    }

    /// Returns true if some assessor ranked several items, and every assessor gave the same rank to
    /// all items that they ranked.
    fn is_all_tied(&self) -> bool {
        let given = |row: &[Option<f64>]| row.iter().flatten().count();
        self.rows().any(|row| given(row) > 1) && self.rows().all(has_one_rank)
    }
}

/// Returns true if all ranks in one assessor's row are equal, or if it has none.
fn has_one_rank(row: &[Option<f64>]) -> bool {
    let mut given = row.iter().flatten();
    (given.next()).is_none_or(|first| given.all(|rank| rank == first))
}

/// Warning about [`AssessorRankings`] that are valid but limit what can be concluded from them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssessorRankingsNote {
    /// There is only one assessor, so each item has at most one rank and no test is possible.
    #[error("one assessor only: nothing can be tested")]
    OneAssessor,
    /// There is only one item, so nothing can be ordered.
    #[error("one item only: there is nothing to compare")]
    OneItem,
    /// Some assessor ranked several items, but none gave two items different ranks, so nothing can
    /// be ordered.
    #[error("all ranks are tied: no assessor tells two items apart")]
    AllTied,
    /// Items that no assessor ranked. They are left out of the ground truth unless unranked items
    /// are treated as ranked last.
    #[error("nobody ranked {}", summarize(.0))]
    UnrankedItems(Vec<String>),
    /// Items that only one assessor ranked. One rank is too little for a test of the difference
    /// from another item.
    #[error("only one assessor ranked {}", summarize(.0))]
    ItemsRankedOnce(Vec<String>),
    /// Assessors who ranked nothing.
    #[error("nothing was ranked by {}", summarize(.0))]
    AssessorsWithoutRanks(Vec<String>),
    /// Assessors who gave the same rank to several items.
    #[error("{} assessor{} tied items: {}", .0.len(), if .0.len() == 1 { "" } else { "s" }, summarize(.0))]
    AssessorsWithTies(Vec<String>),
}

/// Formats the first five names and the number of the remaining ones; of six names, all.
fn summarize(names: &[String]) -> String {
    // With six names, naming the sixth is as short as "and 1 more".
    summarize_names(names, if names.len() == 6 { 6 } else { 5 })
}
