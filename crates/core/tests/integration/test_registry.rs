//! Registry of significance tests.

use partita_core::significance::*;

#[test]
fn no_two_tests_share_a_name_or_alias() {
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
fn the_error_tells_a_test_of_the_other_kind_from_an_unknown_name() {
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
