//! Tests of the output formats and figures of `partita compare`.

use crate::session::{Folder, outcome_of, outcome_with, output_of};

const TWO_MEASURES: &str = "system,query,measure,value
x,1,AP,0.9\ny,1,AP,0.1\nx,2,AP,0.8\ny,2,AP,0.2\nx,3,AP,0.7\ny,3,AP,0.1\nx,4,AP,0.6\ny,4,AP,0.2
x,5,AP,0.9\ny,5,AP,0.1\nx,6,AP,0.9\ny,6,AP,0.3\nx,1,RR,1\ny,1,RR,0.5\nx,2,RR,1\ny,2,RR,1
x,3,RR,0.5\ny,3,RR,1\nx,all,AP,0.8\ny,all,AP,0.1\n";

/// Returns the output of `partita compare` for [`TWO_MEASURES`].
fn compare_two_measures(options: &[&str]) -> String {
    let arguments = [&["compare", "-"], options].concat();
    let said = outcome_with(TWO_MEASURES, &arguments);
    assert_eq!(said.code, 0, "{}", said.err);
    said.out
}

#[test]
fn csv_has_a_row_for_each_pair_of_each_measure() {
    let text = compare_two_measures(&[]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("measure,a,b,difference,lower,upper,d,a12,wins,ties,losses,"));
    assert!(lines[1].starts_with("AP,x,y,0.6"), "{}", lines[1]);
    assert!(
        lines[1].ends_with(",0.03125,0.03125,true,x,,permutation"),
        "{}",
        lines[1]
    );
    assert!(lines[2].starts_with("RR,x,y,0,"), "{}", lines[2]);
}

#[test]
fn several_measures_are_columns_of_one_table() {
    let text = compare_two_measures(&["--format", "table"]);
    let first: Vec<&str> = text.lines().take(6).collect();
    assert_eq!(first[0], "Systems by measure: mean and group");
    assert!(first[2].starts_with("System  AP"), "{text}");
    assert!(first[4].contains("0.8000 a"), "{text}");
    // Each mean is shown once, and the table of pairs only on request.
    assert_eq!(text.matches("0.8000").count(), 1, "{text}");
    assert_eq!(text.matches("Error rates").count(), 1, "{text}");
    assert!(!text.contains("Pairs by"), "{text}");
    let pairs = compare_two_measures(&["--format", "table", "--pairs"]);
    for words in ["Pairs by AP", "Pairs by RR"] {
        assert!(pairs.contains(words), "{words}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&compare_two_measures(&["--format", "json"])).expect("JSON");
    assert_eq!(json["comparisons"].as_array().map(Vec::len), Some(2));
    let one: serde_json::Value =
        serde_json::from_str(&compare_two_measures(&["--format", "json", "-m", "AP"]))
            .expect("JSON");
    assert_eq!(one["comparisons"][0], json["comparisons"][0]);
}

#[test]
fn tables_are_written_as_latex_mediawiki_and_markdown() {
    for (format, words) in [
        ("latex", "\\begin{tabular}"),
        ("mediawiki", "{|"),
        ("markdown", "| x"),
    ] {
        let text = compare_two_measures(&["--format", format]);
        assert!(text.contains(words), "{format}: {text}");
        assert!(text.contains("permutation"), "{format}");
        for for_a_terminal in ["--like", "Error rates", "Not transitive"] {
            assert!(!text.contains(for_a_terminal), "{format}: {text}");
        }
    }
}

#[test]
fn details_print_the_settings_and_the_seed() {
    let text = compare_two_measures(&["--format", "table", "--details", "--seed", "7"]);
    assert!(
        text.contains("seed 7") && text.contains("all pairs are compared"),
        "{text}"
    );
    let json = compare_two_measures(&["--format", "json", "--details", "-m", "AP"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["comparisons"][0]["settings"]["rounding"], "relative");
}

#[test]
fn json_states_the_rounding_rule_and_the_controlled_error_rate() {
    let json = |more: &[&str]| -> serde_json::Value {
        let json = compare_two_measures(&[&["--format", "json", "-m", "AP"], more].concat());
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        json["comparisons"][0].clone()
    };
    let two = json(&[]);
    assert_eq!(two["rounding"]["rule"], "relative");
    assert!(two["rounding"]["ties"].is_u64());
    assert_eq!(two["error_rates"]["held_at_alpha"], "experiment_wide");
    let one = json(&["--tails", "1", "--unrounded"]);
    assert_eq!(
        one["rounding"],
        serde_json::json!({"rule": "none", "ties": 0})
    );
    assert_eq!(one["error_rates"]["held_at_alpha"], serde_json::Value::Null);
    assert_eq!(one["error_rates"]["held"], "experiment_wide");
    assert_eq!(one["error_rates"]["held_at"], 0.1);
    let text = compare_two_measures(&["--format", "table", "--tails", "1"]);
    assert!(
        text.contains("holds the experiment-wide rate at 0.1, since"),
        "{text}"
    );
}

#[test]
fn the_result_goes_to_a_file_and_figures_to_files_or_a_folder() {
    let folder = Folder::new();
    let path = |name: &str| folder.place(name);
    let scores = folder.file("scores.csv", TWO_MEASURES);
    let out = output_of(&["compare", &scores, "--output", &path("out.csv")]);
    assert!(out.is_empty());
    assert!(
        std::fs::read_to_string(path("out.csv"))
            .expect("a file")
            .contains("AP,x,y")
    );
    for kind in ["cd", "means", "matrix", "hasse"] {
        let figure = path(&format!("{kind}.svg"));
        output_of(&[
            "compare", &scores, "-m", "AP", "--figure", &figure, "--kind", kind,
        ]);
        let svg = std::fs::read_to_string(&figure).expect("a figure");
        let svg = roxmltree::Document::parse(&svg).expect("XML");
        assert_eq!(svg.root_element().tag_name().name(), "svg");
    }
    let figures = path("figures/");
    output_of(&["compare", &scores, "--figure", &figures]);
    let mut names: Vec<String> = std::fs::read_dir(&figures)
        .expect("a folder")
        .map(|file| {
            file.expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "AP-hasse.svg",
            "AP-matrix.svg",
            "AP-means.svg",
            "RR-hasse.svg",
            "RR-matrix.svg",
            "RR-means.svg",
        ]
    );
    for (more, drawn) in [
        (&["--baseline", "x"][..], "against x"),
        (&["--like", "mirex"], "Tukey&#39;s intervals"),
        (&["--test", "t"], "<title>Mean AP of"),
        (&["--test", "wilcoxon"], "<title>Mean ranks of"),
    ] {
        let drawing = ["compare", &scores, "-m", "AP", "--figure", &path("b.svg")];
        output_of(&[&drawing[..], more].concat());
        let svg = std::fs::read_to_string(path("b.svg")).expect("a figure");
        assert!(svg.contains(drawn), "{more:?}: {svg}");
    }
}

#[test]
fn the_help_has_examples() {
    let said = outcome_of(&["compare", "--help"]);
    assert!(said.out.contains("Examples:") && said.out.contains("--like mirex"));
}

#[test]
fn group_letters_are_explained_only_if_the_table_has_them() {
    let against = compare_two_measures(&[
        "--format",
        "table",
        "-m",
        "AP",
        "--baseline",
        "x",
        "--baseline",
        "y",
    ]);
    assert!(!against.contains("share a letter"), "{against}");
    let all = compare_two_measures(&["--format", "table", "-m", "AP"]);
    assert!(all.contains("share a letter"), "{all}");
}

#[test]
fn a_baseline_is_always_subtracted() {
    let table = compare_two_measures(&["--format", "table", "-m", "AP", "--baseline", "x"]);
    assert!(
        table.starts_with("Systems by AP, minus x (mean 0.8000)\n"),
        "{table}"
    );
    assert!(
        table
            .lines()
            .any(|line| line.starts_with("y ") && line.contains(" -0.6")),
        "{table}"
    );
    let csv = compare_two_measures(&["--format", "csv", "-m", "AP", "--baseline", "x"]);
    assert!(
        csv.lines()
            .nth(1)
            .is_some_and(|row| row.starts_with("AP,y,x,-0.6")),
        "{csv}"
    );
}

#[test]
fn tables_say_which_end_of_mean_ranks_is_best() {
    let table = compare_two_measures(&["--format", "table", "-m", "AP"]);
    assert!(table.contains("Mean rank (1 is best)"), "{table}");
    let table = compare_two_measures(&["--format", "table", "-m", "AP", "--like", "mirex"]);
    assert!(table.contains("Mean rank (highest is best)"), "{table}");
    assert!(
        table.contains("the highest is best, as MIREX has it"),
        "{table}"
    );
}

#[test]
fn captions_and_labels_are_refused_for_formats_without_them() {
    let table =
        compare_two_measures(&["--format", "latex", "--caption", "Ours", "--label", "tab:x"]);
    assert!(
        table.contains("\\caption{Ours}\n\\label{tab:x}\n"),
        "{table}"
    );
    for (format, option) in [
        ("csv", "--caption"),
        ("json", "--latex-label"),
        ("markdown", "--latex-label"),
    ] {
        let said = outcome_with(
            TWO_MEASURES,
            &["compare", "-", "--format", format, option, "x"],
        );
        assert_eq!(said.code, 2);
        assert!(
            said.err.contains(&format!("{option} is only for ")),
            "{}",
            said.err
        );
    }
}

#[test]
fn numbers_w3_a_sentence_says_which_pair_could_not_be_tested() {
    let scores = "query,x,y\n1,0.5,0.25\n2,0.75,0.5\n3,1,0.75\n4,0.25,0\n";
    for test in ["t", "bootstrap"] {
        let table = outcome_with(
            scores,
            &["compare", "-", "--test", test, "--format", "table"],
        );
        assert_eq!(table.code, 0);
        assert!(
            table
                .err
                .contains("the difference of x and y is 0.2500 on every query"),
            "{}",
            table.err
        );
        assert!(
            table.out.contains("No pair of systems was tested"),
            "{}",
            table.out
        );
        assert!(!table.out.contains("[0.2500"), "{}", table.out);
        let csv = outcome_with(scores, &["compare", "-", "--test", test, "--format", "csv"]);
        let row = csv.out.lines().nth(1).expect("a row");
        assert!(row.starts_with("score,x,y,0.25,,,,"), "{row}");
    }
}

#[test]
fn numbers_w5_the_table_says_that_intervals_are_not_corrected() {
    let scores = "query,x,y,z\n1,0.5,0.25,0.1\n2,0.7,0.5,0.3\n3,0.9,0.75,0.1\n4,0.25,0,0.4\n";
    let note = "Intervals are for each pair by itself, not corrected";
    for (test, is_noted) in [("friedman-tukey", true), ("randomised-tukey", false)] {
        let table = outcome_with(
            scores,
            &["compare", "-", "--test", test, "--format", "table"],
        );
        assert_eq!(table.out.contains(note), is_noted, "{}", table.out);
    }
}

#[test]
fn numbers_c1_the_choice_of_the_default_test_names_its_condition() {
    let table = outcome_with(TWO_MEASURES, &["compare", "-", "--format", "table"]);
    let text = table.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("They hold their level if differences are symmetric or systems exchangeable"),
        "{text}"
    );
}

#[test]
fn a_bound_on_the_resamples_is_named() {
    // One pair at a level that 1,000,000,000 resamples cannot reach with a margin of two.
    let rows = (0..25).map(|query| format!("{query},{},0.5\n", 0.1 * f64::from(query % 7)));
    let scores = format!("query,x,y\n{}", rows.collect::<String>());
    let found = outcome_with(
        &scores,
        &[
            "compare",
            "-",
            "--test",
            "bootstrap",
            "--alpha",
            "1e-8",
            "--format",
            "json",
        ],
    );
    assert!(
        found.out.contains("the bound on the work of a test"),
        "{}",
        found.out
    );
}
