//! Intransitive triples: triples of items or systems whose tests contradict each other.
//!
//! There are n³/6 triples of n items, and in a long list most may be intransitive: a billion in a
//! list of 2,000. Bit sets count them 64 at a time without storing them. The worst are listed, and
//! an iterator yields [all of them](PairwiseRelations::intransitive_triples).

use std::cmp::Ordering;

use crate::data::bit_matrix::set_bits;
use crate::data::names::Item;
use crate::significance::tails::Tails;
use crate::truth::build::item_pair_tests::ItemPairTests;

partita_named::named_enum! {
    /// Kind of contradiction between the tests of the three pairs among items a, b and c.
    pub enum Intransitivity: "paradox" {
        /// a = b and b = c, but a < c. (Figure 2 of Urbano et al. 2010, and whenever differences
        /// add up.)
        EqualsDiffer = "equals-differ",
        /// a < b and b < c, but a = c. (Urbano et al. 2010, section 3.3.)
        ChainBreaks = "chain-breaks",
        /// a < b and b < c, but c < a.
        Cycle = "cycle",
    }
}

impl Intransitivity {
    /// Kinds of contradiction from worst to mildest: a cycle (a < b < c < a) allows no order, a
    /// broken chain (a < b < c but a = c) allows no groups, and equal neighbours with different
    /// ends (a = b = c but a < c) occur whenever small differences add up.
    pub const WORST_FIRST: [Self; 3] = [Self::Cycle, Self::ChainBreaks, Self::EqualsDiffer];
}

/// Three items or systems whose pairwise test results no partially ordered list can represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntransitiveTriple<T = Item> {
    /// Kind of contradiction between the three test results.
    pub paradox: Intransitivity,
    /// Items in the roles a, b and c of the documentation of [`Intransitivity`]. A cycle starts
    /// with the item that comes first in the list.
    pub items: [T; 3],
}

impl<T> IntransitiveTriple<T> {
    /// Applies a function to the three items, for example to replace indices by names.
    #[must_use]
    pub fn map<U>(self, other: impl FnMut(T) -> U) -> IntransitiveTriple<U> {
        IntransitiveTriple {
            paradox: self.paradox,
            items: self.items.map(other),
        }
    }
}

/// Number of intransitive triples of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntransitivityCounts {
    /// Number of triples of the kind [`Intransitivity::EqualsDiffer`]: a = b and b = c, but a < c.
    pub equals_differ: u64,
    /// Number of triples of the kind [`Intransitivity::ChainBreaks`]: a < b and b < c, but a = c.
    pub chain_breaks: u64,
    /// Number of triples of the kind [`Intransitivity::Cycle`]: a < b and b < c, but c < a.
    pub cycles: u64,
}

impl IntransitivityCounts {
    /// Returns the number of intransitive triples of this kind.
    pub fn get(&self, paradox: Intransitivity) -> u64 {
        match paradox {
            Intransitivity::EqualsDiffer => self.equals_differ,
            Intransitivity::ChainBreaks => self.chain_breaks,
            Intransitivity::Cycle => self.cycles,
        }
    }

    /// Returns the number of intransitive triples of all kinds.
    pub fn total(&self) -> u64 {
        self.equals_differ + self.chain_breaks + self.cycles
    }
}

/// Intransitive triples among items or systems: the number of all, and a list of the worst.
///
/// The worst come first: kinds in the order of [`Intransitivity::WORST_FIRST`], and triples of the
/// same kind in list order, so that those at the top precede those further down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntransitiveTriples<T = Item> {
    /// Number of intransitive triples of each kind.
    pub counts: IntransitivityCounts,
    /// Worst intransitive triples, at most [`IntransitiveTriples::MAX_LISTED`] by default.
    pub worst: Vec<IntransitiveTriple<T>>,
}

impl IntransitiveTriples {
    /// Default of the largest number of triples in `worst`.
    pub const MAX_LISTED: usize = 500;
}

impl<T> IntransitiveTriples<T> {
    /// Returns the number of intransitive triples of all kinds.
    pub fn total(&self) -> u64 {
        self.counts.total()
    }
}

/// Test results (less, equal, greater or not compared) of all pairs of the items of a list, by
/// position in the list.
///
/// Hypothesis tests are not transitive, so a fully consistent list need not exist. A triple with
/// exactly one different pair is intransitive. A triple with two different pairs is intransitive if
/// their common item lies between the others. A triple with three different pairs is intransitive
/// if they form a cycle. A triple with a pair that was not compared is not counted.
///
/// ```
/// use std::cmp::Ordering;
/// use partita_core::truth::{Intransitivity, PairwiseRelations};
///
/// // Neighbours are equal, all others differ: 0 = 1 = 2 = 3, but 0 < 2, 1 < 3 and 0 < 3.
/// let relations = PairwiseRelations::new(4, |a, b| {
///     Some(if b - a == 1 { Ordering::Equal } else { Ordering::Less })
/// });
/// let found = relations.worst_intransitive(1);
/// assert_eq!((found.counts.equals_differ, found.total()), (2, 2));
/// assert_eq!(found.worst[0].items, [0, 1, 2]);
/// assert_eq!(relations.intransitive_triples().count(), 2);
/// assert_eq!(relations.triples_of(Intransitivity::Cycle).count(), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairwiseRelations {
    size: usize,
    /// Number of 64-bit words that hold one bit per item.
    words: usize,
    /// Relations of every item to all items: for each item, `words` elements that cover 64 others
    /// each.
    relations: Vec<RelationBits>,
}

/// Relations of one item to 64 consecutive others, one bit per other item in each mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RelationBits {
    /// Bit mask of the other items that are greater than this item by the test.
    less: u64,
    /// Bit mask of the other items that are less than this item by the test.
    greater: u64,
    /// Bit mask of the other items from which the test did not distinguish this item.
    equal: u64,
}

impl PairwiseRelations {
    /// Creates the relations of `size` items. For positions a < b in the list, `relation(a, b)`
    /// returns the order of item a relative to item b by the test, or `None` if they were not
    /// compared.
    pub fn new(size: usize, mut relation: impl FnMut(usize, usize) -> Option<Ordering>) -> Self {
        let words = size.div_ceil(64);
        let mut relations = vec![RelationBits::default(); size * words];
        for a in 0..size {
            for b in a + 1..size {
                let Some(relation) = relation(a, b) else {
                    continue;
                };
                relations[a * words + b / 64].set(b % 64, relation);
                relations[b * words + a / 64].set(a % 64, relation.reverse());
            }
        }
        Self {
            size,
            words,
            relations,
        }
    }

    /// Creates the relations of items from the significance tests of their pairs. Pairs that cannot
    /// be tested have no relation. Pairs whose one-tailed tests are significant in both directions,
    /// which is possible for alpha above ½, count as equal
    /// ([`ItemPairVerdict::relation`](crate::truth::ItemPairVerdict::relation)).
    ///
    /// # Panics
    /// Panics if an item was not tested.
    pub fn from_item_tests(items: &[Item], tests: &ItemPairTests, tails: Tails) -> Self {
        Self::new(items.len(), |a, b| {
            let verdict = tests.verdict(items[a], items[b]);
            (!verdict.untestable).then(|| verdict.relation(tails))
        })
    }

    /// Counts the triples of items in which at least one pair was not compared.
    pub fn undecided_triples(&self) -> u64 {
        let size = self.size as u64;
        let all = size * size.saturating_sub(1) / 2 * size.saturating_sub(2) / 3;
        let pairs = (0..self.size).flat_map(|a| (a + 1..self.size).map(move |b| (a, b)));
        let decided = pairs.flat_map(|(a, b)| {
            self.masks_after(a, b, |x, y| [x.compared() & y.compared()])
                .map(|[thirds]| u64::from(thirds.count_ones()))
        });
        all - decided.sum::<u64>()
    }

    /// Counts the intransitive triples by kind.
    pub fn count_intransitive(&self) -> IntransitivityCounts {
        let mut counts = IntransitivityCounts::default();
        for a in 0..self.size {
            for b in a + 1..self.size {
                for thirds in self.intransitive_thirds(a, b) {
                    let [differ, breaks, cycles] = thirds.map(|bits| u64::from(bits.count_ones()));
                    counts.equals_differ += differ;
                    counts.chain_breaks += breaks;
                    counts.cycles += cycles;
                }
            }
        }
        counts
    }

    /// Counts the intransitive triples and lists the worst, at most `most`.
    pub fn worst_intransitive(&self, most: usize) -> IntransitiveTriples<usize> {
        let counts = self.count_intransitive();
        // Skips kinds without triples, and stops at the limit.
        let found = Intransitivity::WORST_FIRST.into_iter().flat_map(|paradox| {
            let all = usize::try_from(counts.get(paradox)).unwrap_or(usize::MAX);
            self.triples_of(paradox).take(all)
        });
        IntransitiveTriples {
            counts,
            worst: found.take(most).collect(),
        }
    }

    /// Iterates over all intransitive triples, the worst first as in [`IntransitiveTriples`].
    pub fn intransitive_triples(&self) -> impl Iterator<Item = IntransitiveTriple<usize>> {
        (Intransitivity::WORST_FIRST.into_iter()).flat_map(|paradox| self.triples_of(paradox))
    }

    /// Iterates over all intransitive triples of one kind, in the order of their items in the list.
    pub fn triples_of(
        &self,
        paradox: Intransitivity,
    ) -> impl Iterator<Item = IntransitiveTriple<usize>> {
        let pairs = (0..self.size).flat_map(|a| (a + 1..self.size).map(move |b| (a, b)));
        pairs.flat_map(move |(a, b)| {
            let words = self
                .intransitive_thirds(a, b)
                .map(move |thirds| thirds[paradox as usize]);
            set_bits(words, word_start_after(b)).map(move |c| IntransitiveTriple {
                paradox,
                items: self.order_triple(paradox, [a, b, c]),
            })
        })
    }

    /// Returns the order of item a relative to item b by the test; `None` if they were not
    /// compared.
    fn relation(&self, a: usize, b: usize) -> Option<Ordering> {
        self.relations[a * self.words + b / 64].get(b % 64)
    }

    /// Returns the items c after b for which (a, b, c) is an intransitive triple, as bit masks of 64
    /// items each, one per kind of contradiction (see [`IntransitiveItemMasks`]). The first masks
    /// begin with the item [`word_start_after`]`(b)`.
    fn intransitive_thirds(
        &self,
        a: usize,
        b: usize,
    ) -> impl Iterator<Item = IntransitiveItemMasks> {
        let relation = self.relation(a, b);
        // If a and b differ, the lesser one is passed first.
        self.masks_after(a, b, move |a, b| match relation {
            Some(Ordering::Equal) => intransitive_with_equal(a, b),
            Some(Ordering::Greater) => intransitive_with_less(b, a),
            _ => intransitive_with_less(a, b),
        })
    }

    /// Calls `chosen` with the relations of a and of b to every 64 items, and yields the masks it
    /// returns, with the bits of items up to b cleared. Yields nothing if a and b were not
    /// compared. The first mask starts at [`word_start_after`] b.
    fn masks_after<const KINDS: usize>(
        &self,
        a: usize,
        b: usize,
        mut chosen: impl FnMut(&RelationBits, &RelationBits) -> [u64; KINDS],
    ) -> impl Iterator<Item = [u64; KINDS]> {
        let relation = self.relation(a, b);
        let after = |item: usize| {
            let start = word_start_after(b) / 64;
            // A pair that was not compared has no contradictions.
            let end = relation.map_or(start, |_| self.words);
            &self.relations[item * self.words..][start..end]
        };
        let mut later = u64::MAX << ((b + 1) % 64);
        (after(a).iter().zip(after(b))).map(move |(a, b)| {
            let found = chosen(a, b).map(|bits| bits & later);
            later = u64::MAX;
            found
        })
    }

    /// Returns the three items of a triple in the roles a, b and c of the documentation of
    /// [`Intransitivity`].
    fn order_triple(&self, paradox: Intransitivity, [a, b, c]: [usize; 3]) -> [usize; 3] {
        let less = |x, y| self.relation(x, y) == Some(Ordering::Less);
        let orders = [
            [a, b, c],
            [a, c, b],
            [b, a, c],
            [b, c, a],
            [c, a, b],
            [c, b, a],
        ];
        let fits = |[x, y, z]: [usize; 3]| match paradox {
            Intransitivity::ChainBreaks | Intransitivity::Cycle => less(x, y) && less(y, z),
            Intransitivity::EqualsDiffer => less(x, z),
        };
        let found = orders.into_iter().find(|&order| fits(order));
        found.expect("three things of a paradox stand as it says in some order")
    }
}

/// Returns the first item of the 64-item block that contains the item after `item`.
fn word_start_after(item: usize) -> usize {
    (item + 1) / 64 * 64
}

impl RelationBits {
    /// Records the relation to the item at `bit`.
    fn set(&mut self, bit: usize, relation: Ordering) {
        let bits = match relation {
            Ordering::Less => &mut self.less,
            Ordering::Greater => &mut self.greater,
            Ordering::Equal => &mut self.equal,
        };
        *bits |= 1 << bit;
    }

    /// Returns the bit mask of the other items that this item was compared with.
    fn compared(&self) -> u64 {
        self.less | self.greater | self.equal
    }

    /// Returns the relation to the item at `bit`; `None` if it was not compared.
    fn get(self, bit: usize) -> Option<Ordering> {
        let is = |bits: u64| bits >> bit & 1 == 1;
        match self {
            _ if is(self.less) => Some(Ordering::Less),
            _ if is(self.greater) => Some(Ordering::Greater),
            _ if is(self.equal) => Some(Ordering::Equal),
            _ => None,
        }
    }
}

/// Bit masks of the items, among 64, that form an intransitive triple with two given items. There
/// is one mask per kind of contradiction, in the order of [`Intransitivity`].
type IntransitiveItemMasks = [u64; 3];

/// Returns the masks of the items that form an intransitive triple with two items x < y, given the
/// relations of x and of y to 64 items.
fn intransitive_with_less(x: &RelationBits, y: &RelationBits) -> IntransitiveItemMasks {
    [
        x.equal & y.equal,
        // x < y < z, but x = z; or z < x < y, but z = y.
        (y.less & x.equal) | (x.greater & y.equal),
        // x < y < z < x.
        y.less & x.greater,
    ]
}

/// Returns the masks of the items that form an intransitive triple with two items x = y, given the
/// relations of x and of y to 64 items.
fn intransitive_with_equal(x: &RelationBits, y: &RelationBits) -> IntransitiveItemMasks {
    [
        // z = x, but z and y differ; or z = y, but z and x differ.
        (x.equal & (y.less | y.greater)) | (y.equal & (x.less | x.greater)),
        // z lies between x and y.
        (x.less & y.greater) | (x.greater & y.less),
        0,
    ]
}
