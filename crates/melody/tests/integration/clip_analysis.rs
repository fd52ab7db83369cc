//! Measurements of clips: strength of frequencies and levels, for tests of audio.

use std::f64::consts::PI;

use partita_melody::audio::renderer::Clip;
use partita_melody::{Beats, Melody, Note, Pitch};

/// Pitch, onset and duration of a note; times are fractions of quarter notes.
pub(crate) type Written = (u8, (i64, i64), (i64, i64));

pub(crate) fn melody(notes: &[Written]) -> Melody {
    let note = |&(pitch, (on, of), (duration, part)): &Written| {
        let pitch = Pitch::new(pitch).expect("a pitch of the test");
        Note::new(pitch, Beats::new(on, of), Beats::new(duration, part))
    };
    Melody::new(notes.iter().map(note).collect()).expect("a melody of the test")
}

/// Returns the strength of a frequency in samples (Goertzel's sum, written out).
pub(crate) fn strength(samples: &[i16], rate: u32, frequency: f64) -> f64 {
    let (mut re, mut im) = (0.0, 0.0);
    for (n, &sample) in samples.iter().enumerate() {
        let phase = 2.0 * PI * frequency * n as f64 / f64::from(rate);
        let window = 0.5 - 0.5 * (2.0 * PI * n as f64 / samples.len() as f64).cos();
        re += window * f64::from(sample) * phase.cos();
        im += window * f64::from(sample) * phase.sin();
    }
    (re * re + im * im).sqrt()
}

pub(crate) fn frequency(pitch: u8) -> f64 {
    440.0 * 2.0_f64.powf((f64::from(pitch) - 69.0) / 12.0)
}

/// Returns the strongest key of a piano between two times in seconds.
pub(crate) fn strongest(clip: &Clip, from: f64, to: f64) -> u8 {
    let part = &clip.samples[place(clip, from)..place(clip, to)];
    let strength = |key: &u8| strength(part, clip.rate, frequency(*key));
    let keys = 28..=112_u8;
    keys.max_by(|a, b| strength(a).total_cmp(&strength(b)))
        .expect("85 keys")
}

/// Returns the root mean square of the samples between two times in seconds.
pub(crate) fn level(clip: &Clip, from: f64, to: f64) -> f64 {
    let part = &clip.samples[place(clip, from)..place(clip, to)];
    let squares: f64 = part.iter().map(|&s| f64::from(s) * f64::from(s)).sum();
    (squares / part.len() as f64).sqrt()
}

/// Returns the index of the sample at a time.
pub(crate) fn place(clip: &Clip, seconds: f64) -> usize {
    (seconds * f64::from(clip.rate)).round() as usize
}
