//! Helpers that run the real program in a temporary folder of files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Temporary folder of files, deleted when dropped.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// Creates a folder with one file.
    pub(crate) fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        Self::new().and(name, bytes)
    }

    /// Adds a file and returns the folder.
    pub(crate) fn and(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.file(name, bytes);
        self
    }

    /// Writes a file and returns its path as an argument of the program.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        let parent = path.parent().expect("it is in the folder");
        std::fs::create_dir_all(parent).expect("a folder");
        std::fs::write(&path, bytes).expect("a file is written");
        self.place(name)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns the path of a file as an argument of the program.
    pub(crate) fn place(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a text")
    }

    /// Prepares a run of the program in this folder. The arguments are separated by spaces.
    pub(crate) fn partita(&self, arguments: &str) -> Program {
        Program::within(self.0.path(), arguments)
    }

    /// Runs the program and returns its output and exit code, whether it succeeds or not.
    pub(crate) fn run(&self, arguments: &str) -> Outcome {
        self.partita(arguments).run()
    }

    /// Runs the program, which must succeed, and returns its standard output.
    pub(crate) fn output(&self, arguments: &str) -> String {
        self.partita(arguments).succeeds().out
    }

    /// Runs the program, which must succeed, and returns its JSON.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        let command = format!("{arguments} --format json");
        self.partita(&command).succeeds().json()
    }

    /// Asserts that the program refuses its input and prints all of `words` on standard error.
    pub(crate) fn refuses(&self, arguments: &str, words: &[&str]) {
        self.partita(arguments).refuses(words);
    }
}

/// Run of the program to be started, with its arguments and standard input.
pub(crate) struct Program {
    command: Command,
    input: Vec<u8>,
}

impl Program {
    pub(crate) fn new() -> Self {
        Self {
            command: Command::new(env!("CARGO_BIN_EXE_partita")),
            input: Vec::new(),
        }
    }

    /// Prepares a run in a folder. The arguments are separated by spaces.
    pub(crate) fn within(folder: &Path, arguments: &str) -> Self {
        let mut program = Self::new();
        program.command.current_dir(folder);
        program.command.args(arguments.split_whitespace());
        program
    }

    /// Adds an argument, which may contain spaces.
    pub(crate) fn arg(mut self, argument: &str) -> Self {
        self.command.arg(argument);
        self
    }

    pub(crate) fn args(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets the standard input.
    pub(crate) fn input(self, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            input: bytes.into(),
            ..self
        }
    }

    /// Sets the number of threads.
    pub(crate) fn threads(mut self, count: &str) -> Self {
        self.command.env("RAYON_NUM_THREADS", count);
        self
    }

    /// Converts to a standard command, for tests that interact with the process or kill it.
    pub(crate) fn into_command(self) -> Command {
        self.command
    }

    /// Runs the program and returns its output and exit code, whether it succeeds or not.
    pub(crate) fn run(mut self) -> Outcome {
        let mut child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let bytes = self.input;
        // Write in a separate thread, so that the two processes cannot block each other. A write
        // error is ignored, because the program need not read all of its input.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("the input is written");
        let outcome = Outcome {
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
            code: output.status.code().expect("an exit code"),
        };
        assert!(!outcome.err.contains("panicked"), "{}", outcome.err);
        outcome
    }

    /// Runs the program, which must succeed.
    #[track_caller]
    pub(crate) fn succeeds(self) -> Outcome {
        let outcome = self.run();
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        outcome
    }

    /// Runs the program and asserts that it refuses its input, prints nothing on standard output,
    /// and all of `words` on standard error.
    #[track_caller]
    pub(crate) fn refuses(self, words: &[&str]) -> Outcome {
        let outcome = self.run();
        assert_eq!(outcome.code, 2, "{} {}", outcome.out, outcome.err);
        assert_eq!(outcome.out, "");
        outcome.says(words);
        let mut lines = outcome.err.lines();
        let error = lines.any(|line| line.starts_with("error: "));
        assert!(error, "{}", outcome.err);
        outcome
    }

    /// Returns the exit code of a run whose output pipe is closed at once.
    pub(crate) fn with_broken_pipe(mut self) -> i32 {
        let mut child = self
            .command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let status = child.wait().expect("the program ends");
        status.code().expect("an exit code")
    }
}

/// Output and exit code of a run of the program.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Outcome {
    /// Asserts that standard error contains all of `words`.
    #[track_caller]
    pub(crate) fn says(&self, words: &[&str]) {
        for words in words {
            assert!(self.err.contains(words), "no `{words}` in:\n{}", self.err);
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("JSON")
    }
}

/// Runs `partita ARGUMENTS` and returns its output and exit code, whether it succeeds or not.
pub(crate) fn outcome_of(arguments: &[&str]) -> Outcome {
    Program::new().args(arguments).run()
}

/// Runs `partita ARGUMENTS` with this standard input.
pub(crate) fn outcome_with(input: &str, arguments: &[&str]) -> Outcome {
    Program::new().args(arguments).input(input).run()
}

/// Runs `partita ARGUMENTS` with this number of threads.
pub(crate) fn outcome_on(threads: &str, arguments: &[&str]) -> Outcome {
    Program::new().args(arguments).threads(threads).run()
}

/// Returns the standard output of `partita ARGUMENTS`, which must succeed.
#[track_caller]
pub(crate) fn output_of(arguments: &[&str]) -> String {
    let outcome = outcome_of(arguments);
    assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.err);
    outcome.out
}
