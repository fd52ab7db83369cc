//! Recorded clips, made as long and as loud as others.

use partita_formats::Problem;

use super::clip::Clip;
use super::resample::Resampler;
use super::soundfont::fade_out;
use super::{LEAD, LONGEST_CLIP, NotRendered, Sound};
use crate::read::audio;

/// What is softer at the ends of a recording is silence: -60 dB below full scale.
const SILENCE: f64 = 0.001;

/// Over how many seconds the ends of what is kept are faded.
const FADE: f64 = 0.003;

/// Why a recording is no clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotRecorded {
    /// It cannot be decoded.
    #[error("{}", .0.message)]
    Format(Problem),
    /// It cannot be rendered.
    #[error(transparent)]
    NotRendered(#[from] NotRendered),
}

/// A recording as it comes, without the silence before it.
struct Heard {
    samples: Vec<f64>,
    /// Up to where there is more than silence.
    end: usize,
    /// How many samples a clip may have.
    most: usize,
    /// How many there would be, if there were too many.
    beyond: usize,
}

impl Heard {
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

impl Sound {
    /// The recording in a file of one of the formats that are read, without the silence at its ends and with
    /// the rate and the loudness of all clips. Channels are heard as one.
    ///
    /// # Errors
    /// [`NotRecorded`] where it cannot be decoded, is silent or too long.
    pub fn record_file(&self, bytes: Vec<u8>) -> Result<Clip, NotRecorded> {
        self.check()?;
        let mut heard = self.heard();
        let mut resampler: Option<Resampler> = None;
        let mut mono: Vec<f64> = Vec::new();
        let decoded = audio::decode(bytes, &mut |piece| {
            let channels = piece.samples.chunks_exact(piece.channels);
            let full = piece.channels as f64 * -f64::from(i32::MIN);
            let mean = |all: &[i32]| all.iter().map(|&one| f64::from(one)).sum::<f64>() / full;
            mono.clear();
            mono.extend(channels.map(mean));
            let resampler = resampler.get_or_insert_with(|| Resampler::new(piece.rate, self.rate));
            resampler.push(&mono, &mut |sample| heard.add(sample));
        });
        decoded.map_err(NotRecorded::Format)?;
        if let Some(resampler) = resampler {
            resampler.finish(&mut |sample| heard.add(sample));
        }
        Ok(self.kept(heard)?)
    }

    /// A recording, in samples from -1 to 1 at the rate of this sound, without the silence at its ends
    /// and with the loudness of all clips.
    ///
    /// # Errors
    /// [`NotRendered`] where it is silent or too long.
    pub fn record(&self, samples: &[f64]) -> Result<Clip, NotRendered> {
        self.check()?;
        let mut heard = self.heard();
        samples.iter().for_each(|&sample| heard.add(sample));
        self.kept(heard)
    }

    fn heard(&self) -> Heard {
        Heard {
            samples: Vec::new(),
            end: 0,
            most: ((LONGEST_CLIP - 2.0 * LEAD) * f64::from(self.rate)) as usize,
            beyond: 0,
        }
    }

    fn kept(&self, heard: Heard) -> Result<Clip, NotRendered> {
        let Heard {
            mut samples, end, ..
        } = heard;
        let rate = f64::from(self.rate);
        if end == 0 {
            return Err(NotRendered::Silent);
        }
        if end > heard.most {
            return Err(NotRendered::TooLong(end as f64 / rate + 2.0 * LEAD));
        }
        samples.truncate(end);
        let fade = (FADE * rate) as usize;
        samples.reverse();
        fade_out(&mut samples, fade);
        samples.reverse();
        fade_out(&mut samples, fade);
        let silence = vec![0.0; (LEAD * rate).round() as usize];
        samples.splice(..0, silence.iter().copied());
        samples.extend(silence);
        self.levelled(samples, Vec::new())
    }
}
