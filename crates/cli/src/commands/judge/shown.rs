//! What is shown of items and queries in a terminal: texts are printed, files are played or opened.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use partita_formats::{Source, shown};

use super::say;
use crate::failure::Failure;

/// The most bytes of a text that are printed.
const MOST_TEXT: usize = 2_000;

/// What the system opens files with.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// What is shown of items and queries, by their names.
#[derive(Debug, Default)]
pub(super) struct Shown {
    parts: HashMap<String, Part>,
    player: Option<Vec<String>>,
}

#[derive(Debug)]
enum Part {
    Text(String),
    File(PathBuf),
}

impl Shown {
    /// What a folder or a table shows.
    pub(super) fn read(place: &str) -> Result<Self, Failure> {
        let parts = if Path::new(place).is_dir() {
            folder(Path::new(place))?
        } else {
            table(place)?
        };
        Ok(Self {
            parts,
            player: None,
        })
    }

    /// With the command that plays files.
    pub(super) fn played_by(mut self, command: Option<&str>) -> Self {
        let words = command.map(|command| command.split_whitespace().map(str::to_owned));
        self.player = words
            .map(Iterator::collect)
            .filter(|words: &Vec<_>| !words.is_empty());
        self
    }

    /// What is printed beside a name.
    pub(super) fn words(&self, name: &str) -> String {
        match self.parts.get(name) {
            Some(Part::Text(text)) => format!("\n     {}", text.trim().replace('\n', "\n     ")),
            Some(Part::File(file)) => format!("  ({})", file.display()),
            None => String::new(),
        }
    }

    /// Whether a file is to be played or opened.
    pub(super) fn is_file(&self, name: &str) -> bool {
        matches!(self.parts.get(name), Some(Part::File(_)))
    }

    /// Plays or opens a file, and says so where that cannot be.
    pub(super) fn play(&self, name: &str) {
        let Some(Part::File(file)) = self.parts.get(name) else {
            say(&format!("There is no file of `{name}` to play."));
            return;
        };
        let opener = [OPENER.to_owned()];
        let words = self.player.as_deref().unwrap_or(&opener);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg(file);
        // The answers are read from the standard input, and the output is data.
        command.stdin(Stdio::null()).stdout(Stdio::null());
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(status) => say(&format!(
                "`{}` could not play {}: {status}.",
                words[0],
                file.display()
            )),
            Err(error) => say(&format!("`{}` cannot be run: {error}.", words[0])),
        }
    }
}

/// The files of a folder by their names without endings.
fn folder(folder: &Path) -> Result<HashMap<String, Part>, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::input(format!("{}: cannot be read: {error}", folder.display()))
    };
    let mut parts = HashMap::new();
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        files.push(entry.map_err(unreadable)?.path());
    }
    // Of two files for one name the first by name is shown, on every machine.
    files.sort();
    for file in files.into_iter().filter(|file| file.is_file()) {
        let names = [file.file_stem(), file.file_name()];
        for name in names.into_iter().flatten() {
            let name = name.to_string_lossy().into_owned();
            parts.entry(name).or_insert_with(|| part(&file));
        }
    }
    Ok(parts)
}

/// What the rows of a table show; files stand beside the table.
fn table(place: &str) -> Result<HashMap<String, Part>, Failure> {
    let read = shown::read(&Source::open(place)?)?;
    crate::output::warn(&read.warnings);
    let beside = Path::new(place).parent().unwrap_or(Path::new(""));
    let rows = read.rows.into_iter().map(|(name, show)| {
        let file = beside.join(&show);
        let shown = if file.is_file() {
            part(&file)
        } else {
            Part::Text(show)
        };
        (name, shown)
    });
    Ok(rows.collect())
}

/// A short text is printed, anything else is a file.
fn part(file: &Path) -> Part {
    let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
    let is_text =
        ending.is_some_and(|ending| ["txt", "md", "abc"].iter().any(|text| ending == *text));
    let text = is_text.then(|| fs::read_to_string(file).ok()).flatten();
    match text.filter(|text| text.len() <= MOST_TEXT) {
        Some(text) => Part::Text(text),
        None => Part::File(file.to_owned()),
    }
}
