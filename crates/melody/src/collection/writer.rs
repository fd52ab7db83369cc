//! Sequential writer of collection files.

use std::io::{self, Write};

use partita_formats::DiagnosticCode;

use super::file_layout::{
    BLOCK_BYTES, COLLECTION_VERSION, FileHeader, HEADER_BYTES, ItemKind, ItemRecord, RECORD_BYTES,
    SECTION_COUNT, Section, crc32,
};
use super::import::input_files::{FileOrigin, OriginReader};
use super::note_encoding;
use super::{Collection, CollectionItem};
use crate::note::beats_to_f64;
use crate::readers::{MelodyFormat, Transcript};
use crate::{Beats, Checksum, ItemMetadata};

/// Source of the body of an item, which is its encoded notes or its recording. The bytes are copied
/// from it when the collection is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BodySource {
    /// Bytes in memory.
    Memory(Box<[u8]>),
    /// Location of an imported audio file, which is read again, and its length in bytes.
    File(FileOrigin, u64),
    /// Offset and length in bytes in the section of the collection that an import extends.
    Existing(u64, u64),
}

impl BodySource {
    /// Returns the length of the body in bytes.
    fn length(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File(_, length) | Self::Existing(_, length) => *length,
        }
    }
}

/// Item in its encoded form, ready to be written to a collection.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EncodedItem {
    /// Item id.
    pub(super) id: Box<str>,
    pub(super) kind: ItemKind,
    format: MelodyFormat,
    notes: u32,
    grace_notes: u32,
    length: Beats,
    seconds: f64,
    pub(super) checksum: Checksum,
    content: Checksum,
    info: Box<[u8]>,
    body: BodySource,
}

impl EncodedItem {
    /// Encodes a melody that a reader has transcribed from a file.
    pub(super) fn from_transcript(
        id: &str,
        format: MelodyFormat,
        source: &str,
        read: Transcript,
    ) -> Self {
        let melody = &read.melody;
        let length = melody.length();
        let info = ItemMetadata {
            source: source.to_owned(),
            clef: read.clef,
            key: read.key,
            time: read.time,
            tempo: read.tempo,
        };
        Self {
            id: id.into(),
            kind: ItemKind::Melody,
            format,
            notes: u32::try_from(melody.len()).expect("readers limit the number of notes"),
            grace_notes: read.diagnostic_counts.count(DiagnosticCode::GraceNotes),
            length,
            // At 120 quarter notes per minute.
            seconds: beats_to_f64(length) / 2.0,
            checksum: melody.checksum(),
            content: melody.content_checksum(),
            info: info.encode().into(),
            body: BodySource::Memory(note_encoding::encode(melody).into()),
        }
    }

    /// Encodes a recording with its duration in seconds and the checksum of its samples.
    pub(super) fn from_recording(
        id: &str,
        source: &str,
        body: BodySource,
        seconds: f64,
        checksum: Checksum,
    ) -> Self {
        let info = ItemMetadata {
            source: source.to_owned(),
            ..ItemMetadata::default()
        };
        Self {
            id: id.into(),
            kind: ItemKind::Audio,
            format: MelodyFormat::Audio,
            notes: 0,
            grace_notes: 0,
            length: Beats::new_raw(0, 1),
            seconds,
            checksum,
            content: checksum,
            info: info.encode().into(),
            body,
        }
    }

    /// Creates an item from one of the collection that an import extends. A recording is copied
    /// from that collection when the new one is written.
    pub(super) fn from_existing(item: &CollectionItem, info: &[u8], notes: Option<&[u8]>) -> Self {
        Self {
            id: item.id.as_str().into(),
            kind: item.kind,
            format: item.format,
            notes: item.notes as u32,
            grace_notes: item.grace_notes,
            length: item.length,
            seconds: item.seconds,
            checksum: item.checksum,
            content: item.content_checksum,
            info: info.into(),
            body: match notes {
                Some(notes) => BodySource::Memory(notes.into()),
                None => BodySource::Existing(item.body.0, item.body.1),
            },
        }
    }
}

/// Writer that splits its output into blocks of [`BLOCK_BYTES`] and computes their CRC-32.
struct BlockWriter<'a> {
    output: &'a mut dyn Write,
    /// Bytes of the current block, which is not yet written.
    block: Vec<u8>,
    /// CRC-32 of each written block, four bytes each. They are written after the last block.
    checksums: Vec<u8>,
}

impl BlockWriter<'_> {
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let free = BLOCK_BYTES as usize - self.block.len();
            let (now, later) = bytes.split_at(free.min(bytes.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK_BYTES as usize {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.checksums
                .extend_from_slice(&crc32(&self.block).to_le_bytes());
            self.output.write_all(&self.block)?;
            self.block.clear();
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.output.write_all(&self.checksums)
    }
}

/// Writes a collection file. The items must be sorted by id without duplicates. `extended` is the
/// collection from which items of [`EncodedItem::from_existing`] come.
///
/// # Errors
/// Returns an error if the output cannot be written or a recording cannot be read again.
pub(super) fn write_collection(
    items: &[EncodedItem],
    extended: Option<&Collection>,
    output: &mut dyn Write,
) -> io::Result<()> {
    debug_assert!(items.is_sorted_by(|a, b| a.id < b.id));
    let mut lengths = [0; SECTION_COUNT];
    for item in items {
        lengths[Section::Items as usize] += RECORD_BYTES;
        lengths[Section::Ids as usize] += item.id.len() as u64;
        lengths[Section::Info as usize] += item.info.len() as u64;
        lengths[body_section(item.kind) as usize] += item.body.length();
    }
    let head = FileHeader {
        version: COLLECTION_VERSION,
        items: items.len() as u64,
        lengths,
    };
    let bytes = head.encode();
    assert_eq!(
        bytes.len() as u64,
        HEADER_BYTES,
        "the head has a fixed size"
    );
    output.write_all(&bytes)?;
    let mut blocks = BlockWriter {
        output,
        block: Vec::with_capacity(BLOCK_BYTES as usize),
        checksums: Vec::new(),
    };
    let mut ends = [0_u64; SECTION_COUNT];
    let mut append = |section: Section, length: u64| {
        let start = ends[section as usize];
        ends[section as usize] += length;
        (start, length)
    };
    let mut record = Vec::new();
    for item in items {
        record.clear();
        ItemRecord {
            id: append(Section::Ids, item.id.len() as u64),
            info: append(Section::Info, item.info.len() as u64),
            body: append(body_section(item.kind), item.body.length()),
            notes: item.notes,
            grace_notes: item.grace_notes,
            length: item.length,
            kind: item.kind as u8,
            format: item.format as u8,
            seconds: item.seconds,
            checksum: item.checksum,
            content: item.content,
        }
        .encode(&mut record);
        blocks.write(&record)?;
    }
    for item in items {
        blocks.write(item.id.as_bytes())?;
    }
    for item in items {
        blocks.write(&item.info)?;
    }
    let mut origins = OriginReader::default();
    for kind in [ItemKind::Melody, ItemKind::Audio] {
        for item in items.iter().filter(|item| item.kind == kind) {
            write_body(item, extended, &mut origins, &mut blocks)?;
        }
    }
    blocks.finish()
}

/// Returns the section that contains the bodies (notes or recordings) of items of this kind.
fn body_section(kind: ItemKind) -> Section {
    match kind {
        ItemKind::Melody => Section::Notes,
        ItemKind::Audio => Section::Clips,
    }
}

/// Copies the body of an item, its notes or its recording, to the output.
fn write_body(
    item: &EncodedItem,
    extended: Option<&Collection>,
    origins: &mut OriginReader,
    blocks: &mut BlockWriter<'_>,
) -> io::Result<()> {
    match &item.body {
        BodySource::Memory(bytes) => blocks.write(bytes),
        BodySource::File(origin, length) => blocks.write(&origins.read(origin, *length)?),
        BodySource::Existing(at, length) => {
            let collection = extended.expect("`extended` is the collection of existing items");
            let bytes = collection.read_section_part(body_section(item.kind), (*at, *length));
            blocks.write(&bytes.map_err(io::Error::other)?)
        }
    }
}
