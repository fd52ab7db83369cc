//! Curves of power and stability, from a file and from the scores.

use serde_json::{Value, json};

use crate::plan::worlds::matrix;
use crate::session::Folder;

fn reliability() -> String {
    let cell = |test: &str, size: usize, rise: f64| {
        let share = 0.1 + rise * (size as f64).ln();
        let mut cell = json!({"measure": "score", "test": test, "size": size, "trials": 500,
            "power": share, "lack_of_power": 0.03});
        if size <= 50 {
            cell["stable"] = json!(share - 0.05);
        }
        cell
    };
    let sizes = || (1..=20).map(|k| 5 * k);
    let cells: Vec<Value> = (sizes().map(|size| cell("wilcoxon", size, 0.1)))
        .chain(sizes().map(|size| cell("friedman-tukey", size, 0.08)))
        .collect();
    json!({"seed": 1, "cells": cells}).to_string()
}

fn folder() -> Folder {
    Folder::of(&[("s.csv", &matrix(6, 40)), ("r.json", &reliability())])
}

#[test]
fn a_file_of_curves_is_read() {
    let found =
        folder().planned("s.csv --curves r.json --test wilcoxon --pair-power 0.5,0.6 --stable 0.5");
    let curves = found["measures"][0]["curves"]
        .as_array()
        .expect("curves")
        .clone();
    assert_eq!(curves.len(), 2);
    let power = &curves[0];
    assert_eq!(
        (&power["of"], &power["test"]),
        (&json!("power"), &json!("wilcoxon"))
    );
    assert_eq!(power["wanted"][0]["reach"], "observed");
    assert_eq!(power["queries_resampled"], false);
    assert_eq!(curves[1]["largest_size"], 50);
}

#[test]
fn what_is_far_is_said_to_be_far_and_what_is_beyond_gets_no_number() {
    let said =
        folder().plan("s.csv --curves r.json --test wilcoxon --pair-power 0.65,0.95 --format json");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.err.contains("warning: r.json: score, 0.65 of pairs"),
        "{}",
        said.err
    );
    assert!(said.err.contains("a rough guess"), "{}", said.err);
    assert!(said.err.contains("no number is given"), "{}", said.err);
    let found: Value = serde_json::from_str(&said.out).expect("JSON");
    let wanted = &found["measures"][0]["curves"][0]["wanted"];
    assert_eq!(wanted[0]["reach"], "far");
    assert_eq!(wanted[1]["reach"], "beyond");
    assert!(wanted[1]["queries"]["value"].is_null());
}

#[test]
fn without_a_file_the_curves_of_the_t_test_are_sampled() {
    let folder = folder();
    let ask = "s.csv --pair-power 0.5 --stable 0.4 --trials 50";
    let found = folder.planned(ask);
    let curves = found["measures"][0]["curves"]
        .as_array()
        .expect("curves")
        .clone();
    assert_eq!(curves.len(), 2);
    assert_eq!(curves[0]["test"], "t");
    assert_eq!(curves[0]["queries_resampled"], true);
    assert_eq!(found, folder.planned(ask));
    assert_ne!(found, folder.planned(&format!("{ask} --seed 2")));
    let table = folder.plan(&format!("{ask} --format table"));
    assert!(
        table.out.contains("0.5 of pairs significant (t)"),
        "{}",
        table.out
    );
}

#[test]
fn curves_that_do_not_fit_are_refused() {
    let folder = Folder::of(&[
        ("s.csv", &matrix(6, 40)),
        ("r.json", &reliability()),
        ("other.json", &reliability().replace("\"score\"", "\"AP\"")),
        (
            "short.json",
            r#"{"cells": [{"measure": "score", "test": "t", "size": 5, "power": 0.1}]}"#,
        ),
        ("none.json", "{}"),
        ("broken.json", "{\"cells\": ["),
        (
            "wrong.json",
            r#"{"cells": [{"measure": "score", "test": "t", "size": 5, "power": 7}]}"#,
        ),
    ]);
    for (arguments, words) in [
        (
            "--curves r.json --test sign --pair-power 0.5",
            "no cells of the test `sign`",
        ),
        (
            "--curves other.json --pair-power 0.5",
            "no cells of the measure `score`",
        ),
        (
            "--curves short.json --pair-power 0.5",
            "at least 5 are needed",
        ),
        ("--curves none.json --pair-power 0.5", "no list `cells`"),
        ("--curves broken.json --pair-power 0.5", "not JSON"),
        (
            "--curves wrong.json --pair-power 0.5",
            "`power` must be a number from 0 to 1, not 7",
        ),
        ("--test wilcoxon --pair-power 0.5", "without --curves"),
        (
            "--curves r.json --pair-power 1.5",
            "--pair-power must be between 0 and 1",
        ),
        ("--curves gone.json --pair-power 0.5", "gone.json"),
    ] {
        folder.refuses_to_plan(&format!("s.csv {arguments}"), &[words]);
    }
}
