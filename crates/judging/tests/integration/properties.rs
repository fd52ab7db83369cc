//! Properties of the sort and of the decision rules, for random inputs.

use partita_core::{Item, Preference, Preferences, Vote};
use partita_judging::{
    DecisionRule, PivotRule, Provenance, Relation, SelfOrganisingSort, SortComparison, Votes,
    build_list, replay_sort,
};
use proptest::prelude::*;

fn items(count: usize) -> Vec<Item> {
    (0..count).filter_map(Item::from_index).collect()
}

/// Runs a sort to its end and returns the pairs that each iteration asked.
fn run(
    mut sort: SelfOrganisingSort,
    answer: impl Fn(Item, Item) -> Relation,
) -> (SelfOrganisingSort, Vec<Vec<SortComparison>>) {
    let mut batches = Vec::new();
    while !sort.is_done() {
        let questions = sort.questions();
        let asked: Vec<SortComparison> = (questions.into_iter())
            .map(|(a, b)| SortComparison {
                a,
                b,
                relation: answer(a, b),
            })
            .collect();
        for pair in &asked {
            sort.record(pair.a, pair.b, pair.relation);
        }
        batches.push(asked);
        assert!(sort.advance());
        assert!(sort.iteration() < 1000);
    }
    (sort, batches)
}

fn by_level(levels: &[u8]) -> impl Fn(Item, Item) -> Relation {
    move |a, b| match levels[a.index()].cmp(&levels[b.index()]) {
        std::cmp::Ordering::Less => Relation::Less,
        std::cmp::Ordering::Equal => Relation::Equal,
        std::cmp::Ordering::Greater => Relation::Greater,
    }
}

/// Returns arbitrary but consistent relations: that of (b, a) mirrors that of (a, b).
fn arbitrary_relations(whims: &[u8], count: usize) -> impl Fn(Item, Item) -> Relation {
    move |a, b| {
        let (low, high) = (a.min(b), a.max(b));
        let relation = match whims[(low.index() * count + high.index()) % whims.len()] % 3 {
            0 => Relation::Less,
            1 => Relation::Equal,
            _ => Relation::Greater,
        };
        if a == low {
            relation
        } else {
            relation.mirrored()
        }
    }
}

fn sets(list: &partita_core::GroupedList) -> Vec<Vec<Item>> {
    let mut groups: Vec<Vec<Item>> = list.groups().map(<[Item]>::to_vec).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

proptest! {
    #[test]
    fn a_consistent_assessor_s_order_is_recovered(
        levels in proptest::collection::vec(0u8..6, 1..24),
        prior in any::<bool>(),
    ) {
        let order = items(levels.len());
        let pivot = match prior {
            true => PivotRule::Prior((0..levels.len()).collect()),
            false => PivotRule::Last,
        };
        let sort = SelfOrganisingSort::new(&order).with_pivot(pivot);
        let (sort, _) = run(sort, by_level(&levels));
        let groups: Vec<Vec<u8>> = (sort.segments().iter())
            .map(|group| group.iter().map(|item| levels[item.index()]).collect())
            .collect();
        for group in &groups {
            prop_assert!(group.iter().all(|level| level == &group[0]));
        }
        prop_assert!(groups.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }

    #[test]
    fn the_sort_ends_and_puts_every_item_into_exactly_one_group_whatever_the_answers(
        count in 1usize..20,
        whims in proptest::collection::vec(any::<u8>(), 1..400),
    ) {
        let (sort, batches) = run(
            SelfOrganisingSort::new(&items(count)),
            arbitrary_relations(&whims, count),
        );
        let mut all: Vec<Item> = sort.segments().concat();
        all.sort_unstable();
        prop_assert_eq!(all, items(count));
        let asked: Vec<&SortComparison> = batches.iter().flatten().collect();
        prop_assert!(asked.len() <= count * (count - 1) / 2);
        // Items of a group are equal, each to each.
        for group in sort.segments() {
            for (at, &a) in group.iter().enumerate() {
                for &b in &group[at + 1..] {
                    prop_assert_eq!(sort.relation(a, b), Some(Relation::Equal));
                }
            }
        }
    }

    #[test]
    fn the_record_of_a_sort_leads_back_to_its_list(
        count in 1usize..16,
        whims in proptest::collection::vec(any::<u8>(), 1..300),
    ) {
        let (sort, batches) = run(
            SelfOrganisingSort::new(&items(count)),
            arbitrary_relations(&whims, count),
        );
        let found = replay_sort(count, &batches).unwrap();
        prop_assert!(!found.unfinished);
        let lists: Vec<_> = found.lists.iter().map(sets).collect();
        prop_assert!(lists.contains(&sets(&sort.list())));
    }

    #[test]
    fn every_rule_mirrors(a in 0u32..12, equal in 0u32..12, b in 0u32..12, rule in 0usize..6) {
        let names = ["mwu", "mwu-normal", "sign", "margin:2", "plurality", "majority"];
        let rule: DecisionRule = names[rule].parse().unwrap();
        prop_assert_eq!(rule.to_string(), names.iter().find(|n| n.parse::<DecisionRule>() == Ok(rule)).unwrap().to_string());
        let votes = Votes { a, equal, b };
        prop_assert_eq!(rule.decide(votes).mirrored(), rule.decide(votes.mirrored()));
        if a == b {
            prop_assert_eq!(rule.decide(votes), Relation::Equal);
        }
    }
}

#[test]
fn answers_from_no_sort_are_sorted_from_an_order_of_their_own() {
    let mut preferences = Preferences::new();
    let names = ["a", "b", "c", "d"];
    for (at, a) in names.iter().enumerate() {
        for b in &names[at + 1..] {
            for who in ["ann", "bob", "cy"] {
                preferences
                    .add("q", Vote::new(a, b, who, Preference::A))
                    .unwrap();
            }
        }
    }
    let query = &preferences.queries()[0];
    let built = build_list(query, DecisionRule::default(), 1);
    assert!(
        matches!(&built.provenance, Provenance::Resorted { missing, .. } if missing.is_empty())
    );
    let order: Vec<&str> = (built.list.items().iter())
        .map(|&item| query.items().name(item))
        .collect();
    assert_eq!(order, names);
    assert_eq!(built.list.group_count(), 4);
}

#[test]
fn a_rule_that_does_not_exist_is_refused() {
    for name in ["", "mann", "margin:0", "margin:x", "margin:"] {
        assert!(name.parse::<DecisionRule>().is_err(), "{name}");
    }
}
