//! What significant differences make of the systems: a partial order, if they are consistent.

use std::cmp::Ordering;

use crate::truth::{Paradox, paradox};

/// The order that "significantly better" makes of systems, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// The Hasse diagram.
    pub(super) edges: Vec<(usize, usize)>,
    pub(super) circles: Vec<Vec<usize>>,
    /// Pairs that the diagram orders, through others, though they do not differ significantly.
    pub(super) implied: Vec<(usize, usize)>,
}

/// Which system of each pair is significantly better: a square table.
pub(super) struct Better {
    systems: usize,
    better: Vec<bool>,
}

impl Better {
    pub(super) fn new(systems: usize) -> Self {
        Self {
            systems,
            better: vec![false; systems * systems],
        }
    }

    pub(super) fn set(&mut self, better: usize, worse: usize) {
        self.better[better * self.systems + worse] = true;
    }

    pub(super) fn is(&self, better: usize, worse: usize) -> bool {
        self.better[better * self.systems + worse]
    }

    /// The best and the worst rank that a system can have: below all that beat it, above all that
    /// it beats.
    pub(super) fn ranks(&self, system: usize) -> (usize, usize) {
        let all = || 0..self.systems;
        let beaten_by = all().filter(|&other| self.is(other, system)).count();
        let beats = all().filter(|&other| self.is(system, other)).count();
        (1 + beaten_by, self.systems - beats)
    }

    /// All triples for which the tests contradict each other.
    pub(super) fn triples(&self) -> impl Iterator<Item = (Paradox, [usize; 3])> {
        let relation = |a, b| match (self.is(a, b), self.is(b, a)) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        };
        let k = self.systems;
        let pairs = (0..k).flat_map(move |a| (a + 1..k).map(move |b| (a, b)));
        pairs.flat_map(move |(a, b)| {
            (b + 1..k).filter_map(move |c| {
                let relations = [relation(a, b), relation(b, c), relation(c, a)];
                paradox([a, b, c], relations)
            })
        })
    }

    pub(super) fn order(&self) -> Order {
        let k = self.systems;
        let reaches = self.closure();
        let above = |a: usize, b: usize| reaches[a * k + b] && !reaches[b * k + a];
        let mut order = Order::default();
        for a in 0..k {
            let circle: Vec<usize> = (0..k)
                .filter(|&b| reaches[a * k + b] && reaches[b * k + a])
                .collect();
            if circle.first() == Some(&a) {
                order.circles.push(circle);
            }
            for b in 0..k {
                if !above(a, b) {
                    continue;
                }
                match self.is(a, b) {
                    true if (0..k).any(|c| above(a, c) && above(c, b)) => {}
                    true => order.edges.push((a, b)),
                    false if !reaches[a * k + a] && !reaches[b * k + b] => {
                        order.implied.push((a, b));
                    }
                    // A system above one of a circle is not above all of it.
                    false => {}
                }
            }
        }
        order
    }

    /// Which system can be reached from which by going from better to worse (Warshall 1962).
    fn closure(&self) -> Vec<bool> {
        let k = self.systems;
        let mut reaches = self.better.clone();
        for through in 0..k {
            let onward = reaches[through * k..(through + 1) * k].to_vec();
            for from in 0..k {
                if reaches[from * k + through] {
                    let row = &mut reaches[from * k..(from + 1) * k];
                    for (reaches, &onward) in row.iter_mut().zip(&onward) {
                        *reaches |= onward;
                    }
                }
            }
        }
        reaches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn better(systems: usize, pairs: &[(usize, usize)]) -> Better {
        let mut better = Better::new(systems);
        for &(a, b) in pairs {
            better.set(a, b);
        }
        better
    }

    #[test]
    fn the_diagram_leaves_out_what_follows() {
        let order = better(4, &[(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]).order();
        assert_eq!(order.edges, [(0, 1), (0, 2), (1, 3), (2, 3)]);
        assert!(order.circles.is_empty() && order.implied.is_empty());
    }

    #[test]
    fn a_broken_chain_is_remarked() {
        let better = better(3, &[(0, 1), (1, 2)]);
        let order = better.order();
        assert_eq!((order.edges.len(), order.implied), (2, vec![(0, 2)]));
        let triples: Vec<_> = better.triples().collect();
        assert_eq!(triples[0].0, Paradox::ChainBreaks);
        assert_eq!(triples[0].1, [0, 1, 2]);
    }

    #[test]
    fn a_circle_is_named_and_has_no_edges() {
        let better = better(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (0, 3), (3, 4)]);
        let order = better.order();
        assert_eq!(order.circles, [vec![0, 1, 2]]);
        assert_eq!(order.edges, [(0, 3), (2, 3), (3, 4)]);
        let cycles = better.triples().filter(|t| t.0 == Paradox::Cycle);
        assert_eq!(cycles.count(), 1);
    }

    #[test]
    fn ranks_lie_between_who_beats_and_who_is_beaten() {
        let better = better(4, &[(0, 2), (0, 3), (1, 3)]);
        let ranks: Vec<(usize, usize)> = (0..4).map(|system| better.ranks(system)).collect();
        assert_eq!(ranks, [(1, 2), (1, 3), (2, 4), (3, 4)]);
    }

    #[test]
    fn the_ends_of_a_chain_of_equals_are_a_triple() {
        let triples: Vec<_> = better(3, &[(0, 2)]).triples().collect();
        assert_eq!(triples.len(), 1);
        assert_eq!(triples[0].0, Paradox::EqualsDiffer);
        assert_eq!(triples[0].1, [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn any_relation_has_a_diagram_that_reaches_the_same(bits in any::<u64>(), k in 1..8usize) {
            let mut found = Better::new(k);
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
            let mut diagram = Better::new(k);
            for &(a, b) in &order.edges {
                diagram.set(a, b);
            }
            for circle in &order.circles {
                for &a in circle {
                    circle.iter().for_each(|&b| diagram.set(a, b));
                }
            }
            prop_assert_eq!(diagram.closure(), found.closure());
        }
    }
}
