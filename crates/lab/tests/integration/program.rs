//! The binary `partita-lab`.

use std::process::{Command, Output};

fn run_lab(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_partita-lab");
    let output = Command::new(program).args(arguments).output();
    output.expect("the program runs")
}

fn lab_output(arguments: &[&str]) -> String {
    let output = run_lab(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

const SMALL_STUDY_OPTIONS: [&str; 8] = [
    "--lists",
    "4",
    "--items",
    "4:5",
    "--votes",
    "4",
    "--resamples",
    "20",
];

const PREFERENCES_FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../cli/tests/golden/data/preferences.csv"
);

const RECORDED_VOTES_FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../cli/tests/golden/data/recorded.csv"
);

#[test]
fn each_study_prints_a_table_and_json() {
    let small = |study: &[&'static str]| [study, &SMALL_STUDY_OPTIONS].concat();
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
            small(&["calibration", "--oracle", RECORDED_VOTES_FILE]),
            "Predicted",
            "\"world\": null",
        ),
        (
            vec!["predict", "--preferences", PREFERENCES_FILE, "--votes", "3"],
            "Pooled direction",
            "\"held_out\"",
        ),
    ] {
        let table = lab_output(&study);
        assert!(table.contains(title), "{study:?}: {table}");
        let json = lab_output(&[&study[..], &["--format", "json"]].concat());
        assert!(json.contains(key), "{study:?}: {json}");
    }
}

#[test]
fn results_are_independent_of_the_number_of_threads() {
    let found = |threads: &'static str| {
        let study = ["calibration", "--format", "json", "--threads", threads];
        lab_output(&[&study[..], &SMALL_STUDY_OPTIONS].concat())
    };
    assert_eq!(found("1"), found("2"));
}

#[test]
fn unknown_world_error_lists_all_names() {
    let output = run_lab(&["simulate", "--world", "utopia"]);
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("no world is called `utopia`; there are `base`, "),
        "{errors}"
    );
}
