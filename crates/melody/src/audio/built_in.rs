//! Built-in instrument with eight partials.

use std::f64::consts::PI;

use super::instrument::{Instrument, NoteSpan};

/// Built-in instrument. It needs no samples and produces the same output on every machine.
///
/// A note is the sum of its first eight partials, with lower amplitudes for higher partials. Each
/// partial decays, higher ones faster, to a level that it holds until the note ends, so that long
/// notes stay audible and repeated notes are heard apart. The first partial is always the
/// strongest, which makes the pitch clear. Attack and release are raised cosines: a jump would be
/// heard as a click.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuiltInInstrument;

/// Amplitudes of the partials.
const PARTIALS: [f64; 8] = [1.0, 0.5, 0.3, 0.2, 0.12, 0.08, 0.05, 0.03];

/// Sustain level, as a share of the initial amplitude of a partial.
const SUSTAIN: f64 = 0.3;

/// Decay time constant of the first partial, in seconds.
const DECAY: f64 = 0.35;

/// Attack time, in seconds.
const ATTACK: f64 = 0.004;

/// Release time after the end of the note, in seconds.
const RELEASE: f64 = 0.04;

/// Highest frequency of a partial, as a share of the sample rate. Partials above half the rate
/// would alias.
const HIGHEST_FREQUENCY: f64 = 0.45;

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
        RELEASE
    }

    fn play(&self, notes: &[NoteSpan], samples: usize, rate: u32) -> Vec<f64> {
        let rate = f64::from(rate);
        let mut sound = vec![0.0; samples];
        for note in notes {
            let release = (RELEASE * rate) as usize;
            let end = (note.end + release).min(samples);
            let length = (note.end - note.start) as f64;
            // Equal temperament, A4 = 440 Hz.
            let pitch = 440.0 * libm::exp2((f64::from(note.key) - 69.0) / 12.0);
            // Envelope of the note, shared by all partials.
            let envelope: Vec<f64> = (0..end - note.start)
                .map(|n| {
                    let n = n as f64;
                    raised_cosine(n / (ATTACK * rate))
                        * (1.0 - raised_cosine((n - length) / (RELEASE * rate)))
                })
                .collect();
            for (number, strength) in (1..).map(f64::from).zip(PARTIALS) {
                let frequency = number * pitch / rate;
                if frequency > HIGHEST_FREQUENCY {
                    break;
                }
                // The sine is computed by rotating a phasor: a few multiplications per sample and
                // no function call.
                let (step_sin, step_cos) = libm::sincos(2.0 * PI * frequency);
                let (mut sin, mut cos) = (0.0, 1.0);
                let decay = libm::exp(-number.sqrt() / (DECAY * rate));
                let mut excess = 1.0 - SUSTAIN;
                for (sample, envelope) in sound[note.start..end].iter_mut().zip(&envelope) {
                    *sample += strength * (SUSTAIN + excess) * envelope * sin;
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
