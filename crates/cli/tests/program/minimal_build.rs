//! Tests of the minimal build, the program without its Cargo features: it has few dependencies,
//! needs no C compiler and compiles on every platform.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::workspace::files;

/// Maximum number of crates in the minimal build, including those of the workspace.
const MAX_CRATES: usize = 110;

/// Crates that call a C compiler in a build script.
const C_COMPILERS: [&str; 3] = ["cc", "cmake", "pkg-config"];

/// Returns the crates that a build of the program is compiled from, with their versions.
fn compiled_crates(features: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["tree", "--offline", "--locked", "--package", "partita-cli"])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ])
        .args(features)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let versions = lines.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some(format!("{} {}", words.next()?, words.next()?))
    });
    versions.collect()
}

/// Returns the names of the crates that call a C compiler.
fn c_compilers(crates: &BTreeSet<String>) -> Vec<&str> {
    let names = crates.iter().filter_map(|known| known.split(' ').next());
    names.filter(|name| C_COMPILERS.contains(name)).collect()
}

#[test]
fn the_minimal_build_has_few_crates_and_needs_no_c_compiler() {
    let crates = compiled_crates(&["--no-default-features"]);
    assert!(crates.len() <= MAX_CRATES, "{}: {crates:?}", crates.len());
    assert_eq!(c_compilers(&crates), [""; 0]);
    for absent in ["partita-melody", "partita-server", "mimalloc", "tokio"] {
        let mut names = crates.iter().map(|known| known.split(' ').next());
        assert!(!names.any(|name| name == Some(absent)), "{absent}");
    }
}

#[test]
fn crates_with_a_c_compiler_are_found_in_the_full_build() {
    assert_eq!(c_compilers(&compiled_crates(&[])), ["cc", "pkg-config"]);
}

/// Returns the lines that use a platform-specific interface without a `cfg` attribute on the item.
fn platform_specific(source: &str) -> Vec<&str> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let is_conditional = |line: usize| {
        let before = &lines[line.saturating_sub(3)..line];
        let mut before = before.iter();
        before.any(|line| line.starts_with("#[cfg(unix)]") || line.starts_with("#[cfg(windows)]"))
    };
    let interfaces = ["os::unix", "os::fd", "os::linux", "os::windows", "libc::"];
    let found = lines.iter().enumerate().filter(|(number, line)| {
        let is_code = !line.starts_with("//");
        is_code && interfaces.iter().any(|name| line.contains(name)) && !is_conditional(*number)
    });
    found.map(|(_, line)| *line).collect()
}

#[test]
fn the_minimal_build_uses_no_platform_specific_interface() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut sources = 0;
    for compiled in compiled_crates(&["--no-default-features"]) {
        let name = compiled.split(' ').next().unwrap();
        let folder = match name {
            "partita" => "partita",
            name => name.strip_prefix("partita-").unwrap_or_default(),
        };
        if folder.is_empty() {
            continue;
        }
        for file in files(&crates.join(folder).join("src")) {
            // Skip scripts and other assets.
            if file.extension().is_some_and(|ending| ending == "rs") {
                let source = fs::read_to_string(&file).unwrap();
                let found = platform_specific(&source);
                assert!(found.is_empty(), "{}: {found:?}", file.display());
                sources += 1;
            }
        }
    }
    assert!(sources > 100, "only {sources} files were found");
}

#[test]
fn unconditional_platform_specific_imports_are_found() {
    let wrong = "use std::os::unix::fs::MetadataExt;";
    assert_eq!(platform_specific(wrong), [wrong]);
    assert!(platform_specific(&format!("#[cfg(unix)]\n{wrong}")).is_empty());
    assert!(platform_specific(&format!("// {wrong}")).is_empty());
}
