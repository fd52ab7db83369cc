//! Names of items, each kept once.

use std::hash::Hasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::BuildHasher;

/// One item (a document, a melody, a clip): the number that a [`Names`] gave to its name.
///
/// An item means something only beside the `Names` that made it. Numbers start at 0 and leave no
/// gap, so what is known of items can be kept in plain vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item(u32);

impl Item {
    /// The largest number of names that one [`Names`] can hold.
    pub const MAX_COUNT: usize = (u32::MAX - 2) as usize;

    /// The item with this number.
    ///
    /// Returns `None` past [`Item::MOST`].
    pub fn from_index(index: usize) -> Option<Self> {
        (index < Self::MAX_COUNT).then_some(Self(index as u32))
    }

    /// The item's number, for indexing a vector.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    pub(crate) const fn raw(self) -> u32 {
        self.0
    }
}

/// A set of names, numbered in the order of their first appearance.
///
/// The text of all names lies in one string, so a name costs its own bytes and a few more. A few
/// names are found by looking at all of them, so that a small set is small.
///
/// ```
/// use partita_core::Names;
///
/// let mut names = Names::new();
/// let a = names.intern("600.054.278").unwrap();
/// assert_eq!(names.intern("600.054.278"), Some(a));
/// assert_eq!(names.name(a), "600.054.278");
/// assert_eq!(names.get("450.040.980"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Names {
    /// No names yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// No names yet, with room for this many.
    pub fn with_capacity(names: usize) -> Self {
        Self {
            text: String::with_capacity(16 * names),
            ends: Vec::with_capacity(names),
            table: Self::table_for(names),
        }
    }

    /// No names yet, with room for as many and as long ones as there are in another set.
    pub fn with_capacity_like(other: &Self) -> Self {
        Self {
            text: String::with_capacity(other.text.len()),
            ends: Vec::with_capacity(other.len()),
            table: Self::table_for(other.len()),
        }
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The most names that are found without a table.
    const FEW: usize = 8;

    fn table_for(names: usize) -> HashTable<u32> {
        HashTable::with_capacity(if names > Self::FEW { names } else { 0 })
    }

    /// The item of this name, which is added if it is new.
    ///
    /// Returns `None` only when [`Item::MOST`] names are held already.
    pub fn intern(&mut self, name: &str) -> Option<Item> {
        let item = Item::from_index(self.ends.len());
        let (text, ends) = (&self.text, &self.ends);
        let known = |&i: &u32| slice(text, ends, i as usize);
        let hash_of = |i: &u32| Self::hash(known(i).as_bytes());
        if self.table.is_empty() {
            if let Some(known) = (0..ends.len() as u32).find(|i| known(i) == name) {
                return Some(Item(known));
            }
            if ends.len() == Self::FEW {
                for few in 0..ends.len() as u32 {
                    self.table.insert_unique(hash_of(&few), few, hash_of);
                }
            }
        }
        if ends.len() >= Self::FEW {
            let hash = Self::hash(name.as_bytes());
            match self.table.entry(hash, |i| known(i) == name, hash_of) {
                Entry::Occupied(known) => return Some(Item(*known.get())),
                Entry::Vacant(place) => place.insert(item?.0),
            };
        }
        self.text.push_str(name);
        self.ends.push(self.text.len());
        item
    }

    /// The item of this name, if it is known.
    pub fn get(&self, name: &str) -> Option<Item> {
        self.get_hashed(Self::hash(name.as_bytes()), name.as_bytes())
    }

    /// As [`Names::get`], for a reader that has the bytes of a name and their [`Names::hash`].
    pub fn get_hashed(&self, hash: u64, name: &[u8]) -> Option<Item> {
        let is_it = |&i: &u32| same(slice(&self.text, &self.ends, i as usize).as_bytes(), name);
        if self.table.is_empty() {
            return (0..self.ends.len() as u32).find(is_it).map(Item);
        }
        self.table.find(hash, is_it).map(|&i| Item(i))
    }

    /// The hash under which names are kept. It is the same in every run of the program.
    #[inline]
    pub fn hash(name: &[u8]) -> u64 {
        let mut hasher = FixedState::default().build_hasher();
        match (name.first_chunk(), name.last_chunk()) {
            // Most names are short, and what foldhash does for long ones is a call.
            (Some(&first), Some(&last)) if name.len() <= 32 => {
                hasher.write_u128(u128::from_le_bytes(first));
                hasher.write_u128(u128::from_le_bytes(last) ^ name.len() as u128);
            }
            _ => hasher.write(name),
        }
        hasher.finish()
    }

    /// The name of an item of this set. Panics if the item is none of this set.
    pub fn name(&self, item: Item) -> &str {
        slice(&self.text, &self.ends, item.index())
    }

    /// All items, in order.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Item> + use<> {
        (0..self.ends.len() as u32).map(Item)
    }

    /// All items, in the order of their names.
    pub fn sorted_items(&self) -> Vec<Item> {
        let mut items: Vec<Item> = self.items().collect();
        items.sort_by_key(|&item| self.name(item));
        items
    }
}

/// Whether two names are the same. Most are short, and comparing others is a call.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    match (a.first_chunk::<16>(), a.last_chunk::<16>()) {
        (Some(first), Some(last)) if a.len() == b.len() && a.len() <= 32 => {
            b.first_chunk() == Some(first) && b.last_chunk() == Some(last)
        }
        _ => a == b,
    }
}

#[inline]
fn slice<'a>(text: &'a str, ends: &[usize], index: usize) -> &'a str {
    let start = index.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[index]]
}

/// The first of these names, and how many more there are.
pub fn summarize_names<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let first: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(most) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
