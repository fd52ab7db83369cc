//! Differences between two lists: examples by hand, comparison with brute force, and properties.

use partita_core::QueryTruth;
use partita_core::truth::comparison::list_difference::{
    ItemChangeKind, ListDifference, PairRelationCounts, list_difference,
};
use proptest::prelude::*;

/// Creates a list from groups separated by spaces: `ab c` is (a, b), (c).
fn list(text: &str) -> QueryTruth {
    let groups: Vec<Vec<String>> = (text.split(' '))
        .map(|group| group.chars().map(String::from).collect())
        .collect();
    list_of_groups(&groups)
}

fn list_of_groups(groups: &[Vec<String>]) -> QueryTruth {
    let groups = groups
        .iter()
        .map(|group| group.iter().map(String::as_str).collect::<Vec<_>>());
    QueryTruth::from_groups(groups.collect::<Vec<_>>().iter()).unwrap()
}

/// Returns all items that are not in the `same` position, each with its change, such as `a
/// earlier`.
fn changes(found: &ListDifference) -> Vec<String> {
    let changed = found.items.iter();
    let changed = changed.filter(|item| item.change != ItemChangeKind::Same);
    changed
        .map(|item| format!("{} {}", item.name, item.change))
        .collect()
}

fn difference(first: &str, second: &str) -> ListDifference {
    list_difference(&list(first), &list(second))
}

#[test]
fn a_list_does_not_differ_from_itself() {
    let found = difference("abc d ef", "abc d ef");
    assert_eq!(changes(&found), [""; 0]);
    let all = PairRelationCounts {
        same: 15,
        ..PairRelationCounts::default()
    };
    assert_eq!(found.pairs, all);
}

#[test]
fn a_split_group_moves_no_later_item() {
    let found = difference("abc d ef g", "a bc d ef g");
    assert_eq!(changes(&found), ["a split", "b split", "c split"]);
    let splits: Vec<_> = found.splits().map(|s| (&s.first, &s.second)).collect();
    assert_eq!(splits, [(&vec![1], &vec![1, 2])]);
    assert_eq!((found.merges().count(), found.moved().count()), (0, 0));
    assert_eq!(found.pairs.tied_in_first_only, 2);
    assert_eq!(found.pairs.reversed, 0);
}

#[test]
fn merged_groups_are_listed() {
    let found = difference("a b c d", "abc d");
    assert_eq!(changes(&found), ["a merged", "b merged", "c merged"]);
    let merges: Vec<_> = found.merges().map(|m| (&m.first, &m.second)).collect();
    assert_eq!(merges, [(&vec![1, 2, 3], &vec![1])]);
    assert_eq!(found.pairs.tied_in_second_only, 3);
}

#[test]
fn only_the_item_that_changes_its_position_has_moved() {
    assert_eq!(changes(&difference("abc de", "ab cde")), ["c later"]);
    assert_eq!(changes(&difference("ab cde", "abc de")), ["c earlier"]);
    assert_eq!(
        changes(&difference("a b c d e", "e a b c d")),
        ["e earlier"]
    );
    assert_eq!(changes(&difference("a b c d e", "b c d e a")), ["a later"]);
    let swapped = difference("a b c d e", "e a b c d");
    assert_eq!((swapped.pairs.reversed, swapped.pairs.same), (4, 6));
}

#[test]
fn a_split_is_found_even_if_items_moved_into_its_parts() {
    // z moves into the first part; y moves between the two parts.
    let found = difference("abcd e f yz", "abz y cd e f");
    let splits: Vec<_> = found.splits().map(|s| (&s.first, &s.second)).collect();
    assert_eq!(splits, [(&vec![1], &vec![1, 3])]);
    assert_eq!(changes(&found)[4..], ["y earlier", "z earlier"]);
}

#[test]
fn items_of_one_list_only_are_listed_and_move_no_others() {
    let found = difference("x a b y c", "a z b c w");
    assert_eq!(
        changes(&found),
        [
            "x only_first",
            "y only_first",
            "z only_second",
            "w only_second"
        ]
    );
    assert_eq!(found.pairs.same, 3);
    let groups: Vec<_> = found.moved().map(|i| (i.first, i.second)).collect();
    assert_eq!(
        groups,
        [
            (Some(1), None),
            (Some(4), None),
            (None, Some(2)),
            (None, Some(5))
        ]
    );
}

#[test]
fn lists_without_a_common_item_have_no_aligned_groups() {
    let found = difference("ab c", "x yz");
    assert!(found.aligned.is_empty());
    assert_eq!(found.pairs, PairRelationCounts::default());
    assert_eq!(found.moved().count(), 6);
}

/// Returns the largest number of items that an alignment of groups keeps, by trying all alignments.
/// `both` contains the group indices of each item in the two lists. Only groups with indices from
/// `from` up to `groups` are aligned.
fn most_items_kept(both: &[[usize; 2]], from: [usize; 2], groups: [usize; 2]) -> usize {
    let common = |i: usize, j: usize| both.iter().filter(|&&b| b == [i, j]).count();
    let size = |list: usize, g: usize| both.iter().filter(|b| b[list] == g).count();
    let mut most = 0;
    for i in from[0]..groups[0] {
        for j in from[1]..groups[1] {
            let rest = |i: usize, j: usize| most_items_kept(both, [i + 1, j + 1], groups);
            most = most.max(common(i, j) + rest(i, j));
            for end in j + 1..groups[1] {
                let part = |l: &usize| 2 * common(i, *l) > size(1, *l);
                let kept: usize = (j..=end).filter(part).map(|l| common(i, l)).sum();
                most = most.max(kept + rest(i, end));
            }
            for end in i + 1..groups[0] {
                let source = |k: &usize| 2 * common(*k, j) > size(0, *k);
                let kept: usize = (i..=end).filter(source).map(|k| common(k, j)).sum();
                most = most.max(kept + rest(end, j));
            }
        }
    }
    most
}

/// Generates two lists of the same few items, each as the group indices of the items.
fn two_lists() -> impl Strategy<Value = [Vec<usize>; 2]> {
    (1usize..9).prop_flat_map(|items| {
        let groups = || proptest::collection::vec(0usize..4, items);
        [groups(), groups()]
    })
}

/// Creates the list of items a, b, c, ... with these group indices; groups without items are
/// dropped.
fn list_by_group_indices(groups: &[usize]) -> QueryTruth {
    let name = |item: usize| char::from(b'a' + item as u8).to_string();
    let members = |group: usize| {
        let members = (0..groups.len()).filter(move |&item| groups[item] == group);
        members.map(name).collect::<Vec<_>>()
    };
    let members: Vec<_> = (0..4).map(members).filter(|m| !m.is_empty()).collect();
    list_of_groups(&members)
}

proptest! {
    #[test]
    fn no_other_alignment_keeps_more_items([first, second] in two_lists()) {
        let found = list_difference(&list_by_group_indices(&first), &list_by_group_indices(&second));
        let both: Vec<_> = found.items.iter()
            .map(|item| [item.first.unwrap() - 1, item.second.unwrap() - 1])
            .collect();
        let groups = [0, 1].map(|list| both.iter().map(|b| b[list] + 1).max().unwrap());
        let in_parts = found.items.iter().filter(|item| {
            found.aligned.iter().any(|block| {
                block.first.contains(&item.first.unwrap())
                    && block.second.contains(&item.second.unwrap())
            })
        });
        prop_assert_eq!(in_parts.count(), most_items_kept(&both, [0, 0], groups));
    }

    #[test]
    fn items_that_did_not_move_are_never_in_opposite_orders([first, second] in two_lists()) {
        let found = list_difference(&list_by_group_indices(&first), &list_by_group_indices(&second));
        let kept: Vec<_> = found.items.iter().filter(|item| !item.change.is_move()).collect();
        for a in &kept {
            for b in &kept {
                let reversed = a.first < b.first && a.second > b.second;
                prop_assert!(!reversed, "{:?}", found);
            }
        }
    }

    #[test]
    fn the_reverse_comparison_mirrors_the_relations_of_pairs([first, second] in two_lists()) {
        let (first, second) = (list_by_group_indices(&first), list_by_group_indices(&second));
        let there = list_difference(&first, &second);
        let back = list_difference(&second, &first);
        prop_assert_eq!(there.pairs.same, back.pairs.same);
        prop_assert_eq!(there.pairs.reversed, back.pairs.reversed);
        prop_assert_eq!(there.pairs.tied_in_first_only, back.pairs.tied_in_second_only);
        let pairs = there.pairs;
        let items = there.items.len() as u64;
        let all = pairs.same + pairs.reversed + pairs.tied_in_first_only + pairs.tied_in_second_only;
        prop_assert_eq!(all, items * (items - 1) / 2);
    }
}
