//! Collections: melodies and recordings in one file (`docs/collection-file.md`).
//!
//! Opening a [`Collection`] reads only its header. All other parts are read and checked on demand.
//! [`import`](import()) creates and extends collections.

mod file_layout;
mod import;
mod listing;
mod note_encoding;
mod writer;

use std::fs::File;
use std::io;
use std::path::Path;

use partita_named::NamedEnum;

use crate::readers::MelodyFormat;
use crate::{Beats, Checksum, ItemMetadata, Melody};
pub use file_layout::ItemKind;
use file_layout::{
    BLOCK_BYTES, COLLECTION_VERSION, FileHeader, HEADER_BYTES, ItemRecord, MAGIC, RECORD_BYTES,
    Section, crc32,
};
pub use import::{
    IdScheme, ImportError, ImportOutcome, ImportReport, ImportRequest, SkippedItem, import,
    import_in_memory,
};
pub use listing::{
    CollectionListing, ItemDetails, ItemDetailsList, ItemLookupError, ItemSummary, NoteDetails,
};

/// Random access to the bytes of a collection.
pub trait ReadAt: Send + Sync {
    /// Returns the total number of bytes in the storage.
    ///
    /// # Errors
    /// Returns an error if the size is not available.
    fn size(&self) -> io::Result<u64>;

    /// Fills the whole buffer with the bytes from offset `at` on.
    ///
    /// # Errors
    /// Returns an error if there are too few bytes or they cannot be read.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()>;
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let start = usize::try_from(at).ok();
        let part = start.and_then(|start| self.get(start..)?.get(..buffer.len()));
        buffer.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, at)
    }

    #[cfg(windows)]
    fn read_at(&self, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            let count = std::os::windows::fs::FileExt::seek_read(self, buffer, at)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            buffer = &mut buffer[count..];
            at += count as u64;
        }
        Ok(())
    }
}

/// Error for a collection that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The storage cannot be read; the value is the error of the operating system.
    #[error("it cannot be read: {0}")]
    Unreadable(io::Error),
    /// The file is not a collection.
    #[error("this is no collection")]
    NotACollection,
    /// A newer version of the program wrote the collection.
    #[error(
        "it is a collection of version {0}, and this program reads version {COLLECTION_VERSION} at most"
    )]
    UnsupportedVersion(u32),
    /// A block does not match its checksum, or the content is inconsistent; the value describes the
    /// damage.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

/// Creates the error for a damaged collection.
fn damaged_error(description: impl Into<String>) -> CollectionError {
    CollectionError::Damaged(description.into())
}

/// Collection that is open for reading.
pub struct Collection {
    storage: Box<dyn ReadAt>,
    head: FileHeader,
}

/// One item of a collection: its id and properties, without its notes or samples.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectionItem {
    /// Item id.
    pub id: String,
    /// Kind of the item: melody or recording.
    pub kind: ItemKind,
    /// Format of the file from which the item was imported.
    pub format: MelodyFormat,
    /// Number of notes; 0 for a recording.
    pub notes: usize,
    /// Number of grace notes that were left out of the melody; 0 for a recording.
    pub grace_notes: u32,
    /// Length in quarter notes from the first onset to the last end; 0 for a recording.
    pub length: Beats,
    /// Duration in seconds; that of a melody is computed at 120 quarter notes per minute.
    pub seconds: f64,
    /// SHA-256 of the notes or samples.
    pub checksum: Checksum,
    /// SHA-256 of the notes regardless of transposition and of leading and trailing rests. For a
    /// recording it equals `checksum`.
    pub content_checksum: Checksum,
    /// Offset and length in bytes of the encoded metadata in the section of metadata.
    info: (u64, u64),
    /// Offset and length in bytes of the encoded notes in the section of notes, or of the recording
    /// in the section of clips.
    body: (u64, u64),
}

/// Callback that receives an item, its encoded metadata and, for a melody, its encoded notes.
type ItemCallback<'a> =
    dyn FnMut(CollectionItem, &[u8], Option<&[u8]>) -> Result<(), CollectionError> + 'a;

/// Largest number of item records that are read from the storage at a time.
const ITEMS_PER_READ: u64 = 4096;

impl Collection {
    /// Opens a collection file.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the file cannot be read, is not a collection, was written by
    /// a newer version or has a damaged header or a wrong length.
    pub fn open(path: &Path) -> Result<Self, CollectionError> {
        let file = File::open(path).map_err(CollectionError::Unreadable)?;
        let kind = file.metadata().map_err(CollectionError::Unreadable)?;
        if kind.is_dir() {
            return Err(CollectionError::NotACollection);
        }
        Self::from_reader(Box::new(file))
    }

    /// Opens a collection in any storage with random access.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the storage cannot be read or its content is not a
    /// collection, was written by a newer version or has a damaged header or a wrong length.
    pub fn from_reader(storage: Box<dyn ReadAt>) -> Result<Self, CollectionError> {
        let size = storage.size().map_err(CollectionError::Unreadable)?;
        let mut bytes = vec![0; HEADER_BYTES.min(size) as usize];
        storage
            .read_at(&mut bytes, 0)
            .map_err(CollectionError::Unreadable)?;
        let magic = &bytes[..bytes.len().min(MAGIC.len())];
        if !MAGIC.starts_with(magic) || magic.is_empty() {
            return Err(CollectionError::NotACollection);
        }
        if let Some(version) = bytes.get(8..12) {
            let version = u32::from_le_bytes(version.try_into().expect("these are four bytes"));
            // A newer version may have another header, so only its version number is checked.
            if version > COLLECTION_VERSION && version < 1 << 16 {
                return Err(CollectionError::UnsupportedVersion(version));
            }
        }
        if size < HEADER_BYTES {
            return Err(damaged_error("it ends within its head"));
        }
        let head = FileHeader::decode(&bytes)
            .ok_or_else(|| damaged_error("its head is not as it was written"))?;
        if head.version != COLLECTION_VERSION {
            return Err(damaged_error("its version is none"));
        }
        if head.file_length() != Some(size) {
            let message = format!("it has {size} bytes and should have others");
            return Err(damaged_error(message));
        }
        Ok(Self { storage, head })
    }

    /// Returns the number of items.
    pub fn len(&self) -> u64 {
        self.head.items
    }

    /// Returns true if the collection has no items.
    pub fn is_empty(&self) -> bool {
        self.head.items == 0
    }

    /// Reads a part of a section, given by its offset and length in bytes, and checks the checksums
    /// of its blocks.
    fn read_section_part(
        &self,
        section: Section,
        (at, length): (u64, u64),
    ) -> Result<Vec<u8>, CollectionError> {
        let (start, whole) = self.head.section(section);
        if at.checked_add(length).is_none_or(|end| end > whole) {
            return Err(damaged_error("an item lies outside of its section"));
        }
        if length == 0 {
            return Ok(Vec::new());
        }
        let from = start + at - HEADER_BYTES;
        let first = from / BLOCK_BYTES;
        let last = (from + length - 1) / BLOCK_BYTES;
        let skip = (from - first * BLOCK_BYTES) as usize;
        let mut bytes = self.read_blocks(first, last)?;
        bytes.truncate(skip + length as usize);
        bytes.drain(..skip);
        Ok(bytes)
    }

    /// Reads the blocks from index `first` to `last`, inclusive, and checks their checksums.
    fn read_blocks(&self, first: u64, last: u64) -> Result<Vec<u8>, CollectionError> {
        let end = self.head.payload_end().expect("opening checked the header");
        let from = HEADER_BYTES + first * BLOCK_BYTES;
        let length = (last + 1 - first) * BLOCK_BYTES;
        let mut bytes = vec![0; length.min(end - from) as usize];
        let mut sums = vec![0; (last + 1 - first) as usize * 4];
        let reading = self.storage.read_at(&mut bytes, from);
        let reading = reading.and_then(|()| self.storage.read_at(&mut sums, end + first * 4));
        reading.map_err(CollectionError::Unreadable)?;
        for (number, (block, sum)) in bytes
            .chunks(BLOCK_BYTES as usize)
            .zip(sums.chunks(4))
            .enumerate()
        {
            if crc32(block).to_le_bytes() != sum {
                let at = from + number as u64 * BLOCK_BYTES;
                let message = format!(
                    "the {} bytes from byte {at} on are not as they were written",
                    block.len()
                );
                return Err(damaged_error(message));
            }
        }
        Ok(bytes)
    }

    /// Reads the whole collection and checks the checksums of all blocks.
    ///
    /// # Errors
    /// Returns [`CollectionError`] at the first block that is damaged or cannot be read.
    pub fn verify(&self) -> Result<(), CollectionError> {
        let end = self.head.payload_end().expect("opening checked the header");
        let blocks = (end - HEADER_BYTES).div_ceil(BLOCK_BYTES);
        (0..blocks).step_by(64).try_for_each(|first| {
            self.read_blocks(first, (first + 63).min(blocks - 1))
                .map(|_| ())
        })
    }

    /// Returns the item at position `number`, from 0, in order of id.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the item cannot be read.
    pub fn item(&self, number: u64) -> Result<CollectionItem, CollectionError> {
        let mut items = self.read_items(number, 1)?;
        items
            .pop()
            .ok_or_else(|| damaged_error("an item is missing"))
    }

    /// Reads at most `count` items, starting at position `first` in order of id.
    fn read_items(&self, first: u64, count: u64) -> Result<Vec<CollectionItem>, CollectionError> {
        let count = count.min(self.len().saturating_sub(first));
        let bytes =
            self.read_section_part(Section::Items, (first * RECORD_BYTES, count * RECORD_BYTES))?;
        let records: Option<Vec<ItemRecord>> = bytes
            .chunks(RECORD_BYTES as usize)
            .map(ItemRecord::decode)
            .collect();
        let records = records.ok_or_else(|| damaged_error("a record is none"))?;
        let ids = self.read_span(Section::Ids, records.iter().map(|record| record.id))?;
        let items = records.iter().map(|record| decode_item(record, &ids));
        items.collect()
    }

    /// Iterates over the items in order of id, starting at position `first`. They are read on
    /// demand.
    pub fn items(
        &self,
        first: u64,
    ) -> impl Iterator<Item = Result<CollectionItem, CollectionError>> + '_ {
        let starts = (first..self.len()).step_by(ITEMS_PER_READ as usize);
        starts.flat_map(move |start| match self.read_items(start, ITEMS_PER_READ) {
            Ok(items) => items.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        })
    }

    /// Returns the position, from 0, of the item with this id in order of id, or `None` if no item
    /// has it.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if ids cannot be read.
    pub fn position_of(&self, id: &str) -> Result<Option<u64>, CollectionError> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.item(middle)?.id.as_str().cmp(id) {
                std::cmp::Ordering::Equal => return Ok(Some(middle)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// Returns the melody of an item, or `None` for a recording.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the notes cannot be read.
    pub fn melody(&self, item: &CollectionItem) -> Result<Option<Melody>, CollectionError> {
        if item.kind != ItemKind::Melody {
            return Ok(None);
        }
        let bytes = self.read_section_part(Section::Notes, item.body)?;
        decode_notes(item, &bytes).map(Some)
    }

    /// Iterates over the melodies in order of id, starting at position `first`, with their
    /// positions; recordings are skipped. Notes are stored contiguously and read in large spans.
    pub fn melodies(
        &self,
        first: u64,
    ) -> impl Iterator<Item = Result<(u64, CollectionItem, Melody), CollectionError>> + '_ {
        let starts = (first..self.len()).step_by(ITEMS_PER_READ as usize);
        starts.flat_map(move |start| match self.melody_batch(start) {
            Ok(items) => items.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        })
    }

    /// Reads the melodies among the [`ITEMS_PER_READ`] items from position `start` on, with their
    /// positions.
    fn melody_batch(
        &self,
        start: u64,
    ) -> Result<Vec<(u64, CollectionItem, Melody)>, CollectionError> {
        let items = self.read_items(start, ITEMS_PER_READ)?;
        let notes = self.read_span(
            Section::Notes,
            items.iter().filter_map(CollectionItem::notes_location),
        )?;
        let melodies = (start..)
            .zip(items)
            .filter(|(_, item)| item.kind == ItemKind::Melody);
        let melody = |(number, item): (u64, CollectionItem)| {
            let melody = decode_notes(&item, notes.part(item.body)?)?;
            Ok((number, item, melody))
        };
        melodies.map(melody).collect()
    }

    /// Reads several parts of a section at once: all bytes from the first part to the last. The
    /// parts are given by offset and length, in file order.
    fn read_span(
        &self,
        section: Section,
        mut parts: impl Iterator<Item = (u64, u64)>,
    ) -> Result<SectionSpan, CollectionError> {
        let Some(first) = parts.next() else {
            return Ok(SectionSpan::default());
        };
        let last = parts.last().unwrap_or(first);
        let start = first.0;
        let end = last.0.checked_add(last.1);
        let length = end.and_then(|end| end.checked_sub(start));
        let length = length.ok_or_else(|| damaged_error("items are out of order"))?;
        let bytes = self.read_section_part(section, (start, length))?;
        Ok(SectionSpan { start, bytes })
    }

    /// Returns the bytes of the audio file that was imported for an item, or `None` for a melody.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the recording cannot be read.
    pub fn recording_bytes(
        &self,
        item: &CollectionItem,
    ) -> Result<Option<Vec<u8>>, CollectionError> {
        match item.kind {
            ItemKind::Melody => Ok(None),
            ItemKind::Audio => self.read_section_part(Section::Clips, item.body).map(Some),
        }
    }

    /// Returns the metadata of an item, such as its source file, key and metre.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the metadata cannot be read.
    pub fn metadata(&self, item: &CollectionItem) -> Result<ItemMetadata, CollectionError> {
        decode_metadata(item, &self.read_section_part(Section::Info, item.info)?)
    }

    /// Passes at most `most` items, starting at position `first` in order of id, to `take`, with
    /// their encoded metadata and notes.
    fn for_each_item(
        &self,
        first: u64,
        most: u64,
        take: &mut ItemCallback<'_>,
    ) -> Result<(), CollectionError> {
        let end = first.saturating_add(most).min(self.len());
        for start in (first..end).step_by(ITEMS_PER_READ as usize) {
            let items = self.read_items(start, ITEMS_PER_READ.min(end - start))?;
            let infos = self.read_span(Section::Info, items.iter().map(|item| item.info))?;
            let notes = self.read_span(
                Section::Notes,
                items.iter().filter_map(CollectionItem::notes_location),
            )?;
            for item in items {
                let info = infos.part(item.info)?;
                let body = item.notes_location().map(|at| notes.part(at)).transpose()?;
                take(item, info, body)?;
            }
        }
        Ok(())
    }
}

fn decode_notes(item: &CollectionItem, bytes: &[u8]) -> Result<Melody, CollectionError> {
    let melody = note_encoding::decode(bytes, item.notes);
    melody.ok_or_else(|| damaged_error(format!("the notes of {} are none", item.id)))
}

fn decode_metadata(item: &CollectionItem, bytes: &[u8]) -> Result<ItemMetadata, CollectionError> {
    let metadata = ItemMetadata::decode(bytes);
    metadata.ok_or_else(|| damaged_error(format!("what is known of {} is none", item.id)))
}

/// Contiguous bytes of a section that were read into memory.
#[derive(Default)]
struct SectionSpan {
    /// Offset of the first of these bytes in the section.
    start: u64,
    bytes: Vec<u8>,
}

impl SectionSpan {
    /// Returns the bytes with this offset and length in the section.
    fn part(&self, (at, length): (u64, u64)) -> Result<&[u8], CollectionError> {
        let at = at.checked_sub(self.start).map(|at| at as usize);
        let part = at.and_then(|at| self.bytes.get(at..)?.get(..length as usize));
        part.ok_or_else(|| damaged_error("items are out of order"))
    }
}

impl CollectionItem {
    /// Returns the offset and length in bytes of the encoded notes in the section of notes, or
    /// `None` for a recording.
    fn notes_location(&self) -> Option<(u64, u64)> {
        (self.kind == ItemKind::Melody).then_some(self.body)
    }
}

fn decode_item(record: &ItemRecord, ids: &SectionSpan) -> Result<CollectionItem, CollectionError> {
    let id = std::str::from_utf8(ids.part(record.id)?).ok();
    let kind = ItemKind::VARIANTS.get(usize::from(record.kind));
    let format = MelodyFormat::VARIANTS.get(usize::from(record.format));
    let (Some(id), Some(&kind), Some(&format)) = (id, kind, format) else {
        return Err(damaged_error("a record is none"));
    };
    Ok(CollectionItem {
        id: id.to_owned(),
        kind,
        format,
        notes: record.notes as usize,
        grace_notes: record.grace_notes,
        length: record.length,
        seconds: record.seconds,
        checksum: record.checksum,
        content_checksum: record.content,
        info: record.info,
        body: record.body,
    })
}
