//! Incipits in MARCXML, as published by the catalogue RISM: control number (field 001) and incipits
//! (fields 031) of each record.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use partita_formats::{Diagnostic, DiagnosticCode, FormatError, diagnostic};
use quick_xml::errors::SyntaxError;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::super::LocatedProblem;
use super::super::xml::{decode_xml, root_name};
use super::{PaeRecord, PaeRecordError, PaeVersion, strip_byte_order_mark};

/// Builder of the incipits of one MARC record.
#[derive(Default)]
struct MarcRecordBuilder {
    /// Control number of the record (field 001).
    number: String,
    /// Incipits of the record (fields 031). They may precede the control number.
    incipits: Vec<Incipit>,
}

/// Incipit of a MARC record (field 031).
#[derive(Default)]
struct Incipit {
    /// Line in the file of the notes, or of the incipit if it has no notes.
    line: u64,
    /// Subfields a, b and c: numbers of work, movement and excerpt in the source.
    numbers: [Option<String>; 3],
    /// Texts of the subfields with the codes in [`FIELD_CODES`], in that order.
    fields: [String; 5],
}

/// Codes of the subfields of an incipit (field 031) that are stored in `Incipit::fields`: clef, key
/// signature, metre, notes, version.
const FIELD_CODES: [u8; 5] = *b"gnop2";

/// Part of the MARC record to which the next XML text belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextTarget {
    Nothing,
    /// Control number of the record.
    Number,
    /// Number of work, movement or excerpt (subfield a, b or c), by index.
    WorkNumber(usize),
    /// Other subfield of an incipit, by index in [`FIELD_CODES`].
    Field(usize),
}

/// Names of the root elements that MARCXML files may have.
pub(super) const MARCXML_ROOTS: [&str; 4] =
    ["collection", "record", "searchRetrieveResponse", "OAI-PMH"];

/// Largest number of incipits per MARC record, so that malformed input cannot exhaust memory.
const MAX_INCIPITS_PER_RECORD: usize = 10_000;

/// Passes every incipit of a MARCXML file, or its error, to `take`.
pub(super) fn for_each_record<'a>(
    file: &str,
    bytes: &'a [u8],
    take: &mut dyn FnMut(Result<PaeRecord<'a>, PaeRecordError>),
) {
    match decode_xml(bytes) {
        Ok(text) => stream_records(file, text.as_bytes(), take),
        Err(problem) => take(Err(PaeRecordError {
            id: None,
            error: FormatError::in_file(file, problem),
        })),
    }
}

/// Passes every incipit of a MARCXML file in UTF-8 to `take`. Only one MARC record is in memory at
/// a time.
pub(super) fn stream_records<'a>(
    file: &str,
    input: impl BufRead,
    take: &mut dyn FnMut(Result<PaeRecord<'a>, PaeRecordError>),
) {
    if let Err(problem) = read_records(input, take) {
        let error = problem.in_file(file);
        take(Err(PaeRecordError { id: None, error }));
    }
}

/// Returns true if a file with these first bytes can be streamed: it is MARCXML in UTF-8.
pub(super) fn can_stream(head: &[u8]) -> bool {
    // The first bytes may end inside a character.
    let is_utf_8 =
        std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true);
    let start = strip_byte_order_mark(head).trim_ascii_start();
    let declaration = String::from_utf8_lossy(&start[..start.len().min(200)]).to_lowercase();
    let declaration = declaration.split("?>").next().unwrap_or_default();
    let declares_other = declaration.contains("encoding") && !declaration.contains("utf-8");
    is_utf_8
        && !declares_other
        && root_name(start).is_some_and(|root| MARCXML_ROOTS.contains(&root.as_str()))
}

/// Buffered reader that counts the lines that were read, for error messages.
struct LineCountingReader<R> {
    input: R,
    lines: u64,
}

impl<R: BufRead> Read for LineCountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.lines += count_newlines(&buffer[..count]);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for LineCountingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // The consumed bytes are still in the buffer at this point.
        if let Ok(buffer) = self.input.fill_buf() {
            self.lines += count_newlines(&buffer[..amount.min(buffer.len())]);
        }
        self.input.consume(amount);
    }
}

fn count_newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// Converts an error of the XML parser to a diagnostic.
fn xml_diagnostic(error: &quick_xml::Error) -> Diagnostic {
    let code = match error {
        quick_xml::Error::Encoding(_) => DiagnosticCode::NotText,
        quick_xml::Error::Syntax(SyntaxError::InvalidBangMarkup) => DiagnosticCode::Syntax,
        // The remaining syntax errors report unclosed markup.
        quick_xml::Error::Syntax(_) => DiagnosticCode::Truncated,
        _ => DiagnosticCode::Syntax,
    };
    Diagnostic::new(code, format!("this is no XML: {error}"))
}

/// Parses MARCXML and passes the incipits of each record to `take`.
fn read_records<'a>(
    input: impl BufRead,
    take: &mut dyn FnMut(Result<PaeRecord<'a>, PaeRecordError>),
) -> Result<(), LocatedProblem> {
    let mut reader = Reader::from_reader(LineCountingReader { input, lines: 1 });
    let mut buffer = Vec::new();
    let mut open = MarcRecordBuilder::default();
    let mut target = TextTarget::Nothing;
    let mut inside = false;
    let mut depth = 0_u64;
    loop {
        let line = reader.get_ref().lines;
        buffer.clear();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(error) => {
                let problem = xml_diagnostic(&error).with_field("byte", reader.error_position());
                return Err(LocatedProblem::on_line(problem, line));
            }
        };
        match event {
            Event::Start(tag) => {
                depth += 1;
                match tag.local_name().as_ref() {
                    "record" => open = MarcRecordBuilder::default(),
                    "controlfield" if attribute_value(&tag, "tag").as_deref() == Some("001") => {
                        target = TextTarget::Number;
                    }
                    "datafield" => {
                        inside = attribute_value(&tag, "tag").as_deref() == Some("031");
                        if inside {
                            if open.incipits.len() == MAX_INCIPITS_PER_RECORD {
                                let problem = diagnostic!(TooLarge { most = MAX_INCIPITS_PER_RECORD }:
                                    "a record has {most} incipits at most");
                                return Err(LocatedProblem::on_line(problem, line));
                            }
                            open.incipits.push(Incipit {
                                line,
                                ..Incipit::default()
                            });
                        }
                    }
                    "subfield" if inside => target = subfield_target(&tag),
                    _ => {}
                }
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                match tag.local_name().as_ref() {
                    "record" => finish_record(std::mem::take(&mut open), take),
                    "datafield" => inside = false,
                    "controlfield" | "subfield" => target = TextTarget::Nothing,
                    _ => {}
                }
            }
            Event::Text(text) if target != TextTarget::Nothing => {
                add_text(&mut open, target, text.as_ref(), line);
            }
            Event::CData(text) if target != TextTarget::Nothing => {
                add_text(&mut open, target, text.as_ref(), line);
            }
            Event::GeneralRef(reference) if target != TextTarget::Nothing => {
                let name: &str = reference.as_ref();
                let sign = match reference.resolve_char_ref() {
                    Ok(Some(sign)) => sign.to_string(),
                    _ => match resolve_predefined_entity(name) {
                        Some(text) => text.to_owned(),
                        None => {
                            let problem =
                                diagnostic!(Entities { name }: "the entity {name} is not known");
                            return Err(LocatedProblem::on_line(problem, line));
                        }
                    },
                };
                add_text(&mut open, target, &sign, line);
            }
            Event::DocType(text) if AsRef::<str>::as_ref(&text).contains("<!ENTITY") => {
                let problem = diagnostic!(Entities: "it declares entities");
                return Err(LocatedProblem::on_line(problem, line));
            }
            Event::Eof if depth > 0 => {
                let problem = diagnostic!(Truncated: "the file ends in the middle of a record");
                return Err(LocatedProblem::on_line(problem, line));
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Returns the value of an attribute of an XML tag, or `None` if it has no such attribute.
fn attribute_value<'t>(tag: &'t BytesStart<'_>, name: &str) -> Option<Cow<'t, str>> {
    let found = tag
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.as_ref() == name);
    found.map(|attribute| attribute.value)
}

/// Returns the part of the record to which the text of a subfield belongs.
fn subfield_target(tag: &BytesStart<'_>) -> TextTarget {
    let code = attribute_value(tag, "code");
    let Some(&[letter]) = code.as_deref().map(str::as_bytes) else {
        return TextTarget::Nothing;
    };
    match letter {
        b'a'..=b'c' => TextTarget::WorkNumber(usize::from(letter - b'a')),
        letter => {
            let field = FIELD_CODES.iter().position(|&known| known == letter);
            field.map_or(TextTarget::Nothing, TextTarget::Field)
        }
    }
}

/// Appends XML text to the part of the record to which it belongs.
fn add_text(open: &mut MarcRecordBuilder, target: TextTarget, text: &str, line: u64) {
    let incipit = open.incipits.last_mut();
    match (target, incipit) {
        (TextTarget::Number, _) => open.number.push_str(text),
        (TextTarget::WorkNumber(part), Some(incipit)) => {
            incipit.numbers[part].get_or_insert_default().push_str(text);
        }
        (TextTarget::Field(field), Some(incipit)) => {
            incipit.fields[field].push_str(text);
            if FIELD_CODES[field] == b'p' {
                incipit.line = line;
            }
        }
        _ => {}
    }
}

/// Passes all incipits of a complete MARC record to `take`.
fn finish_record<'a>(
    open: MarcRecordBuilder,
    take: &mut dyn FnMut(Result<PaeRecord<'a>, PaeRecordError>),
) {
    let number = format_rism_number(open.number.trim());
    for incipit in open.incipits {
        let parts = incipit.numbers.iter().flatten().map(|part| part.trim());
        let parts: Vec<&str> = parts.collect();
        let id = match (number.as_str(), parts.as_slice()) {
            ("", _) => None,
            (number, []) => Some(number.to_owned()),
            (number, parts) => Some(format!("{number}-{}", parts.join("."))),
        };
        let [clef, keysig, timesig, data, version] = incipit.fields;
        take(Ok(PaeRecord {
            id: id.map(Cow::Owned),
            line: incipit.line,
            version: PaeVersion::parse(&version),
            clef: clef.into(),
            keysig: keysig.into(),
            timesig: timesig.into(),
            data: data.into(),
        }));
    }
}

/// Formats a control number of nine digits as RISM does, for example `000.111.706`. Returns other
/// numbers unchanged.
fn format_rism_number(number: &str) -> String {
    if number.len() == 9 && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{}.{}.{}", &number[..3], &number[3..6], &number[6..]);
    }
    number.to_owned()
}
