//! Conversion of recordings to clips: one channel, trimmed and normalised in loudness.

use partita_formats::Diagnostic;

use super::clip::Clip;
use super::decoder;
use super::renderer::{ClipError, ClipRenderer, LEAD_SECONDS, MAX_CLIP_SECONDS};
use super::resampler::Resampler;
use super::soundfont::fade_out;

/// Largest amplitude that counts as silence at the ends of a recording: -60 dB relative to full
/// scale.
const SILENCE_AMPLITUDE: f64 = 0.001;

/// Duration of the fade-in and fade-out of a trimmed recording, in seconds.
const FADE_SECONDS: f64 = 0.003;

/// Error for a recording that cannot be converted to a clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordingError {
    /// The recording cannot be decoded.
    #[error("{}", .0.message)]
    Format(Diagnostic),
    /// A clip cannot be rendered, for example because the samples are silent or too long.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Buffer of samples that drops silence at the start and finds where silence at the end begins.
struct SilenceTrimmer {
    samples: Vec<f64>,
    /// Number of samples, without the silence at the start, up to and including the last one above
    /// [`SILENCE_AMPLITUDE`].
    end: usize,
    /// Largest number of samples to store: that of the longest clip without the silence that is
    /// added at both ends.
    max_samples: usize,
    /// Number of samples after the first `max_samples`. They are counted but not stored.
    excess_samples: usize,
}

impl SilenceTrimmer {
    fn add(&mut self, sample: f64) {
        let is_loud = sample.abs() > SILENCE_AMPLITUDE;
        if self.samples.is_empty() && !is_loud {
            return;
        }
        if self.samples.len() < self.max_samples {
            self.samples.push(sample);
            if is_loud {
                self.end = self.samples.len();
            }
        } else {
            self.excess_samples += 1;
            if is_loud {
                self.end = self.max_samples + self.excess_samples;
            }
        }
    }
}

impl ClipRenderer {
    /// Converts a recording file to a clip: mixes it to one channel, resamples it, trims silence at
    /// both ends and normalises the loudness.
    ///
    /// # Errors
    /// Returns [`RecordingError`] if the recording cannot be decoded, is silent or is too long, or
    /// if a setting of the renderer is out of range.
    pub fn normalise_recording(&self, bytes: Vec<u8>) -> Result<Clip, RecordingError> {
        self.check_settings()?;
        let mut trimmer = SilenceTrimmer {
            samples: Vec::new(),
            end: 0,
            max_samples: ((MAX_CLIP_SECONDS - 2.0 * LEAD_SECONDS) * f64::from(self.rate)) as usize,
            excess_samples: 0,
        };
        let mut resampler: Option<Resampler> = None;
        let mut mono: Vec<f64> = Vec::new();
        let decoded = decoder::decode(bytes, &mut |block| {
            let channels = block.samples.chunks_exact(block.channels);
            let full = block.channels as f64 * -f64::from(i32::MIN);
            let mean = |all: &[i32]| all.iter().map(|&one| f64::from(one)).sum::<f64>() / full;
            mono.clear();
            mono.extend(channels.map(mean));
            let resampler = resampler.get_or_insert_with(|| Resampler::new(block.rate, self.rate));
            resampler.push(&mono, &mut |sample| trimmer.add(sample));
        });
        decoded.map_err(RecordingError::Format)?;
        if let Some(resampler) = resampler {
            resampler.finish(&mut |sample| trimmer.add(sample));
        }
        Ok(self.clip_from_trimmed(trimmer)?)
    }

    /// Converts the samples of a trimmer to a clip: drops the silence at their end, fades both
    /// ends, adds [`LEAD_SECONDS`] of silence at both ends and normalises the loudness.
    fn clip_from_trimmed(&self, trimmer: SilenceTrimmer) -> Result<Clip, ClipError> {
        let SilenceTrimmer {
            mut samples, end, ..
        } = trimmer;
        let rate = f64::from(self.rate);
        if end == 0 {
            return Err(ClipError::Silent);
        }
        if end > trimmer.max_samples {
            return Err(ClipError::TooLong(end as f64 / rate + 2.0 * LEAD_SECONDS));
        }
        samples.truncate(end);
        let fade = (FADE_SECONDS * rate) as usize;
        samples.reverse();
        fade_out(&mut samples, fade);
        samples.reverse();
        fade_out(&mut samples, fade);
        let silence = vec![0.0; (LEAD_SECONDS * rate).round() as usize];
        samples.splice(..0, silence.iter().copied());
        samples.extend(silence);
        self.normalise_loudness(samples, Vec::new())
    }
}
