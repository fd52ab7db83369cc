//! The rankings of the reference values, as files.

use std::fmt::Write;

use serde_json::Value;
use tempfile::TempDir;

/// A folder for files, gone when it is dropped.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// The name of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_string_lossy().into_owned()
    }

    /// Writes a file and gives its name.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("written");
        path
    }
}

/// A fixture of `partita-core`.
pub(crate) fn core_fixture(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/fixtures");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).expect("a fixture");
    serde_json::from_str(&text).expect("JSON")
}

/// The rankings of all cases of `aggregation.json` as one table; each case is a query.
pub(crate) fn aggregation_rankings(cases: &[Value]) -> String {
    let mut text = "query,assessor,item,rank\n".to_owned();
    for case in cases {
        for (item, ranks) in case["ranks"].as_object().expect("ranks") {
            for (assessor, rank) in ranks.as_array().expect("ranks").iter().enumerate() {
                let _ = writeln!(text, "case{},{assessor},{item},{rank}", case["id"]);
            }
        }
    }
    text
}
