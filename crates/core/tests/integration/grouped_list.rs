//! Grouped lists.

use partita_core::*;

#[test]
fn an_item_in_two_groups_is_rejected_with_both_group_numbers() {
    let mut names = Names::new();
    let error = GroupedList::from_names(&mut names, [["a"].as_slice(), &["b", "a"]]).unwrap_err();
    assert_eq!(
        error,
        GroupedListError::DuplicateItem {
            item: names.get("a").unwrap(),
            first: 1,
            again: 2
        }
    );
}

#[test]
fn an_empty_group_is_rejected_but_an_empty_list_is_valid() {
    let mut names = Names::new();
    let none: [&[&str]; 0] = [];
    assert!(
        GroupedList::from_names(&mut names, none)
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        GroupedList::from_names(&mut names, [["a"].as_slice(), &[]]),
        Err(GroupedListError::EmptyGroup { group: 2 })
    );
}

#[test]
fn reversing_a_list_twice_returns_the_same_list() {
    let mut names = Names::new();
    let list = GroupedList::from_names(&mut names, [["a", "b"].as_slice(), &["c"], &["d", "e"]]);
    let list = list.unwrap();
    assert_eq!(list.reversed().reversed(), list);
}

#[test]
fn a_reversed_list_has_its_last_group_first() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{GroupedList, Names};
    let mut names = Names::new();
    let list = GroupedList::from_names(&mut names, [["1", "2"].as_slice(), &["3"]])?;
    assert_eq!(list.reversed().group_ends(), [1, 3]);
    Ok(())
}

#[test]
fn lists_that_differ_only_in_the_order_within_groups_have_the_same_groups()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{GroupedList, Names};
    let mut names = Names::new();
    let list = GroupedList::from_names(&mut names, [["1", "2"].as_slice(), &["3"]])?;
    let other = GroupedList::from_names(&mut names, [["2", "1"].as_slice(), &["3"]])?;
    assert!(list.has_same_groups(&other) && !list.has_same_groups(&list.reversed()));
    Ok(())
}
