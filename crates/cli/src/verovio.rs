//! Staves engraved by Verovio, if its npm package is installed. Verovio runs in a separate process:
//! it has another licence and is no part of this program.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use partita::melody::writers::{MelodyExport, MelodyWriteError, PaeCarrier, write_pae};

use crate::output::error::CliError;

/// Script that Node.js runs to call Verovio.
const SCRIPT: &str = include_str!("staves.js");

/// Error message if Verovio is not installed.
const VEROVIO_MISSING: &str = "staves need Verovio, which Node.js does not find";
const INSTALL_HINT: &str =
    "run `npm install verovio` here, or give the folder of the package with --verovio";

/// Returns the Plaine & Easie source of a melody for Verovio.
pub(crate) fn plaine_and_easie_source(
    written: MelodyExport<'_>,
) -> Result<String, MelodyWriteError> {
    let text = write_pae(written, PaeCarrier::Tags)?;
    let is_field = |line: &&str| !line.starts_with("@start") && !line.starts_with("@end");
    let fields: Vec<&str> = text.lines().filter(is_field).collect();
    Ok(fields.join("\n"))
}

/// Engraves each source as SVG, with the package in a folder or where Node.js finds it.
pub(crate) fn engrave(sources: &[String], package: Option<&str>) -> Result<Vec<String>, CliError> {
    if let Some(folder) = package.filter(|folder| !Path::new(folder).join("dist").is_dir()) {
        let message = format!("{folder}: this is not the npm package of Verovio");
        return Err(CliError::input(message).with_hint(INSTALL_HINT));
    }
    let mut node = Command::new("node");
    node.arg("-e").arg(SCRIPT).arg("--").args(package);
    let node = node.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = (node.stderr(Stdio::piped()).spawn()).map_err(|_| {
        CliError::input("staves need Node.js, which is not installed").with_hint(INSTALL_HINT)
    })?;
    let question = serde_json::to_vec(sources).expect("texts are JSON");
    let mut stdin = running
        .stdin
        .take()
        .expect("standard input of the process is piped");
    // A write error means that the process has ended; its message is read below. A separate thread
    // writes, so that both processes cannot block each other.
    let writing = std::thread::spawn(move || stdin.write_all(&question));
    let answer = (running.wait_with_output())
        .map_err(|error| CliError::input(format!("Node.js cannot be run: {error}")))?;
    let _ = writing.join();
    if answer.status.code() == Some(3) {
        return Err(CliError::input(VEROVIO_MISSING).with_hint(INSTALL_HINT));
    }
    let engraved = serde_json::from_slice(&answer.stdout).ok();
    let engraved = engraved.filter(|all: &Vec<String>| all.len() == sources.len());
    engraved.ok_or_else(|| {
        let stderr = String::from_utf8_lossy(&answer.stderr);
        let last = stderr.lines().rfind(|line| !line.trim().is_empty());
        CliError::input(format!(
            "Verovio engraved nothing: {}",
            last.unwrap_or("it did not say why")
        ))
    })
}
