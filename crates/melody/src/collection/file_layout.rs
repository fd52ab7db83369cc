//! The head of a collection file, its sections, and the records of its items (`docs/collection-file.md`).

use crate::{Beats, Checksum};

/// What every collection file begins with.
pub(super) const MAGIC: [u8; 8] = *b"PARTITAC";

/// The version that is written, and the newest that is read.
pub const COLLECTION_VERSION: u32 = 1;

/// How many bytes have a checksum together.
pub(super) const BLOCK: u64 = 16 << 10;

/// The sections, in the order in which they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// The records of items, all of one size.
    Items,
    /// Their ids, as text.
    Ids,
    /// What is known of them besides notes.
    Info,
    /// The notes of melodies.
    Notes,
    /// Audio clips, as they were.
    Clips,
}

pub(super) const SECTIONS: usize = 5;

/// The bytes of the head.
pub(super) const HEAD: u64 = 8 + 4 + 4 + 8 + 8 * SECTIONS as u64 + 4;

/// What a collection file says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileHeader {
    pub(super) version: u32,
    pub(super) items: u64,
    /// How many bytes each section has.
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

    /// The head in these bytes, of which the version and the checksum hold.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (said, sum) = bytes.split_at_checked(HEAD as usize - 4)?;
        let mut fields = Fields(&said[8..]);
        let version = fields.u32();
        let block = fields.u32();
        let items = fields.u64();
        let lengths = std::array::from_fn(|_| fields.u64());
        let head = Self {
            version,
            items,
            lengths,
        };
        let right = sum == crc32(said).to_le_bytes()
            && u64::from(block) == BLOCK
            && head.lengths[Section::Items as usize] == items.checked_mul(RECORD)?
            && head.payload_end().is_some();
        right.then_some(head)
    }

    /// Where a section begins, and how long it is.
    pub(super) fn section(&self, section: Section) -> (u64, u64) {
        let before: u64 = self.lengths[..section as usize].iter().sum();
        (HEAD + before, self.lengths[section as usize])
    }

    /// Where the last section ends and the checksums of blocks begin.
    pub(super) fn payload_end(&self) -> Option<u64> {
        self.lengths
            .iter()
            .try_fold(HEAD, |end, &length| end.checked_add(length))
    }

    /// How long the file is.
    pub(super) fn file_length(&self) -> Option<u64> {
        let end = self.payload_end()?;
        (end - HEAD)
            .div_ceil(BLOCK)
            .checked_mul(4)?
            .checked_add(end)
    }
}

/// CRC-32 of some bytes: damage is found, forgery is not.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

partita_named::named_enum! {
    /// What an item is.
    pub enum ItemKind: "kind of item" {
        /// Notes
        Melody = "melody",
        /// A recording
        Audio = "audio",
    }
}

/// The bytes of a record.
pub(super) const RECORD: u64 = 136;

/// One item as its record has it. Places are counted from the beginning of their sections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ItemRecord {
    pub(super) id: (u64, u64),
    pub(super) info: (u64, u64),
    /// In the section of notes, or in that of clips.
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

    /// The record in these bytes, if there is one in them.
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

/// Numbers one after the other in bytes that are long enough, the lowest byte first.
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
