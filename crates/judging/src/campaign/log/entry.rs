//! One line of a log.

use std::io::Write as _;

use super::event::Event;
use super::hash_chain::HashChain;
use super::timestamp::Timestamp;

/// When something was written down, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// When, by the clock of the driver. Clocks are set back now and then: the order of events is
    /// that of their numbers.
    pub at: Timestamp,
    /// Who: an organiser, or the program that took an answer in.
    pub author: String,
}

/// Where a log ends: what the next line follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogTail {
    /// The number of the last line; 0 if there is none.
    pub seq: u64,
    /// The chain after it.
    pub chain: HashChain,
}

impl LogTail {
    /// The end of a log in which nothing is written yet.
    pub const EMPTY: Self = Self {
        seq: 0,
        chain: HashChain::START,
    };
}

/// An event with its place in a log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// The number of the event, from 1.
    pub seq: u64,
    /// When it was written down and by whom.
    pub stamp: Stamp,
    /// What happened.
    pub event: Event,
    /// The chain after this line.
    pub chain: HashChain,
}

impl LogEntry {
    /// The next entry of a log that ends like this.
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

    /// Where a log ends that ends with this entry.
    pub fn tail(&self) -> LogTail {
        LogTail {
            seq: self.seq,
            chain: self.chain,
        }
    }

    /// The line of an entry, its end included.
    ///
    /// ```
    /// use partita_judging::campaign::Event;
    /// use partita_judging::campaign::log::{Entry, Stamp, Tail};
    ///
    /// let stamp = Stamp {
    ///     at: "2010-04-14T18:29:32Z".parse()?,
    ///     author: "organiser".to_owned(),
    /// };
    /// let event = Event::Excluded { assessor: "w7".to_owned(), reason: None };
    /// let line = Entry::new(Tail::EMPTY, stamp, event).line();
    /// let content = "{\"seq\":1,\"at\":\"2010-04-14T18:29:32.000Z\",\"author\":\"organiser\",\
    ///                \"event\":\"excluded\",\"assessor\":\"w7\"";
    /// let chain = Tail::EMPTY.chain.after(content.as_bytes());
    /// assert_eq!(line, format!("{content},\"chain\":\"{chain}\"}}\n"));
    /// # Ok::<(), partita_judging::campaign::log::NotAMoment>(())
    /// ```
    pub fn line(&self) -> String {
        let mut line = self.content();
        let digits = self.chain.digits();
        let parts = [SEAL.0.as_bytes(), &digits, SEAL.1.as_bytes()];
        line.reserve(parts.iter().map(|part| part.len()).sum::<usize>() + 1);
        line.extend(parts.into_iter().flatten());
        line.push(b'\n');
        String::from_utf8(line).expect("JSON is UTF-8")
    }

    /// The line without its chain: what the chain is made of.
    fn content(&self) -> Vec<u8> {
        // Room for most lines and their seals.
        let mut content = Vec::with_capacity(512);
        let Stamp { at, author } = &self.stamp;
        write!(
            content,
            "{{\"seq\":{},\"at\":\"{at}\",\"author\":",
            self.seq
        )
        .expect("memory takes all that is written");
        serde_json::to_writer(&mut content, author).expect("a text is JSON");
        let start = content.len();
        // Numbers that JSON cannot hold are refused before an event is made of them.
        serde_json::to_writer(&mut content, &self.event)
            .expect("names and finite numbers are JSON");
        // The fields of the event follow the others in one object, which the seal closes.
        let ends = (content[start], content.pop());
        assert_eq!(ends, (b'{', Some(b'}')), "an event is a JSON object");
        content[start] = b',';
        content
    }
}

/// What stands before and after the chain at the end of a line.
const SEAL: (&str, &str) = (",\"chain\":\"", "\"}");

/// The first bytes of a line.
const NUMBERED: &[u8] = b"{\"seq\":";

/// A line, taken apart. Its fields stand in one order, without blanks between them, so
/// that all but the event is found without parsing JSON.
pub(super) struct LineParts<'l> {
    pub(super) seq: u64,
    pub(super) at: &'l str,
    /// A JSON string.
    pub(super) author: &'l [u8],
    /// The fields of the event, without the braces of an object.
    pub(super) event: &'l [u8],
    /// What the chain is made of.
    pub(super) content: &'l [u8],
    pub(super) chain: &'l [u8],
}

impl<'l> LineParts<'l> {
    /// Nothing if the line does not begin or end as it should.
    pub(super) fn split(line: &'l [u8]) -> Option<Self> {
        let rest = line.strip_suffix(SEAL.1.as_bytes())?;
        let (rest, chain) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
        let content = rest.strip_suffix(SEAL.0.as_bytes())?;
        let rest = content.strip_prefix(NUMBERED)?;
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

/// Where the JSON string ends with which these bytes begin.
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
