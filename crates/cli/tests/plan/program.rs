//! Running the real program on files in a folder of their own.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder for files, gone when it is dropped.
pub(crate) struct Folder(tempfile::TempDir);

/// What the program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Folder {
    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            std::fs::write(folder.0.path().join(name), text).expect("written");
        }
        folder
    }

    /// `partita plan ARGUMENTS` in this folder; the arguments are separated by blanks.
    pub(crate) fn plan(&self, arguments: &str) -> Said {
        plan(self.0.path(), arguments, "")
    }

    /// The same, which must succeed, as JSON.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        let said = self.plan(&format!("{arguments} --format json"));
        assert_eq!(said.code, 0, "{}", said.err);
        serde_json::from_str(&said.out).expect("JSON")
    }

    /// The same, which must be refused with these words.
    pub(crate) fn refuses(&self, arguments: &str, words: &[&str]) {
        let said = self.plan(arguments);
        assert_eq!(
            (said.code, said.out.as_str()),
            (2, ""),
            "{arguments}: {said:?}"
        );
        for words in words {
            assert!(said.err.contains(words), "no `{words}` in: {}", said.err);
        }
    }
}

/// `partita plan ARGUMENTS` in a folder with this on standard input.
pub(crate) fn plan(folder: &Path, arguments: &str, input: &str) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_partita"))
        .current_dir(folder)
        .arg("plan")
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // Beside reading, lest both sides wait; a program that refuses does not read its input.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    let said = Said {
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
        code: output.status.code().expect("an exit code"),
    };
    assert!(!said.err.contains("panicked"), "{}", said.err);
    said
}

/// A number in 0..1 that looks random and is always the same.
pub(crate) fn noise(a: usize, b: usize, c: usize) -> f64 {
    let mixed = (a * 7919 + b * 104_729 + c * 1_299_709 + 12_345) as u64;
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed >> 40) as f64) / ((1u64 << 24) as f64)
}

/// The scores of so many systems on so many queries as a matrix.
pub(crate) fn matrix(systems: usize, queries: usize) -> String {
    let header: Vec<String> = (0..systems).map(|s| format!("s{s}")).collect();
    let mut text = format!("query,{}\n", header.join(","));
    for query in 0..queries {
        let _ = write!(text, "q{query}");
        for system in 0..systems {
            let value =
                0.05 * system as f64 + 0.4 * noise(99, query, 0) + 0.3 * noise(system, query, 1);
            let _ = write!(text, ",{value:.6}");
        }
        text.push('\n');
    }
    text
}

/// The scores by each of so many judges as rows.
pub(crate) fn judged(systems: usize, queries: usize, judges: usize) -> String {
    let mut text = "system,query,judge,measure,value\n".to_owned();
    for system in 0..systems {
        for query in 0..queries {
            for judge in 0..judges {
                let value = 0.05 * system as f64
                    + 0.3 * noise(99, query, 0)
                    + 0.3 * noise(system, query, 1)
                    + 0.02 * judge as f64
                    + 0.1 * noise(system, query, judge + 2);
                let _ = writeln!(text, "s{system},q{query},j{judge},AP,{value:.6}");
            }
        }
    }
    text
}

/// A folder of real data, or a notice that a test is skipped.
pub(crate) fn data(folder: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PARTITA_DATA").map(PathBuf::from);
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let path = root.unwrap_or_else(|| default.into()).join(folder);
    if path.is_dir() {
        return Some(path);
    }
    #[expect(clippy::print_stderr, reason = "a skipped test must be seen")]
    {
        eprintln!("skipped: there is no {}; set PARTITA_DATA", path.display());
    }
    None
}
