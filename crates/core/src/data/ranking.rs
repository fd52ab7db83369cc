//! Ranking that a system returned for one query.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::Hash;

use super::ground_truth::QueryTruth;
use super::names::{Item, Names};

/// Content of one position of a [`Ranking`]: a judged item, an unjudged document, or a repeat of an
/// earlier document.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot(u32);

impl Slot {
    /// Unjudged document. It only takes up a position.
    pub const UNJUDGED: Self = Self(u32::MAX);
    /// Second or later copy of a judged document. It takes up a position but does not count again.
    pub const JUDGED_REPEAT: Self = Self(u32::MAX - 1);
    /// Second or later copy of an unjudged document. It takes up a position.
    pub const UNJUDGED_REPEAT: Self = Self(u32::MAX - 2);

    /// Returns the judged item that the slot holds; `None` for unjudged and repeated documents.
    pub fn item(self) -> Option<Item> {
        (self.0 < Self::UNJUDGED_REPEAT.0).then_some(Item::from_raw(self.0))
    }

    /// Returns true if the slot holds a further copy of a document that occurs earlier in the
    /// ranking.
    pub fn is_repeat(self) -> bool {
        self == Self::JUDGED_REPEAT || self == Self::UNJUDGED_REPEAT
    }

    /// Returns the slot that represents a second copy of the document in this slot.
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
            Self::UNJUDGED => f.write_str("unjudged"),
            Self::JUDGED_REPEAT => f.write_str("repeat"),
            Self::UNJUDGED_REPEAT => f.write_str("unjudged repeat"),
            Self(item) => write!(f, "{item}"),
        }
    }
}

/// Documents that a system returned for one query, best first.
///
/// A position takes four bytes, because unjudged documents need no name. Each item occurs once;
/// further copies are [repeats](Slot::is_repeat). If the system ties documents, the ranking keeps
/// the tied groups, and a measure returns its mean over all orders within them.
///
/// A tied group is a set of documents. If a document occurs several times in one group, its further
/// copies move directly behind the group, where they do not count: `(a, a)` becomes the strict list
/// a, a, and `(a, x, a)` becomes `(a, x)` followed by a copy. A copy of a document from an earlier
/// group stays in its group and is permuted like the others.
///
/// ```
/// use partita_core::{QueryTruth, Ranking};
///
/// let truth = QueryTruth::from_groups([["1", "2"].as_slice(), &["3", "4", "5"]])?;
/// let ranking = Ranking::from_names(truth.names(), ["2", "3", "1", "5", "7", "8", "9", "4"]);
/// assert_eq!(ranking.len(), 8);
/// # Ok::<(), partita_core::GroundTruthError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    slots: Vec<Slot>,
    /// Position after the last document of each tied group; `None` if no documents are tied.
    ends: Option<Vec<usize>>,
}

impl Ranking {
    /// Creates a ranking without ties. Later copies of an item become [`Slot::JUDGED_REPEAT`].
    pub fn from_slots(mut slots: Vec<Slot>) -> Self {
        let mut seen = FirstOccurrences::default();
        for slot in &mut slots {
            if slot
                .item()
                .is_some_and(|item| seen.find_or_record(item, 0).is_some())
            {
                *slot = slot.to_repeat();
            }
        }
        Self { slots, ends: None }
    }

    /// Creates a ranking without ties of `length` unjudged documents, then sets the given items and
    /// second copies at their positions (from 0).
    ///
    /// # Panics
    /// Panics if a position is not below `length`.
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

    /// Creates a ranking from groups of tied documents. Empty groups are skipped, and a ranking
    /// with only single-document groups is strict. A second copy of an item within a group moves
    /// behind the group.
    pub fn from_slot_groups(groups: impl IntoIterator<Item = Vec<Slot>>) -> Self {
        let mut seen = FirstOccurrences::default();
        let groups = groups.into_iter().enumerate().map(|(number, group)| {
            let places = group.into_iter().map(|slot| {
                let first = slot
                    .item()
                    .and_then(|item| seen.find_or_record(item, number));
                (slot, first)
            });
            places.collect()
        });
        Self::from_occurrence_groups(groups)
    }

    /// Creates a ranking from groups of tied documents, given as pairs of document and slot.
    /// Documents that compare equal are copies of each other.
    pub fn from_document_groups<D: Eq + Hash, G>(groups: impl IntoIterator<Item = G>) -> Self
    where
        G: IntoIterator<Item = (D, Slot)>,
    {
        let mut seen: HashMap<D, usize> = HashMap::new();
        Self::from_occurrence_groups(groups.into_iter().enumerate().map(|(number, group)| {
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

    /// Creates a ranking from tied groups of slots. Each slot comes with the number of the group in
    /// which its document occurred first, or with `None` if this is the first occurrence.
    fn from_occurrence_groups(groups: impl Iterator<Item = Vec<(Slot, Option<usize>)>>) -> Self {
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

    /// Creates a ranking without ties from document names, best first. A name that is not in
    /// `names` is an unjudged document.
    pub fn from_names<'n>(names: &Names, documents: impl IntoIterator<Item = &'n str>) -> Self {
        Self::from_name_groups(names, documents.into_iter().map(|name| [name]))
    }

    /// Creates a ranking from groups of names of tied documents, best group first. A name that is
    /// not in `names` is an unjudged document.
    pub fn from_name_groups<'n, G>(names: &Names, groups: impl IntoIterator<Item = G>) -> Self
    where
        G: IntoIterator<Item = &'n str>,
    {
        let slot = |name| (name, Slot::from(names.get(name)));
        Self::from_document_groups(groups.into_iter().map(|group| group.into_iter().map(slot)))
    }

    /// Returns the number of positions, including those of unjudged and repeated documents.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns true if the ranking has no documents.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the slots, best first.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Returns true if some documents are tied.
    pub fn is_tied(&self) -> bool {
        self.ends.is_some()
    }

    /// Iterates over the tied groups in order; in a strict ranking every document is a group.
    pub fn groups(&self) -> impl Iterator<Item = &[Slot]> {
        let mut start = 0;
        let count = self.ends.as_ref().map_or(self.slots.len(), Vec::len);
        (0..count).map(move |g| {
            let end = self.ends.as_ref().map_or(g + 1, |ends| ends[g]);
            &self.slots[std::mem::replace(&mut start, end)..end]
        })
    }

    /// Returns the ranking with only the slots for which `keep` is true. Later slots move up.
    fn filter_slots(&self, keep: impl Fn(Slot) -> bool) -> Self {
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

    /// Returns the ranking without second copies of documents. Later documents move up.
    pub fn without_repeats(&self) -> Self {
        self.filter_slots(|slot| !slot.is_repeat())
    }

    /// Returns the condensed list (Sakai, 2007): the ranking without unjudged documents.
    ///
    /// All copies of unjudged documents are removed; repeats of judged documents keep their
    /// positions.
    pub fn condensed(&self) -> Self {
        self.filter_slots(|slot| slot != Slot::UNJUDGED && slot != Slot::UNJUDGED_REPEAT)
    }

    /// Returns the strict ranking with the most relevant documents of every tied group first.
    ///
    /// No order within the tied groups scores higher by a measure of the registry for which higher
    /// is better. No such measure falls when two adjacent documents are swapped so that the more
    /// relevant one comes first, and such swaps turn every order into this one. (Swapping documents
    /// that are not adjacent can lower bpref, because the documents between them are overtaken
    /// too.) Unjudged documents come last, so that Judged, Unjudged and RBPresidual also have their
    /// extremes at this order and at [`Ranking::worst_order`].
    pub fn best_order(&self, truth: &QueryTruth) -> Self {
        self.reordered(truth, std::cmp::Reverse)
    }

    /// Returns the strict ranking with the most relevant documents of every tied group last. It has
    /// the lowest score by every measure for which [`Ranking::best_order`] has the highest.
    pub fn worst_order(&self, truth: &QueryTruth) -> Self {
        self.reordered(truth, |relevance| relevance)
    }

    /// Returns the strict ranking in which every tied group is sorted by `key` of the relevance of
    /// its documents. Relevance is an integer that is higher for earlier groups of the ground truth
    /// and lowest for unjudged documents.
    fn reordered<K: Ord>(&self, truth: &QueryTruth, key: impl Fn(usize) -> K) -> Self {
        let groups = truth.list().group_count();
        // Below all groups of the list come judged items outside the list and repeats of judged
        // documents, then repeats of unjudged documents, then unjudged documents. The measures
        // Judged, Unjudged and RBPresidual distinguish these.
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

/// Number of the first tied group of the ranking in which each item occurs; `None` for items not
/// met so far.
#[derive(Default)]
struct FirstOccurrences(Vec<Option<usize>>);

impl FirstOccurrences {
    /// Returns the number of the first group with the item if it was recorded before. Otherwise
    /// records `group` as its first group and returns `None`.
    fn find_or_record(&mut self, item: Item, group: usize) -> Option<usize> {
        if self.0.len() <= item.index() {
            self.0.resize(item.index() + 1, None);
        }
        let first = &mut self.0[item.index()];
        let before = *first;
        first.get_or_insert(group);
        before
    }
}
