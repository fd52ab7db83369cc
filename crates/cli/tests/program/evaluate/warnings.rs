//! Tests of warnings of `partita evaluate`: unusual input is read, with a warning that names file
//! and line on standard error and in JSON.

use crate::evaluate::scores::assert_near;
use crate::session::Folder;

/// Runs `partita evaluate`, asserts that it succeeds with a warning at this file and line that
/// contains all of `said`, and returns the mean of the first run.
#[track_caller]
fn mean_with_warning(dir: &Folder, arguments: &str, file: &str, line: u64, said: &[&str]) -> f64 {
    let command = format!("evaluate {arguments} --format json");
    let ended = dir.partita(&command).succeeds();
    let json = ended.json();
    let warnings = json["warnings"].as_array().unwrap();
    let fits = |warning: &&serde_json::Value| {
        let message = warning["message"].as_str().unwrap();
        warning["file"] == file
            && warning["line"] == line
            && said.iter().all(|s| message.contains(s))
    };
    let warning = warnings
        .iter()
        .find(fits)
        .unwrap_or_else(|| panic!("no {file}:{line} {said:?} in {warnings:#?}"));
    let message = warning["message"].as_str().unwrap();
    ended.says(&[&format!("warning: {file}:{line}: {message}\n")]);
    assert_eq!(ended.err.lines().count(), warnings.len());
    let means = json["runs"][0]["mean"].as_object().unwrap();
    means.values().next().unwrap().as_f64().unwrap()
}

fn with_run(name: &str, bytes: impl AsRef<[u8]>) -> Folder {
    Folder::with("t.txt", "q: (a), (b)\n").and(name, bytes)
}

#[test]
fn a_duplicate_document_keeps_its_positions_but_counts_once() {
    let said = ["returned again", ": 1, ", "`a` for query `q`"];
    let trec = with_run("r.run", "q Q0 a 1 9 t\nq Q0 a 2 8 t\nq Q0 b 3 7 t\n");
    let value = mean_with_warning(&trec, "--truth t.txt r.run -m AP", "r.run", 2, &said);
    assert_near(value, (1.0 + 2.0 / 3.0) / 2.0);
    let systems = with_run("r.csv", "s,q,a\ns,q,a\ns,q,b\n");
    let value = mean_with_warning(&systems, "--truth t.txt r.csv -m AP", "r.csv", 1, &said);
    assert_near(value, (1.0 + 2.0 / 3.0) / 2.0);
    let json = with_run("r.json", "{\n\"p\": [],\n\"q\": [\"a\", \"a\", \"b\"]}");
    let value = mean_with_warning(&json, "--truth t.txt r.json -m AP", "r.json", 3, &said);
    assert_near(value, (1.0 + 2.0 / 3.0) / 2.0);
    let lines = with_run("r.txt", "q a a b\n");
    let arguments = "--truth t.txt r.txt -m AP --run-format lines";
    assert_near(
        mean_with_warning(&lines, arguments, "r.txt", 1, &said),
        (1.0 + 2.0 / 3.0) / 2.0,
    );
}

#[test]
fn duplicates_are_found_if_the_lines_of_a_query_are_scattered() {
    let text = "q Q0 a 1 9 t\np Q0 a 1 9 t\nq Q0 b 2 8 t\np Q0 b 2 8 t\nq Q0 a 3 7 t\n";
    let dir = Folder::with("t.txt", "q: (a), (b)\np: (b), (a)\n").and("r.run", text);
    let value = mean_with_warning(
        &dir,
        "--truth t.txt r.run",
        "r.run",
        5,
        &["returned again", ": 1, "],
    );
    // ADR is 1 for q, and (0 + 1) / 2 for p: nothing is found at position 1, both at 2.
    assert_near(value, 0.75);
}

#[test]
fn queries_that_no_ground_truth_has_get_a_warning() {
    let said = ["queries in no ground truth", ": 2, ", "`p`"];
    let trec = "q Q0 a 1 9 t\np Q0 a 1 9 t\np Q0 b 2 8 t\no Q0 b 1 8 t\n";
    mean_with_warning(
        &with_run("r.run", trec),
        "--truth t.txt r.run",
        "r.run",
        2,
        &said,
    );
    let json = "{\"q\": [\"a\"],\n\"p\": [], \"o\": []}";
    mean_with_warning(
        &with_run("r.json", json),
        "--truth t.txt r.json",
        "r.json",
        2,
        &said,
    );
    let systems = "s q a\ns p a\ns o a\n";
    mean_with_warning(
        &with_run("r.txt", systems),
        "--truth t.txt r.txt",
        "r.txt",
        2,
        &said,
    );
}

#[test]
fn a_run_without_common_queries_is_refused_with_the_queries_of_both() {
    let dir = with_run("r.run", "1 Q0 a 1 9 t\n2 Q0 a 1 9 t\n");
    let said = [
        "r.run: the run `t` and the ground truth have no query in common",
        "the run has 1, 2, the ground truth has q",
        "hint: both must call the queries alike",
    ];
    dir.refuses("evaluate --truth t.txt r.run", &said);
    let rankings = "query,assessor,item,rank\nq,ann,a,1\nq,ann,b,2\nq,bob,a,1\nq,bob,b,2\n";
    let dir = dir.and("rankings.csv", rankings);
    dir.refuses(
        "truth study --rankings rankings.csv --run r.run",
        &said[1..],
    );
    let check = "truth check --rankings rankings.csv --bootstrap 5 --run r.run";
    dir.refuses(check, &said[1..]);
}

#[test]
fn few_common_queries_get_one_warning_with_counts() {
    let dir = Folder::with("t.txt", "q1: (a)\nq2: (a)\nq3: (a)\n")
        .and("r.run", "q1 Q0 a 1 9 t\nq7 Q0 a 1 9 t\n");
    let ended = dir.partita("evaluate --truth t.txt r.run").succeeds();
    ended.says(&[
        "less than half of the 3 queries are in the run `t`: `t` has 1; the others count as empty \
         results. Do both call the queries alike? Queries in no ground truth, such as `q7`, were not \
         scored.",
    ]);
    // The warning about unknown queries is not printed in addition.
    assert_eq!(ended.err.matches("warning:").count(), 1, "{}", ended.err);
}

#[test]
fn warnings_of_one_kind_are_printed_once_for_all_runs() {
    let truth: String = (1..=9).map(|query| format!("q{query}: (a)\n")).collect();
    let mut dir = Folder::with("t.txt", truth);
    for run in 1..=6 {
        let lines = (1..=8 - run / 6).map(|query| format!("q{query} Q0 a 1 9 r{run}\n"));
        let lines: String = lines.chain([format!("x Q0 a 1 9 r{run}\n")]).collect();
        dir = dir.and(&format!("r{run}.run"), lines);
    }
    let runs = "r1.run r2.run r3.run r4.run r5.run r6.run";
    let ended = dir
        .partita(&format!("evaluate --truth t.txt {runs}"))
        .succeeds();
    ended.says(&[
        "t.txt: queries missing in 6 runs (r1, r2, r3 and 3 more): up to 2 of 9, namely q9, q8",
        "r1.run:9: queries in no ground truth, which were not scored: 1, the first being `x`; likewise in \
         5 more files (r2.run, r3.run, r4.run and 2 more)",
    ]);
    assert_eq!(ended.err.lines().count(), 2, "{}", ended.err);
}

#[test]
fn a_run_file_given_twice_gets_a_warning() {
    let dir = with_run("r.run", "q Q0 a 1 9 t\n");
    let ended = dir.partita("evaluate --truth t.txt r.run r.run").succeeds();
    ended.says(&["warning: r.run: the same file is given 2 times, and counts as 2 runs"]);
}

#[test]
fn latin_1_is_read_with_a_warning() {
    let truth = b"q: (caf\xe9), (b)\n";
    let dir = Folder::with("t.txt", truth).and("r.json", r#"{"q": ["café", "b"]}"#);
    let said = ["lines that are not UTF-8", ": 1, ", "Latin-1", "café"];
    assert_eq!(
        mean_with_warning(&dir, "--truth t.txt r.json", "t.txt", 1, &said),
        1.0
    );
    let run = b"q Q0 b 2 8 t\nq Q0 caf\xe9 1 9 t\n";
    let dir = Folder::with("t.txt", "q: (café), (b)\n").and("r.run", run);
    assert_eq!(
        mean_with_warning(&dir, "--truth t.txt r.run", "r.run", 2, &said),
        1.0
    );
    let groups = dir.and("g.csv", b"q,d\xe9j\xe0 vu\n");
    let arguments = "--truth t.txt r.run --groups g.csv";
    mean_with_warning(&groups, arguments, "g.csv", 1, &["Latin-1", "déjà vu"]);
}

#[test]
fn a_conflict_between_rank_and_score_is_counted() {
    let text = "q Q0 a 1 1 t\nq Q0 b 2 2 t\n";
    let said = [
        "rank and score disagree",
        "1 places",
        "taken from the score",
    ];
    let value = mean_with_warning(
        &with_run("r.run", text),
        "--truth t.txt r.run",
        "r.run",
        1,
        &said,
    );
    assert_eq!(value, 0.5);
    // Equal ranks are no conflict.
    let dir = with_run("r.run", "q Q0 a 0 2 t\nq Q0 b 0 1 t\n");
    let ended = dir.partita("evaluate --truth t.txt r.run");
    assert_eq!(ended.succeeds().err, "");
}

#[test]
fn use_b10_ties_that_are_broken_against_the_ranks_are_counted() {
    // By name, c comes before b, and b before a; the ranks say a, c, b.
    let text = "q Q0 a 1 0.5 t\nq Q0 c 2 0.5 t\nq Q0 b 3 0.5 t\nq Q0 x 4 0.25 t\n";
    let dir = with_run("r.run", text);
    let said = [
        "equal scores that were not put in the order of their ranks: 1",
        "the first at `a` for query `q`",
        "the order `rank` keeps the ranks",
    ];
    mean_with_warning(&dir, "--truth t.txt r.run", "r.run", 1, &said);
    for quiet in [
        "--order rank",
        "--order file",
        "--ties file",
        "--ties average",
    ] {
        let ended = dir.partita(&format!("evaluate --truth t.txt r.run {quiet}"));
        assert_eq!(ended.succeeds().err, "", "{quiet}");
    }
    // Ties whose ranks agree with the names, and equal ranks, are no reason to warn.
    for fine in [
        "q Q0 b 1 2 t\nq Q0 a 2 2 t\n",
        "q Q0 a 1 2 t\nq Q0 b 1 2 t\n",
    ] {
        let dir = with_run("r.run", fine);
        assert_eq!(
            dir.partita("evaluate --truth t.txt r.run").succeeds().err,
            ""
        );
    }
}

#[test]
fn several_tags_in_one_run_get_a_warning() {
    let text = "q Q0 a 1 2 one\nq Q0 b 2 1 two\n";
    let said = ["more than one tag", "`two`"];
    mean_with_warning(
        &with_run("r.run", text),
        "--truth t.txt r.run",
        "r.run",
        2,
        &said,
    );
}

#[test]
fn overlong_names_are_read_with_a_warning() {
    let long = "n".repeat(2000);
    let said = ["names longer than 1024 bytes: 1", "nnnn"];
    let dir = Folder::with("t.qrels", format!("q 0 a 1\nq 0 {long} 2\n"))
        .and("r.json", r#"{"q": ["a"]}"#);
    mean_with_warning(&dir, "--truth t.qrels r.json -m RR", "t.qrels", 2, &said);
    let dir = with_run("r.run", format!("q Q0 a 1 2 t\nq Q0 {long} 2 1 t\n"));
    mean_with_warning(&dir, "--truth t.txt r.run", "r.run", 2, &said);
    let dir = Folder::with("t.json", format!("{{\"q\": [[\"a\"],\n[\"{long}\"]]}}"))
        .and("r.json", r#"{"q": ["a"]}"#);
    mean_with_warning(&dir, "--truth t.json r.json", "t.json", 2, &said);
}

#[test]
fn gaps_in_group_numbers_get_a_warning_and_only_the_order_counts() {
    let text = "query,item,group\np,a,1\nq,a,3\nq,b,7\n";
    let dir = Folder::with("t.csv", text).and("r.json", r#"{"q": ["b", "a"], "p": ["a"]}"#);
    let said = ["groups are not numbered", ": 1, ", "`q`"];
    let value = mean_with_warning(&dir, "--truth t.csv r.json", "t.csv", 3, &said);
    // ADR is 1 for p and 0.5 for q: nothing is found at position 1, both at 2.
    assert_near(value, (1.0 + 0.5) / 2.0);
}

#[test]
fn unused_columns_get_a_warning() {
    let text = "query,item,gain,comment\nq,a,1,fine\n";
    let dir = Folder::with("t.csv", text).and("r.json", r#"{"q": ["a"]}"#);
    mean_with_warning(
        &dir,
        "--truth t.csv r.json -m RR",
        "t.csv",
        1,
        &["not read: comment"],
    );
    let text = "label,query,item,gain\nx,q,a,1\n";
    let dir = Folder::with("t.csv", text).and("r.json", r#"{"q": ["a"]}"#);
    mean_with_warning(
        &dir,
        "--truth t.csv r.json -m RR",
        "t.csv",
        1,
        &["not read: label"],
    );
}

#[test]
fn ordinary_files_are_read_without_warnings() {
    let dir = with_run("r.run", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n");
    let ended = dir
        .partita("evaluate --truth t.txt r.run --format json")
        .succeeds();
    assert_eq!(ended.err, "");
    assert_eq!(ended.json()["warnings"], serde_json::json!([]));
}
