//! File header, sections and item records of a collection file (`docs/collection-file.md`).

use crate::{Beats, Checksum};

/// First bytes of every collection file.
pub(super) const MAGIC: [u8; 8] = *b"PARTITAC";

/// Version that is written, and the newest version that can be read.
pub(super) const COLLECTION_VERSION: u32 = 1;

/// Size of a block in bytes. Every block of the file has a checksum of its own.
pub(super) const BLOCK: u64 = 16 << 10;

/// Section of a collection file. The variants are in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Item records, all of one size.
    Items,
    /// Item ids, as text.
    Ids,
    /// Metadata of the items.
    Info,
    /// Notes of melodies.
    Notes,
    /// Recordings, as imported.
    Clips,
}

pub(super) const SECTIONS: usize = 5;

/// Size of the file header, in bytes.
pub(super) const HEAD: u64 = 8 + 4 + 4 + 8 + 8 * SECTIONS as u64 + 4;

/// Header of a collection file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileHeader {
    pub(super) version: u32,
    pub(super) items: u64,
    /// Size of each section, in bytes.
    pub(super) lengths: [u64; SECTIONS],
}

impl FileHeader {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.version.to_le_bytes());
        bytes.extend_from_slice(&(BLOCK as u32).to_le_bytes());
        bytes.extend_from_slice(&self.items.to_le_bytes());
        for length in self.lengths {
            bytes.extend_from_slice(&length.to_le_bytes());
        }
        bytes.extend_from_slice(&crc32(&bytes).to_le_bytes());
        bytes
    }

    /// Decodes the header. Returns `None` if the checksum is wrong or the sizes are inconsistent.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (header, sum) = bytes.split_at_checked(HEAD as usize - 4)?;
        let mut fields = Fields(&header[8..]);
        let version = fields.u32();
        let block = fields.u32();
        let items = fields.u64();
        let lengths = std::array::from_fn(|_| fields.u64());
        let head = Self {
            version,
            items,
            lengths,
        };
        let right = sum == crc32(header).to_le_bytes()
            && u64::from(block) == BLOCK
            && head.lengths[Section::Items as usize] == items.checked_mul(RECORD)?
            && head.payload_end().is_some();
        right.then_some(head)
    }

    /// Returns the offset and the length of a section.
    pub(super) fn section(&self, section: Section) -> (u64, u64) {
        let before: u64 = self.lengths[..section as usize].iter().sum();
        (HEAD + before, self.lengths[section as usize])
    }

    /// Returns the end of the last section, where the block checksums start. Returns `None` on
    /// overflow.
    pub(super) fn payload_end(&self) -> Option<u64> {
        self.lengths
            .iter()
            .try_fold(HEAD, |end, &length| end.checked_add(length))
    }

    /// Returns the length of the file. Returns `None` on overflow.
    pub(super) fn file_length(&self) -> Option<u64> {
        let end = self.payload_end()?;
        (end - HEAD)
            .div_ceil(BLOCK)
            .checked_mul(4)?
            .checked_add(end)
    }
}

/// Computes the CRC-32 of some bytes. It detects damage, not forgery.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

partita_named::named_enum! {
    /// Kind of a collection item.
    pub enum ItemKind: "kind of item" {
        /// Notes
        Melody = "melody",
        /// A recording
        Audio = "audio",
    }
}

/// Size of an item record, in bytes.
pub(super) const RECORD: u64 = 136;

/// Record of one item. Offsets are relative to the start of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ItemRecord {
    pub(super) id: (u64, u64),
    pub(super) info: (u64, u64),
    /// Offset and length of the notes in the section of notes, or of the recording in the section
    /// of clips.
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

    /// Decodes a record. Returns `None` if the bytes are no valid record.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        if bytes.len() as u64 != RECORD {
            return None;
        }
        let mut fields = Fields(bytes);
        let [id, info, body] = std::array::from_fn(|_| (fields.u64(), u64::from(fields.u32())));
        let (notes, grace_notes) = (fields.u32(), fields.u32());
        let (numer, denom) = (fields.u64() as i64, i64::from(fields.u32()));
        let [kind, format, _, _] = fields.take();
        let seconds = f64::from_bits(fields.u64());
        let (checksum, content) = (Checksum(fields.take()), Checksum(fields.take()));
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

/// Cursor over little-endian numbers. The caller ensures that there are enough bytes.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *field
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}
