//! Incipits in JSON: one object, an array of objects, or one object per line.

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

/// JSON value that may be a string or an integer, for ids and versions.
#[derive(Deserialize)]
#[serde(untagged)]
enum TextOrNumber<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Number(i64),
}

impl<'a> TextOrNumber<'a> {
    fn into_text(self) -> Cow<'a, str> {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string().into(),
        }
    }
}

/// Converter of byte offsets to line numbers. Offsets must be requested in ascending order, so that
/// each byte is read once.
struct LineIndex<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl LineIndex<'_> {
    /// Returns the line number, from 1, of a byte offset.
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

/// Passes every incipit of a JSON file, or its error, to `take`.
pub(super) fn for_each_record<'a>(
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
    if is_json_lines(text) {
        for line in text.split('\n') {
            if !line.trim().is_empty() {
                let number = lines.line_at(substring_offset(text, line));
                take(parse_record(file, line, number));
            }
        }
        return;
    }
    if !text.trim_start().starts_with('[') {
        let number = lines.line_at(text.len() - text.trim_start().len());
        return take(parse_record(file, text, number));
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let visited = deserializer.deserialize_seq(ArrayElements {
        take: &mut |raw: &'a RawValue| {
            let number = lines.line_at(substring_offset(text, raw.get()));
            take(parse_record(file, raw.get(), number));
        },
    });
    if let Err(error) = visited.and_then(|()| deserializer.end()) {
        let error = json_error(file, &error, error.line() as u64);
        take(Err(PaeRecordError { id: None, error }));
    }
}

/// Returns true if the text looks like JSON lines: one object per line.
fn is_json_lines(text: &str) -> bool {
    let mut lines = text
        .split('\n')
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    first.starts_with('{')
        && first.ends_with('}')
        && lines.next().is_some_and(|line| line.starts_with('{'))
}

/// Returns the byte offset of `part`, which is a slice of `text`, in `text`.
fn substring_offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Converts an error of the JSON parser to an error in a file.
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

/// Parses one JSON object as an incipit.
#[expect(clippy::result_large_err, reason = "a record is larger than its error")]
fn parse_record<'a>(
    file: &str,
    object: &'a str,
    line: u64,
) -> Result<PaeRecord<'a>, PaeRecordError> {
    let fields: Fields<'_> = match serde_json::from_str(object) {
        Ok(fields) => fields,
        Err(error) => {
            #[derive(Deserialize)]
            struct Id<'a> {
                #[serde(borrow)]
                id: TextOrNumber<'a>,
            }
            let id = serde_json::from_str::<Id<'_>>(object).ok();
            let id = id.map(|id| id.id.into_text().into_owned());
            let error = json_error(file, &error, line);
            return Err(PaeRecordError { id, error });
        }
    };
    let version = fields.version.map(TextOrNumber::into_text);
    Ok(PaeRecord {
        id: fields
            .id
            .map(TextOrNumber::into_text)
            .filter(|id| !id.trim().is_empty()),
        line,
        clef: fields.clef.unwrap_or_default(),
        keysig: fields.keysig.unwrap_or_default(),
        timesig: fields.timesig.unwrap_or_default(),
        data: fields.data.unwrap_or_default(),
        version: version.map_or(PaeVersion::One, |version| PaeVersion::parse(&version)),
    })
}

/// Serde visitor that passes the elements of a JSON array to a callback, one at a time.
struct ArrayElements<'t, 'a> {
    take: &'t mut dyn FnMut(&'a RawValue),
}

impl<'de> Visitor<'de> for ArrayElements<'_, 'de> {
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
