//! Measurements of clips for tests of audio: frequencies and levels.

use std::f64::consts::PI;

use partita_melody::audio::renderer::Clip;
use partita_melody::{Beats, Melody, Note, Pitch};

/// MIDI note number, onset and duration of a note. Times are fractions of quarter notes, given by
/// numerator and denominator.
pub(crate) type NoteTuple = (u8, (i64, i64), (i64, i64));

/// Creates a melody from its notes.
pub(crate) fn melody(notes: &[NoteTuple]) -> Melody {
    let note = |&(pitch, (on, of), (duration, part)): &NoteTuple| {
        let pitch = Pitch::new(pitch).expect("test pitches are below 128");
        Note::new(pitch, Beats::new(on, of), Beats::new(duration, part))
    };
    Melody::new(notes.iter().map(note).collect()).expect("test notes form a melody")
}

/// Returns the magnitude of one frequency, in Hz, in the samples: a Fourier sum with a Hann window.
/// `rate` is the sample rate in Hz.
pub(crate) fn magnitude_at(samples: &[i16], rate: u32, frequency: f64) -> f64 {
    let (mut re, mut im) = (0.0, 0.0);
    for (n, &sample) in samples.iter().enumerate() {
        let phase = 2.0 * PI * frequency * n as f64 / f64::from(rate);
        let window = 0.5 - 0.5 * (2.0 * PI * n as f64 / samples.len() as f64).cos();
        re += window * f64::from(sample) * phase.cos();
        im += window * f64::from(sample) * phase.sin();
    }
    (re * re + im * im).sqrt()
}

/// Returns the frequency of a MIDI note number, in Hz.
pub(crate) fn pitch_frequency(pitch: u8) -> f64 {
    440.0 * 2.0_f64.powf((f64::from(pitch) - 69.0) / 12.0)
}

/// Returns the MIDI note number from 28 to 112 whose frequency has the largest magnitude between
/// two times in seconds.
pub(crate) fn strongest_pitch(clip: &Clip, from: f64, to: f64) -> u8 {
    let part = &clip.samples[sample_index(clip, from)..sample_index(clip, to)];
    let magnitude = |key: &u8| magnitude_at(part, clip.rate, pitch_frequency(*key));
    let keys = 28..=112_u8;
    keys.max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)))
        .expect("there are 85 note numbers")
}

/// Returns the root mean square of the samples between two times in seconds.
pub(crate) fn rms_level(clip: &Clip, from: f64, to: f64) -> f64 {
    let part = &clip.samples[sample_index(clip, from)..sample_index(clip, to)];
    let squares: f64 = part.iter().map(|&s| f64::from(s) * f64::from(s)).sum();
    (squares / part.len() as f64).sqrt()
}

/// Returns the index of the sample at a time in seconds.
pub(crate) fn sample_index(clip: &Clip, seconds: f64) -> usize {
    (seconds * f64::from(clip.rate)).round() as usize
}
