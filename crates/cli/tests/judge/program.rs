//! Running the real program.

use std::io::Write;
use std::process::{Command, Stdio};

/// What the program said.
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

/// Runs `partita ARGUMENTS` with this on standard input.
pub(crate) fn partita_with(input: &str, arguments: &[&str]) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_partita"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // Written beside reading: both pipes are smaller than what goes through them.
    let writer = std::thread::spawn(move || {
        // A program that refuses its arguments does not read its input.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    Said {
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
        code: output.status.code().expect("an exit code"),
    }
}

/// Runs `partita ARGUMENTS` with nothing on standard input.
pub(crate) fn partita(arguments: &[&str]) -> Said {
    partita_with("", arguments)
}

/// The standard output of a run that must succeed.
pub(crate) fn output_of(arguments: &[&str]) -> String {
    let said = partita(arguments);
    assert_eq!(said.code, 0, "{arguments:?}: {}", said.err);
    said.out
}
