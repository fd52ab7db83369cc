//! WAV encoding, 16 bits, one channel.

use super::clip::{AudioFormat, Clip, ClipWriteError};

/// Encodes a clip as the bytes of a WAV file.
pub(crate) fn encode_clip(clip: &Clip) -> Result<Vec<u8>, ClipWriteError> {
    let bytes = u32::try_from(clip.samples.len() * 2).ok();
    let bytes = bytes.filter(|bytes| *bytes < u32::MAX - 36);
    let bytes = bytes.ok_or_else(|| ClipWriteError {
        format: AudioFormat::Wav,
        reason: "it would be larger than 4 GB".to_owned(),
    })?;
    let mut file = Vec::with_capacity(44 + clip.samples.len() * 2);
    file.extend(b"RIFF");
    file.extend((36 + bytes).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    // PCM, one channel.
    file.extend([1_u16, 1].map(u16::to_le_bytes).concat());
    file.extend([clip.rate, clip.rate * 2].map(u32::to_le_bytes).concat());
    // Bytes per sample and bits per sample.
    file.extend([2_u16, 16].map(u16::to_le_bytes).concat());
    file.extend(b"data");
    file.extend(bytes.to_le_bytes());
    file.extend(clip.samples.iter().flat_map(|sample| sample.to_le_bytes()));
    Ok(file)
}
