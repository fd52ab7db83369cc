//! Plaine & Easie, a text code for incipits (opening passages) in library catalogues. Files have
//! one of four forms ("carriers") with the same fields: tags, JSON, lines or MARCXML.

mod json;
mod lines;
mod marc;
pub(crate) mod notation;
pub(crate) mod signatures;
mod tags;

use std::borrow::Cow;

use partita_formats::{Diagnostic, FormatError, diagnostic};

use super::{MelodyEntry, MelodyReadOptions, Transcript, empty_file_diagnostic};

/// Version of the Plaine & Easie Code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaeVersion {
    /// Version 1, valid until 2022; nearly all incipits use it.
    #[default]
    One,
    /// Version 2, marked `pe2`.
    Two,
}

impl PaeVersion {
    /// Parses the version field of an incipit. Everything except version 2 counts as version 1.
    fn parse(text: &str) -> Self {
        match text.trim() {
            "2" | "pe2" => Self::Two,
            _ => Self::One,
        }
    }
}

/// Fields of one incipit as text, before they are parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaeRecord<'a> {
    /// Id of the incipit, if the file states one.
    pub id: Option<Cow<'a, str>>,
    /// Line of the notes in the file, from 1; in JSON, the first line of the object.
    pub line: u64,
    /// Clef field, for example `G-2`.
    pub clef: Cow<'a, str>,
    /// Key signature field, for example `xFC`.
    pub keysig: Cow<'a, str>,
    /// Metre field, for example `3/4`.
    pub timesig: Cow<'a, str>,
    /// Data field, which contains the notes.
    pub data: Cow<'a, str>,
    /// Version of the Plaine & Easie Code in which the fields are written.
    pub version: PaeVersion,
}

impl PaeRecord<'_> {
    /// Parses the notes of the incipit.
    ///
    /// ```
    /// use partita_melody::readers::{MelodyReadOptions, pae::PaeRecord};
    ///
    /// let record = PaeRecord { clef: "G-2".into(), keysig: "xF".into(), data: "'4FG8AB".into(), ..PaeRecord::default() };
    /// let transcript = record.transcribe(&MelodyReadOptions::default())?;
    /// let names: Vec<String> = transcript.melody.notes().iter().map(|note| note.name()).collect();
    /// assert_eq!(names, ["F#4", "G4", "A4", "B4"]);
    /// # Ok::<(), partita_formats::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`Diagnostic`] if the incipit cannot be parsed.
    pub fn transcribe(&self, options: &MelodyReadOptions) -> Result<Transcript, Diagnostic> {
        let notes = notation::parser::parse_notes(self, options)?;
        let field = |text: &str, sign: char| {
            let text = text.trim().trim_start_matches(sign).trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        Ok(Transcript {
            melody: notes.melody,
            clef: field(&self.clef, '%'),
            key: field(&self.keysig, '$'),
            time: field(&self.timesig, '@'),
            tempo: None,
            diagnostic_counts: notes.diagnostic_counts,
        })
    }
}

/// Error for an incipit whose fields cannot be read from the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaeRecordError {
    /// Id of the incipit, if known.
    pub id: Option<String>,
    /// Problem, with file name and line.
    pub error: FormatError,
}

/// Returns true if the bytes look like Plaine & Easie in tags, JSON or lines.
pub(crate) fn is_pae(bytes: &[u8]) -> bool {
    let text = strip_byte_order_mark(bytes).trim_ascii_start();
    match text.first() {
        Some(b'@') => tags::is_field(text),
        Some(b'{' | b'[') => {
            let head = &text[..text.len().min(4096)];
            head.windows(6).any(|word| word == b"\"data\"") || text == b"[]"
        }
        Some(_) => lines::is_incipit_file(text),
        None => false,
    }
}

/// Returns true if [`for_each_record`] reads each line of a file as an incipit.
pub(crate) fn has_incipit_per_line(bytes: &[u8]) -> bool {
    let text = strip_byte_order_mark(bytes).trim_ascii_start();
    match text.first() {
        None | Some(b'<' | b'{' | b'[') => false,
        Some(b'@') => !tags::is_field(text),
        Some(_) => true,
    }
}

/// Returns true if MARCXML files may have a root element with this name.
pub(crate) fn is_marcxml_root(name: &str) -> bool {
    marc::MARCXML_ROOTS.contains(&name)
}

/// Returns true if a file with these first bytes can be read by [`for_each_streamed_record`].
pub(crate) fn can_stream(head: &[u8]) -> bool {
    marc::can_stream(head)
}

/// Passes every incipit of a MARCXML file in UTF-8 to `take` while reading it, because library
/// catalogues may be larger than memory.
pub(crate) fn for_each_streamed_record<'a>(
    file: &str,
    input: impl std::io::BufRead,
    take: &mut dyn FnMut(Result<PaeRecord<'a>, PaeRecordError>),
) {
    marc::stream_records(file, input, take);
}

/// Passes every incipit of a file, or its error, to `take`, without parsing the notes. `file` is
/// the name of the file in errors.
pub fn for_each_record<'a>(
    file: &str,
    bytes: &'a [u8],
    take: &mut dyn FnMut(Result<PaeRecord<'a>, PaeRecordError>),
) {
    let text = strip_byte_order_mark(bytes);
    let start = text.trim_ascii_start();
    match start.first() {
        None => take(Err(PaeRecordError {
            id: None,
            error: FormatError::in_file(file, empty_file_diagnostic()),
        })),
        Some(b'<') => marc::for_each_record(file, text, take),
        Some(b'{' | b'[') => json::for_each_record(file, text, take),
        Some(b'@') if tags::is_field(start) => tags::for_each_record(file, text, take),
        Some(_) => lines::for_each_record(file, text, take),
    }
}

/// Passes every melody of a file, or its error, to `take`. `file` is the name of the file in
/// errors.
pub fn read(
    file: &str,
    bytes: &[u8],
    options: &MelodyReadOptions,
    take: &mut dyn FnMut(MelodyEntry),
) {
    for_each_record(file, bytes, &mut |record| {
        take(match record {
            Ok(record) => MelodyEntry {
                result: record
                    .transcribe(options)
                    .map_err(|problem| FormatError::in_file(file, problem).at_line(record.line)),
                line: Some(record.line),
                id: record.id.map(Cow::into_owned),
            },
            Err(PaeRecordError { id, error }) => MelodyEntry {
                id,
                line: error.line,
                result: Err(error),
            },
        });
    });
}

/// Removes the byte order mark of UTF-8 from the start of a file.
fn strip_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Iterates over the lines of a file, without line endings, with their numbers from 1.
fn numbered_lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = bytes.split(|&byte| byte == b'\n');
    (1..).zip(lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)))
}

/// Decodes text that must be UTF-8. The diagnostic counts the invalid byte from 1 in `bytes`.
fn decode_text<'b>(file: &str, bytes: &'b [u8], line: u64) -> Result<&'b str, FormatError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let problem = diagnostic!(NotText { byte = error.valid_up_to() + 1 }: "this is no UTF-8");
        FormatError::in_file(file, problem).at_line(line)
    })
}
