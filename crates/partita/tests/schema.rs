//! Checks that the schema files in `docs/schema` describe the current results.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use partita::schema::COMMAND_SCHEMAS;

#[test]
fn schema_files_match_the_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let mut stale = Vec::new();
    for command in COMMAND_SCHEMAS {
        let file = folder.join(command.file_name());
        let schema = serde_json::to_string_pretty(&command.schema()).unwrap() + "\n";
        if std::env::var_os("PARTITA_BLESS").is_some() {
            fs::write(&file, schema).unwrap();
        } else if fs::read_to_string(&file).ok() != Some(schema) {
            stale.push(command.file_name());
        }
    }
    assert!(
        stale.is_empty(),
        "{stale:?} in docs/schema are not as the results are; if a result was changed on purpose: \
         PARTITA_BLESS=1 cargo test -p partita --test schema"
    );
}

#[test]
fn command_schemas_are_unique_and_sorted() {
    let names: Vec<&str> = COMMAND_SCHEMAS
        .iter()
        .map(|command| command.command)
        .collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
}
