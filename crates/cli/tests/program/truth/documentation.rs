//! Tests that `docs/files.md` describes every key and column of the output of `partita truth`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::session::{Folder, outcome_of, output_of};

/// JSON keys that are names of queries, systems or functions, which the documentation does not
/// list.
const DATA_NAMES: [&str; 9] = [
    "q", "good", "bad", "all-1", "all-2", "any-1", "any-2", "prev-1", "prev-2",
];

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                if !DATA_NAMES.contains(&key.as_str()) {
                    found.insert(key.clone());
                }
                keys(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// Returns the section of the documentation about a `truth` command.
fn section(command: &str) -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/files.md");
    let text = std::fs::read_to_string(file).expect("the documentation");
    let heading = format!("## What `partita truth {command}` prints\n");
    let (_, rest) = text.split_once(&heading).expect("a section");
    rest.split("\n## ").next().expect("a section").to_owned()
}

/// Writes input files for which every part of every output has content.
fn example_files() -> (Folder, Vec<String>) {
    let folder = Folder::new();
    // The tests distinguish a and c, but neither a and b nor b and c. In the first truth d and e
    // are in the wrong order.
    let rankings = "assessor,a,b,c,d,e,f\nv,1,2,3,4,5,\nw,1,3,2,4,5,\nx,2,1,3,4,5,\ny,1,2,3,4,5,\n";
    let files = [
        ("q.csv", rankings),
        ("first.txt", "q: (a, b, c), (e), (d)\nr: (x)\n"),
        ("second.txt", "q: (a), (b, c), (d, e, g)\n"),
        ("good.json", r#"{"q": ["a", "b", "c", "d"]}"#),
        ("bad.json", r#"{"q": ["d", "x", "a", "b"]}"#),
    ];
    let files = files.map(|(name, text)| folder.file(name, text));
    (folder, files.to_vec())
}

#[test]
fn every_key_of_the_json_is_described() {
    let (_folder, files) = example_files();
    let [rankings, first, second, good, bad] = &files[..] else {
        panic!("five files")
    };
    let runs = ["--run", good, bad];
    let build = ["build", "-r", rankings, "--details"];
    let check = ["check", "-t", first, "-r", rankings];
    let trust = [&["check", "-r", rankings, "--bootstrap", "20"][..], &runs].concat();
    let study = [&["study", "-r", rankings][..], &runs].concat();
    let compare = ["compare", first, second, "--resamples", "5"];
    let back = ["compare", second, first];
    for command in [&build[..], &check, &trust, &study, &compare, &back] {
        let arguments = [&["truth"], command, &["--format", "json"]].concat();
        let mut printed: Value = serde_json::from_str(&output_of(&arguments)).expect("JSON");
        // Warnings are omitted, because they have the same keys in all commands.
        assert!(printed["warnings"].take().is_array(), "{command:?}");
        let mut found = BTreeSet::new();
        keys(&printed, &mut found);
        assert!(found.len() > 10, "{found:?}");
        let section = section(command[0]);
        for key in found {
            let said = section.contains(&format!("`{key}`"));
            assert!(
                said,
                "{key} of truth {} is not in docs/files.md",
                command[0]
            );
        }
    }
}

#[test]
fn every_header_of_the_csv_is_described() {
    let (_folder, files) = example_files();
    let [rankings, first, second, ..] = &files[..] else {
        panic!("five files")
    };
    for command in [
        &["build", "-r", rankings][..],
        &["build", "-r", rankings, "--details"],
        &["check", "-r", rankings],
        &["check", "-r", rankings, "--pairs"],
        &["check", "-r", rankings, "--bootstrap", "20"],
        &["study", "-r", rankings],
        &["compare", first, second],
        &["compare", first, second, "--diff"],
    ] {
        let arguments = [&["truth"], command, &["--format", "csv"]].concat();
        let printed = output_of(&arguments);
        let header = printed.lines().next().expect("a header");
        let section = section(command[0]);
        assert!(section.contains(&format!("`{header}`")), "{header}");
    }
}

/// Answers that do not suffice to repeat the sort, so that the output explains how the list was
/// built.
const ANSWERS: &str = "query,a,b,assessor,answer\nq,x,y,ann,a\nq,x,y,bob,a\nq,u,v,ann,a\n";

#[test]
fn every_key_of_lists_built_from_preferences_is_described() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", ANSWERS);
    let section = section("build --preferences");
    let build = ["truth", "build", "-p", &answers, "--details"];
    let header = output_of(&[&build[..], &["--format", "csv"]].concat());
    let header = header.lines().next().expect("a header");
    assert!(section.contains(&format!("`{header}`")), "{header}");
    for by in ["sort", "pooled"] {
        let arguments = [&build[..], &["--strategy", by, "--format", "json"]].concat();
        let mut printed: Value = serde_json::from_str(&output_of(&arguments)).expect("JSON");
        assert!(printed["warnings"].take().is_array());
        let mut found = BTreeSet::new();
        keys(&printed, &mut found);
        assert!(found.len() > 20, "{found:?}");
        // Names of items and assessors are keys as well, but not documented.
        for name in ["x", "y", "u", "v", "ann", "bob"] {
            found.remove(name);
        }
        for key in found {
            let said = section.contains(&format!("`{key}`"))
                || [
                    "code", "fields", "file", "line", "message", "queries", "count",
                ]
                .contains(&key.as_str());
            assert!(said, "{key} of --strategy {by} is not in docs/files.md");
        }
    }
}

#[test]
fn every_test_of_stats_is_described_with_its_keys() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/files.md");
    let text = std::fs::read_to_string(file).expect("the documentation");
    let (_, section) = text
        .split_once("## The lines of `partita stats`\n")
        .expect("a section");
    let list = outcome_of(&["stats", "--list"]).out;
    let tests = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let tests: Vec<&str> = tests
        .filter_map(|line| line.trim().split(':').next())
        .collect();
    assert_eq!(tests.len(), 11, "{tests:?}");
    for test in tests {
        assert!(section.contains(&format!("| `{test}` |")), "{test}");
    }
    // Quoted words in the list are fields, keys or their values.
    let quoted = list.split('"').skip(1).step_by(2);
    for word in quoted.flat_map(|words| words.split('|')) {
        assert!(section.contains(&format!("`{word}`")), "{word}");
    }
}

/// The two numbers of separated pairs in the section on what a list claims.
#[test]
fn use_b8_the_section_on_what_a_list_claims_has_the_numbers_of_its_example() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/concepts.md");
    let text = std::fs::read_to_string(file).expect("the documentation");
    let (_, rest) = text
        .split_once("```csv lantern.csv\n")
        .expect("the example");
    let ranks = rest.split("```").next().expect("the example");
    let folder = Folder::with("lantern.csv", ranks)
        .and("by-person.csv", ranks.replacen("assessor", "query", 1));
    let check = folder.json("truth check lantern.csv");
    let list = &check["lists"][0];
    let [same, different] =
        ["same_group_pairs", "different_group_pairs"].map(|key| list[key].as_u64().expect("pairs"));
    let compared = folder.json("compare by-person.csv --test friedman-tukey");
    let pairs = compared["comparisons"][0]["pairs"]
        .as_array()
        .expect("pairs");
    let significant = pairs
        .iter()
        .filter(|pair| pair["significant"] == true)
        .count();
    let (_, section) = text
        .split_once("## What a list claims\n")
        .expect("the section");
    let section = section.split("\n## ").next().expect("the section");
    let words = section.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = same + different;
    for claim in [
        format!("{different} of {all} pairs into different groups"),
        format!("separates {significant} of the {all}"),
        "A sentence for a Methods section".to_owned(),
    ] {
        assert!(words.contains(&claim), "no `{claim}`");
    }
    let table = folder.output("truth build lantern.csv --format table");
    assert!(table.contains("\"What a list claims\""), "{table}");
}
