//! Collections: melodies and clips in one file (`docs/collection-file.md`).
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
    BLOCK, COLLECTION_VERSION, FileHeader, HEAD, ItemRecord, MAGIC, RECORD, Section, crc32,
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
    /// Returns the number of bytes.
    ///
    /// # Errors
    /// Returns an error if the size is not available.
    fn size(&self) -> io::Result<u64>;

    /// Fills the buffer with the bytes from an offset on.
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

/// Error of a collection that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The operating system reports an error.
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
    /// The content does not match its checksum or is inconsistent.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

fn damaged(description: impl Into<String>) -> CollectionError {
    CollectionError::Damaged(description.into())
}

/// Collection that is open for reading.
pub struct Collection {
    storage: Box<dyn ReadAt>,
    head: FileHeader,
}

/// One item of a collection, without its notes.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectionItem {
    /// Item id.
    pub id: String,
    /// Kind of item.
    pub kind: ItemKind,
    /// Format of the source.
    pub format: MelodyFormat,
    /// Number of notes; 0 for a clip.
    pub notes: usize,
    /// Number of grace notes that the reader left out.
    pub grace_notes: u32,
    /// Length in quarter notes without outer rests; 0 for a clip.
    pub length: Beats,
    /// Duration in seconds. For a melody: at 120 quarter notes per minute.
    pub seconds: f64,
    /// Checksum of the notes or samples.
    pub checksum: Checksum,
    /// Checksum that ignores transposition and outer rests.
    pub content_checksum: Checksum,
    /// Offset and length of the encoded metadata in its section.
    info: (u64, u64),
    /// Offset and length of the encoded notes or the recording in its section.
    body: (u64, u64),
}

/// Callback that receives an item, its encoded metadata and its encoded notes.
type TakeItem<'a> =
    dyn FnMut(CollectionItem, &[u8], Option<&[u8]>) -> Result<(), CollectionError> + 'a;

/// Number of item records per read.
const BATCH: u64 = 4096;

impl Collection {
    /// Opens a collection file.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the file cannot be read or is not a collection.
    pub fn open(path: &Path) -> Result<Self, CollectionError> {
        let file = File::open(path).map_err(CollectionError::Unreadable)?;
        let kind = file.metadata().map_err(CollectionError::Unreadable)?;
        if kind.is_dir() {
            return Err(CollectionError::NotACollection);
        }
        Self::from_reader(Box::new(file))
    }

    /// Opens a collection from any storage.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the storage cannot be read or does not contain a collection.
    pub fn from_reader(storage: Box<dyn ReadAt>) -> Result<Self, CollectionError> {
        let size = storage.size().map_err(CollectionError::Unreadable)?;
        let mut bytes = vec![0; HEAD.min(size) as usize];
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
        if size < HEAD {
            return Err(damaged("it ends within its head"));
        }
        let head = FileHeader::decode(&bytes)
            .ok_or_else(|| damaged("its head is not as it was written"))?;
        if head.version != COLLECTION_VERSION {
            return Err(damaged("its version is none"));
        }
        if head.file_length() != Some(size) {
            let message = format!("it has {size} bytes and should have others");
            return Err(damaged(message));
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

    /// Reads a part of a section and checks its blocks.
    fn bytes(
        &self,
        section: Section,
        (at, length): (u64, u64),
    ) -> Result<Vec<u8>, CollectionError> {
        let (start, whole) = self.head.section(section);
        if at.checked_add(length).is_none_or(|end| end > whole) {
            return Err(damaged("an item lies outside of its section"));
        }
        if length == 0 {
            return Ok(Vec::new());
        }
        let from = start + at - HEAD;
        let first = from / BLOCK;
        let last = (from + length - 1) / BLOCK;
        let skip = (from - first * BLOCK) as usize;
        let mut bytes = self.blocks(first, last)?;
        bytes.truncate(skip + length as usize);
        bytes.drain(..skip);
        Ok(bytes)
    }

    /// Reads a range of blocks and checks their checksums.
    fn blocks(&self, first: u64, last: u64) -> Result<Vec<u8>, CollectionError> {
        let end = self.head.payload_end().expect("checked when it was opened");
        let from = HEAD + first * BLOCK;
        let length = (last + 1 - first) * BLOCK;
        let mut bytes = vec![0; length.min(end - from) as usize];
        let mut sums = vec![0; (last + 1 - first) as usize * 4];
        let reading = self.storage.read_at(&mut bytes, from);
        let reading = reading.and_then(|()| self.storage.read_at(&mut sums, end + first * 4));
        reading.map_err(CollectionError::Unreadable)?;
        for (number, (block, sum)) in bytes.chunks(BLOCK as usize).zip(sums.chunks(4)).enumerate() {
            if crc32(block).to_le_bytes() != sum {
                let at = from + number as u64 * BLOCK;
                let message = format!(
                    "the {} bytes from byte {at} on are not as they were written",
                    block.len()
                );
                return Err(damaged(message));
            }
        }
        Ok(bytes)
    }

    /// Checks every byte of the collection.
    ///
    /// # Errors
    /// Returns [`CollectionError`] at the first damaged block.
    pub fn verify(&self) -> Result<(), CollectionError> {
        let end = self.head.payload_end().expect("checked when it was opened");
        let blocks = (end - HEAD).div_ceil(BLOCK);
        (0..blocks)
            .step_by(64)
            .try_for_each(|first| self.blocks(first, (first + 63).min(blocks - 1)).map(|_| ()))
    }

    /// Returns the item at this position in order of id.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the item cannot be read.
    pub fn item(&self, number: u64) -> Result<CollectionItem, CollectionError> {
        let mut items = self.batch(number, 1)?;
        items.pop().ok_or_else(|| damaged("an item is missing"))
    }

    /// Returns at most `count` items from a position on.
    fn batch(&self, first: u64, count: u64) -> Result<Vec<CollectionItem>, CollectionError> {
        let count = count.min(self.len().saturating_sub(first));
        let bytes = self.bytes(Section::Items, (first * RECORD, count * RECORD))?;
        let records: Option<Vec<ItemRecord>> = bytes
            .chunks(RECORD as usize)
            .map(ItemRecord::decode)
            .collect();
        let records = records.ok_or_else(|| damaged("a record is none"))?;
        let ids = self.span(Section::Ids, records.iter().map(|record| record.id))?;
        let items = records.iter().map(|record| decode_item(record, &ids));
        items.collect()
    }

    /// Iterates over the items from a position on, reading them on demand.
    pub fn items(
        &self,
        first: u64,
    ) -> impl Iterator<Item = Result<CollectionItem, CollectionError>> + '_ {
        let starts = (first..self.len()).step_by(BATCH as usize);
        starts.flat_map(move |start| match self.batch(start, BATCH) {
            Ok(items) => items.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        })
    }

    /// Returns the position of the item with this id, by binary search.
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

    /// Returns the melody of an item, or `None` for a clip.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the notes cannot be read.
    pub fn melody(&self, item: &CollectionItem) -> Result<Option<Melody>, CollectionError> {
        if item.kind != ItemKind::Melody {
            return Ok(None);
        }
        let bytes = self.bytes(Section::Notes, item.body)?;
        decode_notes(item, &bytes).map(Some)
    }

    /// Iterates over the melodies from a position on, with their positions; clips are skipped.
    /// Notes are stored contiguously and read in large spans.
    pub fn melodies(
        &self,
        first: u64,
    ) -> impl Iterator<Item = Result<(u64, CollectionItem, Melody), CollectionError>> + '_ {
        let starts = (first..self.len()).step_by(BATCH as usize);
        starts.flat_map(move |start| match self.melody_batch(start) {
            Ok(items) => items.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        })
    }

    fn melody_batch(
        &self,
        start: u64,
    ) -> Result<Vec<(u64, CollectionItem, Melody)>, CollectionError> {
        let items = self.batch(start, BATCH)?;
        let notes = self.span(
            Section::Notes,
            items.iter().filter_map(CollectionItem::notes_at),
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

    /// Reads several parts of a section at once, by reading all bytes from the first part to the
    /// last. The parts must be in file order.
    fn span(
        &self,
        section: Section,
        mut parts: impl Iterator<Item = (u64, u64)>,
    ) -> Result<Span, CollectionError> {
        let Some(first) = parts.next() else {
            return Ok(Span::default());
        };
        let last = parts.last().unwrap_or(first);
        let start = first.0;
        let end = last.0.checked_add(last.1);
        let length = end.and_then(|end| end.checked_sub(start));
        let length = length.ok_or_else(|| damaged("items are out of order"))?;
        let bytes = self.bytes(section, (start, length))?;
        Ok(Span { start, bytes })
    }

    /// Returns the recording of an item as it was imported, or `None` for a melody.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the recording cannot be read.
    pub fn clip(&self, item: &CollectionItem) -> Result<Option<Vec<u8>>, CollectionError> {
        match item.kind {
            ItemKind::Melody => Ok(None),
            ItemKind::Audio => self.bytes(Section::Clips, item.body).map(Some),
        }
    }

    /// Returns the metadata of an item.
    ///
    /// # Errors
    /// Returns [`CollectionError`] if the metadata cannot be read.
    pub fn metadata(&self, item: &CollectionItem) -> Result<ItemMetadata, CollectionError> {
        decode_metadata(item, &self.bytes(Section::Info, item.info)?)
    }

    /// Passes at most `most` items from a position on to `take`, with their encoded metadata and
    /// notes.
    fn for_each_item(
        &self,
        first: u64,
        most: u64,
        take: &mut TakeItem<'_>,
    ) -> Result<(), CollectionError> {
        let end = first.saturating_add(most).min(self.len());
        for start in (first..end).step_by(BATCH as usize) {
            let items = self.batch(start, BATCH.min(end - start))?;
            let infos = self.span(Section::Info, items.iter().map(|item| item.info))?;
            let notes = self.span(
                Section::Notes,
                items.iter().filter_map(CollectionItem::notes_at),
            )?;
            for item in items {
                let info = infos.part(item.info)?;
                let body = item.notes_at().map(|at| notes.part(at)).transpose()?;
                take(item, info, body)?;
            }
        }
        Ok(())
    }
}

fn decode_notes(item: &CollectionItem, bytes: &[u8]) -> Result<Melody, CollectionError> {
    let melody = note_encoding::decode(bytes, item.notes);
    melody.ok_or_else(|| damaged(format!("the notes of {} are none", item.id)))
}

fn decode_metadata(item: &CollectionItem, bytes: &[u8]) -> Result<ItemMetadata, CollectionError> {
    let metadata = ItemMetadata::decode(bytes);
    metadata.ok_or_else(|| damaged(format!("what is known of {} is none", item.id)))
}

/// Contiguous part of a section in memory.
#[derive(Default)]
struct Span {
    /// Offset in the section.
    start: u64,
    bytes: Vec<u8>,
}

impl Span {
    /// Returns a part of the section, given by its offset and length.
    fn part(&self, (at, length): (u64, u64)) -> Result<&[u8], CollectionError> {
        let at = at.checked_sub(self.start).map(|at| at as usize);
        let part = at.and_then(|at| self.bytes.get(at..)?.get(..length as usize));
        part.ok_or_else(|| damaged("items are out of order"))
    }
}

impl CollectionItem {
    /// Returns the offset and the length of the encoded notes, or `None` for a clip.
    fn notes_at(&self) -> Option<(u64, u64)> {
        (self.kind == ItemKind::Melody).then_some(self.body)
    }
}

fn decode_item(record: &ItemRecord, ids: &Span) -> Result<CollectionItem, CollectionError> {
    let id = std::str::from_utf8(ids.part(record.id)?).ok();
    let kind = ItemKind::VARIANTS.get(usize::from(record.kind));
    let format = MelodyFormat::VARIANTS.get(usize::from(record.format));
    let (Some(id), Some(&kind), Some(&format)) = (id, kind, format) else {
        return Err(damaged("a record is none"));
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
