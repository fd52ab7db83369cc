//! Decoding of recordings (WAV, FLAC, MP3 and Ogg Vorbis): duration, checksum and samples.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};
use sha2::{Digest, Sha256};
use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, TrackType};
use symphonia::core::io::{MediaSourceStream, MediaSourceStreamOptions};
use symphonia::core::meta::MetadataOptions;

use super::mp3_length;
use crate::Checksum;
use crate::readers::empty_file_diagnostic;

/// Returns true if the bytes start like a WAV, FLAC, MP3 or Ogg file.
pub(crate) fn is_recording(bytes: &[u8]) -> bool {
    let wave = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE");
    let layer = matches!(bytes, [0xff, second, ..] if second & 0xe6 == 0xe2);
    wave || layer
        || [&b"fLaC"[..], b"OggS", b"ID3"]
            .iter()
            .any(|magic| bytes.starts_with(magic))
}

/// Duration and checksum of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recording {
    /// Duration, in seconds.
    pub seconds: f64,
    /// SHA-256 of the sample rate, the number of channels and the decoded samples.
    pub checksum: Checksum,
}

/// Longest recording that is decoded, in seconds; longer ones are an error.
const MAX_RECORDING_SECONDS: u64 = 3600;

/// Decodes a recording and computes its duration and checksum.
///
/// The checksum covers the sample rate and the number of channels, as four bytes each in big-endian
/// order, and then all interleaved samples as 32-bit numbers in big-endian order.
///
/// # Errors
/// Returns [`Diagnostic`] if the recording cannot be decoded to its end, has no samples or lasts
/// more than an hour.
pub fn read(bytes: Vec<u8>) -> Result<Recording, Diagnostic> {
    let mut hash = Sha256::new();
    let mut begun = false;
    let mut coded: Vec<u8> = Vec::new();
    let (frames, rate) = decode(bytes, &mut |block| {
        if !begun {
            hash.update(block.rate.to_be_bytes());
            hash.update((block.channels as u32).to_be_bytes());
            begun = true;
        }
        coded.clear();
        coded.extend(block.samples.iter().flat_map(|sample| sample.to_be_bytes()));
        hash.update(&coded);
    })?;
    Ok(Recording {
        seconds: frames as f64 / f64::from(rate),
        checksum: Checksum(hash.finalize().into()),
    })
}

/// Block of decoded samples, as the decoder produces them.
pub(crate) struct SampleBlock<'a> {
    /// Sample rate in Hz.
    pub(crate) rate: u32,
    /// Number of channels; never 0.
    pub(crate) channels: usize,
    /// Interleaved samples of all channels, scaled to the full range of 32-bit integers.
    pub(crate) samples: &'a [i32],
}

/// Decodes a recording and passes its samples to `take`, block by block. Returns the number of
/// samples per channel and the sample rate in Hz.
pub(crate) fn decode(
    bytes: Vec<u8>,
    take: &mut dyn FnMut(SampleBlock<'_>),
) -> Result<(u64, u32), Diagnostic> {
    if bytes.is_empty() {
        return Err(empty_file_diagnostic());
    }
    if let Some(channels) =
        declared_wav_channels(&bytes).filter(|channels| !(1..=32).contains(channels))
    {
        return Err(diagnostic!(Unsupported: "it has {channels} channels"));
    }
    if mp3_length::is_truncated(&bytes) {
        return Err(diagnostic!(Truncated: "it ends before its last frame does"));
    }
    // Third-party decoders have panicked on damaged files (a WAV with 49,409 channels caused an
    // overflow). One bad file must not stop an import.
    let decoded = catch_unwind(AssertUnwindSafe(|| decode_blocks(bytes, take)));
    decoded.unwrap_or_else(|_| Err(diagnostic!(Syntax: "it cannot be decoded")))
}

/// Returns the number of channels that a WAV header declares, or `None` if there is no such header
/// near the start.
fn declared_wav_channels(bytes: &[u8]) -> Option<u16> {
    if !bytes.starts_with(b"RIFF") {
        return None;
    }
    let at = bytes
        .windows(4)
        .take(1 << 16)
        .position(|window| window == b"fmt ")?;
    let channels = bytes.get(at + 10..at + 12)?;
    Some(u16::from_le_bytes([channels[0], channels[1]]))
}

/// Decodes as [`decode`] does, without its checks before decoding and without catching panics.
fn decode_blocks(
    bytes: Vec<u8>,
    take: &mut dyn FnMut(SampleBlock<'_>),
) -> Result<(u64, u32), Diagnostic> {
    let stream = MediaSourceStream::new(
        Box::new(Cursor::new(bytes)),
        MediaSourceStreamOptions::default(),
    );
    let probed = symphonia::default::get_probe().probe(
        &Hint::new(),
        stream,
        FormatOptions::default(),
        MetadataOptions::default(),
    );
    let mut format = probed.map_err(decoding_diagnostic)?;
    let no_track = || diagnostic!(Unsupported: "it has no track of sound");
    let track = format
        .default_track(TrackType::Audio)
        .ok_or_else(no_track)?;
    let id = track.id;
    let declared = track.num_frames;
    let codec = track.codec_params.as_ref().and_then(|codec| codec.audio());
    let codec = codec.ok_or_else(no_track)?;
    let registry = symphonia::default::get_codecs();
    let mut decoder = registry
        .make_audio_decoder(codec, &AudioDecoderOptions::default())
        .map_err(decoding_diagnostic)?;
    // Sample rate and number of channels, which must be the same in all packets.
    let mut layout: Option<(u32, usize)> = None;
    let mut frames = 0_u64;
    let mut samples: Vec<i32> = Vec::new();
    while let Some(packet) = format.next_packet().map_err(decoding_diagnostic)? {
        if packet.track_id != id {
            continue;
        }
        let decoded = decoder.decode(&packet).map_err(decoding_diagnostic)?;
        let found = (decoded.spec().rate(), decoded.spec().channels().count());
        if found.0 == 0 || found.1 == 0 {
            return Err(diagnostic!(Syntax: "it has no rate or no channels"));
        }
        if *layout.get_or_insert(found) != found {
            return Err(diagnostic!(Unsupported: "its rate or its channels change"));
        }
        frames += decoded.frames() as u64;
        if frames > MAX_RECORDING_SECONDS * u64::from(found.0) {
            return Err(diagnostic!(TooLong: "it lasts more than {MAX_RECORDING_SECONDS} seconds"));
        }
        samples.clear();
        decoded.copy_to_vec_interleaved(&mut samples);
        take(SampleBlock {
            rate: found.0,
            channels: found.1,
            samples: &samples,
        });
    }
    let Some((rate, _)) = layout.filter(|_| frames > 0) else {
        return Err(diagnostic!(EmptyFile: "it has no samples"));
    };
    if let Some(declared) = declared.filter(|&declared| frames < declared) {
        return Err(diagnostic!(Truncated:
            "{declared} samples are promised and {frames} are there"));
    }
    Ok((frames, rate))
}

/// Converts an error of the decoding library to a diagnostic.
fn decoding_diagnostic(error: Error) -> Diagnostic {
    let code = match &error {
        Error::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            DiagnosticCode::Truncated
        }
        Error::Unsupported(_) => DiagnosticCode::Unsupported,
        Error::LimitError(_) => DiagnosticCode::TooLarge,
        _ => DiagnosticCode::Syntax,
    };
    Diagnostic::new(code, format!("it cannot be decoded: {error}"))
}
