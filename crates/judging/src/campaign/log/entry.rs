//! One line of a log.

use serde::Deserialize;

use super::chain::Chain;
use super::moment::Moment;
use crate::campaign::event::Event;

/// When something was written down, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// When, by the clock of the driver. Clocks are set back now and then: the order of events is
    /// that of their numbers.
    pub at: Moment,
    /// Who: an organiser, or the program that took an answer in.
    pub author: String,
}

/// Where a log ends: what the next line follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The number of the last line; 0 if there is none.
    pub seq: u64,
    /// The chain after it.
    pub chain: Chain,
}

impl Tail {
    /// The end of a log in which nothing is written yet.
    pub const EMPTY: Self = Self {
        seq: 0,
        chain: Chain::START,
    };
}

/// An event with its place in a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The number of the event, from 1.
    pub seq: u64,
    /// When it was written down and by whom; nothing in a line of version 1.
    pub stamp: Option<Stamp>,
    /// What happened.
    pub event: Event,
    /// The chain after this line. That of a line of version 1 is the SHA-256 of all bytes up to its
    /// end.
    pub chain: Chain,
}

impl Entry {
    /// The next entry of a log that ends like this.
    pub fn new(tail: Tail, stamp: Stamp, event: Event) -> Self {
        let mut entry = Self {
            seq: tail.seq + 1,
            stamp: Some(stamp),
            event,
            chain: tail.chain,
        };
        entry.chain = tail.chain.after(entry.content().as_bytes());
        entry
    }

    /// Where a log ends that ends with this entry.
    pub fn tail(&self) -> Tail {
        Tail {
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
    /// let event = Event::Excluded { assessor: "w7".to_owned() };
    /// let line = Entry::new(Tail::EMPTY, stamp, event).line();
    /// let content = "{\"seq\":1,\"at\":\"2010-04-14T18:29:32.000Z\",\"author\":\"organiser\",\
    ///                \"event\":\"excluded\",\"assessor\":\"w7\"";
    /// let chain = Tail::EMPTY.chain.after(content.as_bytes());
    /// assert_eq!(line, format!("{content},\"chain\":\"{chain}\"}}\n"));
    /// # Ok::<(), partita_judging::campaign::log::NotAMoment>(())
    /// ```
    pub fn line(&self) -> String {
        let content = self.content();
        if self.stamp.is_none() {
            return content + "\n";
        }
        format!("{content}{}{}{}\n", SEAL.0, self.chain, SEAL.1)
    }

    /// The line without its chain: what the chain is made of.
    fn content(&self) -> String {
        // Numbers that JSON cannot hold are refused before an event is made of them.
        let event = serde_json::to_string(&self.event).expect("names and finite numbers are JSON");
        let Some(Stamp { at, author }) = &self.stamp else {
            return event;
        };
        let author = serde_json::to_string(author).expect("a text is JSON");
        let event = event
            .strip_prefix('{')
            .and_then(|event| event.strip_suffix('}'))
            .expect("an event is a JSON object");
        format!(
            "{{\"seq\":{},\"at\":\"{at}\",\"author\":{author},{event}",
            self.seq
        )
    }
}

/// What stands before and after the chain at the end of a line.
const SEAL: (&str, &str) = (",\"chain\":\"", "\"}");

/// How a line of version 2 begins.
pub(super) const NUMBERED: &[u8] = b"{\"seq\":";

/// A line that is sealed, taken apart.
pub(super) struct Sealed<'l> {
    pub(super) content: &'l [u8],
    pub(super) chain: &'l [u8],
}

impl<'l> Sealed<'l> {
    /// Nothing if the line has no chain at its end.
    pub(super) fn of(line: &'l [u8]) -> Option<Self> {
        let rest = line.strip_suffix(SEAL.1.as_bytes())?;
        let (rest, chain) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
        let content = rest.strip_suffix(SEAL.0.as_bytes())?;
        Some(Self { content, chain })
    }
}

/// What a numbered line says beside its event.
#[derive(Deserialize)]
pub(super) struct Envelope {
    pub(super) seq: u64,
    pub(super) at: Moment,
    pub(super) author: String,
}
