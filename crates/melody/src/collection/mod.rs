//! Collections: melodies and clips in one file (`docs/collection-file.md`).
//!
//! Opening a [`Collection`] reads its head; whatever is asked for after that is read where it lies, and
//! checked. [`import`](import()) makes and extends one.

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
use crate::{Beats, Checksum, Melody};
use file_layout::{BLOCK, FileHeader, HEAD, ItemRecord, MAGIC, RECORD, Section, crc32};
pub use file_layout::{COLLECTION_VERSION, ItemKind};
pub use import::{
    IdScheme, ImportError, ImportOutcome, ImportReport, ImportRequest, SkippedItem, import,
    import_in_memory,
};
pub use listing::{
    CollectionListing, ItemDetails, ItemDetailsList, ItemLookupError, ItemSummary, NoteDetails,
};
pub use note_encoding::ItemMetadata;
pub use writer::{BodySource, EncodedItem, write_collection};

/// What a collection is read from: any part of it, in any order.
pub trait ReadAt: Send + Sync {
    /// How many bytes there are.
    ///
    /// # Errors
    /// When that cannot be known.
    fn size(&self) -> io::Result<u64>;

    /// Fills the buffer with the bytes from here on.
    ///
    /// # Errors
    /// When there are fewer, or they cannot be read.
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

/// Why a collection cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The system does not let it be read.
    #[error("it cannot be read: {0}")]
    Unreadable(io::Error),
    /// It is something else.
    #[error("this is no collection")]
    NotACollection,
    /// A newer version of the program made it.
    #[error(
        "it is a collection of version {0}, and this program reads version {COLLECTION_VERSION} at most"
    )]
    UnsupportedVersion(u32),
    /// It is not as it was written.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

fn damaged(what: impl Into<String>) -> CollectionError {
    CollectionError::Damaged(what.into())
}

/// A collection that is open.
pub struct Collection {
    storage: Box<dyn ReadAt>,
    head: FileHeader,
}

/// One item of a collection, without its notes.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectionItem {
    /// What it is called.
    pub id: String,
    /// What it is.
    pub kind: ItemKind,
    /// The format that it was read from.
    pub format: MelodyFormat,
    /// How many notes it has; 0 for a clip.
    pub notes: usize,
    /// How many grace notes were left out.
    pub grace_notes: u32,
    /// How long it is in quarter notes, outer rests left out; 0 for a clip.
    pub length: Beats,
    /// How long it sounds, in seconds: a melody at 120 quarter notes per minute.
    pub seconds: f64,
    /// Of its notes or samples.
    pub checksum: Checksum,
    /// The same for melodies that are equal but for transposition and outer rests.
    pub content_checksum: Checksum,
    info: (u64, u64),
    body: (u64, u64),
}

/// Takes an item, the bytes of what is known of it, and those of its notes.
type TakeItem<'a> =
    dyn FnMut(CollectionItem, &[u8], Option<&[u8]>) -> Result<(), CollectionError> + 'a;

/// How many records are read at a time.
const BATCH: u64 = 4096;

impl Collection {
    /// Opens the collection in a file.
    ///
    /// # Errors
    /// [`CollectionError`] where it is none.
    pub fn open(path: &Path) -> Result<Self, CollectionError> {
        let file = File::open(path).map_err(CollectionError::Unreadable)?;
        let kind = file.metadata().map_err(CollectionError::Unreadable)?;
        if kind.is_dir() {
            return Err(CollectionError::NotACollection);
        }
        Self::from_reader(Box::new(file))
    }

    /// Opens a collection wherever it is.
    ///
    /// # Errors
    /// [`CollectionError`] where it is none.
    pub fn from_reader(place: Box<dyn ReadAt>) -> Result<Self, CollectionError> {
        let size = place.size().map_err(CollectionError::Unreadable)?;
        let mut bytes = vec![0; HEAD.min(size) as usize];
        place
            .read_at(&mut bytes, 0)
            .map_err(CollectionError::Unreadable)?;
        let magic = &bytes[..bytes.len().min(MAGIC.len())];
        if !MAGIC.starts_with(magic) || magic.is_empty() {
            return Err(CollectionError::NotACollection);
        }
        if let Some(version) = bytes.get(8..12) {
            let version = u32::from_le_bytes(version.try_into().expect("these are four bytes"));
            // The head of a later version may be anything.
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
            return Err(damaged(format!(
                "it has {size} bytes and should have others"
            )));
        }
        Ok(Self {
            storage: place,
            head,
        })
    }

    /// How many items it has.
    pub fn len(&self) -> u64 {
        self.head.items
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.head.items == 0
    }

    /// The bytes of a part of a section, checked.
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
        let blocks = self.blocks(first, last)?;
        let skip = (from - first * BLOCK) as usize;
        let mut bytes = blocks;
        bytes.truncate(skip + length as usize);
        bytes.drain(..skip);
        Ok(bytes)
    }

    /// These blocks, checked.
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

    /// Checks every byte.
    ///
    /// # Errors
    /// [`CollectionError`] where something is not as it was written.
    pub fn verify(&self) -> Result<(), CollectionError> {
        let end = self.head.payload_end().expect("checked when it was opened");
        let blocks = (end - HEAD).div_ceil(BLOCK);
        (0..blocks)
            .step_by(64)
            .try_for_each(|first| self.blocks(first, (first + 63).min(blocks - 1)).map(|_| ()))
    }

    /// The item of this number, by the order of ids.
    ///
    /// # Errors
    /// [`CollectionError`] where it cannot be read.
    pub fn item(&self, number: u64) -> Result<CollectionItem, CollectionError> {
        let mut items = self.batch(number, 1)?;
        items.pop().ok_or_else(|| damaged("an item is missing"))
    }

    /// So many items from this one on, or fewer where there are no more.
    fn batch(&self, first: u64, count: u64) -> Result<Vec<CollectionItem>, CollectionError> {
        let count = count.min(self.len().saturating_sub(first));
        let bytes = self.bytes(Section::Items, (first * RECORD, count * RECORD))?;
        let records: Option<Vec<ItemRecord>> = bytes
            .chunks(RECORD as usize)
            .map(ItemRecord::decode)
            .collect();
        let records = records.ok_or_else(|| damaged("a record is none"))?;
        let ids = self.span(Section::Ids, records.iter().map(|record| record.id))?;
        records.iter().map(|record| item(record, &ids)).collect()
    }

    /// Items from a number on, read as they are asked for.
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

    /// The number of the item that has this id.
    ///
    /// # Errors
    /// [`CollectionError`] where ids cannot be read.
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

    /// The notes of an item; nothing for a clip.
    ///
    /// # Errors
    /// [`CollectionError`] where they cannot be read.
    pub fn melody(&self, item: &CollectionItem) -> Result<Option<Melody>, CollectionError> {
        if item.kind != ItemKind::Melody {
            return Ok(None);
        }
        let bytes = self.bytes(Section::Notes, item.body)?;
        let melody = note_encoding::decode(&bytes, item.notes);
        let melody = melody.ok_or_else(|| damaged(format!("the notes of {} are none", item.id)))?;
        Ok(Some(melody))
    }

    /// The melodies from a number on, with their numbers; clips are passed over. Notes lie one after the
    /// other, and are read in large pieces.
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
            let body = notes.part(item.body)?;
            match note_encoding::decode(body, item.notes) {
                Some(melody) => Ok((number, item, melody)),
                None => Err(damaged(format!("the notes of {} are none", item.id))),
            }
        };
        melodies.map(melody).collect()
    }

    /// What lies between the first and the last of some parts of a section, which lie in order.
    fn span(
        &self,
        section: Section,
        mut parts: impl Iterator<Item = (u64, u64)>,
    ) -> Result<Span, CollectionError> {
        let Some(first) = parts.next() else {
            return Ok(Span {
                start: 0,
                bytes: Vec::new(),
            });
        };
        let last = parts.last().unwrap_or(first);
        let start = first.0;
        let end = last.0.checked_add(last.1).filter(|&end| end >= start);
        let length = end.map(|end| end - start);
        let length = length.ok_or_else(|| damaged("items are out of order"))?;
        let bytes = self.bytes(section, (start, length))?;
        Ok(Span { start, bytes })
    }

    /// The clip of an item as it was imported; nothing for a melody.
    ///
    /// # Errors
    /// [`CollectionError`] where it cannot be read.
    pub fn clip(&self, item: &CollectionItem) -> Result<Option<Vec<u8>>, CollectionError> {
        match item.kind {
            ItemKind::Melody => Ok(None),
            ItemKind::Audio => self.bytes(Section::Clips, item.body).map(Some),
        }
    }

    /// What else is known of an item.
    ///
    /// # Errors
    /// [`CollectionError`] where it cannot be read.
    pub fn metadata(&self, item: &CollectionItem) -> Result<ItemMetadata, CollectionError> {
        info(item, &self.bytes(Section::Info, item.info)?)
    }

    /// Hands over items from a number on, at most so many, with the bytes of what is known of them and of
    /// their notes.
    fn each(&self, first: u64, most: u64, take: &mut TakeItem<'_>) -> Result<(), CollectionError> {
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

fn info(item: &CollectionItem, bytes: &[u8]) -> Result<ItemMetadata, CollectionError> {
    let known = ItemMetadata::decode(bytes);
    known.ok_or_else(|| damaged(format!("what is known of {} is none", item.id)))
}

/// A piece of a section, in which parts of it are found.
struct Span {
    start: u64,
    bytes: Vec<u8>,
}

impl Span {
    fn part(&self, (at, length): (u64, u64)) -> Result<&[u8], CollectionError> {
        let at = at.checked_sub(self.start).map(|at| at as usize);
        let part = at.and_then(|at| self.bytes.get(at..)?.get(..length as usize));
        part.ok_or_else(|| damaged("items are out of order"))
    }
}

impl CollectionItem {
    /// Where the notes of a melody lie.
    fn notes_at(&self) -> Option<(u64, u64)> {
        (self.kind == ItemKind::Melody).then_some(self.body)
    }
}

fn item(record: &ItemRecord, ids: &Span) -> Result<CollectionItem, CollectionError> {
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
