//! Tests of rendered clips: pitch, timing, loudness and encoding.

use partita_melody::audio::renderer::{
    AudioFormat, BuiltInInstrument, ClipError, ClipRenderer, MAX_PEAK_DBFS,
};

use partita_melody::sha256_hex;

use crate::clip_analysis::{magnitude_at, melody, pitch_frequency, rms_level, sample_index};

#[test]
fn notes_from_40_to_100_sound_at_their_pitch() {
    // Steps of five semitones cover every pitch class.
    for pitch in (40..=100).step_by(5) {
        let clip = ClipRenderer::default()
            .render_melody(&melody(&[(pitch, (0, 1), (2, 1))]), &BuiltInInstrument);
        let clip = clip.expect("one half note can be rendered");
        // In 0.6 seconds, the tones of pitch 40 and its neighbours differ by about three periods,
        // enough to distinguish them.
        let part = &clip.samples[sample_index(&clip, 0.05)..sample_index(&clip, 0.65)];
        let all: Vec<(u8, f64)> = (28..=112)
            .map(|key| (key, magnitude_at(part, clip.rate, pitch_frequency(key))))
            .collect();
        let (loudest, _) = *all
            .iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .expect("there are 85 note numbers");
        assert_eq!(loudest, pitch);
        // Lower pitches are weak: no partial is aliased to a frequency below the pitch.
        let own = all[usize::from(pitch - 28)].1;
        let below = all.iter().filter(|(key, _)| key + 3 < pitch);
        for (key, magnitude) in below {
            assert!(
                *magnitude < own / 300.0,
                "{key} sounds in {pitch}: {magnitude} of {own}"
            );
        }
    }
}

#[test]
fn notes_start_on_time_and_rests_are_silent() {
    // A rest of two beats before the first note, and one of half a beat before the last.
    let tune = melody(&[
        (60, (2, 1), (1, 1)),
        (67, (3, 1), (1, 3)),
        (64, (23, 6), (2, 3)),
    ]);
    for tempo in [60.0, 120.0, 200.0] {
        let renderer = ClipRenderer {
            tempo,
            ..ClipRenderer::default()
        };
        let clip = renderer
            .render_melody(&tune, &BuiltInInstrument)
            .expect("the melody can be rendered");
        let beat = 60.0 / tempo;
        let starts: Vec<f64> = clip.notes.iter().map(|note| note.start).collect();
        for (start, beats) in starts.iter().zip([0.0, 1.0, 11.0 / 6.0]) {
            assert!((start - clip.lead_seconds - beats * beat).abs() < 1e-9);
        }
        // Within 2 ms of their start, the first and the last note are audible after silence.
        for start in [starts[0], starts[2]] {
            assert!(rms_level(&clip, start - 0.01, start) < 1.0);
            assert!(rms_level(&clip, start + 0.002, start + 0.012) > 300.0);
        }
        // During each note, its own pitch is stronger than that of another note.
        for (note, other) in [(0, 1), (1, 0), (2, 1)] {
            let (from, to) = (clip.notes[note].start + 0.04, clip.notes[note].end);
            let part = &clip.samples[sample_index(&clip, from)..sample_index(&clip, to)];
            let at =
                |of: usize| magnitude_at(part, clip.rate, pitch_frequency(clip.notes[of].pitch));
            assert!(at(note) > 5.0 * at(other), "note {note} at {tempo}");
        }
        let end = clip.notes[2].end;
        assert!(clip.seconds() - end <= 0.6);
        assert!(rms_level(&clip, clip.seconds() - 0.01, clip.seconds()) < 1.0);
        assert!(
            clip.lead_seconds <= 0.05
                && clip.samples[..sample_index(&clip, clip.lead_seconds)]
                    .iter()
                    .all(|&s| s == 0)
        );
    }
}

#[test]
fn low_notes_start_and_end_without_clicks() {
    // Short and long notes, low and high notes, with and without rests between them.
    let tune = melody(&[
        (40, (0, 1), (1, 1)),
        (52, (1, 1), (1, 16)),
        (88, (17, 16), (1, 4)),
        (45, (2, 1), (2, 1)),
        (45, (4, 1), (1, 2)),
    ]);
    let clip = ClipRenderer::default()
        .render_melody(&tune, &BuiltInInstrument)
        .expect("the melody can be rendered");
    // A click is a jump between two samples, with energy at all frequencies. The partials of low
    // notes are far below 6 kHz, so frequencies above 6 kHz must be weak where such notes start or
    // end.
    for edge in [clip.notes[0].start, clip.notes[3].end, clip.notes[4].end] {
        let (from, to) = (
            sample_index(&clip, edge - 0.004),
            sample_index(&clip, edge + 0.012),
        );
        let part = &clip.samples[from..to];
        let low = (100..1_500).step_by(50);
        let loudest = low
            .map(|f| magnitude_at(part, clip.rate, f.into()))
            .fold(0.0, f64::max);
        for high in (6_000..18_000).step_by(400) {
            let magnitude = magnitude_at(part, clip.rate, high.into());
            assert!(
                magnitude < loudest / 400.0,
                "{high} Hz at {edge}: {magnitude} of {loudest}"
            );
        }
    }
}

#[test]
fn all_clips_are_equally_loud_and_none_is_clipped() {
    let tunes = [
        melody(&[(40, (0, 1), (4, 1))]),
        melody(&[(100, (0, 1), (4, 1))]),
        melody(&[
            (60, (0, 1), (1, 4)),
            (72, (3, 1), (1, 4)),
            (61, (9, 1), (1, 1)),
        ]),
        melody(&[
            (67, (5, 3), (1, 1)),
            (69, (8, 3), (1, 3)),
            (71, (3, 1), (6, 1)),
        ]),
        // Shorter than 0.4 seconds, for which ITU-R BS.1770 defines no loudness.
        melody(&[(67, (0, 1), (1, 8))]),
    ];
    for wanted in [-20.0, -26.0, -14.0] {
        for tune in &tunes {
            let renderer = ClipRenderer {
                loudness: wanted,
                ..ClipRenderer::default()
            };
            let clip = renderer
                .render_melody(tune, &BuiltInInstrument)
                .expect("the melody can be rendered");
            let off = clip.loudness_lufs - wanted;
            let at_peak = clip.peak_dbfs > MAX_PEAK_DBFS - 0.01;
            assert!(
                off.abs() < 0.1 || (off < 0.0 && at_peak),
                "{off} LU, peak {}",
                clip.peak_dbfs
            );
            assert!(clip.peak_dbfs <= MAX_PEAK_DBFS);
        }
    }
}

#[test]
fn built_in_instrument_gives_equal_samples_on_every_machine() {
    let tune = melody(&[
        (67, (1, 1), (1, 2)),
        (69, (3, 2), (1, 3)),
        (71, (2, 1), (2, 1)),
    ]);
    let clip = ClipRenderer::default()
        .render_melody(&tune, &BuiltInInstrument)
        .expect("the melody can be rendered");
    let wav = clip
        .encode(AudioFormat::Wav)
        .expect("the clip can be encoded");
    assert_eq!(wav.len(), 44 + 2 * clip.samples.len());
    assert_eq!(
        sha256_hex(&wav),
        "167f140ec2ad3c702618e0362ae60f808108181b9a32fab9092a71208cefe6de"
    );
}

#[test]
fn flac_is_lossless_and_smaller_than_wav() {
    let tune = melody(&[
        (67, (1, 1), (1, 2)),
        (69, (3, 2), (1, 3)),
        (71, (2, 1), (2, 1)),
    ]);
    for rate in [8_000, 22_050, 44_100, 48_000, 192_000] {
        let renderer = ClipRenderer {
            rate,
            ..ClipRenderer::default()
        };
        let clip = renderer
            .render_melody(&tune, &BuiltInInstrument)
            .expect("the melody can be rendered");
        let flac = clip
            .encode(AudioFormat::Flac)
            .expect("the clip can be encoded");
        assert!(flac.len() < 2 * clip.samples.len());
        let mut reader =
            flac_codec::decode::FlacSampleReader::new(&flac[..]).expect("the FLAC file is valid");
        let mut samples = Vec::new();
        reader
            .read_to_end(&mut samples)
            .expect("the FLAC file is complete");
        let ours: Vec<i32> = clip.samples.iter().map(|&sample| sample.into()).collect();
        assert_eq!(samples, ours);
    }
}

#[test]
fn invalid_settings_and_too_long_melodies_are_rejected() {
    let tune = melody(&[(67, (0, 1), (1, 2))]);
    let render = |renderer: ClipRenderer| {
        renderer
            .render_melody(&tune, &BuiltInInstrument)
            .map(|_| ())
    };
    let plain = ClipRenderer::default();
    assert_eq!(
        render(ClipRenderer { rate: 0, ..plain }),
        Err(ClipError::Rate(0))
    );
    let slow = ClipRenderer {
        tempo: 0.0,
        ..plain
    };
    assert_eq!(render(slow), Err(ClipError::Tempo(0.0)));
    let loud = ClipRenderer {
        loudness: 3.0,
        ..plain
    };
    assert_eq!(render(loud), Err(ClipError::Loudness(3.0)));
    assert!(
        render(ClipRenderer {
            tempo: f64::NAN,
            ..plain
        })
        .is_err()
    );
    let endless = melody(&[(67, (0, 1), (900_000, 1))]);
    let long = plain.render_melody(&endless, &BuiltInInstrument);
    assert!(matches!(long, Err(ClipError::TooLong(_))));
}
