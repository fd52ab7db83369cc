//! Tests of `partita evaluate` on invalid values, broken syntax and unknown measures.

use crate::session::Folder;

/// Asserts that `partita evaluate` fails and prints all of `said`.
#[track_caller]
fn assert_evaluate_refuses(dir: &Folder, arguments: &str, said: &[&str]) {
    dir.partita(&format!("evaluate {arguments}")).refuses(said);
}

/// Asserts that a ground truth with this content is refused.
#[track_caller]
fn assert_truth_refused(name: &str, text: &str, said: &[&str]) {
    let dir = Folder::with(name, text).and("r.json", r#"{"q": ["a"]}"#);
    assert_evaluate_refuses(&dir, &format!("--truth {name} r.json"), said);
}

/// Asserts that a run with this content is refused.
#[track_caller]
fn assert_run_refused(name: &str, text: &str, flags: &str, said: &[&str]) {
    let dir = Folder::with(name, text).and("t.txt", "q: (a)\n");
    assert_evaluate_refuses(&dir, &format!("--truth t.txt {name} {flags}"), said);
}

#[test]
fn a_grade_must_be_a_finite_number() {
    for grade in ["NaN", "nan", "inf", "-inf", "infinity", "1e999", "-1e400"] {
        let text = format!("q 0 a 1\nq 0 b {grade}\n");
        assert_truth_refused(
            "t.qrels",
            &text,
            &["t.qrels:2:7: a grade must be a finite number"],
        );
        let text = format!("query,item,gain\nq,b,{grade}\n");
        assert_truth_refused(
            "t.csv",
            &text,
            &["t.csv:2:5: a gain must be a finite number"],
        );
    }
    for grade in ["1e101", "-1e300"] {
        let text = format!("q 0 a 1\nq 0 b {grade}\n");
        assert_truth_refused("t.qrels", &text, &["t.qrels:2:7: a grade must be between"]);
    }
    for grade in ["x", "1,5", "0x10", "--1", "1e", "½"] {
        let text = format!("q 0 a 1\nq 0 b {grade}\n");
        assert_truth_refused(
            "t.qrels",
            &text,
            &["t.qrels:2:7: a grade must be a number", grade],
        );
    }
}

#[test]
fn a_score_must_be_a_number_and_not_nan() {
    for score in ["NaN", "nan", "-nan"] {
        let text = format!("q Q0 a 1 1 t\nq Q0 b 2 {score} t\n");
        assert_run_refused("r.run", &text, "", &["r.run:2:10: a score must"]);
    }
    for score in ["high", "1,5", "0x1p3"] {
        let text = format!("q Q0 a 1 1 t\nq Q0 b 2 {score} t\n");
        assert_run_refused(
            "r.run",
            &text,
            "",
            &["r.run:2:10: a score must be a number", score],
        );
    }
}

#[test]
fn infinite_scores_rank_first_and_last() {
    let dir = Folder::with("t.txt", "q: (a), (b), (c)\n").and(
        "r.run",
        "q Q0 b 2 1e999 t\nq Q0 c 3 -1e9 t\nq Q0 a 1 inf t\nq Q0 x 4 -inf t\n",
    );
    let scores = dir.scores("--truth t.txt r.run --ties file --order rank");
    assert_eq!(scores.value("t", "q", "ADR"), 1.0);
    // a and b are tied at infinity; ties are ordered by descending name, so b is first.
    let scores = dir.scores("--truth t.txt r.run -m RR(rel=3)");
    assert_eq!(scores.value("t", "q", "RR(rel=3)"), 0.5);
}

#[test]
fn a_rank_must_be_a_number_if_it_determines_the_order() {
    let text = "q Q0 a first 2 t\n";
    assert_run_refused(
        "r.run",
        text,
        "--order rank",
        &["r.run:1:8: a rank must be a number", "`first`"],
    );
    let dir = Folder::with("r.run", text).and("t.txt", "q: (a)\n");
    let ended = dir.partita("evaluate --truth t.txt r.run").succeeds();
    ended.says(&["warning: r.run:1: ", "`first`", "ranks were not used"]);
}

#[test]
fn a_group_must_be_a_whole_number_from_1() {
    for group in ["0", "-1", "1.5", "1.0", "first", "NaN", "4294967296"] {
        let text = format!("query,item,group\nq,a,1\nq,b,{group}\n");
        assert_truth_refused(
            "t.csv",
            &text,
            &["t.csv:3:5: a group must be a whole number", group, "hint: "],
        );
    }
    assert_truth_refused(
        "t.csv",
        "query,item,group\nq,b,\n",
        &["t.csv:2:", "a group must be"],
    );
}

#[test]
fn a_duplicate_query_in_json_is_refused() {
    let text = "{\"q\": [[\"a\"]],\n\"q\": [[\"b\"]]}";
    assert_truth_refused("t.json", text, &["t.json:2:", "`q` stands twice"]);
    assert_run_refused(
        "r.json",
        "{\"q\": [\"a\"],\n\"q\": [\"b\"]}",
        "",
        &["r.json:2:", "`q` stands twice"],
    );
}

#[test]
fn broken_json_is_named_with_line_and_column() {
    for (text, place) in [
        ("{\"q\": [[\"a\"]", "t.json:1:"),
        ("{\"q\":\n [[\"a\" \"b\"]]}", "t.json:2:"),
        ("{\"q\": 1}", "t.json:1:"),
        ("{\"q\": [[1.5]]}", "t.json:1:"),
        ("{\"q\": [[[\"a\"]]]}", "t.json:1:"),
        ("{\"q\": [[]]}", "t.json:1:"),
        ("{\"q\": {\"a\": \"1\"}}", "t.json:1:"),
        ("{\"q\": {\"a\": 1, \"a\": 2}}", "t.json:1:"),
        ("{\"q\": {\"a\": 1}, \"p\": [\"a\"]}", "t.json:1:"),
        ("[[\"a\"]]", "t.json:1:"),
        ("{\"q\": [null]}", "t.json:1:"),
        ("{\"q\": [[\"a\"]]} more", "t.json:1:"),
    ] {
        assert_truth_refused(
            "t.json",
            text,
            &[place, r#"{"query": [["a", "b"], ["c"]]}"#],
        );
    }
    let deep = format!("{{\"q\": {}", "[".repeat(100_000));
    assert_truth_refused("t.json", &deep, &["t.json:1:"]);
    assert_run_refused("r.json", "{\"q\": [\"a\"", "", &["r.json:1:"]);
}

#[test]
fn broken_notation_is_named_with_line_and_column() {
    for (text, said) in [
        ("p: (a)\nq: (a, b\n", "t.txt:2:4: "),
        ("q: (a) (b)\n", "t.txt:1:8: expected a comma"),
        ("q: (a), b\n", "t.txt:1:9: "),
        ("q: (a),\n", "t.txt:1:8: "),
        ("q: (a, )\n", "t.txt:1:"),
        ("q: ()\n", "t.txt:1:"),
        ("q: ((a))\n", "t.txt:1:5: "),
        ("q: (a)\n: (b)\n", "t.txt:2:1: "),
        ("q: (a)\nno groups\n", "t.txt:2:1: "),
        ("q: (a)\nq: (b)\n", "t.txt:2:1: the query `q` stands twice"),
    ] {
        assert_truth_refused("t.txt", text, &[said]);
    }
}

#[test]
fn a_preflib_file_of_several_voters_is_refused_as_ground_truth() {
    let header = "# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: a\n";
    for (votes, said) in [
        ("1: 1,2,3\n1: 2,1,3\n", "t.soc:4:1: "),
        ("2: 1,2,3\n", "t.soc:3:1: "),
        ("1: 1,{2,3\n", "t.soc:3:6: "),
        ("1: {1,2} 3\n", "t.soc:3:10: expected a comma"),
        ("1: 1,x\n", "t.soc:3:6: "),
        ("1: {1,},2\n", "t.soc:3:"),
        ("1,2,3\n", "t.soc:3:1: expected a vote"),
    ] {
        assert_truth_refused("t.soc", &format!("{header}{votes}"), &[said]);
    }
    let name = "# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME one: a\n1: 1\n";
    assert_truth_refused("t.soc", name, &["t.soc:2:1: "]);
}

#[test]
fn a_duplicate_query_in_the_lines_format_is_refused() {
    let flag = "--run-format lines";
    assert_run_refused(
        "r.txt",
        "q a b\np a\nq c\n",
        flag,
        &["r.txt:3:1: ", "first on line 1"],
    );
}

#[test]
fn an_unknown_measure_is_refused_with_similar_names() {
    let dir = Folder::with("t.txt", "q: (a)\n").and("r.json", r#"{"q": ["a"]}"#);
    for (wrong, near) in [
        ("nDGC@5", "nDCG"),
        ("ARD", "ADR"),
        ("ANDGC@5", "ANDCG"),
        ("presicion@5", "P"),
        ("compatt", "Compat"),
    ] {
        let arguments = format!("--truth t.txt r.json -m {wrong}");
        assert_evaluate_refuses(&dir, &arguments, &[near, "partita measures"]);
    }
    for wrong in [
        "AG",
        "nDCG@0",
        "nDCG@",
        "nDCG@x",
        "nDCG(",
        "nDCG(b=2",
        "RBP(p=2)",
        "RBP(q=0.8)",
        "ADR()@-1",
        "nDCG(discount=log3)",
        "@5",
        "AP(rel=0)",
        "RBP(p=NaN)",
        "P@99999999999999999999999",
    ] {
        let ended = dir
            .partita("evaluate --truth t.txt r.json -m")
            .arg(wrong)
            .refuses(&["error: "]);
        assert!(
            ended.err.contains(wrong.split('@').next().unwrap()),
            "{}",
            ended.err
        );
    }
    dir.partita("evaluate --truth t.txt r.json -m")
        .arg("")
        .refuses(&["error: "]);
}

#[test]
fn huge_but_finite_numbers_give_finite_scores() {
    let dir = Folder::with("t.qrels", "q 0 a 1e100\nq 0 b 1e-300\nq 0 c -1e100\n").and(
        "r.run",
        "q Q0 a 1 1e300 t\nq Q0 b 2 1e-300 t\nq Q0 c 3 -1e300 t\n",
    );
    let scores =
        dir.scores("--truth t.qrels r.run -m ADR -m nDCG@10 -m ANDCG@3 -m AP -m RR -m P@1000000");
    for [_, query, measure, value] in scores.rows() {
        let value: f64 = value.parse().unwrap();
        assert!((0.0..=1.0).contains(&value), "{query} {measure} {value}");
    }
}
