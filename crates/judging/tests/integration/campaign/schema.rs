//! JSON Schema of a log line, checked against written lines.

use std::fs;
use std::path::Path;

use partita_judging::campaign::{Event, log};
use serde_json::{Value, json};

fn read_project_file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(path).expect("the file exists")
}

/// Returns true if a JSON value is valid by a JSON Schema. Supports the keywords in the schema of a
/// log line and panics on any other, so that no constraint is silently ignored.
fn matches_schema(schema: &Value, root: &Value, value: &Value) -> bool {
    let schema = schema.as_object().expect("a schema");
    schema.iter().all(|(word, said)| match word.as_str() {
        "$schema" | "$defs" | "title" | "description" | "format" | "default" => true,
        "$ref" => {
            let name = said.as_str().and_then(|name| name.strip_prefix("#/$defs/"));
            matches_schema(&root["$defs"][name.expect("a definition")], root, value)
        }
        "type" => {
            let kinds = said
                .as_array()
                .cloned()
                .unwrap_or_else(|| vec![said.clone()]);
            kinds.iter().any(|kind| match kind.as_str() {
                Some("object") => value.is_object(),
                Some("array") => value.is_array(),
                Some("string") => value.is_string(),
                Some("number") => value.is_number(),
                Some("integer") => value.is_u64() || value.is_i64(),
                Some("null") => value.is_null(),
                Some("boolean") => value.is_boolean(),
                other => panic!("{other:?}"),
            })
        }
        "const" => value == said,
        "enum" => said.as_array().expect("values").contains(value),
        "minimum" => value
            .as_f64()
            .is_none_or(|n| n >= said.as_f64().expect("the text is a number")),
        "minLength" => value.as_str().is_none_or(|text| !text.is_empty()),
        "pattern" => value.as_str().is_none_or(|text| {
            // The schema of a line has two patterns: a timestamp and a SHA-256 hash in hexadecimal.
            text.parse::<log::Timestamp>().is_ok()
                || (text.len() == 64
                    && text.bytes().all(|byte| b"0123456789abcdef".contains(&byte)))
        }),
        "required" => (said.as_array().expect("names").iter())
            .all(|name| value.get(name.as_str().expect("a name")).is_some()),
        "properties" => (said.as_object().expect("properties").iter()).all(|(name, schema)| {
            value
                .get(name)
                .is_none_or(|value| matches_schema(schema, root, value))
        }),
        "additionalProperties" if said.is_object() => {
            let fields = value
                .as_object()
                .into_iter()
                .flat_map(|object| object.values());
            fields
                .into_iter()
                .all(|value| matches_schema(said, root, value))
        }
        "additionalProperties" => said == &json!(false) && value.as_object().is_some(),
        "items" => {
            (value.as_array().into_iter().flatten()).all(|value| matches_schema(said, root, value))
        }
        "anyOf" => {
            (said.as_array().expect("schemas").iter()).any(|one| matches_schema(one, root, value))
        }
        "oneOf" => {
            let ones = said.as_array().expect("schemas").iter();
            ones.filter(|one| matches_schema(one, root, value)).count() == 1
        }
        other => panic!("`{other}` is not checked"),
    })
}

#[test]
fn stored_log_schema_equals_generated_schema() {
    let stored: Value = serde_json::from_str(&read_project_file(
        "../../docs/schema/campaign-log-line.json",
    ))
    .expect("the JSON is valid");
    assert_eq!(
        stored,
        serde_json::to_value(log::schema()).expect("the JSON is valid"),
        "to write it again: cargo run -p partita-judging --example campaign_log_schema \
         >docs/schema/campaign-log-line.json"
    );
}

#[test]
fn stored_log_lines_match_the_schema_and_changed_lines_do_not() {
    let schema = serde_json::to_value(log::schema()).expect("the JSON is valid");
    let mut kinds = std::collections::BTreeSet::new();
    for line in read_project_file("tests/fixtures/campaign/version-1.jsonl").lines() {
        let value: Value = serde_json::from_str(line).expect("the JSON is valid");
        assert!(matches_schema(&schema, &schema, &value), "{line}");
        kinds.insert(value["event"].as_str().expect("a name").to_owned());
        for key in value.as_object().expect("an object").keys() {
            let mut changed = value.clone();
            changed[key] = json!({"odd": true});
            assert!(!matches_schema(&schema, &schema, &changed), "{key}: {line}");
        }
        for key in ["seq", "at", "author", "chain", "event"] {
            let mut changed = value.clone();
            changed.as_object_mut().expect("an object").remove(key);
            assert!(!matches_schema(&schema, &schema, &changed), "{key}: {line}");
        }
    }
    let all: std::collections::BTreeSet<String> = Event::names()
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    assert_eq!(kinds, all);
}
