//! Ground truths of single queries and of several queries.

use partita_core::*;

#[test]
fn a_negative_grade_has_gain_zero_and_is_not_in_the_list() {
    let mut names = Names::new();
    let a = names.intern("a").unwrap();
    let b = names.intern("b").unwrap();
    let gains = Gains::new(vec![(a, -2.0), (b, 0.5)]).unwrap();
    let truth = QueryTruth::from_gains(names, gains, ZeroGainPolicy::LeaveOut).unwrap();
    assert_eq!(truth.gain(a), 0.0);
    assert_eq!(truth.group(a), None);
    assert_eq!(truth.group(b), Some(0));
    assert_eq!(truth.ideal_gains(), [0.5]);
}

#[test]
fn a_query_named_twice_is_refused() {
    let query = || QueryTruth::from_groups([["a"].as_slice()]).unwrap();
    let twice = vec![("q".to_owned(), query()), ("q".to_owned(), query())];
    assert_eq!(
        GroundTruth::new(TruthScale::Groups, twice).unwrap_err(),
        "q".to_owned()
    );
}

#[test]
fn gain_and_group_panic_for_an_item_without_a_name() {
    let truth = QueryTruth::from_groups([["a"].as_slice()]).unwrap();
    let unknown = Item::from_index(1).unwrap();
    assert!(std::panic::catch_unwind(|| truth.gain(unknown)).is_err());
    assert!(std::panic::catch_unwind(|| truth.group(unknown)).is_err());
}

#[test]
fn repeated_and_too_large_grades_are_rejected() {
    let error = |grades: &[(&str, f64)]| {
        QueryTruth::from_grades(grades.iter().copied(), ZeroGainPolicy::LeaveOut).unwrap_err()
    };
    let twice = error(&[("a", 1.0), ("a", 2.0)]);
    assert!(matches!(
        twice,
        GroundTruthError::Gains(GainsError::DuplicateItem { .. })
    ));
    let large = error(&[("a", 1e101)]);
    assert!(matches!(
        large,
        GroundTruthError::Gains(GainsError::TooLarge { .. })
    ));
}

#[test]
fn a_name_without_a_judgment_is_refused() {
    let mut names = Names::new();
    let list = GroupedList::from_names(&mut names, [["a"].as_slice()]).unwrap();
    names.intern("b").unwrap();
    assert!(QueryTruth::from_list(names, list).is_err());
}

#[test]
fn a_ground_truth_can_be_created_from_lists_of_items() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{GroundTruth, Names};

    let mut names = Names::new();
    let list = partita_core::GroupedList::from_names(&mut names, [["a"].as_slice(), &["b", "c"]])?;
    let truth = GroundTruth::from_lists([("q1", &names, &list)]);
    assert_eq!(
        serde_json::to_string(&truth).unwrap(),
        r#"{"q1":[["a"],["b","c"]]}"#
    );
    Ok(())
}

#[test]
fn a_ground_truth_serializes_as_its_groups() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::GroundTruth;

    let truth = GroundTruth::from_groups([
        ("q1", vec![vec!["a", "b"], vec!["c"]]),
        ("q2", vec![vec!["x"]]),
    ])?;
    assert_eq!(
        serde_json::to_string(&truth).unwrap(),
        r#"{"q1":[["a","b"],["c"]],"q2":[["x"]]}"#
    );
    Ok(())
}

#[test]
fn grades_give_a_list_and_ideal_gains() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{QueryTruth, ZeroGainPolicy};

    let truth = QueryTruth::from_grades(
        [("a", 1.0), ("b", 4.5), ("c", 0.0)],
        ZeroGainPolicy::LeaveOut,
    )?;
    assert_eq!(truth.ideal_gains(), [4.5, 1.0]);
    assert_eq!(truth.list().len(), 2);
    Ok(())
}
