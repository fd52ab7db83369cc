//! Names, lists, gains, ground truths and rankings: what their constructors accept, and the
//! invariants of the values.

use std::collections::HashSet;

use partita_core::{
    Gains, GainsError, GroundTruth, GroundTruthError, GroupedList, GroupedListError, Item, Names,
    QueryTruth, Ranking, Slot, SystemRankings, TruthScale, ZeroGainPolicy,
};
use proptest::prelude::*;

/// Generates items, mostly from a small set so that some occur twice, and rarely with a high index.
fn item() -> impl Strategy<Value = Item> {
    prop_oneof![19 => 0..12usize, 1 => 0..100_000usize]
        .prop_map(|index| Item::from_index(index).expect("below the limit"))
}

fn groups() -> impl Strategy<Value = Vec<Vec<Item>>> {
    prop::collection::vec(prop::collection::vec(item(), 0..4), 0..5)
}

/// Creates `count` names: n0, n1, ...
fn names(count: usize) -> Names {
    let mut names = Names::new();
    for i in 0..count {
        names.intern(&format!("n{i}")).expect("few names");
    }
    names
}

fn distinct<T: std::hash::Hash + Eq>(values: impl IntoIterator<Item = T>) -> bool {
    let mut seen = HashSet::new();
    values.into_iter().all(|value| seen.insert(value))
}

/// Checks the invariants of a list.
fn check_list(list: &GroupedList) {
    assert!(distinct(list.items()));
    assert!(list.groups().all(|group| !group.is_empty()));
    assert_eq!(
        list.groups().flatten().copied().collect::<Vec<_>>(),
        list.items()
    );
    let ends = list.group_ends();
    assert!(ends.is_sorted_by(|a, b| a < b));
    assert_eq!(ends.last().copied().unwrap_or(0), list.len());
    assert_eq!(
        (ends.len(), list.groups().len()),
        (list.group_count(), list.group_count())
    );
    assert_eq!(list.is_empty(), list.group_count() == 0);
    let mut reversed: Vec<&[Item]> = list.groups().collect();
    reversed.reverse();
    assert!(list.reversed().groups().eq(reversed));
}

/// Checks the invariants of the ground truth of a query.
fn check_query_truth(truth: &QueryTruth) {
    check_list(truth.list());
    assert_eq!(truth.gains().len(), truth.names().len());
    for (number, group) in truth.list().groups().enumerate() {
        for &item in group {
            assert_eq!(truth.group(item), Some(number));
        }
        // Items of a group have equal gains, and earlier groups have higher gains.
        assert!(group.iter().all(|&i| truth.gain(i) == truth.gain(group[0])));
        if let Some(next) = truth.list().groups().nth(number + 1) {
            assert!(truth.gain(group[0]) > truth.gain(next[0]));
        }
    }
    for (item, gain) in truth.gains().iter() {
        assert_eq!(truth.gain(item), gain.max(0.0));
        assert!(truth.gain(item).is_sign_positive());
        assert!(truth.group(item).is_some() || truth.gain(item) == 0.0);
    }
    assert!(truth.ideal_gains().is_sorted_by(|a, b| a >= b));
    assert!(truth.ideal_gains().iter().all(|&gain| gain > 0.0));
    for threshold in [0.5, 1.0, 2.0, f64::INFINITY] {
        let above = truth
            .names()
            .items()
            .filter(|&i| truth.gain(i) >= threshold);
        assert_eq!(truth.relevant_count(threshold), above.count());
    }
}

proptest! {
    #[test]
    fn names_are_numbered_by_their_first_appearance(texts in prop::collection::vec("[ab]{0,3}|\\PC{0,4}", 0..40)) {
        let mut names = Names::new();
        let mut seen: Vec<&str> = Vec::new();
        for text in &texts {
            let known = seen.iter().position(|name| name == text);
            prop_assert_eq!(names.get(text).map(Item::index), known);
            let item = names.intern(text).unwrap();
            prop_assert_eq!(item.index(), known.unwrap_or(seen.len()));
            if known.is_none() {
                seen.push(text);
            }
        }
        prop_assert_eq!(names.len(), seen.len());
        prop_assert!(names.items().map(|item| names.name(item)).eq(seen));
    }

    #[test]
    fn grouped_lists_reject_empty_groups_and_repeated_items(groups in groups()) {
        let empty = groups.iter().position(Vec::is_empty);
        match GroupedList::new(groups.clone()) {
            Ok(list) => {
                prop_assert!(empty.is_none() && distinct(groups.iter().flatten()));
                check_list(&list);
                prop_assert!(list.groups().eq(groups.iter().map(Vec::as_slice)));
            }
            Err(GroupedListError::EmptyGroup { group }) => prop_assert_eq!(Some(group - 1), empty),
            Err(GroupedListError::DuplicateItem { item, first, again }) => {
                prop_assert!(first <= again);
                let copies = |group: usize| groups[group - 1].iter().filter(|&&i| i == item).count();
                let needed = if first == again { 2 } else { 1 };
                prop_assert!(copies(first) >= needed && copies(again) >= needed);
            }
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn gains_reject_numbers_out_of_range_and_repeated_items(
        gains in prop::collection::vec((item(), prop_oneof![any::<f64>(), -2.0f64..3.0]), 0..8),
        literal in any::<bool>(),
    ) {
        let within = gains.iter().all(|(_, gain)| gain.abs() <= Gains::MAX_ABS);
        let distinct = distinct(gains.iter().map(|(item, _)| item));
        match Gains::new(gains.clone()) {
            Ok(made) => {
                prop_assert!(within && distinct);
                prop_assert!(made.iter().eq(gains.iter().copied()));
                prop_assert_eq!(made.is_empty(), gains.is_empty());
                let highest = gains.iter().map(|&(_, gain)| gain).max_by(f64::total_cmp);
                prop_assert_eq!(made.highest(), highest);
                let zero = if literal { ZeroGainPolicy::LastGroup } else { ZeroGainPolicy::LeaveOut };
                let list = made.to_list(zero);
                check_list(&list);
                let listed = gains.iter().filter(|(_, gain)| literal || *gain > 0.0).count();
                prop_assert_eq!(list.len(), listed);
            }
            Err(GainsError::NotFinite { item, gain }) => {
                prop_assert!(!gain.is_finite() && gains.iter().any(|(i, _)| *i == item));
            }
            Err(GainsError::TooLarge { item, gain }) => {
                prop_assert!(gain.is_finite() && gain.abs() > 1e100);
                prop_assert!(gains.contains(&(item, gain)));
            }
            Err(GainsError::DuplicateItem { item }) => {
                prop_assert!(gains.iter().filter(|(i, _)| *i == item).count() > 1);
            }
        }
    }

    #[test]
    fn query_truths_require_one_judgment_for_every_name(
        count in 0..12usize,
        groups in groups(),
        grades in prop::collection::vec((item(), prop::sample::select(vec![-1.0, 0.0, 1.0, 2.5])), 0..12),
        literal in any::<bool>(),
    ) {
        let fits = |items: HashSet<usize>| items == (0..count).collect::<HashSet<_>>();
        let refused = |truth: Result<QueryTruth, GroundTruthError>| {
            let error = truth.err();
            matches!(error, Some(GroundTruthError::NameMismatch { names, .. }) if names == count)
        };
        if let Ok(list) = GroupedList::new(groups) {
            let truth = QueryTruth::from_list(names(count), list.clone());
            if fits(list.items().iter().map(|i| i.index()).collect()) {
                let truth = truth.unwrap();
                check_query_truth(&truth);
                prop_assert_eq!(truth.list(), &list);
            } else {
                prop_assert!(refused(truth));
            }
        }
        // Keeps the first grade of each item; names without a grade then get the grade 1.
        let mut seen = HashSet::new();
        let mut grades = grades;
        grades.retain(|&(item, _)| item.index() < count && seen.insert(item));
        let missing = names(count).items().filter(|item| !seen.contains(item));
        let complete: Vec<_> = grades.iter().copied().chain(missing.map(|item| (item, 1.0))).collect();
        let zero = if literal { ZeroGainPolicy::LastGroup } else { ZeroGainPolicy::LeaveOut };
        let graded = |grades: &[(Item, f64)]| {
            QueryTruth::from_gains(names(count), Gains::new(grades.to_vec()).unwrap(), zero)
        };
        check_query_truth(&graded(&complete).unwrap());
        if grades.len() < count {
            prop_assert!(refused(graded(&grades)));
        }
        if literal {
            prop_assert_eq!(graded(&complete).unwrap().list().len(), count);
        }
    }

    #[test]
    fn ground_truths_reject_repeated_query_names(queries in prop::collection::vec("[ab]{0,2}", 0..6)) {
        let query = |name: &String| (name.clone(), QueryTruth::from_groups([["d"].as_slice()]).unwrap());
        match GroundTruth::new(TruthScale::Groups, queries.iter().map(query).collect()) {
            Ok(truth) => {
                prop_assert!(distinct(&queries));
                prop_assert_eq!((truth.len(), truth.is_empty()), (queries.len(), queries.is_empty()));
                prop_assert!(truth.iter().map(|(name, _)| name).eq(&queries));
                for (number, name) in queries.iter().enumerate() {
                    prop_assert_eq!(truth.query_index(name), Some(number));
                    prop_assert_eq!(truth.query_name(number), name);
                }
                prop_assert_eq!(truth.highest_gain(), if queries.is_empty() { 0.0 } else { 1.0 });
                let mut run = SystemRankings::new("run", &truth);
                prop_assert!(run.missing_queries().eq(0..queries.len()));
                for number in 0..queries.len() {
                    prop_assert_eq!(run.set(number, Ranking::default()), None);
                }
                prop_assert_eq!(run.missing_queries().count(), 0);
                let wanted = queries.iter().rev().filter(|name| name.starts_with('a'));
                let kept = truth.restrict_to(&wanted.cloned().collect::<Vec<_>>()).unwrap();
                let all = queries.iter().all(|name| !name.starts_with('a'));
                let names = queries.iter().filter(|name| all || name.starts_with('a'));
                prop_assert!(kept.query_names().eq(names));
            }
            Err(name) => prop_assert!(queries.iter().filter(|&q| *q == name).count() > 1),
        }
    }

    #[test]
    fn rankings_keep_their_length_and_mark_repeated_items(
        groups in prop::collection::vec(prop::collection::vec(slot(), 0..4), 0..6),
    ) {
        let given: Vec<Slot> = groups.concat();
        let strict = Ranking::from_slots(given.clone());
        let tied = Ranking::from_slot_groups(groups.clone());
        prop_assert_eq!((tied.len(), tied.is_empty()), (given.len(), given.is_empty()));
        prop_assert!(distinct(tied.slots().iter().filter_map(|slot| slot.item())));
        let mut seen = HashSet::new();
        for (&slot, &kept) in given.iter().zip(strict.slots()) {
            let again = slot.item().is_some_and(|item| !seen.insert(item));
            prop_assert_eq!(kept, if again { Slot::JUDGED_REPEAT } else { slot });
        }
        // Expected sizes of the groups: the repeats of an item within its group follow the group,
        // each as a group of its own.
        let mut sizes = Vec::new();
        let mut earlier = HashSet::new();
        for group in groups.iter().filter(|group| !group.is_empty()) {
            let items = group.iter().filter_map(|slot| slot.item());
            let new: Vec<_> = items.filter(|item| !earlier.contains(item)).collect();
            let distinct = new.iter().collect::<HashSet<_>>().len();
            let copies = new.len() - distinct;
            sizes.push(group.len() - copies);
            sizes.extend(vec![1; copies]);
            earlier.extend(new);
        }
        prop_assert!(tied.groups().map(<[Slot]>::len).eq(sizes.iter().copied()));
        prop_assert_eq!(tied.is_tied(), sizes.iter().any(|&size| size > 1));
        prop_assert_eq!(tied.groups().collect::<Vec<_>>().concat(), tied.slots());
        prop_assert!(!strict.is_tied() && strict.groups().all(|group| group.len() == 1));
        prop_assert!(tied.is_tied() || tied == strict);
        for ranking in [&strict, &tied] {
            let kept = ranking.without_repeats();
            let condensed = ranking.condensed();
            let slots = || ranking.slots().iter();
            prop_assert!(kept.slots().iter().eq(slots().filter(|slot| !slot.is_repeat())));
            let unjudged = [Slot::UNJUDGED, Slot::UNJUDGED_REPEAT];
            let judged = slots().filter(|slot| !unjudged.contains(slot));
            prop_assert!(condensed.slots().iter().eq(judged));
        }
    }

    #[test]
    fn rankings_from_names_mark_unjudged_and_repeated_documents(documents in prop::collection::vec("[a-f]", 0..10)) {
        let truth = QueryTruth::from_groups([["a", "b"].as_slice(), &["c"]]).unwrap();
        let ranking = crate::support::ranking(&truth, &documents);
        let slot = |place: usize| match &documents[place] {
            name if documents[..place].contains(name) => {
                Slot::from(truth.names().get(name)).to_repeat()
            }
            name => Slot::from(truth.names().get(name)),
        };
        prop_assert_eq!(ranking.slots(), (0..documents.len()).map(slot).collect::<Vec<_>>());
    }
}

/// Generates entries of a ranking: items, unjudged documents and repeats.
fn slot() -> impl Strategy<Value = Slot> {
    prop_oneof![
        6 => item().prop_map(Slot::from),
        1 => Just(Slot::UNJUDGED),
        1 => Just(Slot::JUDGED_REPEAT),
        1 => Just(Slot::UNJUDGED_REPEAT),
    ]
}

#[test]
fn the_highest_item_differs_from_unjudged_and_repeated_documents() {
    let last = Item::from_index(Item::MAX_COUNT - 1).unwrap();
    assert_eq!(Item::from_index(Item::MAX_COUNT), None);
    assert_eq!(Slot::from(last).item(), Some(last));
    let others = [Slot::UNJUDGED, Slot::JUDGED_REPEAT, Slot::UNJUDGED_REPEAT];
    assert_eq!(others.map(Slot::item), [None; 3]);
    assert!(others[0] != others[1] && others[1] != others[2] && others[0] != others[2]);
}
