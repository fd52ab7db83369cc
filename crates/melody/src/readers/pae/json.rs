//! Incipits in JSON: an object, an array of objects, or an object per line.

use std::borrow::Cow;

use partita_formats::{Diagnostic, DiagnosticCode, FormatError, diagnostic};
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{PaeRecord, PaeRecordError, PaeVersion};

#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow, default)]
    id: Option<TextOrNumber<'a>>,
    #[serde(borrow, default)]
    clef: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    keysig: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    timesig: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    data: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    version: Option<TextOrNumber<'a>>,
}

/// JSON string or number.
#[derive(Deserialize)]
#[serde(untagged)]
enum TextOrNumber<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Number(i64),
}

impl<'a> TextOrNumber<'a> {
    fn text(self) -> Cow<'a, str> {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string().into(),
        }
    }
}

/// Converter of byte offsets to line numbers. Offsets must be requested in ascending order.
struct LineIndex<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl LineIndex<'_> {
    fn line_at(&mut self, at: usize) -> u64 {
        let at = at.clamp(self.at, self.bytes.len());
        let more = self.bytes[self.at..at]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        self.line += more as u64;
        self.at = at;
        self.line
    }
}

pub(super) fn each_record<'a>(
    file: &str,
    bytes: &'a [u8],
    take: &mut dyn FnMut(Result<PaeRecord<'a>, PaeRecordError>),
) {
    let mut lines = LineIndex {
        bytes,
        at: 0,
        line: 1,
    };
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let problem = diagnostic!(NotText { byte = at + 1 }: "this is no UTF-8");
            let error = FormatError::in_file(file, problem).at_line(lines.line_at(at));
            return take(Err(PaeRecordError { id: None, error }));
        }
    };
    if is_lines(text) {
        for line in text.split('\n') {
            if !line.trim().is_empty() {
                let number = lines.line_at(offset(text, line));
                take(record(file, line, number));
            }
        }
        return;
    }
    if !text.trim_start().starts_with('[') {
        let number = lines.line_at(text.len() - text.trim_start().len());
        return take(record(file, text, number));
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let visited = deserializer.deserialize_seq(Elements {
        take: &mut |raw: &'a RawValue| {
            let number = lines.line_at(offset(text, raw.get()));
            take(record(file, raw.get(), number));
        },
    });
    if let Err(error) = visited.and_then(|()| deserializer.end()) {
        let error = json_error(file, &error, error.line() as u64);
        take(Err(PaeRecordError { id: None, error }));
    }
}

/// Returns true if each line is a JSON object.
fn is_lines(text: &str) -> bool {
    let mut lines = text
        .split('\n')
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    first.starts_with('{')
        && first.ends_with('}')
        && lines.next().is_some_and(|line| line.starts_with('{'))
}

/// Returns the byte offset of a substring in a text.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn json_error(file: &str, error: &serde_json::Error, line: u64) -> FormatError {
    let code = if error.is_eof() {
        DiagnosticCode::Truncated
    } else {
        DiagnosticCode::Syntax
    };
    let problem = Diagnostic::new(code, format!("this is no incipit in JSON: {error}"));
    FormatError::in_file(file, problem)
        .at_line(line)
        .at_column(error.column() as u64)
}

#[expect(clippy::result_large_err, reason = "a record is larger than its error")]
fn record<'a>(file: &str, object: &'a str, line: u64) -> Result<PaeRecord<'a>, PaeRecordError> {
    let fields: Fields<'_> = match serde_json::from_str(object) {
        Ok(fields) => fields,
        Err(error) => {
            #[derive(Deserialize)]
            struct Id<'a> {
                #[serde(borrow)]
                id: TextOrNumber<'a>,
            }
            let id = serde_json::from_str::<Id<'_>>(object).ok();
            let id = id.map(|id| id.id.text().into_owned());
            let error = json_error(file, &error, line);
            return Err(PaeRecordError { id, error });
        }
    };
    let version = fields.version.map(TextOrNumber::text);
    Ok(PaeRecord {
        id: fields
            .id
            .map(TextOrNumber::text)
            .filter(|id| !id.trim().is_empty()),
        line,
        clef: fields.clef.unwrap_or_default(),
        keysig: fields.keysig.unwrap_or_default(),
        timesig: fields.timesig.unwrap_or_default(),
        data: fields.data.unwrap_or_default(),
        version: version.map_or(PaeVersion::One, |version| PaeVersion::parse(&version)),
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
