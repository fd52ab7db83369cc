//! Tests of `partita truth check`.

use serde_json::{Value, json};

use crate::session::{Folder, outcome_of, output_of};
use crate::truth::fixtures::{aggregation_rankings, core_fixture};

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&output_of(arguments)).expect("JSON")
}

/// Rankings of three items by four assessors, who mostly rank a first and c last.
const MATRIX: &str = "assessor,a,b,c\nann,1,2,3\nbob,1,2,3\ncy,2,1,3\ndi,1,3,2\n";

#[test]
fn inconsistent_pairs_are_written_in_every_format() {
    let folder = Folder::new();
    let rankings = folder.file("q.csv", MATRIX);
    let truth = folder.file("truth.txt", "q: (c, a), (b)\n");
    let check = ["truth", "check", "--truth", &truth, "-r", &rankings];
    let found = json_of(&[&check[..], &["--format", "json"]].concat());
    let list = &found["lists"][0];
    let intra = &list["intra"][0];
    assert_eq!((&intra["a"], &intra["b"]), (&json!("c"), &json!("a")));
    assert_eq!(intra["p_greater"], intra["p"]);
    assert_eq!(intra["approximate"], false);
    assert_eq!(list["inter"], json!([]));
    let csv = output_of(&[&check[..], &["--pairs", "--format", "csv"]].concat());
    let first = csv.lines().nth(1).expect("a pair");
    assert!(first.starts_with("q,intra,c,a,,1,"), "{first}");
    let table = output_of(&[&check[..], &["--pairs", "--format", "table"]].concat());
    assert!(table.contains("c /= a"), "{table}");
    assert!(table.contains("1 of 1 pair in the same group differ"));
}

#[test]
fn approximate_p_values_are_marked_and_exact_on_request() {
    let folder = Folder::new();
    let mut matrix = "a,b\n".to_owned();
    for assessor in 0..40 {
        matrix.push_str(if assessor % 3 == 0 { "2,1\n" } else { "1,2\n" });
    }
    let rankings = folder.file("q.csv", &matrix);
    let truth = folder.file("truth.txt", "q: (a, b)\n");
    let check = ["truth", "check", "--truth", &truth, "-r", &rankings];
    let pair = |more: &[&str]| {
        let found = json_of(&[&check[..], &["--format", "json"], more].concat());
        found["lists"][0]["intra"][0].clone()
    };
    let (quick, exact) = (pair(&[]), pair(&["--exact"]));
    assert_eq!(quick["approximate"], true);
    assert_eq!(exact["approximate"], false);
    assert_ne!(quick["p"], exact["p"]);
    let table = output_of(&[&check[..], &["--pairs", "--format", "table"]].concat());
    assert!(table.contains("~ marks an approximate p-value"));
}

#[test]
fn mismatches_of_truth_and_rankings_are_refused_or_reported() {
    let folder = Folder::new();
    let rankings = folder.file("q.csv", MATRIX);
    let check = |truth: &str| {
        let truth = folder.file("truth.txt", truth);
        outcome_of(&["truth", "check", "--truth", &truth, "-r", &rankings])
    };
    let unknown = check("q: (a, x)\n");
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("no assessor mentions x"),
        "{}",
        unknown.err
    );
    let other = check("q9: (a)\n");
    assert_eq!(other.code, 2);
    assert!(other.err.contains("`q9`"), "{}", other.err);
    let more = check("q: (a), (b)\nq2: (a)\n");
    assert_eq!(more.code, 0);
    assert!(
        more.err
            .contains("queries that have no rankings and are not audited: `q2`"),
        "{}",
        more.err
    );
    assert!(
        more.err.contains("items that are not in the list"),
        "{}",
        more.err
    );
}

#[test]
fn a_list_of_one_item_has_no_consistency() {
    let folder = Folder::new();
    let rankings = folder.file("q.csv", "a\n1\n1\n");
    let found = json_of(&["truth", "check", "-r", &rankings, "--format", "json"]);
    assert_eq!(found["lists"][0]["adr1"], Value::Null);
    assert_eq!(found["mean"]["adr1"], Value::Null);
    assert!(
        found["warnings"][0]["message"]
            .as_str()
            .expect("words")
            .contains("one item")
    );
}

#[test]
fn the_figure_shows_one_list_and_a_folder_gets_all_of_them() {
    let fixture = core_fixture("aggregation");
    let cases = fixture["cases"].as_array().expect("cases");
    let folder = Folder::new();
    let all = folder.file("r.csv", aggregation_rankings(cases));
    let one = folder.file("one.csv", aggregation_rankings(&cases[..1]));
    let figure = folder.file("list.svg", "");
    output_of(&["truth", "check", "-r", &one, "--figure", &figure]);
    let svg = std::fs::read_to_string(&figure).expect("a figure");
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"));
    assert!(svg.contains("pairs in the same group differ"));
    let place = figure.replace("list.svg", "figures/");
    output_of(&["truth", "check", "-r", &all, "--figure", &place]);
    let drawn = std::fs::read_dir(&place).expect("a folder").count();
    assert_eq!(drawn, cases.len());
}

#[test]
fn the_settings_that_built_the_lists_are_in_the_output() {
    let folder = Folder::new();
    let rankings = folder.file("q.csv", MATRIX);
    let check = ["truth", "check", "-r", &rankings];
    let more = ["--aggregate", "prev-2", "--build-alpha", "0.1", "--format"];
    let found = json_of(&[&check[..], &more, &["json"]].concat());
    let settings = json!({
        "alpha": 0.25, "tails": 1, "unranked": "drop", "exact": false,
        "truth": null, "aggregate": "prev-2", "build_alpha": 0.1,
    });
    assert_eq!(found["settings"], settings);
    let table = output_of(&[&check[..], &more, &["table"]].concat());
    assert!(
        table.contains("Lists built by prev-2 at alpha 0.1."),
        "{table}"
    );
    let truth = folder.file("t.txt", "q: (a), (b), (c)\n");
    let given = json_of(&[&check[..], &["-t", &truth, "--format", "json"]].concat());
    assert_eq!(given["settings"]["truth"], truth);
    assert_eq!(given["settings"]["aggregate"], Value::Null);
}

#[test]
fn agreement_of_one_assessor_is_undefined() {
    let folder = Folder::new();
    let rankings = folder.file("q.csv", "a,b,c\n1,2,3\n");
    let found = json_of(&["truth", "check", "-r", &rankings, "--format", "json"]);
    let w = &found["lists"][0]["kendall_w"];
    assert_eq!(
        (&w["common"], &w["unranked_last"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(found["lists"][0]["untestable_pairs"], 3);
}

/// Only one of four assessors ranked item c, so its pairs cannot be tested.
#[test]
fn untestable_pairs_are_counted_and_listed_separately() {
    let folder = Folder::new();
    let rankings = folder.file("q.csv", "a,b,c\n1,2,\n1,2,3\n1,2,\n1,2,\n");
    let truth = folder.file("t.txt", "q: (a), (b), (c)\n");
    let check = ["truth", "check", "-t", &truth, "-r", &rankings, "--pairs"];
    let found = json_of(&[&check[..], &["--format", "json"]].concat());
    let list = &found["lists"][0];
    let untestable = json!([
        { "a": "a", "b": "c", "ranks": [4, 1] }, { "a": "b", "b": "c", "ranks": [4, 1] },
    ]);
    assert_eq!(list["untestable"], untestable);
    assert_eq!(
        (&list["inter"], &list["untestable_pairs"]),
        (&json!([]), &json!(2))
    );
    let counts = &list["summary"]["one_tailed"];
    assert_eq!(
        [
            &counts["inter"],
            &counts["different_group_compared"],
            &counts["undecided"],
            &counts["non_transitive"],
            &counts["undecided_triples"],
        ],
        [0, 1, 2, 0, 1]
    );
    let table = output_of(&[&check[..], &["--format", "table"]].concat());
    for words in [
        "not testable (ranked by 4 and 1)  a ? c",
        "Of the pairs that can be tested, 0 of 0 in the same group differ; 0 of 1 in different groups",
        "2 pairs cannot be tested, because fewer than 2 assessors ranked an item.",
        "Triples with such a pair: 1, not counted as non-transitive.",
        "Not testable",
    ] {
        assert!(table.contains(words), "{words}\n{table}");
    }
    let pairs = output_of(&[&check[..], &["--format", "csv"]].concat());
    assert!(pairs.contains("q,untestable,a,c,,1,,,,\n"), "{pairs}");
    let lists = output_of(&[&check[..6], &["--format", "csv"]].concat());
    assert!(
        lists.contains("different_group_pairs,different_group_compared,inter,"),
        "{lists}"
    );
    assert!(lists.contains(",3,1,0,"), "{lists}");
}

#[test]
fn a_p_value_that_rounds_to_zero_is_not_printed_as_zero() {
    let folder = Folder::new();
    let rows = "1,2\n".repeat(20);
    let rankings = folder.file("q.csv", format!("a,b\n{rows}"));
    let truth = folder.file("t.txt", "q: (a, b)\n");
    let check = ["truth", "check", "-t", &truth, "-r", &rankings, "--pairs"];
    let table = output_of(&[&check[..], &["--format", "table"]].concat());
    assert!(table.contains(" <0.0001\n"), "{table}");
}
