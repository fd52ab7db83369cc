//! The log as bytes: one event per line, as JSON.
//!
//! Nothing is ever changed in it, only added at its end, so that all that can go wrong when a writer
//! dies is an unfinished last line. Such a line was never acknowledged; it is distinguished from damage
//! elsewhere, which is an error.
//!
//! Lines are numbered, stamped with a time and an author, and chained: each ends with a hash of its
//! content and of the chain before, so that a line that was changed, moved, added or taken out is found.
//!
//! The first event names the [version](VERSION) of the log. A log of an unknown version is not read.

mod entry;
pub(crate) mod event;
mod fast_parser;
mod hash_chain;
mod schema;
pub(crate) mod store;
mod timestamp;

use entry::LineParts;
use event::{BatchPair, Event};

pub use entry::{LogEntry, LogTail, Stamp};
pub use hash_chain::HashChain;
pub use schema::schema;
pub use timestamp::{Timestamp, TimestampError};

/// The version of the log that is written, and the latest that is read.
pub const VERSION: u32 = 1;

/// The events of a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// The events in their order.
    pub entries: Vec<LogEntry>,
    /// How many bytes they take. What follows is an unfinished line.
    pub whole: usize,
    /// Whether the last event lacks the end of its line.
    pub unended: bool,
    /// How many bytes follow the last whole event.
    pub torn: usize,
    /// How many bytes of empty lines follow the last whole event, as editors leave them.
    pub blank: usize,
}

impl Log {
    /// The events in their order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.entries.iter().map(|entry| &entry.event)
    }
}

/// Where the events of a log end in its bytes: what a [`Log`] says beside the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogExtent {
    /// How many events there are.
    pub events: usize,
    /// How many bytes they take. What follows is an unfinished line.
    pub complete_bytes: usize,
    /// Whether the last event lacks the end of its line.
    pub lacks_newline: bool,
    /// How many bytes follow the last whole event.
    pub torn_bytes: usize,
    /// How many bytes of empty lines follow the last whole event, as editors leave them.
    pub blank_bytes: usize,
}

/// What is wrong with a log, and on which line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct LogError {
    /// The line, counted from 1.
    pub line: usize,
    /// What kind of thing is wrong.
    pub kind: LogErrorKind,
    /// What is wrong.
    pub message: String,
}

/// What kind of thing is wrong with a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogErrorKind {
    /// It is no log of a campaign.
    NotALog,
    /// Its version or one of its events is unknown to this version of the program.
    NewerVersion,
    /// A line is not the one that was written there.
    BrokenChain,
}

/// Returns true if these are the first bytes of a log of a campaign, whatever its version.
///
/// ```
/// use partita_judging::campaign::log;
///
/// assert!(log::begins_with(b"{\"seq\":1,\"at\":\"2010-04-14T18:29:32.000Z\",\"author\":\"ann\""));
/// assert!(!log::begins_with(b"query,a,b,assessor,answer\n"));
/// ```
pub fn is_log(bytes: &[u8]) -> bool {
    bytes.starts_with(BEGINNING)
}

/// The first bytes of the first line of a log, in every version.
const BEGINNING: &[u8] = b"{\"seq\":1,\"at\":";

/// Reads a log.
///
/// # Errors
/// A line that is no event or that does not follow from those before it, other than an unfinished
/// last one.
pub fn read(bytes: &[u8]) -> Result<Log, LogError> {
    let mut entries = Vec::new();
    let extent = for_each_entry(bytes, |entry| entries.push(entry))?;
    let LogExtent {
        complete_bytes: whole,
        lacks_newline: unended,
        torn_bytes: torn,
        blank_bytes: blank,
        ..
    } = extent;
    Ok(Log {
        entries,
        whole,
        unended,
        torn,
        blank,
    })
}

/// Reads a log as [`read`] does and hands over its entries one after the other, so that they need not be
/// kept. With an error, those before the damage have been handed over.
///
/// # Errors
/// As [`read`].
pub fn for_each_entry(bytes: &[u8], mut take: impl FnMut(LogEntry)) -> Result<LogExtent, LogError> {
    let mut extent = LogExtent::default();
    let mut reader = LogReader::default();
    let mut rest = bytes;
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest);
        let text = &rest[..end.unwrap_or(rest.len())];
        let after = &rest[end.map_or(rest.len(), |end| end + 1)..];
        // What editors of other systems end lines with is no part of them.
        let line = text.strip_suffix(b"\r").unwrap_or(text);
        if line.is_empty() && extent.events > 0 && rest.iter().all(|byte| b"\r\n".contains(byte)) {
            extent.blank_bytes = rest.len();
            break;
        }
        match reader.read_entry(line) {
            Ok(entry) => {
                take(entry);
                extent.events += 1;
                extent.complete_bytes += text.len() + usize::from(end.is_some());
                extent.lacks_newline = end.is_none();
            }
            Err(_) if end.is_none() && reader.could_become_a_line(text) => {
                extent.torn_bytes = text.len();
            }
            Err(error) => return Err(error),
        }
        rest = after;
    }
    Ok(extent)
}

/// Reads the lines of a log one after the other.
///
/// ```
/// use partita_judging::campaign::log::{Reader, Tail};
///
/// let mut reader = Reader::default();
/// assert_eq!(reader.tail(), Tail::EMPTY);
/// let error = reader.entry(b"query,a,b").unwrap_err();
/// assert_eq!(error.line, 1);
/// ```
#[derive(Clone, Default)]
pub struct LogReader {
    tail: Option<LogTail>,
}

impl LogReader {
    /// Reads the lines that follow this end of a log of the latest version.
    pub fn from_tail(tail: LogTail) -> Self {
        Self { tail: Some(tail) }
    }

    /// Where the lines so far end.
    pub fn tail(&self) -> LogTail {
        self.tail.unwrap_or(LogTail::EMPTY)
    }

    /// The entry of the next line, given without the end of the line.
    ///
    /// # Errors
    /// A line that is no event, or that does not follow from those before it.
    pub fn read_entry(&mut self, line: &[u8]) -> Result<LogEntry, LogError> {
        let number = self.tail().seq as usize + 1;
        let fault = |fault: LogErrorKind, message: String| LogError {
            line: number,
            kind: fault,
            message,
        };
        let error = |message: String| fault(LogErrorKind::BrokenChain, message);
        let parts = LineParts::split(line);
        let event = match &parts {
            Some(parts) => match parse_common_event(parts.event) {
                Some(event) => Ok(event),
                None => serde_json::from_slice(&object(parts.event)),
            },
            None => serde_json::from_slice(line),
        };
        let event =
            event.map_err(
                |reason| match (newer_version_message(line, number), number) {
                    (Some(message), _) => fault(LogErrorKind::NewerVersion, message),
                    (None, 1) => {
                        let message = format!("this is no log of a campaign ({reason})");
                        fault(LogErrorKind::NotALog, message)
                    }
                    _ => {
                        let message =
                            format!("event {number} was changed: it is no event ({reason})");
                        error(message)
                    }
                },
            )?;
        if let Event::Opened { version, .. } = &event
            && let Some(message) = unknown_version(u64::from(*version))
        {
            return Err(fault(LogErrorKind::NewerVersion, message));
        }
        let parts = parts.ok_or_else(|| {
            let order = "`seq`, `at`, `author`, the event, `chain`";
            error(format!("the fields of a line are {order}, in this order"))
        })?;
        let entry = self.read_chained(&parts, event).map_err(error)?;
        self.tail = Some(entry.tail());
        Ok(entry)
    }

    /// Returns the entry of a line whose number and chain follow from those before.
    fn read_chained(&self, parts: &LineParts<'_>, event: Event) -> Result<LogEntry, String> {
        let tail = self.tail();
        if parts.seq != tail.seq + 1 {
            let expected = tail.seq + 1;
            return Err(if parts.seq > expected {
                format!(
                    "event {expected} was taken out or moved: event {} stands in its place",
                    parts.seq
                )
            } else {
                format!(
                    "event {} was moved or stands here again, in the place of event {expected}",
                    parts.seq
                )
            });
        }
        let chain = tail.chain.after(parts.content);
        if chain.digits() != parts.chain {
            return Err(match tail.seq {
                0 => "event 1 was changed: its chain does not follow from its content".to_owned(),
                before => format!(
                    "event {} was changed, or event {before} was and sealed again: the chain does not \
                     follow from the two",
                    parts.seq
                ),
            });
        }
        let at = parts.at.parse();
        let at = at.map_err(|error: TimestampError| error.to_string())?;
        let author = match fast_parser::text(parts.author) {
            Some(author) => author.to_owned(),
            None => serde_json::from_slice(parts.author)
                .map_err(|reason| format!("the author is no text ({reason})"))?,
        };
        Ok(LogEntry {
            seq: parts.seq,
            stamp: Stamp { at, author },
            event,
            chain,
        })
    }

    /// Whether these bytes without an end can be the beginning of the next line. Some file systems
    /// fill up with zeros what was not written any more.
    fn could_become_a_line(&self, text: &[u8]) -> bool {
        let zeros = text.iter().rev().take_while(|&&byte| byte == 0).count();
        let text = &text[..text.len() - zeros];
        // The very first bytes must be ours, else any file would do for a torn log.
        let length = text.len().min(BEGINNING.len());
        let ours = self.tail.is_some() || text[..length] == BEGINNING[..length];
        let parsed = serde_json::from_slice::<serde_json::Value>(text);
        ours && parsed.is_err_and(|error| error.is_eof())
    }
}

fn object(fields: &[u8]) -> Vec<u8> {
    [b"{", fields, b"}"].concat()
}

/// The answer or the batch of pairs that these fields are. Nearly all of a log is either, which are so
/// read at once: an event of any kind goes through a tree of values first, since its kind could stand anywhere.
fn parse_common_event(fields: &[u8]) -> Option<Event> {
    if let Some(fields) = fields.strip_prefix(b"\"event\":\"answered\",") {
        let plain = fast_parser::parse_answer(fields);
        let answered = plain.or_else(|| serde_json::from_slice(&object(fields)).ok());
        return answered.map(Event::Answered);
    }
    if let Some(fields) = fields.strip_prefix(b"\"event\":\"adopted\",") {
        return fast_parser::parse_answer(fields).map(Event::Adopted);
    }
    let asked = fields.strip_prefix(b"\"event\":\"asked\",")?;
    if let Some((batch, pairs)) = fast_parser::parse_batch(asked) {
        return Some(Event::Asked { batch, pairs });
    }
    let Asked { batch, pairs } = serde_json::from_slice(&object(asked)).ok()?;
    Some(Event::Asked { batch, pairs })
}

/// The fields of [`Event::Asked`].
#[derive(serde::Deserialize)]
struct Asked {
    batch: u32,
    pairs: Vec<BatchPair>,
}

/// Returns the error message for a log of this version; nothing if the version can be read.
fn unknown_version(version: u64) -> Option<String> {
    let latest = u64::from(VERSION);
    if version > latest {
        return Some(format!(
            "the log has version {version}, and this program reads versions up to {latest}: update partita"
        ));
    }
    (version < 1).then(|| {
        format!(
            "the log has version {version}, which is unknown; this program reads versions from 1 to {latest}: \
             check where the file comes from, or update partita"
        )
    })
}

/// Returns the error message for a line that cannot be read because of its version: it opens a log of an unknown
/// version, or its event is of an unknown kind.
fn newer_version_message(text: &[u8], number: usize) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(text).ok()?;
    let kind = value.get("event")?.as_str()?;
    let version = value.get("version").and_then(serde_json::Value::as_u64);
    if kind == "opened"
        && let Some(message) = version.and_then(unknown_version)
    {
        return Some(message);
    }
    // What does not even begin as a log does is none.
    let unknown = number > 1 && !Event::KINDS.contains(&kind);
    unknown.then(|| format!("an event `{kind}`, which this program does not know: update partita"))
}
