//! Tests of the whole workspace: dependencies between crates, licences, names, and fixed random
//! seeds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Dependencies (user, used) between crates of the workspace that ARCHITECTURE.md allows.
/// [`forbidden_dependencies`] has the rules for `partita` and for the program, server and lab
/// crates.
const ALLOWED: [(&str, &str); 19] = [
    ("partita-core", "partita-named"),
    ("partita-core", "partita-stats"),
    ("partita-formats", "partita-core"),
    ("partita-formats", "partita-named"),
    ("partita-formats", "partita-stats"),
    ("partita-judging", "partita-core"),
    ("partita-judging", "partita-named"),
    ("partita-judging", "partita-stats"),
    ("partita-melody", "partita-core"),
    ("partita-melody", "partita-formats"),
    ("partita-melody", "partita-named"),
    ("partita-melody", "partita-stats"),
    ("partita-report", "partita-core"),
    ("partita-report", "partita-formats"),
    ("partita-report", "partita-judging"),
    ("partita-report", "partita-melody"),
    ("partita-report", "partita-named"),
    ("partita-report", "partita-stats"),
    ("partita-stats", "partita-named"),
];

/// External crates that only the program and its server may use.
const SERVER_CRATES: [&str; 4] = ["tokio", "axum", "rusqlite", "sqlx"];

/// Licences that a dependency may have. `deny.toml` has the same list.
const LICENCES: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Returns the packages of the workspace.
fn members() -> Vec<Value> {
    packages(&["--no-deps"])
}

/// Returns the packages that `cargo metadata` lists with these arguments.
fn packages(arguments: &[&str]) -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let output = std::process::Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(["--manifest-path", manifest])
        .args(arguments)
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

/// Returns the names of the dependencies of a package, including those of tests and build scripts.
fn dependencies(package: &Value) -> impl Iterator<Item = &str> {
    package["dependencies"].as_array().unwrap().iter().map(name)
}

/// Returns the dependencies (user, used) that the architecture does not allow.
fn forbidden_dependencies(packages: &[Value]) -> Vec<(&str, &str)> {
    let inside: BTreeSet<&str> = packages.iter().map(name).collect();
    let mut wrong = Vec::new();
    for package in packages {
        let user = name(package);
        for used in dependencies(package) {
            let below = user == "partita" && used != "partita-cli";
            // The server may use all crates except the program, and only the program may use the
            // server.
            let serving = user == "partita-server" && used != "partita-cli";
            let above = used == "partita-server" && user != "partita-cli";
            // `partita-lab` may use all crates except the program, and no crate may use
            // `partita-lab`.
            let studying = user == "partita-lab" && used != "partita-cli";
            let study = used == "partita-lab";
            let allowed = !above
                && !study
                && (user == "partita-cli"
                    || below
                    || serving
                    || studying
                    || ALLOWED.contains(&(user, used)));
            let serves = user == "partita-cli" || user == "partita-server";
            let of_servers = SERVER_CRATES.contains(&used) || used.starts_with("sqlx-");
            let of_programs = used == "clap" && user != "partita-cli" && user != "partita-lab";
            if (inside.contains(used) && !allowed) || (of_servers && !serves) || of_programs {
                wrong.push((user, used));
            }
        }
    }
    wrong
}

#[test]
fn crates_have_only_dependencies_that_the_architecture_allows() {
    let packages = members();
    let names: BTreeSet<&str> = packages.iter().map(name).collect();
    for expected in [
        "partita",
        "partita-cli",
        "partita-core",
        "partita-formats",
        "partita-lab",
        "partita-melody",
        "partita-report",
        "partita-stats",
    ] {
        assert!(names.contains(expected), "no {expected} in {names:?}");
    }
    let used: Vec<&str> = packages.iter().flat_map(dependencies).collect();
    assert!(used.contains(&"partita-core"), "edges are found at all");
    assert_eq!(forbidden_dependencies(&packages), []);
}

#[test]
fn forbidden_dependencies_are_found() {
    let package = |name: &str, used: &str| serde_json::json!({"name": name, "dependencies": [{"name": used}]});
    let packages = [
        package("partita-core", "partita-formats"),
        package("partita-formats", "tokio"),
        package("partita-cli", "partita"),
        package("partita-stats", "serde"),
        package("partita-cli", "tokio"),
        package("partita", "partita-cli"),
        package("partita-report", "clap"),
        package("partita-lab", "partita"),
        package("partita-lab", "partita-cli"),
        package("partita-cli", "partita-lab"),
    ];
    let expected = [
        ("partita-core", "partita-formats"),
        ("partita-formats", "tokio"),
        ("partita", "partita-cli"),
        ("partita-report", "clap"),
        ("partita-lab", "partita-cli"),
        ("partita-cli", "partita-lab"),
    ];
    assert_eq!(forbidden_dependencies(&packages), expected);
}

/// Modules of the program and of the server that may use the crates below `partita` directly, each
/// with its reason. It is empty: `partita` offers all that they need.
const DIRECT_USERS: [(&str, &str); 0] = [];

/// Number of uses of crates below `partita` outside [`DIRECT_USERS`]. It may only decrease.
const DIRECT_USES: usize = 0;

/// Returns the lines of a source that use a crate below `partita`.
fn direct_uses(source: &str) -> Vec<&str> {
    let crates = [
        "core", "formats", "judging", "melody", "named", "report", "stats",
    ];
    let is_use = |line: &&str| {
        let code = line.split("//").next().expect("a split has a first part");
        crates
            .iter()
            .any(|name| code.contains(&format!("partita_{name}::")))
    };
    source.lines().filter(is_use).collect()
}

#[test]
fn the_program_and_the_server_use_the_library_and_nothing_below_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut uses = Vec::new();
    let mut library_uses = 0;
    for front in ["cli/src", "server/src"] {
        for path in files(&root.join(front)) {
            let name = path.strip_prefix(&root).unwrap().display().to_string();
            let is_rust = path.extension().is_some_and(|ending| ending == "rs");
            if !is_rust || DIRECT_USERS.iter().any(|(user, _)| *user == name) {
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            library_uses += source.matches("partita::").count();
            let lines = direct_uses(&source).into_iter();
            uses.extend(lines.map(|line| format!("{name}: {}", line.trim())));
        }
    }
    assert!(library_uses > 100, "sources are found at all");
    assert_eq!(uses.len(), DIRECT_USES, "{}", uses.join("\n"));
}

#[test]
fn direct_uses_are_found_in_code_and_not_in_comments() {
    let source = "use partita_core::Run;\nuse partita::Run;\n// partita_core::Run\n\
        let run: partita_formats::run::RunFile<partita::Run>;\nuse partita_server::run;";
    assert_eq!(direct_uses(source).len(), 2);
}

#[test]
fn property_tests_have_a_fixed_random_seed() {
    // `.cargo/config.toml` sets the seed for every `cargo test` in the workspace.
    assert!(std::env::var("PROPTEST_RNG_SEED").is_ok());
}

/// Returns all files in a folder and its subfolders.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
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

/// Returns the lines of a source that contain a command-line option. Ignores comments, and hints,
/// which are only printed on terminals.
fn lines_with_options(source: &str) -> Vec<&str> {
    let lines = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    let mut hint = 0;
    for line in lines {
        // The text of a hint is on the line of the call or on the two lines after it.
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
fn libraries_do_not_mention_command_line_options() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for library in [
        "stats", "core", "formats", "judging", "melody", "report", "partita",
    ] {
        for file in files(&crates.join(library).join("src")) {
            let found = fs::read_to_string(&file).unwrap();
            let found = lines_with_options(&found);
            assert!(found.is_empty(), "{}: {found:?}", file.display());
        }
    }
}

#[test]
fn options_are_found_in_texts_but_not_in_hints_or_comments() {
    let hint = "document\n    .hint(format!(\n        \"--best {} chooses.\",\n";
    assert!(lines_with_options(hint).is_empty());
    assert!(lines_with_options("/// `--resume` takes it up\nlet dashes = \"--- --\";").is_empty());
    assert_eq!(
        lines_with_options("let words = \"say `--to json`\";"),
        ["let words = \"say `--to json`\";"]
    );
}

/// Returns true if [`LICENCES`] allows an SPDX expression: one alternative of every `OR`, and all
/// parts of an `AND`.
///
/// A `/` is the old form of `OR`. Parentheses are only supported in the form `(A OR B) AND C`.
/// Exceptions (`WITH`) are not allowed.
fn is_allowed(expression: &str) -> bool {
    let alternatives = |part: &str| {
        let part = part.replace('/', " OR ");
        part.split(" OR ")
            .any(|licence| LICENCES.contains(&licence.trim()))
    };
    if expression.contains('(') {
        return expression
            .split(" AND ")
            .all(|part| alternatives(part.trim_matches(['(', ')'])));
    }
    expression
        .split(" OR ")
        .any(|part| part.split(" AND ").all(alternatives))
}

/// Returns the target triple of this machine: packages of other platforms need not be downloaded.
fn host() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = std::process::Command::new(rustc).arg("-vV").output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap().to_owned()
}

#[test]
fn every_dependency_has_an_allowed_licence() {
    let packages = packages(&["--filter-platform", &host()]);
    assert!(packages.len() > 20, "dependencies are found at all");
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(is_allowed))
        .map(|package| format!("{}: {}", name(package), package["license"]))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn deny_toml_has_the_same_allowed_licences() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deny.toml");
    let text = fs::read_to_string(path).unwrap();
    let list = text.split("allow = [").nth(1).unwrap();
    let list = list.split(']').next().unwrap();
    let listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(listed, LICENCES);
}

#[test]
fn licence_expressions_are_allowed_by_their_parts() {
    for allowed in [
        "MIT",
        "MIT OR Apache-2.0",
        "GPL-3.0-only OR MIT",
        "Unlicense/MIT",
        "Apache-2.0 / MIT",
        "Apache-2.0 AND ISC",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
    ] {
        assert!(is_allowed(allowed), "{allowed}");
    }
    for refused in [
        "",
        "GPL-3.0-only",
        "MIT AND GPL-3.0-only",
        "(MIT OR Apache-2.0) AND GPL-3.0-only",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(!is_allowed(refused), "{refused}");
    }
}

#[test]
fn published_crates_have_a_description_keywords_and_categories() {
    for package in members() {
        // Skip unpublished crates: cargo reports `publish = false` as an empty list of registries.
        if package["publish"].as_array().is_some_and(Vec::is_empty) {
            continue;
        }
        let name = name(&package);
        let has = |field: &str| {
            package[field]
                .as_array()
                .is_some_and(|list| !list.is_empty())
        };
        assert!(package["description"].is_string(), "{name}");
        assert!(has("keywords") && has("categories"), "{name}");
    }
}

/// Returns the names of the public structs, enums, traits and unions that a source defines.
///
/// Aliases and types with restricted visibility (`pub(crate)`) may repeat a name.
fn public_types(source: &str) -> Vec<&str> {
    let defined = |line: &'_ str| -> Option<(usize, usize)> {
        let words = line.trim_start().strip_prefix("pub ")?.trim_start();
        let words = words.strip_prefix("unsafe ").unwrap_or(words).trim_start();
        let (kind, rest) = words.split_once(' ')?;
        let rest = rest.trim_start();
        let is_type = ["struct", "enum", "trait", "union"].contains(&kind);
        let is_name = |character: char| character.is_alphanumeric() || character == '_';
        let length = rest.find(|character| !is_name(character));
        let length = length.unwrap_or(rest.len());
        let named = is_type && rest.starts_with(|first: char| first.is_ascii_uppercase());
        named.then_some((line.len() - rest.len(), length))
    };
    let lines = source.lines().map(str::trim_end);
    lines
        .filter_map(|line| defined(line).map(|(at, length)| &line[at..at + length]))
        .collect()
}

#[test]
fn a_public_type_name_is_defined_once_in_the_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = Vec::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        sources.push(entry.unwrap().path().join("src"));
    }
    sources.push(root.join("python/src"));
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in sources.iter().filter(|folder| folder.is_dir()) {
        for path in files(folder) {
            let inside = path.strip_prefix(folder).unwrap();
            let is_rust = path.extension().is_some_and(|ending| ending == "rs");
            let is_test = inside
                .iter()
                .any(|part| part == "tests" || part == "tests.rs");
            if !is_rust || is_test {
                continue;
            }
            for name in public_types(&fs::read_to_string(&path).unwrap()) {
                let shown = path.strip_prefix(&root).unwrap().display().to_string();
                places.entry(name.to_owned()).or_default().push(shown);
            }
        }
    }
    assert!(places.contains_key("Run"), "types are found at all");
    let repeated: Vec<String> = places
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert!(
        repeated.is_empty(),
        "{} names:\n{}",
        repeated.len(),
        repeated.join("\n")
    );
}

/// Files and folders whose code may depend on the form of a judgment, relative to `crates`. All
/// others call the protocol of a kind, so that a new kind needs no change in them.
const FILES_THAT_KNOW_JUDGMENTS: [&str; 10] = [
    // The type itself, and one file for each kind.
    "core/src/judgment.rs",
    "judging/src/campaign/kinds/",
    // Preferences, which are nearly all answers, are parsed and stored in their own form.
    "judging/src/campaign/log/fast_parser.rs",
    "judging/src/campaign/engine/answer_ids.rs",
    // Readers and writers of files, which have columns for each kind.
    "formats/src/campaign/grades.rs",
    "formats/src/preferences/mod.rs",
    "partita/src/file_evidence.rs",
    "cli/src/commands/campaign/add_rankings_and_grades.rs",
    "report/src/views/campaign/exports.rs",
    // Keys that the page shows instead of item names, and the fine scale of a campaign.
    "server/src/handlers/judge/answer.rs",
];

/// Files and folders that name a kind of judgment other than preference, which is the default,
/// relative to `crates`. A `match` over all kinds names them too, so only these files may have one.
const FILES_THAT_KNOW_KINDS: [&str; 8] = [
    "core/src/judgment.rs",
    "judging/src/campaign/kinds/",
    // This file says which kind of judgment each file format holds.
    "partita/src/file_evidence.rs",
    // The tests of rankings are not a setting of a campaign.
    "cli/src/args/evidence.rs",
    // Each kind shows other parts on its page, and only rankings have drafts.
    "server/src/handlers/judge/answer.rs",
    "server/src/handlers/judge/draft.rs",
    "server/src/handlers/judge/task_report.rs",
    "server/src/handlers/judge/task_view.rs",
];

/// Returns the problems of a list of files: files outside the list whose source `is_in` finds, and
/// entries of the list without such a file.
fn unlisted_files(listed: &[&'static str], is_in: impl Fn(&str) -> bool) -> Vec<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut unused: BTreeSet<&str> = listed.iter().copied().collect();
    let mut problems = Vec::new();
    for entry in fs::read_dir(&crates).unwrap() {
        let folder = entry.unwrap().path().join("src");
        for path in files(&folder) {
            let shown = path.strip_prefix(&crates).unwrap().display().to_string();
            let is_code = shown.ends_with(".rs") && !shown.ends_with("/tests.rs");
            if !is_code || !is_in(&fs::read_to_string(&path).unwrap()) {
                continue;
            }
            match listed.iter().find(|known| shown.starts_with(**known)) {
                Some(known) => drop(unused.remove(known)),
                None => problems.push(format!("not listed: {shown}")),
            }
        }
    }
    problems.extend(
        unused
            .iter()
            .map(|entry| format!("listed in vain: {entry}")),
    );
    problems
}

/// Returns true if a source names a kind of judgment other than preference.
fn names_a_kind(source: &str) -> bool {
    let kinds = ["Ranking", "Grading", "BestWorst"];
    let named = kinds.map(|kind| format!("JudgmentKind::{kind}"));
    named.iter().any(|name| source.contains(name)) || source.contains("JudgmentKind::*")
}

#[test]
fn only_the_listed_files_depend_on_the_kind_of_a_judgment() {
    let problems = unlisted_files(&FILES_THAT_KNOW_JUDGMENTS, |source| {
        source.contains("Judgment::")
    });
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(names_a_kind(
        "match kind { JudgmentKind::Grading => 1, _ => 2 }"
    ));
    assert!(!names_a_kind("kind == JudgmentKind::Preference"));
    let problems = unlisted_files(&FILES_THAT_KNOW_KINDS, names_a_kind);
    assert!(problems.is_empty(), "{problems:#?}");
}

/// Order of the traits in `#[derive(...)]`; all others follow.
const DERIVE_ORDER: [&str; 12] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Serialize",
    "Deserialize",
    "JsonSchema",
];

/// Returns the derive attributes of a source whose traits are not in [`DERIVE_ORDER`].
fn unordered_derives(source: &str) -> Vec<&str> {
    let lists = source.split("#[derive(").skip(1);
    lists
        .filter_map(|rest| rest.split_once(")]").map(|(list, _)| list))
        .filter(|list| {
            let position = |name: &str| {
                let name = (name.trim().rsplit("::").next()).expect("a split has a first part");
                let known = DERIVE_ORDER.iter().position(|known| *known == name);
                known.unwrap_or(DERIVE_ORDER.len())
            };
            let names = list.split(',').filter(|name| !name.trim().is_empty());
            !names.map(position).is_sorted()
        })
        .collect()
}

#[test]
fn derived_traits_are_in_a_fixed_order() {
    assert_eq!(
        unordered_derives("#[derive(Debug, Clone)]"),
        ["Debug, Clone"]
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rs");
    let is_this = |path: &PathBuf| path.ends_with("program/workspace.rs");
    for path in files(&root)
        .into_iter()
        .filter(|path| is_rust(path) && !is_this(path))
    {
        let found = fs::read_to_string(&path).unwrap();
        let unordered = unordered_derives(&found);
        assert!(unordered.is_empty(), "{}: {unordered:?}", path.display());
    }
}

#[test]
fn public_types_excludes_aliases_functions_and_crate_private_types() {
    let source = "pub struct One<T>(T);\n    pub enum Two {\npub(crate) struct Three;\npub type Four = One<u8>;\n\
        pub unsafe trait Five {}\npub fn six() {}\nstruct Seven;\npub struct Eight;";
    assert_eq!(public_types(source), ["One", "Two", "Five", "Eight"]);
}
