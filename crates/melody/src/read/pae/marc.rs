//! MARCXML: the number of a record (001) and its incipits (031), as RISM hands them out.

use std::borrow::Cow;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::super::xml::decoded;
use super::super::{Reason, Unread};
use super::{NoRecord, Record, Version};

/// What is being read of a record.
#[derive(Default)]
struct Open {
    /// 001.
    number: String,
    /// The incipits before the number was known, and those after.
    incipits: Vec<Incipit>,
}

#[derive(Default)]
struct Incipit {
    at: u64,
    /// a, b and c: work, movement, excerpt.
    numbers: [Option<String>; 3],
    fields: [String; 5],
}

/// The letters of the subfields that are read: clef, key signature, metre, data, version.
const LETTERS: [u8; 5] = *b"gnop2";

/// Where the text that comes next belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Nothing,
    Number,
    Part(usize),
    Field(usize),
}

/// Records with more incipits are none.
const MOST_INCIPITS: usize = 10_000;

pub(super) fn each_record<'a>(bytes: &'a [u8], take: &mut dyn FnMut(Result<Record<'a>, NoRecord>)) {
    if let Err(unread) = read(bytes, take) {
        take(Err(NoRecord { id: None, unread }));
    }
}

fn read<'a>(
    bytes: &'a [u8],
    take: &mut dyn FnMut(Result<Record<'a>, NoRecord>),
) -> Result<(), Unread> {
    let text = decoded(bytes)?;
    let bytes = text.as_bytes();
    let mut reader = Reader::from_str(&text);
    let mut open = Open::default();
    let mut target = Target::Nothing;
    let mut inside = false;
    let mut line = 1;
    let mut counted = 0;
    let mut depth = 0_u64;
    loop {
        let at = usize::try_from(reader.buffer_position())
            .unwrap_or(bytes.len())
            .min(bytes.len());
        line += bytes[counted..at]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count() as u64;
        counted = at;
        let event = reader.read_event().map_err(|error| {
            let unread = Unread::new(Reason::Syntax, format!("this is no XML: {error}"));
            unread
                .on_line(line)
                .at(format!("byte {}", reader.error_position()))
        })?;
        match event {
            Event::Start(tag) => {
                depth += 1;
                match tag.local_name().as_ref() {
                    "record" => open = Open::default(),
                    "controlfield" if attribute(&tag, "tag").as_deref() == Some("001") => {
                        target = Target::Number;
                    }
                    "datafield" => {
                        inside = attribute(&tag, "tag").as_deref() == Some("031");
                        if inside {
                            if open.incipits.len() == MOST_INCIPITS {
                                let message =
                                    format!("a record has {MOST_INCIPITS} incipits at most");
                                return Err(Unread::new(Reason::TooLarge, message).on_line(line));
                            }
                            open.incipits.push(Incipit {
                                at: line,
                                ..Incipit::default()
                            });
                        }
                    }
                    "subfield" if inside => target = subfield(&tag),
                    _ => {}
                }
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                match tag.local_name().as_ref() {
                    "record" => close(std::mem::take(&mut open), take),
                    "datafield" => inside = false,
                    "controlfield" | "subfield" => target = Target::Nothing,
                    _ => {}
                }
            }
            Event::Text(text) if target != Target::Nothing => {
                put(&mut open, target, text.as_ref(), line);
            }
            Event::CData(text) if target != Target::Nothing => {
                put(&mut open, target, text.as_ref(), line);
            }
            Event::GeneralRef(reference) if target != Target::Nothing => {
                let name: &str = reference.as_ref();
                let sign = match reference.resolve_char_ref() {
                    Ok(Some(sign)) => sign.to_string(),
                    _ => match resolve_predefined_entity(name) {
                        Some(text) => text.to_owned(),
                        None => {
                            let message = format!("the entity {name} is not known");
                            return Err(Unread::new(Reason::Entities, message).on_line(line));
                        }
                    },
                };
                put(&mut open, target, &sign, line);
            }
            Event::DocType(text) if AsRef::<str>::as_ref(&text).contains("<!ENTITY") => {
                return Err(Unread::new(Reason::Entities, "it declares entities").on_line(line));
            }
            Event::Eof if depth > 0 => {
                let message = "the file ends in the middle of a record";
                return Err(Unread::new(Reason::Truncated, message).on_line(line));
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

fn attribute<'t>(tag: &'t BytesStart<'_>, name: &str) -> Option<Cow<'t, str>> {
    let found = tag
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.as_ref() == name);
    found.map(|attribute| attribute.value)
}

fn subfield(tag: &BytesStart<'_>) -> Target {
    let code = attribute(tag, "code");
    let Some(&[letter]) = code.as_deref().map(str::as_bytes) else {
        return Target::Nothing;
    };
    match letter {
        b'a'..=b'c' => Target::Part(usize::from(letter - b'a')),
        letter => {
            let field = LETTERS.iter().position(|&known| known == letter);
            field.map_or(Target::Nothing, Target::Field)
        }
    }
}

fn put(open: &mut Open, target: Target, text: &str, line: u64) {
    let incipit = open.incipits.last_mut();
    match (target, incipit) {
        (Target::Number, _) => open.number.push_str(text),
        (Target::Part(part), Some(incipit)) => {
            incipit.numbers[part].get_or_insert_default().push_str(text);
        }
        (Target::Field(field), Some(incipit)) => {
            incipit.fields[field].push_str(text);
            if LETTERS[field] == b'p' {
                incipit.at = line;
            }
        }
        _ => {}
    }
}

fn close<'a>(open: Open, take: &mut dyn FnMut(Result<Record<'a>, NoRecord>)) {
    let number = dotted(open.number.trim());
    for incipit in open.incipits {
        let parts = incipit.numbers.iter().flatten().map(|part| part.trim());
        let parts: Vec<&str> = parts.collect();
        let id = match (number.as_str(), parts.as_slice()) {
            ("", _) => None,
            (number, []) => Some(number.to_owned()),
            (number, parts) => Some(format!("{number}-{}", parts.join("."))),
        };
        let [clef, keysig, timesig, data, version] = incipit.fields;
        take(Ok(Record {
            id: id.map(Cow::Owned),
            line: incipit.at,
            version: Version::of(&version),
            clef: clef.into(),
            keysig: keysig.into(),
            timesig: timesig.into(),
            data: data.into(),
        }));
    }
}

/// Nine digits as RISM writes them: `000.111.706`.
fn dotted(number: &str) -> String {
    if number.len() == 9 && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{}.{}.{}", &number[..3], &number[3..6], &number[6..]);
    }
    number.to_owned()
}
