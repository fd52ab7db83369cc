//! Tests that the JSON output of commands matches their schemas. The JSON is read from the golden
//! files, so the program is not run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use partita::schema::{COMMAND_SCHEMAS, CommandSchema};
use serde_json::{Value, json};

use crate::schema_check;

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Reads the schemas in `docs/schema`, by command.
fn schemas() -> BTreeMap<&'static str, Value> {
    let read = |known: &CommandSchema| {
        let text = fs::read_to_string(file("../../docs/schema").join(known.file_name()));
        let schema = serde_json::from_str(&text.expect("the schema of a command is kept")).unwrap();
        (known.command, schema)
    };
    COMMAND_SCHEMAS.iter().map(read).collect()
}

/// Checks the JSON of a server administration command against its schema; the error says what
/// differs.
pub(crate) fn check_server_json(command: &str, value: &Value) -> Result<(), String> {
    let mut known = partita_server::schema::COMMANDS.iter();
    let known = known.find(|known| known.command == command);
    let known = known.unwrap_or_else(|| panic!("{command} is not described"));
    let text = fs::read_to_string(file("../../docs/schema").join(known.file_name())).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    schema_check::check(&schema, &schema, value, command)
}

/// Returns the command of a golden call that prints JSON with a schema; `None` for other calls.
fn command_with_schema(call: &str) -> Option<&'static str> {
    let words = call.strip_prefix("$ partita ").expect("a call");
    // `judge` is another name for `campaign`.
    let words = match words.strip_prefix("judge ") {
        Some(rest) => &format!("campaign {rest}"),
        None => words,
    };
    let known = COMMAND_SCHEMAS.iter().map(|known| known.command);
    let mut known = known.filter(|command| words.starts_with(&format!("{command} ")));
    // Without --details these two commands print a ground truth, which has no schema.
    let lists = |command: &str| matches!(command, "truth build" | "campaign export");
    known.find(|command| !lists(command) || words.contains("--details"))
}

/// Returns the JSON outputs in a golden file, each with the command line that printed it.
fn json_outputs(record: &str) -> Vec<(&str, Value)> {
    let mut found = Vec::new();
    let mut call = "";
    for section in split_before(record, &["$ partita ", "=== "]) {
        let (title, text) = section.split_once('\n').unwrap_or((section, ""));
        match title {
            "=== standard output" if text.starts_with('{') => {
                found.extend(serde_json::from_str(text).map(|value| (call, value)));
            }
            title if title.starts_with('$') => call = title,
            _ => {}
        }
    }
    found
}

/// Splits a text into parts before every line that starts with one of `beginnings`.
fn split_before<'t>(text: &'t str, beginnings: &[&str]) -> Vec<&'t str> {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if beginnings
            .iter()
            .any(|beginning| line.starts_with(beginning))
        {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &text[start..end])
        .collect()
}

fn golden_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let inner = |path: PathBuf| {
        if path.is_dir() {
            golden_files(&path)
        } else {
            vec![path]
        }
    };
    entries.flat_map(inner).collect()
}

#[test]
fn json_matches_the_schema_of_its_command() {
    let schemas = schemas();
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in golden_files(&file("tests/golden/expected")) {
        let record = fs::read_to_string(&path).unwrap();
        for (call, value) in json_outputs(&record) {
            let Some(command) = command_with_schema(call) else {
                continue;
            };
            seen.insert(command);
            let root = &schemas[command];
            let checked = schema_check::check(root, root, &value, command);
            wrong.extend(checked.err().map(|error| format!("{call}\n  {error}")));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    let unseen: Vec<_> = schemas
        .keys()
        .filter(|known| !seen.contains(*known))
        .collect();
    assert!(unseen.is_empty(), "no golden file has JSON of {unseen:?}");
}

#[test]
fn json_with_an_extra_field_a_missing_field_or_a_wrong_type_is_rejected() {
    let schemas = schemas();
    let root = &schemas["measures"];
    let check = |value: &Value| schema_check::check(root, root, value, "measures");
    let path = file("tests/golden/expected/measures");
    let records = golden_files(&path)
        .into_iter()
        .map(|path| fs::read_to_string(path).unwrap());
    let record = records
        .into_iter()
        .find(|record| !json_outputs(record).is_empty());
    let good = json_outputs(&record.expect("a golden file with JSON"))[0]
        .1
        .clone();
    assert_eq!(check(&good), Ok(()));
    let changed = |change: fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        check(&value)
    };
    assert!(changed(|value| value["more"] = json!(1)).is_err());
    assert!(changed(|value| value["measures"][0]["name"] = json!(1)).is_err());
    assert!(changed(|value| value["schema"] = json!(2)).is_err());
    assert!(changed(|value| drop(value.as_object_mut().unwrap().remove("warnings"))).is_err());
}
