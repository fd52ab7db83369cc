//! Incipits with one field per line, for example `@clef:G-2`: several between `@start:ID` and
//! `@end:ID`, or a single one in the file.

use std::borrow::Cow;

use partita_formats::{Diagnostic, FormatError, diagnostic};

use super::{PaeRecord, PaeRecordError, PaeVersion, decode_text, numbered_lines};

/// Returns true if the line is a field like `@clef:G-2`.
pub(super) fn is_field(line: &[u8]) -> bool {
    let name = line.strip_prefix(b"@").unwrap_or_default();
    let letters = name
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    letters > 0 && name.get(letters) == Some(&b':')
}

/// Builder of one incipit from its field lines.
#[derive(Default)]
struct TagRecordBuilder<'a> {
    record: PaeRecord<'a>,
    /// True if a line of the incipit was read.
    has_lines: bool,
    /// True if the incipit started with `@start`, so that it must end with `@end`.
    has_start_tag: bool,
    has_data: bool,
    /// First error in the lines of the incipit.
    error: Option<FormatError>,
}

impl<'a> TagRecordBuilder<'a> {
    /// Returns the incipit or its first error, or `None` if no line was read. `ended` is true if
    /// `@end` was read.
    fn finish_record(
        self,
        file: &str,
        ended: bool,
    ) -> Option<Result<PaeRecord<'a>, PaeRecordError>> {
        if !self.has_lines {
            return None;
        }
        let id = self.record.id.as_deref().map(str::to_owned);
        let line = self.record.line;
        let error = self.error.or_else(|| {
            (self.has_start_tag && !ended)
                .then(|| error_at(file, diagnostic!(Truncated: "@end is missing"), line))
        });
        Some(match error {
            None => Ok(self.record),
            Some(error) => Err(PaeRecordError { id, error }),
        })
    }
}

/// Passes every incipit of a tagged file, or its error, to `take`.
pub(super) fn for_each_record<'a>(
    file: &str,
    bytes: &'a [u8],
    take: &mut dyn FnMut(Result<PaeRecord<'a>, PaeRecordError>),
) {
    let mut open = TagRecordBuilder::default();
    for (number, line) in numbered_lines(bytes) {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        if open.record.line == 0 {
            open.record.line = number;
        }
        let Some((name, value)) = line
            .strip_prefix(b"@")
            .and_then(|field| field.split_at_checked(field.iter().position(|&byte| byte == b':')?))
        else {
            open.has_lines = true;
            let problem = diagnostic!(Syntax: "expected a field, such as @clef:G-2");
            open.error
                .get_or_insert_with(|| error_at(file, problem, number));
            continue;
        };
        let value = match decode_text(file, &value[1..], number) {
            Ok(value) => value,
            Err(error) => {
                open.has_lines = true;
                // All other fields are ignored.
                if matches!(
                    name,
                    b"start" | b"end" | b"clef" | b"keysig" | b"timesig" | b"data" | b"version"
                ) {
                    open.error.get_or_insert(error);
                }
                continue;
            }
        };
        match name {
            b"start" => {
                if let Some(closed) = std::mem::take(&mut open).finish_record(file, false) {
                    take(closed);
                }
                (open.has_lines, open.has_start_tag) = (true, true);
                open.record.line = number;
                open.record.id = Some(value.trim())
                    .filter(|id| !id.is_empty())
                    .map(Cow::from);
            }
            b"end" => {
                let closed = std::mem::take(&mut open);
                let ends = closed.record.id.as_deref().unwrap_or_default() == value.trim();
                if closed.has_start_tag && ends {
                    closed
                        .finish_record(file, true)
                        .into_iter()
                        .for_each(&mut *take);
                } else {
                    let problem = diagnostic!(Syntax { id = value.trim() }:
                        "@end:{id} ends what did not begin");
                    take(Err(PaeRecordError {
                        id: closed.record.id.map(Cow::into_owned),
                        error: error_at(file, problem, number),
                    }));
                }
            }
            _ => {
                open.has_lines = true;
                set_field(&mut open, name, value, file, number);
            }
        }
    }
    if let Some(closed) = open.finish_record(file, false) {
        take(closed);
    }
}

/// Sets the field of the incipit that a line names.
fn set_field<'a>(
    open: &mut TagRecordBuilder<'a>,
    name: &[u8],
    value: &'a str,
    file: &str,
    number: u64,
) {
    let record = &mut open.record;
    match name {
        b"clef" => record.clef = value.into(),
        b"keysig" => record.keysig = value.into(),
        b"timesig" => record.timesig = value.into(),
        b"version" => record.version = PaeVersion::parse(value),
        b"data" if open.has_data => {
            let problem = diagnostic!(Syntax:
                "there are two fields of data; each incipit begins with @start");
            open.error
                .get_or_insert_with(|| error_at(file, problem, number));
        }
        b"data" => {
            record.data = value.into();
            record.line = number;
            open.has_data = true;
        }
        _ => {}
    }
}

/// Creates an error at a line of a file.
fn error_at(file: &str, problem: Diagnostic, line: u64) -> FormatError {
    FormatError::in_file(file, problem).at_line(line)
}
