//! What runs are called: by their tag, by the system column, by their file.

use crate::session::Folder;

fn dir() -> Folder {
    Folder::with("t.txt", "q: (a)\n")
        .and("x/one.run", "q Q0 a 1 1 mine\n")
        .and("x/two.run", "q Q0 a 1 1 same\n")
        .and("y/two.run", "q Q0 a 1 1 same\n")
        .and("y/three.run.gz", "q Q0 a 1 2 s\nq Q0 b 2 1 t\n")
        .and("systems.txt", "s1 q a\ns2 q a\n")
        .and("more.txt", "s2 q a\ns3 q a\n")
        .and("plain.v2.json", r#"{"q": ["a"]}"#)
}

#[track_caller]
fn called(runs: &str, names: &[&str]) {
    let scores = dir().scores(&format!("--truth t.txt {runs}"));
    assert_eq!(scores.runs(), names);
}

#[test]
fn a_run_is_called_by_its_tag() {
    called("x/one.run x/two.run", &["mine", "same"]);
}

#[test]
fn a_run_without_a_tag_is_called_by_its_files_stem() {
    called("y/three.run.gz plain.v2.json", &["three", "plain.v2"]);
}

#[test]
fn runs_are_called_by_the_system_column() {
    called("systems.txt x/one.run", &["s1", "s2", "mine"]);
}

#[test]
fn a_tag_that_two_runs_have_names_neither() {
    let dir = dir().and("x/other.run", "q Q0 a 1 1 mine\n");
    let scores = dir.scores("--truth t.txt x/one.run x/other.run");
    assert_eq!(scores.runs(), ["one", "other"]);
}

#[test]
fn files_with_the_same_tag_and_stem_are_called_by_their_paths() {
    called("x/two.run y/two.run", &["x/two.run", "y/two.run"]);
}

#[test]
fn systems_of_two_files_with_the_same_name_are_told_apart_by_their_files() {
    called(
        "systems.txt more.txt",
        &["s1", "systems/s2", "more/s2", "s3"],
    );
}

#[test]
fn the_same_file_given_twice_is_two_runs_with_two_names() {
    called("x/one.run x/one.run", &["x/one.run", "x/one.run (2)"]);
    let scores = dir().scores("--truth t.txt systems.txt systems.txt");
    let mut names = scores.runs();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 4);
}

#[test]
fn a_file_with_two_tags_is_called_by_its_stem_with_a_warning() {
    let dir = dir().and("z.run", "q Q0 a 1 2 one\nq Q0 b 2 1 two\n");
    let ended = dir
        .partita("evaluate --truth t.txt z.run --format csv")
        .succeeds();
    assert!(ended.out.contains("\nz,all,"), "{}", ended.out);
    ended.says(&["warning: z.run:2: more than one tag", "`two`"]);
}
