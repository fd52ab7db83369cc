//! A folder of files, and the program run in it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use partita_stats::streams::{standard_normal, stream};
use serde_json::Value;
use tempfile::TempDir;

/// A folder of files, gone when it is dropped.
pub(crate) struct Session(TempDir);

/// What the program said.
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Session {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with `scores.csv`, a matrix of so many systems on so many queries of 4 strata.
    pub(crate) fn with_scores(systems: usize, queries: usize) -> Self {
        let session = Self::new();
        session.write("scores.csv", &matrix(systems, queries));
        session
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs `partita ARGUMENTS`, which are separated by blanks.
    pub(crate) fn run(&self, arguments: &str) -> Said {
        self.run_with(arguments, "", &[])
    }

    pub(crate) fn run_with(
        &self,
        arguments: &str,
        input: &str,
        environment: &[(&str, &str)],
    ) -> Said {
        let mut child = Command::new(env!("CARGO_BIN_EXE_partita"))
            .current_dir(self.0.path())
            .args(arguments.split_whitespace())
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // Written beside reading: both pipes are smaller than what goes through them. A program
        // that refuses its arguments does not read its input.
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Said {
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap(),
        }
    }

    /// The output of a run that must succeed.
    pub(crate) fn output(&self, arguments: &str) -> String {
        let said = self.run(arguments);
        assert_eq!(said.code, 0, "{arguments}: {}", said.err);
        said.out
    }

    /// The JSON of a run that must succeed.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.output(&format!("{arguments} --format json"))).unwrap()
    }

    /// A run that must be refused, and say all of these.
    pub(crate) fn refuses(&self, arguments: &str, said: &[&str]) {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 2, "{arguments}: {} {}", ended.out, ended.err);
        assert_eq!(ended.out, "", "{arguments}");
        for words in said {
            assert!(ended.err.contains(words), "no `{words}` in {}", ended.err);
        }
    }
}

/// A matrix of scores, the later systems better, in four strata.
pub(crate) fn matrix(systems: usize, queries: usize) -> String {
    let mut random = stream(17, &[]);
    let mut text = "query,stratum".to_owned();
    for system in 0..systems {
        let _ = write!(text, ",s{system}");
    }
    text.push('\n');
    for query in 0..queries {
        let _ = write!(text, "q{query},g{}", query % 4);
        for system in 0..systems {
            let score = 0.4 + 0.04 * system as f64 + 0.1 * standard_normal(&mut random);
            let _ = write!(text, ",{score:.3}");
        }
        text.push('\n');
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

/// A number of an object.
pub(crate) fn number(value: &Value, key: &str) -> f64 {
    value[key]
        .as_f64()
        .unwrap_or_else(|| panic!("no number `{key}` in {value}"))
}
