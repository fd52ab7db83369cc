//! The log as bytes: one event a line, as JSON.
//!
//! Nothing is ever changed in it, only added at its end, so that all that can go wrong when a writer
//! dies is an unfinished last line. Such a line was never acknowledged; it is told apart from damage
//! elsewhere, which is an error.

use super::event::Event;

/// The version of the log that is written, and the latest that is read.
pub const VERSION: u32 = 1;

/// The events of a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// The events in their order.
    pub events: Vec<Event>,
    /// How many bytes they take. What follows is an unfinished line.
    pub whole: usize,
    /// Whether the last event lacks the end of its line.
    pub unended: bool,
    /// How many bytes follow the last whole event.
    pub torn: usize,
}

/// What is wrong with a log, and on which line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct LogError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// The line of an event, its end included.
///
/// ```
/// use partita_judging::campaign::{Event, log};
///
/// let event = Event::Excluded { assessor: "w7".to_owned() };
/// let line = log::line(&event);
/// assert_eq!(line, "{\"event\":\"excluded\",\"assessor\":\"w7\"}\n");
/// ```
pub fn line(event: &Event) -> String {
    // Numbers that JSON cannot hold are refused before an event is made of them.
    let mut line = serde_json::to_string(event).unwrap_or_default();
    line.push('\n');
    line
}

/// Reads a log.
///
/// # Errors
/// A line that is no event, other than an unfinished last one.
pub fn read(bytes: &[u8]) -> Result<Log, LogError> {
    let mut log = Log::default();
    let mut rest = bytes;
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        let end = rest.iter().position(|&byte| byte == b'\n');
        let text = &rest[..end.unwrap_or(rest.len())];
        let event = serde_json::from_slice::<Event>(text);
        match (event, end) {
            (Ok(event), _) => {
                version(&event, number)?;
                log.events.push(event);
                log.whole += text.len() + usize::from(end.is_some());
                log.unended = end.is_none();
            }
            // The very first bytes must be ours, else any file would do for a torn log.
            (Err(_), None) if number > 1 || could_begin_a_log(text) => log.torn = text.len(),
            (Err(error), _) => {
                if let Some(later) = later_version(text) {
                    return Err(too_new(later, number));
                }
                return Err(LogError {
                    line: number,
                    message: match number {
                        1 => format!("this is no log of a campaign ({error})"),
                        _ => format!("this is no event of a campaign ({error})"),
                    },
                });
            }
        }
        rest = &rest[end.map_or(rest.len(), |end| end + 1)..];
    }
    Ok(log)
}

fn could_begin_a_log(text: &[u8]) -> bool {
    const BEGIN: &[u8] = b"{\"event\":\"opened\"";
    let length = text.len().min(BEGIN.len());
    text[..length] == BEGIN[..length]
}

fn version(event: &Event, line: usize) -> Result<(), LogError> {
    match event {
        Event::Opened { version, .. } if !(1..=VERSION).contains(version) => {
            Err(too_new(u64::from(*version), line))
        }
        _ => Ok(()),
    }
}

fn too_new(version: u64, line: usize) -> LogError {
    LogError {
        line,
        message: format!(
            "the log is of version {version}, and this program reads versions up to {VERSION}"
        ),
    }
}

/// The version of an opening that is no event to us because it is of a later one.
fn later_version(text: &[u8]) -> Option<u64> {
    let value: serde_json::Value = serde_json::from_slice(text).ok()?;
    let version = value.get("version")?.as_u64()?;
    (value.get("event")? == "opened" && version > u64::from(VERSION)).then_some(version)
}
