//! Tests that README and the documents show what the program prints. Every command in them is run.
//!
//! A block ` ```console ` holds commands after `$ ` and, below each, what it prints on a terminal of 80
//! columns; a line `...` stands for any lines. A block whose language is followed by a name, as in
//! ` ```csv answers.csv `, is a file that the commands below it can read. A block ` ```console data `
//! needs the real data of `PARTITA_DATA` and is run by `make data`. Commands that need
//! a running server are not run; they may be in blocks of other languages. If the commands of a
//! document draw an image that the document shows, both must be equal. `PARTITA_BLESS=1` updates
//! the documents and their images instead.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::session::Folder;

/// Fenced code block of a document. `rest` is the text after the language on the opening line,
/// `first` the index of the first line of the block in the document.
struct Block {
    language: String,
    rest: String,
    first: usize,
    lines: Vec<String>,
}

#[test]
fn the_documents_show_what_the_program_prints() {
    check(
        |block| block.language == "console" && block.rest.is_empty(),
        None,
    );
}

mod real_data {
    use super::check;

    #[test]
    #[ignore = "needs the real data that PARTITA_DATA names; `make data` runs it"]
    fn the_documents_show_what_the_program_prints_for_real_data() {
        check(
            |block| block.language == "console",
            Some(&crate::data::data("")),
        );
    }
}

/// Commands that are not run: a server does not end by itself, and the others need the data of one.
const SERVER_COMMANDS: [&str; 7] = [
    "serve", "campaign", "token", "backup", "restore", "verify", "move",
];

#[test]
fn every_command_shown_in_a_document_is_run() {
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        for block in blocks(&text) {
            let shown = block.lines.iter().any(|line| {
                let command = line.trim_start().trim_start_matches("$ ");
                let name = command.strip_prefix("partita ");
                let name = name.and_then(|rest| rest.split(' ').next());
                let is_shown = name.is_some_and(|name| !SERVER_COMMANDS.contains(&name));
                is_shown || command.contains("| partita ")
            });
            assert!(
                !shown || block.language == "console",
                "{}:{}: a command is shown in a block that no test runs: write ```console",
                path.display(),
                block.first
            );
        }
    }
}

/// Returns the paths of README and of all Markdown files in `docs`.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![root.join("README.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        match (open, line.strip_prefix("```")) {
            (false, Some(info)) => {
                let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
                blocks.push(Block {
                    language: language.to_owned(),
                    rest: rest.trim().to_owned(),
                    first: number + 1,
                    lines: Vec::new(),
                });
                open = true;
            }
            (true, Some(_)) => open = false,
            (true, None) => blocks.last_mut().unwrap().lines.push(line.to_owned()),
            (false, None) => {}
        }
    }
    blocks
}

/// Returns the paths of the SVG images that a document shows.
fn pictures(text: &str) -> impl Iterator<Item = &str> {
    let links = text
        .split("](")
        .skip(1)
        .filter_map(|link| link.split(')').next());
    links.filter(|link| link.ends_with(".svg") && !link.contains(':'))
}

/// Lock that serialises the tests in this file, because each reads and rewrites whole documents.
static DOCUMENT_LOCK: Mutex<()> = Mutex::new(());

/// Runs the commands of the blocks that `is_run` selects, in every document. Fails if the output
/// differs from the document; with `PARTITA_BLESS` updates the document instead.
fn check(is_run: impl Fn(&Block) -> bool, data: Option<&Path>) {
    let _guard = DOCUMENT_LOCK.lock();
    let mut wrong = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let folder = Folder::new();
        let mut shift = 0isize;
        for block in blocks(&text) {
            if block.language != "console" && !block.rest.is_empty() {
                folder.file(&block.rest, block.lines.join("\n") + "\n");
            }
            if !is_run(&block) {
                continue;
            }
            let printed = session(&block, &folder, data);
            if matches(&block.lines, &printed) {
                continue;
            }
            wrong.push(format!(
                "{}:{}: shown:\n{}\nprinted:\n{}\n",
                path.display(),
                block.first,
                block.lines.join("\n"),
                printed.join("\n")
            ));
            let first = block.first.checked_add_signed(shift).unwrap();
            shift += printed.len() as isize - block.lines.len() as isize;
            lines.splice(first..first + block.lines.len(), printed);
        }
        wrong.extend(pictures(&text).filter_map(|name| {
            let made = fs::read(folder.path(name)).ok()?;
            let shown = path.with_file_name("").join(name);
            let is_shown = fs::read(&shown).is_ok_and(|shown| shown == made);
            if std::env::var_os("PARTITA_BLESS").is_some() {
                fs::write(&shown, made).unwrap();
            }
            let message = format!("{} is not what {} draws", shown.display(), path.display());
            (!is_shown).then_some(message)
        }));
        if std::env::var_os("PARTITA_BLESS").is_some() {
            fs::write(&path, lines.join("\n") + "\n").unwrap();
        }
    }
    if std::env::var_os("PARTITA_BLESS").is_none() {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Runs the commands of a block and returns them with their output, as a terminal shows them.
fn session(block: &Block, folder: &Folder, data: Option<&Path>) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_partita"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut shown = Vec::new();
    let mut commands = block.lines.iter().peekable();
    while let Some(line) = commands.next() {
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        shown.push(line.clone());
        let mut command = command.to_owned();
        // A backslash at the end of a line continues the command on the next line.
        while command.ends_with('\\') {
            let more = commands.next().expect("a line after a backslash");
            shown.push(more.clone());
            command = format!("{command}\n{more}");
        }
        let mut shell = Command::new("sh");
        shell.current_dir(folder.path("")).env("PATH", &path);
        shell.env("PARTITA_COLUMNS", "80").env("NO_COLOR", "1");
        if let Some(data) = data {
            shell.env("PARTITA_DATA", data);
        }
        let ended = shell
            .arg("-c")
            .arg(format!("exec 2>&1\n{command}"))
            .output();
        let printed = String::from_utf8(ended.unwrap().stdout).unwrap();
        shown.extend(printed.lines().map(|line| line.trim_end().to_owned()));
    }
    shown
}

/// Returns true if the printed lines equal the shown ones, in which a line `...` stands for any
/// lines.
fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [dots, rest @ ..] if dots.trim() == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        [first, rest @ ..] => printed.first() == Some(first) && matches(rest, &printed[1..]),
    }
}
