//! Preferences between two items.

use partita_core::*;

#[test]
fn a_second_vote_on_a_pair_is_rejected_even_with_swapped_items() {
    let mut preferences = Preferences::new();
    let given = Vote::new("x", "y", "ann", Preference::A);
    preferences.add("q", given).unwrap();
    let again = Vote::new("y", "x", "ann", Preference::B);
    assert!(matches!(
        preferences.add("q", again),
        Err(PreferenceError::RepeatedVote { .. })
    ));
    preferences
        .add("r", Vote::new("y", "x", "ann", Preference::B))
        .unwrap();
    assert_eq!(preferences.len(), 2);
    assert_eq!(
        preferences.add("q", Vote::new("x", "x", "bob", Preference::Equal)),
        Err(PreferenceError::SameItem("x".to_owned()))
    );
}

#[test]
fn preferences_sorted_by_name_do_not_depend_on_the_order_of_votes() {
    use partita_core::{Preference, Preferences, Vote};

    let given = [("x", "y", "bob"), ("u", "y", "ann")];
    let answered = |order: [usize; 2]| {
        let mut preferences = Preferences::new();
        for (a, b, who) in order.map(|number| given[number]) {
            preferences
                .add("q", Vote::new(a, b, who, Preference::A))
                .unwrap();
        }
        preferences.by_name()
    };
    let [one, other] = [answered([0, 1]), answered([1, 0])];
    assert_eq!(one.queries()[0].votes(), other.queries()[0].votes());
}
