//! Entry of a campaign log: one line of JSON.

use std::io::Write as _;

use super::event::Event;
use super::hash_chain::HashChain;
use super::timestamp::Timestamp;

/// Time and author of a log entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Time of recording, by the clock of the program that writes the log. Clocks can be set back,
    /// so the order of events is given by their numbers, not by their times.
    pub at: Timestamp,
    /// Author of the entry: an organiser, or the program that received an answer.
    pub author: String,
}

/// Number and hash of the last line of a log, from which the next line continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogTail {
    /// Number of the last line; 0 if the log is empty.
    pub seq: u64,
    /// Hash at the end of the last line, which covers all lines of the log.
    pub chain: HashChain,
}

impl LogTail {
    /// Tail of an empty log: number 0, and the hash that precedes the first line.
    pub const EMPTY: Self = Self {
        seq: 0,
        chain: HashChain::START,
    };
}

/// Event with its number, its time and author, and its hash.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// Event number, from 1.
    pub seq: u64,
    /// Time and author of the entry.
    pub stamp: Stamp,
    /// Recorded event.
    pub event: Event,
    /// Hash at the end of this line, which covers this and all earlier lines.
    pub chain: HashChain,
}

impl LogEntry {
    /// Creates the entry that follows the line with the number and hash in `tail`.
    pub fn new(tail: LogTail, stamp: Stamp, event: Event) -> Self {
        let mut entry = Self {
            seq: tail.seq + 1,
            stamp,
            event,
            chain: tail.chain,
        };
        entry.chain = tail.chain.after(&entry.content());
        entry
    }

    /// Returns the number and hash of this entry, from which the next line continues.
    pub fn tail(&self) -> LogTail {
        LogTail {
            seq: self.seq,
            chain: self.chain,
        }
    }

    /// Returns this entry as a line of the log, including the newline.
    ///
    /// ```
    /// use partita_judging::campaign::Event;
    /// use partita_judging::campaign::log::{LogEntry, LogTail, Stamp};
    ///
    /// let stamp = Stamp {
    ///     at: "2010-04-14T18:29:32Z".parse()?,
    ///     author: "organiser".to_owned(),
    /// };
    /// let event = Event::Excluded { assessor: "w7".to_owned(), reason: None };
    /// let line = LogEntry::new(LogTail::EMPTY, stamp, event).line();
    /// let content = "{\"seq\":1,\"at\":\"2010-04-14T18:29:32.000Z\",\"author\":\"organiser\",\
    ///                \"event\":\"excluded\",\"assessor\":\"w7\"";
    /// let chain = LogTail::EMPTY.chain.after(content.as_bytes());
    /// assert_eq!(line, format!("{content},\"chain\":\"{chain}\"}}\n"));
    /// # Ok::<(), partita_judging::campaign::log::TimestampError>(())
    /// ```
    pub fn line(&self) -> String {
        let mut line = self.content();
        let digits = self.chain.digits();
        let parts = [
            CHAIN_FIELD_ENDS.0.as_bytes(),
            &digits,
            CHAIN_FIELD_ENDS.1.as_bytes(),
        ];
        line.reserve(parts.iter().map(|part| part.len()).sum::<usize>() + 1);
        line.extend(parts.into_iter().flatten());
        line.push(b'\n');
        String::from_utf8(line).expect("the line consists of UTF-8 text only")
    }

    /// Returns the bytes that the hash covers: the line without its `chain` field and closing
    /// brace.
    fn content(&self) -> Vec<u8> {
        // Capacity that suffices for most lines, chain field included.
        let mut content = Vec::with_capacity(512);
        let Stamp { at, author } = &self.stamp;
        write!(
            content,
            "{{\"seq\":{},\"at\":\"{at}\",\"author\":",
            self.seq
        )
        .expect("writing to a Vec never fails");
        serde_json::to_writer(&mut content, author).expect("strings always serialise to JSON");
        self.event.write(&mut content);
        content
    }
}

/// Text before and after the hash, which is the value of the last field of a line.
const CHAIN_FIELD_ENDS: (&str, &str) = (",\"chain\":\"", "\"}");

/// First bytes of every line of a log.
const LINE_START: &[u8] = b"{\"seq\":";

/// Fields of a log line as bytes. Their order is fixed and there are no blanks between them, so
/// everything except the event is found without parsing JSON.
pub(super) struct LineParts<'l> {
    pub(super) seq: u64,
    /// Time of recording, not parsed yet.
    pub(super) at: &'l str,
    /// Author as a JSON string.
    pub(super) author: &'l [u8],
    /// Fields of the event as JSON, without the braces of an object.
    pub(super) event: &'l [u8],
    /// Bytes of the line that the hash covers.
    pub(super) content: &'l [u8],
    /// Hexadecimal digits of the hash.
    pub(super) chain: &'l [u8],
}

impl<'l> LineParts<'l> {
    /// Splits a line into its fields. Returns `None` if a field other than those of the event is
    /// missing or malformed.
    pub(super) fn split(line: &'l [u8]) -> Option<Self> {
        let rest = line.strip_suffix(CHAIN_FIELD_ENDS.1.as_bytes())?;
        let (rest, chain) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
        let content = rest.strip_suffix(CHAIN_FIELD_ENDS.0.as_bytes())?;
        let rest = content.strip_prefix(LINE_START)?;
        let (seq, rest) = rest.split_at(rest.iter().position(|byte| !byte.is_ascii_digit())?);
        let rest = rest.strip_prefix(b",\"at\":\"")?;
        let (at, rest) = rest.split_at(rest.iter().position(|&byte| byte == b'"')?);
        let rest = rest.strip_prefix(b"\",\"author\":")?;
        let (author, rest) = rest.split_at(string_end(rest)?);
        Some(Self {
            seq: std::str::from_utf8(seq).ok()?.parse().ok()?,
            at: std::str::from_utf8(at).ok()?,
            author,
            event: rest.strip_prefix(b",")?,
            content,
            chain,
        })
    }
}

/// Returns the index after the closing quote of the JSON string at the start of `text`, or `None`
/// if there is no complete JSON string.
fn string_end(text: &[u8]) -> Option<usize> {
    let mut place = 1;
    text.first().filter(|&&byte| byte == b'"')?;
    loop {
        match text.get(place)? {
            b'"' => return Some(place + 1),
            b'\\' => place += 2,
            _ => place += 1,
        }
    }
}
