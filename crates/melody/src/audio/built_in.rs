//! The built-in voice: eight partials, struck and sustained.

use std::f64::consts::PI;

use super::renderer::{Instrument, NoteSpan};

/// A plain voice of our own that needs no recording and gives the same samples on every machine.
///
/// A note is the sum of its first eight partials, the higher the softer. Each is struck and falls, the
/// higher the faster, to a level that it holds until the note ends, so that long notes stay audible
/// and repeated notes are heard apart. The first is the strongest at all times, which makes the pitch
/// plain. Begin and end are raised cosines: a jump would be heard as a click.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuiltInInstrument;

/// The strength of each partial.
const PARTIALS: [f64; 8] = [1.0, 0.5, 0.3, 0.2, 0.12, 0.08, 0.05, 0.03];

/// The share of its strength that a partial holds.
const HELD: f64 = 0.3;

/// In how many seconds the first partial falls to 1/e of what it loses.
const FALL: f64 = 0.35;

/// How long a note takes to begin, in seconds.
const ATTACK: f64 = 0.004;

/// How long it sounds on after its end.
const RELEASE: f64 = 0.04;

/// Partials above this share of the rate are left out; half of it would fold back as other pitches.
const HIGHEST: f64 = 0.45;

/// From 0 to 1 as `x` does, without a corner.
fn raised(x: f64) -> f64 {
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
            // How loud the note is at each of its samples, whatever the partial.
            let envelope: Vec<f64> = (0..end - note.start)
                .map(|n| {
                    let n = n as f64;
                    raised(n / (ATTACK * rate)) * (1.0 - raised((n - length) / (RELEASE * rate)))
                })
                .collect();
            for (number, strength) in (1..).map(f64::from).zip(PARTIALS) {
                let frequency = number * pitch / rate;
                if frequency > HIGHEST {
                    break;
                }
                // A sine by turning a pointer: two products a sample and no call of a function.
                let (turn_sin, turn_cos) = libm::sincos(2.0 * PI * frequency);
                let (mut sin, mut cos) = (0.0, 1.0);
                let falling = libm::exp(-number.sqrt() / (FALL * rate));
                let mut fallen = 1.0 - HELD;
                for (sample, envelope) in sound[note.start..end].iter_mut().zip(&envelope) {
                    *sample += strength * (HELD + fallen) * envelope * sin;
                    (sin, cos) = (
                        sin * turn_cos + cos * turn_sin,
                        cos * turn_cos - sin * turn_sin,
                    );
                    fallen *= falling;
                }
            }
        }
        sound
    }
}
