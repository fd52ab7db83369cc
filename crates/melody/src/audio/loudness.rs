//! How loud a clip is.

use ebur128::{EbuR128, Mode};

use super::clip::{Clip, NoteTiming};
use super::renderer::{ClipError, ClipRenderer, LEAD_SECONDS};

/// The highest peak of a clip, in dB below full scale: what players and encoders need to be safe.
pub const MAX_PEAK_DBFS: f64 = -1.0;

/// The shortest sound that has a loudness by ITU-R BS.1770, in seconds.
const BLOCK: f64 = 0.4;

/// Gains are whole steps of this many dB, so that the last bit of a logarithm, which is not the same
/// on all machines, does not change a sample.
const STEP: f64 = 0.001;

/// How many samples are measured at once.
const PIECE: usize = 1 << 14;

/// The loudness of samples in LUFS, each times the same. What is too short to have one by the standard gets
/// the same from its mean square, weighted as the standard weighs it.
fn loudness<S: Copy + Into<f64>>(samples: &[S], scale: f64, rate: u32) -> f64 {
    let mut meter = EbuR128::new(1, rate, Mode::I).expect("one channel and a rate in range");
    let mut scaled = Vec::with_capacity(PIECE);
    for piece in samples.chunks(PIECE) {
        scaled.clear();
        scaled.extend(piece.iter().map(|&sample| sample.into() * scale));
        let added = meter.add_frames_f64(&scaled);
        added.expect("memory for 3 seconds of samples");
    }
    let seconds = samples.len() as f64 / f64::from(rate);
    if seconds >= BLOCK {
        meter.loudness_global().expect("the mode has it")
    } else {
        // Over a whole block, of which the rest is silent.
        let momentary = meter.loudness_momentary().expect("every mode has it");
        momentary + decibels(BLOCK / seconds) / 2.0
    }
}

/// A ratio of amplitudes in dB.
pub(crate) fn decibels(ratio: f64) -> f64 {
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
    /// Samples of any level as a clip of the loudness wanted, or less where the peak forbids it.
    pub(crate) fn normalise_loudness(
        &self,
        samples: Vec<f64>,
        notes: Vec<NoteTiming>,
    ) -> Result<Clip, ClipError> {
        let highest = peak(&samples);
        if highest == 0.0 {
            return Err(ClipError::Silent);
        }
        // At full scale first: the standard leaves out what is very soft.
        let wanted = self.loudness - loudness(&samples, 1.0 / highest, self.rate);
        let gain = (wanted.min(MAX_PEAK_DBFS) / STEP).floor() * STEP;
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
