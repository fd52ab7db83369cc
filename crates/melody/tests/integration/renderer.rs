//! Rendered clips: spectra, envelopes and loudness.

use partita_melody::audio::renderer::{
    AudioFormat, BuiltInInstrument, ClipError, ClipRenderer, MAX_PEAK_DBFS,
};

use partita_melody::sha256_hex;

use crate::clip_analysis::{frequency, level, melody, place, strength};

#[test]
fn notes_have_their_pitch_from_40_to_100() {
    // Fourths: every pitch class occurs.
    for pitch in (40..=100).step_by(5) {
        let clip = ClipRenderer::default()
            .render_melody(&melody(&[(pitch, (0, 1), (2, 1))]), &BuiltInInstrument);
        let clip = clip.expect("one half note");
        // Long enough for the meter to part keys as far down as these: 10 periods of their difference.
        let part = &clip.samples[place(&clip, 0.05)..place(&clip, 0.65)];
        let all: Vec<(u8, f64)> = (28..=112)
            .map(|key| (key, strength(part, clip.rate, frequency(key))))
            .collect();
        let (loudest, _) = *all
            .iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .expect("85 keys");
        assert_eq!(loudest, pitch);
        // Nothing below the pitch: no partial folds back.
        let own = all[usize::from(pitch - 28)].1;
        let below = all.iter().filter(|(key, _)| key + 3 < pitch);
        for (key, found) in below {
            assert!(
                *found < own / 300.0,
                "{key} sounds in {pitch}: {found} of {own}"
            );
        }
    }
}

#[test]
fn notes_begin_when_they_should_and_rests_are_silent() {
    // A rest of two beats before, one of half a beat inside.
    let tune = melody(&[
        (60, (2, 1), (1, 1)),
        (67, (3, 1), (1, 3)),
        (64, (23, 6), (2, 3)),
    ]);
    for tempo in [60.0, 120.0, 200.0] {
        let sound = ClipRenderer {
            tempo,
            ..ClipRenderer::default()
        };
        let clip = sound
            .render_melody(&tune, &BuiltInInstrument)
            .expect("a short melody");
        let beat = 60.0 / tempo;
        let starts: Vec<f64> = clip.notes.iter().map(|note| note.start).collect();
        for (start, beats) in starts.iter().zip([0.0, 1.0, 11.0 / 6.0]) {
            assert!((start - clip.lead_seconds - beats * beat).abs() < 1e-9);
        }
        // The envelope rises from silence within 2 ms of the first and of the last note.
        for start in [starts[0], starts[2]] {
            assert!(level(&clip, start - 0.01, start) < 1.0);
            assert!(level(&clip, start + 0.002, start + 0.012) > 300.0);
        }
        // Each pitch in its own time.
        for (note, other) in [(0, 1), (1, 0), (2, 1)] {
            let (from, to) = (clip.notes[note].start + 0.04, clip.notes[note].end);
            let part = &clip.samples[place(&clip, from)..place(&clip, to)];
            let at = |of: usize| strength(part, clip.rate, frequency(clip.notes[of].pitch));
            assert!(at(note) > 5.0 * at(other), "note {note} at {tempo}");
        }
        let end = clip.notes[2].end;
        assert!(clip.seconds() - end <= 0.6);
        assert!(level(&clip, clip.seconds() - 0.01, clip.seconds()) < 1.0);
        assert!(
            clip.lead_seconds <= 0.05
                && clip.samples[..place(&clip, clip.lead_seconds)]
                    .iter()
                    .all(|&s| s == 0)
        );
    }
}

#[test]
fn there_is_no_click() {
    // Short and long notes, low and high, with and without rests.
    let tune = melody(&[
        (40, (0, 1), (1, 1)),
        (52, (1, 1), (1, 16)),
        (88, (17, 16), (1, 4)),
        (45, (2, 1), (2, 1)),
        (45, (4, 1), (1, 2)),
    ]);
    let clip = ClipRenderer::default()
        .render_melody(&tune, &BuiltInInstrument)
        .expect("a short melody");
    // A click is a jump from one sample to the next that the highest partial cannot make. Where a low
    // note ends or begins there is nothing high, so that all above 6 kHz must stay soft.
    for edge in [clip.notes[0].start, clip.notes[3].end, clip.notes[4].end] {
        let (from, to) = (place(&clip, edge - 0.004), place(&clip, edge + 0.012));
        let part = &clip.samples[from..to];
        let low = (100..1_500).step_by(50);
        let loudest = low
            .map(|f| strength(part, clip.rate, f.into()))
            .fold(0.0, f64::max);
        for high in (6_000..18_000).step_by(400) {
            let found = strength(part, clip.rate, high.into());
            assert!(
                found < loudest / 400.0,
                "{high} Hz at {edge}: {found} of {loudest}"
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
        // Too short to have a loudness by the standard.
        melody(&[(67, (0, 1), (1, 8))]),
    ];
    for wanted in [-20.0, -26.0, -14.0] {
        for tune in &tunes {
            let sound = ClipRenderer {
                loudness: wanted,
                ..ClipRenderer::default()
            };
            let clip = sound
                .render_melody(tune, &BuiltInInstrument)
                .expect("a short melody");
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
fn the_voice_gives_these_samples_everywhere() {
    let tune = melody(&[
        (67, (1, 1), (1, 2)),
        (69, (3, 2), (1, 3)),
        (71, (2, 1), (2, 1)),
    ]);
    let clip = ClipRenderer::default()
        .render_melody(&tune, &BuiltInInstrument)
        .expect("a short melody");
    let wav = clip.encode(AudioFormat::Wav).expect("a short clip");
    assert_eq!(wav.len(), 44 + 2 * clip.samples.len());
    assert_eq!(
        sha256_hex(&wav),
        "167f140ec2ad3c702618e0362ae60f808108181b9a32fab9092a71208cefe6de"
    );
}

#[test]
fn flac_holds_the_samples_of_wav_in_less_space() {
    let tune = melody(&[
        (67, (1, 1), (1, 2)),
        (69, (3, 2), (1, 3)),
        (71, (2, 1), (2, 1)),
    ]);
    for rate in [8_000, 22_050, 44_100, 48_000, 192_000] {
        let sound = ClipRenderer {
            rate,
            ..ClipRenderer::default()
        };
        let clip = sound
            .render_melody(&tune, &BuiltInInstrument)
            .expect("a short melody");
        let flac = clip.encode(AudioFormat::Flac).expect("a short clip");
        assert!(flac.len() < 2 * clip.samples.len());
        let mut reader = flac_codec::decode::FlacSampleReader::new(&flac[..]).expect("a FLAC file");
        let mut samples = Vec::new();
        reader.read_to_end(&mut samples).expect("whole");
        let ours: Vec<i32> = clip.samples.iter().map(|&sample| sample.into()).collect();
        assert_eq!(samples, ours);
    }
}

#[test]
fn settings_that_cannot_be_heard_are_refused() {
    let tune = melody(&[(67, (0, 1), (1, 2))]);
    let ask = |sound: ClipRenderer| sound.render_melody(&tune, &BuiltInInstrument).map(|_| ());
    let plain = ClipRenderer::default();
    assert_eq!(
        ask(ClipRenderer { rate: 0, ..plain }),
        Err(ClipError::Rate(0))
    );
    let slow = ClipRenderer {
        tempo: 0.0,
        ..plain
    };
    assert_eq!(ask(slow), Err(ClipError::Tempo(0.0)));
    let loud = ClipRenderer {
        loudness: 3.0,
        ..plain
    };
    assert_eq!(ask(loud), Err(ClipError::Loudness(3.0)));
    assert!(
        ask(ClipRenderer {
            tempo: f64::NAN,
            ..plain
        })
        .is_err()
    );
    let endless = melody(&[(67, (0, 1), (900_000, 1))]);
    let long = plain.render_melody(&endless, &BuiltInInstrument);
    assert!(matches!(long, Err(ClipError::TooLong(_))));
}
