//! Incipits with one line each, for example `%G-2@3/4$bB 4'CDE`, optionally after an id and a tab.

use super::{PaeRecord, PaeRecordError, PaeVersion, decode_text, numbered_lines};

/// Returns true if the line looks like an incipit in this form.
pub(super) fn is_incipit(line: &[u8]) -> bool {
    let tab = line.iter().position(|&byte| byte == b'\t');
    let code = tab.map_or(line, |tab| &line[tab + 1..]);
    code.starts_with(b"%") || code.starts_with(b";pe2")
}

/// Passes every incipit of a one-incipit-per-line file, or its error, to `take`.
pub(super) fn for_each_record<'a>(
    file: &str,
    bytes: &'a [u8],
    take: &mut dyn FnMut(Result<PaeRecord<'a>, PaeRecordError>),
) {
    for (number, line) in numbered_lines(bytes) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        take(match decode_text(file, line, number) {
            Ok(line) => Ok(parse_line(line, number)),
            Err(error) => Err(PaeRecordError { id: None, error }),
        });
    }
}

/// Splits a line into id, clef, key signature, metre and data.
fn parse_line(line: &str, number: u64) -> PaeRecord<'_> {
    let (id, code) = match line.split_once('\t') {
        Some((id, code)) => (Some(id.trim()).filter(|id| !id.is_empty()), code),
        None => (None, line),
    };
    let code = code.trim_start();
    let (version, code) = match code.strip_prefix(";pe2") {
        Some(rest) => (PaeVersion::Two, rest.trim_start()),
        None => (PaeVersion::One, code),
    };
    let mut record = PaeRecord {
        id: id.map(Into::into),
        line: number,
        version,
        ..PaeRecord::default()
    };
    // Clef, key and metre come before the first space, each after its sign.
    let (head, data) = match code.bytes().next() {
        Some(b'%' | b'$' | b'@') => code.split_once(' ').unwrap_or((code, "")),
        _ => ("", code),
    };
    let mut rest = head;
    while let Some(sign) = rest.bytes().next() {
        let end = rest[1..]
            .find(['%', '$', '@'])
            .map_or(rest.len(), |end| end + 1);
        let field = &rest[1..end];
        match sign {
            b'%' => record.clef = field.into(),
            b'$' => record.keysig = field.into(),
            _ => record.timesig = field.into(),
        }
        rest = &rest[end..];
    }
    record.data = data.into();
    record
}
