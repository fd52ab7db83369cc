//! Triples of items for which tests contradict each other.
//!
//! There are n³/6 triples of n items, and of a long list most may be paradoxes: a billion in a list
//! of 2,000. They are counted by bit sets, 64 at once and without being kept; the worst are listed,
//! and [all of them](Relations::triples) are handed out one by one to whoever wants them.

use std::cmp::Ordering;

use crate::data::bit_matrix::set_bits;
use crate::data::names::Item;
use crate::truth::build::item_pair_tests::{ItemPairTests, Tails};

partita_named::named_enum! {
    /// How three tests contradict each other.
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
    /// Every paradox, the worst first: a circle leaves no order at all, a broken chain no groups,
    /// and ends that differ are what differences that add up must lead to.
    pub const WORST_FIRST: [Self; 3] = [Self::Cycle, Self::ChainBreaks, Self::EqualsDiffer];
}

/// Three items, or three systems, that no partially ordered list can hold consistently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntransitiveTriple<T = Item> {
    /// What is wrong with them.
    pub paradox: Intransitivity,
    /// a, b and c as in the description of the paradox. A cycle begins with the item that stands
    /// first in the list.
    pub items: [T; 3],
}

impl<T> IntransitiveTriple<T> {
    /// The same triple of other things.
    #[must_use]
    pub fn map<U>(self, other: impl FnMut(T) -> U) -> IntransitiveTriple<U> {
        IntransitiveTriple {
            paradox: self.paradox,
            items: self.items.map(other),
        }
    }
}

/// How many triples there are of each paradox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntransitivityCounts {
    /// Those of [`Paradox::EqualsDiffer`].
    pub equals_differ: u64,
    /// Those of [`Paradox::ChainBreaks`].
    pub chain_breaks: u64,
    /// Those of [`Paradox::Cycle`].
    pub cycles: u64,
}

impl IntransitivityCounts {
    /// How many triples there are of this paradox.
    pub fn get(&self, paradox: Intransitivity) -> u64 {
        match paradox {
            Intransitivity::EqualsDiffer => self.equals_differ,
            Intransitivity::ChainBreaks => self.chain_breaks,
            Intransitivity::Cycle => self.cycles,
        }
    }

    /// How many triples there are of any paradox.
    pub fn total(&self) -> u64 {
        self.equals_differ + self.chain_breaks + self.cycles
    }
}

/// The triples for which tests contradict each other: how many there are, and the worst of them.
///
/// The worst come first: by paradox in the order of [`Paradox::WORST_FIRST`], and triples of the
/// same paradox in the order of the list, so that those at its top come before those further down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntransitiveTriples<T = Item> {
    /// How many there are.
    pub counts: IntransitivityCounts,
    /// The worst of them, at most [`Contradictions::LISTED`] unless more were asked for.
    pub worst: Vec<IntransitiveTriple<T>>,
}

impl IntransitiveTriples {
    /// How many triples are listed unless more are asked for.
    pub const MAX_LISTED: usize = 500;
}

impl<T> IntransitiveTriples<T> {
    /// How many there are.
    pub fn total(&self) -> u64 {
        self.counts.total()
    }
}

/// How each of some things relates to each other, by their places in an order.
///
/// Hypothesis tests are not transitive, which is why a fully consistent list need not exist. Of
/// three items, one pair that differs is a paradox; two pairs that differ are one if the item they
/// share lies between the others; three are one if they run in a circle. Three of which a pair was
/// never compared are none.
///
/// ```
/// use std::cmp::Ordering;
/// use partita_core::truth::{Paradox, Relations};
///
/// // Neighbours are equal, all others differ: 0 = 1 = 2 = 3, but 0 < 2, 1 < 3 and 0 < 3.
/// let relations = Relations::new(4, |a, b| {
///     Some(if b - a == 1 { Ordering::Equal } else { Ordering::Less })
/// });
/// let found = relations.contradictions(1);
/// assert_eq!((found.counts.equals_differ, found.total()), (2, 2));
/// assert_eq!(found.worst[0].items, [0, 1, 2]);
/// assert_eq!(relations.triples().count(), 2);
/// assert_eq!(relations.triples_of(Paradox::Cycle).count(), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairwiseRelations {
    size: usize,
    /// How many words hold a bit a thing.
    words: usize,
    /// So many for each thing.
    sides: Vec<RelationBits>,
}

/// How one thing relates to 64 others, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RelationBits {
    /// It is less than the other.
    less: u64,
    /// The other is less than it.
    greater: u64,
    /// They were compared and do not differ.
    equal: u64,
}

impl PairwiseRelations {
    /// The relations of so many things; `relation` says of each and a later one how the first
    /// relates to the second, nothing if they were not compared.
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

    /// The relations of these items by tests. Items that cannot be tested have none; those that
    /// differ both ways, as can be above an alpha of ½, count as equal
    /// ([`Verdict::relation`](crate::truth::Verdict::relation)). Panics if an item was not tested.
    pub fn from_item_tests(items: &[Item], tests: &ItemPairTests, tails: Tails) -> Self {
        Self::new(items.len(), |a, b| {
            let verdict = tests.verdict(items[a], items[b]);
            (!verdict.untestable).then(|| verdict.relation(tails))
        })
    }

    /// How many triples have a pair that was not compared, so that nothing is known of them.
    pub fn undecided_triples(&self) -> u64 {
        let size = self.size as u64;
        let all = size * size.saturating_sub(1) / 2 * size.saturating_sub(2) / 3;
        let pairs = (0..self.size).flat_map(|a| (a + 1..self.size).map(move |b| (a, b)));
        let decided = pairs.flat_map(|(a, b)| {
            self.later_things(a, b, |x, y| [x.compared() & y.compared()])
                .map(|[thirds]| u64::from(thirds.count_ones()))
        });
        all - decided.sum::<u64>()
    }

    /// How many triples contradict themselves, by paradox.
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

    /// How many triples contradict themselves, and this many of them, the worst.
    pub fn worst_intransitive(&self, most: usize) -> IntransitiveTriples<usize> {
        let counts = self.count_intransitive();
        // What there is none of, or no more of, is not looked for.
        let found = Intransitivity::WORST_FIRST.into_iter().flat_map(|paradox| {
            let all = usize::try_from(counts.get(paradox)).unwrap_or(usize::MAX);
            self.triples_of(paradox).take(all)
        });
        IntransitiveTriples {
            counts,
            worst: found.take(most).collect(),
        }
    }

    /// Every triple that contradicts itself, the worst first as in [`Contradictions`], one by one.
    pub fn intransitive_triples(&self) -> impl Iterator<Item = IntransitiveTriple<usize>> {
        (Intransitivity::WORST_FIRST.into_iter()).flat_map(|paradox| self.triples_of(paradox))
    }

    /// Every triple of one paradox in the order of the list, one by one.
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

    /// How a relates to b, if they were compared.
    fn relation(&self, a: usize, b: usize) -> Option<Ordering> {
        self.sides[a * self.words + b / 64].get(b % 64)
    }

    /// Which things after b contradict the relations of a and b, by paradox; the first word holds
    /// those from [`first_after`] b on.
    fn thirds(&self, a: usize, b: usize) -> impl Iterator<Item = ThirdItemBits> {
        let relation = self.relation(a, b);
        // A pair that differs is looked at from the one that is less.
        self.later_things(a, b, move |a, b| match relation {
            Some(Ordering::Equal) => thirds_of_equal(a, b),
            Some(Ordering::Greater) => thirds_of_less(b, a),
            _ => thirds_of_less(a, b),
        })
    }

    /// What is chosen of the things after b by how a and b relate to them, none if a and b were not
    /// compared; the first word holds those from [`first_after`] b on.
    fn later_things<const KINDS: usize>(
        &self,
        a: usize,
        b: usize,
        mut chosen: impl FnMut(&RelationBits, &RelationBits) -> [u64; KINDS],
    ) -> impl Iterator<Item = [u64; KINDS]> {
        let relation = self.relation(a, b);
        let after = |thing: usize| {
            let start = first_after(b) / 64;
            // Nothing is learned of a pair that nobody compared.
            let end = relation.map_or(start, |_| self.words);
            &self.sides[thing * self.words..][start..end]
        };
        let mut later = u64::MAX << ((b + 1) % 64);
        (after(a).iter().zip(after(b))).map(move |(a, b)| {
            let found = chosen(a, b).map(|bits| bits & later);
            later = u64::MAX;
            found
        })
    }

    /// Three things as in the description of their paradox.
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

/// The first of the 64 things among which the one after `place` is.
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

    /// Those that it was compared with.
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

/// Which of 64 things contradict the relation of two others, a bit each, by paradox.
type ThirdItemBits = [u64; 3];

/// Where x is less than y.
fn thirds_of_less(x: &RelationBits, y: &RelationBits) -> ThirdItemBits {
    [
        x.equal & y.equal,
        // x < y < z, but x = z; or z < x < y, but z = y.
        (y.less & x.equal) | (x.greater & y.equal),
        // x < y < z < x.
        y.less & x.greater,
    ]
}

/// Where x and y do not differ.
fn thirds_of_equal(x: &RelationBits, y: &RelationBits) -> ThirdItemBits {
    [
        // z = x = y, but z and y differ, or the other way round.
        (x.equal & (y.less | y.greater)) | (y.equal & (x.less | x.greater)),
        // z lies between.
        (x.less & y.greater) | (x.greater & y.less),
        0,
    ]
}
