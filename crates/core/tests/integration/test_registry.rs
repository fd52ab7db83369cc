//! The list of tests.

use partita_core::significance::*;

#[test]
fn no_two_tests_share_a_name() {
    let names = REGISTRY
        .iter()
        .flat_map(|test| std::iter::once(&test.name).chain(test.aliases));
    let mut names: Vec<&str> = names.copied().collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn a_test_of_another_question_is_said_to_be_one() {
    let error = find_system_test("kendall")
        .err()
        .expect("no test of systems");
    assert_eq!(
        error.to_string(),
        "there is no test `kendall` that answers this question"
    );
    assert!(error.known.contains(&"wilcoxon-normal"));
    let error = find_sample_test("anova").err().expect("no test");
    assert_eq!(error.to_string(), "there is no test `anova`");
}
