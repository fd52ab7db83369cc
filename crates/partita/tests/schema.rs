//! The schemas that are kept as files are those of the results.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use partita::schema::COMMAND_SCHEMAS;

#[test]
fn the_schemas_that_are_kept_are_those_of_the_results() {
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
fn commands_are_described_once_and_in_order() {
    let names: Vec<&str> = COMMAND_SCHEMAS.iter().map(|known| known.command).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
}
