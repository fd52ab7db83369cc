//! Preferences.

use partita_core::*;

#[test]
fn an_answer_counts_once_whichever_item_was_shown_first() {
    let mut preferences = Preferences::new();
    let given = Given::new("q", "x", "y", "ann", Answer::A);
    preferences.add(given).unwrap();
    let again = Given::new("q", "y", "x", "ann", Answer::B);
    assert!(matches!(
        preferences.add(again),
        Err(PreferenceError::Again { .. })
    ));
    preferences
        .add(Given::new("r", "y", "x", "ann", Answer::B))
        .unwrap();
    assert_eq!(preferences.len(), 2);
    assert_eq!(
        preferences.add(Given::new("q", "x", "x", "bob", Answer::Equal)),
        Err(PreferenceError::SameItem("x".to_owned()))
    );
}
