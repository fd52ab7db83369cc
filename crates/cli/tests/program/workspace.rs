//! What holds for all crates: which may use which, and that their tests draw the same cases.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The edges inside the workspace that ARCHITECTURE.md allows; the library people hold and the program
/// may use everything below them.
const ALLOWED: [(&str, &str); 13] = [
    ("partita-core", "partita-stats"),
    ("partita-formats", "partita-core"),
    ("partita-formats", "partita-stats"),
    ("partita-judging", "partita-core"),
    ("partita-judging", "partita-stats"),
    ("partita-melody", "partita-core"),
    ("partita-melody", "partita-formats"),
    ("partita-melody", "partita-stats"),
    ("partita-report", "partita-core"),
    ("partita-report", "partita-formats"),
    ("partita-report", "partita-judging"),
    ("partita-report", "partita-melody"),
    ("partita-report", "partita-stats"),
];

/// What only the program and its server may use.
const OF_SERVERS: [&str; 4] = ["tokio", "axum", "rusqlite", "sqlx"];

fn members() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let output = std::process::Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .args(["--manifest-path", manifest])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

/// What a crate uses, in its tests and its build too.
fn dependencies(package: &Value) -> impl Iterator<Item = &str> {
    package["dependencies"].as_array().unwrap().iter().map(name)
}

fn forbidden(packages: &[Value]) -> Vec<(&str, &str)> {
    let inside: BTreeSet<&str> = packages.iter().map(name).collect();
    let mut wrong = Vec::new();
    for package in packages {
        let user = name(package);
        for used in dependencies(package) {
            let below = user == "partita" && used != "partita-cli";
            // A server stands on the library that people hold, and only the program starts it.
            let serving = user == "partita-server" && used != "partita-cli";
            let above = used == "partita-server" && user != "partita-cli";
            let allowed = !above
                && (user == "partita-cli" || below || serving || ALLOWED.contains(&(user, used)));
            let serves = user == "partita-cli" || user == "partita-server";
            let of_servers = OF_SERVERS.contains(&used) || used.starts_with("sqlx-");
            let of_programs = used == "clap" && user != "partita-cli";
            if (inside.contains(used) && !allowed) || (of_servers && !serves) || of_programs {
                wrong.push((user, used));
            }
        }
    }
    wrong
}

#[test]
fn crates_use_only_those_that_the_architecture_allows() {
    let packages = members();
    let names: BTreeSet<&str> = packages.iter().map(name).collect();
    for expected in [
        "partita",
        "partita-cli",
        "partita-core",
        "partita-formats",
        "partita-melody",
        "partita-report",
        "partita-stats",
    ] {
        assert!(names.contains(expected), "no {expected} in {names:?}");
    }
    let used: Vec<&str> = packages.iter().flat_map(dependencies).collect();
    assert!(used.contains(&"partita-core"), "edges are found at all");
    assert_eq!(forbidden(&packages), []);
}

#[test]
fn an_edge_that_points_back_or_a_server_in_a_library_would_be_found() {
    let package = |name: &str, used: &str| serde_json::json!({"name": name, "dependencies": [{"name": used}]});
    let packages = [
        package("partita-core", "partita-formats"),
        package("partita-formats", "tokio"),
        package("partita-cli", "partita"),
        package("partita-stats", "serde"),
        package("partita-cli", "tokio"),
        package("partita", "partita-cli"),
        package("partita-report", "clap"),
    ];
    let expected = [
        ("partita-core", "partita-formats"),
        ("partita-formats", "tokio"),
        ("partita", "partita-cli"),
        ("partita-report", "clap"),
    ];
    assert_eq!(forbidden(&packages), expected);
}

#[test]
fn property_tests_draw_the_same_cases_every_time() {
    // `.cargo/config.toml` says which, for whoever runs `cargo test` in the workspace.
    assert!(std::env::var("PROPTEST_RNG_SEED").is_ok());
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    });
    files.collect()
}

/// The places outside comments where a source names an option of the command line, without those in a
/// hint, which reaches terminals only.
fn flags(source: &str) -> Vec<&str> {
    let lines = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    let mut hint = 0;
    for line in lines {
        // A hint's words stand on its line, or on the two that follow.
        hint = if line.contains(".hint(") {
            3_usize
        } else {
            hint.saturating_sub(1)
        };
        let is_flag = |(at, _): (usize, &str)| {
            let after = line[at + 2..].bytes().next();
            after.is_some_and(|byte| byte.is_ascii_lowercase())
        };
        if hint == 0 && line.match_indices("--").any(is_flag) {
            found.push(line);
        }
    }
    found
}

#[test]
fn the_libraries_do_not_speak_of_options() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for library in [
        "stats", "core", "formats", "judging", "melody", "report", "partita",
    ] {
        for file in files(&crates.join(library).join("src")) {
            let found = fs::read_to_string(&file).unwrap();
            let found = flags(&found);
            assert!(found.is_empty(), "{}: {found:?}", file.display());
        }
    }
}

#[test]
fn an_option_in_a_sentence_is_noticed_and_one_in_a_hint_is_not() {
    let hint = "document\n    .hint(format!(\n        \"--best {} chooses.\",\n";
    assert!(flags(hint).is_empty());
    assert!(flags("/// `--resume` takes it up\nlet dashes = \"--- --\";").is_empty());
    assert_eq!(
        flags("let words = \"say `--to json`\";"),
        ["let words = \"say `--to json`\";"]
    );
}
