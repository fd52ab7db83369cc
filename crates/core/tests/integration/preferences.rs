//! Preferences.

use partita_core::*;

#[test]
fn an_answer_counts_once_whichever_item_was_shown_first() {
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
fn preferences_by_name_do_not_depend_on_the_order_of_answers() {
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
