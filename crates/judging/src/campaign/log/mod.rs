//! Log of a campaign as bytes: one event per line, in JSON.
//!
//! A log is append-only, so a crashed writer can leave at most an incomplete last line. Such a line
//! was never acknowledged. It is distinguished from damage elsewhere, which is an error.
//!
//! Each line carries a number, a time, an author, and a hash of its content and the previous hash.
//! A line that was changed, moved, inserted or removed is therefore detected.
//!
//! The first event names the [version](VERSION) of the log. A log of an unknown version is
//! rejected.
//!
//! This folder imports nothing from the other folders of the campaign, except the campaign spec and
//! the kinds of judgment, which write and read the lines of their answers.

mod entry;
pub(crate) mod event;
pub(super) mod fast_parser;
mod hash_chain;
mod schema;
pub(crate) mod store;
mod timestamp;

use super::kinds::protocol_of_tag;
use super::spec::CampaignSpec;
use super::spec::draft::CampaignSpecDraft;
use super::spec::error::{CampaignSpecError, list_logged_errors};
use entry::LineParts;
use event::{BatchPair, Event};

pub use entry::{LogEntry, LogTail, Stamp};
pub use hash_chain::HashChain;
pub use schema::schema;
pub use timestamp::{Timestamp, TimestampError};

/// Version of the log format that this program writes, and the latest version that it reads.
pub const VERSION: u32 = 1;

/// Parsed log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// Entries in log order.
    pub entries: Vec<LogEntry>,
    /// Number of events, and the bytes that complete and incomplete entries take in the log.
    pub extent: LogExtent,
}

impl Log {
    /// Returns the events in log order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.entries.iter().map(|entry| &entry.event)
    }
}

/// Number of events in a log, and the bytes that complete and incomplete entries take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogExtent {
    /// Number of events.
    pub events: usize,
    /// Number of bytes of all complete entries. An incomplete line may follow.
    pub complete_bytes: usize,
    /// True if the last entry lacks its newline.
    pub lacks_newline: bool,
    /// Number of bytes of an incomplete last line, as left by a crashed writer; 0 if there is none.
    pub torn_bytes: usize,
    /// Number of bytes in empty lines at the end of the log, as left by editors.
    pub blank_bytes: usize,
}

/// Error in a log, with the number of the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct LogError {
    /// Line number, from 1.
    pub line: usize,
    /// Kind of error.
    pub kind: LogErrorKind,
    /// Description of the error.
    pub message: String,
}

/// Kind of error in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogErrorKind {
    /// The bytes are not a campaign log.
    NotALog,
    /// The specification in the first event is invalid. The message lists all errors, one per line,
    /// each with its JSON pointer into the log line.
    InvalidSpec,
    /// The version or an event is unknown to this version of the program.
    NewerVersion,
    /// A line was changed, moved, inserted or removed: it is not a log entry, or its number or hash
    /// does not follow from the line before.
    BrokenChain,
}

/// Returns true if these are the first bytes of a campaign log of any version.
///
/// ```
/// use partita_judging::campaign::log;
///
/// assert!(log::is_log(b"{\"seq\":1,\"at\":\"2010-04-14T18:29:32.000Z\",\"author\":\"ann\""));
/// assert!(!log::is_log(b"query,a,b,assessor,answer\n"));
/// ```
pub fn is_log(bytes: &[u8]) -> bool {
    bytes.starts_with(LOG_START)
}

/// First bytes of a campaign log, in every version of the format.
const LOG_START: &[u8] = b"{\"seq\":1,\"at\":";

/// Parses all entries of a log and checks their numbers and hashes.
///
/// # Errors
/// Returns [`LogError`] for a line that is not an event, has an unsupported version, or does not
/// follow from the lines before it. An incomplete last line is not an error.
pub fn read(bytes: &[u8]) -> Result<Log, LogError> {
    let mut entries = Vec::new();
    let extent = for_each_entry(bytes, |entry| entries.push(entry))?;
    Ok(Log { entries, extent })
}

/// Reads a log as [`read`] does and passes its entries to a callback, so that they need not be kept
/// in memory. If it returns an error, the entries before the invalid line have been passed.
///
/// # Errors
/// Returns the errors of [`read`].
pub fn for_each_entry(bytes: &[u8], mut take: impl FnMut(LogEntry)) -> Result<LogExtent, LogError> {
    let mut extent = LogExtent::default();
    let mut reader = LogReader::default();
    let mut rest = bytes;
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest);
        let text = &rest[..end.unwrap_or(rest.len())];
        let after = &rest[end.map_or(rest.len(), |end| end + 1)..];
        // Accept CRLF line ends, as some editors write them.
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
            Err(_) if end.is_none() && reader.is_line_prefix(text) => {
                extent.torn_bytes = text.len();
            }
            Err(error) => return Err(error),
        }
        rest = after;
    }
    Ok(extent)
}

/// Reader of the lines of a log, which checks that each line follows from the one before.
///
/// ```
/// use partita_judging::campaign::log::{LogReader, LogTail};
///
/// let mut reader = LogReader::default();
/// assert_eq!(reader.tail(), LogTail::EMPTY);
/// let error = reader.read_entry(b"query,a,b").unwrap_err();
/// assert_eq!(error.line, 1);
/// ```
#[derive(Clone, Default)]
pub struct LogReader {
    tail: Option<LogTail>,
}

impl LogReader {
    /// Creates a reader for the lines after `tail`.
    pub fn from_tail(tail: LogTail) -> Self {
        Self { tail: Some(tail) }
    }

    /// Returns the number and hash of the last line read, or [`LogTail::EMPTY`] before the first.
    pub fn tail(&self) -> LogTail {
        self.tail.unwrap_or(LogTail::EMPTY)
    }

    /// Parses the next line of the log, given without its newline, and checks its number and hash.
    ///
    /// # Errors
    /// Returns [`LogError`] for a line that is not an event, has an unsupported version, or does
    /// not follow from the lines before it.
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
            Some(parts) => parse_event(parts.event),
            None => parse_event_in_any_order(line),
        };
        let event =
            event.map_err(
                |reason| match (newer_version_message(line, number), number) {
                    (Some(message), _) => fault(LogErrorKind::NewerVersion, message),
                    (None, 1) => match opened_spec_errors(line) {
                        Some(message) => fault(LogErrorKind::InvalidSpec, message),
                        None => {
                            let message = format!("this is no log of a campaign ({reason})");
                            fault(LogErrorKind::NotALog, message)
                        }
                    },
                    _ => {
                        let message =
                            format!("event {number} was changed: it is no event ({reason})");
                        error(message)
                    }
                },
            )?;
        if let Event::Opened { version, .. } = &event
            && let Some(message) = unsupported_version_message(u64::from(*version))
        {
            return Err(fault(LogErrorKind::NewerVersion, message));
        }
        let parts = parts.ok_or_else(|| {
            let order = "`seq`, `at`, `author`, the event, `chain`";
            error(format!("the fields of a line are {order}, in this order"))
        })?;
        let entry = self.build_chained_entry(&parts, event).map_err(error)?;
        self.tail = Some(entry.tail());
        Ok(entry)
    }

    /// Builds the entry of a line from its fields and its parsed event, after checking that number
    /// and hash follow from the line before.
    fn build_chained_entry(&self, parts: &LineParts<'_>, event: Event) -> Result<LogEntry, String> {
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
        let author = match fast_parser::parse_plain_string(parts.author) {
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

    /// Returns true if these bytes can be the beginning of the next line. Trailing zeros are
    /// ignored because some file systems fill the unwritten end of a file with them.
    fn is_line_prefix(&self, text: &[u8]) -> bool {
        let zeros = text.iter().rev().take_while(|&&byte| byte == 0).count();
        let text = &text[..text.len() - zeros];
        // Before the first entry, require the first bytes of a log. Otherwise any truncated JSON
        // would pass as an incomplete log.
        let length = text.len().min(LOG_START.len());
        let ours = self.tail.is_some() || text[..length] == LOG_START[..length];
        let parsed = serde_json::from_slice::<serde_json::Value>(text);
        ours && parsed.is_err_and(|error| error.is_eof())
    }
}

/// Puts braces around JSON fields, which makes them a JSON object.
pub(super) fn wrap_in_braces(fields: &[u8]) -> Vec<u8> {
    [b"{", fields, b"}"].concat()
}

/// Parses the fields of an event. Answers and batches of pair requests, which are nearly all lines
/// of a log, are recognised by their first field and parsed directly. The general parser is slower:
/// it builds a tree of values first because the kind of an event may stand anywhere in the object.
fn parse_event(fields: &[u8]) -> serde_json::Result<Event> {
    let Some((tag, rest)) = split_tag(fields) else {
        return parse_event_in_any_order(&wrap_in_braces(fields));
    };
    if let Some(protocol) = protocol_of_tag(tag) {
        let (answer, role) = protocol.read(tag, rest)?;
        return Ok(Event::Answered { answer, role });
    }
    if tag == "asked" {
        if let Some((batch, pairs)) = fast_parser::parse_batch(rest) {
            return Ok(Event::Asked { batch, pairs });
        }
        let BatchFields { batch, pairs } = serde_json::from_slice(&wrap_in_braces(rest))?;
        return Ok(Event::Asked { batch, pairs });
    }
    let object = wrap_in_braces(fields);
    let EventTag { _name: () } = serde_json::from_slice(&object)?;
    serde_json::from_slice(&object)
}

/// Field `event` of an event, which names its kind. Deserialisation fails for an unknown kind, with
/// the position of the name.
#[derive(serde::Deserialize)]
struct EventTag {
    #[serde(rename = "event", deserialize_with = "check_event_name")]
    _name: (),
}

/// Checks the name of a kind of events.
fn check_event_name<'de, D: serde::Deserializer<'de>>(name: D) -> Result<(), D::Error> {
    struct NameVisitor;

    impl serde::de::Visitor<'_> for NameVisitor {
        type Value = ();

        fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            to.write_str("the name of an event")
        }

        fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<(), E> {
            match Event::names().contains(&name) {
                true => Ok(()),
                false => Err(E::unknown_variant(name, Event::names())),
            }
        }
    }

    name.deserialize_str(NameVisitor)
}

/// Splits the fields of an event into the name of its kind, if this is the first field, and the
/// fields after it.
fn split_tag(fields: &[u8]) -> Option<(&str, &[u8])> {
    let rest = fields.strip_prefix(b"\"event\":\"")?;
    let (tag, rest) = rest.split_at(rest.iter().position(|&byte| byte == b'"')?);
    Some((std::str::from_utf8(tag).ok()?, rest.strip_prefix(b"\",")?))
}

/// Parses a JSON object with the fields of an event in any order.
fn parse_event_in_any_order(object: &[u8]) -> serde_json::Result<Event> {
    let value: serde_json::Value = serde_json::from_slice(object)?;
    let tag = value.get("event").and_then(serde_json::Value::as_str);
    match tag.and_then(|tag| Some((tag, protocol_of_tag(tag)?))) {
        Some((tag, protocol)) => {
            let text = value.to_string();
            let fields = &text.as_bytes()[1..text.len() - 1];
            let (answer, role) = protocol.read(tag, fields)?;
            Ok(Event::Answered { answer, role })
        }
        None => {
            let EventTag { _name: () } = serde_json::from_slice(object)?;
            serde_json::from_slice(object)
        }
    }
}

/// Returns the message with all errors in the specification of an `opened` event that could not be
/// parsed, or `None` if the line is no such event or its specification is valid.
fn opened_spec_errors(line: &[u8]) -> Option<String> {
    let mut value: serde_json::Value = serde_json::from_slice(line).ok()?;
    if value.get("event")?.as_str()? != "opened" {
        return None;
    }
    let spec = value.get_mut("spec")?;
    // Do not read a recruiter, so that no message can show its secrets.
    let recruiter = spec.get_mut("recruiter").map(serde_json::Value::take);
    let has_recruiter = recruiter.is_some_and(|recruiter| !recruiter.is_null());
    let mut draft = CampaignSpecDraft::parse(spec.to_string().as_bytes());
    draft.validate(CampaignSpec::validate);
    let mut errors = draft.into_spec().err().unwrap_or_default();
    errors.extend(has_recruiter.then(CampaignSpecError::recruiter_in_log));
    if errors.is_empty() {
        return None;
    }
    Some(list_logged_errors(&errors))
}

/// Fields of [`Event::Asked`], for parsing without the tag of the enum.
#[derive(serde::Deserialize)]
struct BatchFields {
    batch: u32,
    pairs: Vec<BatchPair>,
}

/// Returns the error message for an unsupported log version, or `None` if the version can be read.
fn unsupported_version_message(version: u64) -> Option<String> {
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

/// Returns the error message for a line of an unsupported version: an `opened` event with an
/// unsupported log version, or an event of an unknown kind after the first line. Returns `None` for
/// other lines.
fn newer_version_message(text: &[u8], number: usize) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(text).ok()?;
    let kind = value.get("event")?.as_str()?;
    let version = value.get("version").and_then(serde_json::Value::as_u64);
    if kind == "opened"
        && let Some(message) = version.and_then(unsupported_version_message)
    {
        return Some(message);
    }
    // An unknown kind on the first line means that the file is not a log.
    let unknown = number > 1 && !Event::names().contains(&kind);
    unknown.then(|| format!("an event `{kind}`, which this program does not know: update partita"))
}
