//! Partial order of systems that follows from significant differences.

use std::cmp::Ordering;

use crate::data::bit_matrix::BitMatrix;
use crate::truth::PairwiseRelations;

/// Partial order of systems by "significantly better", by system index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SystemOrder {
    /// Edges of the Hasse diagram: pairs of system indices, better system first.
    pub(super) edges: Vec<(usize, usize)>,
    /// Sets of system indices that beat each other in a cycle.
    pub(super) cycles: Vec<Vec<usize>>,
    /// Pairs that do not differ significantly although a chain of significant differences leads
    /// from the first to the second. Pairs with a system in a cycle are left out.
    pub(super) implied: Vec<(usize, usize)>,
}

/// Relation "significantly better" between systems.
pub(super) struct BetterRelation {
    systems: usize,
    /// Bit (a, b) is set if system a is significantly better than system b.
    beats: BitMatrix,
}

impl BetterRelation {
    pub(super) fn new(systems: usize) -> Self {
        Self {
            systems,
            beats: BitMatrix::new(systems),
        }
    }

    pub(super) fn set(&mut self, better: usize, worse: usize) {
        self.beats.set(better, worse);
    }

    pub(super) fn is_better(&self, better: usize, worse: usize) -> bool {
        self.beats.get(better, worse)
    }

    /// Returns the best and the worst possible rank of each system, if a system ranks below all
    /// systems that beat it and above all systems that it beats.
    pub(super) fn rank_ranges(&self) -> impl Iterator<Item = (usize, usize)> {
        let beaten = self.beats.transposed();
        (0..self.systems).map(move |system| {
            let (beaten_by, beats) = (beaten.count_row(system), self.beats.count_row(system));
            (1 + beaten_by, self.systems - beats)
        })
    }

    /// Returns the relations of all pairs. `Less` means that the first system is better, because
    /// better systems come first in a list.
    pub(super) fn relations(&self) -> PairwiseRelations {
        PairwiseRelations::new(self.systems, |a, b| {
            Some(match (self.is_better(a, b), self.is_better(b, a)) {
                (true, _) => Ordering::Less,
                (_, true) => Ordering::Greater,
                _ => Ordering::Equal,
            })
        })
    }

    /// Computes the edges of the Hasse diagram, the cycles and the implied pairs.
    pub(super) fn order(&self) -> SystemOrder {
        let k = self.systems;
        let reaches = self.closure();
        let reached = reaches.transposed();
        // `above` contains the pairs (a, b) in which a reaches b but b does not reach a. `below` is
        // its transpose.
        let (mut above, mut below) = (BitMatrix::new(k), BitMatrix::new(k));
        for a in 0..k {
            for b in 0..k {
                if reaches.get(a, b) && !reached.get(a, b) {
                    above.set(a, b);
                    below.set(b, a);
                }
            }
        }
        let mut order = SystemOrder::default();
        for a in 0..k {
            let cycle: Vec<usize> = (0..k)
                .filter(|&b| reaches.get(a, b) && reached.get(a, b))
                .collect();
            if cycle.first() == Some(&a) {
                order.cycles.push(cycle);
            }
            for b in 0..k {
                if !above.get(a, b) {
                    continue;
                }
                if self.is_better(a, b) {
                    let mut words = above.row(a).iter().zip(below.row(b));
                    let has_system_between = words.any(|(above, below)| above & below != 0);
                    if !has_system_between {
                        order.edges.push((a, b));
                    }
                } else if !reaches.get(a, a) && !reaches.get(b, b) {
                    // Pairs with a system in a cycle are left out: a system that is better than one
                    // member of a cycle need not be better than the others.
                    order.implied.push((a, b));
                }
            }
        }
        order
    }

    /// Computes the transitive closure of the relation (Warshall 1962).
    fn closure(&self) -> BitMatrix {
        let mut reaches = self.beats.clone();
        for through in 0..self.systems {
            let onward = reaches.row(through).to_vec();
            for from in 0..self.systems {
                if reaches.get(from, through) {
                    reaches.union_row(from, &onward);
                }
            }
        }
        reaches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{IntransitiveTriple, Intransitivity};
    use proptest::prelude::*;

    /// Creates a relation from pairs of systems, the better one first.
    fn better_relation(systems: usize, pairs: &[(usize, usize)]) -> BetterRelation {
        let mut better = BetterRelation::new(systems);
        for &(a, b) in pairs {
            better.set(a, b);
        }
        better
    }

    #[test]
    fn hasse_diagram_omits_implied_edges() {
        let order = better_relation(4, &[(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]).order();
        assert_eq!(order.edges, [(0, 1), (0, 2), (1, 3), (2, 3)]);
        assert!(order.cycles.is_empty() && order.implied.is_empty());
    }

    #[test]
    fn broken_chain_is_an_implied_pair_and_a_triple() {
        let better = better_relation(3, &[(0, 1), (1, 2)]);
        let order = better.order();
        assert_eq!((order.edges.len(), order.implied), (2, vec![(0, 2)]));
        let triples: Vec<IntransitiveTriple<usize>> =
            better.relations().intransitive_triples().collect();
        assert_eq!(triples[0].paradox, Intransitivity::ChainBreaks);
        assert_eq!(triples[0].items, [0, 1, 2]);
    }

    #[test]
    fn cycle_is_listed_and_has_no_edges() {
        let better = better_relation(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (0, 3), (3, 4)]);
        let order = better.order();
        assert_eq!(order.cycles, [vec![0, 1, 2]]);
        assert_eq!(order.edges, [(0, 3), (2, 3), (3, 4)]);
        assert_eq!(better.relations().count_intransitive().cycles, 1);
    }

    #[test]
    fn rank_ranges_follow_from_wins_and_losses() {
        let better = better_relation(4, &[(0, 2), (0, 3), (1, 3)]);
        let ranks: Vec<(usize, usize)> = better.rank_ranges().collect();
        assert_eq!(ranks, [(1, 2), (1, 3), (2, 4), (3, 4)]);
    }

    #[test]
    fn two_equal_pairs_around_a_significant_difference_are_a_triple() {
        let better = better_relation(3, &[(0, 2)]);
        let triples: Vec<IntransitiveTriple<usize>> =
            better.relations().intransitive_triples().collect();
        assert_eq!(triples.len(), 1);
        assert_eq!(triples[0].paradox, Intransitivity::EqualsDiffer);
        assert_eq!(triples[0].items, [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn hasse_diagram_has_the_closure_of_its_relation(bits in any::<u64>(), k in 1..8usize) {
            let mut found = BetterRelation::new(k);
            for a in 0..k {
                for b in a + 1..k {
                    match bits >> (2 * (a * k + b) % 63) & 3 {
                        1 => found.set(a, b),
                        2 => found.set(b, a),
                        _ => {}
                    }
                }
            }
            let order = found.order();
            let mut diagram = BetterRelation::new(k);
            for &(a, b) in &order.edges {
                diagram.set(a, b);
            }
            for cycle in &order.cycles {
                for &a in cycle {
                    cycle.iter().for_each(|&b| diagram.set(a, b));
                }
            }
            prop_assert_eq!(diagram.closure(), found.closure());
        }
    }
}
