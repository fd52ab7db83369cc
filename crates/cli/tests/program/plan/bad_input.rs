//! Tests of `partita plan` on invalid input: exit code 2 and a message with the reason.

use crate::plan::support::{matrix, scores_by_judges};
use crate::session::Folder;

#[test]
fn scores_insufficient_for_a_plan_are_refused() {
    for (text, words) in [
        (
            "query,a\nq1,0.1\nq2,0.4\nq3,0.3\n",
            "at least 2 systems, and there is only 1",
        ),
        (
            "query,a,b\nq1,0.1,0.2\nq2,0.4,0.1\n",
            "at least 3 queries, and there are only 2",
        ),
        (
            "query,a,b\nq1,1,1\nq2,1,1\nq3,1,1\n",
            "all scores by score are the same",
        ),
        (
            "query,a,b\nq1,0.1,0.2\nq2,0.4,0.5\nq3,0.7,0.8\n",
            "the systems differ by the same amounts on every query",
        ),
        (
            "query,a,b\nq1,0.1,NaN\nq2,0.4,0.5\nq3,0.7,0.8\n",
            "finite number",
        ),
        ("query,a,b\nq1,0.1,\nq2,0.4,0.5\nq3,0.7,0.8\n", "no score"),
        ("query,a,a\nq1,0.1,0.2\n", "twice"),
        ("", "nothing in this file"),
    ] {
        let folder = Folder::with_files(&[("s.csv", text)]);
        folder.refuses_to_plan("s.csv", &["error: s.csv", words]);
    }
}

#[test]
fn scores_by_judges_insufficient_for_a_plan_are_refused() {
    let one = scores_by_judges(4, 8, 1);
    Folder::with_files(&[("j.csv", &one)]).refuses_to_plan(
        "j.csv",
        &[
            "at least 2 judges, and there is only 1",
            "leave out the column",
        ],
    );
    let folder = Folder::with_files(&[
        ("j.csv", &scores_by_judges(4, 8, 2)),
        ("s.csv", &matrix(4, 8)),
    ]);
    folder.refuses_to_plan("s.csv --judges 2", &["no column of judges"]);
    folder.refuses_to_plan("j.csv --judges 0", &["--judges"]);
    folder.refuses_to_plan("j.csv --variance largest", &["--variance largest"]);
    let twice = format!("{}s0,q0,j0,AP,0.5\n", scores_by_judges(3, 4, 2));
    Folder::with_files(&[("j.csv", &twice)])
        .refuses_to_plan("j.csv", &["j.csv:26:1", "already, on line 2"]);
}

#[test]
fn goals_out_of_range_are_refused() {
    let folder = Folder::with_files(&[("s.csv", &matrix(4, 10))]);
    for (arguments, words) in [
        ("--erho2 0", "--erho2 must be between 0 and 1, not 0"),
        ("--erho2 0.9,1", "--erho2 must be between 0 and 1, not 1"),
        ("--phi 1.2", "--phi must be between 0 and 1"),
        ("--confidence 1", "--confidence must be between 0 and 1"),
        (
            "--difference 0",
            "--difference must be a number above 0, not 0",
        ),
        ("--difference=-0.1", "--difference must be a number above 0"),
        ("--difference NaN", "--difference must be a number above 0"),
        ("--alpha 0", "--alpha must be between 0 and 1"),
        ("--power 1", "--power must be between 0 and 1"),
        ("--power 0.01", "above its level"),
        ("--variance=-1", "a number above 0"),
        ("--variance 0", "a number above 0"),
        ("--resamples 5", "--resamples must be at least 100"),
        ("--measure AP", "its measure"),
    ] {
        folder.refuses_to_plan(&format!("s.csv {arguments}"), &[words]);
    }
}

#[test]
fn budgets_too_small_for_any_design_are_refused() {
    let folder = Folder::with_files(&[("s.csv", &matrix(4, 10))]);
    for (arguments, words) in [
        ("--money 10", "--money needs prices"),
        (
            "--money 10 --cost-per-judgment 1",
            "needs --judgments-per-query",
        ),
        (
            "--money 10 --judgments-per-query 5",
            "needs --cost-per-judgment",
        ),
        (
            "--money 10 --cost-per-query 6",
            "does not pay for 3 queries",
        ),
        (
            "--money 0 --cost-per-query 6",
            "--money must be a number above 0",
        ),
        ("--money 10 --cost-per-query 0", "above 0"),
        ("--money 10 --cost-per-query=-1", "not negative"),
        ("--cost-per-query 1", "--money"),
    ] {
        folder.refuses_to_plan(&format!("s.csv {arguments}"), &[words]);
    }
}
