//! The log as bytes: one event per line, as JSON.
//!
//! Nothing is ever changed in it, only added at its end, so that all that can go wrong when a writer
//! dies is an unfinished last line. Such a line was never acknowledged; it is distinguished from damage
//! elsewhere, which is an error.
//!
//! The lines of version 2 are numbered, stamped with a time and an author, and chained: each ends
//! with a hash of its content and of the chain before, so that a line that was changed, moved, added
//! or taken out is found. The lines of version 1 are events alone. They are still read; whoever adds
//! to such a log writes the event [`Continued`](super::Event::Continued) first, whose chain begins with
//! the hash of all that stands before it.

mod chain;
mod entry;
mod moment;
mod schema;

use super::event::Event;
use chain::Unchained;
use entry::{NUMBERED, Parts};

pub use chain::Chain;
pub use entry::{Entry, Stamp, Tail};
pub use moment::{Moment, NotAMoment};
pub use schema::schema;

/// The version of the log that is written, and the latest that is read.
pub const VERSION: u32 = 2;

/// The events of a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// The events in their order.
    pub entries: Vec<Entry>,
    /// How many bytes they take. What follows is an unfinished line.
    pub whole: usize,
    /// Whether the last event lacks the end of its line.
    pub unended: bool,
    /// How many bytes follow the last whole event.
    pub torn: usize,
}

impl Log {
    /// The events in their order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.entries.iter().map(|entry| &entry.event)
    }
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

/// Whether these are the first bytes of a log of a campaign, whatever its version.
///
/// ```
/// use partita_judging::campaign::log;
///
/// assert!(log::begins_with(b"{\"event\":\"opened\",\"version\":1,\"settings\":{}}"));
/// assert!(!log::begins_with(b"query,a,b,assessor,answer\n"));
/// ```
pub fn begins_with(bytes: &[u8]) -> bool {
    BEGINNINGS.iter().any(|begin| bytes.starts_with(begin))
}

/// How the first line of a log begins, in every version.
const BEGINNINGS: [&[u8]; 2] = [b"{\"event\":\"opened\"", b"{\"seq\":1,\"at\":"];

/// Reads a log.
///
/// # Errors
/// A line that is no event or that does not follow from those before it, other than an unfinished
/// last one.
pub fn read(bytes: &[u8]) -> Result<Log, LogError> {
    let mut log = Log::default();
    let mut reader = Reader::default();
    let mut rest = bytes;
    while !rest.is_empty() {
        let end = rest.iter().position(|&byte| byte == b'\n');
        let text = &rest[..end.unwrap_or(rest.len())];
        match reader.entry(text) {
            Ok(entry) => {
                log.entries.push(entry);
                log.whole += text.len() + usize::from(end.is_some());
                log.unended = end.is_none();
            }
            Err(_) if end.is_none() && reader.could_become_a_line(text) => log.torn = text.len(),
            Err(error) => return Err(error),
        }
        rest = &rest[end.map_or(rest.len(), |end| end + 1)..];
    }
    Ok(log)
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
pub struct Reader {
    tail: Option<Tail>,
    /// The lines of version 1 so far, as long as there are no others.
    unchained: Option<Unchained>,
}

impl Reader {
    /// Where the lines so far end.
    pub fn tail(&self) -> Tail {
        self.tail.unwrap_or(Tail::EMPTY)
    }

    /// The entry of the next line, given without the end of the line.
    ///
    /// # Errors
    /// A line that is no event, or that does not follow from those before it.
    pub fn entry(&mut self, line: &[u8]) -> Result<Entry, LogError> {
        let number = self.tail().seq as usize + 1;
        let error = |message: String| LogError {
            line: number,
            message,
        };
        let numbered = line.starts_with(NUMBERED);
        let parts = Parts::of(line);
        let bare = parts
            .as_ref()
            .map_or(fields(line), |parts| Some(parts.event));
        let event = match (bare.and_then(answer), &parts) {
            (Some(event), _) => Ok(event),
            (None, Some(parts)) => serde_json::from_slice(&object(parts.event)),
            (None, None) => serde_json::from_slice(line),
        };
        let event = event.map_err(|reason| {
            error(match (later_version(line), number) {
                (Some(version), _) => too_new(version),
                (None, 1) => format!("this is no log of a campaign ({reason})"),
                _ => format!("this is no event of a campaign ({reason})"),
            })
        })?;
        let version = match &event {
            Event::Opened { version, .. } | Event::Continued { version } => Some(*version),
            _ => None,
        };
        if let Some(version) = version.filter(|version| !(1..=VERSION).contains(version)) {
            return Err(error(too_new(version.into())));
        }
        if version.is_some_and(|version| numbered != (version > 1)) {
            return Err(error(
                "lines are numbered and chained in version 2 and are not in version 1".to_owned(),
            ));
        }
        let entry = if numbered {
            let parts = parts.ok_or_else(|| {
                let order = "`seq`, `at`, `author`, the event, `chain`";
                error(format!("the fields of a line are {order}, in this order"))
            })?;
            self.sealed(&parts, event).map_err(error)?
        } else {
            if self.tail.is_some() && self.unchained.is_none() {
                let message = "a line without a number and a chain follows others with both";
                return Err(error(message.to_owned()));
            }
            Entry {
                seq: number as u64,
                stamp: None,
                event,
                chain: self.unchained.get_or_insert_default().after(line),
            }
        };
        self.tail = Some(entry.tail());
        Ok(entry)
    }

    /// A line of version 2.
    fn sealed(&mut self, parts: &Parts<'_>, event: Event) -> Result<Entry, String> {
        let tail = self.tail();
        if parts.seq != tail.seq + 1 {
            return Err(format!(
                "event {} follows event {}: lines were taken out, added or moved",
                parts.seq, tail.seq
            ));
        }
        let chain = tail.chain.after(parts.content);
        if chain.digits() != parts.chain {
            return Err(
                "the line is not the one that was written here: its chain does not follow from its \
                 content and the line before"
                    .to_owned(),
            );
        }
        let at = parts.at.parse();
        let at = at.map_err(|error: NotAMoment| error.to_string())?;
        let author = serde_json::from_slice(parts.author)
            .map_err(|reason| format!("the author is no text ({reason})"))?;
        if self.unchained.is_some() && !matches!(event, Event::Continued { .. }) {
            return Err("a log of version 1 is carried on by the event `continued`".to_owned());
        }
        self.unchained = None;
        Ok(Entry {
            seq: parts.seq,
            stamp: Some(Stamp { at, author }),
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
        let ours = self.tail.is_some()
            || BEGINNINGS.iter().any(|begin| {
                let length = text.len().min(begin.len());
                text[..length] == begin[..length]
            });
        let parsed = serde_json::from_slice::<serde_json::Value>(text);
        ours && parsed.is_err_and(|error| error.is_eof())
    }
}

/// The fields of an object, between its braces.
fn fields(object: &[u8]) -> Option<&[u8]> {
    object.strip_prefix(b"{")?.strip_suffix(b"}")
}

fn object(fields: &[u8]) -> Vec<u8> {
    [b"{", fields, b"}"].concat()
}

/// The answer that these fields are. Nearly all lines are answers, which are so read at once: an
/// event of any kind goes through a tree of values first, since its kind could stand anywhere.
fn answer(fields: &[u8]) -> Option<Event> {
    let answered = fields.strip_prefix(b"\"event\":\"answered\",")?;
    let answered = serde_json::from_slice(&object(answered)).ok()?;
    Some(Event::Answered(answered))
}

fn too_new(version: u64) -> String {
    format!("the log is of version {version}, and this program reads versions up to {VERSION}")
}

/// The version of an opening that is no event to us because it is of a later one.
fn later_version(text: &[u8]) -> Option<u64> {
    let value: serde_json::Value = serde_json::from_slice(text).ok()?;
    let version = value.get("version")?.as_u64()?;
    let starts = ["opened", "continued"]
        .iter()
        .any(|name| value["event"] == *name);
    (starts && version > u64::from(VERSION)).then_some(version)
}
