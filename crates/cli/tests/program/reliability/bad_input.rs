//! Tests of `partita reliability` on invalid input: exit code 2 and a message with a hint.

use crate::session::Folder;

#[test]
fn invalid_scores_are_refused() {
    let folder = Folder::new();
    let rows = |line: fn(u32) -> String| (0..8).map(line).collect::<String>();
    for (name, text, said) in [
        (
            "one.csv",
            "query,a\n".to_owned() + &rows(|q| format!("q{q},{q}\n")),
            "it takes two",
        ),
        (
            "two.csv",
            "query,a,b\nq1,1,2\nq2,2,1\n".to_owned(),
            "at least 4",
        ),
        (
            "level.csv",
            "query,a,b\n".to_owned() + &rows(|q| format!("q{q},0.5,0.5\n")),
            "the same score",
        ),
        (
            "nan.csv",
            "query,a,b\n".to_owned() + &rows(|q| format!("q{q},NaN,0.5\n")),
            "finite",
        ),
        (
            "twice.csv",
            "query,a,a\n".to_owned() + &rows(|q| format!("q{q},1,0.5\n")),
            "twice",
        ),
        (
            "hole.csv",
            "query,a,b\nq0,1,\n".to_owned() + &rows(|q| format!("p{q},1,0.5\n")),
            "--missing skip",
        ),
        ("empty.csv", String::new(), "empty.csv"),
    ] {
        folder.file(name, &text);
        folder.refuses(&format!("reliability {name}"), &["error: ", said]);
    }
    folder.refuses("reliability nowhere.csv", &["nowhere.csv"]);
    let said = folder.run("reliability hole.csv --missing drop-query --format json");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("q0"), "{}", said.err);
    assert_eq!(folder.run("reliability hole.csv --missing zero").code, 0);
}

#[test]
fn invalid_query_set_sizes_are_refused() {
    let folder = Folder::with_scores(3, 12);
    folder.refuses(
        "reliability scores.csv --sizes 5:100:5",
        &["15 queries", "for 12", "hint: "],
    );
    for wrong in ["0:10:5", "10:5", "5:10:0", "many", "1:2:3:4"] {
        folder.refuses(
            &format!("reliability scores.csv --sizes {wrong}"),
            &["FROM:TO:STEP"],
        );
    }
    folder.refuses("reliability scores.csv --trials 0", &["at least 1"]);
    folder.refuses("reliability scores.csv --miss=-1", &["--miss"]);
}

#[test]
fn invalid_tests_are_refused() {
    let folder = Folder::with_scores(3, 12);
    folder.refuses(
        "reliability scores.csv --test anova",
        &["friedman-tukey", "permutation"],
    );
    folder.refuses("reliability scores.csv --test t:1.5", &["below 1"]);
    folder.refuses("reliability scores.csv --test t,t:0.05", &["named twice"]);
    let corrected = "reliability scores.csv --test friedman-tukey:0.05:holm";
    folder.refuses(corrected, &["allows for all pairs already"]);
    folder.refuses("reliability scores.csv --measure AP", &["AP"]);
}

#[test]
fn invalid_strata_are_refused() {
    let folder = Folder::with_scores(3, 12);
    let strata: String = (0..11).map(|query| format!("q{query},g\n")).collect();
    folder.file("short.csv", &strata);
    folder.refuses(
        "reliability scores.csv --strata short.csv",
        &["q11", "no stratum"],
    );
    let strata: String = (0..13)
        .map(|query| format!("q{query},g{query}\n"))
        .collect();
    folder.file("many.csv", &strata);
    folder.refuses(
        "reliability scores.csv --strata many.csv",
        &["13 strata", "12 queries"],
    );
    folder.refuses("reliability - --strata -", &["standard input"]);
}
