//! Tests of the input, output and errors of `partita stats`. The statistics are tested in
//! `partita-core` and `partita-stats`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::session::{Folder, Program, outcome_of, outcome_with, output_of};

#[test]
fn the_answer_to_a_line_depends_on_the_seed_but_not_on_earlier_lines() {
    let d: Vec<f64> = (0..40).map(|i| f64::from(i % 7) - 2.0).collect();
    let line = format!("{}\n", json!({ "d": d }));
    let ask = |input: &str, seed: &str| {
        let options = ["--seed", seed, "--resamples", "500"];
        let said = outcome_with(input, &[&["stats", "permutation"], &options[..]].concat());
        said.out.lines().last().expect("a line").to_owned()
    };
    let other = "{\"d\":[1,2]}\n";
    assert_eq!(ask(&line, "1"), ask(&format!("{other}{line}"), "1"));
    assert_ne!(ask(&line, "1"), ask(&line, "2"));
    assert!(ask(&line, "2").ends_with(r#""seed":2,"resamples":500}"#));
}

#[test]
fn a_bad_line_is_answered_with_its_number_and_the_others_are_still_answered() {
    let good = r#"{"x":[1,2],"y":[3,4]}"#;
    for (bad, why) in [
        ("nonsense", "expected a JSON object"),
        (r#"{"x":[1,2]}"#, "the field `y` is missing"),
    ] {
        let said = outcome_with(
            &format!("{good}\n\n{bad}\r\n{good}\n"),
            &["stats", "mann-whitney"],
        );
        assert_eq!(said.code, 2, "{bad}");
        assert!(said.err.contains("1 of 3 lines"), "{}", said.err);
        let lines: Vec<Value> = said
            .out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], lines[2]);
        assert_eq!(lines[0]["u"], 0.0);
        assert_eq!(lines[1]["line"], 3);
        let error = lines[1]["error"].as_str().expect("a message");
        assert!(error.contains(why), "{error}");
        assert_eq!(lines[1].as_object().map(serde_json::Map::len), Some(2));
    }
}

#[test]
fn each_line_is_answered_before_the_next_is_read() {
    let mut child = Program::new()
        .args(&["stats", "sign"])
        .into_command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for question in ["{\"d\":[1]}\n", "{\"d\":[1,1]}\n"] {
        input.write_all(question.as_bytes()).expect("a reader");
        input.flush().expect("a reader");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("an answer");
        assert!(answer.contains("p_greater"));
    }
    drop(input);
    assert!(child.wait().expect("an end").success());
}

#[test]
fn files_and_compressed_files_are_read_and_a_file_is_written() {
    let folder = Folder::new();
    let path = |name: &str| folder.place(name);
    let line = "{\"p\":[0.01,0.02],\"method\":\"holm\"}\n";
    std::fs::write(path("p.jsonl"), line).expect("written");
    let packed = std::fs::File::create(path("p.jsonl.gz")).expect("created");
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::default());
    packed.write_all(line.as_bytes()).expect("written");
    packed.finish().expect("written");
    let plain = output_of(&["stats", "adjust", &path("p.jsonl")]);
    assert_eq!(plain, "{\"p\":[0.02,0.02]}\n");
    assert_eq!(output_of(&["stats", "adjust", &path("p.jsonl.gz")]), plain);
    let said = output_of(&[
        "stats",
        "adjust",
        &path("p.jsonl"),
        "--output",
        &path("out"),
    ]);
    assert_eq!(said, "");
    assert_eq!(std::fs::read_to_string(path("out")).expect("read"), plain);
}

#[test]
fn an_unknown_test_is_refused_with_the_names_of_the_others() {
    let said = outcome_of(&["stats", "anova"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("friedman-tukey"), "{}", said.err);
    assert!(output_of(&["stats", "--list"]).contains("studentized-range"));
}
