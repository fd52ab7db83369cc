//! Incipits as JSON: an object, an array of objects, or an object per line.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::super::{Reason, Unread};
use super::{NoRecord, Record, Version};

#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow, default)]
    id: Option<Word<'a>>,
    #[serde(borrow, default)]
    clef: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    keysig: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    timesig: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    data: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    version: Option<Word<'a>>,
}

/// A text, or a number in its place.
#[derive(Deserialize)]
#[serde(untagged)]
enum Word<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Number(i64),
}

impl<'a> Word<'a> {
    fn text(self) -> Cow<'a, str> {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string().into(),
        }
    }
}

/// Knows on which line a byte is, if asked from the front to the back.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    fn of(&mut self, at: usize) -> u64 {
        let at = at.clamp(self.at, self.bytes.len());
        let more = self.bytes[self.at..at].iter().filter(|&&byte| byte == b'\n').count();
        self.line += more as u64;
        self.at = at;
        self.line
    }
}

pub(super) fn each_record<'a>(
    bytes: &'a [u8],
    take: &mut dyn FnMut(Result<Record<'a>, NoRecord>),
) {
    let mut lines = Lines { bytes, at: 0, line: 1 };
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let unread = Unread::new(Reason::Encoding, "this is no UTF-8");
            let unread = unread.on_line(lines.of(at)).at(format!("byte {}", at + 1));
            return take(Err(NoRecord { id: None, unread }));
        }
    };
    if is_lines(text) {
        for line in text.split('\n') {
            if !line.trim().is_empty() {
                let number = lines.of(offset(text, line));
                take(record(line, number));
            }
        }
        return;
    }
    if !text.trim_start().starts_with('[') {
        let number = lines.of(text.len() - text.trim_start().len());
        return take(record(text, number));
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let visited = deserializer.deserialize_seq(Elements {
        take: &mut |raw: &'a RawValue| {
            let number = lines.of(offset(text, raw.get()));
            take(record(raw.get(), number));
        },
    });
    if let Err(error) = visited.and_then(|()| deserializer.end()) {
        let unread = no_json(&error).on_line(error.line() as u64);
        take(Err(NoRecord { id: None, unread }));
    }
}

/// Whether each line is an object of its own.
fn is_lines(text: &str) -> bool {
    let mut lines = text.split('\n').map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    first.starts_with('{') && first.ends_with('}') && lines.next().is_some_and(|line| line.starts_with('{'))
}

/// Where a part of a text begins, in bytes.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn no_json(error: &serde_json::Error) -> Unread {
    let reason = if error.is_eof() { Reason::Truncated } else { Reason::Syntax };
    let place = format!("column {}", error.column());
    Unread::new(reason, format!("this is no incipit in JSON: {error}")).at(place)
}

fn record(object: &str, line: u64) -> Result<Record<'_>, NoRecord> {
    let fields: Fields<'_> = match serde_json::from_str(object) {
        Ok(fields) => fields,
        Err(error) => {
            #[derive(Deserialize)]
            struct Id<'a> {
                #[serde(borrow)]
                id: Word<'a>,
            }
            let id = serde_json::from_str::<Id<'_>>(object).ok();
            let id = id.map(|id| id.id.text().into_owned());
            let unread = no_json(&error).on_line(line);
            return Err(NoRecord { id, unread });
        }
    };
    let version = fields.version.map(Word::text);
    Ok(Record {
        id: fields.id.map(Word::text).filter(|id| !id.trim().is_empty()),
        line,
        clef: fields.clef.unwrap_or_default(),
        keysig: fields.keysig.unwrap_or_default(),
        timesig: fields.timesig.unwrap_or_default(),
        data: fields.data.unwrap_or_default(),
        version: version.map_or(Version::One, |version| Version::of(&version)),
    })
}

struct Elements<'t, 'a> {
    take: &'t mut dyn FnMut(&'a RawValue),
}

impl<'de> Visitor<'de> for Elements<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of incipits")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element::<&'de RawValue>()? {
            (self.take)(element);
        }
        Ok(())
    }
}
