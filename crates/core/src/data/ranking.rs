//! What a system returned for one query.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::Hash;

use super::ground_truth::QueryTruth;
use super::names::{Item, Names};

/// What stands at one place of a [`Ranking`], as seen from the judgments.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot(u32);

impl Slot {
    /// A document that no judgment mentions. It only takes up a place.
    pub const UNJUDGED: Self = Self(u32::MAX);
    /// A judged document that the ranking has returned before. It takes up a place and counts no
    /// more.
    pub const JUDGED_REPEAT: Self = Self(u32::MAX - 1);
    /// A document that no judgment mentions and that the ranking has returned before.
    pub const UNJUDGED_REPEAT: Self = Self(u32::MAX - 2);

    /// The judged item at this place, if there is one.
    pub fn item(self) -> Option<Item> {
        (self.0 < Self::UNJUDGED_REPEAT.0).then_some(Item::from_raw(self.0))
    }

    /// Whether the ranking has returned the document before.
    pub fn is_repeat(self) -> bool {
        self == Self::JUDGED_REPEAT || self == Self::UNJUDGED_REPEAT
    }

    /// What a second copy of the document at this place is.
    #[must_use]
    pub fn to_repeat(self) -> Self {
        if self == Self::UNJUDGED || self == Self::UNJUDGED_REPEAT {
            Self::UNJUDGED_REPEAT
        } else {
            Self::JUDGED_REPEAT
        }
    }
}

impl From<Item> for Slot {
    fn from(item: Item) -> Self {
        Self(item.raw())
    }
}

impl From<Option<Item>> for Slot {
    fn from(item: Option<Item>) -> Self {
        item.map_or(Self::UNJUDGED, Self::from)
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UNJUDGED => f.write_str("outside"),
            Self::JUDGED_REPEAT => f.write_str("repeat"),
            Self::UNJUDGED_REPEAT => f.write_str("outside repeat"),
            Self(item) => write!(f, "{item}"),
        }
    }
}

/// The documents that a system returned for one query, best first.
///
/// A place costs four bytes: what no judgment mentions needs no name. No item stands in two
/// places; a second copy is a [repeat](Slot::is_repeat). Where the system ties documents, the
/// ranking keeps the tied groups, and a measure gives its mean over all orders within them.
///
/// A tie is a set of documents. One that is tied with itself says nothing about an order, so its
/// further copies take up the places behind the tie, where they count no more: `(a, a)` is the
/// strict list a, a, and `(a, x, a)` is `(a, x)` and then a copy. A copy of a document of an
/// earlier tie changes places like any other.
///
/// ```
/// use partita_core::{Judged, Ranking};
///
/// let truth = Judged::of_groups([["1", "2"].as_slice(), &["3", "4", "5"]])?;
/// let ranking = Ranking::of(truth.names(), ["2", "3", "1", "5", "7", "8", "9", "4"]);
/// assert_eq!(ranking.len(), 8);
/// # Ok::<(), partita_core::JudgedError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    slots: Vec<Slot>,
    /// The ends of the tied groups; `None` if the order is strict.
    ends: Option<Vec<usize>>,
}

impl Ranking {
    /// A ranking in strict order. Later copies of an item become [`Slot::REPEAT`].
    pub fn from_slots(mut slots: Vec<Slot>) -> Self {
        mark_repeats(&mut slots);
        Self { slots, ends: None }
    }

    /// A ranking of this many places in strict order, in which these items stand at these places,
    /// and copies of documents at those, each with what it is a copy of.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn from_positions(
        length: usize,
        places: impl IntoIterator<Item = (Item, usize)>,
        repeats: impl IntoIterator<Item = (usize, Slot)>,
    ) -> Self {
        let mut slots = vec![Slot::UNJUDGED; length];
        for (item, place) in places {
            slots[place] = Slot::from(item);
        }
        for (place, copied) in repeats {
            slots[place] = copied.to_repeat();
        }
        Self { slots, ends: None }
    }

    /// A ranking of groups of tied documents. Empty groups are passed over, and a ranking whose
    /// groups all have one document is strict. An item that stands in a group twice moves behind it.
    pub fn from_slot_groups(groups: impl IntoIterator<Item = Vec<Slot>>) -> Self {
        let mut seen = FirstPositions::default();
        let groups = groups.into_iter().enumerate().map(|(number, group)| {
            let places = group.into_iter().map(|slot| {
                let first = slot.item().and_then(|item| seen.enter(item, number));
                (slot, first)
            });
            places.collect()
        });
        Self::from_placed_groups(groups)
    }

    /// A ranking of groups of tied documents, each with what it is to the judgments. Copies are
    /// told by the documents.
    pub fn from_document_groups<D: Eq + Hash, G>(groups: impl IntoIterator<Item = G>) -> Self
    where
        G: IntoIterator<Item = (D, Slot)>,
    {
        let mut seen: HashMap<D, usize> = HashMap::new();
        Self::from_placed_groups(groups.into_iter().enumerate().map(|(number, group)| {
            let places = group.into_iter().map(|(document, slot)| {
                let first = match seen.entry(document) {
                    Entry::Occupied(first) => Some(*first.get()),
                    Entry::Vacant(first) => {
                        first.insert(number);
                        None
                    }
                };
                (slot, first)
            });
            places.collect()
        }))
    }

    /// A ranking of groups of what stands there, with the number of the group in which the document
    /// stood first if it did so before.
    fn from_placed_groups(groups: impl Iterator<Item = Vec<(Slot, Option<usize>)>>) -> Self {
        let mut slots = Vec::new();
        let mut ends = Vec::new();
        for (number, group) in groups.enumerate() {
            let before = slots.len();
            let mut copies = Vec::new();
            for (slot, first) in group {
                match first {
                    None => slots.push(slot),
                    Some(first) if first == number => copies.push(slot.to_repeat()),
                    Some(_) => slots.push(slot.to_repeat()),
                }
            }
            if slots.len() > before {
                ends.push(slots.len());
            }
            for copy in copies {
                slots.push(copy);
                ends.push(slots.len());
            }
        }
        let tied = ends.len() < slots.len();
        Self {
            slots,
            ends: tied.then_some(ends),
        }
    }

    /// The ranking of these documents, in strict order.
    pub fn from_names<'n>(names: &Names, documents: impl IntoIterator<Item = &'n str>) -> Self {
        Self::from_name_groups(names, documents.into_iter().map(|name| [name]))
    }

    /// The ranking of these groups of tied documents.
    pub fn from_name_groups<'n, G>(names: &Names, groups: impl IntoIterator<Item = G>) -> Self
    where
        G: IntoIterator<Item = &'n str>,
    {
        let slot = |name| (name, Slot::from(names.get(name)));
        Self::from_document_groups(groups.into_iter().map(|group| group.into_iter().map(slot)))
    }

    /// The number of places, written r here.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether nothing was returned.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// What stands at each place.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Whether some documents are tied.
    pub fn is_tied(&self) -> bool {
        self.ends.is_some()
    }

    /// The tied groups in order; in a strict ranking every document is one.
    pub fn groups(&self) -> impl Iterator<Item = &[Slot]> {
        let mut start = 0;
        let count = self.ends.as_ref().map_or(self.slots.len(), Vec::len);
        (0..count).map(move |g| {
            let end = self.ends.as_ref().map_or(g + 1, |ends| ends[g]);
            &self.slots[std::mem::replace(&mut start, end)..end]
        })
    }

    /// The ranking without the slots that `keep` refuses; what follows moves up.
    pub fn filter_slots(&self, keep: impl Fn(Slot) -> bool) -> Self {
        let kept = |group: &[Slot]| group.iter().copied().filter(|&s| keep(s)).collect();
        if self.is_tied() {
            Self::from_slot_groups(self.groups().map(kept))
        } else {
            Self {
                slots: kept(&self.slots),
                ends: None,
            }
        }
    }

    /// The ranking without repeated documents.
    pub fn without_repeats(&self) -> Self {
        self.filter_slots(|slot| !slot.is_repeat())
    }

    /// The condensed list (Sakai, 2007): the ranking without documents that nobody judged.
    ///
    /// All copies of such a document go; a second copy of a judged one keeps its place.
    pub fn condensed(&self) -> Self {
        self.filter_slots(|slot| slot != Slot::UNJUDGED && slot != Slot::UNJUDGED_REPEAT)
    }

    /// The strict ranking that puts the most relevant documents of every tied group first.
    ///
    /// No order within the tied groups scores higher by a measure of the registry for which higher
    /// is better. None of them falls when two neighbours change places so that the more relevant
    /// one comes first, and every order can be put into this one by such changes. (Of two
    /// documents further apart this does not hold: bpref can fall, because what lies between them
    /// is overtaken too.) Documents that nobody judged come last, so that the extremes of the
    /// measures of judgment, Judged, Unjudged and RBPresidual, lie at this order and at
    /// [`Ranking::worst_order`] as well.
    pub fn best_order(&self, truth: &QueryTruth) -> Self {
        self.reordered(truth, std::cmp::Reverse)
    }

    /// The strict ranking that puts the most relevant documents of every tied group last: the
    /// order that is worst where [`Ranking::best_order`] is best.
    pub fn worst_order(&self, truth: &QueryTruth) -> Self {
        self.reordered(truth, |relevance| relevance)
    }

    fn reordered<K: Ord>(&self, truth: &QueryTruth, key: impl Fn(usize) -> K) -> Self {
        let groups = truth.list().group_count();
        // Below all groups of the list: what is judged and not in it, copies of what nobody judged,
        // and last what nobody judged, because the measures of judgment tell these apart.
        let relevance = |slot: Slot| match slot {
            Slot::UNJUDGED => 0,
            Slot::UNJUDGED_REPEAT => 1,
            _ => {
                let group = slot.item().and_then(|item| truth.group(item));
                group.map_or(2, |g| groups - g + 2)
            }
        };
        let mut slots = Vec::with_capacity(self.slots.len());
        for group in self.groups() {
            let start = slots.len();
            slots.extend_from_slice(group);
            slots[start..].sort_by_key(|&slot| key(relevance(slot)));
        }
        Self { slots, ends: None }
    }
}

/// Later copies of an item become repeats.
fn mark_repeats(slots: &mut [Slot]) {
    let mut seen = FirstPositions::default();
    for slot in slots {
        if slot.item().is_some_and(|item| seen.is_known(item, 0)) {
            *slot = slot.to_repeat();
        }
    }
}

/// Where each item stood first.
#[derive(Default)]
struct FirstPositions(Vec<Option<usize>>);

impl FirstPositions {
    /// Where the item stood before, if it did; else it stands here.
    fn enter(&mut self, item: Item, place: usize) -> Option<usize> {
        if self.0.len() <= item.index() {
            self.0.resize(item.index() + 1, None);
        }
        let first = &mut self.0[item.index()];
        let before = *first;
        first.get_or_insert(place);
        before
    }

    fn is_known(&mut self, item: Item, place: usize) -> bool {
        self.enter(item, place).is_some()
    }
}
