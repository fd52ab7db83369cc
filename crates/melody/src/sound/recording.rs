//! Recorded clips, made as long and as loud as others.

use super::clip::Clip;
use super::soundfont::fade_out;
use super::{LEAD, LONGEST_CLIP, NotRendered, Sound};

/// What is softer at the ends of a recording is silence: -60 dB below full scale.
const SILENCE: f64 = 0.001;

/// Over how many seconds the ends of what is kept are faded.
const FADE: f64 = 0.003;

impl Sound {
    /// A recording, in samples from -1 to 1 at the rate of this sound, without the silence at its ends
    /// and with the loudness of all clips.
    pub fn record(&self, samples: &[f64]) -> Result<Clip, NotRendered> {
        self.check()?;
        let loud = |sample: &f64| sample.abs() > SILENCE;
        let first = samples.iter().position(loud).ok_or(NotRendered::Silent)?;
        let last = samples.iter().rposition(loud).ok_or(NotRendered::Silent)?;
        let rate = f64::from(self.rate);
        let seconds = (last + 1 - first) as f64 / rate + 2.0 * LEAD;
        if seconds > LONGEST_CLIP {
            return Err(NotRendered::TooLong(seconds));
        }
        let silence = vec![0.0; (LEAD * rate).round() as usize];
        let mut kept = samples[first..=last].to_vec();
        let fade = (FADE * rate) as usize;
        kept.reverse();
        fade_out(&mut kept, fade);
        kept.reverse();
        fade_out(&mut kept, fade);
        self.levelled([&silence[..], &kept, &silence].concat(), Vec::new())
    }
}
