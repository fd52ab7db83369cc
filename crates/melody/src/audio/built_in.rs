//! Built-in instrument: a synthesizer that adds up to eight harmonic partials per note.

use std::f64::consts::PI;

use super::instrument::{Instrument, NoteSpan};

/// Built-in synthesizer. It needs no sound samples and produces the same output on every machine.
///
/// A note is the sum of its first eight partials, with lower amplitudes for higher partials. Each
/// partial decays, higher ones faster, to a level that it holds until the note ends, so that long
/// notes stay audible and repeated notes are heard apart. The first partial is always the
/// strongest, which makes the pitch clear. Attack and release are raised cosines: a jump would be
/// heard as a click.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuiltInInstrument;

/// Initial amplitudes of the eight harmonic partials of a note, relative to the first.
const PARTIAL_AMPLITUDES: [f64; 8] = [1.0, 0.5, 0.3, 0.2, 0.12, 0.08, 0.05, 0.03];

/// Amplitude that a partial holds after its decay, as a share of its initial amplitude.
const SUSTAIN_LEVEL: f64 = 0.3;

/// Time constant of the exponential decay of the first partial, in seconds.
const DECAY_SECONDS: f64 = 0.35;

/// Time in which a note rises from silence to full amplitude, in seconds.
const ATTACK_SECONDS: f64 = 0.004;

/// Time in which a note fades to silence after its end, in seconds.
const RELEASE_SECONDS: f64 = 0.04;

/// Highest frequency of a partial that is played, as a share of the sample rate. Partials above
/// half the sample rate would alias.
const MAX_PARTIAL_FREQUENCY: f64 = 0.45;

/// Returns a raised cosine that goes from 0 to 1 as `x` goes from 0 to 1.
fn raised_cosine(x: f64) -> f64 {
    if x >= 1.0 {
        1.0
    } else {
        (1.0 - libm::cos(PI * x.max(0.0))) / 2.0
    }
}

impl Instrument for BuiltInInstrument {
    fn release_seconds(&self) -> f64 {
        RELEASE_SECONDS
    }

    fn play(&self, notes: &[NoteSpan], samples: usize, rate: u32) -> Vec<f64> {
        let rate = f64::from(rate);
        let mut sound = vec![0.0; samples];
        for note in notes {
            let release = (RELEASE_SECONDS * rate) as usize;
            let end = (note.end + release).min(samples);
            let length = (note.end - note.start) as f64;
            // Equal temperament, A4 = 440 Hz.
            let pitch = 440.0 * libm::exp2((f64::from(note.key) - 69.0) / 12.0);
            // Envelope of the note, shared by all partials.
            let envelope: Vec<f64> = (0..end - note.start)
                .map(|n| {
                    let n = n as f64;
                    raised_cosine(n / (ATTACK_SECONDS * rate))
                        * (1.0 - raised_cosine((n - length) / (RELEASE_SECONDS * rate)))
                })
                .collect();
            for (number, strength) in (1..).map(f64::from).zip(PARTIAL_AMPLITUDES) {
                let frequency = number * pitch / rate;
                if frequency > MAX_PARTIAL_FREQUENCY {
                    break;
                }
                // The sine is computed by rotating a phasor: a few multiplications per sample and
                // no function call.
                let (step_sin, step_cos) = libm::sincos(2.0 * PI * frequency);
                let (mut sin, mut cos) = (0.0, 1.0);
                let decay = libm::exp(-number.sqrt() / (DECAY_SECONDS * rate));
                let mut excess = 1.0 - SUSTAIN_LEVEL;
                for (sample, envelope) in sound[note.start..end].iter_mut().zip(&envelope) {
                    *sample += strength * (SUSTAIN_LEVEL + excess) * envelope * sin;
                    (sin, cos) = (
                        sin * step_cos + cos * step_sin,
                        cos * step_cos - sin * step_sin,
                    );
                    excess *= decay;
                }
            }
        }
        sound
    }
}
