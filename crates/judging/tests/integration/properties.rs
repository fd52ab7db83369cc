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
fn run_sort(
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

fn relation_by_level(levels: &[u8]) -> impl Fn(Item, Item) -> Relation {
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

fn sorted_groups(list: &partita_core::GroupedList) -> Vec<Vec<Item>> {
    let mut groups: Vec<Vec<Item>> = list.groups().map(<[Item]>::to_vec).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

proptest! {
    #[test]
    fn sort_recovers_the_order_of_a_consistent_assessor(
        levels in proptest::collection::vec(0u8..6, 1..24),
        prior in any::<bool>(),
    ) {
        let order = items(levels.len());
        let pivot = match prior {
            true => PivotRule::Prior((0..levels.len()).collect()),
            false => PivotRule::Last,
        };
        let sort = SelfOrganisingSort::new(&order).with_pivot(pivot);
        let (sort, _) = run_sort(sort, relation_by_level(&levels));
        let groups: Vec<Vec<u8>> = (sort.segments().iter())
            .map(|group| group.iter().map(|item| levels[item.index()]).collect())
            .collect();
        for group in &groups {
            prop_assert!(group.iter().all(|level| level == &group[0]));
        }
        prop_assert!(groups.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }

    #[test]
    fn sort_ends_with_every_item_in_one_group_for_arbitrary_answers(
        count in 1usize..20,
        whims in proptest::collection::vec(any::<u8>(), 1..400),
    ) {
        let (sort, batches) = run_sort(
            SelfOrganisingSort::new(&items(count)),
            arbitrary_relations(&whims, count),
        );
        let mut all: Vec<Item> = sort.segments().concat();
        all.sort_unstable();
        prop_assert_eq!(all, items(count));
        let asked: Vec<&SortComparison> = batches.iter().flatten().collect();
        prop_assert!(asked.len() <= count * (count - 1) / 2);
        // All items of a group are known to be equal to each other.
        for group in sort.segments() {
            for (at, &a) in group.iter().enumerate() {
                for &b in &group[at + 1..] {
                    prop_assert_eq!(sort.relation(a, b), Some(Relation::Equal));
                }
            }
        }
    }

    #[test]
    fn replay_of_a_recorded_sort_yields_its_list(
        count in 1usize..16,
        whims in proptest::collection::vec(any::<u8>(), 1..300),
    ) {
        let (sort, batches) = run_sort(
            SelfOrganisingSort::new(&items(count)),
            arbitrary_relations(&whims, count),
        );
        let found = replay_sort(count, &batches).unwrap();
        prop_assert!(!found.unfinished);
        let lists: Vec<_> = found.lists.iter().map(sorted_groups).collect();
        prop_assert!(lists.contains(&sorted_groups(&sort.list())));
    }

    #[test]
    fn decision_rules_are_symmetric(a in 0u32..12, equal in 0u32..12, b in 0u32..12, rule in 0usize..6) {
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
fn answers_that_no_sort_asked_for_are_sorted_from_a_random_order() {
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
fn unknown_rule_names_do_not_parse() {
    for name in ["", "mann", "margin:0", "margin:x", "margin:"] {
        assert!(name.parse::<DecisionRule>().is_err(), "{name}");
    }
}
