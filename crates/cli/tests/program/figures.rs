//! Tests of the option `--figure` of every command that has it.

use crate::session::Folder;

/// Every command with `--figure`, applied to the data of the golden tests, and the name of a figure
/// that it writes to a folder.
const DRAWING_COMMANDS: [(&str, &str); 12] = [
    (
        "evaluate --truth truth.csv alpha.run beta.run",
        "dynamic-recall",
    ),
    ("compare scores.csv -m ADR --test t", "ADR-means"),
    ("reliability scores.csv -m ADR --trials 5 --test t", "power"),
    ("plan scores.csv -m ADR", "plan"),
    (
        "truth check --rankings rankings-matrix.csv",
        "rankings-matrix",
    ),
    ("truth check --preferences preferences.csv", "q1"),
    ("truth compare truth.csv second.csv", "q1"),
    ("truth study --rankings rankings.csv", "consistency"),
    ("judge status campaign-running.jsonl", "status"),
    ("judge batches --preferences preferences.csv", "batches"),
    ("judge screen --preferences preferences.csv", "screening"),
    (
        "judge simulate --strategies sort --lists 1 --items 4",
        "inversions",
    ),
];

fn data(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/data");
    format!("{folder}/{name}")
}

/// Replaces the file names in a command, which are the words with a dot, by paths of the golden
/// data.
fn with_data_paths(command: &str) -> String {
    let words = command.split(' ').map(|word| {
        if word.contains('.') {
            data(word)
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_drawing_command_writes_figures_to_a_folder() {
    for (command, figure) in DRAWING_COMMANDS {
        let folder = Folder::new();
        let command = with_data_paths(command);
        folder.output(&format!("{command} --figure figures/ -o result.csv"));
        let name = format!("figures/{figure}.svg");
        assert!(folder.path(&name).exists(), "{command} makes no {name}");
        let svg = folder.read(&name);
        assert!(roxmltree::Document::parse(&svg).is_ok(), "{command}");
    }
}

#[test]
fn figures_have_the_format_of_their_file_extension() {
    let folder = Folder::new();
    for (ending, beginning) in [
        ("svg", &b"<svg "[..]),
        ("pdf", b"%PDF-"),
        ("png", b"\x89PNG\r\n"),
        ("PNG", b"\x89PNG\r\n"),
    ] {
        let command = with_data_paths("plan scores.csv -m ADR");
        folder.output(&format!("{command} --figure plan.{ending} -o result.csv"));
        let bytes = std::fs::read(folder.path(&format!("plan.{ending}"))).expect("a figure");
        assert!(bytes.starts_with(beginning), "{ending}");
    }
}

#[test]
fn every_command_refuses_unknown_file_extensions_of_figures() {
    let folder = Folder::new();
    for (command, _) in DRAWING_COMMANDS {
        let command = with_data_paths(command);
        folder.refuses(
            &format!("{command} --figure x.jpg"),
            &[".svg, .pdf or .png", "figures/"],
        );
        assert!(!folder.path("x.jpg").exists());
    }
}

#[test]
fn figures_of_several_lists_in_one_file_are_refused() {
    let folder = Folder::new();
    for command in [
        "truth compare truth.csv second.csv",
        "truth check --preferences preferences.csv",
    ] {
        let command = with_data_paths(command);
        let words = ["a figure shows one list", "figures/"];
        folder.refuses(&format!("{command} --figure x.svg"), &words);
    }
}
