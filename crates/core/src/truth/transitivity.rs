//! Triples of items for which tests contradict each other.

use std::cmp::Ordering;

use super::comparisons::{Comparisons, Tails};
use crate::names::Item;

partita_stats::named! {
    /// How three tests contradict each other.
    pub enum Paradox: "paradox" {
        /// a = b and b = c, but a < c. (Figure 2 of Urbano et al. 2010, and whenever differences
        /// add up.)
        EqualsDiffer = "equals-differ",
        /// a < b and b < c, but a = c. (Their section 3.3.)
        ChainBreaks = "chain-breaks",
        /// a < b and b < c, but c < a.
        Cycle = "cycle",
    }
}

/// Three items that no partially ordered list can hold consistently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Triple {
    /// What is wrong with them.
    pub paradox: Paradox,
    /// a, b and c as in the description of the paradox. A cycle begins with the item that stands
    /// first in the list.
    pub items: [Item; 3],
}

/// All triples of these items for which the tests contradict each other.
///
/// Hypothesis tests are not transitive, which is why a fully consistent list need not exist. Of
/// three items, one pair that differs is a paradox; two pairs that differ are one if the item they
/// share lies between the others; three are one if they run in a circle.
///
/// # Panics
/// If an item was not tested.
pub fn non_transitive(items: &[Item], tests: &Comparisons, tails: Tails) -> Vec<Triple> {
    let mut found = Vec::new();
    let relation = |a: Item, b: Item| {
        let verdict = tests.verdict(a, b);
        match verdict.differs(tails) {
            false => Ordering::Equal,
            true if verdict.less => Ordering::Less,
            true => Ordering::Greater,
        }
    };
    for (i, &a) in items.iter().enumerate() {
        for (j, &b) in items.iter().enumerate().skip(i + 1) {
            let ab = relation(a, b);
            for &c in &items[j + 1..] {
                let relations = [ab, relation(b, c), relation(c, a)];
                let paradox = paradox([a, b, c], relations);
                found.extend(paradox.map(|(paradox, items)| Triple { paradox, items }));
            }
        }
    }
    found
}

/// The paradox of three things, from their relations going round: a to b, b to c and c to a; and
/// the three as in its description.
pub(crate) fn paradox<T: Copy>(
    [a, b, c]: [T; 3],
    relations: [Ordering; 3],
) -> Option<(Paradox, [T; 3])> {
    let turned = [[a, b, c], [b, c, a], [c, a, b]];
    let equal = relations.iter().filter(|r| r.is_eq()).count();
    match equal {
        0 if relations[0] == relations[1] && relations[1] == relations[2] => {
            let less = relations[0].is_lt();
            Some((Paradox::Cycle, if less { [a, b, c] } else { [a, c, b] }))
        }
        1 => {
            // Read from the one after the equal pair: both steps must lead the same way.
            let gap = relations.iter().position(|r| r.is_eq())?;
            let (first, second) = (relations[(gap + 1) % 3], relations[(gap + 2) % 3]);
            if first != second {
                return None;
            }
            let [x, y, z] = turned[(gap + 1) % 3];
            let items = if first.is_lt() { [x, y, z] } else { [z, y, x] };
            Some((Paradox::ChainBreaks, items))
        }
        2 => {
            let step = relations.iter().position(|r| r.is_ne())?;
            let [x, y, middle] = turned[step];
            let less = relations[step].is_lt();
            let items = if less { [x, middle, y] } else { [y, middle, x] };
            Some((Paradox::EqualsDiffer, items))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{Alpha, Verdict};

    /// The triples of items 0, 1 and 2 whose relations are 0 to 1, 0 to 2 and 1 to 2.
    fn paradox(relations: [char; 3]) -> Option<(Paradox, [usize; 3])> {
        let tests = Comparisons::by(3, Alpha::TYPKE, |a, b| {
            let relation = relations[a.index() + b.index() - 1];
            Verdict {
                less: relation == '<',
                greater: relation == '>',
                two_sided: relation != '=',
                untestable: false,
            }
        });
        let items: Vec<Item> = (0..3).map_while(Item::at).collect();
        let one = non_transitive(&items, &tests, Tails::One);
        assert_eq!(one, non_transitive(&items, &tests, Tails::Two));
        assert!(one.len() < 2);
        one.first().map(|t| (t.paradox, t.items.map(Item::index)))
    }

    #[test]
    fn each_paradox_is_found_from_every_side() {
        assert_eq!(
            paradox(['=', '<', '=']),
            Some((Paradox::EqualsDiffer, [0, 1, 2]))
        );
        assert_eq!(
            paradox(['=', '>', '=']),
            Some((Paradox::EqualsDiffer, [2, 1, 0]))
        );
        assert_eq!(
            paradox(['<', '=', '=']),
            Some((Paradox::EqualsDiffer, [0, 2, 1]))
        );
        assert_eq!(
            paradox(['=', '=', '>']),
            Some((Paradox::EqualsDiffer, [2, 0, 1]))
        );
        assert_eq!(
            paradox(['<', '=', '<']),
            Some((Paradox::ChainBreaks, [0, 1, 2]))
        );
        assert_eq!(
            paradox(['>', '=', '>']),
            Some((Paradox::ChainBreaks, [2, 1, 0]))
        );
        assert_eq!(
            paradox(['>', '<', '=']),
            Some((Paradox::ChainBreaks, [1, 0, 2]))
        );
        assert_eq!(paradox(['<', '>', '<']), Some((Paradox::Cycle, [0, 1, 2])));
        assert_eq!(paradox(['>', '<', '>']), Some((Paradox::Cycle, [0, 2, 1])));
    }

    #[test]
    fn what_a_list_can_hold_is_no_paradox() {
        for relations in ["===", "<<=", "=<<", "<<<", ">>>", "><<", "<<>", "==="] {
            let relations: Vec<char> = relations.chars().collect();
            assert_eq!(
                paradox([relations[0], relations[1], relations[2]]),
                None,
                "{relations:?}"
            );
        }
    }
}
