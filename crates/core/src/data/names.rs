//! Interned strings: names of items, queries or assessors, numbered from 0.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Judged object (a document, a melody, a clip): the index that a [`Names`] assigned to its name.
///
/// An item is only meaningful together with its `Names`. Indices start at 0 without gaps, so data
/// about items can be stored in plain vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item(u32);

impl Item {
    /// Largest number of names that one [`Names`] can hold.
    pub const MAX_COUNT: usize = (u32::MAX - 2) as usize;

    /// Returns the item with this index, or `None` past [`Item::MAX_COUNT`].
    pub fn from_index(index: usize) -> Option<Self> {
        (index < Self::MAX_COUNT).then_some(Self(index as u32))
    }

    /// Returns the index of the item, for indexing a vector.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Creates an item from its index, without checks.
    pub(crate) const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// Returns the index of the item as `u32`.
    pub(crate) const fn raw(self) -> u32 {
        self.0
    }
}

/// Interner: a set of names, numbered by first appearance.
///
/// All names are stored in one string, so the overhead per name is a few bytes. Small sets have no
/// hash table and are searched linearly, which keeps them small.
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
    /// All names, one after another.
    text: String,
    /// Position in `text` where each name ends.
    ends: Vec<usize>,
    /// Indices of the names, found by the hash of the name; empty for small sets.
    table: HashTable<u32>,
}

impl Names {
    /// Creates an empty set of names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty set that can hold `names` names without rehashing.
    pub fn with_capacity(names: usize) -> Self {
        Self {
            text: String::with_capacity(16 * names),
            ends: Vec::with_capacity(names),
            table: Self::table_for(names),
        }
    }

    /// Creates an empty set that can hold as many names and bytes as `other` without reallocation.
    pub fn with_capacity_like(other: &Self) -> Self {
        Self {
            text: String::with_capacity(other.text.len()),
            ends: Vec::with_capacity(other.len()),
            table: Self::table_for(other.len()),
        }
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Largest number of names that are searched linearly, without a hash table.
    const LINEAR_SEARCH_LIMIT: usize = 8;

    /// Creates a hash table with capacity for `names` names. Sets small enough for linear search
    /// get an empty table without allocation.
    fn table_for(names: usize) -> HashTable<u32> {
        HashTable::with_capacity(if names > Self::LINEAR_SEARCH_LIMIT {
            names
        } else {
            0
        })
    }

    /// Returns the item of this name, and adds the name if it is new.
    ///
    /// Returns `None` only if the set already has [`Item::MAX_COUNT`] names.
    pub fn intern(&mut self, name: &str) -> Option<Item> {
        let item = Item::from_index(self.ends.len());
        let (text, ends) = (&self.text, &self.ends);
        let name_of = |&i: &u32| name_at(text, ends, i as usize);
        let hash_of = |i: &u32| Self::hash(name_of(i).as_bytes());
        if self.table.is_empty() {
            if let Some(known) = (0..ends.len() as u32).find(|i| name_of(i) == name) {
                return Some(Item(known));
            }
            if ends.len() == Self::LINEAR_SEARCH_LIMIT {
                for index in 0..ends.len() as u32 {
                    self.table.insert_unique(hash_of(&index), index, hash_of);
                }
            }
        }
        if ends.len() >= Self::LINEAR_SEARCH_LIMIT {
            let hash = Self::hash(name.as_bytes());
            match self.table.entry(hash, |i| name_of(i) == name, hash_of) {
                Entry::Occupied(known) => return Some(Item(*known.get())),
                Entry::Vacant(place) => place.insert(item?.0),
            };
        }
        self.text.push_str(name);
        self.ends.push(self.text.len());
        item
    }

    /// Returns the item of this name, if it is in the set.
    pub fn get(&self, name: &str) -> Option<Item> {
        self.get_hashed(Self::hash(name.as_bytes()), name.as_bytes())
    }

    /// Like [`Names::get`], for a parser that already has the bytes of a name and their
    /// [`Names::hash`].
    pub fn get_hashed(&self, hash: u64, name: &[u8]) -> Option<Item> {
        let is_it = |&i: &u32| {
            are_equal_bytes(name_at(&self.text, &self.ends, i as usize).as_bytes(), name)
        };
        if self.table.is_empty() {
            return (0..self.ends.len() as u32).find(is_it).map(Item);
        }
        self.table.find(hash, is_it).map(|&i| Item(i))
    }

    /// Returns the hash of a name for [`Names::get_hashed`]. It is the same in every run of the
    /// program.
    #[inline]
    pub fn hash(name: &[u8]) -> u64 {
        let mut hasher = FixedState::default().build_hasher();
        match (name.first_chunk(), name.last_chunk()) {
            // Names of 16 to 32 bytes are hashed inline, as two overlapping words of 16 bytes.
            // `hasher.write` would hash them with a function call that is not inlined.
            (Some(&first), Some(&last)) if name.len() <= 32 => {
                hasher.write_u128(u128::from_le_bytes(first));
                hasher.write_u128(u128::from_le_bytes(last) ^ name.len() as u128);
            }
            _ => hasher.write(name),
        }
        hasher.finish()
    }

    /// Returns the name of an item. Panics if the item is not in this set.
    pub fn name(&self, item: Item) -> &str {
        name_at(&self.text, &self.ends, item.index())
    }

    /// Returns all items in ascending order of their indices.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Item> + use<> {
        (0..self.ends.len() as u32).map(Item)
    }

    /// Returns all items, sorted by name.
    pub fn sorted_items(&self) -> Vec<Item> {
        let mut items: Vec<Item> = self.items().collect();
        items.sort_by_key(|&item| self.name(item));
        items
    }
}

/// Returns true if two names are equal. Names of 16 to 32 bytes are compared inline, without a call
/// to `memcmp`.
#[inline]
fn are_equal_bytes(a: &[u8], b: &[u8]) -> bool {
    match (a.first_chunk::<16>(), a.last_chunk::<16>()) {
        (Some(first), Some(last)) if a.len() == b.len() && a.len() <= 32 => {
            b.first_chunk() == Some(first) && b.last_chunk() == Some(last)
        }
        _ => a == b,
    }
}

/// Returns the name with this index. `text` holds all names, `ends` the position where each ends.
#[inline]
fn name_at<'a>(text: &'a str, ends: &[usize], index: usize) -> &'a str {
    let start = index.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[index]]
}

/// Formats the first `most` names and the number of the remaining ones, as in `a, b and 3 more`.
pub fn summarize_names<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let first: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(most) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
