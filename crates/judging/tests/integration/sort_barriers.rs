//! Comparison of the sort, whose segments are split independently, with the sort of Urbano et al.
//! (2010), in which all segments of an iteration are split together.

use std::collections::BTreeSet;

use partita_core::Item;
use partita_judging::{PivotRule, Relation, SelfOrganisingSort};
use proptest::prelude::*;

/// Runs the sort of Urbano et al. (2010), which splits no segment before all questions of an
/// iteration are answered. Returns its segments and the pairs that it asked.
fn sort_with_barriers(
    order: &[Item],
    prior: Option<&[usize]>,
    top: Option<usize>,
    answer: &dyn Fn(Item, Item) -> Relation,
) -> (Vec<Vec<Item>>, BTreeSet<(Item, Item)>) {
    let mut asked = BTreeSet::new();
    let equal = |asked: &BTreeSet<(Item, Item)>, a: Item, b: Item| {
        asked.contains(&(a.min(b), a.max(b))) && answer(a, b) == Relation::Equal
    };
    let mut segments = vec![order.to_vec()];
    loop {
        // Choose the pivots of all open segments.
        let mut pivots = Vec::new();
        let mut before = 0;
        for segment in &segments {
            let open: Vec<Item> = (segment.iter().copied())
                .filter(|&a| segment.iter().any(|&b| a != b && !equal(&asked, a, b)))
                .collect();
            let wanted = !open.is_empty() && top.is_none_or(|top| before < top);
            let pivot = match prior {
                _ if !wanted => None,
                None => segment.last().copied(),
                Some(places) => {
                    let mut open = open;
                    open.sort_by_key(|item| places[item.index()]);
                    Some(open[open.len() / 2])
                }
            };
            pivots.push(pivot);
            before += segment.len();
        }
        if pivots.iter().all(Option::is_none) {
            return (segments, asked);
        }
        for (segment, pivot) in segments.iter().zip(&pivots) {
            let Some(pivot) = *pivot else { continue };
            let others = segment.iter().filter(|&&item| item != pivot);
            asked.extend(others.map(|&item| (item.min(pivot), item.max(pivot))));
        }
        // All questions are answered, so split all segments.
        let mut parted = Vec::new();
        for (segment, pivot) in segments.iter().zip(&pivots) {
            let Some(pivot) = *pivot else {
                parted.push(segment.clone());
                continue;
            };
            let which = |wanted: Relation| -> Vec<Item> {
                let others = segment.iter().copied().filter(|&item| item != pivot);
                others
                    .filter(|&item| answer(item, pivot) == wanted)
                    .collect()
            };
            let mut same = vec![pivot];
            same.extend(which(Relation::Equal));
            let parts = [which(Relation::Less), same, which(Relation::Greater)];
            parted.extend(parts.into_iter().filter(|part| !part.is_empty()));
        }
        segments = parted;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn sort_without_barriers_asks_the_same_pairs_and_makes_the_same_list(
        count in 1_usize..14,
        whims in prop::collection::vec(0_u8..3, 1..120),
        prior in any::<bool>(),
        top in prop::option::of(1_usize..6),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 100),
    ) {
        let order: Vec<Item> = (0..count).filter_map(Item::from_index).collect();
        let answer = |a: Item, b: Item| {
            let (low, high) = (a.min(b).index(), a.max(b).index());
            let relation = match whims[(low * count + high) % whims.len()] {
                0 => Relation::Less,
                1 => Relation::Equal,
                _ => Relation::Greater,
            };
            if a.index() == low { relation } else { relation.mirrored() }
        };
        let places: Vec<usize> = (0..count).rev().collect();
        let mut sort = SelfOrganisingSort::new(&order);
        if prior {
            sort = sort.with_pivot(PivotRule::Prior(places.clone()));
        }
        if let Some(top) = top {
            sort = sort.with_top(top);
        }
        // Answer one random question at a time and split segments immediately.
        let mut asked = BTreeSet::new();
        for pick in picks.iter().cycle() {
            let questions = sort.questions();
            if questions.is_empty() {
                break;
            }
            let (a, b) = questions[pick.index(questions.len())];
            prop_assert!(asked.insert((a.min(b), a.max(b))), "asked twice");
            sort.record(a, b, answer(a, b));
            while sort.advance() {}
        }
        prop_assert!(sort.is_done());
        let prior = prior.then_some(&places[..]);
        let (segments, pairs) = sort_with_barriers(&order, prior, top, &answer);
        prop_assert_eq!(asked, pairs);
        prop_assert_eq!(sort.segments(), &segments[..]);
    }
}

#[test]
fn segment_is_split_without_waiting_for_other_segments() {
    let items: Vec<Item> = (0..5).filter_map(Item::from_index).collect();
    let mut sort = SelfOrganisingSort::new(&items);
    // Item 4 is the pivot: items 0 and 1 are better, items 2 and 3 worse.
    for (item, relation) in [
        (0, Relation::Less),
        (1, Relation::Less),
        (2, Relation::Greater),
        (3, Relation::Greater),
    ] {
        sort.record(items[item], items[4], relation);
    }
    assert!(sort.advance());
    assert_eq!(
        sort.questions(),
        [(items[1], items[0]), (items[3], items[2])]
    );
    sort.record(items[0], items[1], Relation::Less);
    assert!(sort.advance(), "the first two are in order");
    assert_eq!(sort.questions(), [(items[3], items[2])]);
    assert_eq!(sort.segments().len(), 4);
    assert!(!sort.advance(), "the last two wait");
}
