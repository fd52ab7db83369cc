//! Loudness measurement and normalisation.

use ebur128::{EbuR128, Mode};

use super::clip::{Clip, NoteTiming};
use super::renderer::{ClipError, ClipRenderer, LEAD_SECONDS};

/// Largest peak of a clip, in dB relative to full scale. The headroom protects players and lossy
/// encoders from clipping.
pub const MAX_PEAK_DBFS: f64 = -1.0;

/// Shortest sound with a defined loudness in ITU-R BS.1770, in seconds.
const BLOCK_SECONDS: f64 = 0.4;

/// Step size of gains, in dB. The last bit of a logarithm differs between machines; rounding the
/// gain keeps samples identical.
const GAIN_STEP: f64 = 0.001;

/// Number of samples per call of the meter.
const SAMPLES_PER_CALL: usize = 1 << 14;

/// Returns the loudness of the samples after multiplication by `scale`, in LUFS. For a sound
/// shorter than one block of the standard, it is computed from the K-weighted mean square of the
/// sound.
fn loudness<S: Copy + Into<f64>>(samples: &[S], scale: f64, rate: u32) -> f64 {
    let mut meter = EbuR128::new(1, rate, Mode::I).expect("one channel and a rate in range");
    let mut scaled = Vec::with_capacity(SAMPLES_PER_CALL);
    for piece in samples.chunks(SAMPLES_PER_CALL) {
        scaled.clear();
        scaled.extend(piece.iter().map(|&sample| sample.into() * scale));
        let added = meter.add_frames_f64(&scaled);
        added.expect("memory for 3 seconds of samples");
    }
    let seconds = samples.len() as f64 / f64::from(rate);
    if seconds >= BLOCK_SECONDS {
        meter.loudness_global().expect("the mode has it")
    } else {
        // The meter averages over a whole block, of which the part without sound is silent. The
        // added term corrects for the silence.
        let momentary = meter.loudness_momentary().expect("every mode has it");
        momentary + decibels(BLOCK_SECONDS / seconds) / 2.0
    }
}

/// Converts a ratio of amplitudes to dB.
fn decibels(ratio: f64) -> f64 {
    20.0 * libm::log10(ratio)
}

fn amplitude(decibels: f64) -> f64 {
    libm::pow(10.0, decibels / 20.0)
}

fn peak<S: Copy + Into<f64>>(samples: &[S]) -> f64 {
    let heights = samples.iter().map(|&sample| sample.into().abs());
    heights.fold(0.0, f64::max)
}

impl ClipRenderer {
    /// Scales samples to the target loudness, or to a lower one if the peak would exceed
    /// [`MAX_PEAK_DBFS`].
    pub(crate) fn normalise_loudness(
        &self,
        samples: Vec<f64>,
        notes: Vec<NoteTiming>,
    ) -> Result<Clip, ClipError> {
        let highest = peak(&samples);
        if highest == 0.0 {
            return Err(ClipError::Silent);
        }
        // Loudness is measured with the peak at full scale, because the gate of the standard
        // ignores very soft sounds.
        let wanted = self.loudness - loudness(&samples, 1.0 / highest, self.rate);
        let gain = (wanted.min(MAX_PEAK_DBFS) / GAIN_STEP).floor() * GAIN_STEP;
        let scale = amplitude(gain) * f64::from(i16::MAX) / highest;
        let samples: Vec<i16> = samples
            .iter()
            .map(|sample| (sample * scale).round() as i16)
            .collect();
        const FULL: f64 = 32_768.0;
        Ok(Clip {
            rate: self.rate,
            lead_seconds: LEAD_SECONDS,
            peak_dbfs: decibels(peak(&samples) / FULL),
            loudness_lufs: loudness(&samples, 1.0 / FULL, self.rate),
            samples,
            notes,
        })
    }
}
