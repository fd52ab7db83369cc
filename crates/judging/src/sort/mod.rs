//! The self-organising sort.

pub(crate) mod replay;

use partita_core::{GroupedList, Item};

use crate::votes::relation::Relation;

/// Which item of a segment the others are compared with.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PivotRule {
    /// The last, as in the paper.
    #[default]
    Last,
    /// The middle one by a prior order of all items, each number being the place of an item. The
    /// halves are then of similar size, so that fewer pairs are asked for.
    Prior(Vec<usize>),
}

/// Items that arrange themselves into an ordered list of groups by the answers to a few questions
/// (Urbano et al. 2010, section 3.2).
///
/// Items lie in segments. Each open segment has a pivot, which is compared with every other item of
/// the segment; what is known already is not asked again. The segment then falls into those less than
/// the pivot, the pivot with those equal to it, and those greater. A segment is closed when all its
/// pairs are known, and the list is done when all segments are.
///
/// The paper asks in iterations, one of all open segments after the other. Items of different segments
/// are never compared, so a segment need not wait for the others: it goes on as soon as its own pairs
/// are known, asks the same pairs, and makes the same list.
///
/// Equal is not taken to be transitive: two items that are both equal to a pivot are compared before
/// their segment is closed.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfOrganisingSort {
    segments: Vec<Vec<Item>>,
    /// The pivot of each segment; none if it is closed.
    pivots: Vec<Option<Item>>,
    pivot: PivotRule,
    /// How many items at the head are settled; all if not given.
    top: Option<usize>,
    known: RelationMatrix,
    iteration: usize,
}

/// What is known of each pair, by the numbers of its items.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RelationMatrix {
    width: usize,
    relations: Vec<Option<Relation>>,
}

impl RelationMatrix {
    /// Nothing is known of items with numbers below this.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            relations: vec![None; width * width],
        }
    }

    pub(crate) fn get(&self, a: Item, b: Item) -> Option<Relation> {
        self.relations[a.index() * self.width + b.index()]
    }

    pub(crate) fn set(&mut self, a: Item, b: Item, relation: Relation) {
        self.relations[a.index() * self.width + b.index()] = Some(relation);
        self.relations[b.index() * self.width + a.index()] = Some(relation.mirrored());
    }

    /// Whether all pairs of these items are known, and equal.
    pub(crate) fn is_closed(&self, segment: &[Item]) -> bool {
        segment
            .iter()
            .all(|&item| self.is_equal_to_all(item, segment))
    }

    /// Whether an item is known to be equal to all others of its segment.
    pub(crate) fn is_equal_to_all(&self, item: Item, segment: &[Item]) -> bool {
        let mut others = segment.iter().filter(|&&other| other != item);
        others.all(|&other| self.get(item, other) == Some(Relation::Equal))
    }

    /// The items less than the pivot, the pivot with those equal to it, and those greater.
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
    /// Items in their initial order, which should be drawn at random.
    ///
    /// # Panics
    /// If an item occurs twice.
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

    /// The same sort with other pivots, from the next iteration on; from the first if it has not
    /// begun.
    #[must_use]
    pub fn with_pivot(mut self, pivot: PivotRule) -> Self {
        self.pivot = pivot;
        if self.iteration == 0 {
            self.choose_pivots();
        }
        self
    }

    /// The same sort that settles the head of the list only: segments that begin after this many
    /// items stay as they are.
    #[must_use]
    pub fn with_top(mut self, items: usize) -> Self {
        self.top = Some(items);
        self.choose_pivots();
        self
    }

    /// The segments, the earlier the closer to the query.
    pub fn segments(&self) -> &[Vec<Item>] {
        &self.segments
    }

    /// The pivot of each segment; none if it is closed.
    pub fn pivots(&self) -> &[Option<Item>] {
        &self.pivots
    }

    /// How many times segments have fallen apart: the number of iterations that are over, if all
    /// questions of one are answered before it is told to [go on](Self::advance).
    pub fn iteration(&self) -> usize {
        self.iteration
    }

    /// Whether all segments are closed.
    pub fn is_done(&self) -> bool {
        self.pivots.iter().all(Option::is_none)
    }

    fn choose_pivots(&mut self) {
        let mut before = 0;
        let mut pivots = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            pivots.push(self.choose_pivot(segment, before));
            before += segment.len();
        }
        self.pivots = pivots;
    }

    /// The item with which the others of a segment are compared if it is open and wanted, there being
    /// so many items before it.
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

    /// What is asked now: each pivot with each item of its segment that it has not been compared
    /// with, the pivot first.
    pub fn questions(&self) -> Vec<(Item, Item)> {
        let mut questions = Vec::new();
        for (segment, pivot) in self.segments.iter().zip(&self.pivots) {
            if let Some(pivot) = *pivot {
                questions.extend(self.unknown(segment, pivot).map(|item| (pivot, item)));
            }
        }
        questions
    }

    /// The items of a segment that its pivot has not been compared with.
    fn unknown(&self, segment: &[Item], pivot: Item) -> impl Iterator<Item = Item> {
        let others = segment.iter().copied();
        others.filter(move |&item| item != pivot && self.known.get(item, pivot).is_none())
    }

    /// What is known of a pair.
    pub fn relation(&self, a: Item, b: Item) -> Option<Relation> {
        self.known.get(a, b)
    }

    /// Takes the answer to a question: how a relates to b.
    ///
    /// # Panics
    /// If the two are the same, or one is not in the list.
    pub fn record(&mut self, a: Item, b: Item, relation: Relation) {
        assert!(a != b);
        self.known.set(a, b, relation);
    }

    /// Lets every open segment fall apart whose questions are answered, whatever the others wait for.
    /// Whether any did.
    pub fn advance(&mut self) -> bool {
        let (mut segments, mut pivots) = (Vec::new(), Vec::new());
        let (mut before, mut any) = (0, false);
        for (segment, &pivot) in self.segments.iter().zip(&self.pivots) {
            let answered = pivot.filter(|&pivot| self.unknown(segment, pivot).next().is_none());
            let Some(answered) = answered else {
                // A segment that waits keeps its pivot, whatever is known of it meanwhile.
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

    /// The list as it is now: a segment a group.
    pub fn list(&self) -> GroupedList {
        GroupedList::new(self.segments.iter().map(|segment| segment.iter().copied()))
            .expect("segments part the items: none is empty, none holds an item of another")
    }
}
