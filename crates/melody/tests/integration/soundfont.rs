//! Soundfonts: a tiny one is made here, played, and damaged.

use std::f64::consts::PI;

use partita_melody::audio::renderer::{ClipError, ClipRenderer, Soundfont, SoundfontError};

use crate::clip_analysis::{level, melody, strongest};

/// Samples per second of the one sample, and samples of one of its waves: A4.
const RATE: u32 = 22_000;
const WAVE: u32 = 50;

fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut bytes = name.to_vec();
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend(content);
    bytes.resize(bytes.len() + content.len() % 2, 0);
    bytes
}

fn list(name: &[u8; 4], chunks: &[Vec<u8>]) -> Vec<u8> {
    chunk(b"LIST", &[name.to_vec(), chunks.concat()].concat())
}

fn name(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(20, 0);
    bytes
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn doubles(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A soundfont with one instrument, program 5: a sine with two softer partials, from key 36 to key 96.
fn soundfont() -> Vec<u8> {
    let sample = |n: u32| {
        let phase = 2.0 * PI * f64::from(n) / f64::from(WAVE);
        let wave = phase.sin() + 0.3 * (2.0 * phase).sin() + 0.1 * (3.0 * phase).sin();
        (wave * 20_000.0) as i16
    };
    let length = 40 * WAVE;
    let mut samples: Vec<u8> = (0..length).flat_map(|n| sample(n).to_le_bytes()).collect();
    // 46 samples of silence are to follow each sample.
    samples.extend([0; 92]);
    let preset =
        |text, program, bag| [name(text), words(&[program, 0, bag]), doubles(&[0, 0, 0])].concat();
    let instrument = |text, bag| [name(text), words(&[bag])].concat();
    let header = |text, numbers: &[u32], key: u8, kind: u16| {
        [
            name(text),
            doubles(numbers),
            vec![key, 0],
            words(&[0, kind]),
        ]
        .concat()
    };
    const INSTRUMENT: u16 = 41;
    const KEY_RANGE: u16 = 43;
    const SAMPLE_ID: u16 = 53;
    const SAMPLE_MODES: u16 = 54;
    let keys = u16::from_le_bytes([36, 96]);
    let looped = [0, length, 10 * WAVE, 30 * WAVE, RATE];
    let pdta = [
        chunk(
            b"phdr",
            &[preset("Sine", 5, 0), preset("EOP", 0, 1)].concat(),
        ),
        chunk(b"pbag", &words(&[0, 0, 1, 0])),
        chunk(b"pmod", &[0; 10]),
        chunk(b"pgen", &words(&[INSTRUMENT, 0, 0, 0])),
        chunk(
            b"inst",
            &[instrument("Sine", 0), instrument("EOI", 1)].concat(),
        ),
        chunk(b"ibag", &words(&[0, 0, 3, 0])),
        chunk(b"imod", &[0; 10]),
        chunk(
            b"igen",
            &words(&[KEY_RANGE, keys, SAMPLE_MODES, 1, SAMPLE_ID, 0, 0, 0]),
        ),
        chunk(
            b"shdr",
            &[header("Sine", &looped, 69, 1), header("EOS", &[0; 5], 0, 0)].concat(),
        ),
    ];
    let info = [
        chunk(b"ifil", &words(&[2, 1])),
        chunk(b"isng", b"EMU8000\0"),
        chunk(b"INAM", b"Test\0\0"),
    ];
    let parts = [
        b"sfbk".to_vec(),
        list(b"INFO", &info),
        list(b"sdta", &[chunk(b"smpl", &samples)]),
        list(b"pdta", &pdta),
    ];
    chunk(b"RIFF", &parts.concat())
}

#[test]
fn a_soundfont_plays_the_pitches_at_their_times() {
    let font = Soundfont::new(&soundfont(), 5).expect("a whole soundfont");
    let tune = melody(&[
        (60, (1, 1), (1, 1)),
        (67, (2, 1), (1, 2)),
        (64, (7, 2), (1, 1)),
    ]);
    for rate in [8_000, 44_100] {
        let sound = ClipRenderer {
            rate,
            ..ClipRenderer::default()
        };
        let clip = sound.render_melody(&tune, &font).expect("a short melody");
        for note in &clip.notes {
            assert_eq!(
                strongest(&clip, note.start + 0.03, note.end - 0.03),
                note.pitch
            );
        }
        // The rest before the last note is silent, and the note begins within 2 ms.
        let last = clip.notes[2].start;
        assert!(level(&clip, last - 0.1, last - 0.002) < 10.0);
        assert!(level(&clip, last + 0.002, last + 0.012) > 300.0);
        assert!(clip.seconds() - clip.notes[2].end <= 0.6);
        assert!((clip.loudness_lufs - -20.0).abs() < 0.1);
        // The same every time.
        assert_eq!(
            sound.render_melody(&tune, &font).expect("again").samples,
            clip.samples
        );
    }
}

#[test]
fn what_a_soundfont_has_not_is_refused() {
    let other = Soundfont::new(&soundfont(), 0).expect_err("it has only program 5");
    assert!(matches!(&other, SoundfontError::NoProgram { program: 0, known } if known == "5"));
    let font = Soundfont::new(&soundfont(), 5).expect("a whole soundfont");
    let high = melody(&[(60, (0, 1), (1, 1)), (97, (1, 1), (1, 1))]);
    let refused = ClipRenderer::default().render_melody(&high, &font);
    assert_eq!(refused, Err(ClipError::NoSound(97)));
}

#[test]
fn damaged_soundfonts_are_refused_or_played_and_never_panic() {
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
        assert!(Soundfont::new(cut, 5).is_err(), "{share} of it");
    }
    let tune = melody(&[(60, (0, 1), (1, 4))]);
    let sound = ClipRenderer {
        rate: 8_000,
        ..ClipRenderer::default()
    };
    let mut seed = 3_u64;
    let mut draw = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut refused, mut played) = (0, 0);
    for _ in 0..400 {
        let mut damaged = whole.clone();
        for _ in 0..=draw(6) {
            // What is no sample: the begin and the end.
            let at = match draw(3) {
                0 => draw(120),
                _ => damaged.len() - 1 - draw(420),
            };
            damaged[at] = draw(256) as u8;
        }
        match Soundfont::new(&damaged, 5) {
            Err(_) => refused += 1,
            Ok(font) => {
                // Whatever it sounds like.
                let _ = sound.render_melody(&tune, &font);
                played += 1;
            }
        }
    }
    assert!(
        refused > 40 && played > 40,
        "{refused} refused, {played} played"
    );
}
