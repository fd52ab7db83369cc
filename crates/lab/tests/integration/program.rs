//! The binary `partita-lab`.

use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_partita-lab");
    let output = Command::new(program).args(arguments).output();
    output.expect("the program runs")
}

fn text(arguments: &[&str]) -> String {
    let output = lab(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

const SMALL: [&str; 8] = [
    "--lists",
    "4",
    "--items",
    "4:5",
    "--votes",
    "4",
    "--resamples",
    "20",
];

const PREFERENCES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../cli/tests/golden/data/preferences.csv"
);

const RECORDED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../cli/tests/golden/data/recorded.csv"
);

#[test]
fn each_study_is_printed_as_a_table_and_as_json() {
    let small = |study: &[&'static str]| [study, &SMALL].concat();
    for (study, title, key) in [
        (
            small(&["simulate", "--world", "much equal"]),
            "inversions",
            "\"lists_per_campaign\": 4",
        ),
        (
            small(&["calibration", "--world", "pair effects 3"]),
            "Relations: error",
            "\"pair_spread\"",
        ),
        (
            small(&["calibration", "--oracle", RECORDED]),
            "Predicted",
            "\"world\": null",
        ),
        (
            vec!["predict", "--preferences", PREFERENCES, "--votes", "3"],
            "Pooled direction",
            "\"held_out\"",
        ),
    ] {
        let table = text(&study);
        assert!(table.contains(title), "{study:?}: {table}");
        let json = text(&[&study[..], &["--format", "json"]].concat());
        assert!(json.contains(key), "{study:?}: {json}");
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let found = |threads: &'static str| {
        let study = ["calibration", "--format", "json", "--threads", threads];
        text(&[&study[..], &SMALL].concat())
    };
    assert_eq!(found("1"), found("2"));
}

#[test]
fn an_unknown_world_is_answered_with_all_names() {
    let output = lab(&["simulate", "--world", "utopia"]);
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("no world is called `utopia`; there are `base`, "),
        "{errors}"
    );
}
