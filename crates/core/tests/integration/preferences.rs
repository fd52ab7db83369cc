//! Preferences.

use partita_core::*;

#[test]
fn an_answer_counts_once_whichever_item_was_shown_first() {
    let mut preferences = Preferences::new();
    let given = Preference::new("x", "y", "ann", Answer::A);
    preferences.add("q", given).unwrap();
    let again = Preference::new("y", "x", "ann", Answer::B);
    assert!(matches!(
        preferences.add("q", again),
        Err(PreferenceError::Again { .. })
    ));
    preferences
        .add("r", Preference::new("y", "x", "ann", Answer::B))
        .unwrap();
    assert_eq!(preferences.len(), 2);
    assert_eq!(
        preferences.add("q", Preference::new("x", "x", "bob", Answer::Equal)),
        Err(PreferenceError::SameItem("x".to_owned()))
    );
}

#[test]
fn preferences_by_name_do_not_depend_on_the_order_of_answers() {
    use partita_core::{Answer, Preference, Preferences};

    let given = [("x", "y", "bob"), ("u", "y", "ann")];
    let answered = |order: [usize; 2]| {
        let mut preferences = Preferences::new();
        for (a, b, who) in order.map(|number| given[number]) {
            preferences
                .add("q", Preference::new(a, b, who, Answer::A))
                .unwrap();
        }
        preferences.by_name()
    };
    let [one, other] = [answered([0, 1]), answered([1, 0])];
    assert_eq!(one.queries()[0].answers(), other.queries()[0].answers());
}
