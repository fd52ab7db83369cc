//! Tests of `partita evaluate` on unreadable files: an error with file, line and column, never a
//! panic.

use crate::session::Folder;

/// Returns a folder with the ground truth under test and a valid run `fine.json`.
fn folder_with_truth(name: &str, bytes: impl AsRef<[u8]>) -> Folder {
    Folder::with(name, bytes).and("fine.json", r#"{"q": ["a"]}"#)
}

/// Returns a folder with the run under test and a valid ground truth `fine.txt`.
fn folder_with_run(name: &str, bytes: impl AsRef<[u8]>) -> Folder {
    Folder::with(name, bytes).and("fine.txt", "q: (a), (b)\n")
}

/// Asserts that `evaluate` and `truth convert` refuse a ground truth and print all of `said`.
#[track_caller]
fn assert_truth_refused(name: &str, bytes: impl AsRef<[u8]>, flags: &str, said: &[&str]) {
    let dir = folder_with_truth(name, bytes);
    for command in [
        format!("evaluate --truth {name} fine.json {flags}"),
        format!("truth convert {name} --to json {flags}"),
    ] {
        dir.partita(&command).refuses(said);
    }
}

/// Asserts that `evaluate` and `run convert` refuse a run and print all of `said`.
#[track_caller]
fn assert_run_refused(name: &str, bytes: impl AsRef<[u8]>, flags: &str, said: &[&str]) {
    let dir = folder_with_run(name, bytes);
    for command in [
        format!("evaluate --truth fine.txt {name} {flags}"),
        format!("run convert {name} --to json {flags}"),
    ] {
        dir.partita(&command).refuses(said);
    }
}

#[test]
fn a_missing_file_is_named() {
    folder_with_truth("fine.txt", "q: (a)\n")
        .partita("evaluate --truth no-such.txt fine.json")
        .refuses(&["no-such.txt", "No such file", "hint: "]);
    folder_with_truth("fine.txt", "q: (a)\n")
        .partita("evaluate --truth fine.txt fine.json no-such.run")
        .refuses(&["no-such.run", "No such file"]);
    folder_with_truth("fine.txt", "q: (a)\n")
        .partita("evaluate --truth fine.txt fine.json --groups no-such.csv")
        .refuses(&["no-such.csv", "No such file"]);
}

#[test]
fn a_directory_is_refused() {
    let dir = folder_with_truth("fine.txt", "q: (a)\n").and("folder/x", "");
    dir.partita("evaluate --truth folder fine.json")
        .refuses(&["folder: ", "directory"]);
    dir.partita("evaluate --truth fine.txt folder")
        .refuses(&["folder: ", "directory"]);
}

#[test]
fn files_without_data_are_refused() {
    for nothing in [
        "",
        "\n\n",
        "# only\n# comments\n",
        "\u{feff}",
        " \r\n\t\r\n",
    ] {
        assert_truth_refused("t.txt", nothing, "", &["t.txt: ", "nothing in this file"]);
        assert_run_refused("r.run", nothing, "", &["r.run: ", "nothing in this file"]);
        for format in ["groups", "qrels", "gains", "preflib", "notation"] {
            let flag = format!("--truth-format {format}");
            assert_truth_refused("t.txt", nothing, &flag, &["t.txt: ", "nothing"]);
        }
        for format in ["trec", "systems", "lines"] {
            let flag = format!("--run-format {format}");
            assert_run_refused("r.run", nothing, &flag, &["r.run: ", "nothing"]);
        }
    }
    assert_truth_refused("t.csv", "query,item,group\n", "", &["t.csv: ", "nothing"]);
    assert_truth_refused("t.json", "{}", "", &["t.json: ", "nothing"]);
    assert_run_refused("r.json", "{}", "", &["r.json: ", "nothing"]);
    assert_run_refused("r.csv", "system,query,item\n", "", &["r.csv: ", "nothing"]);
    let header = "# FILE NAME: t.toc\n# NUMBER ALTERNATIVES: 2\n";
    assert_truth_refused("t.toc", header, "", &["t.toc: ", "nothing"]);
}

#[test]
fn binary_data_is_refused_with_line_and_column() {
    assert_truth_refused(
        "t.qrels",
        b"q 0 a 1\nq 0 \0b 1\n",
        "",
        &["t.qrels:2:5: binary"],
    );
    assert_run_refused("r.run", b"q Q0 a 1 2 t\nq\0", "", &["r.run:2:2: binary"]);
    let dir = folder_with_truth("t.txt", "q: (a)\n").and("g.csv", b"q,\x00");
    dir.partita("evaluate --truth t.txt fine.json --groups g.csv")
        .refuses(&["g.csv:1:3: binary"]);
}

#[test]
fn zip_parquet_utf16_and_other_formats_are_named_in_the_error() {
    let utf16 = |mark: [u8; 2]| [mark.as_slice(), b"q\0 \x000\0"].concat();
    for (bytes, what) in [
        (b"PK\x03\x04rest".to_vec(), "zip"),
        (utf16([0xff, 0xfe]), "UTF-16"),
        (utf16([0xfe, 0xff]), "UTF-16"),
        (b"PAR1rest".to_vec(), "Parquet"),
        (b"BZh91AY".to_vec(), "bzip2"),
        (b"\xfd7zXZ\0".to_vec(), "xz"),
    ] {
        assert_truth_refused("t.qrels", &bytes, "", &["t.qrels: ", what, "hint: "]);
        assert_run_refused("r.run", &bytes, "", &["r.run: ", what]);
    }
    // UTF-16 without a byte order mark is recognised as binary by its NUL bytes.
    assert_truth_refused("t.txt", b"q\0:\0", "", &["t.txt:1:2: binary"]);
}

#[test]
fn a_duplicate_item_in_a_truth_is_refused_with_line_and_column() {
    for (name, text, said) in [
        (
            "t.csv",
            "query,item,group\nq,a,1\nq,b,1\nq,a,2\n",
            "t.csv:4:3: ",
        ),
        ("t.tsv", "L\tq\ta\t1\nL\tq\ta\t1\n", "t.tsv:2:5: "),
        ("t.qrels", "q 0 a 1\nq 0 a 1\n", "t.qrels:2:5: "),
        ("g.csv", "query,item,gain\nq,a,1\n\nq,a,2\n", "g.csv:4:3: "),
        (
            "t.toc",
            "# NUMBER ALTERNATIVES: 2\n1: 1,{2,1}\n",
            "t.toc:2:9: ",
        ),
        ("t.txt", "p: (a)\nq: (a, b), (a)\n", "t.txt:2:13: "),
    ] {
        assert_truth_refused(name, text, "", &[said, "stands twice", "query `"]);
    }
    let json = "{\"q\": [[\"a\"],\n [\"b\", \"a\"]]}";
    assert_truth_refused("t.json", json, "", &["t.json:2:", "`a` stands twice"]);
}

#[test]
fn three_columns_without_a_header_are_ambiguous_and_both_choices_are_named() {
    for text in ["q,a,1\n", "q\ta\t1\n", "q a 1\n"] {
        let choices = [
            "t:1:1: ",
            "groups",
            "gains",
            "--truth-format",
            "query,item,group",
        ];
        assert_truth_refused("t", text, "", &choices);
        for (format, worst) in [("groups", 1.0), ("gains", 1.0)] {
            let dir = folder_with_truth("t", text);
            let scores = dir.scores(&format!(
                "--truth t fine.json -m ADR --truth-format {format}"
            ));
            assert_eq!(scores.value("fine", "q", "ADR"), worst);
        }
    }
}

#[test]
fn comma_separated_qrels_are_not_read_as_groups() {
    for text in ["q,0,a,2\nq,0,b,1\n", "q 1;Q0;a;2\n"] {
        assert_truth_refused(
            "t",
            text,
            "",
            &["t:1:1: ", "qrels", "higher is better", "hint: "],
        );
    }
    let dir = folder_with_truth("t", "query,iter,item,gain\nq,0,a,2\nq,0,b,1\n");
    let scores = dir.scores("--truth t fine.json -m ADR");
    assert_eq!(scores.value("fine", "q", "ADR"), 0.75);
    // With --truth-format groups the columns are label, query, item and group; the query is named
    // `0`.
    let dir = folder_with_truth("t", "L,0,a,1\n").and("zero.json", r#"{"0": ["a"]}"#);
    let scores = dir.scores("--truth t zero.json --truth-format groups");
    assert_eq!(scores.value("zero", "0", "ADR"), 1.0);
}

#[test]
fn unknown_columns_are_refused_with_the_names_of_the_formats() {
    let names = [
        "t:1:1: ",
        "groups, qrels, gains, preflib, json, qrels-json, notation",
    ];
    for text in ["word\n", "two words\n", "a b c d e\n"] {
        assert_truth_refused("t", text, "", &names);
    }
    let names = ["r:1:1: ", "trec", "systems", "lines", "json"];
    for text in ["word\n", "two words\n", "a b c d e\n"] {
        assert_run_refused("r", text, "", &names);
    }
}

#[test]
fn two_labels_are_refused_unless_one_is_chosen() {
    let text = "Crowd q a 1\nExpert q a 2\n";
    assert_truth_refused(
        "t.qrel",
        text,
        "",
        &["t.qrel: ", "Crowd, Expert", "--label"],
    );
    let qrels = "q 0 a 1\n";
    assert_truth_refused("t", qrels, "--label Crowd", &["t: ", "`Crowd`"]);
    let three = "query,item,group\nq,a,1\n";
    assert_truth_refused("t", three, "--label Crowd", &["t: ", "`Crowd`"]);
}

#[test]
fn lines_with_the_wrong_number_of_columns_are_named() {
    for (name, text, said) in [
        (
            "t.qrels",
            "q 0 a 1\nq 0 b\n",
            "t.qrels:2:1: expected 4 columns",
        ),
        (
            "t.qrels",
            "q 0 a 1\nq 0 b 1 2\n",
            "t.qrels:2:1: expected 4 columns",
        ),
        (
            "t.csv",
            "query,item,group\nq,a\n",
            "t.csv:2:1: expected 3 columns",
        ),
        (
            "t.csv",
            "query,item,gain\nq,a,1,1\n",
            "t.csv:2:1: expected 3 columns",
        ),
    ] {
        assert_truth_refused(name, text, "", &[said, "found "]);
    }
    assert_truth_refused(
        "t",
        "q 0 a 1\n",
        "--truth-format gains",
        &["t:1:1: expected 3"],
    );
    for (name, text, said) in [
        (
            "r.run",
            "q Q0 a 1 2 t\n\nq Q0 a 1\n",
            "r.run:3:1: expected 6 columns",
        ),
        (
            "r.run",
            "q Q0 a 1 2 t more\n",
            "r.run:1:1: expected 6 columns",
        ),
        ("r.csv", "s,q,a\ns,q\n", "r.csv:2:1: expected 3 columns"),
    ] {
        assert_run_refused(name, text, "", &[said, "found "]);
    }
    let dir = folder_with_truth("t.txt", "q: (a)\n").and("g.csv", "query,group\nq\n");
    dir.partita("evaluate --truth t.txt fine.json --groups g.csv")
        .refuses(&["g.csv:2:1: expected 2 columns"]);
}

#[test]
fn empty_item_and_query_names_are_refused() {
    for text in ["query,item,group\n,a,1\n", "query,item,group\nq,,1\n"] {
        assert_truth_refused("t.csv", text, "", &["t.csv:2:", "has no name"]);
    }
    assert_run_refused("r.csv", "s,q,a\ns,,a\n", "", &["r.csv:2:", "empty column"]);
    let dir = folder_with_truth("t.txt", "q: (a)\n").and("g.csv", "q,\n");
    dir.partita("evaluate --truth t.txt fine.json --groups g.csv")
        .refuses(&["g.csv:1:", "empty column"]);
}

#[test]
fn overlong_lines_of_tables_are_refused() {
    let long = "x".repeat(70_000);
    let qrels = format!("q 0 a 1\nq 0 {long} 1\n");
    assert_truth_refused("t.qrels", qrels, "", &["t.qrels:2:1: a line of more than"]);
    let csv = format!("query,item,group\nq,{long},1\n");
    assert_truth_refused("t.csv", csv, "", &["t.csv:2:1: a line of more than"]);
    let trec = format!("q Q0 a 1 2 t\nq Q0 {long} 1 1 t\n");
    assert_run_refused("r.run", trec, "", &["r.run:2:1: a line of more than"]);
    let systems = format!("s,q,a\ns,q,{long}\n");
    assert_run_refused("r.csv", systems, "", &["r.csv:2:1: a line of more than"]);
}

#[test]
fn a_query_in_two_groups_is_refused() {
    let dir = folder_with_truth("t.txt", "q: (a)\n").and("g.csv", "q,fast\nq,slow\n");
    dir.partita("evaluate --truth t.txt fine.json --groups g.csv")
        .refuses(&["g.csv:2:1: ", "`fast`"]);
    let dir = folder_with_truth("t.txt", "q: (a)\n").and("g.csv", "# nothing\n");
    dir.partita("evaluate --truth t.txt fine.json --groups g.csv")
        .refuses(&["g.csv: ", "nothing"]);
}
