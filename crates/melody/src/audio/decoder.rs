//! Recordings: WAV, FLAC, MP3 and Ogg Vorbis, decoded to learn how long they are and what they hold.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use partita_formats::{Diagnostic, DiagnosticCode};
use sha2::{Digest, Sha256};
use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, TrackType};
use symphonia::core::io::{MediaSourceStream, MediaSourceStreamOptions};
use symphonia::core::meta::MetadataOptions;

use super::mp3_length;
use crate::Checksum;
use crate::readers::empty_file;

/// Whether this is a recording.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    let wave = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE");
    let layer = matches!(bytes, [0xff, second, ..] if second & 0xe6 == 0xe2);
    wave || layer
        || [&b"fLaC"[..], b"OggS", b"ID3"]
            .iter()
            .any(|magic| bytes.starts_with(magic))
}

/// What a recording holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recording {
    /// How long it is.
    pub seconds: f64,
    /// SHA-256 of its samples.
    pub checksum: Checksum,
}

/// The longest recording: an hour.
const MOST_SECONDS: u64 = 3600;

/// Decodes a recording to learn what it holds.
///
/// The checksum is of the rate and the number of channels, as four bytes each with the highest first, and
/// of all samples in turn, as 32-bit numbers in the same way.
///
/// # Errors
/// [`Diagnostic`] where it cannot be decoded to its end.
pub fn read(bytes: Vec<u8>) -> Result<Recording, Diagnostic> {
    let mut hash = Sha256::new();
    let mut begun = false;
    let mut coded: Vec<u8> = Vec::new();
    let (frames, rate) = decode(bytes, &mut |piece| {
        if !begun {
            hash.update(piece.rate.to_be_bytes());
            hash.update((piece.channels as u32).to_be_bytes());
            begun = true;
        }
        coded.clear();
        coded.extend(piece.samples.iter().flat_map(|sample| sample.to_be_bytes()));
        hash.update(&coded);
    })?;
    Ok(Recording {
        seconds: frames as f64 / f64::from(rate),
        checksum: Checksum(hash.finalize().into()),
    })
}

/// Some samples of a recording, as they come.
pub(crate) struct SampleBlock<'a> {
    /// Samples per second.
    pub(crate) rate: u32,
    /// How many channels there are; never 0.
    pub(crate) channels: usize,
    /// The samples of all channels in turn, from the lowest number of 32 bits to the highest.
    pub(crate) samples: &'a [i32],
}

/// Hands over all samples of a recording, piece by piece, and gives how many there are in each channel, and
/// in a second.
pub(crate) fn decode(
    bytes: Vec<u8>,
    take: &mut dyn FnMut(SampleBlock<'_>),
) -> Result<(u64, u32), Diagnostic> {
    if bytes.is_empty() {
        return Err(empty_file());
    }
    if let Some(channels) = wave_channels(&bytes).filter(|channels| !(1..=32).contains(channels)) {
        return Err(Diagnostic::new(
            DiagnosticCode::Unsupported,
            format!("it has {channels} channels"),
        ));
    }
    if mp3_length::is_cut(&bytes) {
        let message = "it ends before its last frame does";
        return Err(Diagnostic::new(DiagnosticCode::Truncated, message));
    }
    // Decoders of others have stumbled over damaged files (a WAV of 49,409 channels overflowed one), and
    // one file must not stop an import.
    let decoded = catch_unwind(AssertUnwindSafe(|| decode_pieces(bytes, take)));
    decoded.unwrap_or_else(|_| {
        Err(Diagnostic::new(
            DiagnosticCode::Syntax,
            "it cannot be decoded",
        ))
    })
}

/// The number of channels that a WAV file claims.
fn wave_channels(bytes: &[u8]) -> Option<u16> {
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

fn decode_pieces(
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
    let mut format = probed.map_err(no_audio)?;
    let track = format.default_track(TrackType::Audio);
    let track = track
        .ok_or_else(|| Diagnostic::new(DiagnosticCode::Unsupported, "it has no track of sound"))?;
    let id = track.id;
    let promised = track.num_frames;
    let codec = track.codec_params.as_ref().and_then(|codec| codec.audio());
    let codec = codec
        .ok_or_else(|| Diagnostic::new(DiagnosticCode::Unsupported, "it has no track of sound"))?;
    let registry = symphonia::default::get_codecs();
    let mut decoder = registry
        .make_audio_decoder(codec, &AudioDecoderOptions::default())
        .map_err(no_audio)?;
    let mut shape: Option<(u32, usize)> = None;
    let mut frames = 0_u64;
    let mut samples: Vec<i32> = Vec::new();
    loop {
        let packet = match format.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(error) => return Err(no_audio(error)),
        };
        if packet.track_id != id {
            continue;
        }
        let decoded = decoder.decode(&packet).map_err(no_audio)?;
        let found = (decoded.spec().rate(), decoded.spec().channels().count());
        if found.0 == 0 || found.1 == 0 {
            return Err(Diagnostic::new(
                DiagnosticCode::Syntax,
                "it has no rate or no channels",
            ));
        }
        match shape {
            None => shape = Some(found),
            Some(first) if first == found => {}
            Some(_) => {
                let message = "its rate or its channels change";
                return Err(Diagnostic::new(DiagnosticCode::Unsupported, message));
            }
        }
        frames += decoded.frames() as u64;
        if frames > MOST_SECONDS * u64::from(found.0) {
            return Err(Diagnostic::new(
                DiagnosticCode::TooLong,
                format!("it lasts more than {MOST_SECONDS} seconds"),
            ));
        }
        samples.clear();
        decoded.copy_to_vec_interleaved(&mut samples);
        take(SampleBlock {
            rate: found.0,
            channels: found.1,
            samples: &samples,
        });
    }
    let Some((rate, _)) = shape.filter(|_| frames > 0) else {
        return Err(Diagnostic::new(
            DiagnosticCode::EmptyFile,
            "it has no samples",
        ));
    };
    if promised.is_some_and(|promised| frames < promised) {
        let message = format!(
            "{} samples are promised and {frames} are there",
            promised.unwrap_or(0)
        );
        return Err(Diagnostic::new(DiagnosticCode::Truncated, message));
    }
    Ok((frames, rate))
}

fn no_audio(error: Error) -> Diagnostic {
    let reason = match &error {
        Error::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            DiagnosticCode::Truncated
        }
        Error::Unsupported(_) => DiagnosticCode::Unsupported,
        Error::LimitError(_) => DiagnosticCode::TooLarge,
        _ => DiagnosticCode::Syntax,
    };
    Diagnostic::new(reason, format!("it cannot be decoded: {error}"))
}
