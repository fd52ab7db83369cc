//! Intransitive triples of items.

use partita_core::Item;
use partita_core::truth::*;
use partita_stats::random::{stream, uniform_index};
use proptest::prelude::*;
use std::cmp::Ordering;

/// Returns the intransitivity of the items 0, 1 and 2. `relations` contains the signs `<`, `=` or
/// `>` between 0 and 1, 0 and 2, and 1 and 2.
fn intransitivity(relations: &str) -> Option<(Intransitivity, [usize; 3])> {
    let tests = ItemPairTests::from_fn(3, Alpha::TYPKE, |a, b| {
        let relation = relations.as_bytes()[a.index() + b.index() - 1];
        ItemPairVerdict {
            less: relation == b'<',
            greater: relation == b'>',
            two_sided: relation != b'=',
            untestable: false,
        }
    });
    let items: Vec<Item> = (0..3).map_while(Item::from_index).collect();
    let one = PairwiseRelations::from_item_tests(&items, &tests, Tails::One);
    assert_eq!(
        one,
        PairwiseRelations::from_item_tests(&items, &tests, Tails::Two)
    );
    let found: Vec<IntransitiveTriple<usize>> = one.intransitive_triples().collect();
    assert!(found.len() < 2);
    found.first().map(|t| (t.paradox, t.items))
}

#[test]
fn each_kind_of_intransitivity_is_found_in_every_order() {
    use Intransitivity::{ChainBreaks, Cycle, EqualsDiffer};
    for (relations, kind, items) in [
        ("=<=", EqualsDiffer, [0, 1, 2]),
        ("=>=", EqualsDiffer, [2, 1, 0]),
        ("<==", EqualsDiffer, [0, 2, 1]),
        ("==>", EqualsDiffer, [2, 0, 1]),
        ("<=<", ChainBreaks, [0, 1, 2]),
        (">=>", ChainBreaks, [2, 1, 0]),
        ("><=", ChainBreaks, [1, 0, 2]),
        ("<><", Cycle, [0, 1, 2]),
        ("><>", Cycle, [0, 2, 1]),
    ] {
        assert_eq!(
            intransitivity(relations),
            Some((kind, items)),
            "{relations}"
        );
    }
}

#[test]
fn a_pair_that_differs_in_both_directions_is_never_intransitive() {
    // With alpha above a half, items 0 and 2 differ in both directions, and 1 is worse than both.
    let alpha = Alpha::new(0.8).expect("a level");
    let tests = ItemPairTests::from_fn(3, alpha, |a, b| ItemPairVerdict {
        less: b.index() == 1 || a.index() + b.index() == 2,
        greater: a.index() == 1 || a.index() + b.index() == 2,
        two_sided: true,
        untestable: false,
    });
    let mut items: Vec<Item> = (0..3).map_while(Item::from_index).collect();
    for _ in 0..3 {
        items.rotate_left(1);
        let relations = PairwiseRelations::from_item_tests(&items, &tests, Tails::One);
        assert_eq!(relations.count_intransitive().total(), 0);
    }
}

#[test]
fn a_triple_with_an_untestable_pair_is_undecided() {
    // 0 < 1 < 2, but 0 and 2 cannot be tested. If they were equal, the chain would break.
    let alpha = Alpha::new(0.05).expect("a level");
    let tests = ItemPairTests::from_fn(3, alpha, |a, b| {
        if a.index() + b.index() == 2 {
            return ItemPairVerdict::UNTESTABLE;
        }
        ItemPairVerdict {
            less: a < b,
            greater: b < a,
            two_sided: true,
            untestable: false,
        }
    });
    let items: Vec<Item> = (0..3).map_while(Item::from_index).collect();
    let relations = PairwiseRelations::from_item_tests(&items, &tests, Tails::One);
    assert_eq!(
        (
            relations.count_intransitive().total(),
            relations.undecided_triples()
        ),
        (0, 1)
    );
}

#[test]
fn triples_that_a_list_can_represent_are_transitive() {
    for relations in ["===", "<<=", "=<<", "<<<", ">>>", "><<", "<<>"] {
        assert_eq!(intransitivity(relations), None, "{relations}");
    }
}

/// Finds the intransitivity of three items by trying all their orders.
fn intransitivity_by_trial(
    relation: impl Fn(usize, usize) -> Option<Ordering>,
    three: [usize; 3],
) -> Option<Intransitivity> {
    let [a, b, c] = three;
    let orders = [
        [a, b, c],
        [a, c, b],
        [b, a, c],
        [b, c, a],
        [c, a, b],
        [c, b, a],
    ];
    let signs = |[x, y, z]: [usize; 3]| Some([relation(x, y)?, relation(y, z)?, relation(x, z)?]);
    orders.into_iter().find_map(|order| match signs(order)? {
        [Ordering::Equal, Ordering::Equal, Ordering::Less] => Some(Intransitivity::EqualsDiffer),
        [Ordering::Less, Ordering::Less, Ordering::Equal] => Some(Intransitivity::ChainBreaks),
        [Ordering::Less, Ordering::Less, Ordering::Greater] => Some(Intransitivity::Cycle),
        _ => None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn bit_sets_find_the_same_triples_as_trying_all_orders(
        size in 0..140usize,
        seed: u64,
        kinds in 1..5usize,
        most in 0..300usize,
    ) {
        let signs = [Some(Ordering::Less), Some(Ordering::Equal), Some(Ordering::Greater), None];
        let drawn = |a: usize, b: usize| {
            let random = &mut stream(seed, &[a as u64, b as u64]);
            signs[uniform_index(random, kinds)]
        };
        let mut table = vec![None; size * size];
        for a in 0..size {
            for b in a + 1..size {
                table[a * size + b] = drawn(a, b);
                table[b * size + a] = drawn(a, b).map(Ordering::reverse);
            }
        }
        let relation = |a: usize, b: usize| table[a * size + b];
        let relations = PairwiseRelations::new(size, relation);
        let mut expected: [Vec<[usize; 3]>; 3] = Default::default();
        for a in 0..size {
            for b in a + 1..size {
                for c in b + 1..size {
                    if let Some(paradox) = intransitivity_by_trial(relation, [a, b, c]) {
                        expected[paradox as usize].push([a, b, c]);
                    }
                }
            }
        }
        let mut undecided = 0;
        for a in 0..size {
            for b in a + 1..size {
                let open = |c: usize| [relation(a, b), relation(a, c), relation(b, c)].contains(&None);
                undecided += (b + 1..size).filter(|&c| open(c)).count() as u64;
            }
        }
        prop_assert_eq!(relations.undecided_triples(), undecided);
        let all: Vec<IntransitiveTriple<usize>> = relations.intransitive_triples().collect();
        for paradox in Intransitivity::WORST_FIRST {
            let listed = all.iter().filter(|triple| triple.paradox == paradox);
            let sorted: Vec<[usize; 3]> = listed
                .map(|triple| {
                    let mut items = triple.items;
                    items.sort_unstable();
                    items
                })
                .collect();
            prop_assert_eq!(&sorted, &expected[paradox as usize]);
            prop_assert_eq!(relations.count_intransitive().get(paradox), sorted.len() as u64);
        }
        let found = relations.worst_intransitive(most);
        prop_assert_eq!(found.total(), all.len() as u64);
        prop_assert_eq!(&found.worst[..], &all[..all.len().min(most)]);
        for triple in found.worst {
            let [a, b, c] = triple.items;
            let signs = [relation(a, b), relation(b, c), relation(a, c)].map(Option::unwrap);
            let expected = match triple.paradox {
                Intransitivity::EqualsDiffer => [Ordering::Equal, Ordering::Equal, Ordering::Less],
                Intransitivity::ChainBreaks => [Ordering::Less, Ordering::Less, Ordering::Equal],
                Intransitivity::Cycle => [Ordering::Less, Ordering::Less, Ordering::Greater],
            };
            prop_assert_eq!(signs, expected);
            prop_assert!(triple.paradox != Intransitivity::Cycle || a < b.min(c));
        }
    }
}
