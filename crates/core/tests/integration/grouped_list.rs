//! Grouped lists.

use partita_core::*;

#[test]
fn an_item_in_two_groups_is_refused_with_both_places() {
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
fn an_empty_group_is_refused_and_an_empty_list_is_not() {
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
fn inverting_twice_gives_the_list_back() {
    let mut names = Names::new();
    let list = GroupedList::from_names(&mut names, [["a", "b"].as_slice(), &["c"], &["d", "e"]]);
    let list = list.unwrap();
    assert_eq!(list.reversed().reversed(), list);
}

#[test]
fn an_inverted_list_has_its_last_group_first() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{GroupedList, Names};
    let mut names = Names::new();
    let list = GroupedList::from_names(&mut names, [["1", "2"].as_slice(), &["3"]])?;
    assert_eq!(list.reversed().group_ends(), [1, 3]);
    Ok(())
}

#[test]
fn the_order_inside_groups_makes_no_other_groups() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{GroupedList, Names};
    let mut names = Names::new();
    let list = GroupedList::from_names(&mut names, [["1", "2"].as_slice(), &["3"]])?;
    let other = GroupedList::from_names(&mut names, [["2", "1"].as_slice(), &["3"]])?;
    assert!(list.has_same_groups(&other) && !list.has_same_groups(&list.reversed()));
    Ok(())
}
