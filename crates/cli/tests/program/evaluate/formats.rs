//! Tests of the output formats of `partita evaluate`.

use serde_json::{Value, json};

use crate::evaluate::scores::{Scores, assert_near};
use crate::session::Folder;

/// Ground truths of worked examples of average dynamic recall (Typke et al. 2006; Urbano et al.
/// 2010). [`RUN`] has the result lists and [`ADR`] the expected values.
const TRUTH: &str = "\
typke: (1, 2), (3, 4, 5)
false positive: (1, 2), (3, 4, 5)
urbano: (A, B), (C), (D, E, F)
L2: (A, B, C), (D, E)
L3: (A, B, C), (D, E)
";
const RUN: &str = r#"{
  "typke": ["2", "3", "1", "5", "7", "8", "9", "4"],
  "false positive": ["2", "10", "3", "1", "5", "7", "8", "9", "4"],
  "urbano": ["B", "C", "A", "G", "H", "D"],
  "L2": ["A", "B", "D", "E", "C"],
  "L3": ["A", "B", "C", "D", "E"]
}"#;
const ADR: [(&str, f64); 5] = [
    ("typke", 0.86),
    ("false positive", 223.0 / 300.0),
    ("urbano", 271.0 / 360.0),
    ("L2", 14.0 / 15.0),
    ("L3", 1.0),
];

fn folder_with_worked_examples() -> Folder {
    Folder::with("truth.txt", TRUTH).and("mine.json", RUN)
}

/// Returns the mean of the expected values of all examples.
fn expected_mean() -> f64 {
    ADR.iter().map(|(_, adr)| adr).sum::<f64>() / 5.0
}

#[test]
fn worked_examples_have_their_published_scores() {
    let scores = folder_with_worked_examples().scores("--truth truth.txt mine.json");
    for (query, adr) in ADR {
        assert_near(scores.value("mine", query, "ADR"), adr);
    }
    assert_near(scores.value("mine", "all", "ADR"), expected_mean());
    assert_eq!(scores.value("mine", "typke", "ADR"), 0.86);
    assert_eq!(scores.value("mine", "L3", "ADR"), 1.0);
    let printed = |query| format!("{:.3}", scores.value("mine", query, "ADR"));
    assert_eq!(printed("false positive"), "0.743");
    assert_eq!(printed("urbano"), "0.753");
    assert_eq!(printed("L2"), "0.933");
}

#[test]
fn output_that_is_not_a_terminal_is_csv_of_the_means() {
    let ended = folder_with_worked_examples()
        .partita("evaluate --truth truth.txt mine.json")
        .succeeds();
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines[0], "run,query,measure,value,kind");
    assert_eq!(lines.len(), 2);
    assert!(lines[1].starts_with("mine,all,ADR,0.857"), "{}", lines[1]);
    assert_eq!(ended.err, "");
}

#[test]
fn csv_and_json_have_exactly_the_same_numbers() {
    let dir = folder_with_worked_examples();
    let arguments = "--truth truth.txt mine.json -m ADR -m nDCG -m RBP(p=0.8)";
    let scores = dir.scores(arguments);
    let json = dir.evaluation(arguments);
    let run = &json["runs"][0];
    let mut compared = 0;
    for [_, query, measure, value] in scores.rows() {
        let same = match query.as_str() {
            "all" => &run["mean"][measure],
            query => &run["per_query"][query][measure],
        };
        assert_eq!(Some(value.parse().unwrap()), same.as_f64());
        compared += 1;
    }
    assert_eq!(compared, 3 * 6);
}

#[test]
fn json_has_the_documented_keys() {
    let dir =
        folder_with_worked_examples().and("few.json", r#"{"typke": ["2"], "stranger": ["1"]}"#);
    let json = dir.evaluation("--truth truth.txt mine.json few.json -m ADR -m P@2");
    assert_eq!(json["measures"], json!(["ADR", "P@2"]));
    let run = &json["runs"][0];
    assert_eq!(run["run"], "mine");
    assert_eq!(run["queries"], 5);
    assert_eq!(run["missing"], json!([]));
    // Of the two documents per query that P@2 uses, only `10` of one of the five queries is
    // unjudged.
    assert_near(run["unjudged"]["P@2"].as_f64().unwrap(), 0.5 / 5.0);
    assert_near(run["mean"]["ADR"].as_f64().unwrap(), expected_mean());
    assert_eq!(run["per_query"]["typke"]["ADR"], json!(0.86));
    let few = &json["runs"][1];
    assert_eq!(
        few["missing"],
        json!(["false positive", "urbano", "L2", "L3"])
    );
    let warnings = json["warnings"].as_array().unwrap();
    let unknown = warnings.iter().find(|w| w["file"] == "few.json").unwrap();
    assert!(unknown["message"].as_str().unwrap().contains("stranger"));
    for warning in warnings {
        let keys: Vec<&String> = warning.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["code", "file", "line", "message", "fields"]);
    }
}

#[test]
fn json_has_formulas_and_the_dynamic_recall_at_each_position() {
    let json = folder_with_worked_examples()
        .evaluation("--truth truth.txt mine.json -m nDCG@5 --per-query");
    let formula = json["formulas"]["nDCG@5"].as_str().unwrap();
    assert!(formula.contains("log2(i + 1)"), "{formula}");
    let recall: Vec<f64> = json["runs"][0]["dynamic_recall"]["urbano"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value.as_f64().unwrap())
        .collect();
    assert_eq!(recall, [1.0, 0.5, 1.0, 0.75, 0.6, 2.0 / 3.0]);
}

#[test]
fn a_table_rounds_to_four_decimals_and_names_the_formula() {
    let ended = folder_with_worked_examples()
        .partita("evaluate --truth truth.txt mine.json --format table --per-query")
        .succeeds();
    let row = |query: &str, adr: &str| {
        let found = ended.out.lines().find(|line| line.starts_with(query));
        let line = found.unwrap_or_else(|| panic!("no {query} in {}", ended.out));
        assert!(line.trim_end().ends_with(adr), "{line}");
    };
    row("typke", "0.8600");
    row("false positive", "0.7433");
    row("urbano", "0.7528");
    row("L2", "0.9333");
    row("L3", "1.0000");
    assert!(ended.out.contains("mine  0.8579"), "{}", ended.out);
    assert!(ended.out.contains("Means over 5 queries."));
    assert!(ended.out.contains("ADR = (1/k)"));
}

/// Returns a folder with two runs. The second is better; the name of the first has a character that
/// LaTeX must escape.
fn two_runs() -> Folder {
    Folder::with("truth.txt", "q: (a), (b)\n")
        .and("a_b.json", r#"{"q": ["b", "a"]}"#)
        .and("good.json", r#"{"q": ["a", "b"]}"#)
}

fn two_runs_as(format: &str) -> String {
    let command = format!("evaluate --truth truth.txt a_b.json good.json --format {format}");
    two_runs().partita(&command).succeeds().out
}

#[test]
fn latex_is_a_booktabs_table_with_the_best_score_in_bold() {
    let text = two_runs_as("latex");
    assert!(text.contains(r"\begin{tabular}{lr}"));
    assert!(text.contains(r"\toprule"));
    // Dynamic recall is 0 at position 1 and 1 at position 2, so ADR is (0 + 1) / 2.
    assert!(text.contains(r"a\_b & 0.5000 \\"), "{text}");
    assert!(text.contains(r"good & \textbf{1.0000} \\"), "{text}");
    assert_eq!(
        text.matches(r"\begin{").count(),
        text.matches(r"\end{").count()
    );
}

#[test]
fn a_latex_table_has_the_caption_and_the_label_that_are_given() {
    let text = two_runs_as("latex --caption Ours --latex-label tab:ours");
    assert!(
        text.contains("\\caption{Ours}\n\\label{tab:ours}\n"),
        "{text}"
    );
}

#[test]
fn mediawiki_is_a_wikitable_with_the_best_score_in_bold() {
    let text = two_runs_as("mediawiki");
    assert!(text.starts_with("{| class=\"wikitable"));
    assert!(text.contains("\n|}\n"));
    assert!(text.contains("| a_b\n"), "{text}");
    assert!(text.contains("'''1.0000'''"), "{text}");
    assert!(text.contains("| 0.5000\n"), "{text}");
}

#[test]
fn markdown_is_a_pipe_table_with_the_best_score_in_bold() {
    let text = two_runs_as("markdown");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("| Run"), "{text}");
    assert!(lines[1].starts_with("| :-"), "{text}");
    assert!(text.contains("**1.0000**"), "{text}");
    assert!(text.contains("0.5000"), "{text}");
}

#[test]
fn trec_eval_lines_are_measure_query_and_value_separated_by_tabs() {
    let ended = folder_with_worked_examples()
        .partita("evaluate --truth truth.txt mine.json --format trec_eval --per-query")
        .succeeds();
    let rows: Vec<Vec<&str>> = ended
        .out
        .lines()
        .map(|line| line.split('\t').map(str::trim_end).collect())
        .collect();
    assert_eq!(rows[0], ["ADR", "typke", "0.8600"]);
    assert_eq!(rows[1], ["ADR", "false positive", "0.7433"]);
    assert!(rows.contains(&vec!["runid", "all", "mine"]));
    assert!(rows.contains(&vec!["num_q", "all", "5"]));
    assert_eq!(rows.last().unwrap(), &vec!["ADR", "all", "0.8579"]);
    // trec_eval pads the name of the measure to 22 characters.
    assert!(ended.out.starts_with("ADR                   \ttypke"));
}

#[test]
fn every_format_can_go_to_a_file_and_leaves_standard_output_empty() {
    let dir = folder_with_worked_examples();
    for format in [
        "table",
        "csv",
        "json",
        "latex",
        "mediawiki",
        "markdown",
        "trec_eval",
    ] {
        let command = format!("evaluate --truth truth.txt mine.json --format {format}");
        let printed = dir.partita(&command).succeeds().out;
        let ended = dir.partita(&format!("{command} --output out")).succeeds();
        assert_eq!(ended.out, "");
        assert_eq!(dir.read("out"), printed);
    }
}

#[test]
fn ties_give_the_lowest_and_highest_score_in_csv_json_and_table() {
    // Example of Urbano, Morato, Marrero and Martín (2010): the groups of the result have 12
    // orders.
    let dir = Folder::with("truth.txt", "q: (A, B, C), (D, E)\n")
        .and("r.json", r#"{"q": [["A", "B"], ["D", "E", "C"]]}"#);
    let scores = dir.scores("--truth truth.txt r.json");
    assert_near(scores.value("r", "all", "ADR"), 43.0 / 45.0);
    assert_near(scores.value("r", "all", "ADR:min"), 14.0 / 15.0);
    assert_near(scores.value("r", "all", "ADR:max"), 1.0);
    assert_near(scores.value("r", "q", "ADR:min"), 14.0 / 15.0);
    let json = dir.evaluation("--truth truth.txt r.json");
    let run = &json["runs"][0];
    let at = |value: &Value| value.as_f64().unwrap();
    assert_near(at(&run["min"]["ADR"]), 14.0 / 15.0);
    assert_near(at(&run["max"]["ADR"]), 1.0);
    assert_near(at(&run["per_query_min"]["q"]["ADR"]), 14.0 / 15.0);
    assert_near(at(&run["per_query_max"]["q"]["ADR"]), 1.0);
    let table = dir.partita("evaluate --truth truth.txt r.json --format table");
    let table = table.succeeds().out;
    assert!(table.contains("0.9556 (0.9333 to 1.0000)"), "{table}");
}

#[test]
fn names_with_commas_and_quotes_read_back_from_csv() {
    let dir = Folder::with("t.json", r#"{"q, \"one\"": [["a"]]}"#)
        .and("r.json", r#"{"q, \"one\"": ["a"]}"#);
    let scores = dir.scores("--truth t.json r.json");
    assert_eq!(scores.value("r", "q, \"one\"", "ADR"), 1.0);
    let empty = Scores::read("run,query,measure,value\n");
    assert!(empty.rows().is_empty());
}

#[test]
fn compare_reads_unusual_names_from_the_csv_of_evaluate() {
    let truth = r##"{"all:x": [["a"]], "#1": [["a"]], "q, 3": [["a"]], "\"q\"": [["a"]]}"##;
    let dir = Folder::with("t.json", truth)
        .and(
            "#bad.json",
            r##"{"all:x": ["x", "a"], "#1": ["a"], "q, 3": [], "\"q\"": ["y", "a"]}"##,
        )
        .and(
            "b.json",
            r##"{"all:x": ["a"], "#1": ["a"], "q, 3": ["a"], "\"q\"": ["a"]}"##,
        )
        .and(
            "c.json",
            r##"{"all:x": ["a"], "#1": [], "q, 3": ["a"], "\"q\"": ["y", "a"]}"##,
        )
        .and("g.csv", "all:x,all\n\"#1\",all\n");
    let command = "evaluate --truth t.json #bad.json b.json c.json -m RR --groups g.csv \
                   --intervals --resamples 9 --per-query --format csv";
    let scores = dir.output(command);
    let compared = Folder::with("scores.csv", scores).output("compare scores.csv --format json");
    assert!(compared.contains("\"#bad\""), "{compared}");
    assert!(compared.contains("\"queries\": 4"), "{compared}");
}

#[test]
fn compare_reads_the_matrix_with_a_row_per_query_and_a_column_per_run() {
    let dir = Folder::with("t.txt", "q1: (a), (b)\nq2: (a), (b)\nq3: (a)\n")
        .and(
            "r.run",
            "q1 Q0 a 1 2 r\nq1 Q0 b 2 1 r\nq2 Q0 a 1 2 r\nq2 Q0 b 2 1 r\n",
        )
        .and(
            "s.run",
            "q1 Q0 b 1 2 s\nq1 Q0 a 2 1 s\nq2 Q0 a 1 2 s\nq2 Q0 b 2 1 s\n",
        )
        .and("strata.csv", "query,stratum\nq1,jazz\nq2,rock\nq3,rock\n");
    let matrix = dir.output("evaluate --truth t.txt r.run s.run --format matrix");
    assert_eq!(matrix, "query,r,s\nq1,1,0.5\nq2,1,1\nq3,0,0\n");
    let strata = "evaluate --truth t.txt r.run s.run --strata strata.csv --format matrix";
    assert_eq!(
        dir.output(strata),
        "query,stratum,r,s\nq1,jazz,1,0.5\nq2,rock,1,1\nq3,rock,0,0\n"
    );
    let compared = dir
        .partita("compare - --format json")
        .input(matrix)
        .succeeds()
        .json();
    assert_eq!(compared["comparisons"][0]["systems"][0]["system"], "r");
    dir.refuses(
        "evaluate --truth t.txt r.run s.run -m ADR,RR --format matrix",
        &["one measure", "choose one with -m: ADR, RR"],
    );
}

#[test]
fn tables_put_runs_side_by_side_with_their_mean_below() {
    let dir = Folder::with("t.txt", "q1: (a), (b)\nq2: (a), (b)\n")
        .and(
            "r.run",
            "q1 Q0 a 1 2 r\nq1 Q0 b 2 1 r\nq2 Q0 a 1 2 r\nq2 Q0 b 2 1 r\n",
        )
        .and(
            "s.run",
            "q1 Q0 b 1 2 s\nq1 Q0 a 2 1 s\nq2 Q0 x 1 2 s\nq2 Q0 b 2 1 s\n",
        )
        .and("strata.csv", "query,stratum\nq1,jazz\nq2,rock\n");
    let command = "evaluate --truth t.txt r.run s.run -m ADR,RR,P@1 --per-query --strata strata.csv \
                   --format markdown";
    let text = dir.output(command);
    let row = |cells: &[&str]| {
        let is = |line: &str| {
            let found = line
                .split('|')
                .map(str::trim)
                .filter(|cell| !cell.is_empty());
            found.eq(cells.iter().copied())
        };
        assert!(text.lines().any(is), "no {cells:?} in\n{text}");
    };
    row(&["Query", "r", "s"]);
    row(&["q1", "1.0000", "0.5000"]);
    row(&["Stratum", "Queries", "r", "s"]);
    row(&["jazz", "1", "1.0000", "0.5000"]);
    row(&["all", "2", "**1.0000**", "0.3750"]);
    row(&["mean", "**1.0000**", "0.3750"]);
    // Measures with the same cut-off, or without one, share a column of unjudged documents.
    row(&["Run", "ADR", "RR", "P@1", "unjudged", "unjudged@1"]);
}

#[test]
fn numbers_w6_a_query_named_all_passes_from_evaluate_through_the_commands_that_read_scores() {
    let queries = ["all", "q1", "q2", "q3", "q4", "q5"];
    let truth: String = queries
        .iter()
        .map(|query| format!("{query}: (a), (b)\n"))
        .collect();
    let mut dir = Folder::with("t.txt", truth);
    for (run, step) in [("r1", 2), ("r2", 3)] {
        let lists = queries.iter().enumerate().map(|(number, query)| {
            let before: String = (0..(number + 1) * step % 5)
                .map(|x| format!(" x{x}"))
                .collect();
            format!("{query}{before} a b\n")
        });
        dir = dir.and(&format!("{run}.txt"), lists.collect::<String>());
    }
    let arguments = "--truth t.txt r1.txt r2.txt --run-format lines -m ADR";
    let written = dir
        .partita(&format!(
            "evaluate {arguments} --per-query --format csv --output s.csv"
        ))
        .succeeds();
    assert_eq!(written.err, "");
    for (command, queries) in [
        ("compare s.csv", "/comparisons/0/queries"),
        ("plan s.csv", "/measures/0/queries"),
        ("reliability s.csv --sizes 3", "/measures/0/queries"),
    ] {
        let ended = dir.partita(&format!("{command} --format json")).succeeds();
        assert_eq!(
            ended.json().pointer(queries),
            Some(&6.into()),
            "{command}: {}",
            ended.out
        );
    }
    // In the output of trec_eval alone, nothing tells the query from the mean.
    let ended = dir
        .partita(&format!("evaluate {arguments} --format trec_eval"))
        .succeeds();
    ended.says(&[
        "warning: t.txt: a query is called `all`, as the means are in the output of trec_eval",
    ]);
}
