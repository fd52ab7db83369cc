//! Destinations of results and messages.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use clap::Args;
use partita::formats::Warning;
use partita::report::Terminal;
use partita::report::phrases::wrap_paragraph;
use terminal_size::{terminal_size, terminal_size_of};

use super::error::CliError;

/// Destination of the result.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Destination {
    /// Write the result to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<String>,
}

impl Destination {
    /// Returns true if the result is shown on a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.output.is_none() && (io::stdout().is_terminal() || columns_override().is_some())
    }

    /// Returns the properties of the terminal that shows the result. The width is unlimited if the
    /// result is not shown on a terminal.
    pub(crate) fn terminal(&self) -> Terminal {
        match (self.is_terminal(), columns_override()) {
            (false, _) => Terminal::default(),
            (true, Some(columns)) => Terminal {
                columns: Some(columns),
                bold: false,
            },
            (true, None) => Terminal {
                columns: terminal_size().map(|(width, _)| usize::from(width.0).max(40)),
                bold: colours_enabled(),
            },
        }
    }

    /// Opens the destination for streaming; returns the writer and its name for messages.
    pub(crate) fn open(&self) -> Result<(Box<dyn Write>, &str), CliError> {
        match self.output.as_deref() {
            None | Some("-") => Ok((Box::new(io::stdout().lock()), "standard output")),
            Some(file) => {
                let opened =
                    File::create(file).map_err(|error| CliError::from_write_error(file, &error))?;
                Ok((Box::new(opened), file))
            }
        }
    }

    /// Streams the result to the destination.
    pub(crate) fn stream(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CliError> {
        let (mut place, name) = self.open()?;
        write(&mut place)
            .and_then(|()| place.flush())
            .map_err(|error| CliError::from_write_error(name, &error))
    }

    pub(crate) fn write(&self, text: &str) -> Result<(), CliError> {
        self.stream(|place| place.write_all(text.as_bytes()))
    }
}

/// Returns the width set by `PARTITA_COLUMNS`, which makes any destination behave like a terminal
/// of that width.
fn columns_override() -> Option<usize> {
    let columns = std::env::var("PARTITA_COLUMNS").ok()?;
    columns.parse().ok().filter(|&columns| columns >= 40)
}

/// Returns the width of the terminal that shows messages, if there is one.
fn stderr_columns() -> Option<usize> {
    let terminal = || terminal_size_of(io::stderr());
    columns_override().or_else(|| Some(usize::from(terminal()?.0.0).max(40)))
}

/// Returns true if the terminal may show colours and bold text.
fn colours_enabled() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|word| word.is_empty())
        && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Message prefixes with their terminal styles, which are those of clap.
const PREFIX_STYLES: [(&str, &str); 3] = [
    ("error:", "\x1b[1m\x1b[31m"),
    ("warning:", "\x1b[1m\x1b[33m"),
    ("hint:", "\x1b[32m"),
];

/// Colours the prefix of a message.
fn with_colour(line: &str) -> String {
    let found = PREFIX_STYLES
        .iter()
        .find_map(|(mark, style)| Some((mark, style, line.strip_prefix(mark)?)));
    match found {
        Some((mark, style, rest)) => format!("{style}{mark}\x1b[0m{rest}"),
        None => line.to_owned(),
    }
}

/// Returns true if the path denotes a folder, existing or not.
pub(crate) fn is_folder_path(place: &str) -> bool {
    place.ends_with('/') || Path::new(place).is_dir()
}

/// Writes a file, replacing an existing one.
pub(crate) fn write_file(
    file: impl AsRef<Path>,
    content: impl AsRef<[u8]>,
) -> Result<(), CliError> {
    let file = file.as_ref();
    std::fs::write(file, content)
        .map_err(|error| CliError::from_write_error(&file.to_string_lossy(), &error))
}

/// Creates a folder and its parents, unless they exist.
pub(crate) fn create_folder(folder: &str) -> Result<(), CliError> {
    std::fs::create_dir_all(folder).map_err(|error| CliError::from_write_error(folder, &error))
}

/// Prints warnings on standard error.
pub(crate) fn print_warnings<'a>(warnings: impl IntoIterator<Item = &'a Warning>) {
    for warning in warnings {
        print_message(&format!("warning: {warning}"));
    }
}

/// Prints a message on standard error, wrapped to the terminal.
pub(crate) fn print_message(message: &str) {
    let columns = stderr_columns();
    let in_colour = io::stderr().is_terminal() && columns_override().is_none() && colours_enabled();
    let mut lines = String::new();
    let message = message.strip_suffix('\n').unwrap_or(message);
    for line in message.split('\n') {
        let first = lines.len();
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        match columns {
            Some(columns) if !text.is_empty() => {
                lines += &(wrap_paragraph(text, indent, columns).join("\n") + "\n");
            }
            _ => lines += &format!("{line}\n"),
        }
        if in_colour {
            lines = lines[..first].to_owned() + &with_colour(&lines[first..]);
        }
    }
    // If standard error is closed, the error cannot be reported anywhere.
    let _ = io::stderr().write_all(lines.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_prefixes_are_coloured_in_the_styles_of_clap() {
        assert_eq!(with_colour("error: no"), "\x1b[1m\x1b[31merror:\x1b[0m no");
        assert_eq!(with_colour("hint: yes"), "\x1b[32mhint:\x1b[0m yes");
        assert_eq!(with_colour("no error: here"), "no error: here");
    }
}
