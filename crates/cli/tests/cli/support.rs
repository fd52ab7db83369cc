//! A folder of files and a run of the real program, for tests that read like a session.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

use serde_json::Value;

/// A folder of its own for a test, with what is put into it.
pub(crate) struct Dir(tempfile::TempDir);

impl Dir {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        Self::new().file(name, bytes)
    }

    /// The same folder with another file.
    pub(crate) fn file(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program, run in this folder. The arguments are separated by blanks.
    pub(crate) fn partita(&self, arguments: &str) -> Command {
        Command::new(self.0.path(), arguments)
    }

    /// `partita evaluate` with these arguments, which must succeed, as CSV.
    pub(crate) fn scores(&self, arguments: &str) -> Scores {
        let command = format!("evaluate {arguments} --per-query --format csv");
        Scores::read(&self.partita(&command).succeeds().stdout)
    }

    /// `partita evaluate` with these arguments, which must succeed, as JSON.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        let command = format!("evaluate {arguments} --format json");
        self.partita(&command).succeeds().json()
    }
}

/// The program with its arguments and its standard input.
pub(crate) struct Command {
    command: process::Command,
    stdin: Vec<u8>,
}

impl Command {
    pub(crate) fn new(folder: &Path, arguments: &str) -> Self {
        let mut command = process::Command::new(env!("CARGO_BIN_EXE_partita"));
        command
            .current_dir(folder)
            .args(arguments.split_whitespace());
        Self {
            command,
            stdin: Vec::new(),
        }
    }

    /// One argument more, which may hold blanks.
    pub(crate) fn arg(mut self, argument: &str) -> Self {
        self.command.arg(argument);
        self
    }

    pub(crate) fn stdin(self, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            stdin: bytes.into(),
            ..self
        }
    }

    /// Runs the program to its end, whatever that is.
    pub(crate) fn ends(mut self) -> Ended {
        let mut child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let bytes = self.stdin;
        // From a thread of its own, lest both sides wait for the other to read. The program need
        // not read all of it, or any.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let ended = Ended {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap(),
        };
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        ended
    }

    /// Runs the program, which must succeed.
    pub(crate) fn succeeds(self) -> Ended {
        let ended = self.ends();
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        ended
    }

    /// Runs the program, which must refuse its input, print nothing and say all of these.
    pub(crate) fn refuses(self, said: &[&str]) -> Ended {
        let ended = self.ends();
        assert_eq!(ended.code, 2, "{} {}", ended.stdout, ended.stderr);
        assert_eq!(ended.stdout, "");
        ended.says(said);
        let mut lines = ended.stderr.lines();
        assert!(
            lines.any(|line| line.starts_with("error: ")),
            "{}",
            ended.stderr
        );
        ended
    }

    /// Runs the program with whoever reads its output going away at once.
    pub(crate) fn with_broken_pipe(mut self) -> i32 {
        let mut child = self
            .command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        child.wait().unwrap().code().unwrap()
    }
}

/// What the program said and how it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Ended {
    /// Checks that all of these stand on standard error.
    pub(crate) fn says(&self, said: &[&str]) {
        for words in said {
            assert!(
                self.stderr.contains(words),
                "no `{words}` in:\n{}",
                self.stderr
            );
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}

/// The rows of `run,query,measure,value`.
pub(crate) struct Scores {
    rows: Vec<[String; 4]>,
    values: HashMap<[String; 3], f64>,
}

impl Scores {
    pub(crate) fn read(csv: &str) -> Self {
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        assert_eq!(
            reader.headers().unwrap(),
            vec!["run", "query", "measure", "value"]
        );
        let row = |row: csv::Result<csv::StringRecord>| {
            let row = row.unwrap();
            [0, 1, 2, 3].map(|column| row[column].to_owned())
        };
        let rows: Vec<[String; 4]> = reader.records().map(row).collect();
        let mut values = HashMap::new();
        for [run, query, measure, value] in rows.clone() {
            let key = [run, query, measure];
            let known = values.insert(key.clone(), value.parse().unwrap());
            assert!(known.is_none(), "{key:?} stands twice");
        }
        Self { rows, values }
    }

    /// The value of a row, which must be there.
    pub(crate) fn value(&self, run: &str, query: &str, measure: &str) -> f64 {
        let asked = [run, query, measure].map(str::to_owned);
        let value = self.values.get(&asked);
        *value.unwrap_or_else(|| panic!("no {asked:?}"))
    }

    /// The runs in their order.
    pub(crate) fn runs(&self) -> Vec<&str> {
        let mut runs: Vec<&str> = self.rows.iter().map(|row| row[0].as_str()).collect();
        runs.dedup();
        runs
    }

    pub(crate) fn has_query(&self, query: &str) -> bool {
        self.rows.iter().any(|row| row[1] == query)
    }

    pub(crate) fn rows(&self) -> &[[String; 4]] {
        &self.rows
    }
}

/// Checks that two numbers are the same but for rounding.
#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-12,
        "{found} is not {expected}"
    );
}
