//! Tests of `partita truth compare`.

use serde_json::{Value, json};

use crate::session::{Folder, outcome_of, output_of};

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&output_of(arguments)).expect("JSON")
}

const FIRST: &str = "q1: (A, B, C), (D, E)\nq2: (a), (b), (c)\nq3: (x)\n";
const SECOND: &str = "q1: (A, B), (D, E, C)\nq2: (a), (b), (d)\n";

#[test]
fn json_has_score_ranges_moved_items_samples_and_omitted_queries() {
    let folder = Folder::new();
    let files = [folder.file("1.txt", FIRST), folder.file("2.txt", SECOND)];
    let compare = ["truth", "compare", &files[0], &files[1]];
    let more = ["--resamples", "1000", "--format", "json"];
    let found = json_of(&[&compare[..], &more].concat());
    let q1 = &found["queries"][0];
    for end in ["min", "mean", "max"] {
        assert!(q1["second_by_first"][end].is_number(), "{end}");
    }
    let moved = json!([{"item": "C", "first": 1, "second": 2, "change": "later"}]);
    assert_eq!(q1["moved"], moved);
    let q2 = &found["queries"][1];
    assert_eq!(
        q2["moved"],
        json!([
            {"item": "c", "first": 3, "second": null, "change": "only_first"},
            {"item": "d", "first": null, "second": 3, "change": "only_second"},
        ])
    );
    assert_eq!(found["sampled"]["seed"], 1);
    let sampled = &found["sampled"]["second_by_first"]["per_query"]["q1"];
    assert!(sampled["mean"].is_number());
    assert!(
        found["warnings"][0]["message"]
            .as_str()
            .expect("words")
            .contains("q3")
    );
}

#[test]
fn the_option_diff_prints_the_changed_items() {
    let folder = Folder::new();
    let files = [folder.file("1.txt", FIRST), folder.file("2.txt", SECOND)];
    let compare = [
        "truth", "compare", &files[0], &files[1], "--diff", "--format",
    ];
    let csv = output_of(&[&compare[..], &["csv"]].concat());
    assert_eq!(
        csv,
        "query,item,first,second,change\nq1,C,1,2,later\nq2,c,3,,only_first\nq2,d,,3,only_second\n"
    );
    let table = output_of(&[&compare[..], &["table"]].concat());
    for words in [
        "later",
        "only in 1",
        "only in 2",
        "Reversed",
        "ADR of 2 by 1",
    ] {
        assert!(table.contains(words), "{table}");
    }
    let long = output_of(&["truth", "compare", &files[0], &files[1], "--format", "csv"]);
    assert!(long.contains("q1,ADR:second_by_first:max,1\n"), "{long}");
    assert!(long.contains("all,rbo,"));
    assert!(long.contains("q1,pairs:tied_in_first_only,2\n"), "{long}");
    assert!(long.contains("all,pairs:same,7\n"), "{long}");
}

#[test]
fn splitting_a_group_does_not_move_the_groups_after_it() {
    let folder = Folder::new();
    let first = folder.file("1.txt", "q1: (a, b, c), (d), (e)\n");
    let second = folder.file("2.txt", "q1: (a), (b, c), (d), (e)\n");
    let there = json_of(&["truth", "compare", &first, &second, "--format", "json"]);
    let q1 = &there["queries"][0];
    assert_eq!(q1["splits"], json!([{"group": 1, "into": [1, 2]}]));
    assert_eq!((&q1["merges"], &q1["moved"]), (&json!([]), &json!([])));
    let pairs = json!({
        "same": 8, "tied_in_first_only": 2, "tied_in_second_only": 0, "reversed": 0,
    });
    assert_eq!((&q1["pairs"], &there["pairs"]), (&pairs, &pairs));
    let back = json_of(&["truth", "compare", &second, &first, "--format", "json"]);
    let q1 = &back["queries"][0];
    assert_eq!(q1["merges"], json!([{"groups": [1, 2], "into": 1}]));
    assert_eq!((&q1["splits"], &q1["moved"]), (&json!([]), &json!([])));
    let compare = ["truth", "compare", &first, &second, "--diff", "--format"];
    let table = output_of(&[&compare[..], &["table"]].concat());
    assert!(table.contains("1, 2  split   (a), (b, c)"), "{table}");
    let csv = output_of(&[&compare[..], &["csv"]].concat());
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.contains("q1,a,1,1,split\n"), "{csv}");
}

#[test]
fn a_diff_of_equal_lists_says_that_nothing_changed() {
    let folder = Folder::new();
    let file = folder.file("1.txt", FIRST);
    let compare = ["truth", "compare", &file, &file, "--diff", "--format"];
    let table = output_of(&[&compare[..], &["table"]].concat());
    assert!(table.starts_with("Nothing changed.\n"), "{table}");
    let csv = output_of(&[&compare[..], &["csv"]].concat());
    assert_eq!(csv, "query,item,first,second,change\n");
}

#[test]
fn truths_without_a_common_query_and_wrong_options_are_refused() {
    let folder = Folder::new();
    let files = [
        folder.file("1.txt", "q1: (a)\n"),
        folder.file("2.txt", "q2: (a)\n"),
    ];
    let said = outcome_of(&["truth", "compare", &files[0], &files[1]]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("no query in common"), "{}", said.err);
    for options in [
        ["--resamples", "0"],
        ["--rbo-p", "1"],
        ["--rbo-ties", "none"],
    ] {
        let compare = ["truth", "compare", &files[0], &files[0]];
        assert_eq!(
            outcome_of(&[&compare[..], &options].concat()).code,
            2,
            "{options:?}"
        );
    }
    assert_eq!(outcome_of(&["truth", "compare", "-", "-"]).code, 2);
}
