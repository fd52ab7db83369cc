//! Measurement of loudness (ITU-R BS.1770) and normalisation of clips to a target loudness.

use ebur128::{EbuR128, Mode};

use super::clip::{Clip, NoteTiming};
use super::renderer::{ClipError, ClipRenderer, LEAD_SECONDS};

/// Largest peak of a normalised clip, in dB relative to full scale. The headroom protects players
/// and lossy encoders from clipping.
pub const MAX_PEAK_DBFS: f64 = -1.0;

/// Length of a measurement block of ITU-R BS.1770, in seconds. The standard defines no loudness for
/// shorter sounds.
const GATING_BLOCK_SECONDS: f64 = 0.4;

/// Unit to which gains are rounded down, in dB. The last bit of a logarithm differs between
/// machines, so an unrounded gain would give different samples.
const GAIN_STEP_DB: f64 = 0.001;

/// Number of samples that are passed to the loudness meter at a time.
const SAMPLES_PER_CALL: usize = 1 << 14;

/// Returns the integrated loudness of the samples after multiplication by `scale`, in LUFS. For a
/// sound shorter than [`GATING_BLOCK_SECONDS`], it is computed from the K-weighted mean square of
/// the sound.
fn loudness<S: Copy + Into<f64>>(samples: &[S], scale: f64, rate: u32) -> f64 {
    let mut meter =
        EbuR128::new(1, rate, Mode::I).expect("one channel and a valid sample rate are accepted");
    let mut scaled = Vec::with_capacity(SAMPLES_PER_CALL);
    for piece in samples.chunks(SAMPLES_PER_CALL) {
        scaled.clear();
        scaled.extend(piece.iter().map(|&sample| sample.into() * scale));
        let added = meter.add_frames_f64(&scaled);
        added.expect("samples of one channel are whole frames");
    }
    let seconds = samples.len() as f64 / f64::from(rate);
    if seconds >= GATING_BLOCK_SECONDS {
        meter
            .loudness_global()
            .expect("mode I measures integrated loudness")
    } else {
        // The meter averages over a whole block, and a shorter sound fills only a part of it. The
        // added term corrects for the silent part.
        let momentary = meter
            .loudness_momentary()
            .expect("every mode measures momentary loudness");
        momentary + amplitude_to_decibels(GATING_BLOCK_SECONDS / seconds) / 2.0
    }
}

/// Converts a ratio of amplitudes to dB.
fn amplitude_to_decibels(ratio: f64) -> f64 {
    20.0 * libm::log10(ratio)
}

/// Converts a level in dB to a ratio of amplitudes.
fn decibels_to_amplitude(decibels: f64) -> f64 {
    libm::pow(10.0, decibels / 20.0)
}

/// Returns the largest absolute sample value.
fn peak_amplitude<S: Copy + Into<f64>>(samples: &[S]) -> f64 {
    let heights = samples.iter().map(|&sample| sample.into().abs());
    heights.fold(0.0, f64::max)
}

impl ClipRenderer {
    /// Scales samples to the target loudness of the renderer, or to a lower loudness if the peak
    /// would exceed [`MAX_PEAK_DBFS`], and returns them as a clip. Returns an error if all are 0.
    pub(crate) fn normalise_loudness(
        &self,
        samples: Vec<f64>,
        notes: Vec<NoteTiming>,
    ) -> Result<Clip, ClipError> {
        let highest = peak_amplitude(&samples);
        if highest == 0.0 {
            return Err(ClipError::Silent);
        }
        // Loudness is measured with the peak at full scale, because the gate of the standard
        // ignores very soft sounds.
        let wanted = self.loudness - loudness(&samples, 1.0 / highest, self.rate);
        let gain = (wanted.min(MAX_PEAK_DBFS) / GAIN_STEP_DB).floor() * GAIN_STEP_DB;
        let scale = decibels_to_amplitude(gain) * f64::from(i16::MAX) / highest;
        let samples: Vec<i16> = samples
            .iter()
            .map(|sample| (sample * scale).round() as i16)
            .collect();
        /// Sample value that corresponds to 0 dB relative to full scale.
        const FULL_SCALE: f64 = 32_768.0;
        Ok(Clip {
            rate: self.rate,
            lead_seconds: LEAD_SECONDS,
            peak_dbfs: amplitude_to_decibels(peak_amplitude(&samples) / FULL_SCALE),
            loudness_lufs: loudness(&samples, 1.0 / FULL_SCALE, self.rate),
            samples,
            notes,
        })
    }
}
