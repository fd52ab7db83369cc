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
    /// Kind of contradiction between three tests.
    pub enum Intransitivity: "paradox" {
        /// a = b and b = c, but a < c. (Figure 2 of Urbano et al. 2010, and whenever differences
        /// add up.)
        EqualsDiffer = "equals-differ",
        /// a < b and b < c, but a = c. (Their section 3.3.)
        ChainBreaks = "chain-breaks",
        /// a < b and b < c, but c < a.
        Cycle = "cycle",
    }
}

impl Intransitivity {
    /// Kinds from worst to mildest: a cycle allows no order, a broken chain allows no groups, and
    /// equal neighbours with different ends follow from differences that add up.
    pub const WORST_FIRST: [Self; 3] = [Self::Cycle, Self::ChainBreaks, Self::EqualsDiffer];
}

/// Three items or systems whose relations no partially ordered list can represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntransitiveTriple<T = Item> {
    /// Kind of contradiction.
    pub paradox: Intransitivity,
    /// Items a, b and c as in the description of the kind. A cycle starts with the item that comes
    /// first in the list.
    pub items: [T; 3],
}

impl<T> IntransitiveTriple<T> {
    /// Maps the three items.
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
    /// Number of triples of [`Intransitivity::EqualsDiffer`].
    pub equals_differ: u64,
    /// Number of triples of [`Intransitivity::ChainBreaks`].
    pub chain_breaks: u64,
    /// Number of triples of [`Intransitivity::Cycle`].
    pub cycles: u64,
}

impl IntransitivityCounts {
    /// Returns the number of triples of this kind.
    pub fn get(&self, paradox: Intransitivity) -> u64 {
        match paradox {
            Intransitivity::EqualsDiffer => self.equals_differ,
            Intransitivity::ChainBreaks => self.chain_breaks,
            Intransitivity::Cycle => self.cycles,
        }
    }

    /// Returns the number of triples of all kinds.
    pub fn total(&self) -> u64 {
        self.equals_differ + self.chain_breaks + self.cycles
    }
}

/// Intransitive triples: their number, and the worst of them.
///
/// The worst come first: kinds in the order of [`Intransitivity::WORST_FIRST`], and triples of the
/// same kind in list order, so that those at the top precede those further down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntransitiveTriples<T = Item> {
    /// Number of triples of each kind.
    pub counts: IntransitivityCounts,
    /// Worst triples, at most [`IntransitiveTriples::MAX_LISTED`] by default.
    pub worst: Vec<IntransitiveTriple<T>>,
}

impl IntransitiveTriples {
    /// Default limit of listed triples.
    pub const MAX_LISTED: usize = 500;
}

impl<T> IntransitiveTriples<T> {
    /// Returns the number of triples of all kinds.
    pub fn total(&self) -> u64 {
        self.counts.total()
    }
}

/// Relations between all pairs of an ordered set, by position.
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
    /// Number of `u64` words per row.
    words: usize,
    /// Relations of every item to all items, `words` elements per item.
    sides: Vec<RelationBits>,
}

/// Relations of one item to 64 others, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RelationBits {
    /// Bits of the other items that this item is less than.
    less: u64,
    /// Bits of the other items that this item is greater than.
    greater: u64,
    /// Bits of the other items that this item was compared with and found equal to.
    equal: u64,
}

impl PairwiseRelations {
    /// Creates the relations of `size` items. `relation(a, b)` with a < b returns the order of a
    /// relative to b, or `None` if they were not compared.
    pub fn new(size: usize, mut relation: impl FnMut(usize, usize) -> Option<Ordering>) -> Self {
        let words = size.div_ceil(64);
        let mut sides = vec![RelationBits::default(); size * words];
        for a in 0..size {
            for b in a + 1..size {
                let Some(relation) = relation(a, b) else {
                    continue;
                };
                sides[a * words + b / 64].set(b % 64, relation);
                sides[b * words + a / 64].set(a % 64, relation.reverse());
            }
        }
        Self { size, words, sides }
    }

    /// Creates the relations of items from their tests. Items that cannot be tested have no
    /// relation. Items that differ both ways, which is possible for alpha above ½, count as equal
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

    /// Counts the triples with a pair that was not compared.
    pub fn undecided_triples(&self) -> u64 {
        let size = self.size as u64;
        let all = size * size.saturating_sub(1) / 2 * size.saturating_sub(2) / 3;
        let pairs = (0..self.size).flat_map(|a| (a + 1..self.size).map(move |b| (a, b)));
        let decided = pairs.flat_map(|(a, b)| {
            self.later_items(a, b, |x, y| [x.compared() & y.compared()])
                .map(|[thirds]| u64::from(thirds.count_ones()))
        });
        all - decided.sum::<u64>()
    }

    /// Counts the intransitive triples by kind.
    pub fn count_intransitive(&self) -> IntransitivityCounts {
        let mut counts = IntransitivityCounts::default();
        for a in 0..self.size {
            for b in a + 1..self.size {
                for thirds in self.thirds(a, b) {
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

    /// Iterates over all triples of one kind in list order.
    pub fn triples_of(
        &self,
        paradox: Intransitivity,
    ) -> impl Iterator<Item = IntransitiveTriple<usize>> {
        let pairs = (0..self.size).flat_map(|a| (a + 1..self.size).map(move |b| (a, b)));
        pairs.flat_map(move |(a, b)| {
            let words = self
                .thirds(a, b)
                .map(move |thirds| thirds[paradox as usize]);
            set_bits(words, first_after(b)).map(move |c| IntransitiveTriple {
                paradox,
                items: self.order_triple(paradox, [a, b, c]),
            })
        })
    }

    /// Returns the order of a relative to b, if they were compared.
    fn relation(&self, a: usize, b: usize) -> Option<Ordering> {
        self.sides[a * self.words + b / 64].get(b % 64)
    }

    /// Returns bit masks of the items after b that form an intransitive triple with a and b, one
    /// mask per kind. The first word starts at [`first_after`] b.
    fn thirds(&self, a: usize, b: usize) -> impl Iterator<Item = ThirdItemBits> {
        let relation = self.relation(a, b);
        // If a and b differ, the lesser one is passed first.
        self.later_items(a, b, move |a, b| match relation {
            Some(Ordering::Equal) => thirds_of_equal(a, b),
            Some(Ordering::Greater) => thirds_of_less(b, a),
            _ => thirds_of_less(a, b),
        })
    }

    /// Applies `chosen` to the relations of a and of b to the items after b, word by word. Returns
    /// nothing if a and b were not compared. The first word starts at [`first_after`] b.
    fn later_items<const KINDS: usize>(
        &self,
        a: usize,
        b: usize,
        mut chosen: impl FnMut(&RelationBits, &RelationBits) -> [u64; KINDS],
    ) -> impl Iterator<Item = [u64; KINDS]> {
        let relation = self.relation(a, b);
        let after = |item: usize| {
            let start = first_after(b) / 64;
            // A pair that was not compared has no contradictions.
            let end = relation.map_or(start, |_| self.words);
            &self.sides[item * self.words..][start..end]
        };
        let mut later = u64::MAX << ((b + 1) % 64);
        (after(a).iter().zip(after(b))).map(move |(a, b)| {
            let found = chosen(a, b).map(|bits| bits & later);
            later = u64::MAX;
            found
        })
    }

    /// Orders three items as in the description of their kind.
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

/// Returns the first item of the word that contains the item after `place`.
fn first_after(place: usize) -> usize {
    (place + 1) / 64 * 64
}

impl RelationBits {
    fn set(&mut self, bit: usize, relation: Ordering) {
        let bits = match relation {
            Ordering::Less => &mut self.less,
            Ordering::Greater => &mut self.greater,
            Ordering::Equal => &mut self.equal,
        };
        *bits |= 1 << bit;
    }

    /// Returns the bits of all other items that this item was compared with.
    fn compared(&self) -> u64 {
        self.less | self.greater | self.equal
    }

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

/// Bit masks of 64 items that form an intransitive triple with two others, one mask per kind.
type ThirdItemBits = [u64; 3];

/// Returns the items that form an intransitive triple with two items x < y.
fn thirds_of_less(x: &RelationBits, y: &RelationBits) -> ThirdItemBits {
    [
        x.equal & y.equal,
        // x < y < z, but x = z; or z < x < y, but z = y.
        (y.less & x.equal) | (x.greater & y.equal),
        // x < y < z < x.
        y.less & x.greater,
    ]
}

/// Returns the items that form an intransitive triple with two items x = y.
fn thirds_of_equal(x: &RelationBits, y: &RelationBits) -> ThirdItemBits {
    [
        // z = x, but z and y differ; or z = y, but z and x differ.
        (x.equal & (y.less | y.greater)) | (y.equal & (x.less | x.greater)),
        // z lies between x and y.
        (x.less & y.greater) | (x.greater & y.less),
        0,
    ]
}
