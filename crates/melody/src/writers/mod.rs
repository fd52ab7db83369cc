//! Writers of melodies: one file per format. Reading a written file gives equal notes; a melody
//! that a format cannot represent is an error. Nothing in this module opens a file.

mod kern;
mod midi;
mod notes_table;
mod pae;

use crate::{ItemMetadata, Melody};

pub use kern::write_kern;
pub use midi::write_midi;
pub use notes_table::note_rows;
pub use pae::{PaeCarrier, write_pae};

partita_named::named_enum! {
    /// File format in which melodies can be written.
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

/// Melody to write, with its item id and metadata.
#[derive(Clone, Copy, Debug)]
pub struct MelodyExport<'a> {
    /// Item id of the melody.
    pub id: &'a str,
    /// Notes of the melody.
    pub melody: &'a Melody,
    /// Clef, key, metre and tempo of the melody, as far as known.
    pub info: &'a ItemMetadata,
}

/// Error for a melody that a format cannot represent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{id} cannot be written as {format}: {reason}")]
pub struct MelodyWriteError {
    /// Item id of the melody.
    pub id: String,
    /// Format that cannot represent the melody.
    pub format: ExportFormat,
    /// Part of the melody that the format cannot represent.
    pub reason: String,
}

impl MelodyExport<'_> {
    /// Creates the error that `format` cannot represent the melody, for this reason.
    fn unrepresentable(&self, format: ExportFormat, reason: impl Into<String>) -> MelodyWriteError {
        MelodyWriteError {
            id: self.id.to_owned(),
            format,
            reason: reason.into(),
        }
    }
}

/// Converts an item id to a file name: all characters except ASCII letters, digits, `.`, `_` and
/// `-` become %XX, the hexadecimal codes of their bytes.
pub fn file_name_for_id(id: &str) -> String {
    let mut name = String::with_capacity(id.len());
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
            name.push(char::from(byte));
        } else {
            name += &format!("%{byte:02X}");
        }
    }
    name
}
