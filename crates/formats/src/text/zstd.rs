//! Decompression of Zstandard data with any number of frames.

use std::io::{self, Read};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Magic number at the start of a Zstandard frame with data.
const DATA_FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Returns true if the bytes start a Zstandard frame: one with data, or a skippable one, which
/// pzstd writes first.
pub fn is_zstd(bytes: &[u8]) -> bool {
    bytes.starts_with(&DATA_FRAME_MAGIC) || is_skippable(bytes)
}

/// Returns true if the bytes start a skippable frame, which holds no data.
fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Reader that decompresses all frames of a source. The reader of the ruzstd crate stops after the
/// first.
pub struct ZstdReader<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: Read> ZstdReader<R> {
    /// Creates a reader that starts at the first frame.
    pub fn new(source: R) -> Self {
        Self {
            source,
            decoder: FrameDecoder::new(),
            in_frame: false,
        }
    }

    /// Advances to the data of the next frame. Returns `false` at the end of the source.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            let mut magic = Vec::with_capacity(4);
            self.source.by_ref().take(4).read_to_end(&mut magic)?;
            if magic.is_empty() {
                return Ok(false);
            }
            if is_skippable(&magic) {
                let mut length = [0; 4];
                self.source.read_exact(&mut length)?;
                let length = u64::from(u32::from_le_bytes(length));
                let mut skipped = self.source.by_ref().take(length);
                if io::copy(&mut skipped, &mut io::sink())? < length {
                    return Err(corrupt_frame_error("it ends inside a frame"));
                }
            } else if magic == DATA_FRAME_MAGIC {
                let frame = magic.as_slice().chain(self.source.by_ref());
                self.decoder.init(frame).map_err(corrupt_frame_error)?;
                return Ok(true);
            } else {
                return Err(corrupt_frame_error("something else follows"));
            }
        }
    }

    fn verify_checksum(&self) -> io::Result<()> {
        let (stored, found) = (
            self.decoder.get_checksum_from_data(),
            self.decoder.get_calculated_checksum(),
        );
        match (stored, found) {
            (Some(stored), Some(found)) if stored != found => {
                Err(corrupt_frame_error("its checksum is wrong"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: Read> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.in_frame && !self.next_frame()? {
                return Ok(0);
            }
            self.in_frame = true;
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.source, one)
                    .map_err(corrupt_frame_error)?;
            }
            match self.decoder.read(buffer)? {
                // A frame may be empty and be followed by others.
                0 => {
                    self.verify_checksum()?;
                    self.in_frame = false;
                }
                count => return Ok(count),
            }
        }
    }
}

fn corrupt_frame_error(why: impl std::fmt::Display) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("broken zstd data: {why}"),
    )
}
