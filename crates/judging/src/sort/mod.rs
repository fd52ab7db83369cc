//! Self-organising sort: a quicksort of items by human comparisons, whose pivots and groups follow
//! from the answers.

pub(crate) mod replay;

use partita_core::{GroupedList, Item};

use crate::votes::relation::Relation;

/// Rule that chooses the pivot of a segment, with which its other items are compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PivotRule {
    /// Last item of the segment, as in Urbano et al. (2010).
    #[default]
    Last,
    /// Median item of the segment by a prior order of all items, where element i is the prior
    /// position of item i. The parts are then of similar size, so fewer pairs are asked.
    Prior(Vec<usize>),
}

/// Self-organising sort: a quicksort over groups with human comparisons (Urbano et al. 2010,
/// section 3.2).
///
/// Items lie in segments. Each open segment has a pivot, which is compared with every other item of
/// the segment; known pairs are not asked again. The segment is then split into the items less than
/// the pivot, the pivot with the items equal to it, and the items greater. A segment is closed when
/// all its pairs are known to be equal. The list is complete when all segments are closed.
///
/// Urbano et al. ask in iterations over all open segments. Items of different segments are never
/// compared, so a segment need not wait for the others: it is split as soon as its own pairs are
/// known. It asks the same pairs and produces the same list.
///
/// Equality is not assumed to be transitive: two items that are both equal to a pivot are compared
/// before their segment is closed.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfOrganisingSort {
    segments: Vec<Vec<Item>>,
    /// Pivot of each segment, by segment index; `None` if the segment is closed or not requested.
    pivots: Vec<Option<Item>>,
    pivot: PivotRule,
    /// Number of items at the top of the list that must be sorted; `None` to sort all.
    top: Option<usize>,
    known: RelationMatrix,
    iteration: usize,
}

/// Matrix of the known relations of pairs, by item numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RelationMatrix {
    width: usize,
    relations: Vec<Option<Relation>>,
}

impl RelationMatrix {
    /// Creates a matrix without relations for item numbers below `width`.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            relations: vec![None; width * width],
        }
    }

    /// Returns the relation of a to b, if it is known.
    pub(crate) fn get(&self, a: Item, b: Item) -> Option<Relation> {
        self.relations[a.index() * self.width + b.index()]
    }

    /// Stores the relation of a to b, and the mirrored relation of b to a.
    pub(crate) fn set(&mut self, a: Item, b: Item, relation: Relation) {
        self.relations[a.index() * self.width + b.index()] = Some(relation);
        self.relations[b.index() * self.width + a.index()] = Some(relation.mirrored());
    }

    /// Returns true if all pairs of a segment's items are known to be equal, so that it needs no
    /// split.
    pub(crate) fn is_closed(&self, segment: &[Item]) -> bool {
        segment
            .iter()
            .all(|&item| self.is_equal_to_all(item, segment))
    }

    /// Returns true if an item is known to be equal to all others of its segment.
    pub(crate) fn is_equal_to_all(&self, item: Item, segment: &[Item]) -> bool {
        let mut others = segment.iter().filter(|&&other| other != item);
        others.all(|&other| self.get(item, other) == Some(Relation::Equal))
    }

    /// Splits a segment into the items preferred to the pivot, the pivot with the items equal to it
    /// or not compared with it, and the items to which the pivot is preferred.
    pub(crate) fn partition(&self, segment: &[Item], pivot: Item) -> [Vec<Item>; 3] {
        let [mut less, mut greater] = [Vec::new(), Vec::new()];
        let mut equal = vec![pivot];
        for &item in segment {
            match self.get(item, pivot) {
                _ if item == pivot => {}
                Some(Relation::Less) => less.push(item),
                Some(Relation::Greater) => greater.push(item),
                Some(Relation::Equal) | None => equal.push(item),
            }
        }
        [less, equal, greater]
    }
}

impl SelfOrganisingSort {
    /// Creates the sort of items from an initial order, which should be random.
    ///
    /// # Panics
    /// Panics if an item occurs twice.
    pub fn new(order: &[Item]) -> Self {
        let width = order.iter().map(|item| item.index() + 1).max().unwrap_or(0);
        let mut seen = vec![false; width];
        for item in order {
            assert!(!std::mem::replace(&mut seen[item.index()], true));
        }
        let mut sort = Self {
            segments: order
                .chunks(order.len().max(1))
                .map(<[Item]>::to_vec)
                .collect(),
            pivots: Vec::new(),
            pivot: PivotRule::Last,
            top: None,
            known: RelationMatrix::new(width),
            iteration: 0,
        };
        sort.choose_pivots();
        sort
    }

    /// Sets the pivot rule. It applies from the next split on, or at once if nothing was split yet.
    #[must_use]
    pub fn with_pivot(mut self, pivot: PivotRule) -> Self {
        self.pivot = pivot;
        if self.iteration == 0 {
            self.choose_pivots();
        }
        self
    }

    /// Restricts the sort to the top of the list: segments that begin after this many items are not
    /// split.
    #[must_use]
    pub fn with_top(mut self, items: usize) -> Self {
        self.top = Some(items);
        self.choose_pivots();
        self
    }

    /// Returns the current segments of items, best first.
    pub fn segments(&self) -> &[Vec<Item>] {
        &self.segments
    }

    /// Returns how many times [`advance`](Self::advance) split segments. This is the number of
    /// completed iterations if all questions are answered before each call.
    pub fn iteration(&self) -> usize {
        self.iteration
    }

    /// Returns true if the requested part of the list is sorted: no segment has a pivot.
    pub fn is_done(&self) -> bool {
        self.pivots.iter().all(Option::is_none)
    }

    /// Chooses the pivot of every segment.
    fn choose_pivots(&mut self) {
        let mut before = 0;
        let mut pivots = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            pivots.push(self.choose_pivot(segment, before));
            before += segment.len();
        }
        self.pivots = pivots;
    }

    /// Returns the pivot of a segment, or `None` if the segment is closed or begins after the
    /// requested top. `before` is the number of items before the segment.
    fn choose_pivot(&self, segment: &[Item], before: usize) -> Option<Item> {
        let wanted = self.top.is_none_or(|top| before < top);
        if !wanted || self.known.is_closed(segment) {
            return None;
        }
        match &self.pivot {
            PivotRule::Last => segment.last().copied(),
            PivotRule::Prior(places) => {
                let open = |item: &Item| !self.known.is_equal_to_all(*item, segment);
                let mut items: Vec<Item> = segment.iter().copied().filter(open).collect();
                let place = |item: &Item| places.get(item.index()).copied().unwrap_or(usize::MAX);
                items.sort_by_key(|item| (place(item), *item));
                items.get(items.len() / 2).copied()
            }
        }
    }

    /// Returns the pairs to ask now: each pivot with each item of its segment that it has not been
    /// compared with, the pivot first.
    pub fn questions(&self) -> Vec<(Item, Item)> {
        let mut questions = Vec::new();
        for (segment, pivot) in self.segments.iter().zip(&self.pivots) {
            if let Some(pivot) = *pivot {
                questions.extend(
                    self.uncompared_items(segment, pivot)
                        .map(|item| (pivot, item)),
                );
            }
        }
        questions
    }

    /// Returns the items of a segment that its pivot has not been compared with.
    fn uncompared_items(&self, segment: &[Item], pivot: Item) -> impl Iterator<Item = Item> {
        let others = segment.iter().copied();
        others.filter(move |&item| item != pivot && self.known.get(item, pivot).is_none())
    }

    /// Returns the relation of a to b, if it is known.
    pub fn relation(&self, a: Item, b: Item) -> Option<Relation> {
        self.known.get(a, b)
    }

    /// Records the relation of a to b.
    ///
    /// # Panics
    /// Panics if the two are the same, or if one is not in the list.
    pub fn record(&mut self, a: Item, b: Item, relation: Relation) {
        assert!(a != b);
        self.known.set(a, b, relation);
    }

    /// Splits every open segment whose questions are answered, independent of the other segments.
    /// Returns true if any was split.
    pub fn advance(&mut self) -> bool {
        let (mut segments, mut pivots) = (Vec::new(), Vec::new());
        let (mut before, mut any) = (0, false);
        for (segment, &pivot) in self.segments.iter().zip(&self.pivots) {
            let answered =
                pivot.filter(|&pivot| self.uncompared_items(segment, pivot).next().is_none());
            let Some(answered) = answered else {
                // A waiting segment keeps its pivot, even if other pairs become known.
                segments.push(segment.clone());
                pivots.push(pivot);
                before += segment.len();
                continue;
            };
            any = true;
            let parts = self.known.partition(segment, answered);
            for part in parts.into_iter().filter(|part| !part.is_empty()) {
                pivots.push(self.choose_pivot(&part, before));
                before += part.len();
                segments.push(part);
            }
        }
        if any {
            (self.segments, self.pivots) = (segments, pivots);
            self.iteration += 1;
        }
        any
    }

    /// Returns the current list, with each segment as a group.
    pub fn list(&self) -> GroupedList {
        GroupedList::new(self.segments.iter().map(|segment| segment.iter().copied()))
            .expect("the segments are a partition of the items")
    }
}
