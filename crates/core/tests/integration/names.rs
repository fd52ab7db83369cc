//! Names of items and their indices.

use partita_core::*;

#[test]
fn every_name_keeps_its_index() {
    let mut names = Names::new();
    let items: Vec<_> = (0..1000)
        .map(|i| names.intern(&format!("d{i}")).unwrap())
        .collect();
    assert_eq!(names.len(), 1000);
    for (i, &item) in items.iter().enumerate() {
        assert_eq!(item.index(), i);
        assert_eq!(names.name(item), format!("d{i}"));
        assert_eq!(names.get(&format!("d{i}")), Some(item));
    }
    assert_eq!(names.get("d1000"), None);
}

#[test]
fn the_empty_name_is_valid() {
    let mut names = Names::new();
    let empty = names.intern("").unwrap();
    let other = names.intern("x").unwrap();
    assert_ne!(empty, other);
    assert_eq!(names.name(empty), "");
}

#[test]
fn summaries_count_the_names_beyond_the_limit() {
    use partita_core::summarize_names;

    assert_eq!(summarize_names(&["a", "b", "c"], 5), "a, b, c");
    assert_eq!(summarize_names(&["a", "b", "c"], 2), "a, b and 1 more");
}
