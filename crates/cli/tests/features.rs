//! Tests of builds with fewer features. Run them by
//! `cargo test -p partita-cli --no-default-features --test features`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

fn partita(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_partita"));
    program.args(arguments).output().unwrap()
}

/// Asserts that commands are listed in the help if they are built in, and otherwise are refused
/// with the message `refusal`, which names the Cargo feature.
fn check_commands(built_in: bool, commands: &[&str], refusal: &str) {
    let listed = String::from_utf8(partita(&["--help"]).stdout).unwrap();
    for command in commands {
        let is_listed = listed
            .lines()
            .any(|line| line.starts_with(&format!("  {command} ")));
        assert_eq!(is_listed, built_in, "{command}");
        for argument in ["--help", "--data", "x"] {
            let output = partita(&[command, argument]);
            let errors = String::from_utf8(output.stderr).unwrap();
            if !built_in {
                assert_eq!(
                    errors,
                    format!("error: {refusal}\n"),
                    "{command} {argument}"
                );
                assert_eq!(output.status.code(), Some(2), "{command} {argument}");
            } else if argument == "--help" {
                assert!(output.status.success(), "{command}: {errors}");
            }
        }
    }
}

#[test]
fn melody_commands_work_or_name_their_missing_feature() {
    check_commands(
        cfg!(feature = "melody"),
        &["collection", "search", "systems", "tune"],
        "this build of partita has no commands for melodies: rebuild with --features melody",
    );
}

#[test]
fn server_commands_work_or_name_their_missing_feature() {
    check_commands(
        cfg!(feature = "server"),
        &["serve", "token", "backup", "restore", "verify", "move"],
        "this build of partita has no server: rebuild with --features server",
    );
}

#[cfg(not(feature = "server"))]
#[test]
fn campaigns_of_a_server_name_its_feature_and_log_files_do_not_need_it() {
    let refusal = "this build of partita has no server: rebuild with --features server";
    for arguments in [
        ["campaign", "status", "c", "--data", "x"],
        ["judge", "pause", "c", "--database", "x"],
        ["campaign", "create", "c.json", "--data", "x"],
        ["judge", "log", "c", "--data", "x"],
    ] {
        let output = partita(&arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(refusal), "{arguments:?}: {errors}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (log, candidates) = (place("c.jsonl"), place("c.csv"));
    std::fs::write(&candidates, "query,item\nq,x\nq,y\n").unwrap();
    for arguments in [
        ["campaign", "init", &log, "-c", &candidates],
        ["campaign", "votes", &log, "3", "--format=json"],
        ["judge", "status", &log, "--format", "json"],
    ] {
        let output = partita(&arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {errors}");
    }
}

#[test]
fn the_demo_shows_its_evaluation_in_every_build() {
    let output = partita(&["demo", "--no-serve"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("Average Dynamic Recall is their mean: 0.86."),
        "{text}"
    );
}

#[cfg(not(feature = "server"))]
#[test]
fn the_demo_without_a_server_names_the_missing_feature() {
    let output = partita(&["demo"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("rebuild with --features server"),
        "{errors}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(not(feature = "pdf"))]
#[test]
fn pdf_and_png_figures_are_refused_without_the_feature_pdf() {
    for file in ["figure.pdf", "figure.png"] {
        let output = partita(&["compare", "scores.csv", "--figure", file]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(
            errors.contains("only as SVG: rebuild with --features pdf"),
            "{errors}"
        );
        assert_eq!(output.status.code(), Some(2), "{file}");
    }
}

#[cfg(all(feature = "server", not(feature = "postgres")))]
#[test]
fn a_postgresql_url_is_refused_without_its_feature() {
    let url = "postgres://partita@127.0.0.1/partita";
    let output = partita(&["campaign", "list", "--data", "none", "--database", url]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("no PostgreSQL: rebuild with --features postgres"),
        "{errors}"
    );
    assert_eq!(output.status.code(), Some(2));
}
