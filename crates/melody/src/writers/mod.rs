//! Writing melodies: one file for each format. Read back, the notes are equal; what a format cannot hold is
//! an error.

mod kern;
mod midi;
mod notes_table;
mod pae;

use crate::Melody;
use crate::collection::ItemMetadata;

pub use kern::write_kern;
pub use midi::write_midi;
pub use notes_table::note_rows;
pub use pae::{PaeCarrier, write_pae};

partita_named::named_enum! {
    /// A format in which melodies are written.
    pub enum ExportFormat: "format" {
        /// A standard MIDI file for each melody
        Midi = "midi",
        /// Plaine & Easie, all melodies in one file
        Pae = "pae",
        /// A file of Humdrum's **kern for each melody
        Kern = "kern",
        /// A table of notes: item,note,pitch,onset,duration,name
        Notes = "notes",
    }
}

/// What is written: a melody with what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct MelodyExport<'a> {
    /// What it is called.
    pub id: &'a str,
    /// Its notes.
    pub melody: &'a Melody,
    /// What else is known.
    pub info: &'a ItemMetadata,
}

/// Why a format cannot hold a melody.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{id} cannot be written as {format}: {reason}")]
pub struct MelodyWriteError {
    /// The melody.
    pub id: String,
    /// The format.
    pub format: ExportFormat,
    /// What it has no place for.
    pub reason: String,
}

impl MelodyExport<'_> {
    fn cannot(&self, format: ExportFormat, why: impl Into<String>) -> MelodyWriteError {
        MelodyWriteError {
            id: self.id.to_owned(),
            format,
            reason: why.into(),
        }
    }
}

/// The id of an item as the name of a file: what is no letter, digit, `.`, `_` or `-` becomes %XX.
pub fn file_name_for_id(id: &str) -> String {
    let mut name = String::with_capacity(id.len());
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02X}"));
        }
    }
    name
}
