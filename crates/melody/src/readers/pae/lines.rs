//! Incipits with one line each, for example `%G-2@3/4$bB 4'CDE`, optionally after an id and a tab.

use partita_formats::{Diagnostic, FormatError, diagnostic};

use super::{PaeRecord, PaeRecordError, PaeVersion, decode_text, numbered_lines};

/// Number of lines at the start of a file that are inspected to recognise this form.
const INSPECTED_LINES: usize = 20;

/// Returns true if at least half of the first lines of a file are incipits in this form.
pub(super) fn is_incipit_file(bytes: &[u8]) -> bool {
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty()).take(INSPECTED_LINES);
    let (count, incipits) = lines.fold((0, 0), |(count, incipits), line| {
        (count + 1, incipits + usize::from(is_incipit(line)))
    });
    incipits > 0 && incipits * 2 >= count
}

/// Returns true if the line is an incipit in this form: after an optional id and tab it begins with
/// `%` and a clef, or with `;pe2`.
fn is_incipit(line: &[u8]) -> bool {
    let code = code_of(line);
    let clef = code.strip_prefix(b"%").unwrap_or_default();
    let clef = clef.strip_prefix(b"[").unwrap_or(clef);
    code.starts_with(b";pe2")
        || matches!(
            clef,
            [
                b'G' | b'g' | b'C' | b'F',
                b'-' | b'+' | b'*' | b':',
                b'1'..=b'5',
                ..
            ]
        )
        || matches!(clef, [b'G' | b'g' | b'C' | b'F', b'1'..=b'5', ..])
}

/// Returns the part of a line after the optional id and tab.
fn code_of(line: &[u8]) -> &[u8] {
    let tab = line.iter().position(|&byte| byte == b'\t');
    tab.map_or(line, |tab| &line[tab + 1..]).trim_ascii_start()
}

/// Returns the diagnostic for a line that is no incipit.
fn no_incipit_diagnostic(line: &[u8]) -> Diagnostic {
    if code_of(line).starts_with(b"%") {
        return diagnostic!(UnknownClef: "\"%\" is followed by no clef, such as G-2");
    }
    diagnostic!(Syntax: "expected an incipit, such as %G-2@3/4$bB 4'CDE, after an optional id and a tab")
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
            Ok(text) if is_incipit(line) => Ok(parse_line(text, number)),
            Ok(_) => Err(PaeRecordError {
                id: None,
                error: FormatError::in_file(file, no_incipit_diagnostic(line)).at_line(number),
            }),
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
