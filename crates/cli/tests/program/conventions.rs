//! Tests of the conventions of all commands: help, exit codes, and what goes to which output
//! stream.

use crate::evaluate::scores::assert_near;
use crate::session::Folder;

#[test]
fn every_command_has_a_help_with_an_example() {
    for command in [
        "",
        "evaluate",
        "measures",
        "truth convert",
        "run convert",
        "demo",
    ] {
        let help = Folder::new()
            .partita(&format!("{command} --help"))
            .succeeds()
            .out;
        let (_, examples) = help.split_once("Examples:\n").expect(command);
        assert!(examples.contains(&format!("partita {command}")), "{help}");
    }
}

#[test]
fn every_option_of_evaluate_is_used_in_a_test() {
    let help = Folder::new().partita("evaluate --help").succeeds().out;
    let (options, _) = help.split_once("Examples:\n").unwrap();
    let sources = [
        include_str!("evaluate/options.rs"),
        include_str!("evaluate/formats.rs"),
        include_str!("evaluate/files.rs"),
    ]
    .concat();
    let lines = options.lines().map(str::trim_start);
    let mut count = 0;
    for line in lines.filter(|line| line.starts_with('-')) {
        let words = line.split([' ', ',']);
        let Some(option) = words.into_iter().find(|word| word.starts_with("--")) else {
            continue;
        };
        let used =
            sources.contains(&format!("{option} ")) || sources.contains(&format!("{option}\""));
        assert!(used || option == "--help", "{option} is used in no test");
        count += 1;
    }
    assert!(count > 20, "only {count} options were found in {options}");
}

#[test]
fn the_examples_of_the_help_run() {
    let dir = Folder::with("truth.txt", "q: (a), (b)\n")
        .and("my.run", "q Q0 a 1 2 t\nq Q0 b 2 1 t\nq7 Q0 a 1 2 t\n")
        .and("truth.csv", "query,item,group\nq7,a,1\n");
    let help = dir.partita("evaluate --help").succeeds().out;
    let (_, examples) = help.split_once("Examples:\n").unwrap();
    let mut count = 0;
    for line in examples.lines() {
        let line = line.trim().replace('\'', "");
        if !line.starts_with("partita ") || line.contains("*.run") {
            continue;
        }
        let arguments = line.strip_prefix("partita ").unwrap();
        dir.partita(arguments).succeeds();
        count += 1;
    }
    assert_eq!(count, 2);
    assert!(dir.path("q7.svg").exists());
}

#[test]
fn usage_errors_have_exit_code_2_and_no_standard_output() {
    for wrong in [
        "",
        "evaluate",
        "evaluate --truth t.txt",
        "nonsense",
        "evaluate --truth t.txt r.json --no-such-option",
        "evaluate --truth t.txt r.json --format pdf",
        "evaluate --truth t.txt r.json --ties random",
        "truth convert t.txt",
        "truth convert t.txt --to xml",
    ] {
        let dir = Folder::with("t.txt", "q: (a)\n").and("r.json", r#"{"q": ["a"]}"#);
        let ended = dir.partita(wrong).run();
        assert_eq!(ended.code, 2, "{wrong}");
        assert_eq!(ended.out, "", "{wrong}");
        assert!(!ended.err.is_empty(), "{wrong}");
    }
}

#[test]
fn warnings_never_go_to_standard_output() {
    let dir = Folder::with("t.txt", "q: (a)\np: (b)\n").and("r.json", r#"{"q": ["a", "a"]}"#);
    for format in [
        "table",
        "csv",
        "latex",
        "mediawiki",
        "markdown",
        "trec_eval",
    ] {
        let ended = dir
            .partita(&format!("evaluate --truth t.txt r.json --format {format}"))
            .succeeds();
        ended.says(&["warning: r.json:1: ", "warning: r"]);
        assert!(!ended.out.contains("warning"), "{}", ended.out);
    }
}

#[test]
fn a_closed_output_pipe_is_not_an_error() {
    let mut truth = String::new();
    let mut run = String::new();
    for query in 0..5000 {
        truth.push_str(&format!("q{query}: (a)\n"));
        run.push_str(&format!("q{query} Q0 a 1 1 t\n"));
    }
    let dir = Folder::with("t.txt", truth).and("r.run", run);
    for command in [
        "evaluate --truth t.txt r.run --per-query --format csv",
        "evaluate --truth t.txt r.run --format json",
        "truth convert t.txt --to json",
        "run convert r.run --to json",
        "measures --format json",
        "demo",
        "demo --no-serve",
    ] {
        assert_eq!(dir.partita(command).with_broken_pipe(), 0, "{command}");
    }
}

#[test]
fn a_result_that_cannot_be_written_names_the_file() {
    let dir = Folder::with("t.txt", "q: (a)\n").and("r.json", r#"{"q": ["a"]}"#);
    for option in ["--output", "--figure"] {
        dir.partita(&format!(
            "evaluate --truth t.txt r.json {option} no/such/folder.svg"
        ))
        .refuses(&["no/such/folder.svg", "cannot be written"]);
    }
}

#[test]
fn measures_lists_complete_definitions_and_describes_one() {
    let dir = Folder::new();
    let json = dir.partita("measures --format json").succeeds().json();
    let all = json["measures"].as_array().unwrap();
    for name in ["ADR", "AG", "nDCG", "ANDCG", "AP", "RR", "RBP", "Compat"] {
        let one = all.iter().find(|m| m["name"] == name).expect(name);
        for key in ["summary", "description", "formula", "range", "reference"] {
            assert!(!one[key].as_str().unwrap().is_empty(), "{name} {key}");
        }
    }
    let text = dir.partita("measures nDCG@5").succeeds().out;
    assert!(text.starts_with("nDCG\n") && text.contains("discount = "));
    let table = dir.partita("measures --format table").succeeds().out;
    assert!(table.contains("RBP(p="), "{table}");
    let csv = dir.partita("measures").succeeds().out;
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.records().count(), all.len());
    dir.partita("measures NDGC").refuses(&["nDCG"]);
}

#[test]
fn the_demo_shows_the_worked_example_and_writes_its_files() {
    let dir = Folder::new();
    let ended = dir.partita("demo --no-serve --output here").succeeds();
    assert!(ended.out.contains("0.86"), "{}", ended.out);
    // One of its runs lacks a query. A newcomer reads the warning after the table, not as the first line.
    assert_eq!(ended.err, "");
    let warning = ended
        .out
        .find("The command also warns: rhythm.run: queries missing");
    assert!(warning > ended.out.find("rhythm  0.2363"), "{}", ended.out);
    let shown = ended.out.lines().map(str::trim);
    let shown = shown.filter_map(|line| line.strip_prefix("partita evaluate "));
    let shown = shown.collect::<Vec<_>>()[0];
    let shown = shown.replace("*.run", "contour.run ngrams.run rhythm.run");
    // The printed command, run on the written files, gives the printed table.
    let inside = Folder::new();
    for file in ["truth.txt", "contour.run", "ngrams.run", "rhythm.run"] {
        std::fs::copy(dir.path("here").join(file), inside.path(file)).unwrap();
    }
    let table = inside.partita(&format!("evaluate {shown} --format table"));
    let table = table.succeeds().out;
    assert!(ended.out.contains(&table), "{table}");
    let svg = dir.read("here/recall.svg");
    roxmltree::Document::parse(&svg).unwrap();
}

#[test]
fn version_prints_the_package_version() {
    let version = Folder::new().partita("--version").succeeds().out;
    assert_eq!(
        version.trim(),
        concat!("partita ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn measures_accept_parameters_and_cut_offs() {
    let dir = Folder::with("t.qrels", "q 0 a 2\nq 0 b 1\n").and("r.json", r#"{"q": ["b", "a"]}"#);
    let scores = dir.scores(
        "--truth t.qrels r.json -m AP(rel=2) -m nDCG(discount=log2p1,ideal=max)@2 -m AG(scale=max)@2 -m adr@1",
    );
    assert_near(scores.value("r", "q", "AP(rel=2)"), 0.5);
    // The run has gains 1, 2; with ideal=max the ideal gains are 2, 2. The discounts are 1 and
    // log2(3).
    let (ours, best) = (1.0 + 2.0 / 3f64.log2(), 2.0 + 2.0 / 3f64.log2());
    assert_near(scores.value("r", "q", "nDCG(ideal=max)@2"), ours / best);
    assert_near(scores.value("r", "q", "AG(scale=max)@2"), 0.75);
    assert_eq!(scores.value("r", "q", "ADR@1"), 0.0);
}
