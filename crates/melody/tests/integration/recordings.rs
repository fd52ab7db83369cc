//! Tests of converting recordings to clips: decoding, resampling, trimming and loudness.

use std::f64::consts::PI;
use std::path::PathBuf;

use partita_formats::DiagnosticCode;
use partita_melody::audio::decoder;
use partita_melody::audio::renderer::{
    AudioFormat, BuiltInInstrument, ClipError, ClipRenderer, RecordingError,
};

use crate::clip_analysis::{melody, rms_level, strongest_pitch};

/// Returns the bytes of a file in the folder of test recordings.
fn fixture(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio");
    std::fs::read(folder.join(name)).expect("the fixture can be read")
}

/// Returns a WAV file with these interleaved samples of all channels.
fn wav_file(rate: u32, channels: u16, samples: &[i16]) -> Vec<u8> {
    let bytes = samples.len() as u32 * 2;
    let mut file = b"RIFF".to_vec();
    file.extend((36 + bytes).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0");
    file.extend(channels.to_le_bytes());
    file.extend(rate.to_le_bytes());
    file.extend((rate * u32::from(channels) * 2).to_le_bytes());
    file.extend((channels * 2).to_le_bytes());
    file.extend(b"\x10\0data");
    file.extend(bytes.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}

#[test]
fn flac_mp3_and_vorbis_contain_the_recorded_notes() {
    for name in ["three.flac", "three.mp3", "three.ogg"] {
        let recording = decoder::read(fixture(name)).expect(name);
        // MP3 files consist of whole frames and have silence at both ends, so the duration differs.
        assert!(
            (recording.seconds - 0.83).abs() < 0.06,
            "{name}: {recording:?}"
        );
        let clip = ClipRenderer::default()
            .normalise_recording(fixture(name))
            .expect(name);
        assert_eq!(clip.rate, 44_100);
        assert!(
            (clip.loudness_lufs - -20.0).abs() < 0.1,
            "{name}: {}",
            clip.loudness_lufs
        );
        // With a lossy codec the first note may become audible slightly earlier.
        assert!(
            (clip.seconds() - 0.83).abs() < 0.04,
            "{name}: {}",
            clip.seconds()
        );
        for (number, pitch) in [60, 67, 76].into_iter().enumerate() {
            let start = clip.lead_seconds + 0.25 * number as f64 + 0.04;
            assert_eq!(strongest_pitch(&clip, start, start + 0.17), pitch, "{name}");
        }
    }
}

#[test]
fn truncated_audio_is_an_error() {
    let clip =
        ClipRenderer::default().render_melody(&melody(&[(60, (0, 1), (1, 1))]), &BuiltInInstrument);
    let wav = clip
        .expect("one note can be rendered")
        .encode(AudioFormat::Wav)
        .expect("the clip can be encoded");
    for whole in [
        wav,
        fixture("three.flac"),
        fixture("three.mp3"),
        fixture("three.ogg"),
    ] {
        assert!(decoder::read(whole.clone()).is_ok());
        for share in [0.3, 0.6, 0.95] {
            let cut = whole[..(whole.len() as f64 * share) as usize].to_vec();
            let error = decoder::read(cut).expect_err("the file is truncated");
            assert_eq!(
                error.code,
                DiagnosticCode::Truncated,
                "{share}: {}",
                error.message
            );
        }
        assert!(decoder::read(whole[..40].to_vec()).is_err());
    }
    let error =
        ClipRenderer::default().normalise_recording(fixture("three.flac")[..9_000].to_vec());
    assert!(
        matches!(error, Err(RecordingError::Format(unread)) if unread.code == DiagnosticCode::Truncated)
    );
}

#[test]
fn damaged_audio_never_causes_a_panic() {
    let mut seed = 7_u64;
    let mut random_below = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for name in ["three.flac", "three.mp3", "three.ogg"] {
        let whole = fixture(name);
        for _ in 0..25 {
            let mut damaged = whole.clone();
            for _ in 0..=random_below(8) {
                // Half of the changes are in the first 200 bytes, because damaged headers are the
                // most likely to cause a panic.
                let reach = if random_below(2) == 0 {
                    200
                } else {
                    damaged.len()
                };
                let at = random_below(reach);
                damaged[at] = random_below(256) as u8;
            }
            let renderer = ClipRenderer {
                rate: 22_050,
                ..ClipRenderer::default()
            };
            if let Err(RecordingError::Format(unread)) = renderer.normalise_recording(damaged) {
                assert!(!unread.message.is_empty());
            }
        }
    }
}

#[test]
fn recordings_of_any_rate_are_resampled_trimmed_and_normalised() {
    // One second of a tone, between half a second of silence each, on the second of two channels.
    for rate in [8_000, 11_025, 48_000, 96_000] {
        let tone = |n: u32| {
            let seconds = f64::from(n) / f64::from(rate);
            let sounds = (0.5..1.5).contains(&seconds);
            let amplitude = 6_000.0 * (2.0 * PI * 440.0 * seconds).sin();
            [0, if sounds { amplitude as i16 } else { 0 }]
        };
        let samples: Vec<i16> = (0..2 * rate).flat_map(tone).collect();
        let clip = ClipRenderer::default()
            .normalise_recording(wav_file(rate, 2, &samples))
            .expect("the recording is valid");
        assert!(
            (clip.seconds() - 1.0 - 2.0 * clip.lead_seconds).abs() < 0.01,
            "{rate}: {}",
            clip.seconds()
        );
        assert_eq!(strongest_pitch(&clip, 0.2, 0.8), 69);
        assert!((clip.loudness_lufs - -20.0).abs() < 0.1);
        assert!(rms_level(&clip, 0.0, clip.lead_seconds) < 1.0);
        assert!(rms_level(&clip, clip.seconds() - clip.lead_seconds, clip.seconds()) < 1.0);
    }
}

#[test]
fn silent_and_too_long_recordings_are_rejected() {
    let silent = wav_file(8_000, 1, &[20; 16_000]);
    let error = ClipRenderer::default().normalise_recording(silent);
    assert_eq!(error, Err(RecordingError::Clip(ClipError::Silent)));
    let renderer = ClipRenderer {
        rate: 8_000,
        ..ClipRenderer::default()
    };
    let ticking: Vec<i16> = (0..8_000 * 700)
        .map(|n| if n % 4_000 < 40 { 9_000 } else { 0 })
        .collect();
    let error = renderer.normalise_recording(wav_file(8_000, 1, &ticking));
    assert!(
        matches!(error, Err(RecordingError::Clip(ClipError::TooLong(seconds))) if seconds > 690.0)
    );
}
