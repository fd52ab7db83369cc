//! Tests of the names of runs: by tag, by system column, or by file name.

use crate::session::Folder;

fn folder_with_runs() -> Folder {
    Folder::with("t.txt", "q: (a)\n")
        .and("x/one.run", "q Q0 a 1 1 mine\n")
        .and("x/two.run", "q Q0 a 1 1 same\n")
        .and("y/two.run", "q Q0 a 1 1 same\n")
        .and("y/three.run.gz", "q Q0 a 1 2 s\nq Q0 b 2 1 t\n")
        .and("systems.txt", "s1 q a\ns2 q a\n")
        .and("more.txt", "s2 q a\ns3 q a\n")
        .and("plain.v2.json", r#"{"q": ["a"]}"#)
}

/// Asserts that the runs in these files get these names.
#[track_caller]
fn assert_run_names(runs: &str, names: &[&str]) {
    let scores = folder_with_runs().scores(&format!("--truth t.txt {runs}"));
    assert_eq!(scores.runs(), names);
}

#[test]
fn a_run_is_named_by_its_tag() {
    assert_run_names("x/one.run x/two.run", &["mine", "same"]);
}

#[test]
fn a_run_without_a_tag_is_named_by_the_stem_of_its_file() {
    assert_run_names("y/three.run.gz plain.v2.json", &["three", "plain.v2"]);
}

#[test]
fn runs_are_named_by_the_system_column() {
    assert_run_names("systems.txt x/one.run", &["s1", "s2", "mine"]);
}

#[test]
fn runs_with_the_same_tag_are_named_by_their_file_stems() {
    let dir = folder_with_runs().and("x/other.run", "q Q0 a 1 1 mine\n");
    let scores = dir.scores("--truth t.txt x/one.run x/other.run");
    assert_eq!(scores.runs(), ["one", "other"]);
}

#[test]
fn runs_with_the_same_tag_and_file_stem_are_named_by_their_paths() {
    assert_run_names("x/two.run y/two.run", &["x/two.run", "y/two.run"]);
}

#[test]
fn equal_system_names_in_two_files_get_the_file_as_prefix() {
    assert_run_names(
        "systems.txt more.txt",
        &["s1", "systems/s2", "more/s2", "s3"],
    );
}

#[test]
fn the_same_file_given_twice_is_two_runs_with_two_names() {
    assert_run_names("x/one.run x/one.run", &["x/one.run", "x/one.run (2)"]);
    let scores = folder_with_runs().scores("--truth t.txt systems.txt systems.txt");
    let mut names = scores.runs();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 4);
}

#[test]
fn a_run_with_two_tags_is_named_by_its_file_stem_with_a_warning() {
    let dir = folder_with_runs().and("z.run", "q Q0 a 1 2 one\nq Q0 b 2 1 two\n");
    let ended = dir
        .partita("evaluate --truth t.txt z.run --format csv")
        .succeeds();
    assert!(ended.out.contains("\nz,all,"), "{}", ended.out);
    ended.says(&["warning: z.run:2: more than one tag", "`two`"]);
}
