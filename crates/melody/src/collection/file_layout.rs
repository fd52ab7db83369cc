//! File header, sections and item records of a collection file (`docs/collection-file.md`).

use crate::{Beats, Checksum};

/// First eight bytes of every collection file, which identify the file type.
pub(super) const MAGIC: [u8; 8] = *b"PARTITAC";

/// Version of the collection file format that is written, and the newest that can be read.
pub(super) const COLLECTION_VERSION: u32 = 1;

/// Size of a checksummed block in bytes. Every block after the file header has its own CRC-32.
pub(super) const BLOCK_BYTES: u64 = 16 << 10;

/// Section of a collection file. The variants are in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Item records of fixed size ([`ItemRecord`]), in order of id.
    Items,
    /// Item ids, as concatenated UTF-8 text.
    Ids,
    /// Encoded metadata of the items ([`ItemMetadata`](crate::ItemMetadata)).
    Info,
    /// Encoded notes of the melodies.
    Notes,
    /// Recordings, as the bytes of the imported audio files.
    Clips,
}

/// Number of sections of a collection file.
pub(super) const SECTION_COUNT: usize = 5;

/// Size of the file header, in bytes.
pub(super) const HEADER_BYTES: u64 = 8 + 4 + 4 + 8 + 8 * SECTION_COUNT as u64 + 4;

/// Header of a collection file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileHeader {
    pub(super) version: u32,
    pub(super) items: u64,
    /// Length of each section in bytes, in file order.
    pub(super) lengths: [u64; SECTION_COUNT],
}

impl FileHeader {
    /// Encodes the file header with its checksum.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.version.to_le_bytes());
        bytes.extend_from_slice(&(BLOCK_BYTES as u32).to_le_bytes());
        bytes.extend_from_slice(&self.items.to_le_bytes());
        for length in self.lengths {
            bytes.extend_from_slice(&length.to_le_bytes());
        }
        bytes.extend_from_slice(&crc32(&bytes).to_le_bytes());
        bytes
    }

    /// Decodes the file header. Returns `None` if it is too short, its checksum or block size is
    /// wrong or the section lengths are inconsistent.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (header, sum) = bytes.split_at_checked(HEADER_BYTES as usize - 4)?;
        let mut fields = FieldCursor(&header[8..]);
        let version = fields.read_u32();
        let block = fields.read_u32();
        let items = fields.read_u64();
        let lengths = std::array::from_fn(|_| fields.read_u64());
        let head = Self {
            version,
            items,
            lengths,
        };
        let right = sum == crc32(header).to_le_bytes()
            && u64::from(block) == BLOCK_BYTES
            && head.lengths[Section::Items as usize] == items.checked_mul(RECORD_BYTES)?
            && head.payload_end().is_some();
        right.then_some(head)
    }

    /// Returns the offset in the file and the length of a section, in bytes.
    pub(super) fn section(&self, section: Section) -> (u64, u64) {
        let before: u64 = self.lengths[..section as usize].iter().sum();
        (HEADER_BYTES + before, self.lengths[section as usize])
    }

    /// Returns the offset of the end of the last section, where the checksums of the blocks start.
    /// Returns `None` if the lengths overflow.
    pub(super) fn payload_end(&self) -> Option<u64> {
        self.lengths
            .iter()
            .try_fold(HEADER_BYTES, |end, &length| end.checked_add(length))
    }

    /// Returns the length of the whole file in bytes, including the checksums of the blocks.
    /// Returns `None` if the lengths overflow.
    pub(super) fn file_length(&self) -> Option<u64> {
        let end = self.payload_end()?;
        (end - HEADER_BYTES)
            .div_ceil(BLOCK_BYTES)
            .checked_mul(4)?
            .checked_add(end)
    }
}

/// Computes the CRC-32 of some bytes, which detects accidental damage but not forgery.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

partita_named::named_enum! {
    /// Kind of a collection item: melody or recording.
    pub enum ItemKind: "kind of item" {
        /// Notes
        Melody = "melody",
        /// A recording
        Audio = "audio",
    }
}

/// Size of an item record, in bytes.
pub(super) const RECORD_BYTES: u64 = 136;

/// Record of one item in the section of items. Offsets are relative to the start of the section to
/// which they refer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ItemRecord {
    pub(super) id: (u64, u64),
    pub(super) info: (u64, u64),
    /// Offset and length in bytes of the encoded notes in the section of notes, or of the recording
    /// in the section of clips.
    pub(super) body: (u64, u64),
    pub(super) notes: u32,
    pub(super) grace_notes: u32,
    pub(super) length: Beats,
    pub(super) kind: u8,
    pub(super) format: u8,
    pub(super) seconds: f64,
    pub(super) checksum: Checksum,
    pub(super) content: Checksum,
}

impl ItemRecord {
    /// Appends the encoded item record to `bytes`.
    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        for (at, length) in [self.id, self.info, self.body] {
            bytes.extend_from_slice(&at.to_le_bytes());
            bytes.extend_from_slice(&(length as u32).to_le_bytes());
        }
        bytes.extend_from_slice(&self.notes.to_le_bytes());
        bytes.extend_from_slice(&self.grace_notes.to_le_bytes());
        bytes.extend_from_slice(&self.length.numer().to_le_bytes());
        bytes.extend_from_slice(&(*self.length.denom() as u32).to_le_bytes());
        bytes.extend_from_slice(&[self.kind, self.format, 0, 0]);
        bytes.extend_from_slice(&self.seconds.to_le_bytes());
        bytes.extend_from_slice(&self.checksum.0);
        bytes.extend_from_slice(&self.content.0);
        bytes.extend_from_slice(&[0; 4]);
    }

    /// Decodes an item record. Returns `None` if its size is wrong or the denominator of its length
    /// is 0.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        if bytes.len() as u64 != RECORD_BYTES {
            return None;
        }
        let mut fields = FieldCursor(bytes);
        let [id, info, body] =
            std::array::from_fn(|_| (fields.read_u64(), u64::from(fields.read_u32())));
        let (notes, grace_notes) = (fields.read_u32(), fields.read_u32());
        let (numer, denom) = (fields.read_u64() as i64, i64::from(fields.read_u32()));
        let [kind, format, _, _] = fields.read_bytes();
        let seconds = f64::from_bits(fields.read_u64());
        let (checksum, content) = (Checksum(fields.read_bytes()), Checksum(fields.read_bytes()));
        if denom == 0 {
            return None;
        }
        Some(Self {
            id,
            info,
            body,
            notes,
            grace_notes,
            length: Beats::new_raw(numer, denom),
            kind,
            format,
            seconds,
            checksum,
            content,
        })
    }
}

/// Cursor that reads little-endian numbers from bytes. The caller ensures that there are enough
/// bytes.
struct FieldCursor<'a>(&'a [u8]);

impl FieldCursor<'_> {
    fn read_bytes<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *field
    }

    fn read_u32(&mut self) -> u32 {
        u32::from_le_bytes(self.read_bytes())
    }

    fn read_u64(&mut self) -> u64 {
        u64::from_le_bytes(self.read_bytes())
    }
}
