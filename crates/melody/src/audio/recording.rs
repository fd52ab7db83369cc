//! Recorded clips, made as long and as loud as others.

use partita_formats::Diagnostic;

use super::clip::Clip;
use super::decoder;
use super::renderer::{ClipError, ClipRenderer, LEAD_SECONDS, MAX_CLIP_SECONDS};
use super::resampler::Resampler;
use super::soundfont::fade_out;

/// What is softer at the ends of a recording is silence: -60 dB below full scale.
const SILENCE: f64 = 0.001;

/// Over how many seconds the ends of what is kept are faded.
const FADE: f64 = 0.003;

/// Why a recording is no clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordingError {
    /// It cannot be decoded.
    #[error("{}", .0.message)]
    Format(Diagnostic),
    /// It cannot be rendered.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// A recording as it comes, without the silence before it.
struct SilenceTrimmer {
    samples: Vec<f64>,
    /// Up to where there is more than silence.
    end: usize,
    /// How many samples a clip may have.
    most: usize,
    /// How many there would be, if there were too many.
    beyond: usize,
}

impl SilenceTrimmer {
    fn add(&mut self, sample: f64) {
        let loud = sample.abs() > SILENCE;
        if self.samples.is_empty() && !loud {
            return;
        }
        if self.samples.len() < self.most {
            self.samples.push(sample);
            if loud {
                self.end = self.samples.len();
            }
        } else {
            self.beyond += 1;
            if loud {
                self.end = self.most + self.beyond;
            }
        }
    }
}

impl ClipRenderer {
    /// The recording in a file of one of the formats that are read, without the silence at its ends and with
    /// the rate and the loudness of all clips. Channels are heard as one.
    ///
    /// # Errors
    /// [`NotRecorded`] where it cannot be decoded, is silent or too long.
    pub fn normalise_recording(&self, bytes: Vec<u8>) -> Result<Clip, RecordingError> {
        self.check()?;
        let mut heard = self.trimmer();
        let mut resampler: Option<Resampler> = None;
        let mut mono: Vec<f64> = Vec::new();
        let decoded = decoder::decode(bytes, &mut |piece| {
            let channels = piece.samples.chunks_exact(piece.channels);
            let full = piece.channels as f64 * -f64::from(i32::MIN);
            let mean = |all: &[i32]| all.iter().map(|&one| f64::from(one)).sum::<f64>() / full;
            mono.clear();
            mono.extend(channels.map(mean));
            let resampler = resampler.get_or_insert_with(|| Resampler::new(piece.rate, self.rate));
            resampler.push(&mono, &mut |sample| heard.add(sample));
        });
        decoded.map_err(RecordingError::Format)?;
        if let Some(resampler) = resampler {
            resampler.finish(&mut |sample| heard.add(sample));
        }
        Ok(self.clip_from_trimmed(heard)?)
    }

    /// A recording, in samples from -1 to 1 at the rate of this sound, without the silence at its ends
    /// and with the loudness of all clips.
    ///
    /// # Errors
    /// [`NotRendered`] where it is silent or too long.
    pub fn normalise_samples(&self, samples: &[f64]) -> Result<Clip, ClipError> {
        self.check()?;
        let mut heard = self.trimmer();
        samples.iter().for_each(|&sample| heard.add(sample));
        self.clip_from_trimmed(heard)
    }

    fn trimmer(&self) -> SilenceTrimmer {
        SilenceTrimmer {
            samples: Vec::new(),
            end: 0,
            most: ((MAX_CLIP_SECONDS - 2.0 * LEAD_SECONDS) * f64::from(self.rate)) as usize,
            beyond: 0,
        }
    }

    fn clip_from_trimmed(&self, heard: SilenceTrimmer) -> Result<Clip, ClipError> {
        let SilenceTrimmer {
            mut samples, end, ..
        } = heard;
        let rate = f64::from(self.rate);
        if end == 0 {
            return Err(ClipError::Silent);
        }
        if end > heard.most {
            return Err(ClipError::TooLong(end as f64 / rate + 2.0 * LEAD_SECONDS));
        }
        samples.truncate(end);
        let fade = (FADE * rate) as usize;
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
