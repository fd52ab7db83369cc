//! Tests of soundfonts with a small generated soundfont: playing, errors and damage.

use std::f64::consts::PI;

use partita_melody::audio::renderer::{ClipError, ClipRenderer, Soundfont, SoundfontError};

use crate::clip_analysis::{melody, rms_level, strongest_pitch};

/// Sample rate of the recorded sound, in Hz.
const RATE: u32 = 22_000;
/// Number of samples in one period of the sound, whose pitch is A4: 22,000 Hz / 50 = 440 Hz.
const PERIOD: u32 = 50;

/// Returns a RIFF chunk, padded to an even length.
fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut bytes = name.to_vec();
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend(content);
    bytes.resize(bytes.len() + content.len() % 2, 0);
    bytes
}

/// Returns a RIFF list of this type, which contains chunks.
fn riff_list(name: &[u8; 4], chunks: &[Vec<u8>]) -> Vec<u8> {
    chunk(b"LIST", &[name.to_vec(), chunks.concat()].concat())
}

/// Returns a name in 20 bytes, padded with zeros.
fn padded_name(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(20, 0);
    bytes
}

/// Encodes 16-bit numbers in little-endian order.
fn encode_u16(numbers: &[u16]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// Encodes 32-bit numbers in little-endian order.
fn encode_u32(numbers: &[u32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// Returns a soundfont with one instrument, program 5: a sine wave with two softer partials, for
/// the MIDI note numbers 36 to 96.
fn soundfont() -> Vec<u8> {
    let sample = |n: u32| {
        let phase = 2.0 * PI * f64::from(n) / f64::from(PERIOD);
        let wave = phase.sin() + 0.3 * (2.0 * phase).sin() + 0.1 * (3.0 * phase).sin();
        (wave * 20_000.0) as i16
    };
    let length = 40 * PERIOD;
    let mut samples: Vec<u8> = (0..length).flat_map(|n| sample(n).to_le_bytes()).collect();
    // The format requires 46 silent samples of two bytes each after a recorded sound.
    samples.extend([0; 92]);
    let preset = |text, program, bag| {
        [
            padded_name(text),
            encode_u16(&[program, 0, bag]),
            encode_u32(&[0, 0, 0]),
        ]
        .concat()
    };
    let instrument = |text, bag| [padded_name(text), encode_u16(&[bag])].concat();
    let header = |text, numbers: &[u32], key: u8, kind: u16| {
        [
            padded_name(text),
            encode_u32(numbers),
            vec![key, 0],
            encode_u16(&[0, kind]),
        ]
        .concat()
    };
    // Numbers of generators (parameters of an instrument) in the SoundFont 2 format.
    const INSTRUMENT: u16 = 41;
    const KEY_RANGE: u16 = 43;
    const SAMPLE_ID: u16 = 53;
    const SAMPLE_MODES: u16 = 54;
    let keys = u16::from_le_bytes([36, 96]);
    let looped = [0, length, 10 * PERIOD, 30 * PERIOD, RATE];
    let pdta = [
        chunk(
            b"phdr",
            &[preset("Sine", 5, 0), preset("EOP", 0, 1)].concat(),
        ),
        chunk(b"pbag", &encode_u16(&[0, 0, 1, 0])),
        chunk(b"pmod", &[0; 10]),
        chunk(b"pgen", &encode_u16(&[INSTRUMENT, 0, 0, 0])),
        chunk(
            b"inst",
            &[instrument("Sine", 0), instrument("EOI", 1)].concat(),
        ),
        chunk(b"ibag", &encode_u16(&[0, 0, 3, 0])),
        chunk(b"imod", &[0; 10]),
        chunk(
            b"igen",
            &encode_u16(&[KEY_RANGE, keys, SAMPLE_MODES, 1, SAMPLE_ID, 0, 0, 0]),
        ),
        chunk(
            b"shdr",
            &[header("Sine", &looped, 69, 1), header("EOS", &[0; 5], 0, 0)].concat(),
        ),
    ];
    let info = [
        chunk(b"ifil", &encode_u16(&[2, 1])),
        chunk(b"isng", b"EMU8000\0"),
        chunk(b"INAM", b"Test\0\0"),
    ];
    let parts = [
        b"sfbk".to_vec(),
        riff_list(b"INFO", &info),
        riff_list(b"sdta", &[chunk(b"smpl", &samples)]),
        riff_list(b"pdta", &pdta),
    ];
    chunk(b"RIFF", &parts.concat())
}

#[test]
fn soundfont_plays_notes_at_their_pitch_and_time() {
    let font = Soundfont::new(&soundfont(), 5).expect("the soundfont is valid");
    let tune = melody(&[
        (60, (1, 1), (1, 1)),
        (67, (2, 1), (1, 2)),
        (64, (7, 2), (1, 1)),
    ]);
    for rate in [8_000, 44_100] {
        let renderer = ClipRenderer {
            rate,
            ..ClipRenderer::default()
        };
        let clip = renderer
            .render_melody(&tune, &font)
            .expect("the melody can be rendered");
        for note in &clip.notes {
            assert_eq!(
                strongest_pitch(&clip, note.start + 0.03, note.end - 0.03),
                note.pitch
            );
        }
        // The rest before the last note is silent, and the note begins within 2 ms.
        let last = clip.notes[2].start;
        assert!(rms_level(&clip, last - 0.1, last - 0.002) < 10.0);
        assert!(rms_level(&clip, last + 0.002, last + 0.012) > 300.0);
        assert!(clip.seconds() - clip.notes[2].end <= 0.6);
        assert!((clip.loudness_lufs - -20.0).abs() < 0.1);
        // Rendering the melody again gives the same samples.
        assert_eq!(
            renderer
                .render_melody(&tune, &font)
                .expect("the melody can be rendered again")
                .samples,
            clip.samples
        );
    }
}

#[test]
fn missing_programs_and_pitches_are_errors() {
    let other = Soundfont::new(&soundfont(), 0).expect_err("the soundfont has only program 5");
    assert!(matches!(&other, SoundfontError::NoProgram { program: 0, known } if known == "5"));
    let font = Soundfont::new(&soundfont(), 5).expect("the soundfont is valid");
    let high = melody(&[(60, (0, 1), (1, 1)), (97, (1, 1), (1, 1))]);
    let refused = ClipRenderer::default().render_melody(&high, &font);
    assert_eq!(refused, Err(ClipError::NoSound(97)));
}

#[test]
fn damaged_soundfonts_never_cause_a_panic() {
    let whole = soundfont();
    for bytes in [
        &b""[..],
        b"RIFF",
        b"RIFF\xff\xff\xff\xffsfbkLIST\xff\xff\xff\x7f",
    ] {
        assert!(matches!(
            Soundfont::new(bytes, 5),
            Err(SoundfontError::Unreadable(_))
        ));
    }
    for share in [0.1, 0.5, 0.9, 0.99] {
        let cut = &whole[..(whole.len() as f64 * share) as usize];
        assert!(Soundfont::new(cut, 5).is_err(), "{share} of the file");
    }
    let tune = melody(&[(60, (0, 1), (1, 4))]);
    let renderer = ClipRenderer {
        rate: 8_000,
        ..ClipRenderer::default()
    };
    let mut seed = 3_u64;
    let mut random_below = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut refused, mut played) = (0, 0);
    for _ in 0..400 {
        let mut damaged = whole.clone();
        for _ in 0..=random_below(6) {
            // Changes are at the start and the end of the file. The middle is recorded sound.
            let at = match random_below(3) {
                0 => random_below(120),
                _ => damaged.len() - 1 - random_below(420),
            };
            damaged[at] = random_below(256) as u8;
        }
        match Soundfont::new(&damaged, 5) {
            Err(_) => refused += 1,
            Ok(font) => {
                // The result may be any sound or an error; the call must not panic.
                let _ = renderer.render_melody(&tune, &font);
                played += 1;
            }
        }
    }
    assert!(
        refused > 40 && played > 40,
        "{refused} refused, {played} played"
    );
}
