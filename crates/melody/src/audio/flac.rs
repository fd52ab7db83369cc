//! FLAC encoding, 16 bits, one channel.

use std::io::Cursor;

use flac_codec::encode::{FlacSampleWriter, Options, Window};

use super::clip::{AudioFormat, Clip, ClipWriteError};

/// Encodes a clip as the bytes of a FLAC file.
pub(crate) fn encode_clip(clip: &Clip) -> Result<Vec<u8>, ClipWriteError> {
    let failed = |error: flac_codec::Error| ClipWriteError {
        format: AudioFormat::Flac,
        reason: error.to_string(),
    };
    let mut file = Cursor::new(Vec::new());
    // The default window uses a cosine, whose last bit may differ between machines.
    let options = Options::default().window(Window::Rectangle).no_padding();
    let samples: Vec<i32> = clip.samples.iter().map(|&sample| sample.into()).collect();
    let total = Some(samples.len() as u64);
    let writer = FlacSampleWriter::new(&mut file, options, clip.rate, 16_u32, 1, total);
    let mut writer = writer.map_err(failed)?;
    writer.write(&samples).map_err(failed)?;
    writer.finalize().map_err(failed)?;
    Ok(file.into_inner())
}
