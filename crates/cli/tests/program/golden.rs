//! Golden tests: compare the output of every command on small data with the expected output in
//! files.
//!
//! `golden/cases.txt` has the commands, `golden/data` their input files, and `golden/expected` the
//! expected output. `PARTITA_BLESS=1 cargo test -p partita-cli --test program golden` rewrites the
//! expected output.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Golden test: a name, and the commands that are run in sequence in one folder.
struct Case {
    name: String,
    commands: Vec<String>,
}

/// Parsed command line of the form `partita WORDS < INPUT > OUTPUT`.
#[derive(Default)]
struct Call {
    words: Vec<String>,
    input: Option<String>,
    output: Option<String>,
    /// Terminal width in characters; `None` if the output is not a terminal.
    columns: Option<String>,
}

/// Contents of files by their paths relative to a folder.
type Files = BTreeMap<String, Vec<u8>>;

#[test]
fn the_output_of_every_case_equals_its_golden_file() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let expected = golden.join("expected");
    let cases = cases(&fs::read_to_string(golden.join("cases.txt")).expect("the cases"));
    let data = files(&golden.join("data"));
    let found = run_cases(&cases, &data);
    if std::env::var_os("PARTITA_BLESS").is_some() {
        bless(&expected, &found);
        return;
    }
    let kept = files(&expected);
    let names: BTreeSet<&String> = kept.keys().chain(found.keys()).collect();
    let differing: Vec<String> = names
        .into_iter()
        .filter_map(|name| match (kept.get(name), found.get(name)) {
            (Some(kept), Some(found)) if kept == found => None,
            (Some(kept), Some(found)) => Some(format!("{name}:\n{}", difference(kept, found))),
            (Some(_), None) => Some(format!("{name}: no case has this name\n")),
            (None, _) => Some(format!("{name}: there is no such file yet\n")),
        })
        .collect();
    assert!(
        differing.is_empty(),
        "{} of {} differ:\n\n{}\nIf that is meant: PARTITA_BLESS=1 cargo test -p partita-cli --test program golden",
        differing.len(),
        found.len(),
        differing.join("\n")
    );
}

/// Parses cases in lines `NAME: COMMAND`; indented lines are further commands of the same case.
fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    for line in lines.filter(|line| !line.starts_with('#')) {
        if line.starts_with(' ') {
            let case = cases.last_mut().expect("an indented line follows a case");
            case.commands.push(line.trim().to_owned());
            continue;
        }
        let (name, command) = line.split_once(": ").expect("NAME: COMMAND");
        assert!(
            cases.iter().all(|case| case.name != name),
            "two cases are called {name}"
        );
        cases.push(Case {
            name: name.to_owned(),
            commands: vec![command.trim().to_owned()],
        });
    }
    cases
}

/// Runs all cases and returns their records by the name of the golden file.
fn run_cases(cases: &[Case], data: &Files) -> Files {
    let found = Mutex::new(Files::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let record = run_case(case, data).into_bytes();
                    let mut found = found.lock().expect("no thread panicked");
                    found.insert(format!("{}.txt", case.name), record);
                }
            });
        }
    });
    found.into_inner().expect("no thread panicked")
}

/// Runs a case and returns its record: the commands with their output, and every created or changed
/// file.
fn run_case(case: &Case, data: &Files) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in data {
        write(&folder.path().join(name), bytes);
    }
    let mut record = String::new();
    for command in &case.commands {
        let _ = writeln!(record, "$ {command}");
        run(&parse_call(command), folder.path(), &mut record);
    }
    for (name, bytes) in files(folder.path()) {
        if data.get(&name) != Some(&bytes) {
            append_section(&mut record, &format!("file {name}"), &bytes);
        }
    }
    record
}

/// Runs a command and appends its exit code and output to the record.
fn run(call: &Call, folder: &Path, record: &mut String) {
    let input = call.input.as_ref().map_or_else(Stdio::null, |file| {
        Stdio::from(fs::File::open(folder.join(file)).expect("the input of a case"))
    });
    let ended = Command::new(env!("CARGO_BIN_EXE_partita"))
        .current_dir(folder)
        .args(&call.words)
        // These variables would change the width of the help and the folder of real data.
        .env_remove("COLUMNS")
        .env_remove("PARTITA_DATA")
        .envs(
            call.columns
                .iter()
                .map(|columns| ("PARTITA_COLUMNS", columns)),
        )
        .stdin(input)
        .output()
        .expect("the program runs");
    let code = ended.status.code().expect("the program was not killed");
    let _ = writeln!(record, "=== exit code {code}");
    match &call.output {
        Some(file) => write(&folder.join(file), &ended.stdout),
        None => append_section(record, "standard output", &ended.stdout),
    }
    append_section(record, "standard error", &ended.stderr);
}

/// Start of a command whose output is a terminal, followed by the terminal width.
const COLUMNS_PREFIX: &str = "PARTITA_COLUMNS=";

/// Returns the terminal width that a command line states, if any.
fn columns(command: &str) -> Option<String> {
    let (columns, _) = command.strip_prefix(COLUMNS_PREFIX)?.split_once(' ')?;
    Some(columns.to_owned())
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/expected");
    let mut checked = 0;
    for (name, bytes) in files(&expected) {
        let (mut limit, mut printed) = (None, false);
        for line in String::from_utf8(bytes).expect("a text").lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                limit = columns(command).map(|columns| columns.parse::<usize>().unwrap());
                checked += usize::from(limit.is_some());
                printed = false;
            } else if let Some(title) = line.strip_prefix("=== ") {
                printed = title.starts_with("standard");
            } else if let Some(limit) = limit.filter(|_| printed) {
                let width = line.chars().count();
                assert!(width <= limit, "{name}: {width} columns: {line}");
            }
        }
    }
    assert!(checked > 50, "only {checked} commands have a terminal");
}

/// Parses a command line. Words in single quotes may contain spaces.
fn parse_call(command: &str) -> Call {
    let mut words: Vec<String> = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    let mut words = words.into_iter().peekable();
    let mut call = Call {
        columns: columns(command),
        ..Call::default()
    };
    words.next_if(|word| word.starts_with(COLUMNS_PREFIX));
    assert_eq!(words.next().as_deref(), Some("partita"), "{command}");
    while let Some(word) = words.next() {
        match word.as_str() {
            "<" => call.input = words.next(),
            ">" => call.output = words.next(),
            _ => call.words.push(word),
        }
    }
    call
}

/// Appends a section with a title to the record, unless the content is empty.
fn append_section(record: &mut String, title: &str, bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    // A collection is binary, so only its size is recorded; other commands print its content.
    let size = format!("{} bytes that are no text\n", bytes.len());
    let text = str::from_utf8(bytes).unwrap_or(&size);
    let end = if text.ends_with('\n') {
        ""
    } else {
        "\n=== (no line feed at the end)\n"
    };
    let _ = write!(record, "=== {title}\n{text}{end}");
}

/// Replaces all golden files by the output found.
fn bless(expected: &Path, found: &Files) {
    if expected.exists() {
        fs::remove_dir_all(expected).expect("the kept files can be removed");
    }
    for (name, bytes) in found {
        write(&expected.join(name), bytes);
    }
}

fn write(path: &Path, bytes: &[u8]) {
    let folder = path.parent().expect("a file is in a folder");
    fs::create_dir_all(folder).expect("a folder can be made");
    fs::write(path, bytes).expect("a file can be written");
}

/// Reads all files of a folder and its subfolders; returns none if the folder does not exist.
fn files(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("it is in the folder");
            let name = name.to_string_lossy().replace('\\', "/");
            files.insert(name, fs::read(&path).expect("a file can be read"));
        }
    }
    files
}

/// Returns the lines that remain without the common start and end of two versions, a few of each
/// version, with long lines shortened.
fn difference(kept: &[u8], found: &[u8]) -> String {
    const LINES: usize = 8;
    let (kept, found) = (
        String::from_utf8_lossy(kept),
        String::from_utf8_lossy(found),
    );
    let (kept, found): (Vec<&str>, Vec<&str>) = (kept.lines().collect(), found.lines().collect());
    let pairs = kept.iter().zip(&found);
    let before = pairs.take_while(|(one, other)| one == other).count();
    let pairs = kept[before..]
        .iter()
        .rev()
        .zip(found[before..].iter().rev());
    let after = pairs.take_while(|(one, other)| one == other).count();
    let kept = &kept[before..kept.len() - after];
    let found = &found[before..found.len() - after];
    let mut text = format!("@@ line {} @@\n", before + 1);
    for (sign, lines, others) in [('-', kept, found), ('+', found, kept)] {
        for (index, line) in lines.iter().take(LINES).enumerate() {
            let other = others.get(index).copied().unwrap_or_default();
            let _ = writeln!(text, "{sign} {}", excerpt_at_difference(line, other));
        }
        if let Some(more) = lines.len().checked_sub(LINES + 1) {
            let _ = writeln!(text, "{sign} ... and {} more lines", more + 1);
        }
    }
    text
}

/// Returns the line. A long line is shortened to the part that starts shortly before its first
/// difference from `other`.
fn excerpt_at_difference(line: &str, other: &str) -> String {
    const WIDTH: usize = 160;
    const CONTEXT: usize = 60;
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    let same = line.chars().zip(other.chars());
    let same = same.take_while(|(one, other)| one == other).count();
    let part = line.chars().skip(same.saturating_sub(CONTEXT)).take(WIDTH);
    format!("...{}...", part.collect::<String>())
}
