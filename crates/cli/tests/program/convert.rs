//! Tests of the conversion commands.

use crate::session::Folder;

const TRUTH_FORMATS: [&str; 7] = [
    "groups",
    "qrels",
    "gains",
    "preflib",
    "json",
    "qrels-json",
    "notation",
];

#[test]
fn a_truth_is_unchanged_by_conversion_through_any_two_formats() {
    let json = "{\n  \"t\": [[\"1\",\"2\"],[\"3\",\"4\",\"5\"]]\n}\n";
    for first in TRUTH_FORMATS {
        for second in TRUTH_FORMATS {
            let dir = Folder::with("t.json", json);
            // The file is named after the query t, because a PrefLib file does not contain its
            // query.
            let step = |from: &str, to: &str, folder: &str| {
                let file = format!("{folder}/t.{to}");
                std::fs::create_dir_all(dir.path(folder)).unwrap();
                let command = format!("truth convert {from} --to {to} --output {file}");
                assert_eq!(dir.partita(&command).succeeds().err, "");
                file
            };
            let once = step("t.json", first, "once");
            let twice = step(&once, second, "twice");
            let back = step(&twice, "json", "back");
            assert_eq!(dir.read(&back), json, "{first} {second}");
        }
    }
}

#[test]
fn group_1_is_best_and_becomes_the_highest_grade_in_qrels() {
    let dir = Folder::with("t.csv", "query,item,group\nq,best,1\nq,good,2\nq,fine,2\n");
    let qrels = dir.partita("truth convert t.csv --to qrels").succeeds();
    assert_eq!(qrels.out, "q 0 best 2\nq 0 good 1\nq 0 fine 1\n");
    let back = dir.partita("truth convert - --to groups").input(qrels.out);
    let back = back.succeeds().out;
    assert_eq!(back, dir.read("t.csv"));
}

#[test]
fn real_valued_grades_are_converted_without_rounding() {
    let text = "query,item,gain\nq,a,4.5\nq,b,0.1\nq,c,-2.25\nq,d,0\n";
    let dir = Folder::with("t.csv", text);
    let qrels = dir.partita("truth convert t.csv --to qrels").succeeds();
    assert_eq!(qrels.out, "q 0 a 4.5\nq 0 b 0.1\nq 0 c -2.25\nq 0 d 0\n");
    assert_eq!(qrels.err, "");
    let back = dir.partita("truth convert - --to gains").input(qrels.out);
    assert_eq!(back.succeeds().out, text);
}

#[test]
fn items_with_grade_zero_are_dropped_with_a_warning_or_kept_on_request() {
    let dir = Folder::with("t.qrels", "q 0 a 1\nq 0 b 0\nq 0 c -1\n");
    let left = dir
        .partita("truth convert t.qrels --to notation")
        .succeeds();
    assert_eq!(left.out, "q: (a)\n");
    left.says(&["warning: t.qrels: 2 judged items", "--keep-zero"]);
    let kept = dir.partita("truth convert t.qrels --to notation --keep-zero");
    let kept = kept.succeeds();
    assert_eq!(kept.out, "q: (a), (b, c)\n");
    assert_eq!(kept.err, "");
}

#[test]
fn several_queries_are_written_to_a_folder_of_preflib_files() {
    let dir = Folder::with("t.txt", "q1: (a b, c), (d)\nq2: (x)\n");
    dir.partita("truth convert t.txt --to preflib")
        .refuses(&["2 queries", "--query", "--output"]);
    let one = dir
        .partita("truth convert t.txt --to preflib --query q1")
        .succeeds();
    assert!(
        one.out.contains("# ALTERNATIVE NAME 1: a b\n"),
        "{}",
        one.out
    );
    assert!(one.out.ends_with("\n1: {1,2},3\n"), "{}", one.out);
    dir.partita("truth convert t.txt --to preflib --output lists/")
        .succeeds();
    let back = dir
        .partita("truth convert lists/q1.toc --to notation")
        .succeeds();
    assert_eq!(back.out, "q1: (a b, c), (d)\n");
    let back = dir
        .partita("truth convert lists/q2.toc --to notation")
        .succeeds();
    assert_eq!(back.out, "q2: (x)\n");
    let dir = Folder::with("t.json", r#"{"../q": [["a"]]}"#);
    dir.partita("truth convert t.json --to preflib --output lists/")
        .refuses(&["`../q`"]);
}

#[test]
fn names_that_a_format_cannot_represent_are_refused_with_a_hint() {
    for (name, formats) in [
        ("two words", ["qrels"].as_slice()),
        (
            "nbsp\u{a0}",
            &["qrels", "groups", "gains", "notation", "preflib"],
        ),
        ("a,b", &["notation"]),
        ("(a)", &["notation"]),
        (
            "two\\nlines",
            &["qrels", "groups", "gains", "notation", "preflib"],
        ),
        (
            " around ",
            &["qrels", "groups", "gains", "notation", "preflib"],
        ),
        ("", &["qrels", "groups", "gains", "notation", "preflib"]),
        ("bell\\u0007", &["qrels"]),
        (
            "nul\\u0000",
            &["qrels", "groups", "gains", "notation", "preflib"],
        ),
        ("#hash", &[]),
        ("say \\\"hi\\\"", &["qrels"]),
        ("αβγ旋律", &[]),
    ] {
        let dir = Folder::with("q.json", format!(r#"{{"q": [["{name}"], ["z"]]}}"#));
        for to in TRUTH_FORMATS {
            let command = dir.partita(&format!("truth convert q.json --to {to}"));
            if formats.contains(&to) {
                command.refuses(&["cannot be written", "hint: use `--to "]);
                continue;
            }
            let text = command.succeeds().out;
            let dir = dir_with(&dir, &format!("back/q.{to}"), &text);
            let back = format!("truth convert back/q.{to} --truth-format {to} --to json");
            let back = dir.partita(&back).succeeds().json();
            let whole: serde_json::Value = serde_json::from_str(&dir.read("q.json")).unwrap();
            assert_eq!(back, whole, "{name:?} through {to}: {text}");
        }
    }
}

/// Returns a new folder with the file `q.json` of another folder and one more file.
fn dir_with(dir: &Folder, name: &str, text: &str) -> Folder {
    Folder::with("q.json", dir.read("q.json")).and(name, text)
}

#[test]
fn a_query_that_would_be_read_as_a_comment_is_quoted_or_refused() {
    let dir = Folder::with("t.json", r##"{"#1": [["a"]]}"##).and("r.json", r##"{"#1": ["a"]}"##);
    for to in ["groups", "gains"] {
        let text = dir
            .partita(&format!("truth convert t.json --to {to}"))
            .succeeds()
            .out;
        assert!(text.contains("\n\"#1\",a,1\n"), "{text}");
        let back = dir.partita("truth convert - --to json").input(text);
        assert_eq!(back.succeeds().json(), serde_json::json!({"#1": [["a"]]}));
    }
    for to in ["qrels", "notation"] {
        dir.partita(&format!("truth convert t.json --to {to}"))
            .refuses(&["\"#1\"", "cannot start a line"]);
    }
    for to in ["trec", "lines"] {
        dir.partita(&format!("run convert r.json --to {to}"))
            .refuses(&["\"#1\"", "cannot start a line"]);
    }
}

#[test]
fn queries_without_items_get_a_warning_if_the_format_drops_them() {
    let dir = Folder::with("t.json", r#"{"q": [["a"]], "none": []}"#)
        .and("r.json", r#"{"q": ["a"], "none": []}"#);
    for (command, warns) in [
        ("truth convert t.json --to groups", true),
        ("truth convert t.json --to qrels", true),
        ("truth convert t.json --to notation", false),
        ("run convert r.json --to trec", true),
        ("run convert r.json --to systems", true),
        ("run convert r.json --to lines", false),
    ] {
        let ended = dir.partita(command).succeeds();
        assert_eq!(ended.err.contains("none"), warns, "{command}");
        assert_eq!(ended.out.contains("none"), !warns, "{command}");
    }
}

#[test]
fn a_run_is_unchanged_by_conversion_through_any_two_formats() {
    let json = "{\n  \"q1\": [\"b\",\"a\",\"b2\"],\n  \"q2\": [\"a\"]\n}\n";
    let formats = ["trec", "systems", "lines", "json"];
    for first in formats {
        for second in formats {
            let dir = Folder::with("r.json", json);
            let step = |from: &str, format: &str, to: &str, file: &str| {
                let command =
                    format!("run convert {from} --run-format {format} --to {to} --output {file}");
                assert_eq!(dir.partita(&command).succeeds().err, "");
            };
            step("r.json", "json", first, "once");
            step("once", first, second, "twice");
            step("twice", second, "json", "back");
            assert_eq!(dir.read("back"), json, "{first} {second}");
        }
    }
}

#[test]
fn a_converted_run_keeps_its_order_and_its_name() {
    let dir = Folder::with(
        "r.run",
        "q Q0 a 1 1 mine\nq Q0 b 2 2 mine\nq Q0 c 2 2 mine\n",
    );
    let trec = dir.partita("run convert r.run --to trec").succeeds();
    assert_eq!(
        trec.out,
        "q Q0 c 1 3 mine\nq Q0 b 2 2 mine\nq Q0 a 3 1 mine\n"
    );
    let ranked = dir.partita("run convert r.run --to lines --order rank --ties file");
    assert_eq!(ranked.succeeds().out, "q a b c\n");
    let tied = dir
        .partita("run convert r.run --to json --ties average")
        .succeeds();
    assert_eq!(tied.json(), serde_json::json!({"q": [["b", "c"], "a"]}));
    dir.partita("run convert r.run --to systems --ties average")
        .refuses(&["tied", "`q`", "--to json"]);
    let again = dir
        .partita("run convert r.run --to trec --ties average")
        .succeeds();
    let scores: Vec<&str> = again
        .out
        .lines()
        .filter_map(|l| l.split(' ').nth(4))
        .collect();
    assert_eq!(scores, ["3", "3", "1"]);
}

#[test]
fn a_run_without_a_name_gets_the_tag_or_the_file_name() {
    let dir = Folder::with("my run.json", r#"{"q": ["a"]}"#);
    let convert = |arguments: &str| dir.partita(&format!("run convert {arguments}"));
    let named = convert("--to trec").arg("my run.json").succeeds().out;
    assert_eq!(named, "q Q0 a 1 1 my-run\n");
    let named = convert("--to systems --tag mine")
        .arg("my run.json")
        .succeeds();
    assert_eq!(named.out, "system,query,item\nmine,q,a\n");
    let named = convert("- --to trec").input(r#"{"q": ["a"]}"#).succeeds();
    assert_eq!(named.out, "q Q0 a 1 1 standard-input\n");
}

#[test]
fn several_runs_can_only_be_written_in_the_systems_format() {
    let dir = Folder::with("r.txt", "s1 q a\ns2 q b\n");
    for to in ["trec", "lines", "json"] {
        dir.partita(&format!("run convert r.txt --to {to}"))
            .refuses(&["2", "--to systems"]);
    }
    let all = dir.partita("run convert r.txt --to systems").succeeds();
    assert_eq!(all.out, "system,query,item\ns1,q,a\ns2,q,b\n");
}

#[test]
fn rankings_are_converted_between_rows_and_matrix() {
    let rows = "query,assessor,item,rank\nq,ann,a,1\nq,ann,b,2.5\nq,bob,a,2\nq,bob,b,\n";
    let dir = Folder::with("r.csv", rows);
    let matrix = dir.output("rankings convert r.csv --to matrix");
    assert_eq!(matrix, "assessor,a,b\nann,1,2.5\nbob,2,\n");
    let back = dir
        .partita("rankings convert - --to rows --query q")
        .input(matrix);
    assert_eq!(back.succeeds().out, rows);
}

#[test]
fn preflib_files_have_integer_positions_and_counts_of_equal_orders() {
    let rows = "query;assessor;item;rank\nq;x;a;10\nq;x;b;20,5\nq;y;a;1\nq;y;b;7\nq;z;b;1\nq;z;a;1\np;x;a;1\n";
    let dir = Folder::with("r.csv", rows);
    dir.refuses(
        "rankings convert r.csv --to preflib",
        &["one query", "--query", "--output"],
    );
    dir.refuses(
        "rankings convert r.csv --to preflib --query z",
        &["no query `z`", "q, p"],
    );
    let one = dir.output("rankings convert r.csv --to preflib --query q");
    assert!(one.starts_with("# FILE NAME: q.toc\n"), "{one}");
    assert!(one.ends_with("\n2: 1,2\n1: {1,2}\n"), "{one}");
    dir.output("rankings convert r.csv --to preflib --output lists/");
    let back = dir.output("rankings convert lists/q.toc --to matrix");
    assert_eq!(back, "assessor,a,b\n1,1,2\n2,1,2\n3,1.5,1.5\n");
}

#[test]
fn only_the_answers_format_keeps_all_columns_and_others_warn() {
    let turk = "HITId,WorkerId,WorkTimeInSeconds,Input.query,Input.docA,Input.docB,Answer.radio\n\
                1,ann,2.5,q,x,y,a\n2,bob,3,q,x,y,s\n3,cy,4,q,y,x,\n";
    let dir = Folder::with("t.csv", turk);
    let answers = dir.output("preferences convert t.csv --map mturk --to answers");
    let expected =
        "query,a,b,assessor,answer,seconds\nq,x,y,ann,a,2.5\nq,x,y,bob,equal,3\nq,y,x,cy,,4\n";
    assert_eq!(answers, expected);
    let dir = dir.and("a.csv", &answers);
    let winner = dir
        .partita("preferences convert a.csv --to winner")
        .succeeds();
    assert_eq!(winner.out, "q x y x\nq x y =\n");
    winner.says(&[
        "no place for assessor, seconds",
        "rows without an answer, which are passed over: 1",
    ]);
    let sides = dir.output("preferences convert a.csv --to left-right");
    assert_eq!(sides, "left,right,winner\nx,y,left\nx,y,tie\n");
    let dir = dir.and("q.csv", sides).and("w.txt", winner.out);
    let plain = "query,a,b,answer\nq,x,y,a\nq,x,y,equal\n";
    for file in ["q.csv", "w.txt"] {
        assert_eq!(
            dir.output(&format!("preferences convert {file} --to answers")),
            plain
        );
    }
}

#[test]
fn scores_are_converted_between_rows_and_matrix() {
    let rows = "system,query,measure,value\na,q1,AP,0.5\na,q2,AP,0.25\nb,q1,AP,1\nb,q2,AP,0\n\
                a,q1,RR,1\nb,q1,RR,1\n";
    let dir = Folder::with("s.csv", rows);
    dir.refuses(
        "scores convert s.csv --to matrix",
        &["one measure", "AP, RR"],
    );
    let matrix = dir.output("scores convert s.csv --to matrix -m ap");
    assert_eq!(matrix, "query,a,b\nq1,0.5,1\nq2,0.25,0\n");
    let back = dir
        .partita("scores convert - --to rows")
        .input(matrix)
        .succeeds()
        .out;
    assert!(
        back.starts_with("system,query,measure,value\na,q1,score,0.5\n"),
        "{back}"
    );
    let strata = "query,stratum,a,b\nq1,jazz,0.5,1\nq2,rock,0,0\n";
    let dir = dir.and("m.csv", strata);
    assert_eq!(dir.output("scores convert m.csv --to matrix"), strata);
}

#[test]
fn json_dictionaries_of_python_tools_are_read_and_written() {
    let dir = Folder::with(
        "qrels.json",
        r#"{"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}"#,
    )
    .and(
        "run.json",
        r#"{"q1": {"d1": 0.25, "d2": 0.5}, "q2": {"d1": 1e-3}}"#,
    );
    let scores = dir.output("evaluate --truth qrels.json run.json -m RR --per-query");
    assert!(
        scores.contains("run,q1,RR,0.5,query\nrun,q2,RR,1,query\n"),
        "{scores}"
    );
    let qrels = dir.output("truth convert qrels.json --to qrels");
    assert_eq!(qrels, "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n");
    let back = dir.partita("truth convert - --to qrels-json").input(qrels);
    let back = back.succeeds().out;
    assert_eq!(
        back,
        "{\n  \"q1\": {\"d1\": 2, \"d2\": 0},\n  \"q2\": {\"d1\": 1}\n}\n"
    );
    let run = dir.output("run convert run.json --to scores-json");
    assert_eq!(
        run,
        "{\n  \"q1\": {\"d2\": 2, \"d1\": 1},\n  \"q2\": {\"d1\": 1}\n}\n"
    );
}

/// For each kind of data: the name of its own convert command, a file name, its content, and the
/// formats that it can be written in.
const KINDS: [(&str, &str, &str, &[&str]); 5] = [
    (
        "truth",
        "t.csv",
        "query,item,group\nq1,a,1\nq1,b,2\nq1,c,2\n",
        &[
            "groups",
            "qrels",
            "gains",
            "preflib",
            "json",
            "qrels-json",
            "notation",
            "csv",
        ],
    ),
    (
        "run",
        "r.run",
        "q1 Q0 a 1 2.5 mine\nq1 Q0 b 2 1.5 mine\nq2 Q0 a 1 1 mine\n",
        &["trec", "systems", "lines", "json", "scores-json", "csv"],
    ),
    (
        "rankings",
        "k.csv",
        "query,assessor,item,rank\nq1,ann,a,1\nq1,ann,b,2\nq1,bob,a,2\nq1,bob,b,\n",
        &["rows", "matrix", "preflib", "csv"],
    ),
    (
        "preferences",
        "p.csv",
        "query,a,b,assessor,answer\nq1,x,y,ann,a\nq1,x,y,bob,equal\n",
        &["answers", "winner", "left-right", "csv"],
    ),
    (
        "scores",
        "s.csv",
        "system,query,measure,value\na,q1,AP,0.5\nb,q1,AP,0.25\n",
        &["rows", "matrix", "csv"],
    ),
];

#[test]
fn convert_recognises_each_kind_and_agrees_with_the_command_of_the_kind() {
    for (kind, file, text, formats) in KINDS {
        let dir = Folder::with(file, text);
        for to in formats {
            let old = dir.partita(&format!("{kind} convert {file} --to {to}"));
            let old = old.succeeds();
            let new = dir.partita(&format!("convert {file} --to {to}")).succeeds();
            assert_eq!((&new.out, &new.err), (&old.out, &old.err), "{kind} {to}");
            let stated = format!("convert {file} --to {to} --kind {kind}");
            assert_eq!(dir.output(&stated), old.out, "{kind} {to}");
            let output = format!("convert {file} --to {to} --output made");
            assert_eq!(dir.output(&output), "");
            assert_eq!(dir.read("made"), old.out, "{kind} {to}");
        }
    }
}

#[test]
fn convert_recognises_standard_input_and_its_own_output() {
    for (kind, file, text, formats) in KINDS {
        let dir = Folder::with(file, text);
        for to in formats {
            let old = dir.partita(&format!("{kind} convert - --to {to}"));
            let old = old.input(text).succeeds();
            let new = dir.partita(&format!("convert - --to {to}")).input(text);
            assert_eq!(new.succeeds().out, old.out, "{kind} {to}");
            // JSON and PrefLib fit several kinds; a target format that only one kind has decides.
            let back = match kind {
                "truth" => "notation",
                "run" => "trec",
                other => ["rows", "answers"][usize::from(other == "preferences")],
            };
            if *to != "lines" {
                let again = dir.partita(&format!("convert - --to {back}"));
                again.input(old.out).succeeds();
            }
        }
    }
}

#[test]
fn convert_accepts_the_options_of_every_kind() {
    let dir = Folder::with("t.qrels", "q 0 a 1\nq 0 b 0\np 0 a 1\n")
        .and("l.txt", "q a b\n")
        .and("m.csv", "assessor,a,b\n1,1,2\n2,2,1\n")
        .and(
            "votes.csv",
            "HITId,WorkerId,Input.query,Input.docA,Input.docB,Answer.radio\n1,ann,q,x,y,a\n",
        )
        .and("s.csv", "query,a,b\n1,0.5,\n2,0.25,1\n")
        .and("labels.txt", "one q a 1\ntwo q a 1\ntwo q b 2\n");
    for (old, arguments) in [
        ("truth", "t.qrels --to notation --keep-zero"),
        ("truth", "t.qrels --to notation --query q,p"),
        ("truth", "labels.txt --to json --label two"),
        ("run", "l.txt --run-format lines --to trec --tag mine"),
        ("rankings", "m.csv --to rows --query songs"),
        (
            "rankings",
            "m.csv m.csv --rankings-format matrix --to preflib",
        ),
        ("preferences", "votes.csv --map mturk --to answers"),
        ("scores", "s.csv --to rows --missing skip"),
    ] {
        let old = dir.partita(&format!("{old} convert {arguments}")).run();
        let new = dir.partita(&format!("convert {arguments}")).run();
        assert_eq!(
            (new.code, new.out, new.err),
            (old.code, old.out, old.err),
            "{arguments}"
        );
    }
}

#[test]
fn convert_refuses_a_file_that_fits_several_kinds_and_names_them() {
    let dir = Folder::with("j.json", r#"{"q": [["a", "b"], ["c"]]}"#)
        .and(
            "one.toc",
            "# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n1: 1,2\n",
        )
        .and("three.txt", "q a 1\nq b 2\n")
        .and("numbers.csv", "a,b,c\n1,2,3\n2,1,3\n")
        .and("winner.txt", "t1 1 2 1\nt1 2 3 2\n");
    for (arguments, kinds) in [
        ("j.json --to json", ["truth", "run"].as_slice()),
        ("j.json --to csv", &["truth", "run"]),
        ("one.toc --to preflib", &["truth", "rankings"]),
        ("three.txt --to json", &["truth", "run"]),
        ("numbers.csv --to matrix", &["run", "rankings", "scores"]),
        ("winner.txt --to csv", &["truth", "preferences"]),
    ] {
        let said: Vec<String> = kinds.iter().map(|kind| format!("--kind {kind}")).collect();
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        dir.refuses(&format!("convert {arguments}"), &said);
    }
    for (arguments, expected) in [
        (
            "j.json --to json --kind truth",
            "{\n  \"q\": [[\"a\",\"b\"],[\"c\"]]\n}\n",
        ),
        ("j.json --to notation", "q: (a, b), (c)\n"),
        (
            "j.json --to trec --tag x",
            "q Q0 a 1 3 x\nq Q0 b 2 3 x\nq Q0 c 3 1 x\n",
        ),
        (
            "three.txt --to systems",
            "system,query,item\nq,a,1\nq,b,2\n",
        ),
        (
            "three.txt --to notation --truth-format groups",
            "q: (a), (b)\n",
        ),
        ("winner.txt --to winner", "t1 1 2 1\nt1 2 3 2\n"),
    ] {
        assert_eq!(
            dir.output(&format!("convert {arguments}")),
            expected,
            "{arguments}"
        );
    }
    dir.refuses(
        "convert three.txt --to qrels",
        &["three columns", "--truth-format groups"],
    );
}

#[test]
fn convert_refuses_unknown_files_wrong_kinds_and_options_of_other_kinds() {
    let dir = Folder::with("my.run", "q1 Q0 a 1 2.5 t\n")
        .and("qrels.txt", "q1 0 a 1\n")
        .and("words.txt", "some words that say nothing\nand more\n")
        .and("empty.csv", "")
        .and("bad.json", "{\"q\": 3}")
        .and("candidates.csv", "query,item\nq1,a\nq1,b\n");
    dir.refuses(
        "convert words.txt --to json",
        &[
            "words.txt: this is not recognised",
            "--kind truth|run|rankings|preferences|scores",
        ],
    );
    dir.refuses(
        "convert empty.csv --to json",
        &["empty.csv", "nothing in this file"],
    );
    dir.refuses("convert bad.json --to json", &["bad.json"]);
    dir.refuses("convert none.txt --to json", &["none.txt: cannot be read"]);
    dir.refuses(
        "convert my.run --to json --kind truth",
        &["looks like a run", "give another --kind"],
    );
    dir.refuses(
        "convert my.run --to qrels",
        &["a run cannot be written as qrels", "trec, systems"],
    );
    dir.refuses(
        "convert my.run --to json --keep-zero",
        &["--keep-zero is only for a ground truth"],
    );
    dir.refuses(
        "convert qrels.txt --to json --kind run --label x",
        &["--label is only for"],
    );
    dir.refuses(
        "convert qrels.txt --to json --missing zero",
        &["--missing is only for scores"],
    );
    dir.refuses(
        "convert my.run my.run --to json",
        &["several files must all be rankings"],
    );
    dir.refuses("convert my.run --to nothing", &["possible values"]);
    dir.output("judge init log.jsonl -c candidates.csv");
    dir.refuses(
        "convert log.jsonl --to json",
        &["log of a campaign", "campaign export"],
    );
}
