//! Tests of `partita plan` on scores by each of several judges.

use crate::plan::support::scores_by_judges;
use crate::session::Folder;

#[test]
fn queries_and_judges_are_planned_together() {
    let folder = Folder::with_files(&[("j.csv", &scores_by_judges(6, 15, 3))]);
    let found = folder
        .planned("j.csv --resamples 100 --money 600 --cost-per-judgment 1 --judgments-per-query 5");
    let measure = &found["measures"][0];
    assert_eq!(measure["judges"], 3);
    assert_eq!(measure["components"].as_array().map(Vec::len), Some(7));
    assert_eq!(measure["budget"].as_array().map(Vec::len), Some(3));
    let table = folder.plan("j.csv --resamples 100 --format table");
    assert!(table.out.contains("3 judges"), "{}", table.out);
    assert!(table.out.contains("system:judge %"), "{}", table.out);
    assert!(
        table.out.contains("Judges, with 15 queries"),
        "{}",
        table.out
    );
    assert!(
        table
            .out
            .starts_with("The present 15 queries with 3 judges each")
            || table.out.starts_with("Ask "),
        "{}",
        table.out
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let folder = Folder::with_files(&[("j.csv", &scores_by_judges(4, 8, 2))]);
    let said = |seed: u32| {
        folder
            .plan(&format!(
                "j.csv --resamples 100 --format json --seed {seed}"
            ))
            .out
    };
    assert_eq!(said(1), said(1));
    assert_ne!(said(1), said(2));
}

#[test]
fn a_column_assessor_is_read_as_judge() {
    let text = scores_by_judges(4, 6, 2).replacen("judge", "assessor", 1);
    let folder = Folder::with_files(&[("j.csv", &text)]);
    assert_eq!(
        folder.planned("j.csv --resamples 100")["measures"][0]["judges"],
        2
    );
}

#[test]
fn missing_scores_are_refused_or_dropped_on_request() {
    let text = scores_by_judges(4, 8, 2);
    let hole: String = text
        .lines()
        .filter(|line| !line.starts_with("s1,q3,j1,"))
        .map(|line| format!("{line}\n"))
        .collect();
    let folder = Folder::with_files(&[("j.csv", &hole)]);
    folder.refuses_to_plan(
        "j.csv",
        &[
            "the system `s1` has no score by AP for the query `q3` by the judge `j1`",
            "--missing",
        ],
    );
    let said = folder.plan("j.csv --resamples 100 --missing drop-query --format json");
    assert!(
        said.err.contains("all leave out 1 of the 8 queries: `q3`"),
        "{}",
        said.err
    );
    assert!(said.out.contains("\"queries\": 7"), "{}", said.out);
    let said = folder.plan("j.csv --resamples 100 --missing zero");
    assert!(
        said.err.contains("1 missing scores were taken as 0"),
        "{}",
        said.err
    );
}
