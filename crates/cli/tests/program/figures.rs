//! `--figure` of every command that draws.

use crate::session::Folder;

/// Every command that draws, on the data of the golden files, and a figure that a folder gets.
const DRAWING: [(&str, &str); 12] = [
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

/// The command with the places of its files, whose names are those with a dot.
fn placed(command: &str) -> String {
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
fn every_command_that_draws_fills_a_folder() {
    for (command, figure) in DRAWING {
        let folder = Folder::new();
        let command = placed(command);
        folder.output(&format!("{command} --figure figures/ -o result.csv"));
        let name = format!("figures/{figure}.svg");
        assert!(folder.path(&name).exists(), "{command} makes no {name}");
        let svg = folder.read(&name);
        assert!(roxmltree::Document::parse(&svg).is_ok(), "{command}");
    }
}

#[test]
fn figures_have_the_format_of_their_file_ending() {
    let folder = Folder::new();
    for (ending, beginning) in [
        ("svg", &b"<svg "[..]),
        ("pdf", b"%PDF-"),
        ("png", b"\x89PNG\r\n"),
        ("PNG", b"\x89PNG\r\n"),
    ] {
        let command = placed("plan scores.csv -m ADR");
        folder.output(&format!("{command} --figure plan.{ending} -o result.csv"));
        let bytes = std::fs::read(folder.path(&format!("plan.{ending}"))).expect("a figure");
        assert!(bytes.starts_with(beginning), "{ending}");
    }
}

#[test]
fn other_file_endings_are_refused_by_every_command() {
    let folder = Folder::new();
    for (command, _) in DRAWING {
        let command = placed(command);
        folder.refuses(
            &format!("{command} --figure x.jpg"),
            &[".svg, .pdf or .png", "figures/"],
        );
        assert!(!folder.path("x.jpg").exists());
    }
}

#[test]
fn a_file_has_room_for_one_list() {
    let folder = Folder::new();
    for command in [
        "truth compare truth.csv second.csv",
        "truth check --preferences preferences.csv",
    ] {
        let command = placed(command);
        let words = ["a figure shows one list", "figures/"];
        folder.refuses(&format!("{command} --figure x.svg"), &words);
    }
}
